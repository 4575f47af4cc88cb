// SPDX-License-Identifier: Apache-2.0
// Tools for testing the memetic algorithm: small islands make the tests fast.
#pragma once

#include <doctest/doctest.h>

#include "plugins/memetic/memetic.hpp"
#include "tests/support/host_population.hpp"
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

/// The islands of a run on the host after some rounds.
template <class Problem>
class Evolved : public HostPopulation<memetic::Memetic> {
  public:
    Evolved(const TestHost& host, const TestProblem<Problem>& problem, const Given& given, const TestRun& services,
            std::uint64_t rounds, const qapfw_improver_ref* improver = nullptr)
        : HostPopulation(host.get(), problem.get(), given, *services.get(), improver) {
        algorithm.start(steps());
        for (std::uint64_t t = 1; t <= rounds; ++t) {
            algorithm.generation(steps(), t);
            CHECK(algorithm.meet(*all, t));
        }
    }
};

}  // namespace qapfw::test
