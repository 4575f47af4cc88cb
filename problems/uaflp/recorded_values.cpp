// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/recorded_values.hpp"

#include <algorithm>
#include <iterator>

namespace qapfw::uaflp {

namespace {

constexpr RecordedValue kRecordedValues[] = {
#include "problems/uaflp/recorded_values.inc"
};

}  // namespace

const RecordedValue* recorded_value(std::uint64_t fingerprint) {
    const auto* at = std::ranges::find(kRecordedValues, fingerprint, &RecordedValue::fingerprint);
    return at == std::end(kRecordedValues) ? nullptr : at;
}

}  // namespace qapfw::uaflp
