// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/run_context.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "framework/engine/prefer_exact.hpp"
#include "framework/host/failure.hpp"
#include "framework/host/log.hpp"
#include "framework/host/plugin_call.hpp"
#include "framework/record/trace.hpp"
#include "qapfw/abi/solver.h"
#include "qapfw/sdk/encoding.hpp"

namespace qapfw::framework {
namespace {

/// Time of search before the result is written, so that short searches do not wait for the disk.
constexpr std::chrono::milliseconds kFirstFlush{50};
/// Time between two checks whether a round lasts so long that the result must be written meanwhile.
constexpr std::chrono::milliseconds kRescueLook{20};
constexpr std::chrono::milliseconds kBoundPatience{100};  // at the end of a run, for a bound of the instance
/// Age of a round from which on solutions that are offered within it are shown: shorter rounds report them soon enough.
constexpr std::chrono::milliseconds kOfferAge{80};
constexpr std::chrono::milliseconds kOfferInterval{200};  // time between two looks at offered solutions
constexpr int kOfferPause = 10;  // evaluating offered solutions may take one part in this many of a thread's time
constexpr std::chrono::milliseconds kFlushInterval{500};    // time between writes of a result that keeps improving
constexpr std::chrono::milliseconds kAbandonPatience{200};  // how long to wait for the lock if a solver does not return

/// Where the course of a run ends it, the answer is what its rounds have reported: it does not depend on time.
bool ends_within_rounds(StopReason reason) {
    return reason == StopReason::kTimeLimit || reason == StopReason::kSignal || reason == StopReason::kCancelled ||
           reason == StopReason::kError;
}

/// The digest after another round. The order of rounds matters: swapping two rounds changes it.
std::uint64_t chain(std::uint64_t digest, std::uint64_t round_digest) {
    return XXH3_64bits_withSeed(&round_digest, sizeof round_digest, digest);
}

}  // namespace

RunContext::RunContext(RunParts parts)
    : parts_(std::move(parts)),
      incumbent_(parts_.problem, parts_.known.backend == "cuda"),
      offers_(parts_.problem.search_costs(), parts_.problem.info().encoding.solution_bytes),
      leg_(parts_.preparation, parts_.processes.alone(), parts_.threads),
      checkpointer_(parts_.record, parts_.solver, parts_.checkpoint_interval,
                    parts_.has_record || parts_.record.enabled()) {}

void RunContext::warm_start(SolutionBuffer solution) {
    initial_ = std::move(solution);
    initial_cost_ = parts_.problem.search_cost(initial_.data());
    has_initial_ = true;
    incumbent_.offer(initial_.data(), initial_cost_, "the warm start");
    dirty_ = unsaved_ = true;
}

void RunContext::restore(const Checkpoint& checkpoint) {
    parts_.solver->load(checkpoint.state);
    leg_.restored(checkpoint.state);
    incumbent_.restore(checkpoint.solutions, "the checkpoint");
    counters_ = checkpoint.counters;
    last_improvement_ = checkpoint.last_improvement;
    seconds_at_improvement_ = checkpoint.seconds_at_improvement;
    found_ = checkpoint.found;
    statistics_ = checkpoint.statistics;
    seconds_before_ = checkpoint.seconds;
    wall_before_ = checkpoint.wall_seconds;
    resumed_ = true;
}

void RunContext::keep(CostedSolution earlier, BestFound found) {
    earlier_ = std::move(earlier);
    earlier_found_ = found;
    earlier_found_.kept = true;
}

RunOutcome RunContext::run() {
    {
        const std::lock_guard lock(mutex_);
        flush(StopReason::kNone, Durability::kProcess);
    }
    try {
        const std::jthread rescuer = start_rescuer();
        const bool is_decided = has_one_solution(parts_.problem.info().encoding);
        const bool wants_bound = parts_.conditions.stop_at_optimum && parts_.processes.alone() && !is_decided;
        if (wants_bound && InstanceBound::has(parts_.problem)) instance_bound_.emplace(parts_.problem);
        if (is_decided) {
            take_only_solution();
        } else {
            parts_.solver->run(make_services());
        }
        while (leaves_cpu()) move_to_gpus();
        const std::lock_guard lock(mutex_);
        stop_clock();  // before waiting for the thread that runs rescue_results
        improve_answers();
    } catch (const std::exception& error) {
        const std::lock_guard lock(mutex_);
        if (!failure_) fail(error);  // else the solver passes on an error that end_round gave it
    }
    const std::lock_guard lock(mutex_);
    stop_clock();
    take_instance_bound();
    take_alternatives();
    save_last_round();
    note_common_ending();
    RunResult result = conclude();
    return {std::move(result), failure_};
}

std::optional<RunResult> RunContext::abandon(int signal) {
    const std::unique_lock lock(mutex_, kAbandonPatience);
    if (!lock.owns_lock() || concluded_) return std::nullopt;
    if (signal == 0) {
        note_common_ending();
        return conclude();
    }
    log_warning("the solver did not return within {} ms of signal {}", SignalWatch::kPatience.count(), signal);
    reason_ = StopReason::kSignal;
    signal_ = signal;
    return conclude();
}

qapfw_run RunContext::make_services() {
    qapfw_run services{};
    services.struct_size = sizeof services;
    services.device_count = static_cast<std::uint32_t>(parts_.devices.size());
    services.devices = parts_.devices.data();
    services.context = this;
    services.seed = parts_.known.seed;
    services.initial = {has_initial_ ? initial_.data() : nullptr, &initial_cost_, has_initial_ ? 1u : 0u};
    services.has_target = parts_.conditions.target ? 1 : 0;
    services.target = parts_.conditions.target.value_or(qapfw_cost{});
    services.resumed = resumed_ ? 1 : 0;
    services.exchange = parts_.processes.exchange();
    services.begin_round = [](void* context, std::uint64_t wanted) {
        return static_cast<RunContext*>(context)->begin_round(wanted);
    };
    services.end_round = [](void* context, const qapfw_round* round) -> qapfw_status {
        auto* self = static_cast<RunContext*>(context);
        try {
            {
                const std::lock_guard lock(self->mutex_);
                self->end_round(*round);
            }
            self->tell_observer(std::exchange(self->improved_, false));
            return QAPFW_OK;
        } catch (const std::exception& error) {
            const std::lock_guard lock(self->mutex_);
            self->fail(error);
            set_last_error(error.what());
            return QAPFW_ERROR;
        }
    };
    services.should_stop = [](void* context) { return static_cast<RunContext*>(context)->should_stop() ? 1 : 0; };
    services.statistic = [](void* context, const char* name, double value) {
        auto* self = static_cast<RunContext*>(context);
        const std::lock_guard lock(self->mutex_);
        self->statistics_[name] = value;
    };
    services.most_evaluations = parts_.conditions.evaluations.value_or(0);
    services.is_slice = [](void* context) { return static_cast<RunContext*>(context)->is_slice_ ? 1 : 0; };
    const bool is_seen = parts_.processes.leads();
    if (is_seen) {
        services.offer = [](void* context, const void* solution, qapfw_cost cost) {
            static_cast<RunContext*>(context)->offers_.put(solution, cost);
        };
    }
    tell_limits(services);
    return services;
}

void RunContext::tell_limits(qapfw_run& services) const {
    const StopConditions& limits = parts_.conditions;
    const auto left = [](const std::optional<std::uint64_t>& limit, std::uint64_t used) {
        return !limit ? 0 : std::max<std::uint64_t>(1, *limit - std::min(*limit, used));
    };
    constexpr double kLeast = 1e-3;
    if (limits.time_limit) services.seconds_left = std::max(kLeast, *limits.time_limit - seconds());
    services.iterations_left = left(limits.iterations, counters_.iterations);
    services.evaluations_left = left(limits.evaluations, counters_.evaluations);
}

void RunContext::fail(const std::exception&) {
    failure_ = std::current_exception();
    failure_text_ = failure_of(failure_).text;
    reason_ = StopReason::kError;
    stopping_ = true;
}

std::uint64_t RunContext::begin_round(std::uint64_t wanted) {
    RoundPlan plan;
    try {  // without the lock: others may take long to come
        plan = plan_among_processes(wanted);
        const std::exception_ptr failure = leg_.failure();
        if (failure != nullptr && plan.reason == StopReason::kNone) std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        const std::lock_guard lock(mutex_);
        fail(error);
        return 0;
    }
    const std::lock_guard lock(mutex_);
    reason_ = plan.reason;
    signal_ = plan.signal;
    if (reason_ != StopReason::kNone) {
        stopping_ = true;
        return 0;
    }
    if (plan.moves != 0) {
        moving_ = true;
        return 0;
    }
    set_deadline(plan.seconds_left);
    leg_.round_begins();
    round_open_ = true;
    round_began_ = Clock::now();
    round_in_full_ = plan.in_full != 0;
    is_slice_ = plan.is_slice != 0;
    takes_snapshot_ = plan.takes_snapshot != 0;
    return plan.granted;
}

RunContext::RoundPlan RunContext::plan_among_processes(std::uint64_t wanted) {
    const RoundPlan plan = plan_round(wanted);
    return parts_.processes.alone() ? plan : plan_of_all(plan);
}

RunContext::RoundPlan RunContext::plan_round(std::uint64_t wanted) {
    const std::lock_guard lock(mutex_);
    if (!clock_started_) start_clock();
    if (!std::exchange(has_begun_, true)) tell_move();
    settle_leg();
    RoundPlan plan;
    plan.settled = leg_.has_settled() ? 1 : 0;
    plan.has_gpus = leg_.is_ready() ? 1 : 0;
    plan.moves = plan.has_gpus != 0 && (round_resumable_ || leg_.has_state()) ? 1 : 0;
    plan.wanted = wanted;
    plan.signal = received_signal();
    plan.reason = reason_ != StopReason::kNone ? reason_ : stop_reason();
    plan.granted = parts_.conditions.grant(wanted, state());
    plan.in_full = plan.granted == wanted ? 1 : 0;
    if (parts_.conditions.evaluations && parts_.solver->takes_slices()) {
        const std::uint64_t slice = parts_.conditions.slice(state());
        plan.is_slice = slice < plan.granted ? 1 : 0;
        plan.granted = std::min(plan.granted, slice);
    }
    plan.takes_snapshot = checkpointer_.is_due() ? 1 : 0;
    plan.seconds_left = seconds_left();
    return plan;
}

/// What the process that leads says, but each may ask to stop.
RunContext::RoundPlan RunContext::plan_of_all(RoundPlan own) const {
    const std::vector<RoundPlan> plans = parts_.processes.gather_values(own);
    RoundPlan plan = plans.front();
    const auto says = [](std::uint8_t RoundPlan::*what) {
        return [what](const RoundPlan& of) { return of.*what != 0; };
    };
    plan.moves = leg_.is_open() && std::ranges::all_of(plans, says(&RoundPlan::settled)) &&
                 std::ranges::any_of(plans, says(&RoundPlan::has_gpus));
    for (std::size_t p = 1; p < plans.size(); ++p) {
        if (plan.signal == 0) plan.signal = plans[p].signal;
        if (plans[p].wanted == plan.wanted) continue;
        throw Error(
            ErrorKind::kPlugin,
            fmt::format("{}: after {} rounds process {} wants {} iterations and process 0 wants {}: they do not "
                        "follow the same trajectory",
                        parts_.solver->owner(), counters_.rounds, p, plans[p].wanted, plan.wanted));
    }
    const bool clock = plan.reason == StopReason::kNone || plan.reason == StopReason::kTimeLimit;
    if (clock && plan.signal != 0) plan.reason = StopReason::kSignal;
    return plan;
}

/// The signal that asked this process to stop, or 0.
int RunContext::received_signal() const {
    if (const int told = parts_.processes.watch().stop_signal(); told != 0) return told;
    return parts_.signals != nullptr ? parts_.signals->received() : 0;
}

void RunContext::end_round(const qapfw_round& round) {
    if (round.struct_size < sizeof round) {
        throw Error(ErrorKind::kPlugin,
                    fmt::format("{}: end_round: qapfw_round.struct_size is {}, at least {} was wanted",
                                parts_.solver->owner(), round.struct_size, sizeof round));
    }
    if (!round_open_) throw Error(ErrorKind::kPlugin, parts_.solver->owner() + ": end_round without begin_round");
    round_open_ = false;
    const bool is_slice = round.is_slice != 0;
    if (is_slice && !is_slice_) {
        throw Error(ErrorKind::kPlugin,
                    parts_.solver->owner() + ": end_round: is_slice is set, and a whole round was granted");
    }
    if (round.complete == 0 && !is_slice && leg_.has_cut() && !should_end()) return keep_seen(round);
    check_that_work_is_shared();
    count(round);
    const bool improved = round.best_solution != nullptr &&
                          incumbent_.offer(round.best_solution, round.best_cost, parts_.solver->owner());
    if (improved) {
        improved_ = true;
        note_improvement(round);
    }
    const auto of_instance = instance_bound_ ? instance_bound_->get() : std::nullopt;
    if (of_instance) take_bound(*of_instance);
    if (round.has_lower_bound != 0) take_bound({round.lower_bound, parts_.solver->owner()});
    if (improved || round.has_lower_bound != 0 || of_instance) check_bound();
    parts_.progress.say(parts_.solver->words());
    parts_.progress.update(state(), improved);
    flush_if_due();
    if (is_slice) {
        round_resumable_ = true;
        return;
    }
    round_resumable_ = round.complete != 0 && (round_in_full_ || is_slice_);
    if (!round_resumable_) return leg_.close();  // it is the last one
    leg_.round_ended(*parts_.solver);
    const bool due = parts_.processes.alone() ? checkpointer_.is_due() : takes_snapshot_;
    checkpointer_.round_ended(due, [this] { return describe(); });
}

bool RunContext::is_cancelled() const {
    return parts_.observer != nullptr && parts_.observer->wants_end();
}

/// Without the lock: only this thread changes the incumbent.
void RunContext::tell_observer(bool improved) {
    if (parts_.observer == nullptr) return;
    parts_.observer->round_ended(state(), improved ? &incumbent_.best() : nullptr);
}

/// A solver that exchanges nothing would do the same work in each process.
void RunContext::check_that_work_is_shared() const {
    if (parts_.processes.count() == 1 || parts_.processes.exchanges() > 0) return;
    throw Error(ErrorKind::kPlugin, fmt::format("{}: it says that it shares its work among processes ({}), and has "
                                                "exchanged nothing in its first round",
                                                parts_.solver->owner(), QAPFW_SOLVER_PROCESSES));
}

bool RunContext::should_end() const {
    if (leg_.failure() != nullptr) return true;
    if (stopping_.load(std::memory_order_relaxed)) return true;
    if (parts_.signals != nullptr && parts_.signals->received() != 0) return true;
    if (is_cancelled()) return true;
    const Watch& watch = parts_.processes.watch();
    if (watch.has_ended() || watch.stop_signal() != 0) return true;
    return Clock::now().time_since_epoch().count() >= deadline_.load(std::memory_order_relaxed);
}

void RunContext::start_clock() {
    clock_started_ = true;
    start_ = Clock::now();
    last_flush_ = start_ + kFirstFlush - kFlushInterval;
    checkpointer_.search_begins();
    startup_seconds_ = std::chrono::duration<double>(start_ - parts_.program_start).count();
    log_debug("first iteration {:.1f} ms after the program's start", 1000 * startup_seconds_);
}

/// Stops counting time: from here on results are written, and nothing is searched.
void RunContext::stop_clock() {
    if (!end_) end_ = Clock::now();
}

double RunContext::seconds() const {
    if (!clock_started_) return seconds_before_;
    return seconds_before_ + std::chrono::duration<double>(end_.value_or(Clock::now()) - start_).count();
}

RunState RunContext::state() const {
    RunState state{
        counters_.iterations, counters_.evaluations, last_improvement_, seconds(), seconds_at_improvement_, {}, 0};
    if (!incumbent_.empty()) state.best = incumbent_.best().cost;
    state.rounds = counters_.rounds;
    if (proven_) state.lower_bound = proven_->cost;
    return state;
}

void RunContext::count(const qapfw_round& round) {
    counters_.iterations += round.iterations;
    counters_.evaluations += round.evaluations;
    if (round.complete == 0) return;
    ++counters_.rounds;
    counters_.digest = chain(counters_.digest, round.digest);
}

void RunContext::note_improvement(const qapfw_round& round) {
    seconds_at_improvement_ = seconds();
    last_improvement_ = counters_.iterations;
    found_ = {round.best_iteration, round.best_search, counters_.evaluations, seconds_at_improvement_};
    dirty_ = unsaved_ = true;
    const Improvement improvement{seconds_at_improvement_, counters_.iterations, counters_.evaluations,
                                  round.best_iteration,    round.best_search,    incumbent_.best().cost};
    parts_.record.append_trace(trace_line(parts_.problem.costs(), improvement));
}

/// The last step of a run whose searches work with rounded costs. A signal leaves time for one solution.
void RunContext::improve_answers() {
    if (failure_ || !incumbent_.improve_answers(received_signal() != 0)) return;
    qapfw_round round{};
    round.best_iteration = found_.iteration;
    round.best_search = found_.search;
    note_improvement(round);
}

/// A bound that a solution undercuts would end every run as if it were optimal.
void RunContext::check_bound() const {
    if (incumbent_.empty()) return;
    const CostSpace& costs = parts_.problem.costs();
    const qapfw_cost cost = incumbent_.best().cost;
    const auto check = [&](const std::optional<qapfw_cost>& bound, const std::string& who) {
        if (!bound || !costs.less(cost, *bound) || costs.agree(cost, *bound)) return;
        throw Error(ErrorKind::kPlugin,
                    fmt::format("{} says that no solution has a cost better than {}, and {} evaluates one to {}", who,
                                costs.shown_text(*bound), parts_.problem.owner(), costs.shown_text(cost)));
    };
    check(parts_.conditions.lower_bound, parts_.problem.owner());
    if (proven_) check(proven_->cost, proven_->name);
}

/// `found` counts as searches do, and speaks of the solutions that were not reported.
void RunContext::take_bound(const ProvenBound& found) {
    ProvenBound bound{parts_.problem.bound_of_answers(found.cost), found.name};
    const CostSpace& costs = parts_.problem.costs();
    if (parts_.problem.has_owner_costs() && !incumbent_.empty()) {
        const qapfw_cost best = incumbent_.best().cost;
        if (costs.less(best, bound.cost) || costs.agree(bound.cost, best)) bound.cost = best;
    }
    if (!proven_ || parts_.problem.costs().less(proven_->cost, bound.cost)) proven_ = bound;
}

/// At the end of a run: a bound that comes soon is worth waiting for, unless the user waits or the answer is proven.
void RunContext::take_instance_bound() {
    if (!instance_bound_) return;
    const bool is_hurried = failure_ || received_signal() != 0 || reason_ == StopReason::kOptimal;
    const auto bound = is_hurried ? instance_bound_->get() : instance_bound_->wait(kBoundPatience);
    if (bound) take_bound(*bound);
    instance_bound_.reset();
}

/// After the search. What it finds beside the best may be better than that.
void RunContext::take_alternatives() {
    if (parts_.alternatives.count < 2 || failure_ || incumbent_.empty() || received_signal() != 0) return;
    AlternativesOrder order = parts_.alternatives;
    order.should_stop = [this] { return received_signal() != 0; };
    try {
        alternatives_ = find_alternatives(parts_.problem, incumbent_.all(), order);
        qapfw_round found{};
        found.best_iteration = counters_.iterations;
        if (incumbent_.offer(alternatives_.solutions.front(), "the search for alternatives")) note_improvement(found);
        write_alternatives();
    } catch (const std::exception& error) {
        fail(error);
    }
}

/// The problem's files of all but the best one, whose files have their own names.
void RunContext::write_alternatives() {
    for (std::size_t k = 1; k < alternatives_.solutions.size() && parts_.record.enabled(); ++k) {
        const CostedSolution& alternative = alternatives_.solutions[k];
        SolutionBuffer solution(parts_.problem.info().encoding.solution_bytes);
        store_values(parts_.problem.info().encoding, alternative.values, solution.data());
        std::vector<Artefact> artefacts = parts_.problem.artefacts(solution.data());
        for (Artefact& artefact : artefacts) artefact.name = fmt::format("alternative-{}-{}", k + 1, artefact.name);
        parts_.record.write_artefacts(artefacts);
    }
}

/// At most one position is free: there is nothing to search.
void RunContext::take_only_solution() {
    const std::lock_guard lock(mutex_);
    start_clock();
    const qapfw_encoding& encoding = parts_.problem.info().encoding;
    SolutionBuffer solution(encoding.solution_bytes);
    sdk::base_solution(encoding, solution.data());
    const qapfw_cost cost = parts_.problem.search_cost(solution.data());
    counters_.evaluations = 1;
    qapfw_round round{};
    if (incumbent_.offer(solution.data(), cost, parts_.problem.owner())) note_improvement(round);
    proven_ = {incumbent_.best().cost, "the only solution"};
    reason_ = StopReason::kOptimal;
}

StopReason RunContext::stop_reason() const {
    const StopReason reason = parts_.conditions.check(state());
    const bool clock = reason == StopReason::kNone || reason == StopReason::kTimeLimit;
    if (clock && received_signal() != 0) return StopReason::kSignal;
    if (clock && is_cancelled()) return StopReason::kCancelled;
    return reason;
}

/// Until the clock ends the run.
double RunContext::seconds_left() const {
    const RunState now = state();
    const auto deadline = parts_.conditions.deadline(now);
    return deadline ? *deadline - now.seconds : std::numeric_limits<double>::infinity();
}

void RunContext::set_deadline(double seconds_left) {
    // Beyond a century the clock may overflow, and nobody waits for that.
    if (seconds_left > 3e9) return;
    const auto left = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_left));
    deadline_ = (Clock::now() + left).time_since_epoch().count();
}

Checkpoint RunContext::describe() const {
    Checkpoint checkpoint;
    checkpoint.identity = parts_.known.identity;
    checkpoint.trajectory = parts_.trajectory;
    checkpoint.seed = parts_.known.seed;
    checkpoint.costs = parts_.problem.costs();
    checkpoint.counters = counters_;
    checkpoint.last_improvement = last_improvement_;
    checkpoint.seconds = seconds();
    checkpoint.wall_seconds = wall_before_ + startup_seconds_ + checkpoint.seconds - seconds_before_;
    checkpoint.seconds_at_improvement = seconds_at_improvement_;
    checkpoint.found = found_;
    checkpoint.solutions = incumbent_.all();
    if (parts_.problem.info().n > kMostInlineValues && !incumbent_.empty()) checkpoint.solutions.resize(1);
    checkpoint.statistics = statistics_;
    checkpoint.trace_bytes = parts_.record.trace_bytes();
    checkpoint.trace_hash = parts_.record.trace_hash();
    checkpoint.resumes = parts_.known.resumes;
    checkpoint.data_paths = parts_.known.data_paths;
    return checkpoint;
}

RunResult RunContext::make_result(StopReason reason) const {
    const CostSpace& costs = parts_.problem.costs();
    RunResult result = parts_.known;
    result.stop_reason = name_of(reason);
    result.finished = reason != StopReason::kNone && reason != StopReason::kSignal &&
                      reason != StopReason::kCancelled && reason != StopReason::kError;
    result.signal = reason != StopReason::kSignal ? 0 : signal_ != 0 ? signal_ : received_signal();
    result.solutions = incumbent_.all();
    if (!incumbent_.empty()) result.best = incumbent_.best();
    result.found = found_;
    if (earlier_ && (!result.best || costs.less(earlier_->cost, result.best->cost))) {
        result.best = earlier_;
        result.found = earlier_found_;
        result.solutions.insert(result.solutions.begin(), *earlier_);
        if (result.solutions.size() > Incumbent::kSolutions) result.solutions.pop_back();
    }
    if (result.best) result.assignment = parts_.problem.assignment_of(result.best->values);
    if (proven_) result.proven = proven_;
    result.alternatives = alternatives_.solutions;
    for (const CostedSolution& alternative : alternatives_.solutions)
        result.alternative_assignments.push_back(parts_.problem.assignment_of(alternative.values));
    result.differs = alternatives_.differs;
    result.target = parts_.conditions.target;
    result.target_reached = result.target && result.best && costs.at_most(result.best->cost, *result.target);
    result.counters = counters_;
    result.seconds = seconds();
    const auto now = std::chrono::duration<double>(Clock::now() - parts_.program_start);
    result.wall_seconds = wall_before_ + now.count();
    result.startup_seconds = startup_seconds_;
    result.statistics = statistics_;
    result.error = failure_text_;
    return result;
}

std::jthread RunContext::start_rescuer() {
    try {
        return std::jthread(with_present_log([this](const std::stop_token& stop) { rescue_results(stop); }));
    } catch (const std::system_error& error) {
        log_warning("no thread that writes results beside long rounds: {}", error.what());
        return {};
    }
}

/// Shows what is offered within a round, and writes the result during one that does not end. It does not write the
/// problem's files: only the run's thread may ask for them.
void RunContext::rescue_results(const std::stop_token& stop) {
    std::condition_variable_any pause;
    std::unique_lock lock(mutex_);
    while (!pause.wait_for(lock, stop, kRescueLook, [&] { return stop.stop_requested(); })) {
        if (!concluded_ && offer_is_due()) look_at_offer(lock);
        if (!unsaved_ || concluded_ || !flush_is_due()) continue;
        try {
            RunResult present = make_result(StopReason::kNone);
            parts_.record.write_result(present, Durability::kProcess);
        } catch (const std::exception& error) {
            parts_.record.fail(error.what());
        }
        unsaved_ = false;
        last_flush_ = Clock::now();
    }
}

bool RunContext::offer_is_due() const {
    const Clock::time_point now = Clock::now();
    return round_open_ && now >= round_began_ + kOfferAge && now >= next_offer_;
}

/// Whether it is better than all that is known, or nothing is known.
bool RunContext::is_news(qapfw_cost cost) const {
    const CostSpace& costs = parts_.problem.costs();
    return (incumbent_.empty() || costs.less(cost, incumbent_.best().cost)) &&
           (!earlier_ || costs.less(cost, earlier_->cost));
}

/// The same of a cost as solvers count it.
bool RunContext::may_be_news(qapfw_cost search_cost) const {
    return parts_.problem.has_owner_costs() || is_news(search_cost);
}

/// Evaluates the offered solution without the lock, which is held before and after, and shows it.
void RunContext::look_at_offer(std::unique_lock<std::timed_mutex>& lock) {
    const std::optional<OfferedSolution> offer = offers_.take();
    if (!offer || !may_be_news(offer->cost)) return;
    const std::string reporter = parts_.solver->owner();  // the solver may be gone by the time it is needed
    lock.unlock();
    const Clock::time_point begin = Clock::now();
    try {
        CostedSolution found = incumbent_.evaluated(offer->solution.data(), offer->cost, reporter);
        const Clock::time_point end = Clock::now();
        lock.lock();
        next_offer_ = std::max<Clock::time_point>(begin + kOfferInterval, end + kOfferPause * (end - begin));
        if (concluded_ || !is_news(found.cost)) return;
        keep_offered(std::move(found));
        const RunState shown = state();
        const CostedSolution told = *earlier_;
        lock.unlock();
        if (parts_.observer != nullptr) parts_.observer->offered(shown, told);
        lock.lock();
    } catch (const std::exception& error) {
        if (!lock.owns_lock()) lock.lock();
        if (!failure_) fail(error);
    }
}

/// For the answer, beside the incumbent: the trajectory does not know of it.
void RunContext::keep_offered(CostedSolution found) {
    earlier_ = std::move(found);
    earlier_found_ = {0, 0, counters_.evaluations, seconds(), true};
    dirty_ = unsaved_ = true;
    const Improvement improvement{
        earlier_found_.seconds, counters_.iterations, counters_.evaluations, 0, 0, earlier_->cost, true};
    parts_.record.append_trace(trace_line(parts_.problem.costs(), improvement));
    RunState shown = state();
    shown.best = earlier_->cost;
    parts_.progress.update(shown, true);
}

/// What was offered last and nobody has looked at yet: the run ends within a round, or by an error.
void RunContext::take_last_offer() {
    try {
        const std::optional<OfferedSolution> offer = offers_.take();
        if (!offer || !may_be_news(offer->cost)) return;
        CostedSolution found = incumbent_.evaluated(offer->solution.data(), offer->cost, parts_.solver->owner());
        if (is_news(found.cost)) keep_offered(std::move(found));
    } catch (const std::exception& error) {
        if (!failure_) fail(error);
    }
}

bool RunContext::flush_is_due() const {
    return Clock::now() - last_flush_ >= kFlushInterval;
}

void RunContext::flush_if_due() {
    if (!dirty_ || !flush_is_due()) return;
    flush(StopReason::kNone, Durability::kProcess);
    last_flush_ = Clock::now();
}

RunResult RunContext::flush(StopReason reason, Durability durability) {
    RunResult result = make_result(reason);
    if (parts_.record.enabled() && result.best) {
        try {
            SolutionBuffer solution(parts_.problem.info().encoding.solution_bytes);
            store_values(parts_.problem.info().encoding, result.best->values, solution.data());
            parts_.record.write_artefacts(parts_.problem.artefacts(solution.data()));
        } catch (const Error& error) {
            parts_.record.fail(error.what());
        }
    }
    parts_.record.write_result(result, durability);
    dirty_ = unsaved_ = false;
    return result;
}

void RunContext::save_last_round() {
    if (!round_resumable_ || round_open_ || failure_) return;
    try {
        checkpointer_.run_ended([this] { return describe(); });
    } catch (const Error& error) {
        parts_.record.fail(error.what());
    }
}

/// What ended all processes is what the user reads, not what it did to the solver. A failure of this process is told
/// to the others.
void RunContext::note_common_ending() {
    if (failure_ && !parts_.processes.gave_up()) return parts_.processes.fail(failure_);
    const bool has_reason = !failure_ && reason_ != StopReason::kNone;
    if (!parts_.processes.watch().has_ended() || has_reason) return;
    const Ending ending = parts_.processes.watch().ending();
    failure_ = std::make_exception_ptr(EndedTogether(ending));
    failure_text_ = ending.text;
    reason_ = StopReason::kError;
}

/// The run ends before its solver has reported a solution, by a limit that short or an error: the answer is the one
/// that every search could begin with.
void RunContext::keep_any() {
    const qapfw_encoding& encoding = parts_.problem.info().encoding;
    try {
        SolutionBuffer solution(encoding.solution_bytes);
        sdk::base_solution(encoding, solution.data());
        parts_.problem.improve(solution.data());
        const qapfw_cost cost = parts_.problem.evaluate(solution.data());
        keep({cost, solution_values(encoding, solution.data())}, {0, 0, counters_.evaluations, seconds()});
    } catch (const std::exception& error) {
        log_debug("no solution: {}", error.what());
    }
}

/// A run that was cut short in its first round has hardly searched; its answer must not pass for the solver's.
void RunContext::warn_of_short_run() const {
    const bool cut = reason_ == StopReason::kTimeLimit || reason_ == StopReason::kSignal;
    if (!cut || counters_.rounds > 0 || has_one_solution(parts_.problem.info().encoding)) return;
    log_warning(
        "{} ended before its first local search was finished: {} has {} positions; the answer is hardly better than "
        "what it started from. Give the run more time, or see which algorithms suit the size: "
        "docs/guides/which-algorithm.md",
        parts_.solver->owner(), parts_.problem.info().instance, parts_.problem.info().encoding.segments[0].length);
}

RunResult RunContext::conclude() {
    stop_clock();
    const bool is_first = !std::exchange(concluded_, true);
    if (reason_ == StopReason::kNone) reason_ = stop_reason();
    if (reason_ == StopReason::kNone) reason_ = StopReason::kSolver;
    if (ends_within_rounds(reason_)) take_last_offer();
    if (incumbent_.empty() && !earlier_) keep_any();
    if (is_first) warn_of_short_run();
    checkpointer_.write_last();
    return flush(reason_, Durability::kPower);
}

}  // namespace qapfw::framework
