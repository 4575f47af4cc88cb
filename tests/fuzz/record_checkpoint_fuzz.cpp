// SPDX-License-Identifier: Apache-2.0
// Fuzzes checkpoints as a forger would write them: any content with a right checksum. The first two bytes give the
// header's length; after the header comes the solver's state. A checkpoint is refused with an Error, or is read. What
// was read must survive writing and reading.
#include <algorithm>
#include <string>

#include "framework/record/checkpoint.hpp"
#include "fuzz_support.hpp"

using namespace qapfw::framework;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2) return 0;
    const std::string content(reinterpret_cast<const char*>(data) + 2, size - 2);
    const size_t header = std::min<size_t>(content.size(), data[0] + 256u * data[1]);
    const std::string bytes = frame_checkpoint(content.substr(0, header), content.substr(header));
    Checkpoint checkpoint;
    try {
        checkpoint = decode_checkpoint(bytes, "checkpoint.bin");
    } catch (const qapfw::Error& error) {
        qapfw::fuzz::require(std::string_view(error.what()).starts_with("checkpoint.bin"));
        return 0;
    }
    const std::string written = encode_checkpoint(checkpoint);
    qapfw::fuzz::require(encode_checkpoint(decode_checkpoint(written, "again")) == written);
    return 0;
}
