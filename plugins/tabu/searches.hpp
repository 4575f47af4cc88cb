// SPDX-License-Identifier: Apache-2.0
// A set of concurrent tabu searches that stand still between rounds: on CPU threads (cpu_searches) or on GPUs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "qapfw/kernels/tabu_rules.hpp"
#include "qapfw/sdk/solver.hpp"
#include "qapfw/sdk/thread_assignment.hpp"

namespace qapfw::tabu {

/// What one search has found so far.
struct SearchBest {
    qapfw_cost cost;
    std::uint64_t iteration;  ///< when it was found
};

class Searches {
  public:
    virtual ~Searches() = default;

    /// Starts search k from start[k * n .. ] (free positions shuffled by the caller); false if should_stop cut it
    /// short, and the searches are not to be used.
    virtual bool start(const std::vector<std::uint16_t>& starts, const sdk::Run& run) = 0;
    /// Advances every search to iteration `until`; false if should_stop cut it short (each search then stands at an
    /// iteration of its own, from which a later call goes on).
    virtual bool advance(std::uint64_t until, const sdk::Run& run) = 0;
    /// Iterations done by all searches together since start.
    virtual std::uint64_t total_iterations() const = 0;
    virtual std::vector<SearchBest> bests() = 0;
    /// n values of search k's best solution.
    virtual std::vector<std::uint16_t> best_solution(std::uint32_t search) = 0;
    /// Best solutions of all searches, search by search.
    virtual std::vector<std::uint16_t> best_solutions() = 0;
    /// Search k goes on from solutions[k * n ..]; its tabu memory stays, and its best too unless forget[k] is set.
    /// False if should_stop cut it short, and the searches cannot go on.
    virtual bool replace(const std::vector<std::uint16_t>& solutions, const std::vector<std::uint8_t>& forget,
                         const sdk::Run& run) = 0;
    /// Sum over all searches (kernels/digest.hpp).
    virtual std::uint64_t digest() = 0;
    virtual void save(sdk::Writer& writer) = 0;
    virtual void load(sdk::Reader& reader) = 0;
};

std::unique_ptr<Searches> make_cpu_searches(const sdk::Host& host, const sdk::ProblemRef& problem,
                                            const kernels::TabuOptions& options, std::uint32_t count);

/// `few`: the kernel is compiled for that many searches, and not for as many as fit.
std::unique_ptr<Searches> make_gpu_searches(std::span<const qapfw_device* const> devices,
                                            const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
                                            const sdk::ThreadAssignment& assignment, std::uint32_t count, bool few);

/// Searches that the devices work on at a time, all together. Compiles the kernel.
std::uint32_t gpu_capacity(std::span<const qapfw_device* const> devices, const sdk::ProblemRef& problem,
                           const kernels::TabuOptions& options, const sdk::ThreadAssignment& assignment);

}  // namespace qapfw::tabu
