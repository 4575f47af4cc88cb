// SPDX-License-Identifier: Apache-2.0
// The searches of a place on CPU threads. Each has its tables of deltas and expiries; they stand still between rounds.
#pragma once

#include <memory>

#include "plugins/tabu/device/tabu_rules.hpp"
#include "plugins/tabu/searches.hpp"

namespace qapfw::tabu {

class HostSearches {
  public:
    using Steps = sdk::HostSteps<Searches>;
    virtual ~HostSearches() = default;

    /// All begin at their current solutions in the fields. False: cut short, and they are not to be used.
    virtual bool start(Steps& steps) = 0;
    /// All advance to iteration `until`. False: cut short; each stands at an iteration of its own, and goes on from
    /// there.
    virtual bool advance(Steps& steps, std::uint64_t until) = 0;
    /// All go on from new solutions; their tabu memories stay. False: cut short.
    virtual bool replace(Steps& steps, const Children& children) = 0;
    /// All become what `show` last showed.
    virtual void go_back(Steps& steps) = 0;
    /// Standings and solutions into the fields.
    virtual void show(Steps& steps) const = 0;
    /// The tables of expiries into their field.
    virtual void show_memory(Steps& steps) const = 0;
    /// All become what the fields say, the tables of expiries too.
    virtual void restore(Steps& steps) = 0;
    virtual std::vector<TabuState> standings() const = 0;
    /// Best solution of a search of this place.
    virtual std::vector<unsigned char> best_of(std::size_t search) const = 0;
    /// Sum over all searches of this place (kernels/digest.hpp).
    virtual std::uint64_t digest(const sdk::Shard& shard) const = 0;
};

std::unique_ptr<HostSearches> make_host_searches(const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
                                                 const sdk::Shard& shard, bool inserts);

}  // namespace qapfw::tabu
