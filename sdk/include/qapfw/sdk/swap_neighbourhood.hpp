// SPDX-License-Identifier: Apache-2.0
// The swap neighbourhood of any problem: the problem's own if it has one, otherwise a generic one that evaluates every
// swapped solution from scratch. (O(n^2) evaluations per iteration: correct, but far slower.)
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "qapfw/abi/swap_neighbourhood.h"
#include "qapfw/sdk/problem_objects.hpp"

namespace qapfw::sdk {

/// The swaps of any problem, using only `evaluate`: O(n^2) evaluations per best_admissible. Use one object per
/// search; not thread-safe. Members are those of SwapNeighbourhood.
class GenericSwapNeighbourhood {
  public:
    /// An empty neighbourhood; call `reset` first. The problem must outlive it.
    explicit GenericSwapNeighbourhood(const ProblemRef& problem)
        : problem_(problem),
          segment_(problem.encoding().segments[0]),
          length_(problem.length()),
          fixed_(problem.encoding().fixed),
          current_(problem.solution_bytes()),
          together_(static_cast<std::uint32_t>(
              std::clamp<std::uint64_t>(kCandidateBytes / problem.solution_bytes(), 1, length_))),
          swapped_(problem.solution_bytes() * together_),
          costs_(length_) {}

    /// From now on, a scan throws Stopped soon after `stop` becomes true.
    void watch(const StopQuestion& stop) { stop_ = stop; }

    /// Starts from a copy of `solution` and returns its cost. Throws StatusError if `solution` is invalid.
    qapfw_cost reset(const void* solution) {
        std::memcpy(current_.data(), solution, current_.size());
        cost_ = problem_.evaluate_one(current_.data());
        return cost_;
    }

    /// Writes the best pair that `filter` admits; of pairs with equal deltas the smallest (i, j). If there is none,
    /// returns false and does not change `best`.
    bool best_admissible(const qapfw_swap_filter& filter, qapfw_swap_move* best) {
        bool found = false, found_forced = false;
        for (std::uint32_t i = 0; i + 1 < length_; ++i) {
            evaluate_row(i);
            for (std::uint32_t j = i + 1; j < length_; ++j) {
                if (!movable(i, j)) continue;
                const qapfw_cost delta = problem_.difference(costs_[j], cost_);
                const std::size_t pair = std::size_t{i} * filter.stride + j;
                const bool tabu = filter.pair_expiry != nullptr && filter.pair_expiry[pair] > filter.iteration;
                const bool aspired = problem_.less()(delta, filter.aspiration);
                const bool forced =
                    filter.pair_latest != nullptr && (aspired || filter.pair_latest[pair] < filter.forced_before);
                if ((tabu && !aspired && !forced) || (found_forced && !forced)) continue;
                if (!found || (forced && !found_forced) || problem_.less()(delta, best->delta)) {
                    *best = {i, j, delta};
                    found = true;
                    found_forced = forced;
                }
            }
        }
        return found;
    }

    /// Writes the first pair (i, j) with delta < 0, from (first_i, first_j) on. Pairs are in ascending order of i, then
    /// of j. Returns false if there is no such pair.
    bool first_improving(std::uint32_t first_i, std::uint32_t first_j, qapfw_swap_move* move) {
        for (std::uint32_t i = first_i; i + 1 < length_; ++i) {
            evaluate_row(i);
            for (std::uint32_t j = i == first_i ? std::max(first_j, i + 1) : i + 1; j < length_; ++j) {
                if (movable(i, j) && problem_.less()(costs_[j], cost_)) {
                    *move = {i, j, problem_.difference(costs_[j], cost_)};
                    return true;
                }
            }
        }
        return false;
    }

    /// Swaps the elements at positions i and j, neither of them fixed.
    void apply(std::uint32_t i, std::uint32_t j) {
        exchange(current_.data(), i, j);
        cost_ = problem_.evaluate_one(current_.data());
    }

  private:
    static constexpr std::uint64_t kCandidateBytes = 32 << 20;  ///< size limit of `swapped_`, in bytes

    void exchange(void* solution, std::uint32_t i, std::uint32_t j) const {
        const std::uint32_t at_i = element_at(segment_, solution, i);
        set_element(segment_, solution, i, element_at(segment_, solution, j));
        set_element(segment_, solution, j, at_i);
    }
    bool movable(std::uint32_t i, std::uint32_t j) const {
        return fixed_ == nullptr || (fixed_[i] == 0 && fixed_[j] == 0);
    }
    /// Computes costs_[j] of the solution with positions i and j swapped, for all j > i. Pairs with a fixed position
    /// are not swapped, because a problem may refuse solutions without the fixed values.
    void evaluate_row(std::uint32_t i) {
        if (fixed_ != nullptr && fixed_[i] != 0) return;
        const std::uint64_t bytes = problem_.solution_bytes();
        for (std::uint32_t first = i + 1; first < length_;) {
            const std::uint32_t count = std::min({chunk_, together_, length_ - first});
            for (std::uint32_t k = 0; k < count; ++k) {
                void* candidate = swapped_.data() + bytes * k;
                std::memcpy(candidate, current_.data(), bytes);
                if (movable(i, first + k)) exchange(candidate, i, first + k);
            }
            evaluate_chunk(swapped_.data(), costs_.data() + first, count);
            first += count;
        }
    }
    /// Asks whether to stop, then evaluates `count` candidates. May halve or double chunk_, so that calls take about 1
    /// to 4 ms. (One evaluation alone may take longer.)
    void evaluate_chunk(unsigned char* candidates, qapfw_cost* costs, std::uint32_t count) {
        constexpr auto kTime = std::chrono::milliseconds(4);
        if (stop_()) throw Stopped();
        const auto start = std::chrono::steady_clock::now();
        problem_.evaluate({candidates, costs, count});
        const auto time = std::chrono::steady_clock::now() - start;
        if (time < kTime / 4) chunk_ = std::min(2 * chunk_, std::uint32_t{1} << 16);
        if (time > kTime) chunk_ = std::max(chunk_ / 2, 1u);
    }

    ProblemRef problem_;
    const qapfw_segment& segment_;
    std::uint32_t length_;
    const std::uint8_t* fixed_;
    std::vector<unsigned char> current_;  ///< the present solution
    std::uint32_t together_;              ///< largest number of candidates in `swapped_`
    std::vector<unsigned char> swapped_;  ///< candidates: copies of the present solution, each after one swap
    std::vector<qapfw_cost> costs_;
    qapfw_cost cost_{};
    StopQuestion stop_;
    std::uint32_t chunk_ = 16;  ///< candidates evaluated between two calls of stop_
};

/// The problem's own swap neighbourhood or the generic one, behind one interface. Use one object per search; not
/// thread-safe.
class SwapNeighbourhood {
  public:
    /// An empty neighbourhood; the problem must outlive it. Throws StatusError if the problem fails.
    explicit SwapNeighbourhood(const ProblemRef& problem)
        : own_(problem, QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD, "swap neighbourhood: create") {
        if (!own_) generic_ = std::make_unique<GenericSwapNeighbourhood>(problem);
    }

    /// From now on, long calls throw Stopped soon after `stop` becomes true. After Stopped, call `reset` first.
    void watch(const StopQuestion& stop) {
        if (generic_) {
            generic_->watch(stop);
        } else if (own_->watch != nullptr) {
            own_->watch(own_.get(), stop.should_stop, stop.context);
        }
    }
    /// Starts from `solution`, which is copied, and returns its cost. Call it before the members below. Throws
    /// StatusError if the problem fails.
    qapfw_cost reset(const void* solution) {
        if (generic_) return generic_->reset(solution);
        qapfw_cost cost{};
        check(own_->reset(own_.get(), solution, &cost), "swap neighbourhood: reset");
        return cost;
    }
    /// Writes the best pair that `filter` admits; of pairs with equal deltas the smallest (i, j). False if there is
    /// none.
    bool best_admissible(const qapfw_swap_filter& filter, qapfw_swap_move* move) {
        return generic_ ? generic_->best_admissible(filter, move)
                        : own_->best_admissible(own_.get(), &filter, move) != 0;
    }
    /// Writes the first pair with delta < 0 at or after (i, j). Pairs are ordered by i, then by j. Returns false
    /// if there is no such pair.
    bool first_improving(std::uint32_t i, std::uint32_t j, qapfw_swap_move* move) {
        return generic_ ? generic_->first_improving(i, j, move) : own_->first_improving(own_.get(), i, j, move) != 0;
    }
    /// Swaps the elements at positions i < j, which must not be fixed. Does not check the positions.
    void apply(std::uint32_t i, std::uint32_t j) {
        if (generic_)
            generic_->apply(i, j);
        else
            own_->apply(own_.get(), i, j);
    }

    /// One line for the log: which code computes a problem's swaps.
    static std::string describe(const ProblemRef& problem) {
        const auto* table = problem.capability<qapfw_swap_neighbourhood>(QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD);
        if (table == nullptr) return "generic swap neighbourhood: n^2/2 full evaluations an iteration (slow path)";
        return table->describe == nullptr ? "the problem's own swap neighbourhood"
                                          : table->describe(problem.get()->problem);
    }

  private:
    /// The problem's own neighbourhood; empty: it has none.
    ProblemObject<qapfw_swap_neighbourhood, qapfw_neighbourhood> own_;
    std::unique_ptr<GenericSwapNeighbourhood> generic_;
};

/// The table of QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD for a problem class and a neighbourhood class. The neighbourhood is
/// constructed from the problem. Its members are reset, best_admissible, first_improving, apply and, if it can stop
/// early, watch.
template <class Handle, class Neighbourhood>
struct SwapNeighbourhoodTable {
    using Objects = ProblemObjects<qapfw_neighbourhood, Handle, Neighbourhood>;
    static constexpr void (*watch())(qapfw_neighbourhood*, std::int32_t (*)(void*), void*) {
        if constexpr (requires(Neighbourhood & o) { o.watch(StopQuestion{}); }) {
            return [](qapfw_neighbourhood* h, std::int32_t (*should_stop)(void*), void* context) {
                Objects::object(h).watch(StopQuestion{should_stop, context});
            };
        } else {
            return nullptr;
        }
    }
    static constexpr qapfw_swap_neighbourhood table = {
        sizeof(qapfw_swap_neighbourhood),
        Objects::create,
        Objects::destroy,
        Objects::reset,
        [](qapfw_neighbourhood* h, const qapfw_swap_filter* filter, qapfw_swap_move* move) -> std::int32_t {
            return Objects::object(h).best_admissible(*filter, move) ? 1 : 0;
        },
        [](qapfw_neighbourhood* h, std::uint32_t i, std::uint32_t j, qapfw_swap_move* move) -> std::int32_t {
            return Objects::object(h).first_improving(i, j, move) ? 1 : 0;
        },
        [](qapfw_neighbourhood* h, std::uint32_t i, std::uint32_t j) { Objects::object(h).apply(i, j); },
        [](qapfw_problem* problem) -> const char* {
            return reinterpret_cast<Handle*>(problem)->object.describe_neighbourhood();
        },
        watch()};
};

}  // namespace qapfw::sdk
