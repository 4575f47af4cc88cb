// SPDX-License-Identifier: Apache-2.0
// The searches of this process, on the CPU or on its GPUs. Each is an annealing with its own solution and its own
// draws. CPU and GPUs make exactly the same swaps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugins/mapping/rounds.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::mapping {

/// Some consecutive searches of the run: the number of the first one, and how many there are.
struct SearchRange {
    std::uint32_t first = 0, count = 1;
};

/// The part of a search's state that reports need.
struct SearchState {
    std::uint64_t digest = 0;  ///< digest of the search's solution
    std::int64_t cost = 0;
};

/// Cost and origin of the best of several solutions. Of solutions with equal costs, the one from the earliest iteration
/// is best, then the one from the search with the lowest number.
struct Best {
    std::int64_t cost = 0;
    std::uint64_t iteration = 0;
    std::uint64_t search = 0;  ///< number of the search in the run
    auto operator<=>(const Best&) const = default;
};

/// All searches of this process. Functions take and return solutions as bytes in the encoding of the problem.
class Searches {
  public:
    Searches() = default;
    Searches(const Searches&) = delete;
    Searches& operator=(const Searches&) = delete;
    virtual ~Searches() = default;

    /// Makes all searches continue from these solutions: one for each, or one for all. All claims are removed.
    virtual void reset(std::span<const std::vector<unsigned char>> solutions) = 0;
    /// Plays these rounds on all searches. Starts no further rounds after `stop` has returned true. Returns how many
    /// rounds it has started; they may still be running.
    virtual std::uint64_t play(std::span<const RoundOrder> orders, const sdk::StopQuestion& stop) = 0;
    /// Waits until all rounds and looks that were started are done.
    virtual void wait() = 0;
    /// From now on, looks take only solutions that cost less than `cost`.
    virtual void set_record(std::int64_t cost) = 0;
    /// Compares the searches' solutions with the record. A cheaper solution is kept, and its cost becomes the record.
    /// `iteration`: number of the run's iteration.
    virtual void look(std::uint64_t iteration) = 0;
    /// Waits as wait() does. Returns the state of each search at the last look.
    virtual std::vector<SearchState> states() = 0;
    /// Waits as wait() does. Returns whether a look has found a better solution than `best`. If so, writes its cost and
    /// origin to `best`; best_solution() gives the solution.
    virtual bool has_better(Best& best) = 0;
    /// Waits as wait() does. Writes the solution that the last has_better() has found.
    virtual void best_solution(unsigned char* to) = 0;
    /// Waits as wait() does. Writes the solution of search number `search` of this process.
    virtual void solution(std::uint32_t search, unsigned char* to) = 0;
};

}  // namespace qapfw::mapping
