// SPDX-License-Identifier: Apache-2.0
// Who lives on in an island of CpuIslands, the bests, and the report.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "plugins/imga/cpu_islands.hpp"
#include "qapfw/kernels/digest.hpp"

namespace qapfw::imga {

std::vector<std::uint32_t> CpuIslands::ranked(const std::vector<qapfw_cost>& costs, std::uint32_t island,
                                              std::uint32_t count, bool worst) const {
    const qapfw_cost* const own = costs.data() + number(island, 0);
    const sdk::CostLess less = problem_.less();
    std::vector<std::uint32_t> members(options_.size());
    std::iota(members.begin(), members.end(), 0u);
    std::partial_sort(members.begin(), members.begin() + count, members.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (less(own[a], own[b]) || less(own[b], own[a])) return worst ? less(own[b], own[a]) : less(own[a], own[b]);
        return worst ? b < a : a < b;
    });
    members.resize(count);
    return members;
}

/// The children become the population, but the worst of them give way to the best parents.
void CpuIslands::let_elites_live(std::uint32_t island) {
    const std::vector<std::uint32_t> elites = ranked(state_.costs, island, options_.elites, false);
    const std::vector<std::uint32_t> places = ranked(child_costs_, island, options_.elites, true);
    for (std::uint32_t e = 0; e < options_.elites; ++e) {
        std::memcpy(child(number(island, places[e])), parent(number(island, elites[e])), bytes_);
        child_costs_[number(island, places[e])] = state_.costs[number(island, elites[e])];
    }
    std::memcpy(parent(number(island, 0)), child(number(island, 0)), bytes_ * options_.size());
    std::copy_n(child_costs_.data() + number(island, 0), options_.size(), state_.costs.data() + number(island, 0));
}

bool CpuIslands::equal(qapfw_cost a, qapfw_cost b) const {
    return problem_.has_integer_costs() ? kernels::island_equal_costs(a.i, b.i) : kernels::island_equal_costs(a.f, b.f);
}

/// The best of parents and children by cost, a parent before a child and no two of equal cost; where there are not
/// enough different costs, the best of the others. Parents that stay keep their places.
void CpuIslands::take_best_distinct(std::uint32_t island) {
    const std::uint32_t size = options_.size();
    const std::uint64_t first = number(island, 0);
    const auto cost = [&](std::uint32_t c) {
        return c < size ? state_.costs[first + c] : child_costs_[first + c - size];
    };
    std::vector<std::uint32_t> candidates(2 * std::size_t{size});
    std::iota(candidates.begin(), candidates.end(), 0u);
    const sdk::CostLess less = problem_.less();
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return less(cost(a), cost(b)); });
    std::vector<std::uint8_t> lives(candidates.size());
    std::uint32_t living = 0;
    for (std::size_t c = 0; c < candidates.size() && living < size; ++c) {
        if (c > 0 && equal(cost(candidates[c - 1]), cost(candidates[c]))) continue;
        lives[candidates[c]] = 1;
        ++living;
    }
    for (std::size_t c = 0; living < size; ++c) {
        if (lives[candidates[c]] != 0) continue;
        lives[candidates[c]] = 1;
        ++living;
    }
    std::uint32_t next = size;
    for (std::uint32_t place = 0; place < size; ++place) {
        if (lives[place] != 0) continue;
        while (lives[next] == 0) ++next;
        std::memcpy(parent(first + place), child(first + next - size), bytes_);
        state_.costs[first + place] = child_costs_[first + next - size];
        ++next;
    }
}

void CpuIslands::take_best(std::uint32_t island, const void* solution, qapfw_cost cost, std::uint64_t generation) {
    std::memcpy(state_.best_solutions.data() + island * bytes_, solution, bytes_);
    state_.best_costs[island] = cost;
    state_.best_found[island] = generation;
}

void CpuIslands::keep_best(std::uint32_t island, std::uint64_t generation) {
    const sdk::CostLess less = problem_.less();
    const std::uint64_t best = number(island, ranked(state_.costs, island, 1, false)[0]);
    if (less(state_.costs[best], state_.present_best[island])) {
        state_.present_best[island] = state_.costs[best];
        state_.improved[island] = generation;
    }
    if (less(state_.costs[best], state_.best_costs[island]))
        take_best(island, parent(best), state_.costs[best], generation);
}

/// Of a generation cut short: what is there already may be better than anything before.
void CpuIslands::keep_best_of_children(std::uint64_t generation) {
    for (std::uint64_t k = 0; k < options_.individuals(); ++k) {
        const auto island = static_cast<std::uint32_t>(k / options_.size());
        if (ready_[k] == 0 || !problem_.less()(child_costs_[k], state_.best_costs[island])) continue;
        take_best(island, child(k), child_costs_[k], generation);
    }
}

bool CpuIslands::idle_since(std::uint64_t generation) {
    return *std::max_element(state_.improved.begin(), state_.improved.end()) <= generation;
}

IslandsReport CpuIslands::report(bool with_digest) {
    const std::uint32_t best = leader();
    const unsigned char* const solution = state_.best_solutions.data() + best * bytes_;
    IslandsReport report{{solution, solution + bytes_}, state_.best_costs[best],
                         state_.best_found[best],       best,
                         with_digest ? digest() : 0,    0};
    for (const Scratch& scratch : scratch_) report.evaluations += scratch.evaluations;
    return report;
}

std::uint32_t CpuIslands::leader() const {
    const sdk::CostLess less = problem_.less();
    std::uint32_t best = 0;
    for (std::uint32_t island = 1; island < options_.islands; ++island) {
        const qapfw_cost a = state_.best_costs[island], b = state_.best_costs[best];
        if (less(b, a) || (!less(a, b) && state_.best_found[island] >= state_.best_found[best])) continue;
        best = island;
    }
    return best;
}

std::uint64_t CpuIslands::digest() const {
    std::vector<std::uint64_t> sums(options_.islands);
    const std::uint32_t n = options_.rules.n;
    const std::uint32_t offset = options_.bits_offset;
    host_.parallel_for(options_.islands, [&](std::uint64_t index, std::uint32_t) {
        const auto island = static_cast<std::uint32_t>(index);
        for (std::uint64_t k = number(island, 0); k < number(island, options_.size()); ++k) {
            const unsigned char* const at = parent(k);
            std::uint64_t solution = kernels::digest_solution(sdk::permutation_of(static_cast<const void*>(at)), n);
            for (std::uint32_t b = 0; offset > 0 && b + 1 < n; ++b) {
                solution += kernels::digest_element(n + b, at[offset + b]);
            }
            sums[island] += kernels::digest_in_round(
                individual(k),
                kernels::digest_search(solution, state_.costs[k].i, state_.best_costs[island].i, state_.generation));
        }
    });
    return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

}  // namespace qapfw::imga
