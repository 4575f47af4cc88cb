// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/run/run_book.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "framework/host/failure.hpp"
#include "framework/host/log.hpp"
#include "qapfw/sdk/encoding.hpp"

namespace qapfw::framework {
namespace {

/// Seconds of search before the instance's bound is computed. Most small instances are solved by then.
constexpr double kBoundDelay = 0.05;
/// At its end, a run waits for the instance's bound: at most kBoundPatience seconds, and not longer than the search
/// took. If this limit is below kLeastPatience seconds, the end of the run begins no computation of the bound.
constexpr double kBoundPatience = 0.1, kLeastPatience = 0.01;
constexpr std::chrono::milliseconds kAbandonPatience{200};  // longest wait for the lock if a solver does not return

/// Returns the digest of all rounds after one more round. Swapping two rounds changes the digest.
std::uint64_t chain(std::uint64_t digest, std::uint64_t round_digest) {
    return XXH3_64bits_withSeed(&round_digest, sizeof round_digest, digest);
}

}  // namespace

RunBook::RunBook(BookParts parts)
    : parts_(std::move(parts)),
      incumbent_(parts_.problem, parts_.known.backend == "cuda"),
      clock_(parts_.program_start),
      checkpointer_(parts_.record, parts_.checkpoint_interval, parts_.takes_snapshots),
      offers_(parts_.problem.search_costs(), parts_.problem.info().encoding.solution_bytes) {}

WarmStarts::WarmStarts(const Problem& problem, const std::vector<SolutionBuffer>& starts)
    : solutions(starts.size() * problem.info().encoding.solution_bytes) {
    const std::uint64_t bytes = problem.info().encoding.solution_bytes;
    for (const SolutionBuffer& start : starts) {
        std::memcpy(sdk::solution_at(solutions.data(), bytes, costs.size()), start.data(), bytes);
        costs.push_back(problem.search_cost(start.data()));
    }
}

void RunBook::begin_with(const WarmStarts& starts) {
    const std::uint64_t bytes = parts_.problem.info().encoding.solution_bytes;
    for (std::size_t k = 0; k < starts.costs.size(); ++k)
        incumbent_.offer(sdk::solution_at(starts.solutions.data(), bytes, k), starts.costs[k], "the warm start");
}

void RunBook::restore(const Checkpoint& checkpoint) {
    incumbent_.restore(checkpoint.solutions, "the checkpoint");
    standing_ = {checkpoint.counters, checkpoint.last_improvement, checkpoint.seconds_at_improvement, checkpoint.found,
                 checkpoint.statistics};
    clock_.restore(checkpoint.seconds, checkpoint.wall_seconds);
}

void RunBook::keep(CostedSolution earlier, BestFound found) {
    found.kept = true;
    kept_ = Kept{std::move(earlier), found};
    writing_.dirty = writing_.unsaved = true;
}

void RunBook::open() {
    const std::lock_guard lock(mutex_);
    flush(StopReason::kNone, Durability::kProcess);
    const Problem& problem = parts_.problem;
    bounding_.is_wanted = parts_.conditions.stop_at_optimum && parts_.processes.alone() &&
                          !has_one_solution(problem.info().encoding) && InstanceBound::has(problem);
}

BookView RunBook::view() const {
    const std::lock_guard lock(mutex_);
    return {state(), end_.reason != StopReason::kNone ? end_.reason : stop_reason(), checkpointer_.is_due()};
}

void RunBook::decide(StopReason reason, int signal) {
    const std::lock_guard lock(mutex_);
    if (end_.failure) return;
    end_.reason = reason;
    end_.signal = signal;
    if (reason != StopReason::kNone) is_ending_ = true;
}

void RunBook::round_begins() {
    const std::lock_guard lock(mutex_);
    showing_.round_began = Clock::now();
}

bool RunBook::take(const qapfw_round& round, const Solver& solver) {
    const std::lock_guard lock(mutex_);
    showing_.round_began.reset();
    count(round);
    // If the solution was already evaluated within the round, its cost is used again. Evaluating a very long solution
    // twice would delay the end of the run noticeably.
    const bool improved =
        round.best_solution != nullptr &&
        incumbent_.offer(round.best_solution, round.best_cost, solver.owner(), kept_ ? &kept_->solution : nullptr);
    if (improved) note_improvement(round);
    take_bounds(round, improved);
    parts_.progress.say(solver.words());
    parts_.progress.update(state(), improved);
    // Does not write if the run ends now: the record is then written anyway.
    if (writing_.dirty && flush_is_due() && stop_reason() == StopReason::kNone)
        flush(StopReason::kNone, Durability::kProcess);
    return improved;
}

void RunBook::take_only_solution() {
    search_begins();
    const std::lock_guard lock(mutex_);
    const qapfw_encoding& encoding = parts_.problem.info().encoding;
    SolutionBuffer solution(encoding.solution_bytes);
    sdk::base_solution(encoding, solution.data());
    const qapfw_cost cost = parts_.problem.search_cost(solution.data());
    standing_.counters.evaluations = 1;
    if (incumbent_.offer(solution.data(), cost, parts_.problem.owner())) note_improvement({});
    standing_.proven = {incumbent_.best().cost, "the only solution"};
    end_.reason = StopReason::kOptimal;
}

/// Reads the incumbent without the lock: only this thread changes it.
void RunBook::tell_observer(bool improved) const {
    if (parts_.observer == nullptr) return;
    parts_.observer->round_ended(view().state, improved ? &incumbent_.best() : nullptr);
}

void RunBook::keep_seen(const qapfw_round& round) {
    const std::lock_guard lock(mutex_);
    showing_.round_began.reset();
    // A solution that cannot be the best so far is not evaluated: with a very long solution, an evaluation would delay
    // the end of the run noticeably.
    if (round.best_solution == nullptr || !may_be_news(round.best_cost)) return;
    const qapfw_cost cost = parts_.problem.evaluate(round.best_solution);
    if (kept_ && !parts_.problem.costs().less(cost, kept_->solution.cost)) return;
    keep({cost, solution_values(parts_.problem.info().encoding, round.best_solution)},
         {round.best_iteration, round.best_search, standing_.counters.evaluations, seconds()});
}

void RunBook::note_statistic(const char* name, double value) {
    const std::lock_guard lock(mutex_);
    standing_.statistics[name] = value;
}

void RunBook::go_on_with(const DeviceChoice& devices) {
    const std::lock_guard lock(mutex_);
    RunResult& known = parts_.known;
    known.devices.clear();
    for (const auto& device : devices.devices) known.devices.push_back(device->description());
    known.backend = known.identity.backend = devices.backend;
    known.backend_reason = devices.reason;
    known.moved.reset();
    if (devices.devices.empty()) return;
    known.moved = Moved{standing_.counters.rounds, standing_.counters.iterations, seconds()};
}

std::string RunBook::backend_reason() const {
    const std::lock_guard lock(mutex_);
    return parts_.known.backend_reason;
}

void RunBook::tell_move() const {
    const std::lock_guard lock(mutex_);
    if (!parts_.known.moved) return;
    const Moved& moved = *parts_.known.moved;
    log_info("the run moved to {} after {} rounds, {} iterations and {:.2f} s on the CPU: {}", parts_.known.backend,
             moved.rounds, moved.iterations, moved.seconds, parts_.known.backend_reason);
}

bool RunBook::stay(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (parts_.known.backend_reason == why) return false;
    log_warning("the run stays on the CPU: {}", why);
    parts_.known.backend_reason = why;
    return true;
}

void RunBook::fail(const std::exception_ptr& failure) {
    const std::lock_guard lock(mutex_);
    note_failure(failure);
}

void RunBook::note_failure(const std::exception_ptr& failure) {
    if (end_.failure) return;
    end_.failure = failure;
    end_.reason = StopReason::kError;
    is_ending_ = true;
    try {
        end_.text = failure_of(failure).text;
    } catch (const std::bad_alloc&) {
        end_.text = "out of memory";  // a text so short that it needs no memory
    }
}

bool RunBook::has_failed() const {
    const std::lock_guard lock(mutex_);
    return end_.failure != nullptr;
}

/// Stops the clock. If the problem has owner's costs, the problem then lowers these costs of all solutions in
/// incumbent_.all(). If a signal or the calling program ended the run, the problem improves only the best solution,
/// because the user or program waits for the end.
void RunBook::search_ended() {
    const std::lock_guard lock(mutex_);
    clock_.stop();
    if (end_.failure || !incumbent_.improve_answers(parts_.interruption.is_hurried())) return;
    qapfw_round round{};
    round.best_iteration = standing_.found.iteration;
    round.best_search = standing_.found.search;
    note_improvement(round);
}

RunOutcome RunBook::conclude(const Solver* resumable) {
    const std::lock_guard lock(mutex_);
    clock_.stop();
    take_instance_bound();
    take_alternatives();
    save_last_round(resumable);
    note_common_ending();
    RunResult result = write_end();
    return {std::move(result), end_.failure};
}

std::optional<RunResult> RunBook::abandon(int signal) {
    const std::unique_lock lock(mutex_, kAbandonPatience);
    if (!lock.owns_lock() || end_.is_written) return std::nullopt;
    if (signal == 0) {
        note_common_ending();
        return write_end();
    }
    log_warning("the solver did not return within {} ms of signal {}", SignalWatch::kPatience.count(), signal);
    end_.reason = StopReason::kSignal;
    end_.signal = signal;
    return write_end();
}

RunState RunBook::state() const {
    const Counters& counters = standing_.counters;
    RunState state{counters.iterations,
                   counters.evaluations,
                   standing_.last_improvement,
                   seconds(),
                   standing_.seconds_at_improvement,
                   {},
                   counters.rounds};
    if (!incumbent_.empty()) state.best = incumbent_.best().cost;
    if (standing_.proven) state.lower_bound = standing_.proven->cost;
    return state;
}

StopReason RunBook::stop_reason() const {
    const StopReason reason = parts_.conditions.check(state());
    const bool clock = reason == StopReason::kNone || reason == StopReason::kTimeLimit;
    if (clock && parts_.interruption.signal() != 0) return StopReason::kSignal;
    if (clock && parts_.interruption.is_cancelled()) return StopReason::kCancelled;
    return reason;
}

void RunBook::count(const qapfw_round& round) {
    Counters& counters = standing_.counters;
    counters.iterations += round.iterations;
    counters.evaluations += round.evaluations;
    if (round.complete == 0) return;
    ++counters.rounds;
    counters.digest = chain(counters.digest, round.digest);
}

void RunBook::note_improvement(const qapfw_round& round) {
    const Counters& counters = standing_.counters;
    standing_.seconds_at_improvement = seconds();
    standing_.last_improvement = counters.iterations;
    standing_.found = {round.best_iteration, round.best_search, counters.evaluations, standing_.seconds_at_improvement};
    writing_.dirty = writing_.unsaved = true;
    const Improvement improvement{standing_.seconds_at_improvement,
                                  counters.iterations,
                                  counters.evaluations,
                                  round.best_iteration,
                                  round.best_search,
                                  incumbent_.best().cost};
    trace(improvement);
}

void RunBook::take_bounds(const qapfw_round& round, bool improved) {
    const auto of_instance = bounding_.work ? bounding_.work->wait({}) : std::nullopt;
    if (of_instance) take_bound(*of_instance);
    if (round.has_lower_bound != 0) take_bound({round.lower_bound, parts_.solver});
    if (improved || round.has_lower_bound != 0 || of_instance) check_bound();
}

/// Notes the bound `found` if it is better than all earlier bounds. `found` is a search cost: every solution that the
/// solver has not reported costs at least `found`. If the problem has owner's costs, the bound is converted to
/// them. If the best reported solution then costs less than the bound, its cost becomes the bound.
void RunBook::take_bound(const ProvenBound& found) {
    ProvenBound bound{parts_.problem.bound_of_answers(found.cost), found.name};
    const CostSpace& costs = parts_.problem.costs();
    if (parts_.problem.has_owner_costs() && !incumbent_.empty()) {
        const qapfw_cost best = incumbent_.best().cost;
        if (costs.less(best, bound.cost) || costs.agree(bound.cost, best)) bound.cost = best;
    }
    std::optional<ProvenBound>& proven = standing_.proven;
    if (!proven || costs.less(proven->cost, bound.cost)) proven = bound;
}

/// Throws if the best solution costs less than a bound. With a wrong bound, runs would end as if their solutions were
/// optimal.
void RunBook::check_bound() const {
    if (incumbent_.empty()) return;
    const CostSpace& costs = parts_.problem.costs();
    const qapfw_cost cost = incumbent_.best().cost;
    const auto check = [&](const std::optional<qapfw_cost>& bound, const std::string& who) {
        if (!bound || !costs.less(cost, *bound) || costs.agree(cost, *bound)) return;
        throw Error(ErrorKind::kPlugin,
                    fmt::format("{} says that no solution has a cost better than {}, but {} evaluates a solution to {}",
                                who, costs.shown_text(*bound), parts_.problem.owner(), costs.shown_text(cost)));
    };
    check(parts_.conditions.lower_bound, parts_.problem.owner());
    if (standing_.proven) check(standing_.proven->cost, standing_.proven->name);
}

void RunBook::begin_bound_if_due() {
    const bool is_due = bounding_.is_wanted && !bounding_.work && clock_.has_started() && seconds() >= kBoundDelay;
    if (is_due) bounding_.work.emplace(parts_.problem);
}

/// Takes the instance's bound at the end of a run. Usually waits a short time for the bound. Does not wait if an error
/// ended the run, if somebody waits for the end of the run, or if the best solution is proven optimal.
void RunBook::take_instance_bound() {
    if (!bounding_.is_wanted) return;
    const bool is_hurried = end_.failure || parts_.interruption.is_hurried() || end_.reason == StopReason::kOptimal;
    const double patience = is_hurried ? 0 : std::min(kBoundPatience, seconds());
    if (!bounding_.work && patience < kLeastPatience) return;
    if (!bounding_.work) bounding_.work.emplace(parts_.problem);
    const std::chrono::duration<double> time(patience);
    const auto bound = bounding_.work->wait(std::chrono::duration_cast<std::chrono::microseconds>(time));
    if (bound) take_bound(*bound);
    bounding_.work.reset();
}

/// Looks for alternatives after the search. An alternative may be better than the best solution so far.
void RunBook::take_alternatives() {
    AlternativesOrder order = parts_.alternatives;
    if (order.count < 2 || end_.failure || incumbent_.empty() || parts_.interruption.is_hurried()) return;
    order.should_stop = [this] { return parts_.interruption.is_hurried(); };
    try {
        alternatives_ = find_alternatives(parts_.problem, incumbent_.all(), order);
        qapfw_round found{};
        found.best_iteration = standing_.counters.iterations;
        if (incumbent_.offer(alternatives_.solutions.front(), "the search for alternatives")) note_improvement(found);
        write_alternatives();
    } catch (const std::exception&) {
        note_failure(std::current_exception());
    }
}

/// If this process failed by itself, tells the other processes. If another process made all processes end, records the
/// reason of that process. An error that the solver of this process met afterwards is not recorded.
void RunBook::note_common_ending() {
    Processes& processes = parts_.processes;
    if (end_.failure && !processes.gave_up()) return processes.fail(end_.failure);
    const bool has_reason = !end_.failure && end_.reason != StopReason::kNone;
    if (!processes.watch().has_ended() || has_reason) return;
    const Ending ending = processes.watch().ending();
    end_.failure = std::make_exception_ptr(EndedTogether(ending));
    end_.text = ending.text;
    end_.reason = StopReason::kError;
}

/// Keeps a simple starting solution as the answer of a run whose solver reported no solution. This happens if the run
/// ended early, by an error or a very short limit.
void RunBook::keep_any() {
    const qapfw_encoding& encoding = parts_.problem.info().encoding;
    try {
        SolutionBuffer solution(encoding.solution_bytes);
        sdk::base_solution(encoding, solution.data());
        parts_.problem.improve(solution.data());
        const qapfw_cost cost = parts_.problem.evaluate(solution.data());
        keep({cost, solution_values(encoding, solution.data())}, {0, 0, standing_.counters.evaluations, seconds()});
    } catch (const std::exception& error) {
        log_debug("no solution: {}", error.what());
    }
}

}  // namespace qapfw::framework
