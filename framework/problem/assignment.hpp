// SPDX-License-Identifier: Apache-2.0
// An assignment for people: which facility goes to which location.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace qapfw::framework {

/// A facility and its location. Numbers count from 0; a name is empty if there is none.
struct AssignedPair {
    std::uint32_t facility = 0, location = 0;
    std::string facility_name, location_name;

    /// The name; without one, the number counted from 1.
    std::string facility_text() const;
    std::string location_text() const;
};

/// A file of two columns with a header, for spreadsheets: names or numbers counted from 1.
std::string assignment_csv(const std::vector<AssignedPair>& pairs);

/// The same lines without the header.
std::string assignment_lines(const std::vector<AssignedPair>& pairs);

}  // namespace qapfw::framework
