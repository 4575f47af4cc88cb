// SPDX-License-Identifier: Apache-2.0
// The neighbourhood of layouts, with the interface that TabuSearch needs. Its moves are those of
// device/layout_moves.hpp. If the problem gives lower bounds of costs, a neighbour is evaluated only if its bound lets
// the search take the neighbour. Without bounds, all neighbours are evaluated.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <vector>

#include "plugins/tabu/tabu_reference.hpp"
#include "qapfw/sdk/bay_neighbourhood.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::tabu {

template <class Cost>
class LayoutNeighbourhood {
  public:
    static constexpr bool kMovesBits = true;

    explicit LayoutNeighbourhood(const sdk::ProblemRef& problem)
        : problem_(problem),
          n_(problem.length()),
          bits_offset_(problem.encoding().segments[1].offset),
          bounds_(problem),
          current_(problem.solution_bytes()),
          neighbours_(kBatch * problem.solution_bytes()),
          costs_(kBatch) {
        const std::vector<std::uint16_t> free = sdk::free_positions(problem);
        for (std::size_t k = 0; k < free.size(); ++k) {
            for (std::size_t m = k + 1; m < free.size(); ++m) swaps_.push_back({free[k], free[m]});
        }
        const std::uint8_t* fixed = problem.encoding().fixed;
        fixed_before_.assign(n_ + 1, 0);
        for (std::uint32_t k = 0; fixed != nullptr && k < n_; ++k)
            fixed_before_[k + 1] = fixed_before_[k] + (fixed[k] != 0 ? 1 : 0);
    }

    /// From now on, reset and best_admissible throw sdk::Stopped soon after `stop` becomes true.
    void watch(const sdk::StopQuestion& stop) { stop_ = stop; }

    /// Starts at `solution`, a whole solution with its bits.
    Cost reset(const std::uint16_t* solution) {
        std::memcpy(current_.data(), solution, current_.size());
        enter(cost_of<Cost>(problem_.evaluate_one(current_.data())));
        return cost_;
    }
    Cost cost() const { return cost_; }  ///< cost of the current solution, as evaluated

    /// Finds the best admissible move among all swaps of elements and all moves that change bays. The rules are those
    /// of the capability qapfw.problem.swap_neighbourhood/1. Of equally good moves, the one with the least (i, j) is
    /// taken.
    bool best_admissible(const qapfw_swap_filter& filter, const TabuMemory& memory, qapfw_swap_move& move) {
        sort_moves(filter, memory);
        best_ = {};
        const Cost aspiration = cost_of<Cost>(filter.aspiration);
        const auto any = [](Cost) { return true; };
        const auto aspired = [&](Cost delta) { return delta < aspiration; };
        const Cost record = above(cost_ + aspiration);
        if (filter.pair_latest != nullptr) {
            look_at(forced_, any);
            look_at(tabu_, aspired, record);
        }
        // If no forced or aspired move was found, all free moves are admissible. Otherwise only aspired free moves may
        // replace the move that was found.
        if (!best_.exists)
            look_at(free_, any);
        else
            look_at(free_, aspired, record);
        if (filter.pair_latest == nullptr) look_at(tabu_, aspired, record);
        if (!best_.exists) return false;
        move = {best_.move.i, best_.move.j, abi_cost<Cost>(best_.delta)};
        return true;
    }

    /// Makes the move (i, j), which the last best_admissible found.
    void apply(std::uint32_t i, std::uint32_t j) {
        make(current_.data(), {i, j});
        enter(best_.cost);
    }

  private:
    static constexpr std::size_t kBatch = 16;     ///< neighbours that are evaluated together
    static constexpr std::size_t kBounded = 256;  ///< neighbours whose bounds are checked between two calls of stop_

    /// The best admissible move so far.
    struct Best {
        bool exists = false;
        Move move{};
        Cost delta{}, cost{};
    };
    /// The moves that have one state in the tabu memory: free, tabu or forced. Each move is in both lists: in `places`
    /// as tabu search names it (see layout_moves.hpp), in `names` as the problem's bounds name it.
    struct Moves {
        std::vector<Move> places;
        std::vector<qapfw_bay_move> names;
        void clear() {
            places.clear();
            names.clear();
        }
    };

    void enter(Cost cost) {
        cost_ = cost;
        if (bounds_) bounds_.reset(current_.data());
    }

    std::uint8_t* bits(void* solution) const { return static_cast<std::uint8_t*>(solution) + bits_offset_; }

    void make(void* solution, Move move) const {
        std::uint16_t* const p = sdk::permutation_of(solution);
        std::uint8_t* const at = bits(solution);
        if (move.i < n_) {
            std::swap(p[move.i], p[move.j]);
            return;
        }
        if (moves_bays(move, n_)) {
            const TwoBays bays = bays_of(move, at, n_);
            std::rotate(p + bays.begin, p + bays.middle, p + bays.end);
        }
        make_in_bits(at, move, n_);
    }

    /// Divides the current solution's moves into free, tabu and forced moves.
    void sort_moves(const qapfw_swap_filter& filter, const TabuMemory& memory) {
        for (Moves* moves : {&free_, &tabu_, &forced_}) moves->clear();
        const auto add = [&](Move move, const qapfw_bay_move& name, std::int32_t expiry) {
            const bool forced = filter.pair_latest != nullptr && expiry < filter.forced_before;
            Moves& among = forced ? forced_ : expiry > filter.iteration ? tabu_ : free_;
            among.places.push_back(move);
            among.names.push_back(name);
        };
        for (const Move& swap : swaps_)
            add(swap, {QAPFW_BAY_MOVE_SWAP, swap.i, swap.j, 0},
                filter.pair_expiry[std::size_t{swap.i} * filter.stride + swap.j]);
        const std::uint8_t* const at = bits(current_.data());
        std::uint32_t bay = 0;
        for (std::uint32_t index = 0; index < bay_moves(n_); ++index) {
            const Move move = bay_move(index, n_);
            if (!has_move(at, move, n_)) continue;
            if (moves_bits(move, n_)) {
                add(move, name_of_bits(move, at), memory.bits_expiry(move.i - n_, move.j - n_));
                continue;
            }
            const TwoBays bays = bays_of(move, at, n_);
            if (fixed_before_[bays.begin] == fixed_before_[bays.end])
                add(move, {QAPFW_BAY_MOVE_SWAP_BAYS, bay, bay + 1, 0}, memory.bays_expiry(bays));
            ++bay;
        }
    }
    qapfw_bay_move name_of_bits(Move move, const std::uint8_t* bits) const {
        const std::uint32_t first = move.i - n_, second = move.j - n_;
        if (first == second) return {QAPFW_BAY_MOVE_FLIP_BIT, first, 0, 0};
        if (bits[second] != 0) return {QAPFW_BAY_MOVE_SHIFT_BORDER, first, 0, 0};
        return {QAPFW_BAY_MOVE_SHIFT_BORDER, second, 0, 1};
    }

    /// Finds the best move whose delta is admissible, and keeps this move if it is better than the best move so far.
    /// May leave out moves after which the solution costs `ceiling` or more.
    template <class Admissible>
    void look_at(const Moves& moves, const Admissible& admissible, Cost ceiling = std::numeric_limits<Cost>::max()) {
        const std::span<const qapfw_bay_move> all(moves.names);
        for (std::size_t next = 0; next < all.size();) {
            if (stop_()) throw sdk::Stopped();
            batch_.clear();
            const std::size_t end = std::min(all.size(), next + kBounded);
            while (next < end && batch_.size() < kBatch) {
                if (bounds_) next += bounds_.first_promising(all.subspan(next, end - next), limit(ceiling));
                if (next < end) batch_.push_back(moves.places[next++]);
            }
            evaluate_batch();
            for (std::size_t k = 0; k < batch_.size(); ++k) take(k, admissible);
        }
    }
    /// Returns a limit of costs. A move need not be evaluated if the solution after the move costs at least the limit,
    /// since the search would not take such a move.
    qapfw_cost limit(Cost ceiling) const {
        return abi_cost<Cost>(best_.exists ? std::min(ceiling, above(best_.cost)) : ceiling);
    }
    /// Returns a limit slightly above `cost`. So moves to solutions whose cost is the same except for rounding are
    /// evaluated too. Of moves with equal deltas, take() must keep the one with the least (i, j).
    Cost above(Cost cost) const {
        if constexpr (std::is_floating_point_v<Cost>)
            return cost + 4 * std::numeric_limits<Cost>::epsilon() * (std::abs(cost) + std::abs(cost_));
        else
            return cost + 1;
    }
    void evaluate_batch() {
        const std::uint64_t bytes = problem_.solution_bytes();
        for (std::size_t k = 0; k < batch_.size(); ++k) {
            void* neighbour = sdk::solution_at(neighbours_.data(), bytes, k);
            std::memcpy(neighbour, current_.data(), bytes);
            make(neighbour, batch_[k]);
        }
        if (!batch_.empty()) problem_.evaluate({neighbours_.data(), costs_.data(), batch_.size()});
    }
    template <class Admissible>
    void take(std::size_t k, const Admissible& admissible) {
        const Cost cost = cost_of<Cost>(costs_[k]), delta = cost - cost_;
        if (std::is_floating_point_v<Cost> && cost == cost_) return;
        if (!admissible(delta)) return;
        const Move move = batch_[k];
        if (best_.exists && !(std::tie(delta, move.i, move.j) < std::tie(best_.delta, best_.move.i, best_.move.j))) {
            return;
        }
        best_ = {true, move, delta, cost};
    }

    sdk::ProblemRef problem_;
    std::uint32_t n_, bits_offset_;
    sdk::BayBounds bounds_;
    std::vector<unsigned char> current_;  ///< the current solution
    Cost cost_{};
    std::vector<Move> swaps_;                  ///< swaps of the free positions
    std::vector<std::uint32_t> fixed_before_;  ///< number of fixed positions before each position, and before the end
    Moves free_, tabu_, forced_;
    std::vector<Move> batch_;
    std::vector<unsigned char> neighbours_;  ///< for each move of batch_: the solution that the move makes
    std::vector<qapfw_cost> costs_;          ///< costs of these solutions
    Best best_;
    sdk::StopQuestion stop_;
};

}  // namespace qapfw::tabu
