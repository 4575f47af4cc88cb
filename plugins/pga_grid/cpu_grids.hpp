// SPDX-License-Identifier: Apache-2.0
// The phases of a generation of PGAGrid on CPU threads: one cell per loop index.
#pragma once

#include "plugins/pga_grid/grids.hpp"
#include "qapfw/sdk/child_costs.hpp"

namespace qapfw::pga_grid {

class CpuGrids final : public Grids {
  public:
    CpuGrids(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
             const GridOptions& options, const GridState& state = {});

    void populate(const std::vector<unsigned char>& warm, const sdk::Run& run) override;
    void select(std::uint64_t generation) override;
    void cross(std::uint64_t generation, const sdk::Run& run) override;
    void remember_best() override;
    void mutate(std::uint64_t generation) override;
    void transpose(std::uint64_t generation) override;
    void reincorporate_best() override;
    void evaluate(const sdk::Run& run) override;
    void improve(std::uint64_t generation, const sdk::Run& run) override;
    void keep_best(std::uint64_t generation) override;
    void migrate(const SwapWithProcesses& swap_with_processes) override;

    void mark() override { marked_ = state_; }
    void revert() override { state_ = marked_; }
    bool populated() const override { return state_.populated; }
    std::uint64_t generation() const override { return state_.generation; }
    void complete(std::uint64_t generation) override { state_.generation = generation; }
    const Champion& best() override { return state_.best; }
    std::uint64_t digest() override;
    std::uint64_t evaluations() override { return evaluations_; }
    void save(sdk::Writer& writer) override { state_.save(writer); }

    const GridOptions& options() const { return options_; }
    const GridState& state() const { return state_; }
    Champion best_of(std::uint32_t grid) const;
    void immigrate(std::uint32_t grid, const Champion& newcomer);

  private:
    void* solution(std::vector<unsigned char>& of, std::uint64_t cell) const {
        return sdk::solution_at(of.data(), problem_.solution_bytes(), cell);
    }
    const void* solution(const std::vector<unsigned char>& of, std::uint64_t cell) const {
        return sdk::solution_at(of.data(), problem_.solution_bytes(), cell);
    }
    std::uint32_t best_cell(std::uint32_t grid) const;
    void cross_cell(std::uint64_t generation, std::uint32_t cell, std::uint32_t worker);
    void take_costs_of_unknown(const sdk::Run& run);

    sdk::Host host_;
    sdk::ProblemRef problem_;
    sdk::ChildCosts costs_of_children_;
    sdk::ImproverPool improvers_;
    GridOptions options_;
    kernels::PgaRules rules_;
    Neighbours neighbours_;
    std::vector<std::uint16_t> free_;  ///< positions that may move
    std::vector<unsigned char> base_;  ///< the fixed solution, or the identity
    GridState state_, marked_;
    std::vector<unsigned char> next_;  ///< the population that a phase builds from the present one
    std::vector<qapfw_cost> next_costs_;
    std::vector<std::uint8_t> known_;   ///< per cell: its cost belongs to its solution
    std::vector<std::uint8_t> tried_;   ///< per cell: a child was evaluated in this generation
    std::vector<Champion> remembered_;  ///< per grid
    std::vector<std::uint8_t> taken_;   ///< per worker: scratch of the crossover
    std::uint64_t evaluations_ = 0;
};

}  // namespace qapfw::pga_grid
