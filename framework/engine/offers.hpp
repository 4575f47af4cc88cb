// SPDX-License-Identifier: Apache-2.0
// Solutions that a solver offers within a round. The solver's threads put them in at almost no cost. From time to time
// another thread takes out the best solution, evaluates it and shows it.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

#include "framework/problem/cost.hpp"

namespace qapfw::framework {

/// A solution as its solver reported it.
struct OfferedSolution {
    std::vector<std::byte> solution;
    qapfw_cost cost{};
};

/// [thread-safe]
class Offers {
  public:
    Offers(const CostSpace& costs, std::size_t solution_bytes) : costs_(costs), solution_bytes_(solution_bytes) {}

    /// Copies the solution, unless the waiting solution is at least as good.
    void put(const void* solution, qapfw_cost cost);
    /// Returns the best solution given to put() since the last take(); nothing if there is none.
    std::optional<OfferedSolution> take();

  private:
    const CostSpace costs_;
    const std::size_t solution_bytes_;
    std::mutex mutex_;
    std::optional<OfferedSolution> waiting_;
};

}  // namespace qapfw::framework
