// SPDX-License-Identifier: Apache-2.0
// One leg of a run: an improver and a solver, made for one set of devices. A run that stays where it begins has one
// leg. If the run moves from the CPU to GPUs, a second leg begins. If the second leg fails before its first round, a
// third leg begins on the CPU.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <vector>

#include "framework/engine/algorithm.hpp"
#include "framework/engine/run/rounds.hpp"

namespace qapfw::framework {

/// Data for the solvers of all legs of a run.
struct SearchTask {
    std::uint64_t seed = 0;
    const StopConditions& conditions;
    Processes& processes;
    WarmStarts warm_starts = {};
};

/// The end of a leg.
struct LegEnd {
    bool moves = false;               ///< the run continues on other devices
    std::exception_ptr failure = {};  ///< the error that ended the leg; null: none
    bool has_met = false;             ///< the leg's solver began a round, or exchanged data with another process
};

/// The devices on which a solver works, and whether it starts from a loaded state.
struct LegPlace {
    std::vector<const qapfw_device*> devices;
    bool resumed = false;  ///< the solver has loaded a state
};

/// Runs the solver, round by round. Does not throw: errors are in the result.
LegEnd run_solver(Solver& solver, const LegPlace& place, SearchTask& task, Rounds& rounds, CpuLeg& cpu, RunBook& book);

class Leg {
  public:
    using State = std::vector<std::byte>;

    /// Makes the improver and the solver for the devices that `host` has now. Throws if one of them cannot be made. All
    /// arguments must outlive this object.
    Leg(Host& host, Config& config, const Problem& problem);
    Leg(const Leg&) = delete;
    Leg& operator=(const Leg&) = delete;

    /// Call it before `run`: the solver starts from this state.
    void load(const State& state);
    const Solver& solver() const { return *solver_; }
    LegEnd run(SearchTask& task, Rounds& rounds, CpuLeg& cpu, RunBook& book) {
        return run_solver(*solver_, place_, task, rounds, cpu, book);
    }

  private:
    LegPlace place_;
    std::optional<Improver> improver_;
    std::optional<Solver> solver_;
};

}  // namespace qapfw::framework
