// SPDX-License-Identifier: Apache-2.0
// Compares two cells by Wilcoxon's tests: by the signed ranks of pairs with the same seed, or by the rank sum if the
// runs are independent.
#pragma once

#include <optional>
#include <string>

#include "framework/laboratory/report/results.hpp"
#include "framework/laboratory/report/table.hpp"

namespace qapfw::framework::laboratory {

struct TestedPair {
    bool paired = true;
    std::size_t of_first = 0, of_second = 0;  ///< number of values compared; equal for pairs
    std::size_t differing = 0;                ///< number of pairs that differ
    double p = 1, a12 = 0.5;                  ///< a12: probability that a value of the first cell is larger
    double direction = 0;                     ///< > 0: the first cell has larger ranks, so it is worse
    bool enough = true;                       ///< enough values for p to reach the study's alpha

    /// The test with the two cells swapped.
    TestedPair reversed() const;
};

/// Tests two cells; nothing if there is nothing to compare.
std::optional<TestedPair> test_pair(const Results& results, const ResultCell& first, const ResultCell& second);

/// Columns and cells about the test: its name, the numbers of runs of each cell, of pairs, and of pairs that differ.
std::vector<Column> tested_columns(const std::string& first, const std::string& second);
std::vector<TableValue> tested_cells(const TestedPair& tested);
/// Sentence at the head of a section: which test is made of which runs, and how many runs are too few for a verdict.
std::string tests_text(const Results& results);

}  // namespace qapfw::framework::laboratory
