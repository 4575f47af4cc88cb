// SPDX-License-Identifier: Apache-2.0
// The legs of a run, one after the other: where the first one works, the rule that cuts it short, where the run goes
// on.
#pragma once

#include <memory>
#include <optional>

#include "framework/engine/run/leg.hpp"
#include "framework/engine/run/starting_place.hpp"

namespace qapfw::framework {

class Itinerary {
  public:
    /// Makes the first leg. All outlive this.
    Itinerary(Config& config, Host& host, const Problem& problem, const Processes& processes, StartingPlace& place);

    /// The part of the run on the CPU that may be cut short.
    CpuLeg& cpu() { return cpu_; }
    /// The leg that the run is on. The last one stays.
    Leg& leg() { return *leg_; }
    /// Null where making a leg has failed.
    const Solver* solver() const { return leg_ ? &leg_->solver() : nullptr; }
    /// The leg after one that has ended so; null: the run is over. Throws the error that ended it.
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
