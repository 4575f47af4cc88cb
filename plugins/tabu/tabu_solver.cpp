// SPDX-License-Identifier: Apache-2.0
#include "plugins/tabu/tabu_solver.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/kernels/uniform_crossover.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/round_length.hpp"

namespace qapfw::tabu {
namespace {

constexpr std::uint32_t kCpuSearches = 16;
constexpr std::uint32_t kManySearches = 256;  ///< a population of elites so large that it need not meet often
constexpr std::uint32_t kStartStream = 80;    ///< random initial permutations
constexpr std::uint32_t kShareStream = 81;    ///< choice of the partner
constexpr std::uint32_t kCrossoverStream = 82;

/// About 20 ms of a search on one core, and less on a GPU. Without a neighbourhood of its own a problem is evaluated
/// n^2 / 2 times an iteration of each search.
std::uint64_t default_round(const sdk::ProblemRef& problem, std::uint64_t searches) {
    const std::uint64_t n = std::max(problem.length(), 2u);
    const bool own = problem.capability<qapfw_swap_neighbourhood>(QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD) != nullptr;
    if (own) return std::clamp<std::uint64_t>(20'000'000 / (n * n), 20, 5000);
    return sdk::bounded_round(problem, searches * n * (n - 1) / 2,
                              std::clamp<std::uint64_t>(40'000'000 / (n * n * n * n), 1, 20'000));
}

std::int64_t resolved(const sdk::SolverContext& context, const char* name, std::uint64_t automatic) {
    if (!context.parameters.is_auto(name)) return context.parameters.integer(name);
    context.host.resolve(name, static_cast<std::int64_t>(automatic));
    return static_cast<std::int64_t>(automatic);
}

std::span<const qapfw_device* const> devices_of(const sdk::SolverContext& context) {
    return {context.host.get()->devices, context.host.get()->device_count};
}

kernels::TabuOptions read_options(const sdk::SolverContext& context) {
    const sdk::Parameters& p = context.parameters;
    const std::uint32_t n = context.problem.length();
    kernels::TabuOptions options{};
    options.perturb_after = static_cast<std::uint64_t>(resolved(context, "perturb_after", std::uint64_t{100} * n));
    options.min_tenure = static_cast<std::int32_t>(p.integer("min_tenure"));
    options.tenure_range =
        static_cast<std::int32_t>(resolved(context, "tenure", std::min<std::uint64_t>(300, std::uint64_t{8} * n)));
    options.long_term = static_cast<std::int32_t>(p.integer("long_term_aspiration"));
    options.perturb_swaps = static_cast<std::uint32_t>(p.integer("perturb_swaps"));
    options.restart_at_best = p.choice("perturb_from") == 0 ? 1 : 0;
    options.stream = kernels::kTabuStream;
    return options;
}

}  // namespace

std::uint32_t TabuSolver::automatic_searches(const sdk::SolverContext& context) const {
    const std::span<const qapfw_device* const> devices = devices_of(context);
    if (devices.empty() || !context.parameters.is_auto("searches")) {
        const std::uint64_t n = std::max(problem_.length(), 2u);
        return static_cast<std::uint32_t>(sdk::bounded_round(problem_, n * (n - 1) / 2, kCpuSearches));
    }
    return gpu_capacity(devices, problem_, options_, assignment_);
}

TabuSolver::TabuSolver(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      n_(problem_.length()),
      options_(read_options(context)),
      assignment_(sdk::thread_assignment(context.parameters)),
      few_(!context.parameters.is_auto("searches")),
      count_(static_cast<std::uint32_t>(resolved(context, "searches", automatic_searches(context)))),
      round_length_(static_cast<std::uint64_t>(resolved(context, "round", default_round(problem_, count_)))),
      alike_(static_cast<std::uint32_t>(context.parameters.integer("alike"))),
      restart_after_(static_cast<std::uint64_t>(resolved(context, "restart_after", count_ > kManySearches ? 0 : 25))),
      free_(sdk::free_positions(problem_)),
      base_(problem_.solution_bytes()) {
    const std::uint64_t automatic = count_ > kManySearches ? 20'000 : std::uint64_t{2} * n_ * n_;
    const auto share_after = static_cast<std::uint64_t>(resolved(context, "share_after", automatic));
    share_every_ = (share_after + round_length_ - 1) / round_length_;
    sdk::base_solution(problem_, base_.data());
    record_.solution.resize(problem_.solution_bytes());
    const std::uint64_t movable = free_.size();
    pairs_ = movable * (movable - (movable > 0 ? 1 : 0)) / 2;
    if (devices_of(context).empty()) host_.info("tabu: " + sdk::SwapNeighbourhood::describe(problem_));
}

void TabuSolver::run(sdk::Run& run) {
    options_.seed = run.seed();
    // On the CPU the tables of large instances take seconds, which are part of the first round.
    bool started = prepare(run) || (!run.devices().empty() && start(run));
    while (const std::uint64_t iterations = run.begin_round(round_length_)) {
        started = started || start(run);
        if (started)
            advance(iterations, run);
        else
            report_start(run);
    }
}

void TabuSolver::advance(std::uint64_t iterations, sdk::Run& run) {
    const bool complete = searches_->advance(iteration_ + iterations, run);
    remember_best();
    if (complete) {
        iteration_ += iterations;
        ++rounds_;
        const bool meets = share_every_ > 0 && rounds_ % share_every_ == 0;
        if (meets && !share_elites(run)) return report(run, iterations, false);
    }
    report(run, complete ? iterations : 0, complete);
}

/// Makes the searches; true if they stand where a saved run stopped.
bool TabuSolver::prepare(const sdk::Run& run) {
    on_gpu_ = !run.devices().empty();
    searches_ = run.devices().empty() ? make_cpu_searches(host_, problem_, options_, count_)
                                      : make_gpu_searches(run.devices(), problem_, options_, assignment_, count_, few_);
    if (run.resumed()) {
        if (saved_on_gpu_ != on_gpu_) {
            throw Error(ErrorKind::kUsage, std::string("the run was saved on ") + (saved_on_gpu_ ? "GPUs" : "the CPU") +
                                               ", and tabu's tables look different elsewhere: resume it there");
        }
        sdk::MemoryReader state(std::exchange(saved_, {}));
        searches_->load(state.reader());
    }
    return run.resumed();
}

bool TabuSolver::start(const sdk::Run& run) {
    std::vector<std::uint16_t> starts(std::size_t{count_} * n_);
    for (std::uint32_t k = 0; k < count_; ++k) {
        std::uint16_t* solution = starts.data() + std::size_t{k} * n_;
        if (k < run.initial().count) {
            std::copy_n(sdk::permutation_of(sdk::solution_at(run.initial().solutions, problem_.solution_bytes(), k)),
                        n_, solution);
        } else {
            draw_start(0, k, solution);
        }
    }
    record_.solution = base_;  // until the searches have begun
    std::copy_n(starts.begin(), n_, sdk::permutation_of(static_cast<void*>(record_.solution.data())));
    return searches_->start(starts, run);
}

/// Where the run ends before the searches began: the first of their starts.
void TabuSolver::report_start(sdk::Run& run) {
    record_.cost = problem_.evaluate_one(record_.solution.data());
    run.end_round({sizeof(qapfw_round), 0, 0, 1, 0, record_.solution.data(), record_.cost, 0, 0});
}

void TabuSolver::draw_start(std::uint64_t iteration, std::uint32_t search, std::uint16_t* solution) const {
    std::copy_n(sdk::permutation_of(static_cast<const void*>(base_.data())), n_, solution);
    kernels::shuffle(solution, free_.data(), static_cast<std::uint32_t>(free_.size()), options_.seed, iteration, search,
                     kStartStream);
}

bool TabuSolver::share_elites(const sdk::Run& run) {
    if (count_ < 2) return true;
    const std::vector<std::uint16_t> elites = searches_->best_solutions();
    const std::vector<SearchBest> bests = searches_->bests();
    std::vector<std::uint16_t> children(elites.size());
    const bool all_afresh = is_stale(bests);
    std::vector<std::uint8_t> afresh(count_, 0);
    host_.parallel_for(count_, [&](std::uint64_t index, std::uint32_t) {
        const auto k = static_cast<std::uint32_t>(index);
        std::uint32_t partner = kernels::below(kernels::draw(run.seed(), rounds_, k, kShareStream, 0), count_ - 1);
        if (partner >= k) ++partner;
        const std::uint16_t* own = elites.data() + std::size_t{k} * n_;
        const std::uint16_t* other = elites.data() + std::size_t{partner} * n_;
        std::uint16_t* child = children.data() + std::size_t{k} * n_;
        const bool worse = problem_.less()(bests[partner].cost, bests[k].cost) ||
                           (!problem_.less()(bests[k].cost, bests[partner].cost) && partner < k);
        std::uint32_t distance = 0;
        for (std::uint32_t i = 0; i < n_; ++i) distance += own[i] != other[i] ? 1 : 0;
        if (all_afresh || (distance < alike_ && worse)) {
            afresh[k] = 1;
            draw_start(rounds_, k, child);
        } else {
            std::vector<std::uint8_t> taken(n_);
            kernels::uniform_crossover(own, other, child, taken.data(), n_, run.seed(), rounds_, k, kCrossoverStream);
        }
    });
    return searches_->replace(children, afresh, run);
}

/// Whether the searches have met restart_after_ times in a row without finding anything better; counts this meeting.
bool TabuSolver::is_stale(const std::vector<SearchBest>& bests) {
    const qapfw_cost best = bests[leader(bests)].cost;
    if (has_epoch_best_ == 0 || problem_.less()(best, epoch_best_)) {
        epoch_best_ = best;
        has_epoch_best_ = 1;
        stale_ = 0;
    } else {
        ++stale_;
    }
    if (restart_after_ == 0 || stale_ < restart_after_) return false;
    has_epoch_best_ = 0;
    stale_ = 0;
    return true;
}

/// Before searches start afresh: their bests would be lost.
void TabuSolver::remember_best() {
    const std::vector<SearchBest> bests = searches_->bests();
    const std::uint32_t best = leader(bests);
    if (record_.exists && !problem_.less()(bests[best].cost, record_.cost)) return;
    const std::vector<std::uint16_t> permutation = searches_->best_solution(best);
    std::copy(base_.begin(), base_.end(), record_.solution.begin());
    std::copy(permutation.begin(), permutation.end(), sdk::permutation_of(static_cast<void*>(record_.solution.data())));
    record_.cost = bests[best].cost;
    record_.iteration = bests[best].iteration;
    record_.search = best;
    record_.exists = true;
}

std::uint32_t TabuSolver::leader(const std::vector<SearchBest>& bests) const {
    const sdk::CostLess less = problem_.less();
    const auto better = [&](const SearchBest& a, const SearchBest& b) {
        if (less(a.cost, b.cost) || less(b.cost, a.cost)) return less(a.cost, b.cost);
        return a.iteration < b.iteration;
    };
    return static_cast<std::uint32_t>(std::min_element(bests.begin(), bests.end(), better) - bests.begin());
}

void TabuSolver::report(sdk::Run& run, std::uint64_t iterations, bool complete) {
    const std::uint64_t total = searches_->total_iterations();
    const qapfw_round round{sizeof(qapfw_round),
                            complete ? 1u : 0u,
                            iterations,
                            (total - reported_) * pairs_,
                            complete ? searches_->digest() : 0,
                            record_.solution.data(),
                            record_.cost,
                            record_.iteration,
                            record_.search};
    reported_ = total;
    run.end_round(round);
}

void TabuSolver::save(sdk::Writer& writer) const {
    writer.value(rounds_);
    writer.value(iteration_);
    writer.value(reported_);
    writer.value(epoch_best_);
    writer.value(has_epoch_best_);
    writer.value(stale_);
    writer.array(record_.solution);
    writer.value(record_.cost);
    writer.value(record_.iteration);
    writer.value(record_.search);
    writer.value(record_.exists);
    writer.value(on_gpu_);
    searches_->save(writer);
}

void TabuSolver::load(sdk::Reader& reader) {
    rounds_ = reader.value<std::uint64_t>();
    iteration_ = reader.value<std::uint64_t>();
    reported_ = reader.value<std::uint64_t>();
    epoch_best_ = reader.value<qapfw_cost>();
    has_epoch_best_ = reader.value<std::uint64_t>();
    stale_ = reader.value<std::uint64_t>();
    reader.array(record_.solution, problem_.solution_bytes());
    record_.cost = reader.value<qapfw_cost>();
    record_.iteration = reader.value<std::uint64_t>();
    record_.search = reader.value<std::uint64_t>();
    record_.exists = reader.value<bool>();
    saved_on_gpu_ = reader.value<bool>();
    saved_ = reader.rest();
}

}  // namespace qapfw::tabu
