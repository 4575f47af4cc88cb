// SPDX-License-Identifier: Apache-2.0
// The cunning ant system on solutions with bay bits, whose costs are real numbers.
#include <doctest/doctest.h>

#include "plugins/cas/cas.hpp"
#include "tests/support/bay_checks.hpp"

using namespace qapfw;

TEST_CASE("ants find the optimum of small layouts with bay bits") {
    test::check_bays<sdk::PopulationSolver<cas::Cas>>(
        {{"ants", "30"}, {"colonies", "2"}, {"exchange_every", "5"}, {"bay_moves", "0.6"}}, 300);
}
