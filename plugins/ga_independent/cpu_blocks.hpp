// SPDX-License-Identifier: Apache-2.0
// The independent blocks on CPU threads: one task per block, or with an improver one per individual. The trajectory
// does not depend on it.
#pragma once

#include <atomic>

#include "plugins/ga_independent/blocks.hpp"
#include "qapfw/sdk/child_costs.hpp"

namespace qapfw::ga_independent {

class CpuBlocks final : public Blocks {
  public:
    CpuBlocks(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
              const BlockOptions& options);

    bool start(const sdk::Run& run) override;
    std::optional<std::uint64_t> evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) override;
    void revert() override { now_ = marked_; }
    const BlockState& state() const { return now_; }
    const BlockBests& bests() const override { return now_; }
    std::uint64_t digest(std::uint64_t generation) override;
    void save(sdk::Writer& writer) override { now_.save(writer); }
    void load(sdk::Reader& reader) override { now_.load(reader); }

  private:
    void mark() { marked_ = now_; }
    kernels::GaPools<qapfw_cost> pools();
    kernels::GaScratch<> scratch(std::uint32_t worker);
    bool has_reached(std::uint32_t block, const sdk::Run& run) const { return reached(block, run, problem_.less()); }
    void settle_individual(std::uint32_t k, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    std::optional<std::uint64_t> evolve_alone(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    bool bring_back(std::uint64_t first, const sdk::Run& run);
    std::optional<std::uint64_t> evolve_with_improver(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    bool run_block(std::uint32_t block, std::uint64_t first, std::uint32_t worker, const sdk::Run& run);
    bool step(std::uint32_t block, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    void breed(std::uint32_t first, std::uint32_t last, std::uint64_t generation, std::uint32_t worker);
    void evaluate_children(std::uint32_t first, std::uint32_t last);
    std::uint64_t improve(std::uint16_t* solution, qapfw_cost* cost, std::uint32_t k, std::uint64_t generation,
                          std::uint32_t stream, std::uint32_t worker, const sdk::Run& run);
    void step_with_improver(std::uint64_t generation, const sdk::Run& run);
    void restart_with_improver(std::uint64_t generation, const sdk::Run& run);
    void count_evaluations(std::uint32_t block);
    void keep_best(std::uint32_t block) { now_.keep_best(block, options_.rules.size, problem_.less()); }
    bool restart_due(std::uint32_t block, std::uint64_t generation) const;
    bool restart(std::uint32_t block, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    void redraw(std::uint32_t k, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    void end_restart(std::uint32_t block);
    void restore(std::uint32_t block);

    sdk::Host host_;
    sdk::ProblemRef problem_;
    sdk::ChildCosts costs_of_children_;
    sdk::ImproverPool improvers_;
    BlockOptions options_;
    std::uint64_t stride_;  ///< elements of one solution with its padding
    BlockState now_, marked_;
    std::vector<std::uint16_t> base_;      ///< the fixed solution, or the identity
    std::vector<std::uint16_t> children_;  ///< W
    std::vector<qapfw_cost> child_costs_;
    std::vector<std::uint8_t> ready_;         ///< individual or child k is there with its cost
    std::vector<std::uint8_t> taken_;         ///< per worker: scratch of OX
    std::vector<std::uint16_t> where_;        ///< per worker: scratch of PMX
    std::vector<std::uint64_t> at_;           ///< generation at which each block stands
    std::atomic<std::uint64_t> end_{0};       ///< no block has to go further: the found flag with its generation
    std::vector<std::uint64_t> evaluations_;  ///< per individual, since the block's last count
};

}  // namespace qapfw::ga_independent
