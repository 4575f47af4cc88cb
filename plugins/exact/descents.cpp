// SPDX-License-Identifier: Apache-2.0
#include "plugins/exact/descents.hpp"

#include <algorithm>
#include <utility>

#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::exact {
namespace {

constexpr std::uint32_t kChoiceStream = 90;  ///< stream that draws the positions to shuffle
constexpr std::uint32_t kShuffleStream = 91;

}  // namespace

Descents::Descents(const sdk::ProblemRef& problem)
    : problem_(problem), free_(sdk::free_positions(problem)), swaps_(problem) {}

std::uint64_t Descents::make(Incumbent& best, std::uint64_t seed, std::uint64_t number, const sdk::StopQuestion& stop,
                             std::uint64_t limit) {
    std::vector<unsigned char> solution(problem_.solution_bytes());
    std::vector<std::uint16_t> moved = free_;
    const auto count = static_cast<std::uint32_t>(free_.size());
    std::uint32_t shuffled = count;
    if (best.exists()) {
        solution = best.solution;
        const std::uint32_t most = std::max(3u, count / 2);
        shuffled = std::min(count, 3 + static_cast<std::uint32_t>(number) % (most - 2));
        kernels::shuffle(moved.data(), static_cast<const std::uint16_t*>(nullptr), count, seed, number, 0,
                         kChoiceStream);
    } else {
        sdk::base_solution(problem_, solution.data());
    }
    kernels::shuffle(sdk::permutation_of(solution.data()), moved.data(), shuffled, seed, number, 0, kShuffleStream);

    qapfw_cost cost = problem_.evaluate_one(solution.data());
    const auto take = [&] {
        if (!best.exists() || !problem_.less()(best.cost, cost)) best = {solution, cost, 0};
    };
    qapfw_swap_filter everything{};
    everything.struct_size = sizeof everything;
    qapfw_swap_move move{};
    std::uint64_t scans = 0;
    swaps_.watch(stop);
    try {
        swaps_.reset(solution.data());
        while (limit == 0 || 2 + scans * sdk::free_pairs(problem_) < limit) {
            ++scans;
            if (stop() || !swaps_.best_admissible(everything, &move)) break;
            if (!problem_.less()(move.delta, qapfw_cost{})) break;
            swaps_.apply(move.i, move.j);
            std::swap(sdk::permutation_of(solution.data())[move.i], sdk::permutation_of(solution.data())[move.j]);
        }
    } catch (const sdk::Stopped&) {  // an early stop: `solution` already has all swaps made so far
    }
    cost = problem_.evaluate_one(solution.data());
    take();
    return 2 + scans * sdk::free_pairs(problem_);
}

}  // namespace qapfw::exact
