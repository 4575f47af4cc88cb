// SPDX-License-Identifier: Apache-2.0
#include "plugins/slicing_local_search/slicing_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "qapfw/error.hpp"
#include "qapfw/sdk/round_length.hpp"
#include "qapfw/sdk/solver_services.hpp"

namespace qapfw::slicing_local_search {
namespace {

/// Number of searches of a run on the CPU; for a large instance it is kSearchesOfLarge. Both are small, so that each
/// search makes progress in some seconds.
constexpr std::uint64_t kSearches = 4, kSearchesOfLarge = 2;
/// An instance is large if its fixed points and its departments with flow are at least this many together.
constexpr std::uint32_t kLargeRows = 40;
/// From this number of departments on, kMostFirstStepsOfLarge and kStartsOfLarge no longer apply: fewer and longer
/// first annealings are better for such instances. Here and for kFirstSteps and kManyRows, fixed points count as
/// departments, but departments without flow do not count.
constexpr std::uint32_t kVeryLargeRows = 75;
/// Number of searches (warps) that a multiprocessor of a GPU runs at the same time.
constexpr std::uint64_t kSearchesOfMultiprocessor = 16;
/// Limits of the automatic number of steps in a generation of a search: small instances get kStepsOfGeneration, large
/// instances fewer, but at least kLeastSteps. A core makes some millions of steps per second.
constexpr std::uint64_t kStepsOfGeneration = 4096, kLeastSteps = 16;
/// The largest work of a generation, in units of work_of. It takes some milliseconds.
constexpr std::uint64_t kWorkOfGeneration = std::uint64_t{1} << 23;
/// Number of generations of a round if there are kSearches searches. With more searches, a round has proportionally
/// fewer generations.
constexpr std::uint64_t kRound = 16;
/// An epoch's first annealing has kFirstSteps times r^2 steps, where r is the number of departments.
/// Limits: at least kLeastFirstSteps, at most kMostFirstSteps, and work of at most kWorkOfFirst (in units of
/// work_of), which takes about a second. If few searches work on a large instance, kMostFirstStepsOfLarge replaces
/// kMostFirstSteps: there, more and shorter annealings (kStartsOfLarge) are better.
constexpr std::uint64_t kFirstSteps = 256, kLeastFirstSteps = 4096, kMostFirstSteps = 400'000,
                        kMostFirstStepsOfLarge = 200'000, kWorkOfFirst = std::uint64_t{1} << 30;
/// Least number of generations of a run whose limit on evaluations is small.
constexpr std::uint64_t kGenerationsOfBudget = 16;
/// If there are more departments than this, the temperature `warm` is reduced. Later annealings then stay nearer to the
/// best tree.
constexpr std::uint64_t kManyRows = 32;
/// Work between two calls of should_stop, in units of work_of.
constexpr std::uint64_t kWorkOfSlice = std::uint64_t{1} << 20;
constexpr double kFirstWeight = 0.1;
/// If a run has at least kManySearches searches, first annealings are kShorterWithMany times shorter: many searches
/// gain more by exchanging their best trees.
constexpr std::uint64_t kManySearches = 64, kShorterWithMany = 8;
/// With more departments than this, a search anneals only one random tree before the `deep` annealings (those of the
/// best tree), because an annealing of a random tree takes a second.
constexpr std::uint32_t kLongDepartments = 100;
constexpr std::uint64_t kStarts = 3, kStartsOfLarge = 4, kStartsOfMany = 6, kReheats = 5, kReheatsOfOne = 24,
                        kReheatsOfMany = 1000;

/// Work of one step: eight units for each department, and one for every eight entries of the flow matrix.
std::uint64_t work_of(const qapfw_slicing& data) {
    return 8 * std::uint64_t{data.departments} + std::uint64_t{data.rows} * data.stride / 8;
}

/// True if each child names the right parent, and every node is reached once.
bool is_whole(const kernels::SlicingTree& tree) {
    if (tree.root() >= tree.nodes() || tree.parent(tree.root()) != kernels::kSlicingNone) return false;
    std::vector<std::uint32_t> open{tree.root()};
    std::uint32_t reached = 0;
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        if (++reached > tree.nodes()) return false;
        if (tree.is_leaf(node)) continue;
        if (tree.cut(node) > 1) return false;
        for (const std::uint32_t which : {0u, 1u}) {
            const std::uint32_t below = tree.child(node, which);
            if (below >= tree.nodes() || tree.parent(below) != node) return false;
            open.push_back(below);
        }
    }
    return reached == tree.nodes();
}

/// Number of searches for `auto`. On GPUs: as many searches as the GPUs of all processes run at the same time. On the
/// CPU: a small number, so that each search makes progress.
std::uint64_t automatic_searches(const sdk::SolverContext& context) {
    std::uint64_t own = 0;
    for (std::uint64_t k = 0; k < context.host.get()->device_count; ++k) {
        own += kSearchesOfMultiprocessor * context.host.get()->devices[k]->multiprocessors;
    }
    const std::uint64_t all = context.parameters.is_auto("searches") ? sdk::sum_over_gpus(context.host, own) : 0;
    if (all > 0) return all;
    return data_of(context.problem, "solver").rows >= kLargeRows ? kSearchesOfLarge : kSearches;
}

std::uint64_t resolved(const sdk::SolverContext& context, const char* name, std::uint64_t automatic) {
    if (!context.parameters.is_auto(name)) return static_cast<std::uint64_t>(context.parameters.integer(name));
    context.host.resolve(name, static_cast<std::int64_t>(automatic));
    return automatic;
}

}  // namespace

SlicingLocalSearch::SlicingLocalSearch(const sdk::SolverContext& context)
    : context_(context), data_(data_of(context.problem, "solver")), instance_(data_), slicing_(instance_.view()) {
    const sdk::Parameters& parameters = context.parameters;
    shape_ = {static_cast<std::uint32_t>(resolved(context, "searches", automatic_searches(context))), 1};
    const bool are_many = shape_.groups >= kManySearches, is_long = data_.departments > kLongDepartments;
    const std::uint64_t rows = data_.rows, most = kWorkOfFirst / work_of(data_);
    const bool is_large = !are_many && !is_long && rows >= kLargeRows && rows < kVeryLargeRows;
    const std::uint64_t wanted =
        std::min(kFirstSteps * rows * rows, is_large ? kMostFirstStepsOfLarge : kMostFirstSteps) /
        (are_many ? kShorterWithMany : 1);
    plan_.first_steps = resolved(context, "first_steps", std::max(kLeastFirstSteps, std::min(wanted, most)));
    plan_.most_steps = std::max(plan_.first_steps,
                                resolved(context, "most_steps", std::min(64 * plan_.first_steps, kLargestMostSteps)));
    const double hot = parameters.real("hot"), cold = parameters.real("cold");
    const std::uint64_t many = std::max<std::uint64_t>(kManyRows, data_.rows);
    // With many departments, later annealings start colder, so that they stay nearer to the best tree.
    const double warm =
        std::max(cold, parameters.real("warm") * static_cast<double>(kManyRows) / static_cast<double>(many));
    if (cold > hot || cold > parameters.real("warm")) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("algorithm.cold is {}, but it must not be above hot ({}) or warm ({})", cold, hot,
                                parameters.real("warm")));
    }
    plan_.hot = hot / std::max(1u, data_.rows);
    plan_.warm = warm / std::max(1u, data_.rows);
    plan_.log_hot = logarithm(hot / cold);
    plan_.log_warm = logarithm(warm / cold);
    plan_.reheats = static_cast<std::uint32_t>(resolved(context, "reheats",
                                                        are_many  ? kReheatsOfMany
                                                        : is_long ? kReheatsOfOne
                                                                  : kReheats));
    rivals_ = static_cast<std::uint32_t>(parameters.integer("rivals"));
    plan_.starts = static_cast<std::uint32_t>(resolved(context, "starts",
                                                       is_long    ? 1
                                                       : are_many ? kStartsOfMany
                                                       : is_large ? kStartsOfLarge
                                                                  : kStarts));
    plan_.deep = static_cast<std::uint32_t>(parameters.integer("deep"));
    plan_.patience = static_cast<std::uint32_t>(parameters.integer("patience"));
    plan_.longer = static_cast<std::uint32_t>(parameters.integer("longer"));
    plan_.levels = static_cast<std::uint32_t>(parameters.integer("levels"));
    settings_ = {parameters.real("feasible"), kFirstWeight, move_limits(data_.space_count > 1)};
    steps_each_ =
        resolved(context, "steps", std::clamp(kWorkOfGeneration / work_of(data_), kLeastSteps, kStepsOfGeneration));
    plan_.shares_deep = parameters.boolean("share_deep") && !are_many ? 1 : 0;
    const std::uint64_t share_every =
        resolved(context, "share_every", are_many || plan_.shares_deep != 0 ? plan_.first_steps / 2 : 0);
    share_every_ = shape_.groups > 1 ? (share_every + steps_each_ - 1) / steps_each_ : 0;
    round_ = resolved(context, "round", std::max<std::uint64_t>(1, kRound * kSearches / shape_.groups));
}

/// Uses few searches and short generations if the limit on evaluations is small.
void SlicingLocalSearch::keep_to(std::uint64_t evaluations) {
    shape_.groups = sdk::groups_of_budget(evaluations, plan_.first_steps, shape_.groups);
    steps_each_ = std::clamp(evaluations / (kGenerationsOfBudget * shape_.groups), std::uint64_t{1}, steps_each_);
}

void SlicingLocalSearch::declare(sdk::Fields<View>& fields, const sdk::Run& run) {
    seed_ = run.seed();
    const std::uint64_t words = kernels::slicing_tree_words(data_.departments);
    const auto of_group = [](std::uint64_t count) {
        return sdk::FieldOptions{.of = sdk::FieldOf::kGroup, .count = count, .is_state = true};
    };
    fields.add<&View::trees>(of_group(words));
    fields.add<&View::bests>(of_group(words));
    fields.add<&View::elites>(of_group(words));
    fields.add<&View::champions>(of_group(words));
    fields.add<&View::standings>(of_group(1));
    fields.add<&View::progress>(of_group(1));
    fields.add<&View::solutions>({.of = sdk::FieldOf::kGroup,
                                  .count = context_.problem.solution_bytes() / sizeof(std::uint16_t),
                                  .is_state = true,
                                  .is_solution = true});
    fields.add<&View::costs>(of_group(1));
    fields.add<&View::found>(of_group(1));
    fields.add<&View::evaluations>({.of = sdk::FieldOf::kGroup, .is_state = true, .is_saved = false});
    shown_ = fields.add<&View::shown>({.of = sdk::FieldOf::kRun, .count = words});
    shown_costs_ = fields.add<&View::shown_costs>({.of = sdk::FieldOf::kRun});
    const auto scratch = [](std::uint64_t count) {
        return sdk::FieldOptions{.of = sdk::FieldOf::kGroup, .count = count, .is_for_device = true};
    };
    fields.add<&View::numbers>(scratch(scratch_numbers({data_.departments, data_.stride, data_.rule_count})));
    fields.add<&View::indices>(scratch(scratch_indices(data_.departments)));
}

void SlicingLocalSearch::fill(View& view, const sdk::PopulationSettings& settings, const sdk::Shard& shard) const {
    view.settings = settings_;
    view.plan = plan_;
    view.seed = seed_;
    view.steps_each = steps_each_;
    view.departments = data_.departments;
    view.stride = data_.stride;
    view.tree_words = kernels::slicing_tree_words(data_.departments);
    view.solution_words = static_cast<std::uint32_t>(settings.bytes() / sizeof(std::uint16_t));
    const qapfw_segment& genes = settings.problem.encoding().segments[1];
    view.genes_offset = genes.offset;
    view.gene_bytes = genes.element_bytes;
    view.first = shard.first_group;
    view.count = shard.groups;
    view.searches = shape_.groups;
    view.rivals = rivals_;
}

void SlicingLocalSearch::prepare(Host& steps) const {
    fill(steps.view(), steps.settings(), steps.shard());
    workspaces_.assign(steps.settings().host.workers(), HostWorkspace(slicing_));
}

void SlicingLocalSearch::start(Host& steps) {
    steps.groups([&](std::uint32_t k, std::uint32_t worker) { begin(steps, k, worker); });
}

void SlicingLocalSearch::begin(Host& steps, std::uint32_t k, std::uint32_t worker) const {
    const View& all = steps.view();
    HostWorkspace& own = workspaces_[worker];
    std::uint16_t* const words = all.trees + std::uint64_t{k} * all.tree_words;
    const kernels::SlicingTree tree{words, all.departments};
    Progress& progress = all.progress[k];
    progress = {};
    progress.elite_violations = progress.run_violations = progress.champion_violations = kernels::kSlicingNone;
    const std::uint32_t number = all.first + k;
    progress.root = number % slicing_.roots;
    if (number < steps.settings().warm_count()) {
        read_solution(reinterpret_cast<const std::uint16_t*>(steps.settings().warm_start(number)), all.genes_offset,
                      all.gene_bytes, tree);
        progress.is_given = 1;
    } else {
        draw_tree(tree, all.seed, 0, number, own.order.data());
    }
    std::uint16_t* const solution = all.solutions + std::uint64_t{k} * all.solution_words;
    write_solution(tree, solution, all.genes_offset, all.gene_bytes, own.candidate.data(), own.order.data());
    steps.evaluate(worker, {solution, &all.costs[k], 1}, k, 0);
    all.found[k] = 0;
    const HostTeam team{context_.problem.get()->problem, table_of(context_.problem)->flow_cost};
    kernels::SlicingAnnealer<HostTeam> annealer(
        team, slicing_, progress.root, own.search(slicing_, words, all.bests + std::uint64_t{k} * all.tree_words));
    begin_annealing(annealer, all, k, team, all.standings[k], progress, own.order.data());
    std::copy_n(words, all.tree_words, all.bests + std::uint64_t{k} * all.tree_words);
    std::copy_n(words, all.tree_words, all.elites + std::uint64_t{k} * all.tree_words);
    std::copy_n(words, all.tree_words, all.champions + std::uint64_t{k} * all.tree_words);
    if (progress.is_given == 0 && number < steps.settings().warm_count()) {
        progress.elite_violations = progress.run_violations = all.standings[k].violations;
        progress.elite_cost = progress.run_cost = all.standings[k].cost;
    }
}

void SlicingLocalSearch::generation(Host& steps, std::uint64_t t) {
    steps.groups([&](std::uint32_t k, std::uint32_t worker) { run_on(steps, k, worker, t); });
}

void SlicingLocalSearch::run_on(Host& steps, std::uint32_t k, std::uint32_t worker, std::uint64_t t) const {
    const View& all = steps.view();
    HostWorkspace& own = workspaces_[worker];
    Progress& progress = all.progress[k];
    kernels::SlicingStanding& standing = all.standings[k];
    std::uint16_t* const words = all.trees + std::uint64_t{k} * all.tree_words;
    const HostTeam team{context_.problem.get()->problem, table_of(context_.problem)->flow_cost};
    kernels::SlicingAnnealer<HostTeam> annealer(
        team, slicing_, progress.root, own.search(slicing_, words, all.bests + std::uint64_t{k} * all.tree_words));
    annealer.enter(standing);
    const std::uint64_t slice = std::max<std::uint64_t>(1, kWorkOfSlice / work_of(data_));
    for (std::uint64_t left = all.steps_each; left > 0;) {
        const std::uint64_t made =
            advance(annealer, all, k, team, standing, progress, own.order.data(), std::min(left, slice));
        left -= made;
        steps.count(worker, made);
        if (left > 0 && steps.run().should_stop()) {
            steps.cut();
            break;
        }
    }
    if (annealer.current().words != words) std::copy_n(annealer.current().words, all.tree_words, words);
    keep_best(steps, k, worker, t);
    if (steps.run().should_stop()) steps.cut();
}

/// Takes the better of this annealing's best tree and the elite. Stores this tree as search k's best solution of the
/// run if the tree is better than the stored solution.
void SlicingLocalSearch::keep_best(Host& steps, std::uint32_t k, std::uint32_t worker, std::uint64_t t) const {
    const View& all = steps.view();
    Progress& progress = all.progress[k];
    const kernels::SlicingStanding& standing = all.standings[k];
    const bool of_elite = is_elite_better(standing, progress);
    if (!improves_run(standing, of_elite, progress)) return;
    HostWorkspace& own = workspaces_[worker];
    std::uint16_t* const from = (of_elite ? all.elites : all.bests) + std::uint64_t{k} * all.tree_words;
    std::vector<std::uint16_t> solution(all.solution_words);
    write_solution({from, all.departments}, solution.data(), all.genes_offset, all.gene_bytes, own.candidate.data(),
                   own.order.data());
    qapfw_cost objective{};
    context_.problem.evaluate({solution.data(), &objective, 1});
    if (!context_.problem.less()(objective, all.costs[k])) return;
    std::copy(solution.begin(), solution.end(), all.solutions + std::uint64_t{k} * all.solution_words);
    all.costs[k] = objective;
    all.found[k] = t;
    steps.place().see(worker, solution.data(), objective, t, all.first + k);
}

void SlicingLocalSearch::show_elites(Host& steps) const {
    steps.groups([&](std::uint32_t k, std::uint32_t) { show(steps.view(), k, HostTeam{}); });
}
void SlicingLocalSearch::take_over_elites(Host& steps, std::uint64_t t) const {
    steps.groups([&](std::uint32_t k, std::uint32_t) { take_over(steps.view(), k, t, HostTeam{}); });
}

sdk::Leader SlicingLocalSearch::leader(Host& steps) const {
    const View& all = steps.view();
    return steps.leader(all.solutions, all.costs, all.found);
}

std::uint64_t SlicingLocalSearch::digest(Host& steps, std::uint64_t t) const {
    const View& all = steps.view();
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < all.count; ++k) {
        sum += digest_of(all.trees + std::uint64_t{k} * all.tree_words, all.tree_words,
                         qapfw_cost{.f = all.standings[k].cost}.i, all.costs[k].i, t, all.first + k);
    }
    return sum;
}

/// Checks the trees of a loaded state, which may be damaged, before anything walks over them.
void SlicingLocalSearch::take_state(Host& steps) const {
    const View& all = steps.view();
    for (std::uint32_t k = 0; k < all.count; ++k) {
        for (std::uint16_t* const trees : {all.trees, all.bests, all.elites, all.champions}) {
            const kernels::SlicingTree tree{trees + std::uint64_t{k} * all.tree_words, all.departments};
            if (!is_whole(tree)) throw Error(ErrorKind::kInput, "the saved state holds an invalid tree");
        }
        if (all.progress[k].root >= slicing_.roots) {
            throw Error(ErrorKind::kInput, "the saved state names a rectangle that the plant does not have");
        }
    }
}

}  // namespace qapfw::slicing_local_search
