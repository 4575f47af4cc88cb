// SPDX-License-Identifier: Apache-2.0
// The best costs in docs/records, by the instance's fingerprint.
#pragma once

#include <cstdint>

namespace qapfw::uaflp {

struct RecordedValue {
    std::uint64_t fingerprint;  ///< hash of the instance and its options
    double cost;
    const char* date;  ///< date on which the value was found
};

/// The recorded value of the instance with this fingerprint; null if no value is recorded.
const RecordedValue* recorded_value(std::uint64_t fingerprint);

}  // namespace qapfw::uaflp
