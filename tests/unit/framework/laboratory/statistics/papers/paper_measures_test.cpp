// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/statistics/papers/paper_measures.hpp"

#include <doctest/doctest.h>

using namespace qapfw::statistics;

TEST_CASE("QTR is log2 of NQ over NT, as Table 4 of the 2019 paper has it") {
    const QualityAndTime measures = quality_and_time(100, 50, 16, 1);
    CHECK(measures.nq == 2);
    CHECK(measures.nt == doctest::Approx(1.0 / 16));
    CHECK(measures.qtr == doctest::Approx(5));
    CHECK(measures.pqi == doctest::Approx(0.5));
    CHECK(quality_and_time(0, 0, 0, 0).qtr == 0);
    const double rows[5][3]{{1.0097, 0.2390, 2.0788},
                            {1.0266, 0.0752, 3.7712},
                            {1.0020, 0.0518, 4.2739},
                            {1.0332, 0.0410, 4.6543},
                            {1.0316, 0.0350, 4.8822}};
    for (const auto& row : rows)
        CHECK(quality_and_time(row[0], 1, 1, row[1]).qtr == doctest::Approx(row[2]).epsilon(1e-3));
}

TEST_CASE("with two rounds no comparison of a shared sequence repeats, and all comparisons are counted") {
    CHECK(shared_sequence_comparisons(2, 128).repeated == 0);
    CHECK(shared_sequence_comparisons(4, 128).repeated == 3 * 127);
    for (std::uint64_t rounds = 2; rounds < 10; ++rounds) {
        const TournamentComparisons count = shared_sequence_comparisons(rounds, 32);
        CHECK(count.distinct + count.repeated == count.total);
    }
    CHECK(shared_sequence_comparisons(1, 32).total == 0);
    CHECK(shared_sequence_repeated_draws(4, 128) == 127 * 3);
}
