// SPDX-License-Identifier: Apache-2.0
// The part of RunBook that writes files (results, the problem's own files, snapshots), and shows offered solutions.
#include <fmt/core.h>

#include <algorithm>
#include <condition_variable>
#include <system_error>
#include <utility>

#include "framework/answers/feasibility.hpp"
#include "framework/engine/run/run_book.hpp"
#include "framework/host/log.hpp"

namespace qapfw::framework {
namespace {

/// The first improvement is written only after the search has run for this long. So short searches do not wait for the
/// disk.
constexpr std::chrono::milliseconds kFirstFlush{50};
/// Interval at which write_beside_rounds() checks whether an offered solution, the bound or a result is due.
constexpr std::chrono::milliseconds kRescueLook{20};
/// Solutions offered within a round are shown once the round is this old. A shorter round reports them soon enough.
constexpr std::chrono::milliseconds kOfferAge{80};
constexpr std::chrono::milliseconds kOfferInterval{200};  // least time from the start of one check to the next check
constexpr int kOfferPause = 10;                           // least pause after a check, in multiples of its duration
constexpr std::chrono::milliseconds kFlushInterval{500};  // time between writes of a result that keeps improving
constexpr int kFlushPause = 10;                           // least pause after a write, in multiples of its duration

/// True if the run may have ended in the middle of a round. Otherwise its answer is what complete rounds reported, and
/// does not depend on time.
bool ends_within_rounds(StopReason reason) {
    return reason == StopReason::kTimeLimit || reason == StopReason::kSignal || reason == StopReason::kCancelled ||
           reason == StopReason::kError;
}

}  // namespace

void RunBook::search_begins() {
    const std::lock_guard lock(mutex_);
    if (clock_.has_started()) return;
    clock_.start();
    checkpointer_.search_begins();
    writing_.last = Clock::now() + kFirstFlush - kFlushInterval;
    log_debug("first iteration {:.1f} ms after the program's start", 1000 * clock_.startup_seconds());
}

void RunBook::take_snapshot(std::optional<bool> due, const Solver& solver) {
    const std::lock_guard lock(mutex_);
    checkpointer_.round_ended(due.value_or(checkpointer_.is_due()), solver, [this] { return describe(); });
}

void RunBook::save_last_round(const Solver* resumable) {
    if (resumable == nullptr || end_.failure) return;
    try {
        checkpointer_.run_ended(*resumable, [this] { return describe(); });
    } catch (const Error& error) {
        parts_.record.fail(error.what());
    }
}

Checkpoint RunBook::describe() const {
    Checkpoint checkpoint;
    checkpoint.identity = parts_.known.identity;
    checkpoint.trajectory = parts_.trajectory;
    checkpoint.seed = parts_.known.seed;
    checkpoint.costs = parts_.problem.costs();
    checkpoint.counters = standing_.counters;
    checkpoint.last_improvement = standing_.last_improvement;
    checkpoint.seconds = seconds();
    checkpoint.wall_seconds = clock_.wall_seconds_at(checkpoint.seconds);
    checkpoint.seconds_at_improvement = standing_.seconds_at_improvement;
    checkpoint.found = standing_.found;
    checkpoint.solutions = incumbent_.all();
    if (parts_.problem.info().n > kMostInlineValues && !incumbent_.empty()) checkpoint.solutions.resize(1);
    checkpoint.statistics = standing_.statistics;
    checkpoint.trace_bytes = parts_.record.trace_bytes();
    checkpoint.trace_hash = parts_.record.trace_hash();
    checkpoint.resumes = parts_.known.resumes;
    checkpoint.data_paths = parts_.known.data_paths;
    return checkpoint;
}

/// Named numbers that explain a solution's cost. If the problem fails to compute them, the answer is kept without them.
CostParts RunBook::parts_of(const CostedSolution& solution) const {
    try {
        return explanation_of(parts_.problem, solution.values);
    } catch (const Error& error) {
        log_warning("{}; the answer is shown without the parts of its cost", error.what());
        return {};
    }
}

RunResult RunBook::make_result(StopReason reason) const {
    const CostSpace& costs = parts_.problem.costs();
    RunResult result = parts_.known;
    result.stop_reason = name_of(reason);
    result.finished = reason != StopReason::kNone && reason != StopReason::kSignal &&
                      reason != StopReason::kCancelled && reason != StopReason::kError;
    result.signal = reason != StopReason::kSignal ? 0 : end_.signal != 0 ? end_.signal : parts_.interruption.signal();
    result.solutions = incumbent_.all();
    if (!incumbent_.empty()) result.best = incumbent_.best();
    result.found = standing_.found;
    if (kept_ && (!result.best || costs.less(kept_->solution.cost, result.best->cost))) {
        result.best = kept_->solution;
        result.found = kept_->found;
        result.solutions.insert(result.solutions.begin(), kept_->solution);
        if (result.solutions.size() > Incumbent::kSolutions) result.solutions.pop_back();
    }
    if (result.best) result.assignment = parts_.problem.assignment_of(result.best->values);
    if (standing_.proven) result.proven = standing_.proven;
    result.alternatives = alternatives_.solutions;
    for (const CostedSolution& alternative : alternatives_.solutions)
        result.alternative_assignments.push_back(parts_.problem.assignment_of(alternative.values));
    result.differs = alternatives_.differs;
    result.target = parts_.conditions.target;
    result.target_reached = result.target && result.best && costs.at_most(result.best->cost, *result.target);
    result.counters = standing_.counters;
    result.seconds = seconds();
    result.wall_seconds = clock_.wall_seconds();
    result.startup_seconds = clock_.startup_seconds();
    result.statistics = standing_.statistics;
    if (result.best) {
        result.infeasibility = infeasibility_of(parts_.problem, result.best->values);
        if (reason != StopReason::kNone) result.parts = parts_of(*result.best);
    }
    result.error = end_.text;
    return result;
}

RunResult RunBook::write_end() {
    clock_.stop();
    const bool is_first = !std::exchange(end_.is_written, true);
    if (end_.reason == StopReason::kNone) end_.reason = stop_reason();
    if (end_.reason == StopReason::kNone) end_.reason = StopReason::kSolver;
    if (ends_within_rounds(end_.reason)) take_last_offer();
    if (incumbent_.empty() && !kept_) keep_any();
    if (is_first) warn_of_short_run();
    checkpointer_.write_last();
    return flush(end_.reason, Durability::kPower);
}

/// Warns of a run that was cut short in its first round. Such a run has hardly searched, so its answer says little
/// about the solver.
void RunBook::warn_of_short_run() const {
    const bool cut = end_.reason == StopReason::kTimeLimit || end_.reason == StopReason::kSignal;
    const qapfw_problem_info& info = parts_.problem.info();
    if (!cut || standing_.counters.rounds > 0 || has_one_solution(info.encoding)) return;
    log_warning(
        "{} ended within its first round ({} has {} positions), so the answer is hardly better than "
        "the first solution. Give the run more time, or see which algorithms suit the size: "
        "docs/guides/which-algorithm.md",
        parts_.solver, info.instance, info.encoding.segments[0].length);
}

/// Returns the problem's files for a solution. For a very long solution, it takes longer to compute the pairs and the
/// search cost than to write the files. So the caller passes the pairs. The search cost is computed only if
/// `solution.cost` is an owner's cost.
std::vector<Artefact> RunBook::artefacts_of(const CostedSolution& solution,
                                            const std::vector<AssignedPair>& pairs) const {
    const Problem& problem = parts_.problem;
    const SolutionBuffer bytes = solution_of(problem.info().encoding, solution.values);
    const qapfw_cost cost = problem.has_owner_costs() ? problem.search_cost(bytes.data()) : solution.cost;
    return problem.artefacts(bytes.data(), cost, pairs);
}

bool RunBook::flush_is_due() const {
    return Clock::now() - writing_.last >= std::max<Clock::duration>(kFlushInterval, writing_.pause);
}

/// Makes the result and returns it. If there is a record, writes the result and the problem's files to it.
RunResult RunBook::flush(StopReason reason, Durability durability) {
    const Clock::time_point begin = Clock::now();
    RunResult result = make_result(reason);
    writing_ = {false, false, begin};
    if (!parts_.record.enabled()) return result;
    if (result.best) {
        try {
            parts_.record.write_artefacts(artefacts_of(*result.best, result.assignment));
        } catch (const Error& error) {
            parts_.record.fail(error.what());
        }
    }
    parts_.record.write_result(result, durability);
    writing_.pause = kFlushPause * (Clock::now() - begin);
    return result;
}

void RunBook::trace(const Improvement& improvement) {
    if (parts_.record.enabled()) parts_.record.append_trace(trace_line(parts_.problem.costs(), improvement));
}

/// Writes the problem's files for all alternatives but the best one. `flush` writes the files of the best one.
void RunBook::write_alternatives() {
    for (std::size_t k = 1; k < alternatives_.solutions.size() && parts_.record.enabled(); ++k) {
        std::vector<Artefact> artefacts =
            artefacts_of(alternatives_.solutions[k], parts_.problem.assignment_of(alternatives_.solutions[k].values));
        for (Artefact& artefact : artefacts) artefact.name = fmt::format("alternative-{}-{}", k + 1, artefact.name);
        parts_.record.write_artefacts(artefacts);
    }
}

std::jthread RunBook::start_rescuer() {
    try {
        return std::jthread(with_present_log([this](const std::stop_token& stop) {
            try {
                write_beside_rounds(stop);
            } catch (const std::exception&) {  // out of memory: the run's thread still writes the result at the end
            }
        }));
    } catch (const std::system_error& error) {
        log_warning("results are not written during long rounds, since no thread for this can be started: {}",
                    error.what());
        return {};
    }
}

/// Until `stop`, shows solutions offered within a round, starts the instance's bound when it is due, and writes the
/// result during a long round. Does not write the problem's files, which only the run's thread may request.
void RunBook::write_beside_rounds(const std::stop_token& stop) {
    std::condition_variable_any pause;
    std::unique_lock lock(mutex_);
    while (!pause.wait_for(lock, stop, kRescueLook, [&] { return stop.stop_requested(); })) {
        if (!end_.is_written && offer_is_due()) look_at_offer(lock);
        if (!end_.is_written) begin_bound_if_due();
        if (!parts_.record.enabled() || !writing_.unsaved || end_.is_written || !flush_is_due()) continue;
        if (parts_.interruption.is_hurried()) continue;  // the run ends soon and then writes the result
        try {
            RunResult present = make_result(StopReason::kNone);
            parts_.record.write_result(present, Durability::kProcess);
        } catch (const std::exception& error) {
            parts_.record.fail(error.what());
        }
        writing_.unsaved = false;
        writing_.last = Clock::now();
    }
}

bool RunBook::offer_is_due() const {
    const Clock::time_point now = Clock::now();
    return showing_.round_began && now >= *showing_.round_began + kOfferAge && now >= showing_.next_look;
}

/// True if this cost is better than the costs of all known solutions.
bool RunBook::is_news(qapfw_cost cost) const {
    const CostSpace& costs = parts_.problem.costs();
    return (incumbent_.empty() || costs.less(cost, incumbent_.best().cost)) &&
           (!kept_ || costs.less(cost, kept_->solution.cost));
}

/// True if a solution with this search cost may be better than all known solutions.
bool RunBook::may_be_news(qapfw_cost search_cost) const {
    return parts_.problem.has_owner_costs() || is_news(search_cost);
}

/// Evaluates the offered solution, if there is one. If it is the best so far, keeps it as the answer and tells the
/// observer. Releases the lock during the evaluation.
void RunBook::look_at_offer(std::unique_lock<std::timed_mutex>& lock) {
    const std::optional<OfferedSolution> offer = offers_.take();
    if (!offer || !may_be_news(offer->cost)) return;
    lock.unlock();
    const Clock::time_point begin = Clock::now();
    try {
        CostedSolution found = incumbent_.evaluated(offer->solution.data(), offer->cost, parts_.solver);
        const Clock::time_point end = Clock::now();
        lock.lock();
        showing_.next_look = std::max<Clock::time_point>(begin + kOfferInterval, end + kOfferPause * (end - begin));
        if (end_.is_written || !is_news(found.cost)) return;
        show_offered(std::move(found));
        if (parts_.observer == nullptr) return;
        const RunState shown = state();
        const CostedSolution told = kept_->solution;
        lock.unlock();
        parts_.observer->offered(shown, told);
        lock.lock();
    } catch (const std::exception&) {
        if (!lock.owns_lock()) lock.lock();
        note_failure(std::current_exception());
    }
}

/// Keeps an offered solution as the answer, but not as the incumbent. So the trajectory does not depend on offers.
void RunBook::show_offered(CostedSolution found) {
    const Counters& counters = standing_.counters;
    keep(std::move(found), {0, 0, counters.evaluations, seconds()});
    const Improvement improvement{
        kept_->found.seconds, counters.iterations, counters.evaluations, 0, 0, kept_->solution.cost, true};
    trace(improvement);
    RunState shown = state();
    shown.best = kept_->solution.cost;
    parts_.progress.update(shown, true);
}

/// Evaluates an offered solution that still waits. If it is the best solution so far, it becomes the answer. Called if
/// a time limit, a signal, a cancellation or an error ended the run.
void RunBook::take_last_offer() {
    try {
        const std::optional<OfferedSolution> offer = offers_.take();
        if (!offer || !may_be_news(offer->cost)) return;
        CostedSolution found = incumbent_.evaluated(offer->solution.data(), offer->cost, parts_.solver);
        if (is_news(found.cost)) show_offered(std::move(found));
    } catch (const std::exception&) {
        note_failure(std::current_exception());
    }
}

}  // namespace qapfw::framework
