// SPDX-License-Identifier: Apache-2.0
#include "plugins/pga_grid/grids.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::pga_grid {
namespace {

// Streams of random numbers, one per purpose.
constexpr std::uint32_t kStartStream = 0;
constexpr std::uint32_t kTournamentStream = 1;
constexpr std::uint32_t kCrossoverStream = 2;
constexpr std::uint32_t kMutationStream = 3;
constexpr std::uint32_t kTranspositionStream = 4;
constexpr std::uint32_t kImproverStream = 64;

std::uint64_t count_ones(const std::vector<std::uint8_t>& flags) {
    return static_cast<std::uint64_t>(std::count(flags.begin(), flags.end(), std::uint8_t{1}));
}

}  // namespace

void GridState::save(sdk::Writer& writer) const {
    writer.value(generation);
    writer.value(populated);
    if (!populated) return;
    writer.array(solutions);
    writer.array(costs);
    writer.array(best.solution);
    writer.value(best.cost);
    writer.value(best.generation);
    writer.value(best.cell);
}

void GridState::load(sdk::Reader& reader, std::uint64_t cells, std::uint64_t solution_bytes) {
    generation = reader.value<std::uint64_t>();
    populated = reader.value<bool>();
    if (!populated) return;
    reader.array(solutions, cells * solution_bytes);
    reader.array(costs, cells);
    reader.array(best.solution, solution_bytes);
    best.cost = reader.value<qapfw_cost>();
    best.generation = reader.value<std::uint64_t>();
    best.cell = reader.value<std::uint64_t>();
}

Grids::Grids(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
             const GridOptions& options)
    : host_(host),
      problem_(problem),
      improvers_(host, problem, improver),
      options_(options),
      neighbours_(options.shape, options.offsets),
      free_(sdk::free_positions(problem)),
      base_(problem.solution_bytes()),
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

void Grids::set_run(std::uint64_t seed, std::uint32_t first_grid) {
    options_.seed = seed;
    options_.first_grid = first_grid;
}

void Grids::populate(const std::vector<unsigned char>& warm, const sdk::Run& run) {
    const std::uint64_t warm_count = warm.size() / problem_.solution_bytes();
    for (std::uint32_t cell = 0; cell < options_.cells(); ++cell) {
        void* const individual = solution(state_.solutions, cell);
        if (cell < warm_count) {
            std::memcpy(individual, solution(warm, cell), problem_.solution_bytes());
            continue;
        }
        std::memcpy(individual, base_.data(), problem_.solution_bytes());
        kernels::shuffle(sdk::permutation_of(individual), free_.data(), movable(), options_.seed, 0,
                         options_.first_individual() + cell, kStartStream);
    }
    std::fill(known_.begin(), known_.end(), std::uint8_t{0});
    take_costs_of_unknown(run);
    state_.populated = true;
}

void Grids::select(std::uint64_t generation) {
    const std::uint32_t cells = options_.shape.cells();
    std::fill(known_.begin(), known_.end(), std::uint8_t{1});
    std::vector<std::uint32_t> opponents(cells);
    for (std::uint32_t grid = 0; grid < options_.grids; ++grid) {
        std::iota(opponents.begin(), opponents.end(), std::uint32_t{0});
        kernels::shuffle(opponents.data(), static_cast<const std::uint16_t*>(nullptr), cells, options_.seed, generation,
                         options_.first_grid + grid, kTournamentStream);
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

void Grids::cross(std::uint64_t generation, const sdk::Run& run) {
    std::fill(tried_.begin(), tried_.end(), std::uint8_t{0});
    host_.parallel_for(options_.cells(), [&](std::uint64_t cell, std::uint32_t worker) {
        if (!run.should_stop()) cross_cell(generation, static_cast<std::uint32_t>(cell), worker);
    });
    evaluations_ += count_ones(tried_);
    if (run.should_stop()) return;  // some children are missing: the parents stay
    state_.solutions.swap(next_);
    state_.costs.swap(next_costs_);
}

void Grids::cross_cell(std::uint64_t generation, std::uint32_t cell, std::uint32_t worker) {
    const std::uint64_t bytes = problem_.solution_bytes();
    const void* const parent = solution(std::as_const(state_.solutions), cell);
    void* const child = solution(next_, cell);
    std::memcpy(child, parent, bytes);
    next_costs_[cell] = state_.costs[cell];
    const kernels::Philox4 words =
        kernels::draw4(options_.seed, generation, options_.first_individual() + cell, kCrossoverStream, 0);
    std::uint32_t mate = 0;
    if (words.word[0] >= options_.crossover || movable() < 2 || !find_mate(cell, words.word[1], &mate)) return;
    using Genome = kernels::FreeGenome<std::uint16_t>;
    using Parent = kernels::FreeGenome<const std::uint16_t>;
    kernels::modified_order_crossover(
        Genome{sdk::permutation_of(child), free_.data()}, Parent{sdk::permutation_of(parent), free_.data()},
        Parent{sdk::permutation_of(solution(std::as_const(state_.solutions), mate)), free_.data()},
        taken_.data() + std::size_t{worker} * problem_.length(), kernels::below(words.word[2], movable()), movable(),
        problem_.length());
    problem_.evaluate({child, &next_costs_[cell], 1});
    tried_[cell] = 1;
    if (problem_.less()(state_.costs[cell], next_costs_[cell])) {
        std::memcpy(child, parent, bytes);
        next_costs_[cell] = state_.costs[cell];
    }
}

/// The best neighbour, ties by cell number, or any other cell of the grid; false where there is none.
bool Grids::find_mate(std::uint32_t cell, std::uint32_t word, std::uint32_t* mate) const {
    const std::uint32_t cells = options_.shape.cells();
    const std::uint32_t own = cell % cells, first = cell - own;
    if (options_.topology == Topology::kRandom) {
        if (cells < 2) return false;
        const std::uint32_t other = kernels::below(word, cells - 1);
        *mate = first + (other < own ? other : other + 1);
        return true;
    }
    const std::span<const std::uint32_t> around = neighbours_.of(own);
    if (around.empty()) return false;
    *mate = first + around[0];
    for (const std::uint32_t neighbour : around) {
        if (problem_.less()(state_.costs[first + neighbour], state_.costs[*mate])) *mate = first + neighbour;
    }
    return true;
}

void Grids::remember_best() {
    for (std::uint32_t grid = 0; grid < options_.grids; ++grid) remembered_[grid] = best_of(grid);
}

/// change(genome, word, word) of every individual whose first word is below `threshold`.
template <class Change>
void Grids::change_cells(std::uint64_t generation, std::uint32_t stream, std::uint32_t threshold,
                         const Change& change) {
    if (movable() < 2) return;
    for (std::uint32_t cell = 0; cell < options_.cells(); ++cell) {
        const kernels::Philox4 words =
            kernels::draw4(options_.seed, generation, options_.first_individual() + cell, stream, 0);
        if (words.word[0] >= threshold) continue;
        change(kernels::FreeGenome<std::uint16_t>{sdk::permutation_of(solution(state_.solutions, cell)), free_.data()},
               words.word[1], words.word[2]);
        known_[cell] = 0;
    }
}

void Grids::mutate(std::uint64_t generation) {
    change_cells(generation, kMutationStream, options_.mutation,
                 [&](auto genome, std::uint32_t word0, std::uint32_t word1) {
                     kernels::exchange_mutation(genome, word0, word1, movable());
                 });
}

void Grids::transpose(std::uint64_t generation) {
    change_cells(generation, kTranspositionStream, options_.transposition,
                 [&](auto genome, std::uint32_t word0, std::uint32_t word1) {
                     kernels::transposition(genome, word0, word1, movable());
                 });
}

void Grids::reincorporate_best() {
    for (const Champion& best : remembered_) {
        std::memcpy(solution(state_.solutions, best.cell), best.solution.data(), best.solution.size());
        state_.costs[best.cell] = best.cost;
        known_[best.cell] = 1;
    }
}

void Grids::evaluate(const sdk::Run& run) {
    take_costs_of_unknown(run);
}

/// Cell 0 is never passed over, so that there is always a solution to report.
void Grids::take_costs_of_unknown(const sdk::Run& run) {
    const std::uint64_t before = count_ones(known_);
    host_.parallel_for(options_.cells(), [&](std::uint64_t cell, std::uint32_t) {
        if (known_[cell] != 0 || (cell > 0 && run.should_stop())) return;
        problem_.evaluate({solution(state_.solutions, cell), &state_.costs[cell], 1});
        known_[cell] = 1;
    });
    evaluations_ += count_ones(known_) - before;
}

void Grids::improve(std::uint64_t generation, const sdk::Run& run) {
    if (!improvers_ || run.should_stop()) return;
    qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), kImproverStream);
    request.first_individual = options_.first_individual();
    evaluations_ += improvers_.improve_all({state_.solutions.data(), state_.costs.data(), options_.cells()}, request);
}

void Grids::keep_best(std::uint64_t generation) {
    for (std::uint32_t cell = 0; cell < options_.cells(); ++cell) {
        Champion& best = state_.best;
        if (known_[cell] == 0 || (!best.solution.empty() && !problem_.less()(state_.costs[cell], best.cost))) continue;
        const auto* bytes = static_cast<const unsigned char*>(solution(std::as_const(state_.solutions), cell));
        best = {{bytes, bytes + problem_.solution_bytes()}, state_.costs[cell], generation, cell};
    }
}

std::uint32_t Grids::best_cell(std::uint32_t grid) const {
    const std::uint32_t first = grid * options_.shape.cells();
    std::uint32_t best = first;
    for (std::uint32_t cell = first; cell < first + options_.shape.cells(); ++cell) {
        if (problem_.less()(state_.costs[cell], state_.costs[best])) best = cell;
    }
    return best;
}

Champion Grids::best_of(std::uint32_t grid) const {
    const std::uint32_t cell = best_cell(grid);
    const auto* bytes = static_cast<const unsigned char*>(solution(state_.solutions, cell));
    return {{bytes, bytes + problem_.solution_bytes()}, state_.costs[cell], state_.generation, cell};
}

void Grids::immigrate(std::uint32_t grid, const Champion& newcomer) {
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

std::uint64_t Grids::digest() const {
    std::uint64_t sum = 0;
    for (std::uint32_t cell = 0; cell < options_.cells(); ++cell) {
        const std::uint16_t* const p = sdk::permutation_of(solution(state_.solutions, cell));
        sum += kernels::digest_in_round(
            options_.first_individual() + cell,
            kernels::digest_search(kernels::digest_solution(p, problem_.length()), state_.costs[cell].i,
                                   state_.best.cost.i, state_.generation));
    }
    return sum;
}

}  // namespace qapfw::pga_grid
