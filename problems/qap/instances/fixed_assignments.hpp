// SPDX-License-Identifier: Apache-2.0
// Facilities that must stay at given locations: "3->7" puts facility 3 at location 7, both counted from 1.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "problems/qap/instances/pair_list.hpp"

namespace qapfw::qap {

/// The fixed facilities and their locations. All numbers count from 0; vectors have one element per facility, including
/// dummies.
struct FixedAssignments {
    std::vector<uint8_t> mask;  ///< 1 if the facility is fixed
    /// The location of each facility. Facilities that are not fixed fill the free locations in ascending order.
    std::vector<uint16_t> completion;
    uint32_t count = 0;  ///< number of fixed facilities

    bool is_fixed(uint32_t facility) const { return mask[facility] != 0; }
    uint32_t location(uint32_t facility) const { return completion[facility]; }
};

/// Reads entries "facility->location" for n locations. Throws for an entry of another form, an index not from 1 to n,
/// or a facility or location that occurs twice. The message begins with `source`, then the entry's number in place of a
/// line number.
FixedAssignments parse_fixed_assignments(std::span<const std::string> entries, uint32_t n, const std::string& source);

/// Returns the fixed assignments that the pairs name. Throws for a facility or location that occurs twice. `source`
/// names the pairs' origin in messages.
FixedAssignments fixed_pairs(std::span<const NamedPair> pairs, uint32_t n, const std::string& source);

}  // namespace qapfw::qap
