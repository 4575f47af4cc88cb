// SPDX-License-Identifier: Apache-2.0
// The searches of a place on CPU threads. Each has its own neighbourhood and its own table of expiries, which keep
// their contents between rounds.
#pragma once

#include <memory>

#include "plugins/tabu/device/tabu_rules.hpp"
#include "plugins/tabu/searches.hpp"

namespace qapfw::tabu {

class HostSearches {
  public:
    using Steps = sdk::HostSteps<Searches>;
    virtual ~HostSearches() = default;

    /// Starts all searches at their current solutions in the fields. Returns false after an early stop; then the
    /// searches cannot be used.
    virtual bool start(Steps& steps) = 0;
    /// Advances all searches to iteration `until`. Returns false after an early stop; then each is at an iteration
    /// of its own and can continue from there.
    virtual bool advance(Steps& steps, std::uint64_t until) = 0;
    /// Continues all searches from `children`. Each search keeps its tabu memory. Returns false after an early stop.
    virtual bool replace(Steps& steps, const Children& children) = 0;
    /// Sets all searches back to what `show` last wrote.
    virtual void go_back(Steps& steps) = 0;
    /// Writes states and solutions to the fields.
    virtual void show(Steps& steps) const = 0;
    /// Writes the tables of expiries to their field.
    virtual void show_memory(Steps& steps) const = 0;
    /// Restores all searches from the saved fields, including the tables of expiries.
    virtual void restore(Steps& steps) = 0;
    virtual std::vector<TabuState> standings() const = 0;
    /// Best solution of a search of this place.
    virtual std::vector<unsigned char> best_of(std::size_t search) const = 0;
    /// Sum of the digests of all searches of this place (kernels/digest.hpp).
    virtual std::uint64_t digest(const sdk::Shard& shard) const = 0;
};

std::unique_ptr<HostSearches> make_host_searches(const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
                                                 const sdk::Shard& shard, bool inserts);

}  // namespace qapfw::tabu
