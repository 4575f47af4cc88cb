// SPDX-License-Identifier: Apache-2.0
// The legs of a run in their order: where the first leg works, when the first leg is cut short, where the run goes on.
// (A leg is the part of a run on one set of devices.)
#pragma once

#include <memory>
#include <optional>

#include "framework/engine/run/leg.hpp"
#include "framework/engine/run/starting_place.hpp"

namespace qapfw::framework {

class Itinerary {
  public:
    /// Makes the first leg. All arguments must outlive this object.
    Itinerary(Config& config, Host& host, const Problem& problem, const Processes& processes, StartingPlace& place);

    /// The leg on the CPU. It may be cut short to move to GPUs.
    CpuLeg& cpu() { return cpu_; }
    /// The present leg; after the run, its last leg.
    Leg& leg() { return *leg_; }
    /// The solver of the present leg; null if making a leg has failed.
    const Solver* solver() const { return leg_ ? &leg_->solver() : nullptr; }
    /// Returns the next leg, after the present leg has ended with `end`; null: the run is over. If an error ended the
    /// present leg, throws that error. But if the solver failed on GPUs before its first round on them, the run
    /// continues on the CPU with a warning, unless the configuration demands GPUs.
    Leg* next(const LegEnd& end, RunBook& book);

  private:
    Leg* go_on(RunBook& book);

    Config& config_;
    Host& host_;
    const Problem& problem_;
    StartingPlace& place_;
    const GpuPreparation* const preparation_;
    CpuLeg cpu_;
    std::optional<Leg::State> state_;  ///< state with which the run left the CPU
    bool has_moved_ = false;
    std::unique_ptr<Leg> leg_;
};

}  // namespace qapfw::framework
