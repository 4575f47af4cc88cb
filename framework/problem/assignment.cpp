// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/assignment.hpp"

namespace qapfw::framework {
namespace {

std::string label(const std::string& name, std::uint32_t index) {
    return name.empty() ? std::to_string(std::uint64_t{index} + 1) : name;
}

/// A cell as spreadsheets read it back.
std::string csv_cell(const std::string& text) {
    const bool plain = text.find_first_of(",;|\t\"\r\n#") == std::string::npos && !text.empty() &&
                       text.front() != ' ' && text.back() != ' ';
    if (plain) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

}  // namespace

std::string AssignedPair::facility_text() const {
    return label(facility_name, facility);
}

std::string AssignedPair::location_text() const {
    return label(location_name, location);
}

std::string assignment_lines(const std::vector<AssignedPair>& pairs) {
    constexpr std::size_t kUsualLine = 14;
    std::string text;
    text.reserve(kUsualLine * pairs.size());
    const auto add = [&text](const std::string& name, std::uint32_t index, char end) {
        text += name.empty() ? std::to_string(std::uint64_t{index} + 1) : csv_cell(name);
        text += end;
    };
    for (const AssignedPair& pair : pairs) {
        add(pair.facility_name, pair.facility, ',');
        add(pair.location_name, pair.location, '\n');
    }
    return text;
}

std::string assignment_csv(const std::vector<AssignedPair>& pairs) {
    return "facility,location\n" + assignment_lines(pairs);
}

}  // namespace qapfw::framework
