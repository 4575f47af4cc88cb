// SPDX-License-Identifier: Apache-2.0
// The steps of the island model GA on CPU threads.
#include <cstring>
#include <numeric>

#include "plugins/imga/imga.hpp"

namespace qapfw::imga {
namespace {

using View = Imga::View;

constexpr std::uint32_t kBatch = 64;  ///< children made and evaluated between two looks at should_stop; even

/// The first `count` of an island's individuals or children by cost and number; from the worst on where `worst` is set.
std::vector<std::uint32_t> ranked(const View& all, const qapfw_cost* costs, std::uint32_t island, std::uint32_t count,
                                  const sdk::CostLess& less, bool worst) {
    std::vector<std::uint32_t> members(all.size());
    std::iota(members.begin(), members.end(), island * all.size());
    std::partial_sort(members.begin(), members.begin() + count, members.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (less(costs[a], costs[b]) || less(costs[b], costs[a])) return less(costs[a], costs[b]) != worst;
        return worst ? b < a : a < b;
    });
    members.resize(count);
    return members;
}

void copy(const View& all, std::uint8_t* to, const std::uint8_t* from) {
    std::memcpy(to, from, all.bytes);
}

void put(const View& all, std::uint32_t k, const std::uint8_t* solution, qapfw_cost cost) {
    copy(all, all.parents + k * all.bytes, solution);
    all.costs[k] = cost;
}

bool equal(const sdk::CostLess& less, qapfw_cost a, qapfw_cost b) {
    return less.kind == QAPFW_COST_FLOAT64 ? kernels::island_equal_costs(a.f, b.f)
                                           : kernels::island_equal_costs(a.i, b.i);
}

void take_best(const View& all, std::uint32_t island, std::uint32_t k, std::uint64_t t) {
    copy(all, all.best_solutions + island * all.bytes, all.parents + k * all.bytes);
    all.best_costs[island] = all.costs[k];
    all.best_found[island] = t;
}

void keep_best(const View& all, std::uint32_t island, const sdk::CostLess& less, std::uint64_t t) {
    const qapfw_cost* const first = all.costs + std::uint64_t{island} * all.size();
    const auto best = static_cast<std::uint32_t>(std::min_element(first, first + all.size(), less) - all.costs);
    if (less(all.costs[best], all.present_best[island])) {
        all.present_best[island] = all.costs[best];
        all.improved[island] = t;
    }
    if (less(all.costs[best], all.best_costs[island])) take_best(all, island, best, t);
}

/// The children become the population, but the worst of them give way to the best parents.
void let_elites_live(const View& all, std::uint32_t island, const sdk::CostLess& less) {
    const auto elites = ranked(all, all.costs, island, all.elites, less, false);
    const auto places = ranked(all, all.child_costs, island, all.elites, less, true);
    for (std::uint32_t e = 0; e < all.elites; ++e) {
        copy(all, all.children + places[e] * all.bytes, all.parents + elites[e] * all.bytes);
        all.child_costs[places[e]] = all.costs[elites[e]];
    }
    const std::uint64_t first = std::uint64_t{island} * all.size();
    std::memcpy(all.parents + first * all.bytes, all.children + first * all.bytes, all.bytes * all.size());
    std::copy_n(all.child_costs + first, all.size(), all.costs + first);
}

/// The best of parents and children by cost, a parent before a child and no two of equal cost; where there are not
/// enough different costs, the best of the others. Parents that stay keep their places.
void take_best_distinct(const View& all, std::uint32_t island, const sdk::CostLess& less) {
    const std::uint32_t size = all.size(), first = island * size;
    const auto cost = [&](std::uint32_t c) {
        return c < size ? all.costs[first + c] : all.child_costs[first + c - size];
    };
    std::vector<std::uint32_t> candidates(2 * std::size_t{size});
    std::iota(candidates.begin(), candidates.end(), 0u);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return less(cost(a), cost(b)); });
    std::vector<std::uint8_t> lives(candidates.size());
    std::uint32_t living = 0;
    for (std::size_t c = 0; c < candidates.size() && living < size; ++c) {
        if (c > 0 && equal(less, cost(candidates[c - 1]), cost(candidates[c]))) continue;
        lives[candidates[c]] = 1;
        ++living;
    }
    for (std::size_t c = 0; living < size; ++c) {
        if (std::exchange(lives[candidates[c]], std::uint8_t{1}) == 0) ++living;
    }
    std::uint32_t next = size;
    for (std::uint32_t place = 0; place < size; ++place) {
        if (lives[place] != 0) continue;
        while (lives[next] == 0) ++next;
        put(all, first + place, all.children + (first + next - size) * all.bytes, cost(next));
        ++next;
    }
}

/// Only who is better than the one that would go, and whose cost the island does not have.
bool is_welcome(const View& all, std::uint32_t island, qapfw_cost cost, qapfw_cost worst, const sdk::CostLess& less) {
    const qapfw_cost* const first = all.costs + std::uint64_t{island} * all.size();
    return less(cost, worst) &&
           std::none_of(first, first + all.size(), [&](qapfw_cost own) { return equal(less, own, cost); });
}

}  // namespace

/// Children first .. last-1 of an island, whose first individual is `base`.
struct Imga::Part {
    const View& all;
    std::uint32_t first, last, base;
    Scratch& scratch;

    Part(const View& view, std::uint32_t begin, std::uint32_t end, Scratch& own)
        : all(view), first(begin), last(end), base(begin / view.size() * view.size()), scratch(own) {}

    std::uint8_t* child(std::uint32_t k) const { return all.children + k * all.bytes; }
    std::uint8_t* parent(std::uint32_t k) const { return all.parents + k * all.bytes; }
    /// The individual that won the tournament for k's place, and the one for its partner's: survivors are crossed in
    /// pairs, a last odd one with itself.
    std::uint32_t mother(std::uint32_t k) const { return scratch.survivors[k - first]; }
    std::uint32_t father(std::uint32_t k) const {
        const std::uint32_t partner = first + ((k - first) ^ 1u);
        return mother(partner < last ? partner : k);
    }
    /// The pair's first child.
    std::uint32_t elder(std::uint32_t k) const { return k - ((k - first) & 1u); }

    void select(const sdk::CostLess& less, std::uint64_t t) const;
    void cross(std::uint64_t t) const;
    void cross_segments(std::uint64_t t) const;
    void mutate(std::uint64_t t) const;
    void recognise_copies() const;
};

void Imga::Part::select(const sdk::CostLess& less, std::uint64_t t) const {
    const std::uint32_t island = all.first_island + base / all.size();
    for (std::uint32_t k = first; k < last; ++k) {
        scratch.survivors[k - first] =
            base + kernels::tournament_winner(all.rules.tournament, all.costs + base, less, t, island, k - base);
    }
}

/// Children of different survivors; else copies.
void Imga::Part::cross(std::uint64_t t) const {
    if (all.segments.count != 0) return cross_segments(t);
    kernels::with_views(all.bits_offset, [&](const auto& at) {
        for (std::uint32_t k = first; k < last; ++k) {
            const auto crossing = kernels::island_draw_crossing(all.rules, t, all.individual(elder(k)));
            all.changed[k] = mother(k) != father(k) && crossing.happens;
            if (all.changed[k] != 0) {
                kernels::island_cross(
                    all.rules, at(child(k)), at(parent(mother(k))), at(parent(father(k))), scratch.positions.data(),
                    at(scratch.mirror.data()),
                    kernels::island_crossover_draws(all.rules, t, all.individual(elder(k)), crossing));
            } else {
                copy(all, child(k), parent(mother(k)));
            }
        }
    });
}

void Imga::Part::cross_segments(std::uint64_t t) const {
    for (std::uint32_t k = first; k < last; ++k) {
        all.changed[k] =
            mother(k) != father(k) && kernels::island_draw_crossing(all.rules, t, all.individual(elder(k))).happens;
        copy(all, child(k), parent(mother(k)));
        if (all.changed[k] == 0) continue;
        kernels::cross_segments(all.segments, child(k), parent(mother(k)), parent(father(k)), scratch.mirror.data(),
                                all.rules.tournament.seed, t, all.individual(elder(k)));
    }
}

void Imga::Part::mutate(std::uint64_t t) const {
    for (std::uint32_t k = first; all.segments.count != 0 && k < last; ++k) {
        const std::uint32_t moves = kernels::island_count_moves(all.rules, t, all.individual(k));
        kernels::mutate_segments(all.segments, child(k), moves, all.rules.tournament.seed, t, all.individual(k));
        if (moves > 0) all.changed[k] = 1;
    }
    if (all.segments.count != 0) return;
    kernels::with_views(all.bits_offset, [&](const auto& at) {
        for (std::uint32_t k = first; k < last; ++k) {
            const auto mutation = kernels::island_draw_mutation(all.rules, t, all.individual(k));
            kernels::island_mutate(all.rules, at(child(k)), mutation, t, all.individual(k));
            if (mutation.moves > 0) all.changed[k] = 1;
            if (all.changed[k] != 0) kernels::island_restore_fixed(all.rules, at(child(k)), scratch.positions.data());
        }
    });
}

/// A child equal to one of its parents has that one's cost: the usual case in a population that has converged.
void Imga::Part::recognise_copies() const {
    for (std::uint32_t k = first; k < last; ++k) {
        for (const std::uint32_t p : {mother(k), father(k)}) {
            if (all.changed[k] != 0 && std::memcmp(child(k), parent(p), all.bytes) != 0) continue;
            all.changed[k] = 0;
            all.child_costs[k] = all.costs[p];
            break;
        }
    }
}

/// One batch of all children whose cost is not known.
void Imga::evaluate(Host& steps, const Part& part, std::uint32_t worker, std::uint64_t t) {
    Scratch& own = part.scratch;
    own.batch_children.clear();
    for (std::uint32_t k = part.first; k < part.last; ++k) {
        if (part.all.changed[k] == 0) continue;
        copy(part.all, own.batch.data() + own.batch_children.size() * part.all.bytes, part.child(k));
        own.batch_children.push_back(k);
    }
    steps.evaluate(worker, {own.batch.data(), own.batch_costs.data(), own.batch_children.size()}, own.batch_children,
                   t);
    for (std::size_t b = 0; b < own.batch_children.size(); ++b) {
        part.all.child_costs[own.batch_children[b]] = own.batch_costs[b];
    }
}

void Imga::prepare(Host& steps) const {
    set_values(steps.view(), steps.shard());
    const std::uint64_t bytes = steps.settings().bytes();
    const Scratch one{std::vector<std::uint32_t>(kBatch), std::vector<std::uint16_t>(options_.rules.n),
                      std::vector<std::uint8_t>(bytes),   std::vector<std::uint8_t>(bytes * kBatch),
                      std::vector<qapfw_cost>(kBatch),    {}};
    scratch_.assign(steps.settings().host.workers(), one);
}

void Imga::draw(Host& steps, std::uint64_t t) {
    steps.individuals(kBatch, [&](std::uint32_t first, std::uint32_t last, std::uint32_t worker) {
        const View& all = steps.view();
        const Part part(all, first, last, scratch_[worker]);
        const std::uint64_t warm = t == 0 ? steps.settings().warm_count() : 0;
        kernels::with_views(all.bits_offset, [&](const auto& at) {
            for (std::uint32_t k = first; k < last; ++k) {
                const std::uint64_t w = all.warm_start(k);
                copy(all, part.parent(k),
                     w < warm ? steps.settings().warm_start(w)
                              : reinterpret_cast<const std::uint8_t*>(all.rules.fixed_solution));
                if (w < warm) continue;
                if (all.segments.count != 0) {
                    kernels::draw_segments(all.segments, part.parent(k), all.rules.tournament.seed, t,
                                           all.individual(k));
                    continue;
                }
                kernels::island_draw(all.rules, at(part.parent(k)), part.scratch.positions.data(), t,
                                     all.individual(k));
            }
        });
        steps.evaluate(worker, {part.parent(first), all.costs + first, last - first}, first, t);
    });
}

void Imga::improve_drawn(Host& steps, std::uint64_t t) {
    if (!steps.improves()) return;
    steps.individuals(1, [&](std::uint32_t k, std::uint32_t, std::uint32_t worker) {
        const View& all = steps.view();
        steps.improve(worker, all.parents + k * all.bytes, all.costs + k, k, t, kStartImproverStream);
    });
}

void Imga::begin(Host& steps, std::uint64_t t) {
    steps.groups([&](std::uint32_t island, std::uint32_t) {
        const View& all = steps.view();
        const std::uint32_t first = island * all.size();
        all.present_best[island] = all.costs[first];
        all.improved[island] = t;
        if (t == 0) take_best(all, island, first, 0);
        if (t > 0) ++all.restarts[island];
        keep_best(all, island, steps.settings().problem.less(), t);
    });
}

void Imga::breed(Host& steps, std::uint64_t t) {
    steps.individuals(kBatch, [&](std::uint32_t first, std::uint32_t last, std::uint32_t worker) {
        const Part part(steps.view(), first, last, scratch_[worker]);
        part.select(steps.settings().problem.less(), t);
        part.cross(t);
        part.mutate(t);
        part.recognise_copies();
        evaluate(steps, part, worker, t);
    });
}

/// On new children, each with probability improve_rate.
void Imga::improve(Host& steps, std::uint64_t t) {
    if (!steps.improves()) return;
    steps.individuals(1, [&](std::uint32_t k, std::uint32_t, std::uint32_t worker) {
        const View& all = steps.view();
        const std::uint64_t seed = all.rules.tournament.seed;
        if (all.changed[k] == 0) return;
        if (kernels::draw(seed, t, all.individual(k), kernels::kIslandImproveStream, 0) >= all.improve) return;
        steps.improve(worker, all.children + k * all.bytes, all.child_costs + k, k, t, kImproverStream);
    });
}

void Imga::replace(Host& steps, std::uint64_t t) {
    const sdk::CostLess less = steps.settings().problem.less();
    steps.groups([&](std::uint32_t island, std::uint32_t) {
        if (options_.distinct) {
            take_best_distinct(steps.view(), island, less);
        } else {
            let_elites_live(steps.view(), island, less);
        }
        keep_best(steps.view(), island, less, t);
    });
}

void Imga::show_emigrants(Host& steps) {
    steps.groups([&](std::uint32_t island, std::uint32_t) {
        const View& all = steps.view();
        std::uint64_t seat = std::uint64_t{all.first_island + island} * all.migration.emigrants;
        const sdk::CostLess less = steps.settings().problem.less();
        for (const std::uint32_t k : ranked(all, all.costs, island, all.migration.emigrants, less, false)) {
            copy(all, all.emigrants.solutions + seat * all.bytes, all.parents + k * all.bytes);
            all.emigrants.costs[seat++] = all.costs[k];
        }
    });
}

/// Immigrants take the places of the worst; with replacement "distinct" only where they are welcome.
void Imga::take_immigrants(Host& steps, std::uint64_t t) {
    const sdk::CostLess less = steps.settings().problem.less();
    steps.groups([&](std::uint32_t island, std::uint32_t) {
        const View& all = steps.view();
        const kernels::IslandSources sources = all.sources(island, t);
        const auto worst = ranked(all, all.costs, island, all.migration.migrants, less, true);
        auto place = worst.begin();
        for (std::uint32_t m = 0; m < all.migration.migrants; ++m) {
            const std::uint64_t from = all.immigrant(sources, t, m);
            const qapfw_cost cost = all.emigrants.costs[from];
            if (options_.distinct && !is_welcome(all, island, cost, all.costs[*place], less)) continue;
            put(all, *place++, all.emigrants.solutions + from * all.bytes, cost);
        }
        keep_best(all, island, less, t);
    });
}

}  // namespace qapfw::imga
