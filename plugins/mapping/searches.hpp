// SPDX-License-Identifier: Apache-2.0
// Annealings side by side, each with a solution of its own and with draws of its own: those of this process, on the CPU
// or on its GPUs. Exchange for exchange they are the same on both.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugins/mapping/rounds.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::mapping {

/// The searches of the run, and their size.
struct SearchRange {
    std::uint32_t first = 0, count = 1;
};

/// The state of a search as others see it.
struct SearchState {
    std::uint64_t digest = 0;  ///< of its solution
    std::int64_t cost = 0;
};

/// The best of several solutions: the cheapest one, then the earliest, then that of the first search.
struct Best {
    std::int64_t cost = 0;
    std::uint64_t iteration = 0;
    std::uint64_t search = 0;  ///< of the run
    auto operator<=>(const Best&) const = default;
};

/// Solutions are bytes as the problem encodes them.
class Searches {
  public:
    Searches() = default;
    Searches(const Searches&) = delete;
    Searches& operator=(const Searches&) = delete;
    virtual ~Searches() = default;

    /// They go on from these solutions: one for each search, or one for all. No claims are left.
    virtual void reset(std::span<const std::vector<unsigned char>> solutions) = 0;
    /// Plays these rounds on all of them; they may still be at work when it returns. Returns how many rounds it played
    /// before it was told to stop.
    virtual std::uint64_t play(std::span<const RoundOrder> orders, const sdk::StopQuestion& stop) = 0;
    /// Waits for all that was begun.
    virtual void wait() = 0;
    /// From now on only solutions that cost less are new ones.
    virtual void set_record(std::int64_t cost) = 0;
    /// Looks at their solutions, in iteration `iteration` of the run.
    virtual void look(std::uint64_t iteration) = 0;
    /// Waits. States as the last look found them.
    virtual std::vector<SearchState> states() = 0;
    /// Waits. True if a look has found a better one than `best`, which it then becomes. Its solution is kept.
    virtual bool has_better(Best& best) = 0;
    /// Waits. Writes the solution that has_better told of last.
    virtual void best_solution(unsigned char* to) = 0;
    /// Waits. Writes the solution of one of them, by its number here.
    virtual void solution(std::uint32_t search, unsigned char* to) = 0;
};

}  // namespace qapfw::mapping
