// SPDX-License-Identifier: Apache-2.0
#include "plugins/tabu/tabu_solver.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "plugins/tabu/segment_search.hpp"
#include "plugins/tabu/tabu_memory.hpp"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/fbs_operators.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/kernels/uniform_crossover.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/operator_parameters.hpp"
#include "qapfw/sdk/round_length.hpp"
#include "qapfw/sdk/solver_services.hpp"

namespace qapfw::tabu {
namespace {

constexpr std::uint32_t kCpuSearches = 16;
/// With more searches than this, the default of share_after is 20 000, and that of restart_after is 0.
constexpr std::uint32_t kManySearches = 256;
constexpr std::uint32_t kStartStream = 80;  ///< stream for random initial permutations
constexpr std::uint32_t kShareStream = 81;  ///< stream that chooses each search's partner for the crossover
constexpr std::uint32_t kCrossoverStream = 82;
constexpr std::uint32_t kStartBitsStream = 83;
constexpr std::uint64_t kEver = ~std::uint64_t{0};
/// If a search's state has this best cost, the kernel forgets the search's best solution: see device/tabu_kernel.cuh.
constexpr std::int64_t kForgotten = std::numeric_limits<std::int64_t>::max();

/// True if a search goes over a list of moves, not over a table of swaps.
bool goes_over_list(const sdk::ProblemRef& problem, bool inserts) {
    return inserts || sdk::has_segments(problem);
}
/// True if the problem computes the deltas of the moves: of insertions if `inserts`, else of moves of its segments.
bool tells_moves(const sdk::ProblemRef& problem, bool inserts) {
    return problem.capability<void>(inserts ? QAPFW_PROBLEM_INSERTIONS : QAPFW_PROBLEM_MOVES) != nullptr;
}

/// Returns the number of iterations of a default round. A search makes them in about 20 ms on one core, and in less
/// time on a GPU. If the problem has neither deltas nor child costs (sdk::evaluates_alone), bounded_round limits the
/// number, because an iteration then evaluates all moves of all searches in full.
std::uint64_t default_round(const sdk::ProblemRef& problem, std::uint64_t searches, bool inserts) {
    const std::uint64_t n = std::max(problem.length(), 2u);
    if (goes_over_list(problem, inserts)) {
        const std::uint64_t moves = std::max<std::uint64_t>(moves_of(problem, inserts), 1);
        const bool own = tells_moves(problem, inserts);
        const std::uint64_t alone = std::max<std::uint64_t>((own ? 1'000'000 : 20'000) / moves, 1);
        return own ? alone : sdk::bounded_round(problem, searches * moves, alone);
    }
    if (has_bits(problem)) {
        const std::uint64_t moves = std::max<std::uint64_t>(moves_of(problem, false), 1);
        return sdk::bounded_round(problem, searches * moves, std::max<std::uint64_t>(20'000 / moves, 1));
    }
    const bool own = problem.capability<qapfw_swap_neighbourhood>(QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD) != nullptr;
    if (own) return std::clamp<std::uint64_t>(20'000'000 / (n * n), 20, 5000);
    return sdk::bounded_round(problem, searches * n * (n - 1) / 2,
                              std::clamp<std::uint64_t>(40'000'000 / (n * n * n * n), 1, 20'000));
}

/// Describes which code makes an iteration on the CPU, for the log.
std::string describe(const sdk::ProblemRef& problem, bool inserts) {
    if (goes_over_list(problem, inserts)) {
        return std::string(inserts ? "insertions of the order's elements, " : "moves of all segments, ") +
               (tells_moves(problem, inserts) ? "with deltas from the problem" : "each evaluated in full");
    }
    if (!has_bits(problem)) return sdk::SwapNeighbourhood::describe(problem);
    const bool bounds = problem.capability<void>(QAPFW_PROBLEM_BAY_NEIGHBOURHOOD) != nullptr;
    return std::string("neighbourhood of layouts: n^2/2 swaps and about 3n moves of bays, ") +
           (bounds ? "evaluated if the problem's bounds do not rule them out" : "each evaluated in full");
}

std::int64_t resolved(const sdk::SolverContext& context, const char* name, std::uint64_t automatic) {
    if (!context.parameters.is_auto(name)) return context.parameters.integer(name);
    context.host.resolve(name, static_cast<std::int64_t>(automatic));
    return static_cast<std::int64_t>(automatic);
}

std::span<const qapfw_device* const> devices_of(const sdk::SolverContext& context) {
    return {context.host.get()->devices, context.host.get()->device_count};
}

/// The shape of solutions. Throws Error(kUnsupported) if the solutions have bay bits and too many positions.
kernels::SolutionShape shape_of(const sdk::ProblemRef& problem) {
    if (has_bits(problem) && problem.length() > kMostLayoutPositions) {
        throw Error(ErrorKind::kUnsupported, "solver tabu takes at most " + std::to_string(kMostLayoutPositions) +
                                                 " departments for layouts in bays, found " +
                                                 std::to_string(problem.length()));
    }
    return sdk::solution_shape(problem);
}

kernels::TabuOptions read_options(const sdk::SolverContext& context) {
    const sdk::Parameters& p = context.parameters;
    const std::uint64_t n = elements_of(context.problem);
    const bool layouts = has_bits(context.problem);
    kernels::TabuOptions options{};
    options.perturb_after = static_cast<std::uint64_t>(resolved(context, "perturb_after", layouts ? n : 100 * n));
    options.min_tenure = static_cast<std::int32_t>(p.integer("min_tenure"));
    options.tenure_range =
        static_cast<std::int32_t>(resolved(context, "tenure", std::min<std::uint64_t>(300, layouts ? n : 8 * n)));
    options.long_term = static_cast<std::int32_t>(p.integer("long_term_aspiration"));
    options.perturb_swaps = static_cast<std::uint32_t>(p.integer("perturb_swaps"));
    options.restart_at_best = p.choice("perturb_from") == 0 ? 1 : 0;
    options.stream = kernels::kTabuStream;
    return options;
}

}  // namespace

std::uint32_t Tabu::automatic_searches(const sdk::SolverContext& context) const {
    if (context.parameters.is_auto("searches")) {
        const std::uint32_t own = gpu_capacity(devices_of(context), problem_, options_, assignment_, kernel_moves());
        const std::uint64_t all = sdk::sum_over_gpus(context.host, own);
        if (all > 0) return static_cast<std::uint32_t>(all);
    }
    if (goes_over_list(problem_, inserts_)) {
        const std::uint64_t moves = std::max<std::uint64_t>(moves_of(problem_, inserts_), 1);
        return tells_moves(problem_, inserts_)
                   ? kCpuSearches
                   : static_cast<std::uint32_t>(sdk::bounded_round(problem_, moves, kCpuSearches));
    }
    const std::uint64_t n = std::max(problem_.length(), 2u);
    return static_cast<std::uint32_t>(sdk::bounded_round(problem_, n * (n - 1) / 2, kCpuSearches));
}

Tabu::Tabu(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      inserts_(sdk::chooses_insertions(context.parameters, problem_)),
      n_(elements_of(problem_)),
      segments_(segment_arrays(problem_, inserts_)),
      solution_(shape_of(problem_)),
      options_(read_options(context)),
      assignment_(sdk::thread_assignment(context.parameters)),
      few_(!context.parameters.is_auto("searches")),
      shape_{static_cast<std::uint32_t>(resolved(context, "searches", automatic_searches(context))), 1},
      round_length_(
          static_cast<std::uint64_t>(resolved(context, "round", default_round(problem_, shape_.groups, inserts_)))),
      alike_(static_cast<std::uint32_t>(context.parameters.integer("alike"))),
      restart_after_(
          static_cast<std::uint64_t>(resolved(context, "restart_after", shape_.groups > kManySearches ? 0 : 25))),
      free_(sdk::free_positions(problem_)),
      moves_(moves_of(problem_, inserts_)) {
    const std::uint64_t automatic = shape_.groups > kManySearches ? 20'000 : std::uint64_t{2} * n_ * n_;
    const auto share_after = static_cast<std::uint64_t>(resolved(context, "share_after", automatic));
    share_every_ = (share_after + round_length_ - 1) / round_length_;
    if (devices_of(context).empty()) host_.info("tabu: " + describe(problem_, inserts_));
}

void Tabu::declare(sdk::Fields<View>& fields, const sdk::Run& run) {
    options_.seed = run.seed();
    const std::uint64_t stride = problem_.solution_bytes() / sizeof(std::uint16_t);
    current_ = fields.add<&View::current>({.count = stride, .is_state = true, .is_apart = true, .is_solution = true});
    best_ = fields.add<&View::best>({.count = stride, .is_state = true, .is_apart = true, .is_solution = true});
    standing_ = fields.add<&View::standing>({.is_state = true, .is_apart = true});
    elites_ = fields.add<&View::elites>({.of = sdk::FieldOf::kRun, .count = stride});
    elite_standings_ = fields.add<&View::elite_standings>({.of = sdk::FieldOf::kRun});
    fields.add<&View::expiry>({.count = segments_ ? ValueMemory::size(problem_)
                                                  : TabuMemory::saved_size(free_.size(), n_, has_bits(problem_)),
                               .is_state = true,
                               .is_for_saving = true});
}

void Tabu::show(Host& steps) const {
    host_searches_->show(steps);
    const Searches& all = steps.view();
    const std::uint64_t stride = steps.settings().stride(), first = steps.shard().first_group;
    std::copy_n(all.best, steps.shard().groups * stride, all.elites + first * stride);
    std::copy_n(all.standing, steps.shard().groups, all.elite_standings + first);
}

void Tabu::prepare(Host& steps) const {
    host_searches_ = make_host_searches(problem_, options_, steps.shard(), inserts_);
}

DeviceSearches& Tabu::searches_of(Device& place) const {
    return place.own<DeviceSearches>(
        [&] { return DeviceSearches(place, options_, assignment_, few_ ? place.shard().groups : 0, kernel_moves()); });
}

/// Starts all searches. If the run is stopped before they have started, the first search's solution is reported.
void Tabu::start(Host& steps) {
    const std::uint64_t stride = steps.settings().stride();
    std::uint16_t* const all = steps.view().current;
    for (std::uint32_t k = 0; k < steps.shard().groups; ++k) {
        const std::uint32_t number = steps.shard().first_group + k;
        draw_start(0, number, all + k * stride);
        if (number < steps.settings().warm_count()) steps.begin_with(all + k * stride, k);
    }
    if (host_searches_->start(steps)) return;
    steps.cut();
    qapfw_cost cost{};
    if (steps.shard().first_group == 0) steps.evaluate(0, {all, &cost, std::min(steps.shard().groups, 1u)}, 0, 0);
}

void Tabu::start(Device& place) {
    const std::uint64_t stride = place.settings().stride();
    std::vector<std::uint16_t> starts(place.shard().groups * stride);
    for (std::uint32_t k = 0; k < place.shard().groups; ++k) {
        draw_start(0, place.shard().first_group + k, starts.data() + k * stride);
    }
    const auto bytes = std::as_bytes(std::span(starts));
    const std::span<const unsigned char> rows(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    place.write(current_, rows);
    place.upload_warm_starts(place.view().current);
    place.copy(best_, current_);
    searches_of(place).start(place);
    place.synchronize();
}

void Tabu::draw_start(std::uint64_t iteration, std::uint32_t search, std::uint16_t* solution) const {
    sdk::base_solution(problem_, solution);
    if (segments_) {
        kernels::draw_segments(segments_.list(), reinterpret_cast<std::uint8_t*>(solution), options_.seed, iteration,
                               search);
        return;
    }
    kernels::shuffle(solution, free_.data(), static_cast<std::uint32_t>(free_.size()), options_.seed, iteration, search,
                     kStartStream);
    if (!has_bits(problem_)) return;
    const auto bits = kernels::layout_view<kernels::AllOperators>(solution_, solution).bits;
    kernels::fbs_randomize_bits(bits, n_, 0, options_.seed, iteration, search, kStartBitsStream);
}

bool Tabu::advance(Device& place, std::uint64_t until) {
    DeviceSearches& searches = searches_of(place);
    return place.evolve(searches.iteration(), until, [&](std::uint64_t from, std::uint64_t to) {
        searches.advance(place, to - from);
        place.count((to - from) * place.shard().groups * moves_);
    });
}

Children Tabu::cross(const Elites& elites, bool all_afresh, const sdk::Shard& shard) const {
    const std::uint64_t stride = problem_.solution_bytes() / sizeof(std::uint16_t), round = rounds_ + 1;
    Children children{std::vector<std::uint16_t>(shard.groups * stride), std::vector<std::uint8_t>(shard.groups, 0)};
    host_.parallel_for(shard.groups, [&](std::uint64_t index, std::uint32_t) {
        const auto k = shard.first_group + static_cast<std::uint32_t>(index);
        std::uint32_t partner =
            kernels::below(kernels::draw(options_.seed, round, k, kShareStream, 0), shape_.groups - 1);
        if (partner >= k) ++partner;
        const std::uint16_t* own = elites.solutions.data() + k * stride;
        const std::uint16_t* other = elites.solutions.data() + partner * stride;
        std::uint16_t* child = children.solutions.data() + index * stride;
        const qapfw_cost cost = best_cost_of(elites.standings[k]), others = best_cost_of(elites.standings[partner]);
        const bool worse = problem_.less()(others, cost) || (!problem_.less()(cost, others) && partner < k);
        if (all_afresh || (distance(own, other) < alike_ && worse)) {
            children.afresh[index] = 1;
            draw_start(round, k, child);
        } else if (segments_) {
            cross_segments(own, other, child, round, k);
        } else {
            sdk::base_solution(problem_, child);
            cross_two(own, other, child, {options_.seed, round, k, kCrossoverStream});
        }
    });
    return children;
}

/// Returns the number of positions at which two solutions differ in the element or in the bit. If solutions have
/// segments, returns the number of elements in which they differ, over all segments.
std::uint32_t Tabu::distance(const std::uint16_t* one, const std::uint16_t* other) const {
    if (segments_) {
        return kernels::segments_distance(segments_.list(), reinterpret_cast<const std::uint8_t*>(one),
                                          reinterpret_cast<const std::uint8_t*>(other));
    }
    std::uint32_t distance = 0;
    if (!has_bits(problem_)) {
        for (std::uint32_t i = 0; i < n_; ++i) distance += one[i] != other[i] ? 1 : 0;
        return distance;
    }
    const auto a = kernels::layout_view<kernels::AllOperators>(solution_, one);
    const auto b = kernels::layout_view<kernels::AllOperators>(solution_, other);
    for (std::uint32_t i = 0; i < n_; ++i)
        distance += a.perm[i] != b.perm[i] || (i + 1 < n_ && a.bits[i] != b.bits[i]) ? 1 : 0;
    return distance;
}

void Tabu::cross_two(const std::uint16_t* own, const std::uint16_t* other, std::uint16_t* child,
                     const kernels::UniformDraws& draws) const {
    std::vector<std::uint8_t> taken(n_);
    const auto cross = [&](const auto& to, const auto& mother, const auto& father) {
        kernels::uniform_crossover(to, mother, father, taken.data(), n_, n_, draws);
    };
    const auto layout = [&](auto* solution) {
        return kernels::layout_view<kernels::AllOperators>(solution_, solution);
    };
    if (has_bits(problem_))
        cross(layout(child), layout(own), layout(other));
    else
        cross(kernels::solution_view(child), kernels::solution_view(own), kernels::solution_view(other));
}

void Tabu::cross_segments(const std::uint16_t* own, const std::uint16_t* other, std::uint16_t* child,
                          std::uint64_t round, std::uint32_t search) const {
    const std::uint64_t stride = problem_.solution_bytes() / sizeof(std::uint16_t);
    std::vector<std::uint16_t> parents(own, own + stride), scratch(stride);
    parents.insert(parents.end(), other, other + stride);
    std::copy_n(own, stride, child);
    const auto bytes = [](std::uint16_t* solution) { return reinterpret_cast<std::uint8_t*>(solution); };
    kernels::cross_segments(segments_.list(), bytes(child), bytes(parents.data()), bytes(parents.data() + stride),
                            bytes(scratch.data()), options_.seed, round, search);
}

bool Tabu::replace(Device& place, const Children& children) {
    std::vector<TabuState> standings(place.shard().groups);
    place.fetch(std::span(standings), place.view().standing);
    for (std::size_t k = 0; k < standings.size(); ++k) {
        if (children.afresh[k] != 0) standings[k].best_cost = kForgotten;
    }
    const auto as_bytes = [](const auto& values) {
        return std::span(reinterpret_cast<const unsigned char*>(values.data()), values.size() * sizeof values[0]);
    };
    place.write(current_, as_bytes(children.solutions));
    place.write(standing_, as_bytes(standings));
    searches_of(place).enter(place);
    place.synchronize();
    return true;
}

/// The epoch after a meeting. All searches restart if restart_after_ meetings in a row have found nothing better.
Tabu::Epoch Tabu::next_epoch(const Elites& elites) const {
    const sdk::CostLess less = problem_.less();
    const qapfw_cost best = best_cost_of(elites.standings[leader_of(elites.standings, kEver, less)]);
    Epoch next = epoch_;
    next.begins = 0;
    if (next.has_best == 0 || less(best, next.best)) {
        next = {best, 1, 0, 0};
    } else {
        ++next.stale;
    }
    return restart_after_ == 0 || next.stale < restart_after_ ? next : Epoch{next.best, 0, 0, 1};
}

/// Keeps the best solution of all searches, since the search that found it may restart.
void Tabu::remember_best(const Elites& elites) {
    const std::size_t k = leader_of(elites.standings, kEver, problem_.less());
    const auto* at = static_cast<const unsigned char*>(
        sdk::solution_at(static_cast<const void*>(elites.solutions.data()), problem_.solution_bytes(), k));
    const TabuState& standing = elites.standings[k];
    sdk::Leader best{{at, at + problem_.solution_bytes()}, best_cost_of(standing), standing.best_iteration, k};
    if (best.leads(record_, problem_.less())) record_ = std::move(best);
}

/// Reports the best solution of all searches. After a complete round, ignores the solutions that the searches got in
/// the meeting at the end of the round.
sdk::RoundReport Tabu::look(Host& steps, std::uint64_t t, bool complete) const {
    sdk::RoundReport report;
    if (steps.settings().needs_a_solution) {
        report.leader = steps.place().seen();
        return report;
    }
    if (complete) report.digest = host_searches_->digest(steps.shard());
    const std::vector<TabuState> standings = host_searches_->standings();
    report.leader = record_;
    const std::size_t k = leader_of(standings, complete ? t : kEver, problem_.less());
    if (k == standings.size()) return report;
    sdk::Leader best{{}, best_cost_of(standings[k]), standings[k].best_iteration, steps.shard().first_group + k};
    best.solution = host_searches_->best_of(k);
    if (best.leads(record_, problem_.less())) report.leader = std::move(best);
    return report;
}

sdk::RoundReport Tabu::look(Device& place, std::uint64_t t, bool complete) const {
    DeviceSearches& searches = searches_of(place);
    searches.look(place);
    sdk::RoundReport report;
    if (complete) report.digest = searches.digest(place.shard());
    report.leader = record_;
    const std::vector<TabuState>& standings = searches.standings();
    const std::size_t k = leader_of(standings, complete ? t : kEver, problem_.less());
    if (k == standings.size()) return report;
    const sdk::Leader& best = searches.best_of(place, k);
    if (best.leads(record_, problem_.less())) report.leader = best;
    return report;
}

void Tabu::put_state(Host& steps) const {
    host_searches_->show(steps);
    host_searches_->show_memory(steps);
}

void Tabu::take_state(Host& steps) {
    host_searches_->restore(steps);
}

void Tabu::save(sdk::Writer& writer) const {
    writer.value(rounds_);
    writer.value(epoch_);
    record_.save(writer);
}

void Tabu::load(sdk::Reader& reader) {
    rounds_ = reader.value<std::uint64_t>();
    epoch_ = reader.value<Epoch>();
    record_.load(reader, problem_);
}

}  // namespace qapfw::tabu
