// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/tournament_waste.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace qapfw;
using imga::count_tournament_waste;
using imga::TournamentWaste;

namespace {

TournamentWaste counted(kernels::TournamentSeeding seeding, std::uint32_t rounds, std::uint32_t threads) {
    return count_tournament_waste(
        {.seed = 11, .seeding = seeding, .rounds = rounds, .size = threads, .generator = kernels::kTournamentPhilox}, 3,
        2);
}

}  // namespace

TEST_CASE("method 1 repeats what the corrected formulas say, the others nothing") {
    for (const std::uint64_t m : {1u, 2u, 3u, 4u, 8u, 16u}) {
        for (const std::uint64_t t : {1u, 2u, 4u, 32u, 129u}) {
            CAPTURE(m);
            CAPTURE(t);
            const auto rounds = static_cast<std::uint32_t>(m), threads = static_cast<std::uint32_t>(t);
            const TournamentWaste once = counted(kernels::kTournamentClockOnce, rounds, threads);
            CHECK(once.draws == t * m);
            CHECK(once.repeated_draws == (t - 1) * (m - 1));
            CHECK(once.comparisons == t * m * (m - 1) / 2);
            CHECK(once.comparisons - once.repeated_comparisons == m * (m - 1) / 2 + (t - 1) * (m - 1));
            if (m > 1) CHECK(once.repeated_comparisons == (m - 2) * (m - 1) * (t - 1) / 2);
            for (const auto seeding :
                 {kernels::kTournamentClockPerRound, kernels::kTournamentPerThread, kernels::kTournamentCounter}) {
                const TournamentWaste other = counted(seeding, rounds, threads);
                CHECK(other.draws == once.draws);
                CHECK(other.comparisons == once.comparisons);
                CHECK(other.repeated_draws == 0);
                CHECK(other.repeated_comparisons == 0);
            }
        }
    }
}

TEST_CASE("the paper's example: four threads and four rounds have 9 repeated comparisons") {
    CHECK(counted(kernels::kTournamentClockOnce, 4, 4).repeated_comparisons == 9);
}
