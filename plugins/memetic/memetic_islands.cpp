// SPDX-License-Identifier: Apache-2.0
// What happens on an island of the memetic algorithm, and between islands.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "plugins/memetic/memetic.hpp"

namespace qapfw::memetic {
namespace {

constexpr std::uint32_t kBatch = 64;  ///< random elites made between two looks at should_stop

/// Calls body(at): at(address) is the solution there, with bay bits or without.
template <class Body>
void with_solutions(std::uint32_t bits_offset, const Body& body) {
    const auto permutation = [](std::uint8_t* at) { return sdk::permutation_of(static_cast<void*>(at)); };
    if (bits_offset == 0) {
        body([=](std::uint8_t* at) { return kernels::fbs_solution(permutation(at), kernels::FbsNoBits{}); });
    } else {
        body([=](std::uint8_t* at) { return kernels::fbs_solution(permutation(at), at + bits_offset); });
    }
}

const unsigned char* bytes_of(const std::vector<std::uint16_t>& solution) {
    return reinterpret_cast<const unsigned char*>(solution.data());
}

bool equal(const sdk::CostLess& less, qapfw_cost a, qapfw_cost b) {
    return less.kind == QAPFW_COST_FLOAT64 ? kernels::island_equal_costs(a.f, b.f)
                                           : kernels::island_equal_costs(a.i, b.i);
}

/// Whether elite `except` is the only one of the island that may have this cost. No two elites shall have one.
bool is_new(const Islands& all, std::uint32_t island, qapfw_cost cost, std::uint32_t except,
            const sdk::CostLess& less) {
    for (std::uint32_t k = island * all.size; k < island * all.size + all.members[island]; ++k) {
        if (k != except && equal(less, all.costs[k], cost)) return false;
    }
    return true;
}

std::uint32_t worst_of(const Islands& all, std::uint32_t island, const sdk::CostLess& less) {
    std::uint32_t worst = island * all.size;
    for (std::uint32_t k = worst + 1; k < island * all.size + all.members[island]; ++k) {
        if (less(all.costs[worst], all.costs[k])) worst = k;
    }
    return worst;
}

std::uint32_t best_of(const Islands& all, std::uint32_t island, const sdk::CostLess& less) {
    const qapfw_cost* const first = all.costs + std::uint64_t{island} * all.size;
    return static_cast<std::uint32_t>(std::min_element(first, first + all.members[island], less) - all.costs);
}

/// The island's elites in use, by cost.
void sort_elites(const Islands& all, std::uint32_t island, const sdk::CostLess& less) {
    const std::uint64_t first = std::uint64_t{island} * all.size, count = all.members[island];
    std::vector<std::uint64_t> order(count);
    std::iota(order.begin(), order.end(), first);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return less(all.costs[a], all.costs[b]); });
    const std::vector<std::uint8_t> solutions(all.elite(first), all.elite(first + count));
    const std::vector<qapfw_cost> costs(all.costs + first, all.costs + first + count);
    const std::vector<std::uint8_t> fresh(all.fresh + first, all.fresh + first + count);
    for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint64_t from = order[k] - first;
        std::memcpy(all.elite(first + k), solutions.data() + from * all.bytes, all.bytes);
        all.costs[first + k] = costs[from];
        all.fresh[first + k] = fresh[from];
    }
}

/// Positions in which two permutations differ.
std::uint32_t distance_of(const void* a, const void* b, std::uint32_t n) {
    const auto *x = sdk::permutation_of(a), *y = sdk::permutation_of(b);
    std::uint32_t distance = 0;
    for (std::uint32_t k = 0; k < n; ++k) distance += x[k] != y[k] ? 1 : 0;
    return distance;
}

}  // namespace

/// An island at work on one worker.
struct Memetic::Island {
    const Memetic& of;
    Host& steps;
    Islands& all;
    std::uint32_t island;  ///< number within the place
    std::uint32_t worker;
    std::uint64_t t;
    Scratch& scratch;
    const Arm& arm;
    const kernels::IslandRules& rules;
    sdk::CostLess less;
    qapfw_cost cost{};  ///< of the child

    Island(const Memetic& memetic, Host& host, std::uint32_t number, std::uint32_t on, std::uint64_t round)
        : of(memetic),
          steps(host),
          all(host.view()),
          island(number),
          worker(on),
          t(round),
          scratch(memetic.scratch_[on]),
          arm(memetic.arms_[all.arms[number]]),
          rules(memetic.rules_[all.arms[number]]),
          less(host.settings().problem.less()) {}

    std::uint32_t first() const { return island * all.size; }
    std::uint32_t members() const { return all.members[island]; }
    std::uint32_t in_run() const { return all.first_island + island; }
    std::uint8_t* child() const { return scratch.child.data(); }

    bool make_child();
    std::uint32_t breed();
    void mutate(std::uint32_t moves);
    bool improve(std::uint32_t parent);
    void take_in(std::uint32_t parent, bool was_fresh);
    std::uint32_t place_for(std::uint32_t parent) const;
    void note_best();
    void restart_if_idle();
};

// [child]
/// One child: from parents, or from an elite that was not searched from yet. False: cut short.
bool Memetic::Island::make_child() {
    const auto* const begin = all.fresh + first();
    const auto fresh = static_cast<std::uint32_t>(std::find(begin, begin + members(), 1) - all.fresh);
    const bool is_fresh = fresh < first() + members();
    std::uint32_t parent = fresh;
    if (is_fresh) {
        std::memcpy(child(), all.elite(fresh), all.bytes);
        cost = all.costs[fresh];
    } else {
        parent = breed();
    }
    if (!improve(parent)) return false;
    take_in(parent, is_fresh);
    ++all.children[island];
    restart_if_idle();
    return true;
}
// [child-end]

/// A child of two elites, or of one; evaluated. Returns the first parent.
std::uint32_t Memetic::Island::breed() {
    const std::uint64_t number = all.children[island];
    const kernels::Philox4 words = kernels::draw4(of.seed_, number, in_run(), kParentStream, 0);
    const bool in_turn = arm.replacement != Replacement::kWorst;
    const auto mother =
        in_turn ? static_cast<std::uint32_t>(number % members()) : kernels::below(words.word[0], members());
    std::uint32_t father = kernels::below(words.word[1], members() - 1);
    father += father >= mother ? 1 : 0;
    const std::uint32_t a = first() + mother, b = first() + father;
    bool is_copy = true;
    if (arm.crossover) {
        with_solutions(of.bits_offset_, [&](const auto& at) {
            kernels::island_cross(rules, at(child()), at(all.elite(a)), at(all.elite(b)), scratch.positions.data(),
                                  at(scratch.mirror.data()), kernels::island_crossover_draws(rules, number, in_run()));
        });
        is_copy =
            std::memcmp(child(), all.elite(a), all.bytes) == 0 || std::memcmp(child(), all.elite(b), all.bytes) == 0;
    } else {
        std::memcpy(child(), all.elite(a), all.bytes);
    }
    if (is_copy || words.word[2] < rules.mutation) mutate(all.strength[island]);
    with_solutions(of.bits_offset_, [&](const auto& at) {
        kernels::island_restore_fixed(rules, at(child()), scratch.positions.data());
    });
    steps.evaluate(worker, {child(), &cost, 1}, a, t);
    ++all.work[island];
    ++all.spent[island * of.arms_.size() + all.arms[island]];
    return a;
}

void Memetic::Island::mutate(std::uint32_t moves) {
    const std::uint64_t number = all.children[island];
    const kernels::IslandMutation mutation{moves, kernels::island_draw_move(rules, number, in_run(), 0)};
    with_solutions(of.bits_offset_,
                   [&](const auto& at) { kernels::island_mutate(rules, at(child()), mutation, number, in_run()); });
}

/// The arm's improver on the child. False: cut short.
bool Memetic::Island::improve(std::uint32_t parent) {
    sdk::ImproverPool& improver = *of.improvers_[all.arms[island]];
    if (improver) {
        qapfw_improve_request request =
            steps.run().improve_request(static_cast<std::uint32_t>(all.children[island]), kImproverStream);
        request.first_individual = in_run();
        const std::uint64_t evaluations = improver.improve_one(worker, child(), &cost, request);
        steps.count(worker, evaluations);
        steps.place().see(worker, child(), cost, t, steps.shard().first_individual() + parent);
        all.work[island] += evaluations;
        all.spent[island * of.arms_.size() + all.arms[island]] += evaluations;
    }
    return !steps.run().should_stop();
}

/// The elite that gives way to the child; the number of elites in the place: none does.
std::uint32_t Memetic::Island::place_for(std::uint32_t parent) const {
    const std::uint32_t none = steps.shard().individuals();
    if (arm.replacement == Replacement::kWalk) return parent;
    std::uint32_t place = parent;
    if (arm.replacement == Replacement::kWorst) {
        place = worst_of(all, island, less);
        std::uint32_t nearest = of.distance_;
        for (std::uint32_t k = first(); nearest > 0 && k < first() + members(); ++k) {
            const std::uint32_t distance = distance_of(child(), all.elite(k), rules.n);
            if (distance >= nearest) continue;
            nearest = distance;
            place = k;
        }
    }
    return less(cost, all.costs[place]) && is_new(all, island, cost, place, less) ? place : none;
}

/// Replacement. A fresh elite gives way to what was found from it.
void Memetic::Island::take_in(std::uint32_t parent, bool was_fresh) {
    RungResult& rung = all.rung[island];
    if (rung.has_child == 0 || less(cost, rung.cost)) {
        rung = {cost, all.work[island] - all.rung_begin[island], all.arms[island], 1};
    }
    const std::uint32_t place = was_fresh ? parent : place_for(parent);
    // A walk takes in every child: it gains where it finds a new best.
    const bool walks = arm.replacement == Replacement::kWalk && !was_fresh;
    const bool gains = place < steps.shard().individuals() && (!walks || less(cost, all.best_costs[island]));
    if (place < steps.shard().individuals()) {
        std::memcpy(all.elite(place), child(), all.bytes);
        all.costs[place] = cost;
        all.fresh[place] = 0;
    }
    all.idle[island] = gains ? 0 : all.idle[island] + 1;
    std::uint32_t& strength = all.strength[island];
    strength = gains || strength >= arm.most_moves ? arm.least_moves : strength + 1;
    note_best();
}

void Memetic::Island::note_best() {
    if (!less(cost, all.best_costs[island])) return;
    std::memcpy(all.best_solutions + island * all.bytes, child(), all.bytes);
    all.best_costs[island] = cost;
    all.best_found[island] = t;
    ++all.won[island * of.arms_.size() + all.arms[island]];
}

/// A converged island begins anew: around its best elite, and where it has converged again without it. The best
/// solution is remembered aside.
void Memetic::Island::restart_if_idle() {
    if (of.restart_after_ == 0 || all.idle[island] < of.restart_after_ * members()) return;
    const bool keeps_best = all.restarts[island] % 2 == 0;
    const std::uint32_t best = best_of(all, island, less);
    for (std::uint32_t k = first(); k < first() + members(); ++k) {
        if (keeps_best && k == best) continue;
        std::memcpy(all.elite(k), of.base_.data(), all.bytes);
        with_solutions(of.bits_offset_, [&](const auto& at) {
            kernels::island_draw(rules, at(all.elite(k)), scratch.positions.data(), all.children[island],
                                 steps.shard().first_individual() + k);
        });
        all.fresh[k] = 1;
    }
    steps.evaluate(worker, {all.elite(first()), all.costs + first(), members()}, first(), t);
    all.idle[island] = 0;
    ++all.restarts[island];
}

void Memetic::start(Host& steps) {
    steps.individuals(kBatch, [&](std::uint32_t from, std::uint32_t to, std::uint32_t worker) {
        Islands& all = steps.view();
        for (std::uint32_t k = from; k < to; ++k) {
            // Warm starts are dealt out to islands.
            const std::uint64_t warm = std::uint64_t{k % all.size} * all.islands + all.first_island + k / all.size;
            const bool is_warm = warm < steps.settings().warm_count();
            std::memcpy(all.elite(k), is_warm ? steps.settings().warm_start(warm) : bytes_of(base_), all.bytes);
            if (is_warm) continue;
            with_solutions(bits_offset_, [&](const auto& at) {
                kernels::island_draw(rules_.front(), at(all.elite(k)), scratch_[worker].positions.data(), 0,
                                     steps.shard().first_individual() + k);
            });
        }
        steps.evaluate(worker, {all.elite(from), all.costs + from, to - from}, from, 0);
    });
    steps.groups([&](std::uint32_t island, std::uint32_t) {
        Islands& all = steps.view();
        all.members[island] = all.size;
        const std::uint32_t best = best_of(all, island, steps.settings().problem.less());
        std::fill_n(all.fresh + std::uint64_t{island} * all.size, all.size, std::uint8_t{1});
        std::memcpy(all.best_solutions + island * all.bytes, all.elite(best), all.bytes);
        all.best_costs[island] = all.costs[best];
        give_arm(steps, island, (all.first_island + island) % static_cast<std::uint32_t>(arms_.size()));
    });
}

/// The island works with this arm from now on. An arm that works with fewer elites gets the best of them.
void Memetic::give_arm(Host& steps, std::uint32_t island, std::uint32_t arm) const {
    Islands& all = steps.view();
    const std::uint32_t wanted = arms_[arm].elites == 0 ? all.size : std::min(all.size, arms_[arm].elites);
    if (wanted < all.members[island]) sort_elites(all, island, steps.settings().problem.less());
    all.members[island] = wanted;
    all.arms[island] = arm;
    all.strength[island] = arms_[arm].least_moves;
    all.rung[island] = {};
    all.rung[island].arm = arm;
    all.rung_begin[island] = all.work[island];
}

void Memetic::generation(Host& steps, std::uint64_t t) {
    steps.groups([&](std::uint32_t number, std::uint32_t worker) {
        Island island(*this, steps, number, worker, t);
        while (island.all.work[number] < t * round_) {
            if (island.make_child()) continue;
            steps.cut();
            return;
        }
    });
}

/// Each island shows an elite, by turns its best and one drawn among all, and what it has done in the rung.
void Memetic::show(Host& steps) const {
    steps.groups([&](std::uint32_t island, std::uint32_t) {
        const Islands& all = steps.view();
        const std::uint32_t in_run = all.first_island + island;
        const kernels::Philox4 words = kernels::draw4(seed_, all.children[island], in_run, kEmigrantStream, 0);
        const std::uint32_t drawn = island * all.size + kernels::below(words.word[0], all.members[island]);
        const bool best = (words.word[1] & 1u) != 0 || all.fresh[drawn] != 0;
        const std::uint32_t k = best ? best_of(all, island, steps.settings().problem.less()) : drawn;
        std::memcpy(all.emigrants + in_run * all.bytes, all.elite(k), all.bytes);
        all.emigrant_costs[in_run] = all.costs[k];
        all.results[in_run] = all.rung[island];
    });
}

/// The next island with the same arm. The arms that are ahead in the race, and all where there is none, take in elites
/// of any island too; the others are judged by what they find themselves.
std::uint32_t Memetic::source_of(const View& all, std::uint32_t island, std::uint64_t t) const {
    const kernels::Philox4 words = kernels::draw4(seed_, t, island, kImmigrantStream, 0);
    const auto is_alike = [&](const RungResult& other) { return other.arm == all.results[island].arm; };
    const bool ahead = t >= rung_ && std::count_if(all.results, all.results + all.islands, is_alike) > 1;
    if ((ahead || rung_ == 0) && words.word[0] < cross_arms_) return kernels::below(words.word[1], all.islands);
    for (std::uint32_t step = 1; step < all.islands; ++step) {
        const std::uint32_t other = (island + step) % all.islands;
        if (is_alike(all.results[other])) return other;
    }
    return island;
}

/// An immigrant takes the place of the worst elite that it costs less than, where its cost is new to the island.
void Memetic::take_immigrants(Host& steps, std::uint64_t t) const {
    if (migrate_every_ == 0) return;
    const sdk::CostLess less = steps.settings().problem.less();
    steps.groups([&](std::uint32_t island, std::uint32_t) {
        Islands& all = steps.view();
        if (all.children[island] - all.immigration[island] < migrate_every_ * all.members[island]) return;
        const std::uint32_t source = source_of(all, all.first_island + island, t);
        const std::uint32_t place = worst_of(all, island, less);
        const qapfw_cost cost = all.emigrant_costs[source];
        all.immigration[island] = all.children[island];
        if (!less(cost, all.costs[place]) || !is_new(all, island, cost, place, less)) return;
        std::memcpy(all.elite(place), all.emigrants + source * all.bytes, all.bytes);
        all.costs[place] = cost;
        all.fresh[place] = 0;
    });
}

}  // namespace qapfw::memetic
