// SPDX-License-Identifier: Apache-2.0
// Simulated annealing of slicing trees (Kirkpatrick, Gelatt and Vecchi 1983; Wong and Liu 1986), for host and device.
// A search may visit layouts that break shape rules, at a penalty. The penalty's weight is adjusted so that a given
// fraction of the states keeps all rules. The best state has the fewest violations, then the least cost.
//
// A team of threads works on one search: a single thread on the host, a warp on the device. `Team` has rank(), size(),
// sync(), broadcast(value of thread 0), and shapes(view, places) and flow_cost(view, places), which give every thread
// the same result. A warp has ballot(flag) and from(value, rank) too. A team may draw the words of kAhead steps
// together: draw_ahead(draws, first step), then drawn(k) and minus_log(k) for the k-th of these steps. A team that has
// place_all(view, tree, scratch, root) and copy_tree(to, from, words) places all departments after every move.
#pragma once

#include "qapfw/kernels/slicing_cost.hpp"
#include "qapfw/kernels/slicing_moves.hpp"

namespace qapfw::kernels {

/// Number of steps between two changes of the temperature and the penalty's weight (a beat).
constexpr uint32_t kSlicingBeat = 128;

/// -ln((word + 0.5) / 2^32), computed only by + - * /, so that host and device agree. Relative error below 1e-5.
QAPFW_HD double slicing_minus_log(uint32_t word) {
    uint64_t bits = (uint64_t{word} << 1) | 1u;  // 33 bits
    uint32_t zeros = 0;
    while ((bits >> 32) == 0) {
        bits <<= 1;
        ++zeros;
    }
    const double m = fbs_product(static_cast<double>(bits), 1.0 / 8589934592.0);  // in [0.5, 1)
    const double t = (m - 1.0) / (m + 1.0), t2 = fbs_product(t, t);               // ln m = 2 artanh t
    double series = 1.0 / 9;
    series = 1.0 / 7 + fbs_product(t2, series);
    series = 1.0 / 5 + fbs_product(t2, series);
    series = 1.0 / 3 + fbs_product(t2, series);
    series = 1.0 + fbs_product(t2, series);
    return fbs_product(0.69314718055994530942, static_cast<double>(zeros)) - fbs_product(fbs_product(2.0, t), series);
}

/// Settings of all searches of a run.
struct SlicingAnnealing {
    double feasible;      ///< wanted fraction of steps that end with a current tree that breaks no rule
    double first_weight;  ///< first weight of the penalty, relative to the cost
    SlicingMoveLimits limits;
};

/// The state of a search, except its trees.
struct SlicingStanding {
    double cost;         ///< cost of the current tree, without penalty
    double excess;       ///< excess of the current tree, see SlicingShapes
    double weight;       ///< penalty for an excess of 1, in units of the cost
    double temperature;  ///< temperature relative to the cost
    double cooling;      ///< factor by which the temperature is multiplied after each beat
    double best_cost;    ///< cost of the best tree of this annealing
    uint32_t violations, best_violations;
    uint32_t feasible;  ///< number of states in this beat that keep all rules
    uint32_t reserved;
    uint64_t step;   ///< number of steps of the annealing made so far
    uint64_t steps;  ///< number of steps of the annealing in total
};

/// The arrays of one search; the caller owns the memory.
struct SlicingSearch {
    SlicingTree current, candidate, best;
    SlicingScratch scratch;  ///< placement of the current tree, or of a candidate during its evaluation
    SlicingPlaces kept;      ///< placement of the current tree
    double* kept_box;        ///< boxes of the current tree's inner nodes: node k at index 4k; room for all 2n - 1 nodes
};

/// The coordinates of a search's random numbers; see philox.hpp.
struct SlicingDraws {
    uint64_t seed;
    uint64_t iteration;  ///< iteration of the first step; each later step adds one
    uint32_t individual, stream;
};

/// True if (violations, cost) is better than (other_violations, other_cost).
QAPFW_HD bool slicing_is_better(uint32_t violations, double cost, uint32_t other_violations, double other_cost) {
    return violations != other_violations ? violations < other_violations : cost < other_cost;
}

template <class Team>
class SlicingAnnealer {
  public:
    QAPFW_HD SlicingAnnealer(const Team& team, const SlicingView& view, uint32_t root, const SlicingSearch& search)
        : team_(team), view_(view), root_(root), search_(search) {}

    /// Evaluates the current tree. Call this function first, before `begin` and `advance`.
    QAPFW_HD void enter(SlicingStanding& standing) {
        slicing_prepare(view_, search_.scratch, team_.rank(), team_.size());
        team_.sync();
        if (!kPlacesAll && team_.rank() == 0) slicing_set_root(view_, search_.current, search_.scratch, root_);
        const SlicingNodes nodes = place(search_.current, search_.current.root());
        keep(nodes, true);
        const SlicingShapes shapes = team_.shapes(view_, search_.scratch.places);
        standing.cost = team_.flow_cost(view_, search_.scratch.places);
        standing.excess = shapes.excess;
        standing.violations = shapes.violations;
        team_.sync();
    }

    /// Begins an annealing of `steps` steps at temperature `hot`. The annealing starts from the current tree, which
    /// `enter` has evaluated, and has no best tree yet.
    QAPFW_HD void begin(const SlicingAnnealing& settings, double hot, double cooling, uint64_t steps,
                        SlicingStanding& standing) const {
        standing.best_violations = kSlicingNone;
        standing.weight = fbs_product(settings.first_weight, standing.cost);
        standing.temperature = hot;
        standing.cooling = cooling;
        standing.feasible = 0;
        standing.step = 0;
        standing.steps = steps;
    }

    /// Makes `count` steps. draws.iteration is the iteration of the first of them.
    QAPFW_HD void advance(const SlicingAnnealing& settings, const SlicingDraws& draws, uint64_t count,
                          SlicingStanding& standing) {
        for (uint64_t k = 0; k < count; ++k) {
            if (keeps_standing() && standing.step % kSlicingBeat == 0 && standing.step > 0) beat(settings, standing);
            if constexpr (kDrawsAhead) {
                const uint32_t place = static_cast<uint32_t>(k) % Team::kAhead;
                if (place == 0) team_.draw_ahead(draws, k);
                step(
                    settings, team_.drawn(place), [&] { return team_.minus_log(place); }, standing);
            } else {
                const Philox4 draw = draw4(draws.seed, draws.iteration + k, draws.individual, draws.stream, 0);
                step(
                    settings, draw, [&] { return slicing_minus_log(draw.word[3]); }, standing);
            }
            if (!keeps_standing()) continue;
            standing.feasible += standing.violations == 0 ? 1u : 0u;
            ++standing.step;
        }
        team_.sync();
    }

  private:
    /// True if the team places all departments after every move. Then no placement of the previous state is kept.
    static constexpr bool kPlacesAll =
        requires(const Team& team, const SlicingView& view, const SlicingTree& tree, const SlicingScratch& scratch) {
        team.place_all(view, tree, scratch, 0u);
    };
    static constexpr bool kDrawsAhead = requires(const Team& team, const SlicingDraws& draws) {
        team.draw_ahead(draws, 0);
    };

    /// True if this thread updates the standing. If the team places all departments, there is one standing in shared
    /// memory, which the first thread updates. Otherwise each thread has its own.
    QAPFW_HD bool keeps_standing() const { return !kPlacesAll || team_.rank() == 0; }
    /// Returns the decision that counts for this thread. If the team places all departments, this is the first thread's
    /// `found`; otherwise it is the thread's own `found`.
    QAPFW_HD bool agreed(bool found) const {
        if constexpr (kPlacesAll) return team_.broadcast(found ? 1u : 0u) != 0;
        return found;
    }

    QAPFW_HD static void beat(const SlicingAnnealing& settings, SlicingStanding& standing) {
        standing.temperature = fbs_product(standing.temperature, standing.cooling);
        const bool too_few = static_cast<double>(standing.feasible) < fbs_product(settings.feasible, kSlicingBeat);
        double weight = fbs_product(standing.weight, too_few ? 1.1 : 1 / 1.1);
        const double least = fbs_product(standing.cost, 1e-4), most = fbs_product(standing.cost, 100.0);
        weight = weight < least ? least : weight;
        standing.weight = weight > most ? most : weight;
        standing.feasible = 0;
    }

    /// Places the subtree of `top`: computes the boxes of its nodes, then the centres and excesses of its departments,
    /// all in the scratch memory. The scratch memory already has the box of `top`. If the team places all departments,
    /// places the whole tree instead and ignores `top`.
    QAPFW_HD SlicingNodes place(const SlicingTree& tree, uint32_t top) {
        SlicingNodes nodes{};
        if constexpr (kPlacesAll) {
            team_.place_all(view_, tree, search_.scratch, root_);
            team_.sync();
            return nodes;
        } else if constexpr (requires { team_.ballot(true); }) {
            team_.sync();  // one thread has set the top box
            nodes = slicing_place_by_warp(team_, view_, tree, search_.scratch, top);
        } else {
            nodes = slicing_areas(view_, tree, search_.scratch, top);
            slicing_split_all(view_, tree, search_.scratch, nodes);
        }
        for (uint32_t k = team_.rank(); k < nodes.leaves; k += team_.size()) {
            slicing_note(view_, search_.scratch, search_.scratch.leaves[k]);
        }
        team_.sync();
        if (slicing_rules_of(view_.practice) > 0) {
            slicing_judge(view_, search_.scratch.places, team_.rank(), team_.size());
            team_.sync();
        }
        return nodes;
    }

    QAPFW_HD void copy(double* to, const double* from, uint32_t count) {
        for (uint32_t k = team_.rank(); k < count; k += team_.size()) to[k] = from[k];
    }
    QAPFW_HD void copy(const SlicingTree& to, const SlicingTree& from) {
        const uint32_t words = slicing_tree_words(view_.departments);
        for (uint32_t k = team_.rank(); k < words; k += team_.size()) to.words[k] = from.words[k];
    }

    /// If the candidate was accepted, copies its placement from the scratch to `kept`. Otherwise copies the kept
    /// placement back to the scratch.
    QAPFW_HD void keep(const SlicingNodes& nodes, bool accepted) {
        if constexpr (kPlacesAll) return;
        const uint32_t count = slicing_places_numbers(slicing_extent(view_));
        if (!accepted) return copy(search_.scratch.places.x, search_.kept.x, count);
        copy(search_.kept.x, search_.scratch.places.x, count);
        for (uint32_t k = team_.rank(); k < nodes.inner; k += team_.size()) {
            const uint32_t at = 4 * uint32_t{search_.scratch.order[k]};
            for (uint32_t number = 0; number < 4; ++number) {
                search_.kept_box[at + number] = search_.scratch.box[at + number];
            }
        }
    }

    /// Makes one step. minus_log() returns slicing_minus_log of the draw's last word.
    template <class MinusLog>
    QAPFW_HD void step(const SlicingAnnealing& settings, const Philox4& draw, MinusLog minus_log,
                       SlicingStanding& standing) {
        if constexpr (kPlacesAll) {
            team_.copy_tree(search_.candidate.words, search_.current.words, slicing_tree_words(view_.departments));
        } else {
            copy(search_.candidate, search_.current);
        }
        team_.sync();
        uint32_t top = kSlicingNone;
        if (team_.rank() == 0) {
            top = slicing_random_move<!kPlacesAll>(search_.candidate, draw, settings.limits, view_.spaces,
                                                   view_.space_count);
        }
        top = team_.broadcast(top);
        if (top == kSlicingNone) return;
        if (!kPlacesAll && team_.rank() == 0) set_box(top);
        const SlicingNodes nodes = place(search_.candidate, top);
        const SlicingShapes shapes = team_.shapes(view_, search_.scratch.places);
        double penalty = 0, limit = 0, cost = 0;
        bool accepted = false;
        if (keeps_standing()) {
            penalty = fbs_product(standing.weight, shapes.excess);
            limit = standing.cost + fbs_product(standing.weight, standing.excess) +
                    fbs_product(fbs_product(standing.temperature, standing.cost), minus_log());
            accepted = penalty <= limit;
        }
        accepted = agreed(accepted);
        if (accepted) {
            cost = team_.flow_cost(view_, search_.scratch.places);
            accepted = agreed(cost + penalty <= limit);
        }
        team_.sync();
        keep(nodes, accepted);
        if (accepted) take_candidate(shapes, cost, standing);
        team_.sync();
    }

    QAPFW_HD void take_candidate(const SlicingShapes& shapes, double cost, SlicingStanding& standing) {
        const SlicingTree old = search_.current;
        search_.current = search_.candidate;
        search_.candidate = old;
        bool is_best = false;
        if (keeps_standing()) {
            standing.cost = cost;
            standing.excess = shapes.excess;
            standing.violations = shapes.violations;
            is_best = slicing_is_better(shapes.violations, cost, standing.best_violations, standing.best_cost);
        }
        if (!agreed(is_best)) return;
        if (keeps_standing()) {
            standing.best_violations = shapes.violations;
            standing.best_cost = cost;
        }
        copy(search_.best, search_.current);
    }

    /// Sets the box of the candidate's node `top`. If `top` is the root, the box is rectangle number root_ of the view.
    /// Otherwise the box is that of `top` in the current tree.
    QAPFW_HD void set_box(uint32_t top) {
        if (search_.candidate.parent(top) == kSlicingNone) {
            return slicing_set_root(view_, search_.candidate, search_.scratch, root_);
        }
        for (uint32_t number = 0; number < 4; ++number) {
            search_.scratch.box[4 * top + number] = search_.kept_box[4 * top + number];
        }
    }

    Team team_;
    const SlicingView& view_;
    uint32_t root_;
    SlicingSearch search_;  ///< `current` and `candidate` are exchanged when a candidate is accepted

  public:
    /// The current tree, in whichever memory it is now.
    QAPFW_HD const SlicingTree& current() const { return search_.current; }
};

}  // namespace qapfw::kernels
