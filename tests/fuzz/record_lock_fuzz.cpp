// SPDX-License-Identifier: Apache-2.0
// Fuzzes a record's lock with any bytes. Checks that the owner's name is one line without control characters.
#include <string>

#include "framework/record/lock_owner.hpp"
#include "fuzz_support.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using qapfw::framework::LockOwner;
    const LockOwner owner = LockOwner::parse(std::string(reinterpret_cast<const char*>(data), size));
    const std::string name = owner.name();
    for (const char c : name) qapfw::fuzz::require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
    qapfw::fuzz::require(!name.empty() && name.size() < 1000);
    qapfw::fuzz::require(LockOwner::parse(owner.text()).process == owner.process);
    return 0;
}
