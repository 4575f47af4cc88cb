// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/pair_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "common/nearest_names.hpp"
#include "problems/qap/instances/solution_text.hpp"
#include "problems/qap/instances/table_text.hpp"

namespace qapfw::qap {

namespace {

/// Replaces each arrow by a separator, for example "3->7" by "3| 7". The length is kept, so that positions in the line
/// do not change. In a line that also has another separator, an arrow is part of a name and stays.
std::string without_arrows(std::string_view text) {
    std::string out(text);
    for (std::size_t begin = 0; begin < out.size();) {
        const std::size_t end = std::min(out.find_first_of("\r\n", begin), out.size());
        const std::size_t separator = out.find_first_of(",;|\t", begin);
        for (std::size_t at = out.find("->", begin); at < end && separator >= end; at = out.find("->", at)) {
            out[at] = '|';
            out[at + 1] = ' ';
        }
        begin = end + 1;
    }
    return out;
}

/// True if the text may be a misspelt name of the list. One mistake is allowed; in a text of eight letters or more, one
/// mistake for every four letters.
bool is_near(const std::vector<std::string>* names, std::string_view text) {
    const std::size_t most = std::max<std::size_t>(1, text.size() / 4);
    return names != nullptr && std::any_of(names->begin(), names->end(), [&](const std::string& name) {
               return common::edit_distance(text, name) <= most;
           });
}

bool knows(const std::vector<std::string>* names, std::string_view text) {
    return names != nullptr && std::find(names->begin(), names->end(), text) != names->end();
}

bool is_natural(std::string_view text) {
    uint32_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

/// True if a header names the columns in the order location, facility.
bool begins_with_location(const Cell& first, const Cell& second) {
    const auto is = [](std::string_view text, std::string_view word) {
        return std::ranges::equal(text, word, [](char c, char small) { return (c | 0x20) == small; });
    };
    return is(first.text, "location") && is(second.text, "facility");
}

uint32_t index_of(const TableText& table, const Cell& cell, const std::vector<std::string>* names, uint32_t count,
                  const char* what) {
    if (names != nullptr && !names->empty()) {
        const auto found = std::find(names->begin(), names->end(), cell.text);
        if (found != names->end()) return static_cast<uint32_t>(found - names->begin());
    }
    const bool whole = is_natural(cell.text);
    if (whole && names != nullptr && std::ranges::any_of(*names, is_natural)) {
        table.fail(cell.at,
                   fmt::format("no {0} is called {1}; since some names of {0}s are numbers, a number stands for "
                               "a name",
                               what, quote_token(cell.text)));
    }
    uint32_t number = 0;
    std::from_chars(cell.text.data(), cell.text.data() + cell.text.size(), number);
    if (whole && number >= 1 && number <= count) return number - 1;
    std::string hint;
    if (names != nullptr && !names->empty() && !whole) {
        const auto near = common::nearest_names(cell.text, *names);
        if (!near.empty()) hint = fmt::format("; the nearest name is {}", quote_token(near.front()));
    }
    table.fail(cell.at, fmt::format("a {} {}from 1 to {} was wanted, not {}{}", what,
                                    names != nullptr && !names->empty() ? "by name or by number " : "", count,
                                    quote_token(cell.text), hint));
}

}  // namespace

PairNames PairNames::of(const SolutionFrame& frame) {
    return {frame.facilities, frame.locations, frame.facility_names, frame.location_names};
}

bool holds_pairs(std::string_view text) {
    if (text.find("->") != std::string_view::npos) return true;
    const NamedText named{text, {}};
    try {
        const TableText table(named);
        for (std::size_t k = 0; k < table.row_count(); ++k) {
            const auto& row = table.cells(k);
            if (row.size() == 2 && (!looks_numeric(row[0].text) || !looks_numeric(row[1].text))) return true;
        }
    } catch (const std::exception&) {  // the error is reported when the text is read
    }
    return false;
}

std::vector<NamedPair> read_pairs(std::string_view text, const std::string& source, const PairNames& names) {
    const std::string plain = without_arrows(text);
    const NamedText named{plain, source};
    const TableText table(named);
    std::vector<NamedPair> pairs;
    std::size_t facility = 0, location = 1;  // columns
    for (std::size_t k = 0; k < table.row_count(); ++k) {
        const auto& row = table.cells(k);
        if (row.size() != 2) {
            table.fail(row.front().at,
                       fmt::format("a line \"facility,location\" was wanted, but this one has {} cells", row.size()));
        }
        const bool words = !looks_numeric(row[0].text) && !looks_numeric(row[1].text);
        if (k == 0 && words && !knows(names.facility_names, row[0].text) && !knows(names.location_names, row[1].text) &&
            !is_near(names.facility_names, row[0].text) && !is_near(names.location_names, row[1].text) &&
            table.row_count() > 1) {
            if (begins_with_location(row[0], row[1])) std::swap(facility, location);
            continue;  // the line is a header
        }
        pairs.push_back({index_of(table, row[facility], names.facility_names, names.facilities, "facility"),
                         index_of(table, row[location], names.location_names, names.locations, "location"),
                         row[facility].at, row[location].at, std::string(row[facility].text),
                         std::string(row[location].text)});
    }
    return pairs;
}

}  // namespace qapfw::qap
