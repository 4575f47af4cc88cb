// SPDX-License-Identifier: Apache-2.0
#include "plugins/pga_grid/cpu_grids.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::pga_grid {
namespace {

std::uint64_t count_ones(const std::vector<std::uint8_t>& flags) {
    return static_cast<std::uint64_t>(std::count(flags.begin(), flags.end(), std::uint8_t{1}));
}

}  // namespace

CpuGrids::CpuGrids(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                   const GridOptions& options, const GridState& state)
    : host_(host),
      problem_(problem),
      costs_of_children_(problem),
      improvers_(host, problem, improver),
      options_(options),
      rules_(options.rules(problem)),
      neighbours_(options.shape, options.offsets),
      free_(sdk::free_positions(problem)),
      base_(problem.solution_bytes()),
      state_(state),
      next_(problem.solution_bytes() * options.cells()),
      next_costs_(options.cells()),
      known_(options.cells(), std::uint8_t{1}),
      tried_(options.cells()),
      remembered_(options.grids),
      taken_(std::size_t{host.workers()} * problem.length()) {
    sdk::base_solution(problem_, base_.data());
    state_.solutions.resize(next_.size());
    state_.costs.resize(options.cells());
}

void CpuGrids::populate(const std::vector<unsigned char>& warm, const sdk::Run& run) {
    const std::uint64_t warm_count = warm.size() / problem_.solution_bytes();
    for (std::uint32_t cell = 0; cell < options_.cells(); ++cell) {
        void* const individual = solution(state_.solutions, cell);
        if (cell < warm_count) {
            std::memcpy(individual, solution(warm, cell), problem_.solution_bytes());
            continue;
        }
        std::memcpy(individual, base_.data(), problem_.solution_bytes());
        kernels::pga_draw(rules_, free_.data(), sdk::permutation_of(base_.data()), sdk::permutation_of(individual),
                          cell);
    }
    std::fill(known_.begin(), known_.end(), std::uint8_t{0});
    take_costs_of_unknown(run);
    state_.populated = true;
}

void CpuGrids::select(std::uint64_t generation) {
    const std::uint32_t cells = options_.shape.cells();
    std::fill(known_.begin(), known_.end(), std::uint8_t{1});
    std::vector<std::uint32_t> opponents(cells);
    for (std::uint32_t grid = 0; grid < options_.grids; ++grid) {
        kernels::pga_opponents(rules_, opponents.data(), generation, options_.first_grid + grid);
        for (std::uint32_t k = 0; k < cells; ++k) {
            const std::uint32_t own = grid * cells + k, other = grid * cells + opponents[k];
            const std::uint32_t winner = problem_.less()(state_.costs[other], state_.costs[own]) ? other : own;
            std::memcpy(solution(next_, own), solution(state_.solutions, winner), problem_.solution_bytes());
            next_costs_[own] = state_.costs[winner];
        }
    }
    state_.solutions.swap(next_);
    state_.costs.swap(next_costs_);
}

void CpuGrids::cross(std::uint64_t generation, const sdk::Run& run) {
    std::fill(tried_.begin(), tried_.end(), std::uint8_t{0});
    host_.parallel_for(options_.cells(), [&](std::uint64_t cell, std::uint32_t worker) {
        if (!run.should_stop()) cross_cell(generation, static_cast<std::uint32_t>(cell), worker);
    });
    evaluations_ += count_ones(tried_);
    if (run.should_stop()) return;  // some children are missing: the parents stay
    state_.solutions.swap(next_);
    state_.costs.swap(next_costs_);
}

void CpuGrids::cross_cell(std::uint64_t generation, std::uint32_t cell, std::uint32_t worker) {
    const std::uint64_t bytes = problem_.solution_bytes();
    const void* const parent = solution(std::as_const(state_.solutions), cell);
    void* const child = solution(next_, cell);
    std::memcpy(child, parent, bytes);
    next_costs_[cell] = state_.costs[cell];
    std::uint32_t mate = 0, cut = 0;
    if (!kernels::pga_has_child(rules_, neighbours_.view(), state_.costs.data(), problem_.less(), generation, cell,
                                mate, cut)) {
        return;
    }
    kernels::pga_cross(rules_, free_.data(), sdk::permutation_of(child), sdk::permutation_of(parent),
                       sdk::permutation_of(solution(std::as_const(state_.solutions), mate)),
                       taken_.data() + std::size_t{worker} * problem_.length(), cut);
    costs_of_children_.evaluate({solution(state_.solutions, cell), &state_.costs[cell], 1},
                                {child, &next_costs_[cell], 1});
    tried_[cell] = 1;
    if (problem_.less()(state_.costs[cell], next_costs_[cell])) {
        std::memcpy(child, parent, bytes);
        next_costs_[cell] = state_.costs[cell];
    }
}

void CpuGrids::remember_best() {
    for (std::uint32_t grid = 0; grid < options_.grids; ++grid) remembered_[grid] = best_of(grid);
}

void CpuGrids::mutate(std::uint64_t generation) {
    for (std::uint32_t cell = 0; cell < options_.cells(); ++cell) {
        std::uint16_t* const individual = sdk::permutation_of(solution(state_.solutions, cell));
        if (kernels::pga_mutate(rules_, free_.data(), individual, generation, cell)) known_[cell] = 0;
    }
}

void CpuGrids::transpose(std::uint64_t generation) {
    for (std::uint32_t cell = 0; cell < options_.cells(); ++cell) {
        std::uint16_t* const individual = sdk::permutation_of(solution(state_.solutions, cell));
        if (kernels::pga_transpose(rules_, free_.data(), individual, generation, cell)) known_[cell] = 0;
    }
}

void CpuGrids::reincorporate_best() {
    for (const Champion& best : remembered_) {
        std::memcpy(solution(state_.solutions, best.cell), best.solution.data(), best.solution.size());
        state_.costs[best.cell] = best.cost;
        known_[best.cell] = 1;
    }
}

void CpuGrids::evaluate(const sdk::Run& run) {
    take_costs_of_unknown(run);
}

/// Cell 0 is never passed over, so that there is always a solution to report.
void CpuGrids::take_costs_of_unknown(const sdk::Run& run) {
    const std::uint64_t before = count_ones(known_);
    host_.parallel_for(options_.cells(), [&](std::uint64_t cell, std::uint32_t) {
        if (known_[cell] != 0 || (cell > 0 && run.should_stop())) return;
        problem_.evaluate({solution(state_.solutions, cell), &state_.costs[cell], 1});
        known_[cell] = 1;
    });
    evaluations_ += count_ones(known_) - before;
}

void CpuGrids::improve(std::uint64_t generation, const sdk::Run& run) {
    if (!improvers_ || run.should_stop()) return;
    qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), kImproverStream);
    request.first_individual = options_.first_individual();
    evaluations_ += improvers_.improve_all({state_.solutions.data(), state_.costs.data(), options_.cells()}, request);
}

void CpuGrids::keep_best(std::uint64_t generation) {
    for (std::uint32_t cell = 0; cell < options_.cells(); ++cell) {
        Champion& best = state_.best;
        if (known_[cell] == 0 || (!best.solution.empty() && !problem_.less()(state_.costs[cell], best.cost))) continue;
        const auto* bytes = static_cast<const unsigned char*>(solution(std::as_const(state_.solutions), cell));
        best = {{bytes, bytes + problem_.solution_bytes()}, state_.costs[cell], generation, cell};
    }
}

std::uint32_t CpuGrids::best_cell(std::uint32_t grid) const {
    const std::uint32_t first = grid * options_.shape.cells();
    std::uint32_t best = first;
    for (std::uint32_t cell = first; cell < first + options_.shape.cells(); ++cell) {
        if (problem_.less()(state_.costs[cell], state_.costs[best])) best = cell;
    }
    return best;
}

Champion CpuGrids::best_of(std::uint32_t grid) const {
    const std::uint32_t cell = best_cell(grid);
    const auto* bytes = static_cast<const unsigned char*>(solution(state_.solutions, cell));
    return {{bytes, bytes + problem_.solution_bytes()}, state_.costs[cell], state_.generation, cell};
}

void CpuGrids::immigrate(std::uint32_t grid, const Champion& newcomer) {
    const std::uint32_t first = grid * options_.shape.cells();
    std::uint32_t worst = first;
    for (std::uint32_t cell = first; cell < first + options_.shape.cells(); ++cell) {
        if (problem_.less()(state_.costs[worst], state_.costs[cell])) worst = cell;
        const void* const present = solution(std::as_const(state_.solutions), cell);
        if (std::memcmp(present, newcomer.solution.data(), newcomer.solution.size()) == 0) return;
    }
    if (!problem_.less()(newcomer.cost, state_.costs[worst])) return;
    std::memcpy(solution(state_.solutions, worst), newcomer.solution.data(), newcomer.solution.size());
    state_.costs[worst] = newcomer.cost;
}

void CpuGrids::migrate(const SwapWithProcesses& swap_with_processes) {
    std::vector<Champion> emigrants;
    for (std::uint32_t grid = 0; grid < options_.grids; ++grid) emigrants.push_back(best_of(grid));
    immigrate(0, swap_with_processes(emigrants.back()));
    for (std::uint32_t grid = 1; grid < options_.grids; ++grid) immigrate(grid, emigrants[grid - 1]);
}

std::uint64_t CpuGrids::digest() {
    std::uint64_t sum = 0;
    for (std::uint32_t cell = 0; cell < options_.cells(); ++cell) {
        const std::uint16_t* const p = sdk::permutation_of(solution(state_.solutions, cell));
        sum += kernels::digest_in_round(
            rules_.first + cell, kernels::digest_search(kernels::digest_solution(p, problem_.length()),
                                                        state_.costs[cell].i, state_.best.cost.i, state_.generation));
    }
    return sum;
}

std::unique_ptr<Grids> make_cpu_grids(const sdk::Host& host, const sdk::ProblemRef& problem,
                                      const qapfw_improver_ref* improver, const GridOptions& options,
                                      const GridState& state) {
    return std::make_unique<CpuGrids>(host, problem, improver, options, state);
}

}  // namespace qapfw::pga_grid
