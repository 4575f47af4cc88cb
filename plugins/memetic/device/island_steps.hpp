// SPDX-License-Identifier: Apache-2.0
// The steps of one island of the memetic algorithm, and its exchange with other islands. A group of threads makes the
// steps: one thread of the CPU or one warp of a GPU. Both give the same result. All threads of the group call a step
// together. The caller evaluates and improves solutions.
#pragma once

#include "plugins/memetic/device/island_elites.hpp"

namespace qapfw::memetic {

/// A converged island with fewer than kFewElites elites keeps them and gets new ones beside them; see renew_if_idle.
constexpr uint32_t kFewElites = 16;
/// A gain lowers `idle` by this number in islands with more than kFewElites elites; see idle_after_gain.
constexpr uint64_t kChildrenOfGain = 16;

constexpr uint32_t kParentStream = 120;     ///< draws two parents, whether to cross them, and whether to mutate
constexpr uint32_t kEmigrantStream = 121;   ///< draws which elite is shown to other islands
constexpr uint32_t kImmigrantStream = 122;  ///< draws the island from which an elite is taken

/// One island and its steps.
template <class Cost, class Costs, class Group = kernels::ThreadGroup>
class Island : public IslandElites<Cost, Costs, Group> {
    using Base = IslandElites<Cost, Costs, Group>;
    using Base::all, Base::island, Base::less, Base::group;
    using Base::copy, Base::same, Base::share, Base::lesser, Base::words_of;
    using Base::distance_of, Base::extreme, Base::fresh_elite, Base::is_new, Base::sort_elites;

  public:
    using Base::first, Base::end;

    QAPFW_HD Island(const IslandsOf<Cost>& islands, uint32_t number, const Costs& costs, Group threads = {})
        : Base(islands, number, costs, threads) {}

    QAPFW_HD uint32_t in_run() const { return all.first_island + island; }
    /// True if the island belongs to this queue. An island changes its queue only if its arm changes.
    QAPFW_HD bool is_in(const IslandQueue& queue) const {
        return island % queue.parts == queue.part && arm().improver == queue.improver;
    }
    /// Returns the number that child c of the next brood has among all children of the run. The improver's random
    /// numbers for the child depend on this number and on the round.
    QAPFW_HD uint32_t number(uint32_t c) const {
        return static_cast<uint32_t>((all.children[island] + c) * all.islands + in_run());
    }
    QAPFW_HD uint32_t seat(uint32_t c) const { return all.seats[of_brood(c)]; }
    QAPFW_HD uint32_t parent(uint32_t c) const { return all.parents[of_brood(c)]; }
    QAPFW_HD uint8_t* child(uint32_t c) const { return all.seated.solutions + seat(c) * all.bytes; }
    QAPFW_HD Cost* child_cost(uint32_t c) const { return all.seated.costs + seat(c); }

    /// Makes elite k a random solution. `generation` is a coordinate of the random numbers.
    QAPFW_HD void draw(uint32_t k, uint64_t generation) const {
        const auto* const base = reinterpret_cast<const uint64_t*>(all.rules.fixed_solution);
        for (uint64_t w = 0; w < all.bytes / sizeof(uint64_t); ++w) words_of(all.elite(k))[w] = base[w];
        if constexpr (kMayHaveSegments) {
            if (all.segments.count != 0) {
                kernels::draw_segments(all.segments, all.elite(k), all.rules.tournament.seed, generation,
                                       all.individual(k));
                return;
            }
        }
        kernels::with_views<kWithBits>(all.bits_offset, [&](const auto& at) {
            kernels::island_draw(all.rules, at(all.elite(k)), positions(k), generation, all.individual(k));
        });
    }

    /// Begins the run. The costs of the drawn elites must be known. The island keeps as many of the best elites as its
    /// arm starts with. Entries behind the drawn ones get copies of the best elite, since a checkpoint must have valid
    /// solutions everywhere.
    QAPFW_HD void begin() const {
        share([&] { all.members[island] = all.drawn; });
        sort_elites();
        for (uint32_t k = end(); k < first() + all.size; ++k) copy(all.elite(k), all.elite(first()));
        copy(all.best_solutions + island * all.bytes, all.elite(first()));
        kernels::share_out(group, first(), end(), [&](uint32_t k) { all.fresh[k] = 1; });
        kernels::share_out(group, end(), first() + all.size, [&](uint32_t k) { all.costs[k] = all.costs[first()]; });
        share([&] {
            all.best_costs[island] = all.costs[first()];
            all.work[island] = all.work_by(rounds_before());
            set_arm({.arm = all.dealt[in_run() % all.dealt_count], .anew = 1, .is_era = 1}, all.costs[first()]);
            all.members[island] = arm().first;
        });
    }

    /// Gives the island an arm. The island keeps its elites (or the best of them, if the arm works with fewer), or
    /// restarts with new elites. The caller must compute the costs of the elites from the returned index up to end().
    QAPFW_HD uint32_t give_arm(const NextArm& next) const {
        const uint32_t own = next.anew != 0 ? 0 : all.members[island], most = most_elites(next, own);
        if (own > most) sort_elites();
        const uint32_t least = next.elites != 0 ? next.elites : all.arm_rules[next.arm].first;
        const uint32_t members = own < least ? least : lesser(own, most);
        const Cost best = all.costs[extreme(false)];
        share([&] {
            set_arm(next, best);
            all.members[island] = members;
            if (next.anew != 0) all.idle[island] = 0;
            if (next.born != 0) all.born[island] = next.born;
        });
        const uint32_t from = first() + lesser(own, members);
        draw_anew(from, kNobody);
        return from;
    }

    /// Number of children of the next brood: one for each fresh elite (see IslandsOf::fresh). Without fresh elites it
    /// is the arm's brood or, for walks, the number of elites. It is never above the arm's brood. It is at most one
    /// more than the number of children that the island has made so far, so that the first rounds are short.
    QAPFW_HD uint32_t brood() const {
        uint32_t fresh = 0;
        kernels::share_out(group, first(), end(), [&](uint32_t k) { fresh += all.fresh[k]; });
        fresh = group.sum(fresh);
        const uint32_t most = arm().replacement == Replacement::kWalk ? all.members[island] : arm().brood;
        const uint64_t made = all.children[island];
        const uint32_t now = made < arm().brood ? static_cast<uint32_t>(made) + 1 : arm().brood;
        return lesser(now, fresh > 0 ? fresh : most);
    }
    QAPFW_HD void leave_out(uint32_t c) const {
        share([&] { all.seats[of_brood(c)] = kNobody; });
    }

    /// Makes child c of the brood in seat number `seat`. If the island has more than c fresh elites (see
    /// IslandsOf::fresh), the child is a copy of fresh elite c. Else it is bred from elites. Returns true if the
    /// child's cost must be computed. Only scratch of child c changes, so all children of a brood can be made at once.
    QAPFW_HD bool make_child(uint32_t c, uint32_t seat) const {
        uint32_t parent = fresh_elite(c);
        const bool is_fresh = parent != kNobody;
        share([&] { all.seats[of_brood(c)] = seat; });
        if (is_fresh)
            copy(child(c), all.elite(parent));
        else
            parent = breed(c);
        share([&] {
            all.parents[of_brood(c)] = parent;
            all.from_fresh[of_brood(c)] = is_fresh ? 1 : 0;
            all.seated.evaluations[seat] = 0;
            all.seated.numbers[seat] = number(c);
            if (is_fresh) all.seated.costs[seat] = all.costs[parent];
        });
        return !is_fresh;
    }

    /// Takes in child c after its local search. Counts the child's evaluations. The child replaces the elite that
    /// place_for chooses, if it chooses one. A copy of a fresh elite always replaces that elite.
    QAPFW_HD void take_in(uint32_t c, uint64_t round) const {
        const bool was_fresh = all.from_fresh[of_brood(c)] != 0;
        count(all.seated.evaluations[seat(c)] + (was_fresh ? 0 : 1));
        const Cost cost = *child_cost(c);
        const uint32_t place = was_fresh ? parent(c) : place_for(c, cost);
        // With Replacement::kWalk every child replaces its first parent. So only a new best of the island is a gain.
        const bool walks = arm().replacement == Replacement::kWalk && !was_fresh;
        const bool is_best = less(cost, all.best_costs[island]), gains = walks ? is_best : place != kNobody;
        if (place != kNobody) copy(all.elite(place), child(c));
        if (is_best) copy(all.best_solutions + island * all.bytes, child(c));
        share([&] {
            note_in_era(cost);
            if (place != kNobody) {
                all.costs[place] = cost;
                all.fresh[place] = 0;
            }
            const uint32_t strength = all.strength[island];
            all.strength[island] = gains || strength >= arm().most_moves ? arm().least_moves : strength + 1;
            all.idle[island] = gains ? idle_after_gain() : all.idle[island] + 1;
            if (!is_best) return;
            all.best_costs[island] = cost;
            all.best_found[island] = round;
            ++all.won[island * all.arm_count + all.arms[island]];
        });
    }
    /// Adds a brood's number of children to the island's count. Called after all these children were taken in.
    QAPFW_HD void end_brood(uint32_t children) const {
        share([&] { all.children[island] += children; });
    }

    /// Lets a converged island grow or restart. An island with few elites keeps them and gets the same number of new
    /// ones. A larger island restarts with twice as many, since new elites beside old ones would soon be like the old
    /// ones. If an island already has the most elites that its arm allows, it restarts with that number, in turn with
    /// and without its best elite. The best solution is stored separately. Returns the number of the first elite whose
    /// cost must be computed; end(): none.
    QAPFW_HD uint32_t renew_if_idle() const {
        const uint32_t members = all.members[island], most = arm().elites;
        const uint64_t most_idle = arm().restart_after * members;
        if (most_idle == 0 || all.idle[island] < most_idle) return end();
        const bool grows = members < most, gets_more = grows && members < kFewElites;
        const uint32_t from = gets_more ? end() : first();
        const uint32_t kept = !grows && all.restarts[island] % 2 == 0 ? extreme(false) : kNobody;
        share([&] {
            if (grows) all.members[island] = lesser(2 * members, most);
            all.idle[island] = 0;
            if (gets_more) return;
            ++all.restarts[island];
            if (kept != kNobody) return;
            all.born[island] = all.work[island];
            all.era[island].was_there = 0;
        });
        draw_anew(from, kept);
        return from;
    }

    /// Shows an elite and the island's results of the era to other islands. A random bit decides between the best elite
    /// and a random elite. If no search was made yet from the random elite, the best elite is shown instead.
    QAPFW_HD void show() const {
        const kernels::Philox4 words = draw4(all.children[island], in_run(), kEmigrantStream);
        const uint32_t drawn = first() + kernels::below(words.word[0], all.members[island]);
        const bool best = (words.word[1] & 1u) != 0 || all.fresh[drawn] != 0;
        const uint32_t k = best ? extreme(false) : drawn;
        copy(all.emigrants + in_run() * all.bytes, all.elite(k));
        share([&] {
            all.emigrant_costs[in_run()] = all.costs[k];
            all.results[in_run()] = all.era[island];
            all.births[in_run()] = all.born[island];
        });
    }

    /// Takes in elites of other islands, at most one from each island and at most `migrants` together. One elite is due
    /// whenever the island has made `migrate_every` children for each of its own elites.
    QAPFW_HD void take_immigrants(uint64_t round) const {
        const uint64_t made = all.children[island], since = made - all.immigration[island];
        const uint64_t for_each = all.migrate_every * all.members[island];
        if (for_each == 0 || since < for_each) return;
        uint32_t source = source_of(round);
        take_from(source);
        for (uint64_t k = 1; k < since / for_each && k < all.migrants; ++k) {
            source = alike_after(source);
            if (source == in_run()) break;
            take_from(source);
        }
        share([&] { all.immigration[island] = made; });
    }

  private:
    QAPFW_HD uint64_t of_brood(uint32_t c) const { return uint64_t{island} * all.seats_each + c; }

    /// Adds the work of one child to the island's work: the work of making the child plus `evaluations`, divided by the
    /// island's pace. Adds `evaluations` to those of the island's arm. `evaluations`: those of the child's search, and
    /// one more for a child bred from elites.
    QAPFW_HD void count(uint64_t evaluations) const {
        share([&] {
            all.work[island] += (all.child_work[island] + evaluations) / all.pace[island];
            all.spent[island * all.arm_count + all.arms[island]] += evaluations;
        });
    }

    /// The largest number of elites that the island may have with arm next.arm: next.elites or, if that is 0,
    /// ArmRules::elites. In the second case, an island that stays with its arm may keep all its `own` elites.
    QAPFW_HD uint32_t most_elites(const NextArm& next, uint32_t own) const {
        if (next.elites != 0) return next.elites;
        const uint32_t of_arm = all.arm_rules[next.arm].elites;
        return next.arm == all.arms[island] && own > of_arm ? own : of_arm;
    }

    /// Gives the island an arm. Called by one thread. `best`: cost of the best elite. An island that stays with its arm
    /// in the same era keeps its results of the era.
    QAPFW_HD void set_arm(const NextArm& next, Cost best) const {
        const ArmRules& rules = all.arm_rules[next.arm];
        const bool stays = next.anew == 0, is_era = next.is_era != 0, goes_on = stays && next.arm == all.arms[island];
        all.arms[island] = next.arm;
        all.child_work[island] = next.pace != 0 ? rules.leader_child_work : rules.child_work;
        all.pace[island] = next.pace != 0 ? next.pace : 1;
        all.strength[island] = rules.least_moves;
        if (goes_on && !is_era) return;
        EraResultOf<Cost> result{};
        result.arm = next.arm;
        result.before = best;
        result.was_there = stays && is_era ? 1 : 0;
        all.era[island] = result;
        all.era_begin[island] = all.work[island];
    }

    /// Number of rounds before the island's first round. In the first round, IslandsOf::first_islands islands work.
    /// Each later round has four times as many working islands as the round before, until all islands work.
    QAPFW_HD uint64_t rounds_before() const {
        uint64_t rounds = 0;
        for (uint64_t working = all.first_islands; in_run() >= working; working *= 4) ++rounds;
        return rounds;
    }

    /// Replaces elite number `from` and the island's elites after it by random solutions. The elite `kept` and fresh
    /// elites (see IslandsOf::fresh) stay as they are.
    QAPFW_HD void draw_anew(uint32_t from, uint32_t kept) const {
        kernels::share_out(group, from, end(), [&](uint32_t k) {
            if (k == kept || all.fresh[k] != 0) return;
            draw(k, all.children[island]);
            all.fresh[k] = 1;
        });
        group.sync();
    }

    QAPFW_HD const ArmRules& arm() const { return all.arm_rules[all.arms[island]]; }
    /// Returns the run's rules, with the crossover settings of the island's arm.
    QAPFW_HD kernels::IslandRules rules() const {
        kernels::IslandRules rules = all.rules;
        rules.crossover = arm().crossover;
        rules.align = arm().align;
        return rules;
    }
    QAPFW_HD uint16_t* positions(uint32_t k) const { return all.positions + uint64_t{k} * all.rules.n; }
    QAPFW_HD uint16_t* positions_of_child(uint32_t c) const { return all.child_positions + of_brood(c) * all.rules.n; }
    QAPFW_HD kernels::Philox4 draw4(uint64_t iteration, uint32_t individual, uint32_t stream) const {
        return kernels::draw4(all.rules.tournament.seed, iteration, individual, stream, 0);
    }

    /// Makes child c in its seat in the scratch memory, by a crossover of two elites or as a mutated copy of one.
    /// Returns the number of the first parent.
    QAPFW_HD uint32_t breed(uint32_t c) const {
        const uint64_t number = all.children[island] + c;
        const kernels::Philox4 words = draw4(number, in_run(), kParentStream);
        const uint32_t members = all.members[island];
        const bool in_turn = arm().replacement != Replacement::kWorst;
        const uint32_t mother =
            in_turn ? static_cast<uint32_t>(number % members) : kernels::below(words.word[0], members);
        uint32_t father = kernels::below(words.word[1], members - 1);
        father += father >= mother ? 1 : 0;
        const uint32_t a = first() + mother, b = first() + father;
        bool is_copy = true;
        if (words.word[3] < arm().crosses) {
            cross(c, all.elite(a), all.elite(b), number);
            is_copy = same(child(c), all.elite(a)) || same(child(c), all.elite(b));
        } else {
            copy(child(c), all.elite(a));
        }
        if (is_copy || words.word[2] < arm().mutation) mutate(c, number);
        if (has_segments()) return a;
        kernels::with_views<kWithBits>(all.bits_offset, [&](const auto& at) {
            kernels::island_restore_fixed(all.rules, at(child(c)), positions_of_child(c), group);
        });
        return a;
    }
    QAPFW_HD bool has_segments() const { return kMayHaveSegments && all.segments.count != 0; }
    QAPFW_HD void cross(uint32_t c, uint8_t* mother, uint8_t* father, uint64_t number) const {
        if constexpr (kMayHaveSegments) {
            if (all.segments.count != 0) {
                kernels::SegmentList list = all.segments;
                list.crossover = arm().crossover;
                copy(child(c), mother);
                kernels::cross_segments(list, child(c), mother, father, all.mirrors + of_brood(c) * all.bytes,
                                        all.rules.tournament.seed, number, in_run(), group);
                return;
            }
        }
        kernels::with_views<kWithBits>(all.bits_offset, [&](const auto& at) {
            kernels::island_cross(rules(), at(child(c)), at(mother), at(father), positions_of_child(c),
                                  at(all.mirrors + of_brood(c) * all.bytes),
                                  kernels::island_crossover_draws(all.rules, number, in_run()), group);
        });
        group.sync();
    }
    QAPFW_HD void mutate(uint32_t c, uint64_t number) const {
        if constexpr (kMayHaveSegments) {
            if (all.segments.count != 0) {
                kernels::mutate_segments(all.segments, child(c), all.strength[island], all.rules.tournament.seed,
                                         number, in_run(), group);
                return;
            }
        }
        const kernels::IslandMutation mutation{all.strength[island],
                                               kernels::island_draw_move(all.rules, number, in_run(), 0)};
        group.sync();
        kernels::with_views<kWithBits>(all.bits_offset, [&](const auto& at) {
            kernels::island_mutate(all.rules, at(child(c)), mutation, number, in_run(), group);
        });
    }

    /// The elite that child c replaces; kNobody: the child is discarded.
    QAPFW_HD uint32_t place_for(uint32_t c, Cost cost) const {
        const Replacement replacement = arm().replacement;
        uint32_t place = parent(c);
        if (replacement == Replacement::kWalk) return place;
        if (replacement == Replacement::kWorst) {
            place = extreme(true);
            uint32_t nearest = all.distance;
            for (uint32_t k = first(); nearest > 0 && k < end(); ++k) {
                const uint32_t distance = distance_of(child(c), all.elite(k));
                if (distance >= nearest) continue;
                nearest = distance;
                place = k;
            }
        }
        return less(cost, all.costs[place]) && is_new(cost, place) ? place : kNobody;
    }

    /// Returns the new value of IslandsOf::idle after a gain: a child replaced an elite. With Replacement::kWalk, a
    /// child bred from elites gains only if it is the island's new best. The new value is 0 with few elites. With many
    /// elites some child nearly always gains, so a gain only lowers the value.
    QAPFW_HD uint64_t idle_after_gain() const {
        const uint64_t idle = all.idle[island];
        return all.members[island] <= kFewElites || idle < kChildrenOfGain ? 0 : idle - kChildrenOfGain;
    }

    QAPFW_HD void note_in_era(Cost cost) const {
        EraResultOf<Cost>& era = all.era[island];
        if (era.has_child != 0 && !less(cost, era.cost)) return;
        era.cost = cost;
        era.work = all.work[island] - all.era_begin[island];
        era.has_child = 1;
    }

    /// True if elites of island `other` may come to this island. An island takes in no elites of older islands (see
    /// IslandsOf::born; age-layered populations: Hornby, GECCO 2006). Such elites would lead it back to its old
    /// solutions.
    QAPFW_HD bool takes_from(uint32_t other) const { return all.births[other] >= all.births[in_run()]; }

    /// The island from which elites come in this round. If no elites come, returns this island. Usually the source has
    /// the same arm. Without a race, islands sometimes draw a source with any arm. In a race, only islands that share
    /// their arm with other islands do so, and only from the first rung on: an arm is judged by what its islands find
    /// themselves. Islands whose arm has no crossover never draw a source with another arm: they could only replace
    /// their own elites by those of other arms.
    QAPFW_HD uint32_t source_of(uint64_t round) const {
        const kernels::Philox4 words = draw4(round, in_run(), kImmigrantStream);
        const uint32_t own = all.results[in_run()].arm;
        uint32_t alike = 0;
        kernels::share_out(group, 0, all.islands, [&](uint32_t k) { alike += all.results[k].arm == own ? 1 : 0; });
        const bool ahead = round >= all.first_rung && group.sum(alike) > 1;
        if (arm().crosses != 0 && (ahead || all.first_rung == 0) && words.word[0] < all.cross_arms) {
            const uint32_t any = kernels::below(words.word[1], all.islands);
            return takes_from(any) ? any : in_run();
        }
        return alike_after(in_run());
    }

    /// The next source of elites after `from`: searches the islands in a ring, up to this one, for an island with the
    /// same arm whose elites may come here. If there is none: this island itself.
    QAPFW_HD uint32_t alike_after(uint32_t from) const {
        const uint32_t own = all.results[in_run()].arm;
        for (uint32_t other = (from + 1) % all.islands; other != in_run(); other = (other + 1) % all.islands) {
            if (all.results[other].arm == own && takes_from(other)) return other;
        }
        return in_run();
    }

    /// Replaces this island's worst elite with the elite that island `source` shows, if that elite costs less and no
    /// elite of this island has the same cost.
    QAPFW_HD void take_from(uint32_t source) const {
        const uint32_t place = extreme(true);
        const Cost cost = all.emigrant_costs[source];
        if (!less(cost, all.costs[place]) || !is_new(cost, place)) return;
        copy(all.elite(place), all.emigrants + source * all.bytes);
        share([&] {
            all.costs[place] = cost;
            all.fresh[place] = 0;
        });
    }
};

}  // namespace qapfw::memetic
