// SPDX-License-Identifier: Apache-2.0
#include "plugins/ga_independent/ga_independent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "embedded/ga_independent_texts.hpp"

namespace qapfw::ga_independent {
namespace {

void lower(std::atomic<std::uint64_t>& value, std::uint64_t bound) {
    std::uint64_t seen = value;
    while (bound < seen && !value.compare_exchange_weak(seen, bound)) {
    }
}

}  // namespace

std::uint32_t restart_threshold(double share, std::uint32_t size) {
    // Without the 1e-9, a rounding error could add 1: in binary64, 0.55 * 100 is slightly more than 55.
    return static_cast<std::uint32_t>(std::ceil(share * size - 1e-9));
}

GaIndependent::GaIndependent(const sdk::SolverContext& context)
    : context_(context),
      ga_(context, "blocks"),
      restart_at_(restart_threshold(context.parameters.real("restart_share"), shape().size)),
      restart_check_(static_cast<std::uint64_t>(context.parameters.integer("restart_check"))),
      asynchronous_(context.parameters.choice("found_flag") == 1),
      round_(sdk::resolve_ga_round(context, shape().individuals())) {
    if (!asynchronous_) return;
    context_.host.warn(
        "ga_independent: with found_flag = \"asynchronous\" a run that reaches its target is not reproducible");
}

void GaIndependent::declare(sdk::Fields<View>& fields, const sdk::Run& run) {
    using sdk::FieldOf;
    ga_.declare(fields, context_, run.seed());
    const std::uint64_t stride = context_.problem.solution_bytes() / sizeof(std::uint16_t);
    fields.add<&View::best_solutions>({.of = FieldOf::kGroup, .count = stride, .is_state = true, .is_solution = true});
    best_costs_ = fields.add<&View::best_costs>({.of = FieldOf::kGroup, .is_state = true});
    best_found_ = fields.add<&View::best_found>({.of = FieldOf::kGroup, .is_state = true, .fresh = 0xFF});
    fields.add<&View::restarts>({.of = FieldOf::kGroup, .is_state = true});
    fields.add<&View::evaluations>({.of = FieldOf::kGroup, .is_state = true, .is_saved = false});
    fields.add<&View::drawn_anew>({.of = FieldOf::kGroup, .is_for_device = true});
    fields.add<&View::end>({.of = FieldOf::kPlace, .count = 2, .is_for_device = true});
    stands_at_.resize(shape().groups);
    reached_.resize(shape().groups);
    restarts_now_.resize(shape().groups);
}

void GaIndependent::keep_bests(Host& steps, std::uint64_t) {
    steps.groups([&](std::uint32_t block, std::uint32_t) { keep_best(steps, block); });
}

void GaIndependent::keep_best(Host& steps, std::uint32_t block) const {
    const View& view = steps.view();
    const auto& pools = view.population.pools;
    const sdk::CostLess less = context_.problem.less();
    const std::uint32_t k = kernels::ga_best(pools.costs, pools.found, less, block * shape().size, shape().size);
    if (view.best_found[block] != kNotFound && !less(pools.costs[k], view.best_costs[block])) return;
    std::copy_n(pools.parent(k), pools.stride, view.best_solutions + block * pools.stride);
    view.best_costs[block] = pools.costs[k];
    view.best_found[block] = pools.found[k];
}

bool GaIndependent::has_reached(Host& steps, std::uint32_t block) const {
    return steps.run().has_target() && !context_.problem.less()(steps.run().target(), steps.view().best_costs[block]);
}

void GaIndependent::end_generation(Host& steps, std::uint64_t t) {
    steps.groups([&](std::uint32_t block, std::uint32_t) {
        reached_[block] = has_reached(steps, block) ? 1 : 0;
        ga_.select_in(steps, block, t);
        keep_best(steps, block);
        restarts_now_[block] = restart_is_due(steps, block, t) ? 1 : 0;
    });
    restart(steps, t);
    look_at_target(steps, t);
}

bool GaIndependent::restart_is_due(Host& steps, std::uint32_t block, std::uint64_t t) const {
    if (restart_at_ == 0 || t % restart_check_ != 0) return false;
    const qapfw_cost* const costs = steps.view().population.pools.costs + std::size_t{block} * shape().size;
    return kernels::ga_count_best(costs, context_.problem.less(), shape().size) >= restart_at_;
}

/// If a group restarts, replaces all its individuals by random individuals, even the best one (section III.B.3).
void GaIndependent::restart(Host& steps, std::uint64_t t) {
    if (restart_at_ == 0 || t % restart_check_ != 0) return;
    steps.individuals(steps.improves() ? 1 : ga_.kBatch,
                      [&](std::uint32_t first, std::uint32_t last, std::uint32_t worker) {
                          if (restarts_now_[first / shape().size] == 0) return;
                          for (std::uint32_t k = first; k < last; ++k) {
                              ga_.draw_individual(steps, k, t);
                              ga_.settle_individual(steps, k, t, worker);
                          }
                      });
    steps.groups([&](std::uint32_t block, std::uint32_t) {
        if (restarts_now_[block] == 0) return;
        ++steps.view().restarts[block];
        keep_best(steps, block);
    });
}

void GaIndependent::look_at_target(Host& steps, std::uint64_t t) {
    steps.groups([&](std::uint32_t block, std::uint32_t) {
        stands_at_[block] = t;
        if (reached_[block] == 0 && has_reached(steps, block)) lower(end_, t);
    });
}

bool GaIndependent::advance(OnHost& population, std::uint64_t first, std::uint64_t last, bool& ran_ahead) {
    end_ = last;
    if (!population.evolve(*this, first, last)) return false;
    const auto here = stands_at_.begin();
    ran_ahead = std::any_of(here, here + population.shard().groups, [&](std::uint64_t at) { return at > end_; });
    return true;
}

/// Lowers `end_` to the first generation in which a group of any process reached the target. So all processes end the
/// round there. Returns false if a process was cut short.
bool GaIndependent::meet_at_end(const sdk::Processes& processes, bool complete, bool& ran_ahead) {
    if (processes.alone()) return complete;
    struct Told {
        std::uint64_t end, complete;
    };
    const std::uint64_t own = end_;
    for (const Told& told : processes.gather_values(Told{own, complete ? 1u : 0u})) {
        complete = complete && told.complete != 0;
        lower(end_, told.end);
    }
    ran_ahead = ran_ahead || end_ < own;
    return complete;
}

sdk::Leader GaIndependent::leader(Host& steps) const {
    const View& view = steps.view();
    return steps.leader(view.best_solutions, view.best_costs, view.best_found, steps.shard().groups,
                        steps.shard().first_group);
}

std::uint64_t GaIndependent::digest(Host& steps, std::uint64_t t) const {
    const View& view = steps.view();
    return steps.digest(view.population.pools.parents, view.population.pools.costs, t,
                        [&](std::uint32_t k) { return view.best_costs[k / shape().size]; });
}

std::uint64_t GaIndependent::restarts_of(OnHost& population) const {
    const std::uint64_t* const restarts = population.steps().view().restarts;
    return std::accumulate(restarts, restarts + population.shard().groups, std::uint64_t{0});
}

bool GaIndependent::leader_has_reached(OnHost& population) const {
    bool reached = false;
    for (std::uint32_t block = 0; block < population.shard().groups; ++block) {
        reached = reached || has_reached(population.steps(), block);
    }
    return reached;
}

}  // namespace qapfw::ga_independent
