// SPDX-License-Identifier: Apache-2.0
// Lines "facility,location", by name or counted from 1: assignments, fixed and forbidden pairs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "problems/qap/instances/text_scanner.hpp"

namespace qapfw::qap {

struct SolutionFrame;

/// Counts and names of the facilities and locations that a list of pairs may contain.
struct PairNames {
    uint32_t facilities = 0, locations = 0;
    const std::vector<std::string>* facility_names = nullptr;  ///< null or empty: facilities have no names
    const std::vector<std::string>* location_names = nullptr;  ///< null or empty: locations have no names

    static PairNames of(const SolutionFrame& frame);
};

/// A facility and a location as numbers that count from 0. For each of the two: where its cell begins in the text, and
/// what the cell says.
struct NamedPair {
    uint32_t facility = 0, location = 0;
    TextPosition facility_at, location_at;
    std::string facility_text, location_text;
};

/// True if the text is a list of pairs, not a table of numbers: some line has an arrow "->", or has exactly two cells,
/// at least one of which is no number.
bool holds_pairs(std::string_view text);

/// Reads pairs. Commas, semicolons, tabs, bars or blanks separate cells. In a line without commas, semicolons, tabs and
/// bars, "->" separates cells too. A header such as facility,location in the first line is skipped. Lines that begin
/// with # are comments. For an unknown name, throws an error that has the position and the nearest known name.
std::vector<NamedPair> read_pairs(std::string_view text, const std::string& source, const PairNames& names);

}  // namespace qapfw::qap
