// SPDX-License-Identifier: Apache-2.0
#include "plugins/cas/cas.hpp"

#include <numeric>
#include <string>

#include "plugins/cas/construction_scratch.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/operator_parameters.hpp"
#include "qapfw/sdk/round_length.hpp"

namespace qapfw::cas {
namespace {

constexpr std::uint64_t kRowsPerTask = 16;

/// Returns the default number of iterations of a round. Such a round takes a few milliseconds on a GPU. At the end of a
/// round the host looks at the best solution.
std::uint64_t default_round(const CasOptions& options, bool improves) {
    const std::uint64_t elements = std::uint64_t{options.all_ants()} * options.values;
    return improves ? std::clamp<std::uint64_t>(6400 / elements, 1, 16)
                    : std::clamp<std::uint64_t>(640'000 / elements, 1, 256);
}

CasOptions read_options(const sdk::SolverContext& context, const SegmentRows& rows) {
    const sdk::Parameters& p = context.parameters;
    const PaperParameters paper{static_cast<std::uint32_t>(p.integer("ants")), p.real("rho"), p.real("gamma"),
                                p.real("p_best")};
    CasOptions options{};
    options.free = sdk::free_positions(context.problem);
    options.values = options.most_values = context.problem.length();
    if (sdk::has_segments(context.problem)) {
        options.segments = context.problem.encoding().segment_count;
        options.trails_of_segments = rows.trail_size();
        options.most_values = rows.most_values();
        options.free.resize(rows.rows().size());
        std::iota(options.free.begin(), options.free.end(), std::uint16_t{0});
        options.values =
            1 + static_cast<std::uint32_t>(rows.trail_size() / std::max<std::size_t>(1, rows.rows().size()));
    }
    options.rules = make_rules(paper, static_cast<std::uint32_t>(options.free.size()));
    options.thresholds = cunning_thresholds(static_cast<std::uint32_t>(options.free.size()), paper.gamma);
    options.colonies = static_cast<std::uint32_t>(p.integer("colonies"));
    options.has_real_costs = !context.problem.has_integer_costs();
    options.shape = sdk::solution_shape(context.problem);
    options.bay_moves = kernels::probability_threshold(p.real("bay_moves"));
    if (std::uint64_t{paper.ants} * options.colonies > 100'000'000) {
        throw Error(ErrorKind::kUsage, "cas: ants * colonies must be at most 100000000, found " +
                                           std::to_string(paper.ants) + " * " + std::to_string(options.colonies));
    }
    return options;
}

std::uint64_t resolve_round(const sdk::SolverContext& context, const CasOptions& options) {
    if (!context.parameters.is_auto("round")) return static_cast<std::uint64_t>(context.parameters.integer("round"));
    const std::uint64_t round =
        sdk::bounded_round(context.problem, options.all_ants(), default_round(options, context.improver != nullptr));
    context.host.resolve("round", static_cast<std::int64_t>(round));
    return round;
}

/// The costs as an array of qapfw_cost, which the functions of Host take. The bytes are the same.
qapfw_cost* as_costs(std::int64_t* costs) {
    return reinterpret_cast<qapfw_cost*>(costs);
}

}  // namespace

Cas::Cas(const sdk::SolverContext& context)
    : context_(context),
      segments_(context.problem, 0, 0),
      rows_(context.problem),
      options_(read_options(context, rows_)),
      exchange_every_(static_cast<std::uint64_t>(context.parameters.integer("exchange_every"))),
      round_(resolve_round(context, options_)),
      deposits_(options_.ants()) {}

void Cas::declare(sdk::Fields<View>& fields, const sdk::Run& run) {
    using sdk::FieldOf;
    seed_ = run.seed();
    const std::uint64_t stride = context_.problem.solution_bytes() / sizeof(std::uint16_t);
    fields.add<&View::costs>({.is_state = true});
    fields.add<&View::found>({.is_state = true});
    fields.add<&View::references>({.of = FieldOf::kGroup, .is_state = true});
    fields.add<&View::trail>({.of = FieldOf::kGroup, .count = options_.trail_size(), .is_state = true});
    fields.add<&View::ants>({.count = stride, .is_state = true, .is_solution = true});
    fields.add<&View::children>({.count = stride});
    fields.add<&View::child_costs>({});
    champions_ = fields.add<&View::exchange, &Exchange::champions>({.of = FieldOf::kRun, .count = stride});
    ends_ = fields.add<&View::exchange, &Exchange::ends>({.of = FieldOf::kRun});
    std::uint64_t scratch = 0;
    for (const qapfw_device* device : run.devices()) {
        scratch = std::max(scratch, construction_in_memory(*device, options_));
    }
    fields.add<&View::scratch>({.count = scratch / sizeof(std::uint64_t), .is_for_device = true});
    fields.constant<&View::tables, &kernels::CunningTables::free>(options_.free);
    fields.constant<&View::tables, &kernels::CunningTables::thresholds>(options_.thresholds);
    fields.constant<&View::order>(sdk::kernel_order(context_.problem));
    fields.constant<&View::trails, &SegmentTrails::rows>(rows_.rows());
    segments_.declare<&View::trails, &SegmentTrails::list>(fields);
}

void Cas::prepare_scratch(Host& steps) const {
    constructions_.resize(std::size_t{steps.settings().host.workers()} * 2 *
                          std::max<std::size_t>(1, options_.free.size()));
    if (segments_)
        pools_.resize(std::size_t{steps.settings().host.workers()} * (options_.free.size() + options_.segments));
}

/// Makes the first ants (steps 2 and 3 of Fig. 2): the warm starts, then random ants.
void Cas::sample_randomly(Host& steps) {
    const View& view = steps.view();
    steps.individuals(1, [&](std::uint32_t k, std::uint32_t, std::uint32_t worker) {
        std::uint16_t* const child = view.children + std::uint64_t{k} * view.stride;
        const std::uint32_t number = view.first_ant + k;
        if (number < steps.settings().warm_count()) {
            std::memcpy(child, steps.settings().warm_start(number), steps.settings().bytes());
        } else if (segments_) {
            sdk::base_solution(context_.problem, child);
            kernels::draw_segments(view.trails.list, reinterpret_cast<std::uint8_t*>(child), seed_, 0, number);
        } else {
            sdk::base_solution(context_.problem, child);
            kernels::shuffle(child, view.tables.free, view.tables.free_count, seed_, 0, number,
                             kernels::kFirstAntStream);
            if (options_.has_bits()) kernels::draw_ant_bits(bits_of(child), options_.values, {seed_, 0, number});
        }
        steps.evaluate(worker, {child, as_costs(view.child_costs + k), 1}, k, 0);
    });
}

/// Updates the trails of all colonies (step 5 of Fig. 2).
void Cas::update_trail(Host& steps) {
    for (std::uint32_t colony = 0; colony < steps.shard().groups && !steps.is_cut(); ++colony) {
        const kernels::TrailLimits limits = measure_deposits(steps, colony);
        const std::uint64_t rows = options_.free.size();
        context_.host.parallel_for((rows + kRowsPerTask - 1) / kRowsPerTask, [&](std::uint64_t task, std::uint32_t) {
            const std::uint64_t last = std::min(rows, (task + 1) * kRowsPerTask);
            for (std::uint64_t row = task * kRowsPerTask; row < last; ++row) update_row(steps, colony, row, limits);
        });
    }
}

std::uint64_t Cas::deposit(const kernels::DepositReference& reference, std::int64_t cost) const {
    return options_.has_real_costs ? kernels::deposit<true>(options_.rules, reference, cost)
                                   : kernels::deposit(options_.rules, reference, cost);
}

kernels::TrailLimits Cas::measure_deposits(Host& steps, std::uint32_t colony) {
    const View& view = steps.view();
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < options_.ants(); ++k) {
        deposits_[k] = deposit(view.references[colony], view.costs[colony * options_.ants() + k]);
        sum += deposits_[k];
    }
    return kernels::trail_limits(options_.rules, sum);
}

/// Updates the trails of one position by equation 1 of the paper, and clamps them to `limits`.
void Cas::update_row(Host& steps, std::uint32_t colony, std::uint64_t row, const kernels::TrailLimits& limits) const {
    const View& view = steps.view();
    if (segments_) return update_segment_row(view, colony, rows_.rows()[row], limits);
    std::uint64_t* const trail = view.trail + colony * options_.trail_size() + row * options_.values;
    const std::uint16_t position = options_.free[row];
    for (std::uint32_t v = 0; v < options_.values; ++v) trail[v] = kernels::evaporated(options_.rules, trail[v]);
    for (std::uint32_t k = 0; k < options_.ants(); ++k) {
        trail[view.ants[(std::uint64_t{colony} * options_.ants() + k) * view.stride + position]] += deposits_[k];
    }
    for (std::uint32_t v = 0; v < options_.values; ++v) trail[v] = kernels::within(limits, trail[v]);
}

void Cas::update_segment_row(const View& view, std::uint32_t colony, const TrailRow& row,
                             const kernels::TrailLimits& limits) const {
    const kernels::SegmentView& segment = view.trails.list.segments[row.segment];
    std::uint64_t* const trail = view.trail + colony * options_.trail_size() + row.begin;
    for (std::uint32_t v = 0; v < row.values; ++v) trail[v] = kernels::evaporated(options_.rules, trail[v]);
    for (std::uint32_t k = 0; k < options_.ants(); ++k) {
        const std::uint64_t ant = std::uint64_t{colony} * options_.ants() + k;
        const auto* const solution = reinterpret_cast<const std::uint8_t*>(view.ants + ant * view.stride);
        trail[kernels::segment_element(segment, solution, row.position)] += deposits_[k];
    }
    for (std::uint32_t v = 0; v < row.values; ++v) trail[v] = kernels::within(limits, trail[v]);
}

/// Constructs and evaluates the cunning ants (step 6 of Fig. 2).
void Cas::construct(Host& steps, std::uint64_t iteration) {
    const View& view = steps.view();
    steps.individuals(1, [&](std::uint32_t k, std::uint32_t, std::uint32_t worker) {
        const std::uint16_t* const donor = view.ants + std::uint64_t{k} * view.stride;
        std::uint16_t* const child = view.children + std::uint64_t{k} * view.stride;
        std::copy_n(donor, view.stride, child);
        std::uint16_t* const order = constructions_.data() + std::size_t{worker} * 2 * options_.free.size();
        const std::uint64_t* const trail = view.trail + (k / options_.ants()) * options_.trail_size();
        const kernels::AntDraws draws{seed_, iteration, view.first_ant + k};
        if (segments_) {
            construct_segments(view, trail, child, worker, draws);
        } else {
            kernels::construct_cunning_ant(view.tables, trail, donor, child, order, order + options_.free.size(),
                                           draws);
        }
        if (options_.has_bits()) {
            kernels::change_ant_bits(child, bits_of(child), options_.values, options_.bay_moves,
                                     {seed_, iteration, view.first_ant + k});
        }
        steps.evaluate(worker, {child, as_costs(view.child_costs + k), 1}, k, iteration);
    });
}

/// Draws new values for the sampled elements of the child, which is a copy of its donor.
void Cas::construct_segments(const View& view, const std::uint64_t* trail, std::uint16_t* child, std::uint32_t worker,
                             const kernels::AntDraws& draws) const {
    const std::size_t free = options_.free.size();
    std::uint16_t* const order = constructions_.data() + std::size_t{worker} * 2 * free;
    std::uint32_t* const pool = pools_.data() + std::size_t{worker} * (free + options_.segments);
    const std::uint32_t count = kernels::sampled_count(
        view.tables, kernels::draw(draws.seed, draws.iteration, draws.ant, kernels::kCunningStream, 0));
    kernels::choose_positions(order, order + free, count, view.tables.free_count, draws);
    assign_segment_values(kernels::LoneThread{}, view.trails, trail, reinterpret_cast<std::uint8_t*>(child),
                          SegmentScratch{order, order + free, pool, pool + free}, count, draws);
}

/// Selects between each cunning ant and its donor (step 8 of Fig. 2).
void Cas::select(Host& steps, std::uint64_t iteration) {
    const View& view = steps.view();
    steps.groups([&](std::uint32_t colony, std::uint32_t) {
        for (std::uint32_t k = colony * options_.ants(); k < (colony + 1) * options_.ants(); ++k) {
            if (iteration > 0 && rank(view.child_costs[k]) >= rank(view.costs[k])) continue;
            std::copy_n(view.children + std::uint64_t{k} * view.stride, view.stride,
                        view.ants + std::uint64_t{k} * view.stride);
            view.costs[k] = view.child_costs[k];
            view.found[k] = iteration;
        }
    });
}

void Cas::lay_first_trails(Host& steps) {
    const View& view = steps.view();
    for (std::uint32_t colony = 0; colony < steps.shard().groups && !steps.is_cut(); ++colony) {
        const std::int64_t* const first = view.costs + colony * options_.ants();
        const auto [best, worst] = std::minmax_element(
            first, first + options_.ants(), [&](std::int64_t a, std::int64_t b) { return rank(a) < rank(b); });
        const kernels::CostBound bound = cost_bound(context_.problem.info());
        view.references[colony] = options_.has_real_costs
                                      ? kernels::make_reference<true>(options_.rules, bound, *best, *worst)
                                      : kernels::make_reference(options_.rules, bound, *best, *worst);
        std::fill_n(view.trail + colony * options_.trail_size(), options_.trail_size(),
                    measure_deposits(steps, colony).most);
    }
}

std::uint32_t Cas::best_ant(Host& steps, std::uint32_t first, std::uint32_t count) const {
    const View& view = steps.view();
    std::uint32_t best = first;
    for (std::uint32_t k = first + 1; k < first + count; ++k) {
        const bool tie = view.costs[k] == view.costs[best];
        if (tie ? view.found[k] < view.found[best] : rank(view.costs[k]) < rank(view.costs[best])) best = k;
    }
    return best;
}

void Cas::show_champions(Host& steps) {
    const View& view = steps.view();
    steps.groups([&](std::uint32_t colony, std::uint32_t) {
        const std::uint32_t first = colony * options_.ants(), best = best_ant(steps, first, options_.ants());
        const std::int64_t* const costs = view.costs + first;
        const auto less = [&](std::int64_t a, std::int64_t b) { return rank(a) < rank(b); };
        const auto worst =
            first + static_cast<std::uint32_t>(std::max_element(costs, costs + options_.ants(), less) - costs);
        const std::uint64_t seat = view.first_colony + colony;
        view.exchange.ends[seat] = {view.costs[best], view.costs[worst], view.found[best], worst, 0};
        std::copy_n(view.ants + std::uint64_t{best} * view.stride, view.stride,
                    view.exchange.champions + seat * view.stride);
    });
}

/// Offers each colony a newcomer, the best ant of the colony before it on the ring. The newcomer replaces the colony's
/// worst ant if the newcomer costs less and no ant of the colony equals it.
void Cas::immigrate(Host& steps) {
    const View& view = steps.view();
    steps.groups([&](std::uint32_t colony, std::uint32_t) {
        const std::uint64_t seat = view.first_colony + colony,
                            from = (seat + options_.colonies - 1) % options_.colonies;
        const ColonyEnds &here = view.exchange.ends[seat], &there = view.exchange.ends[from];
        const std::uint16_t* const newcomer = view.exchange.champions + from * view.stride;
        for (std::uint32_t k = colony * options_.ants(); k < (colony + 1) * options_.ants(); ++k) {
            if (std::equal(newcomer, newcomer + view.stride, view.ants + std::uint64_t{k} * view.stride)) return;
        }
        if (rank(there.best_cost) >= rank(here.worst_cost)) return;
        std::copy_n(newcomer, view.stride, view.ants + std::uint64_t{here.worst} * view.stride);
        view.costs[here.worst] = there.best_cost;
        view.found[here.worst] = there.best_found;
    });
}

sdk::Leader Cas::leader(Host& steps) const {
    const View& view = steps.view();
    return steps.leader(view.ants, as_costs(view.costs), view.found, view.all_ants, view.first_ant);
}

std::uint64_t Cas::digest(Host& steps, std::uint64_t t) const {
    const View& view = steps.view();
    const qapfw_cost* const costs = as_costs(view.costs);
    std::uint64_t sum = steps.digest(view.ants, costs, t, [&](std::uint32_t k) { return costs[k]; });
    const std::uint64_t entries = options_.trail_size() * steps.shard().groups;
    const std::uint64_t first = options_.trail_size() * view.first_colony;
    for (std::uint64_t k = 0; k < entries; ++k) sum += kernels::digest_trail(first + k, view.trail[k]);
    return sum;
}

/// Reports which fraction of the time each step took, as in Table 2 of the paper.
void Cas::tell_shares(sdk::Run& run, const std::map<std::string, double>& times) const {
    double all = 0;
    for (const auto& [phase, seconds] : times) all += seconds;
    if (all <= 0) return;
    for (const auto& [phase, seconds] : times) run.statistic(("share_" + phase).c_str(), seconds / all);
}

}  // namespace qapfw::cas
