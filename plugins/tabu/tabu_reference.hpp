// SPDX-License-Identifier: Apache-2.0
// The definition of robust tabu search. The CPU plugin runs this loop, and the device kernel reproduces it bit for bit.
// Sources: Taillard 1991; section 4.2 of Tsutsui and Fujimoto, MEDAL 2011005. Arithmetic: device/tabu_rules.hpp.
//
// State of search k: permutation p, cost, best permutation and cost, expiry table E[position][value], iteration t (64
// bits, from 0), idle counter. One iteration:
//   1. A pair (i, j) of movable positions is tabu iff min(E[i][p(j)], E[j][p(i)]) > t: both elements would return to
//      positions they left less than their tenure ago. It is aspired iff cost + delta < best cost. It is forced iff
//      long_term > 0 and min(E[i][p(j)], E[j][p(i)]) < t - long_term.
//   2. The candidates are the pairs that are not tabu or are aspired. But if long_term > 0 and any pair is forced or
//      aspired, they are the forced and aspired pairs alone. Take the candidate of least delta; of equal ones, the
//      least (i, j), i < j. Without a candidate no swap is made: go to 5.
//   3. E[i][p(i)] = t + tenure(word 0), E[j][p(j)] = t + tenure(word 1), words drawn at (seed, t, k); p(i) <-> p(j).
//   4. cost += delta; if cost < best cost: the best is p, best_iteration = t, idle = 0, go to 6.
//   5. idle += 1. If perturb_after > 0, idle >= perturb_after and two positions are movable, perturb: idle = 0; if
//      restart_at_best, p = best; make perturb_swaps random swaps; compute the cost again. If cost < best cost: the
//      best is p, best_iteration = t. E stays as it is.
//   6. t += 1.
// Layouts: besides pairs there are the moves of device/layout_moves.hpp; in step 2 all of them compete. B[b] is the
// expiry of bit b. In step 1, min(E[i][p(j)], E[j][p(i)]) is replaced: by min(B[b], B[c]) for a move of bits b and c,
// and by the expiry of the first elements for a swap of bays. Step 3 sets these expiries. In step 4, the neighbour is
// evaluated and cost is the result; delta is not added. In step 5, perturb_swaps random swaps of two bits follow; a
// perturbation needs two movable positions or two bits.
// Nothing depends on how many iterations one call of run() makes, or on when E is rebased. If a neighbourhood throws
// from reset or best_admissible (sdk::Stopped, for instance), the search can continue from its present state.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "plugins/tabu/device/tabu_rules.hpp"
#include "plugins/tabu/tabu_memory.hpp"
#include "qapfw/abi/swap_neighbourhood.h"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/operators/compiled_operators.hpp"

namespace qapfw::tabu {

/// State of a search between two calls of run(), without the expiries. With this state and the expiries, a search can
/// continue exactly where it stopped.
template <class Cost>
struct SearchState {
    std::vector<uint16_t> current, best;  ///< solutions, with their bits if they have any
    Cost cost{}, best_cost{};
    uint64_t iteration = 0, best_iteration = 0, idle = 0;
    uint64_t base = 0;  ///< expiries are relative to this iteration
};

/// Returns the member of the ABI's cost that has the type Cost.
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
/// as in qapfw/abi/swap_neighbourhood.h. The neighbourhood never offers a move of a fixed position. A neighbourhood
/// that also moves bits has kMovesBits = true. Its best_admissible(filter, memory, move) finds the best move of all
/// kinds, and its cost() returns the current cost. Cost is int64_t or double. An iteration takes the neighbourhood's
/// work plus O(n), or plus O(n^2) after a swap of bays or a perturbation.
template <class Neighbourhood, class Cost = int64_t>
class TabuSearch {
  public:
    static constexpr bool kMovesBits = requires { requires Neighbourhood::kMovesBits; };

    /// A search of permutations of n elements. `movable` lists the positions that are not fixed, ascending.
    /// `neighbourhood` must outlive the search.
    TabuSearch(Neighbourhood& neighbourhood, const kernels::TabuOptions& options, uint32_t search,
               std::vector<uint16_t> movable, uint32_t n)
        : TabuSearch(neighbourhood, options, search, std::move(movable), n, {0, n}) {}
    /// A search whose solutions have the shape `shape`.
    TabuSearch(Neighbourhood& neighbourhood, const kernels::TabuOptions& options, uint32_t search,
               std::vector<uint16_t> movable, uint32_t n, const kernels::SolutionShape& shape)
        : neighbourhood_(neighbourhood),
          options_(options),
          search_(search),
          n_(n),
          shape_(shape),
          movable_(std::move(movable)),
          memory_(n, bits()) {}

    /// Begins at iteration 0 from `solution`.
    void start(const uint16_t* solution) {
        state_ = {};
        state_.current.assign(solution, solution + shape_.stride);
        state_.best = state_.current;
        state_.cost = neighbourhood_.reset(solution);
        state_.best_cost = state_.cost;
        memory_.reset(solution);
        entered_ = true;
    }

    /// Continues from the state and the expiries of another search or of a checkpoint.
    void restore(SearchState<Cost> state, const int32_t* expiries) {
        state_ = std::move(state);
        memory_.restore(movable_, expiries, state_.current.data());
        neighbourhood_.reset(state_.current.data());
        entered_ = true;
    }
    /// Goes back to `state`, which is this search's state from before replace_current.
    void go_back(SearchState<Cost> state) {
        state_ = std::move(state);
        entered_ = false;
    }
    /// Writes the expiries relative to state().base: E[i][v] for each free position i and value v, then B (see
    /// TabuMemory).
    void expiries(int32_t* to) const { memory_.save(movable_, to); }

    /// Replaces the current solution (exchange between rounds) and sets the idle counter to 0. With `forget_best` the
    /// new solution becomes the best, even if it costs more. The iteration and the expiries stay.
    void replace_current(const uint16_t* solution, bool forget_best) {
        enter({solution, solution + shape_.stride});
        if (forget_best) state_.best_cost = std::numeric_limits<Cost>::max();
        note_best();
    }

    void run(uint64_t iterations) {
        if (!entered_) enter_again();
        for (uint64_t done = 0; done < iterations; ++done) iterate();
    }

    const SearchState<Cost>& state() const { return state_; }

    uint64_t digest() const {
        uint64_t elements = kernels::digest_solution(state_.current.data(), n_);
        const uint8_t* at = bits_of(state_.current);
        for (uint32_t b = 0; b < bits(); ++b) elements += kernels::digest_element(n_ + b, at[b]);
        return kernels::digest_search(elements, pattern(state_.cost), pattern(state_.best_cost), state_.iteration);
    }

  private:
    void iterate() {
        rebase_if_due();
        if (!perturbation_is_due()) {  // due here only if a stop came between a move and the perturbation after it
            qapfw_swap_move move{};
            bool improved = false;
            if (find(move)) {
                make(move);
                improved = note_best();
            }
            state_.idle = improved ? 0 : state_.idle + 1;
        }
        if (perturbation_is_due()) perturb();
        ++state_.iteration;
    }

    bool find(qapfw_swap_move& move) {
        if constexpr (kMovesBits)
            return neighbourhood_.best_admissible(filter(), memory_, move);
        else
            return neighbourhood_.best_admissible(filter(), move);
    }

    bool perturbation_is_due() const {
        return state_.idle >= options_.perturb_after && options_.perturb_after > 0 &&
               (movable_.size() >= 2 || bits() >= 2);
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
        const int32_t expiries[] = {expiry(words.word[0]), expiry(words.word[1])};
        if (move.i < n_) {
            memory_.record_swap(move.i, move.j, expiries[0], expiries[1]);
            std::swap(state_.current[move.i], state_.current[move.j]);
        } else {
            make_in_bays({move.i, move.j}, expiries);
        }
        neighbourhood_.apply(move.i, move.j);
        if constexpr (kMovesBits)
            state_.cost = neighbourhood_.cost();
        else
            state_.cost += cost_of<Cost>(move.delta);
    }

    void make_in_bays(Move move, const int32_t (&expiries)[2]) {
        uint8_t* const at = bits_of(state_.current);
        if (moves_bits(move, n_)) {
            memory_.record_bits(move.i - n_, move.j - n_, expiries[0], expiries[1]);
        } else {
            const TwoBays bays = bays_of(move, at, n_);
            memory_.record_bays(bays, expiries[0], expiries[1]);
            const auto p = state_.current.begin();
            std::rotate(p + bays.begin, p + bays.middle, p + bays.end);
            memory_.place(state_.current.data());
        }
        make_in_bits(at, move, n_);
    }

    int32_t expiry(uint32_t word) const {
        return now() + kernels::tabu_tenure(word, options_.min_tenure, options_.tenure_range);
    }

    void perturb() {
        std::vector<uint16_t> solution = options_.restart_at_best != 0 ? state_.best : state_.current;
        const auto movable = static_cast<uint32_t>(movable_.size());
        kernels::tabu_perturb(options_, state_.iteration, search_, movable,
                              [&](uint32_t k) -> uint16_t& { return solution[movable_[k]]; });
        perturb_bits(options_, state_.iteration, search_, bits(), bits_of(solution));
        enter(std::move(solution));
        note_best();
    }

    /// Makes `solution` the current one, unless the neighbourhood throws.
    void enter(std::vector<uint16_t> solution) {
        entered_ = false;
        state_.cost = neighbourhood_.reset(solution.data());
        state_.current = std::move(solution);
        state_.idle = 0;
        memory_.place(state_.current.data());
        entered_ = true;
    }
    /// Updates the neighbourhood and the table of pairs from the state.
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
    uint32_t bits() const { return shape_.bits_offset == 0 ? 0 : n_ - 1; }
    uint8_t* bits_of(std::vector<uint16_t>& solution) const {
        return reinterpret_cast<uint8_t*>(solution.data()) + shape_.bits_offset;
    }
    const uint8_t* bits_of(const std::vector<uint16_t>& solution) const {
        return reinterpret_cast<const uint8_t*>(solution.data()) + shape_.bits_offset;
    }
    static int64_t pattern(Cost value) {
        int64_t word = 0;
        static_assert(sizeof value == sizeof word);
        std::memcpy(&word, &value, sizeof word);
        return word;
    }

    Neighbourhood& neighbourhood_;
    kernels::TabuOptions options_;
    uint32_t search_, n_;
    kernels::SolutionShape shape_;
    std::vector<uint16_t> movable_;
    TabuMemory memory_;
    SearchState<Cost> state_;
    bool entered_ = false;  ///< the neighbourhood and the table of pairs belong to the current solution
};

}  // namespace qapfw::tabu
