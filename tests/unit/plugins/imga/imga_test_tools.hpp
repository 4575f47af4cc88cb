// SPDX-License-Identifier: Apache-2.0
// Tools for testing the island model GA: small islands make the tests fast.
#pragma once

#include "plugins/imga/imga.hpp"
#include "tests/support/test_improver.hpp"
#include "tests/support/test_solver.hpp"

namespace qapfw::test {

using Imga = sdk::PopulationSolver<imga::Imga>;

inline Given small_islands(Given given = {}) {
    given.insert({{"islands", "4"}, {"size", "10"}, {"migrate_every", "3"}, {"migrants", "2"}});
    given.insert({"mutation_rate", "0.3"});
    return given;
}

}  // namespace qapfw::test
