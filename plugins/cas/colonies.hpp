// SPDX-License-Identifier: Apache-2.0
// The phases of the cunning ant system (Fig. 2 of the 2011 paper) for all colonies of a process: on CPU threads
// (cpu_colonies) or on GPUs (device_colonies), with equal results.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "plugins/cas/colony_state.hpp"

namespace qapfw::cas {

struct RoundEnd {
    Champion leader;
    std::uint64_t digest;
};

class Colonies {
  public:
    virtual ~Colonies() = default;

    /// Steps 2 and 3: random c-ants; the first ones are `warm` (solution bytes, one after the other).
    virtual void sample_randomly(const sdk::Run& run, const std::vector<unsigned char>& warm) = 0;
    /// Step 5.
    virtual void update_trail() = 0;
    /// Step 6, with the c-ants' costs.
    virtual void construct(std::uint64_t iteration, const sdk::Run& run) = 0;
    /// Steps 4 and 7: does nothing without an improver.
    virtual void improve(std::uint64_t iteration, const sdk::Run& run) = 0;
    /// Step 8; in iteration 0 every c-ant becomes the ant* and the first trails are laid. `exchanges`: exchange()
    /// comes next.
    virtual void select(std::uint64_t iteration, bool exchanges) = 0;

    /// Remembers the state between two rounds; `revert` goes back to it.
    virtual void mark() = 0;
    virtual void revert() = 0;

    /// Marks the state after `iterations` iterations, and asks for its best ant and digest.
    virtual void end_round(std::uint64_t iterations) = 0;
    /// What end_round asked for. Does not wait for what began after it.
    virtual RoundEnd round_end() = 0;
    /// The best of all ants and of the c-ants at work in `iteration`.
    virtual Champion leader_of_cut_round(std::uint64_t iteration) = 0;
    /// Candidates whose cost became known since the start of this process' run.
    virtual std::uint64_t evaluations() = 0;
    /// Whether calls only enqueue, and `evaluations` counts what is enqueued: the next iterations may come between
    /// end_round and round_end.
    virtual bool may_go_ahead() const = 0;
    /// Between two iterations: exchange_on_ring without other processes.
    virtual void exchange() = 0;
    /// Lets `work` change the ants between two iterations; it may look at the rest.
    virtual void change(const std::function<void(ColonyState&)>& work) = 0;
    /// The marked state.
    virtual void save(sdk::Writer& writer) = 0;
    virtual void load(sdk::Reader& reader) = 0;
};

std::unique_ptr<Colonies> make_cpu_colonies(const sdk::Host& host, const sdk::ProblemRef& problem,
                                            const qapfw_improver_ref* improver, const CasOptions& options);

/// The colonies are shared out over the run's GPUs; those that would have none stay idle.
std::unique_ptr<Colonies> make_device_colonies(const sdk::Host& host, const sdk::ProblemRef& problem,
                                               const qapfw_improver_ref* improver, const CasOptions& options,
                                               std::span<const qapfw_device* const> devices);

constexpr std::uint32_t kImproverStream = 64;  ///< and 65

}  // namespace qapfw::cas
