// SPDX-License-Identifier: Apache-2.0
#include "framework/answers/alternatives.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/swap_neighbourhood.hpp"

namespace qapfw::framework {
namespace {

using Clock = std::chrono::steady_clock;
using Random = std::mt19937_64;
using Permutation = std::vector<std::uint32_t>;

/// Longest permutation in which equivalent positions are searched for. The time of this search grows at least with the
/// square of the length.
constexpr std::uint32_t kMostCompared = 256;
constexpr int kSamples = 16;
constexpr std::chrono::seconds kLongest{10};

/// Permutes the elements of `count` positions drawn from `positions`.
void shuffle(SolutionBuffer& solution, std::vector<std::uint16_t> positions, std::size_t count, Random& random) {
    std::uint16_t* const permutation = sdk::permutation_of(solution.data());
    for (std::size_t k = 0; k < count; ++k) {
        std::swap(positions[k], positions[k + random() % (positions.size() - k)]);
    }
    for (std::size_t k = count; k > 1; --k) {
        std::swap(permutation[positions[k - 1]], permutation[positions[random() % k]]);
    }
}

/// Number of attempts to find one alternative. An attempt shuffles a solution and descends from there, which takes
/// longer on a larger instance. So there are fewer attempts on larger instances.
std::uint32_t descents_for(std::uint32_t n) {
    return std::clamp(20'000u / n, 20u, 1000u);
}

class Finder {
  public:
    Finder(const Problem& problem, const AlternativesOrder& order)
        : problem_(problem),
          order_(order),
          reference_(problem.ref()),
          swaps_(reference_),
          free_(sdk::free_positions(reference_)),
          difference_(problem),
          random_(order.seed),
          end_(Clock::now() + kLongest) {
        const auto quarter = static_cast<std::uint32_t>(free_.size() / 4);
        distance_ = order.distance != 0 ? order.distance : std::max(2u, quarter);
    }

    Alternatives find(const std::vector<CostedSolution>& known) {
        chosen_ = {known.front()};
        pool_ = known;
        while (chosen_.size() < order_.count && !is_over()) {
            std::optional<CostedSolution> next = next_one();
            if (!next) break;
            chosen_.push_back(std::move(*next));
        }
        std::stable_sort(chosen_.begin(), chosen_.end(), [&](const CostedSolution& a, const CostedSolution& b) {
            return problem_.costs().less(a.cost, b.cost);
        });
        Alternatives found{chosen_, {}, distance_};
        for (const CostedSolution& solution : chosen_) {
            found.differs.push_back(difference_.between(chosen_.front().values[0], solution.values[0]));
        }
        return found;
    }

  private:
    bool is_over() const { return Clock::now() >= end_ || (order_.should_stop && order_.should_stop()); }

    bool is_far(const Permutation& permutation) const {
        return std::all_of(chosen_.begin(), chosen_.end(), [&](const CostedSolution& solution) {
            return difference_.between(solution.values[0], permutation) >= distance_;
        });
    }
    Permutation values_of(const SolutionBuffer& solution) const {
        const std::uint16_t* const p = sdk::permutation_of(solution.data());
        return {p, p + reference_.length()};
    }

    /// The best solution found that is at least `distance_` away from all chosen solutions; nothing: none was found.
    std::optional<CostedSolution> next_one() {
        std::optional<CostedSolution> best;
        const auto offer = [&](const CostedSolution& solution) {
            if (best && !problem_.costs().less(solution.cost, best->cost)) return;
            if (is_far(solution.values[0])) best = solution;
        };
        for (const CostedSolution& solution : pool_) offer(solution);
        if (free_.size() < 2) return best;
        const std::uint32_t descents = descents_for(reference_.n());
        for (std::uint32_t k = 0; k < descents && !is_over(); ++k) {
            const bool from_best = best && k % 2 == 0;
            const CostedSolution& start = from_best ? *best : chosen_[random_() % chosen_.size()];
            SolutionBuffer solution = solution_of(problem_.info().encoding, start.values);
            const std::size_t least = from_best ? 2 : std::min<std::size_t>(free_.size(), distance_ + 1);
            shuffle(solution, free_, least + random_() % (free_.size() - least + 1), random_);
            if (!is_far(values_of(solution))) continue;
            const CostedSolution end = descend(solution);
            pool_.push_back(end);
            offer(end);
        }
        return best;
    }

    /// Descends until no swap improves the solution. Leaves out swaps that bring the solution too near to one of the
    /// solutions in chosen_.
    CostedSolution descend(SolutionBuffer& solution) {
        std::uint16_t* const permutation = sdk::permutation_of(solution.data());
        swaps_.reset(solution.data());
        bool has_changed = true;
        while (has_changed && !is_over()) {
            has_changed = false;
            std::uint32_t i = 0, j = 1;
            for (qapfw_swap_move move{}; swaps_.first_improving(i, j, &move); i = move.i, j = move.j + 1) {
                std::swap(permutation[move.i], permutation[move.j]);
                if (is_far(values_of(solution))) {
                    swaps_.apply(move.i, move.j);
                    has_changed = true;
                } else {
                    std::swap(permutation[move.i], permutation[move.j]);
                }
            }
        }
        // The solution may still have forbidden pairs, and an answer must have none. improve() removes them.
        if (problem_.has_owner_costs()) problem_.improve(solution.data());
        return {problem_.evaluate(solution.data()), solution_values(problem_.info().encoding, solution.data())};
    }

    const Problem& problem_;
    const AlternativesOrder& order_;
    sdk::ProblemRef reference_;
    sdk::SwapNeighbourhood swaps_;
    std::vector<std::uint16_t> free_;
    Difference difference_;
    Random random_;
    Clock::time_point end_;
    std::uint32_t distance_ = 0;
    std::vector<CostedSolution> chosen_, pool_;
};

/// Returns for each index the least index equivalent to it. `is_alike` says whether two indices are equivalent.
template <class IsAlike>
std::vector<std::uint32_t> classes(std::uint32_t n, const IsAlike& is_alike) {
    std::vector<std::uint32_t> found(n);
    std::iota(found.begin(), found.end(), 0u);
    for (std::uint32_t x = 0; x < n; ++x) {
        for (std::uint32_t y = 0; y < x && found[x] == x; ++y) {
            if (found[y] == y && is_alike(y, x)) found[x] = y;
        }
    }
    return found;
}

}  // namespace

Difference::Difference(const Problem& problem) {
    const sdk::ProblemRef reference(problem.ref());
    const std::uint32_t n = reference.length();
    position_class_ = value_class_ = classes(n, [](std::uint32_t, std::uint32_t) { return false; });
    if (n > kMostCompared) return;
    const std::vector<std::uint16_t> free = sdk::free_positions(reference);
    std::vector<std::uint8_t> is_free(n, 0), is_free_value(n, 0);
    std::vector<SolutionBuffer> samples;
    std::vector<qapfw_cost> costs;
    Random random(7);
    for (int k = 0; k < kSamples; ++k) {
        SolutionBuffer& sample = samples.emplace_back(reference.solution_bytes());
        sdk::base_solution(reference, sample.data());
        for (const std::uint16_t position : free) {
            is_free[position] = is_free_value[sdk::permutation_of(sample.data())[position]] = 1;
        }
        if (!free.empty()) shuffle(sample, free, free.size(), random);
        costs.push_back(problem.evaluate(sample.data()));
    }
    /// True if swapping x and y, two positions or two elements, changes no sample's cost. `place_of` returns the
    /// position that x or y has in a permutation.
    const auto changes_nothing = [&](const auto& place_of, std::uint32_t x, std::uint32_t y) {
        for (int k = 0; k < kSamples; ++k) {
            std::uint16_t* const p = sdk::permutation_of(samples[static_cast<std::size_t>(k)].data());
            const std::uint32_t i = place_of(p, x), j = place_of(p, y);
            std::swap(p[i], p[j]);
            const qapfw_cost swapped = problem.evaluate(samples[static_cast<std::size_t>(k)].data());
            std::swap(p[i], p[j]);
            if (!problem.costs().agree(swapped, costs[static_cast<std::size_t>(k)])) return false;
        }
        return true;
    };
    const auto itself = [](const std::uint16_t*, std::uint32_t x) { return x; };
    const auto holder = [n](const std::uint16_t* p, std::uint32_t x) {
        return static_cast<std::uint32_t>(std::find(p, p + n, x) - p);
    };
    position_class_ = classes(n, [&](std::uint32_t x, std::uint32_t y) {
        return is_free[x] != 0 && is_free[y] != 0 && changes_nothing(itself, x, y);
    });
    value_class_ = classes(n, [&](std::uint32_t x, std::uint32_t y) {
        return is_free_value[x] != 0 && is_free_value[y] != 0 && changes_nothing(holder, x, y);
    });
}

std::uint32_t Difference::between(const Permutation& one, const Permutation& other) const {
    thread_local std::vector<std::uint64_t> pairs[2];
    const Permutation* const both[] = {&one, &other};
    for (int which = 0; which < 2; ++which) {
        pairs[which].clear();
        for (std::size_t i = 0; i < both[which]->size(); ++i) {
            pairs[which].push_back(std::uint64_t{position_class_[i]} << 32 | value_class_[(*both[which])[i]]);
        }
        std::sort(pairs[which].begin(), pairs[which].end());
    }
    std::uint32_t common = 0;
    for (auto x = pairs[0].begin(), y = pairs[1].begin(); x != pairs[0].end() && y != pairs[1].end();) {
        common += *x == *y ? 1u : 0u;
        if (*x == *y) {
            ++x, ++y;
        } else if (*x < *y) {
            ++x;
        } else {
            ++y;
        }
    }
    return static_cast<std::uint32_t>(one.size()) - common;
}

Alternatives find_alternatives(const Problem& problem, const std::vector<CostedSolution>& known,
                               const AlternativesOrder& order) {
    return Finder(problem, order).find(known);
}

}  // namespace qapfw::framework
