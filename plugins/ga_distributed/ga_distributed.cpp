// SPDX-License-Identifier: Apache-2.0
#include "plugins/ga_distributed/ga_distributed.hpp"

#include "embedded/ga_distributed_texts.hpp"

namespace qapfw::ga_distributed {
namespace {

/// Number of individuals that an exchange moves: the fraction `share`, rounded, but at least two. 0 if the fraction is
/// 0 or there is only one individual.
std::uint32_t individuals_moved(double share, std::uint32_t individuals) {
    if (share <= 0 || individuals < 2) return 0;
    return std::clamp(static_cast<std::uint32_t>(share * individuals + 0.5), 2u, individuals);
}

}  // namespace

GaDistributed::GaDistributed(const sdk::SolverContext& context)
    : context_(context),
      ga_(context, "subpopulations"),
      exchange_every_(static_cast<std::uint64_t>(context.parameters.integer("exchange_every"))),
      moved_(individuals_moved(context.parameters.real("exchange_share"), shape().individuals())),
      round_(sdk::resolve_ga_round(context, shape().individuals())) {}

void GaDistributed::keep_to(std::uint64_t evaluations) {
    ga_.keep_to(evaluations);
    moved_ = individuals_moved(context_.parameters.real("exchange_share"), shape().individuals());
}

void GaDistributed::declare(sdk::Fields<View>& fields, const sdk::Run& run) {
    ga_.declare(fields, context_, run.seed());
    const std::uint64_t size = exchange_every_ > 0 ? shape().size : 0;
    const std::uint64_t stride = context_.problem.solution_bytes() / sizeof(std::uint16_t);
    all_solutions_ = fields.add<&View::all, &kernels::GaPools<qapfw_cost>::parents>(
        {.of = sdk::FieldOf::kRun, .count = size * stride});
    all_costs_ =
        fields.add<&View::all, &kernels::GaPools<qapfw_cost>::costs>({.of = sdk::FieldOf::kRun, .count = size});
    all_found_ =
        fields.add<&View::all, &kernels::GaPools<qapfw_cost>::found>({.of = sdk::FieldOf::kRun, .count = size});
    fields.add<&View::bests, &Bests<qapfw_cost>::costs>({.of = sdk::FieldOf::kGroup, .is_for_device = true});
    fields.add<&View::bests, &Bests<qapfw_cost>::found>({.of = sdk::FieldOf::kGroup, .is_for_device = true});
    fields.add<&View::bests, &Bests<qapfw_cost>::individuals>({.of = sdk::FieldOf::kGroup, .is_for_device = true});
}

void GaDistributed::generations(Device& place, std::uint64_t first, std::uint64_t last) {
    using Memory = sdk::BaseGa<View>::SharedMemory;
    const Memory& memory = place.own<Memory>([&] { return ga_.shared_memory(place, kEvolve); });
    if (memory.fitting == 0) {
        for (std::uint64_t t = first + 1; t <= last; ++t) generation(place, t);
        return;
    }
    const View from = place.make_anew();
    place.launch(kEvolve, place.shard().groups, memory.threads, memory.bytes, from.population,
                 place.view().population.pools, place.problem_view(), first, last);
    place.count((last - first) * place.shard().individuals());
}

kernels::RandomBijection GaDistributed::places_at(std::uint64_t t) const {
    return kernels::random_bijection(ga_.rules().seed, t, kernels::kGaExchangeStream, shape().individuals());
}

void GaDistributed::show_individuals(Host& steps) const {
    const View& view = steps.view();
    const std::uint64_t first = steps.shard().first_individual(), count = steps.shard().individuals();
    std::copy_n(view.population.pools.parents, count * view.all.stride, view.all.parent(first));
    std::copy_n(view.population.pools.costs, count, view.all.costs + first);
    std::copy_n(view.population.pools.found, count, view.all.found + first);
}

/// Copies the place's individuals to the arrays of the run. A place that has all individuals swaps its arrays with
/// those of the run instead. It then copies the individuals back if some of them do not move. take_individuals
/// writes to the arrays that the place got.
void GaDistributed::show_individuals(Device& place) const {
    const bool has_all = place.shard().groups == shape().groups;
    const std::pair<sdk::Fields<View>::Id, sdk::Fields<View>::Id> fields[] = {
        {ga_.solutions, all_solutions_}, {ga_.costs, all_costs_}, {ga_.found, all_found_}};
    for (const auto& [own, all] : fields) {
        if (!has_all) {
            place.copy_to_run(all, own);
            continue;
        }
        place.swap(own, all);
        if (moved_ < shape().individuals()) place.copy(own, all);
    }
}

void GaDistributed::take_individuals(Host& steps, std::uint64_t t) const {
    const View& view = steps.view();
    const kernels::RandomBijection places = places_at(t);
    for (std::uint32_t k = 0; k < moved_; ++k) {
        const kernels::GaMove move = kernels::ga_move(places, k, moved_);
        const std::uint32_t to = move.to - steps.shard().first_individual();
        if (to >= steps.shard().individuals()) continue;
        std::copy_n(view.all.parent(move.from), view.all.stride, view.population.pools.parent(to));
        view.population.pools.costs[to] = view.all.costs[move.from];
        view.population.pools.found[to] = view.all.found[move.from];
    }
}

void GaDistributed::take_individuals(Device& place, std::uint64_t t) const {
    place.change_in_place();
    place.launch(kMove, ga_.blocks_for_warps(moved_), ga_.kThreads, 0, place.view().population, places_at(t),
                 place.view().all, moved_);
}

sdk::Leader GaDistributed::leader(Host& steps) const {
    const auto& pools = steps.view().population.pools;
    return steps.leader(pools.parents, pools.costs, pools.found, steps.shard().individuals(),
                        steps.shard().first_individual());
}

std::uint64_t GaDistributed::digest(Host& steps, std::uint64_t t) const {
    const auto& pools = steps.view().population.pools;
    return steps.digest(pools.parents, pools.costs, t, [&](std::uint32_t k) { return pools.costs[k]; });
}

void GaDistributed::report(Device& place, std::uint64_t t, bool complete) {
    const View& view = place.view();
    place.launch(kBests, place.shard().groups, 32, 0, view.population, view.bests);
    place.launch(kReport, 1, 32, 0, view.population, view.bests, place.report_buffer());
    if (!complete) return;
    const std::uint32_t individuals = place.shard().individuals();
    const std::uint32_t of_warp = kernels::ga_digested_by_warp(individuals, place.device().multiprocessors);
    place.launch(kDigest, ga_.blocks_for_warps((individuals + of_warp - 1) / of_warp), ga_.kThreads, 0, view.population,
                 t, of_warp, place.report_buffer());
}

sdk::KernelRequest GaDistributed::kernel_request(const sdk::KernelName& name, const qapfw_device&,
                                                 const sdk::Shard&) const {
    return ga_.request(device::kTexts, name);
}

std::vector<sdk::KernelName> GaDistributed::kernels() const {
    return {kBegin, kEvolve, kBreed, kSelect, kMove, kBests, kReport, kDigest};
}

}  // namespace qapfw::ga_distributed
