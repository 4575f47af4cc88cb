// SPDX-License-Identifier: Apache-2.0
// The independent blocks on CPU threads: one task per block, or with an improver one per individual. The trajectory
// does not depend on it.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::ga_independent {

constexpr std::uint32_t kImproverStream = 64;       ///< and 65: children
constexpr std::uint32_t kStartImproverStream = 68;  ///< and 69: random individuals

struct BlockOptions {
    kernels::GaRules rules{};
    std::uint32_t blocks = 1;
    std::vector<std::uint16_t> free;  ///< movable positions
    std::uint32_t restart_at = 0;     ///< individuals with the block's best cost that restart it; 0: never
    std::uint64_t restart_check = 50;
    std::uint32_t individuals() const { return blocks * rules.size; }
};

/// What the blocks are between two generations. A restart forgets the individuals, so each block's best is kept.
struct BlockState {
    std::vector<std::uint16_t> solutions;
    std::vector<qapfw_cost> costs;
    std::vector<std::uint64_t> found;           ///< generation in which the individual was made
    std::vector<std::uint16_t> best_solutions;  ///< of each block since generation 0
    std::vector<qapfw_cost> best_costs;
    std::vector<std::uint64_t> best_found;
    std::vector<std::uint64_t> restarts;     ///< of each block
    std::vector<std::uint64_t> evaluations;  ///< of each block
};

class Blocks {
  public:
    Blocks(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
           const BlockOptions& options);

    /// Steps 1 and 2 of the base GA in all blocks. False: cut short; block 0 has a best solution in any case.
    bool start(const sdk::Run& run);
    /// Generations first+1..last of all blocks, or fewer: up to the first generation in which a block newly reaches the
    /// run's target. Returns the last generation done by all; nothing: cut short, to be followed by revert.
    std::optional<std::uint64_t> evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run);

    /// Back to where `evolve` began.
    void revert() { now_ = marked_; }
    const BlockState& state() const { return now_; }
    const void* best_solution(std::uint32_t block) const { return now_.best_solutions.data() + block * stride_; }
    /// The block with the best solution; ties: found first, then the lowest number.
    std::uint32_t leader() const;
    /// Whether the block's best is at most the run's target.
    bool reached(std::uint32_t block, const sdk::Run& run) const;
    std::uint64_t digest(std::uint64_t generation) const;
    std::uint64_t evaluations() const;
    std::uint64_t restarts() const;
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  private:
    void mark() { marked_ = now_; }
    kernels::GaPools<qapfw_cost> pools();
    std::vector<std::uint64_t> order_warm_starts(const sdk::Run& run) const;
    void settle_individual(std::uint32_t k, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    std::optional<std::uint64_t> evolve_alone(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    std::optional<std::uint64_t> evolve_with_improver(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    bool run_block(std::uint32_t block, std::uint64_t first, std::uint32_t worker, const sdk::Run& run);
    bool step(std::uint32_t block, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    void breed(std::uint32_t first, std::uint32_t last, std::uint64_t generation, std::uint32_t worker);
    void evaluate(std::uint16_t* solutions, qapfw_cost* costs, std::uint32_t count) const;
    std::uint64_t improve(std::uint16_t* solution, qapfw_cost* cost, std::uint32_t k, std::uint64_t generation,
                          std::uint32_t stream, std::uint32_t worker, const sdk::Run& run);
    void step_with_improver(std::uint64_t generation, const sdk::Run& run);
    void restart_with_improver(std::uint64_t generation, const sdk::Run& run);
    void count_evaluations(std::uint32_t block);
    void keep_best(std::uint32_t block);
    bool restart_due(std::uint32_t block, std::uint64_t generation) const;
    bool restart(std::uint32_t block, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    void redraw(std::uint32_t k, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    void end_restart(std::uint32_t block);
    void restore(std::uint32_t block);

    sdk::Host host_;
    sdk::ProblemRef problem_;
    sdk::ImproverPool improvers_;
    BlockOptions options_;
    std::uint64_t stride_;  ///< elements of one solution with its padding
    BlockState now_, marked_;
    std::vector<std::uint16_t> base_;      ///< the fixed solution, or the identity
    std::vector<std::uint16_t> children_;  ///< W
    std::vector<qapfw_cost> child_costs_;
    std::vector<std::uint8_t> ready_;         ///< individual or child k is there with its cost
    std::vector<std::uint8_t> taken_;         ///< per worker: scratch of OX
    std::vector<std::uint64_t> at_;           ///< generation at which each block stands
    std::atomic<std::uint64_t> end_{0};       ///< no block has to go further: the found flag with its generation
    std::vector<std::uint64_t> evaluations_;  ///< per individual, since the block's last count
};

}  // namespace qapfw::ga_independent
