// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/assignment.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <utility>

namespace qapfw::framework {
namespace {

std::string label(const std::string& name, std::uint32_t index) {
    return name.empty() ? std::to_string(std::uint64_t{index} + 1) : name;
}

/// The text as a cell of a CSV file: in quotes if a spreadsheet would read a bare text differently.
std::string csv_cell(const std::string& text) {
    const bool plain = text.find_first_of(",;|\t\"\r\n#") == std::string::npos && !text.empty() &&
                       text.front() != ' ' && text.back() != ' ';
    if (plain) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

}  // namespace

const std::string& OptionalName::text() const {
    static const std::string kNone;
    return empty() ? kNone : *text_;
}

std::string AssignedPair::facility_text() const {
    return label(facility_name.text(), facility);
}

std::string AssignedPair::location_text() const {
    return label(location_name.text(), location);
}

namespace {

/// `text`, followed by a line for each pair.
std::string with_lines(std::string text, const std::vector<AssignedPair>& pairs) {
    constexpr std::size_t kUsualLine = 14;
    text.reserve(text.size() + kUsualLine * pairs.size());
    const auto add = [&text](const std::string& name, std::uint32_t index, char end) {
        if (name.empty()) {
            const fmt::format_int number(std::uint64_t{index} + 1);
            text.append(number.data(), number.size());
        } else {
            text += csv_cell(name);
        }
        text += end;
    };
    for (const AssignedPair& pair : pairs) {
        if (pair.facility_name.empty() && pair.location_name.empty()) {  // fast path: there may be millions of pairs
            char line[32];
            char* const end = fmt::format_to(line, FMT_COMPILE("{},{}\n"), std::uint64_t{pair.facility} + 1,
                                             std::uint64_t{pair.location} + 1);
            text.append(line, static_cast<std::size_t>(end - line));
            continue;
        }
        add(pair.facility_name.text(), pair.facility, ',');
        add(pair.location_name.text(), pair.location, '\n');
    }
    return text;
}

}  // namespace

std::string assignment_lines(const std::vector<AssignedPair>& pairs) {
    return with_lines({}, pairs);
}

std::string assignment_csv(const std::vector<AssignedPair>& pairs) {
    return with_lines("facility,location\n", pairs);
}

}  // namespace qapfw::framework
