// SPDX-License-Identifier: Apache-2.0
// The table of best-known values that comes with the program. The values come from QAPLIB, from later publications and
// from docs/records.
#pragma once

#include <cstdint>
#include <span>

namespace qapfw::qap {

/// One best-known value; all texts have static storage.
struct BuiltInBestKnown {
    const char* name;
    uint32_t n;
    int64_t value;
    bool optimal;          ///< proven optimal
    uint64_t fingerprint;  ///< hash of the instance's data (fingerprint.hpp); 0: unknown
    const char* source;    ///< who found the value, or where it was published
    const char* date;      ///< date when the source was read
};

std::span<const BuiltInBestKnown> built_in_best_known();

}  // namespace qapfw::qap
