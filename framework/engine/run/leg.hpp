// SPDX-License-Identifier: Apache-2.0
// One leg of a run: an improver and a solver on the host's devices, made once. A run has one leg, or two where it
// begins on the CPU and goes on on GPUs.
#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <vector>

#include "framework/engine/algorithm.hpp"
#include "framework/engine/run/rounds.hpp"

namespace qapfw::framework {

/// The services that the solvers of all legs of a run get.
struct SearchTask {
    std::uint64_t seed = 0;
    const StopConditions& conditions;
    Processes& processes;
    WarmStarts warm_starts = {};
};

/// The end of a leg.
struct LegEnd {
    bool moves = false;               ///< the run goes on elsewhere
    std::exception_ptr failure = {};  ///< null: none
    bool has_met = false;             ///< its solver had met the framework, or another process
};

/// The place where a solver works, and the state from which it goes on.
struct LegPlace {
    std::vector<const qapfw_device*> devices;
    bool resumed = false;  ///< the solver has loaded a state
};

/// The solver's run, round by round. Does not throw for what goes wrong in it.
LegEnd run_solver(Solver& solver, const LegPlace& place, SearchTask& task, Rounds& rounds, CpuLeg& cpu, RunBook& book);

class Leg {
  public:
    using State = std::vector<std::byte>;

    /// For the host's present devices; all outlive this. Throws what making improver and solver throws.
    Leg(Host& host, Config& config, const Problem& problem);
    Leg(const Leg&) = delete;
    Leg& operator=(const Leg&) = delete;

    /// Before run: the solver goes on from this state.
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
