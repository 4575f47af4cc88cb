// SPDX-License-Identifier: Apache-2.0
// The independent blocks of the GA (CEC 2010, section III) for all blocks of a process: on CPU threads (cpu_blocks) or
// on GPUs (device_blocks), with equal results.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::ga_independent {

constexpr std::uint32_t kImproverStream = 64;       ///< and 65: children
constexpr std::uint32_t kStartImproverStream = 68;  ///< and 69: random individuals
constexpr std::uint64_t kNotFound = ~std::uint64_t{0};

struct BlockOptions {
    kernels::GaRules rules{};
    std::uint32_t blocks = 1;
    std::vector<std::uint16_t> free;  ///< movable positions
    std::uint32_t restart_at = 0;     ///< individuals with the block's best cost that restart it; 0: never
    std::uint64_t restart_check = 50;
    bool asynchronous = false;  ///< blocks that ran ahead of the one that reached the target stay where they are
    std::uint32_t individuals() const { return blocks * rules.size; }
};

/// Of each block since generation 0: a restart forgets the individuals, so the best is kept.
struct BlockBests {
    std::vector<std::uint16_t> best_solutions;
    std::vector<qapfw_cost> best_costs;
    std::vector<std::uint64_t> best_found;
    std::vector<std::uint64_t> restarts;
    std::vector<std::uint64_t> evaluations;
};

/// What the blocks are between two generations.
struct BlockState : BlockBests {
    BlockState(const BlockOptions& options, std::uint64_t stride);
    /// A block's best gives way to the best of its individuals if that is better.
    void keep_best(std::uint32_t block, std::uint32_t size, const sdk::CostLess& less);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

    std::vector<std::uint16_t> solutions;
    std::vector<qapfw_cost> costs;
    std::vector<std::uint64_t> found;  ///< generation in which the individual was made
};

class Blocks {
  public:
    virtual ~Blocks() = default;

    /// Steps 1 and 2 of the base GA in all blocks. False: cut short; block 0 has a best solution in any case.
    virtual bool start(const sdk::Run& run) = 0;
    /// Generations first+1..last of all blocks, or fewer: up to the first generation in which a block newly reaches the
    /// run's target. Returns the last generation done by all; nothing: cut short, to be followed by revert.
    virtual std::optional<std::uint64_t> evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) = 0;
    /// Back to where `evolve` began.
    virtual void revert() = 0;
    /// The bests with their costs, restarts and evaluations of all blocks, and the leader's best solution.
    virtual const BlockBests& bests() const = 0;
    /// Candidates whose cost became known, children equal to a parent included.
    virtual std::uint64_t evaluations() const;
    virtual std::uint64_t digest(std::uint64_t generation) = 0;
    virtual void save(sdk::Writer& writer) = 0;
    virtual void load(sdk::Reader& reader) = 0;

    std::uint64_t restarts() const;
    /// The block with the best solution; ties: found first, then the lowest number.
    std::uint32_t leader(const sdk::CostLess& less) const;
    const void* best_solution(std::uint32_t block) const;
    /// Whether the block's best is at most the run's target.
    bool reached(std::uint32_t block, const sdk::Run& run, const sdk::CostLess& less) const {
        return run.has_target() && !less(run.target(), bests().best_costs[block]);
    }
};

std::unique_ptr<Blocks> make_cpu_blocks(const sdk::Host& host, const sdk::ProblemRef& problem,
                                        const qapfw_improver_ref* improver, const BlockOptions& options);

/// The blocks are shared out over the run's GPUs; those that would have none stay idle.
std::unique_ptr<Blocks> make_device_blocks(const sdk::Host& host, const sdk::ProblemRef& problem,
                                           const qapfw_improver_ref* improver, const BlockOptions& options,
                                           std::span<const qapfw_device* const> devices);

}  // namespace qapfw::ga_independent
