// SPDX-License-Identifier: Apache-2.0
// Two cells compared by Wilcoxon's tests: by the signed ranks of pairs with the same seed, or by the rank sum where the
// runs of the two are independent of each other.
#pragma once

#include <optional>
#include <string>

#include "framework/laboratory/report/results.hpp"
#include "framework/laboratory/report/table.hpp"

namespace qapfw::framework::laboratory {

struct TestedPair {
    bool paired = true;
    std::size_t of_first = 0, of_second = 0;  ///< values that were compared; pairs: as many of each
    std::size_t differing = 0;                ///< pairs that differ
    double p = 1, a12 = 0.5;                  ///< a12: the chance that a value of the first is larger
    double direction = 0;                     ///< above 0 where the first is larger by its ranks, that is worse
    bool enough = true;                       ///< the number of values suffices for a p of at most the study's alpha

    /// The same test with the second as the first.
    TestedPair reversed() const;
};

/// Test of two cells; nullopt if they have nothing that can be compared.
std::optional<TestedPair> test_pair(const Results& results, const ResultCell& first, const ResultCell& second);

/// Columns and cells that say what was tested: the test, the runs of both, the pairs, and those that differ.
std::vector<Column> tested_columns(const std::string& first, const std::string& second);
std::vector<TableValue> tested_cells(const TestedPair& tested);
/// For the heads of sections: which test is made of which runs, and how few can give no verdict.
std::string tests_text(const Results& results);

}  // namespace qapfw::framework::laboratory
