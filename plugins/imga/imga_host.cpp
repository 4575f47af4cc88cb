// SPDX-License-Identifier: Apache-2.0
// The steps of the island model GA on CPU threads.
#include <cstring>
#include <numeric>

#include "plugins/imga/device/island_steps.hpp"
#include "plugins/imga/imga.hpp"

namespace qapfw::imga {
namespace {

using View = Imga::View;

constexpr std::uint32_t kBatch = 64;  ///< children between two checks of should_stop; even, since children form pairs

void copy(const View& all, std::uint8_t* to, const std::uint8_t* from) {
    std::memcpy(to, from, all.bytes);
}

/// One thread that carries out an island's steps alone.
struct OneThread {
    sdk::CostLess order;

    bool less(qapfw_cost a, qapfw_cost b) const { return order(a, b); }
    bool equal(qapfw_cost a, qapfw_cost b) const {
        return order.kind == QAPFW_COST_FLOAT64 ? kernels::island_equal_costs(a.f, b.f)
                                                : kernels::island_equal_costs(a.i, b.i);
    }
    static bool leads_part() { return true; }
    static void sync() {}
    static void once(const auto& body) { body(); }
    static void parts(std::uint32_t count, const auto& body) {
        for (std::uint32_t k = 0; k < count; ++k) body(k);
    }
    static bool any(std::uint32_t count, const auto& body) {
        for (std::uint32_t k = 0; k < count; ++k) {
            if (body(k)) return true;
        }
        return false;
    }
    static void copy(std::uint8_t* to, const std::uint8_t* from, std::uint64_t bytes) { std::memcpy(to, from, bytes); }
    std::uint32_t best(const qapfw_cost* costs, std::uint32_t size) const {
        return static_cast<std::uint32_t>(std::min_element(costs, costs + size, order) - costs);
    }
    template <bool kFromWorst>
    void first_by_cost(const qapfw_cost* costs, std::uint32_t size, std::uint32_t* to, std::uint32_t count) const {
        std::vector<std::uint32_t> members(size);
        std::iota(members.begin(), members.end(), 0u);
        std::partial_sort_copy(members.begin(), members.end(), to, to + count, [&](std::uint32_t a, std::uint32_t b) {
            if (less(costs[a], costs[b]) || less(costs[b], costs[a])) return less(costs[a], costs[b]) != kFromWorst;
            return kFromWorst ? b < a : a < b;
        });
    }
    void sort(const auto& cost, std::uint32_t* sorted, std::uint32_t count) const {
        std::iota(sorted, sorted + count, 0u);
        std::stable_sort(sorted, sorted + count,
                         [&](std::uint32_t a, std::uint32_t b) { return less(cost(a), cost(b)); });
    }
};

/// Calls body(island) for every island of the place.
void each_island(Imga::Host& steps, const auto& body) {
    const OneThread worker{steps.settings().problem.less()};
    steps.groups([&](std::uint32_t island, std::uint32_t) {
        body(IslandSteps<qapfw_cost, OneThread>(steps.view(), island, worker));
    });
}

}  // namespace

/// Children first .. last-1 of an island; `base`: index of the island's first individual.
struct Imga::Part {
    const View& all;
    std::uint32_t first, last, base;
    Scratch& scratch;

    Part(const View& view, std::uint32_t begin, std::uint32_t end, Scratch& own)
        : all(view), first(begin), last(end), base(begin / view.size() * view.size()), scratch(own) {}

    std::uint8_t* child(std::uint32_t k) const { return all.children + k * all.bytes; }
    std::uint8_t* parent(std::uint32_t k) const { return all.parents + k * all.bytes; }
    /// Parents of child k. Children form pairs; a last child without a partner is its own partner. The mother won the
    /// tournament of child k, and the father won the tournament of k's partner.
    std::uint32_t mother(std::uint32_t k) const { return base + scratch.plans[k - first].mother; }
    std::uint32_t father(std::uint32_t k) const {
        const std::uint32_t partner = first + ((k - first) ^ 1u);
        return mother(partner < last ? partner : k);
    }

    void plan(const sdk::CostLess& less, std::uint64_t t) const;
    void make(std::uint64_t t) const;
    void recognise_copies() const;
};

void Imga::Part::plan(const sdk::CostLess& less, std::uint64_t t) const {
    for (std::uint32_t k = first; k < last; ++k) {
        scratch.plans[k - first] = plan_child(all, all.rules, less, base / all.size(), k - base, t);
    }
}

void Imga::Part::make(std::uint64_t t) const {
    for (std::uint32_t k = first; k < last; ++k) {
        const Workplace at{parent(mother(k)), parent(father(k)), child(k), scratch.mirror.data(),
                           scratch.positions.data()};
        copy(all, at.child, at.mother);
        const std::uint32_t number = all.individual(k), elder = number - ((k - base) & 1u);
        const bool changed = change_child<kernels::kAllCrossovers, Segmented::kAsRun, kernels::WithBits::kAsOffsetSays>(
            all, all.rules, at, scratch.plans[k - first], mother(k) != father(k), number, elder, t);
        all.changed[k] = changed ? 1 : 0;
    }
}

/// If a child equals one of its parents, gives the child the cost of this parent, so that the child is not evaluated.
/// In a converged population, most children equal a parent.
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

/// Evaluates all children with unknown cost in one batch.
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
    const Scratch one{std::vector<ChildPlan>(kBatch),   std::vector<std::uint16_t>(options_.rules.n),
                      std::vector<std::uint8_t>(bytes), std::vector<std::uint8_t>(bytes * kBatch),
                      std::vector<qapfw_cost>(kBatch),  {}};
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
    each_island(steps, [t](const auto& island) { island.begin(t); });
}

void Imga::breed(Host& steps, std::uint64_t t) {
    steps.individuals(kBatch, [&](std::uint32_t first, std::uint32_t last, std::uint32_t worker) {
        const Part part(steps.view(), first, last, scratch_[worker]);
        part.plan(steps.settings().problem.less(), t);
        part.make(t);
        part.recognise_copies();
        evaluate(steps, part, worker, t);
    });
}

/// Improves children with probability improve_rate, except those that equal a parent.
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
    const View& all = steps.view();
    each_island(steps, [&](const auto& island) {
        if (options_.distinct)
            island.take_best_distinct();
        else
            island.let_elites_live();
        island.keep_best(all.next_solutions(), all.next_costs(), t);
        if (!options_.distinct) island.take_children();
    });
}

void Imga::show_emigrants(Host& steps) {
    each_island(steps, [](const auto& island) { island.show_best(); });
}

void Imga::take_immigrants(Host& steps, std::uint64_t t) {
    each_island(steps, [t](const auto& island) { island.take_immigrants(t); });
}

}  // namespace qapfw::imga
