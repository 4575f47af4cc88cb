// SPDX-License-Identifier: Apache-2.0
// Tools of the tests of the memetic algorithm: small islands, so that tests are fast.
#pragma once

#include "plugins/memetic/memetic.hpp"
#include "tests/support/test_solver.hpp"

namespace qapfw::test {

/// Parameters for small islands, which make several children in a round and grow when they converge. The
/// parameter `arms` stays "auto": on a host without improvers it gives arms that differ in crossover, mutation and
/// replacement.
inline Given small_memetic(Given given = {}) {
    given.insert(
        {{"islands", "6"}, {"size", "4"}, {"first_size", "2"}, {"round", "40"}, {"rung", "2"}, {"migrate_every", "1"}});
    return given;
}

}  // namespace qapfw::test
