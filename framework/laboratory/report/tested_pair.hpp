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
    bool paired = true;                       ///< true: signed rank test of pairs; false: rank sum test
    std::size_t of_first = 0, of_second = 0;  ///< number of compared values of the first and of the second cell
    std::size_t differing = 0;                ///< number of pairs whose two values differ
    /// p: the test's p-value. a12: the probability that a value of the first cell is larger than a value of the second.
    double p = 1, a12 = 0.5;
    double direction = 0;  ///< > 0: the first cell has larger ranks, so it is worse
    bool enough = true;    ///< true: there are enough values for p to be as small as the study's alpha

    /// The test with the two cells swapped.
    TestedPair reversed() const;
};

/// Tests whether the values of two cells differ. Returns nullopt if there are no values to compare.
std::optional<TestedPair> test_pair(const Results& results, const ResultCell& first, const ResultCell& second);

/// Columns and cells about the test: its name, the numbers of runs of the first and of the second cell, the number of
/// pairs, and the number of pairs whose values differ.
std::vector<Column> tested_columns(const std::string& first, const std::string& second);
std::vector<TableValue> tested_cells(const TestedPair& tested);
/// Text at the head of a section: which test compares which runs, and how many runs are too few for a verdict.
std::string tests_text(const Results& results);

}  // namespace qapfw::framework::laboratory
