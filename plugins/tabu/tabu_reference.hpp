// SPDX-License-Identifier: Apache-2.0
// Robust tabu search, the definition: the CPU plugin runs this loop, the device kernel reproduces it bit for bit.
// Sources: Taillard 1991; section 4.2 of Tsutsui and Fujimoto, MEDAL 2011005. Rules of numbers: kernels/tabu_rules.hpp.
//
// State of search k: permutation p, cost, best permutation and cost, expiry table E[position][value], iteration t (64
// bits, from 0), idle counter. One iteration:
//   1. A pair (i, j) of movable positions is tabu iff min(E[i][p(j)], E[j][p(i)]) > t: both elements would return to
//      places they left less than their tenure ago. It is aspired iff cost + delta < best cost. It is forced iff
//      long_term > 0 and min(E[i][p(j)], E[j][p(i)]) < t - long_term.
//   2. Take the pair of least delta, ties to the smallest (i, j), i < j, among: the pairs that are not tabu or are
//      aspired; but with long_term > 0 and a forced or aspired pair in existence, among the forced and aspired pairs.
//      If there is none, the iteration passes: go to 5 as if the best had not improved.
//   3. E[i][p(i)] = t + tenure(word 0), E[j][p(j)] = t + tenure(word 1), words drawn at (seed, t, k); p(i) <-> p(j).
//   4. cost += delta; if cost < best cost: the best is p, best_iteration = t, idle = 0, go to 6.
//   5. idle += 1. If perturb_after > 0, idle >= perturb_after and two positions are movable: perturb: idle = 0; with
//      restart_at_best p = best; then perturb_swaps random exchanges; cost recomputed; a cost below the best becomes
//      the best (best_iteration = t). E stays as it is.
//   6. t += 1.
// Nothing depends on how many iterations one call of run() does, nor on when E is rebased. A neighbourhood may throw
// sdk::Stopped or the like from reset and best_admissible: the search then stands where it can go on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "plugins/tabu/tabu_memory.hpp"
#include "qapfw/abi/swap_neighbourhood.h"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/tabu_rules.hpp"

namespace qapfw::tabu {

/// What a search is between two calls of run(): enough to go on exactly where it stopped.
template <class Cost>
struct SearchState {
    std::vector<uint16_t> current, best;
    Cost cost{}, best_cost{};
    uint64_t iteration = 0, best_iteration = 0, idle = 0;
    uint64_t base = 0;  ///< expiries are relative to this iteration
};

/// Reads or writes the member of the ABI's cost that belongs to Cost.
template <class Cost>
Cost cost_of(const qapfw_cost& cost) {
    if constexpr (std::is_floating_point_v<Cost>)
        return cost.f;
    else
        return cost.i;
}
template <class Cost>
qapfw_cost abi_cost(Cost value) {
    qapfw_cost cost;
    if constexpr (std::is_floating_point_v<Cost>)
        cost.f = value;
    else
        cost.i = value;
    return cost;
}

/// One search over a neighbourhood with
///   Cost reset(const uint16_t* solution);
///   bool best_admissible(const qapfw_swap_filter&, qapfw_swap_move&);
///   void apply(uint32_t i, uint32_t j);
/// as in qapfw/abi/swap_neighbourhood.h, which never offers a fixed position. Cost is int64_t or double.
/// An iteration costs what the neighbourhood does plus O(n).
template <class Neighbourhood, class Cost = int64_t>
class TabuSearch {
  public:
    /// `movable` lists the positions that are not fixed, ascending. `neighbourhood` must outlive the search.
    TabuSearch(Neighbourhood& neighbourhood, const kernels::TabuOptions& options, uint32_t search,
               std::vector<uint16_t> movable, uint32_t n)
        : neighbourhood_(neighbourhood),
          options_(options),
          search_(search),
          n_(n),
          movable_(std::move(movable)),
          memory_(n) {}

    /// Begins at iteration 0 from `solution` (n values).
    void start(const uint16_t* solution) {
        state_ = {};
        state_.current.assign(solution, solution + n_);
        state_.best = state_.current;
        state_.cost = neighbourhood_.reset(solution);
        state_.best_cost = state_.cost;
        memory_.reset(solution);
        entered_ = true;
    }

    /// Goes on from a state that another search or a checkpoint left, with its expiries.
    void restore(SearchState<Cost> state, const int32_t* expiries) {
        state_ = std::move(state);
        memory_.restore(movable_, expiries, state_.current.data());
        neighbourhood_.reset(state_.current.data());
        entered_ = true;
    }
    /// Goes back to a state of its own, from which replace_current led away.
    void go_back(SearchState<Cost> state) {
        state_ = std::move(state);
        entered_ = false;
    }
    /// E of each movable position and each value, relative to state().base.
    void expiries(int32_t* to) const { memory_.save(movable_, to); }

    /// Replaces the current solution (exchange between rounds); idle starts again at 0. The best is forgotten on
    /// request, everything else stays.
    void replace_current(const uint16_t* solution, bool forget_best) {
        enter({solution, solution + n_});
        if (forget_best) state_.best_cost = std::numeric_limits<Cost>::max();
        note_best();
    }

    void run(uint64_t iterations) {
        if (!entered_) enter_again();
        for (uint64_t done = 0; done < iterations; ++done) iterate();
    }

    const SearchState<Cost>& state() const { return state_; }

    uint64_t digest() const {
        return kernels::digest_search(kernels::digest_solution(state_.current.data(), n_), bits(state_.cost),
                                      bits(state_.best_cost), state_.iteration);
    }

  private:
    void iterate() {
        rebase_if_due();
        if (!perturbation_is_due()) {  // else it was cut short
            qapfw_swap_move move{};
            bool improved = false;
            if (neighbourhood_.best_admissible(filter(), move)) {
                make(move);
                improved = note_best();
            }
            state_.idle = improved ? 0 : state_.idle + 1;
        }
        if (perturbation_is_due()) perturb();
        ++state_.iteration;
    }

    bool perturbation_is_due() const {
        return state_.idle >= options_.perturb_after && options_.perturb_after > 0 && movable_.size() >= 2;
    }

    qapfw_swap_filter filter() const {
        qapfw_swap_filter filter{};
        filter.struct_size = sizeof filter;
        filter.stride = memory_.stride();
        filter.pair_expiry = memory_.pair_expiry();
        filter.pair_latest = options_.long_term > 0 ? memory_.pair_expiry() : nullptr;
        filter.iteration = now();
        filter.forced_before = now() - options_.long_term;
        filter.aspiration = abi_cost<Cost>(state_.best_cost - state_.cost);
        return filter;
    }

    void make(const qapfw_swap_move& move) {
        const kernels::Philox4 words = kernels::tabu_tenure_words(options_, state_.iteration, search_);
        memory_.record_swap(move.i, move.j, expiry(words.word[0]), expiry(words.word[1]));
        std::swap(state_.current[move.i], state_.current[move.j]);
        state_.cost += cost_of<Cost>(move.delta);
        neighbourhood_.apply(move.i, move.j);
    }

    int32_t expiry(uint32_t word) const {
        return now() + kernels::tabu_tenure(word, options_.min_tenure, options_.tenure_range);
    }

    void perturb() {
        std::vector<uint16_t> solution = options_.restart_at_best != 0 ? state_.best : state_.current;
        for (uint32_t k = 0; k < options_.perturb_swaps; ++k) {
            uint32_t i = 0, j = 0;
            kernels::tabu_perturbation_pair(options_, state_.iteration, search_, k,
                                            static_cast<uint32_t>(movable_.size()), i, j);
            std::swap(solution[movable_[i]], solution[movable_[j]]);
        }
        enter(std::move(solution));
        note_best();
    }

    /// The current solution becomes this one, unless the neighbourhood throws.
    void enter(std::vector<uint16_t> solution) {
        entered_ = false;
        state_.cost = neighbourhood_.reset(solution.data());
        state_.current = std::move(solution);
        state_.idle = 0;
        memory_.place(state_.current.data());
        entered_ = true;
    }
    /// The neighbourhood and the table of pairs follow the state.
    void enter_again() {
        neighbourhood_.reset(state_.current.data());
        memory_.place(state_.current.data());
        entered_ = true;
    }

    bool note_best() {
        if (!(state_.cost < state_.best_cost)) return false;
        state_.best_cost = state_.cost;
        state_.best = state_.current;
        state_.best_iteration = state_.iteration;
        return true;
    }

    void rebase_if_due() {
        const uint64_t beyond = state_.iteration - state_.base;
        if (beyond < static_cast<uint64_t>(kernels::kRebasePeriod)) return;
        memory_.rebase(static_cast<int64_t>(beyond));
        state_.base = state_.iteration;
    }

    int32_t now() const { return static_cast<int32_t>(state_.iteration - state_.base); }
    static int64_t bits(Cost value) {
        int64_t word = 0;
        static_assert(sizeof value == sizeof word);
        std::memcpy(&word, &value, sizeof word);
        return word;
    }

    Neighbourhood& neighbourhood_;
    kernels::TabuOptions options_;
    uint32_t search_, n_;
    std::vector<uint16_t> movable_;
    TabuMemory memory_;
    SearchState<Cost> state_;
    bool entered_ = false;  ///< the neighbourhood and the table of pairs are those of the current solution
};

}  // namespace qapfw::tabu
