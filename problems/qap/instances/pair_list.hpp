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

/// Numbers and names that pairs may have.
struct PairNames {
    uint32_t facilities = 0, locations = 0;
    const std::vector<std::string>* facility_names = nullptr;  ///< null or empty: none
    const std::vector<std::string>* location_names = nullptr;

    static PairNames of(const SolutionFrame& frame);
};

/// A pair, counted from 0, and where it stands.
struct NamedPair {
    uint32_t facility = 0, location = 0;
    TextPosition facility_at, location_at;
    std::string facility_text, location_text;
};

/// True if the text is a list of pairs and no list of numbers: a line has two cells of which one is no number, or an
/// arrow "->".
bool holds_pairs(std::string_view text);

/// The pairs of a text. Cells are separated by commas, semicolons, tabs, bars, blanks or, in a line without those but
/// blanks, "->"; a first line of words such as facility,location is passed over; lines that begin with # are comments.
/// Fails with the place of a name that is not known, and the nearest one.
std::vector<NamedPair> read_pairs(std::string_view text, const std::string& source, const PairNames& names);

}  // namespace qapfw::qap
