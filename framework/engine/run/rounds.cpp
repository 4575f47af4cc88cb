// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/run/rounds.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace qapfw::framework {

RoundPlan Rounds::plan(std::uint64_t wanted, const BookView& view, const Solver& solver) const {
    RoundPlan plan;
    plan.decided = cpu_.is_decided() ? 1 : 0;
    plan.has_gpus = cpu_.is_ready() ? 1 : 0;
    plan.moves = plan.has_gpus != 0 && (resumable_ || cpu_.has_state()) ? 1 : 0;
    plan.wanted = wanted;
    plan.signal = interruption_.signal();
    plan.reason = view.reason;
    plan.granted = conditions_.grant(wanted, view.state);
    plan.in_full = plan.granted == wanted ? 1 : 0;
    if (conditions_.evaluations && solver.takes_slices()) {
        const std::uint64_t slice = conditions_.slice(view.state);
        plan.is_slice = slice < plan.granted ? 1 : 0;
        plan.granted = std::min(plan.granted, slice);
    }
    plan.takes_snapshot = view.snapshot_is_due ? 1 : 0;
    const auto deadline = conditions_.deadline(view.state);
    plan.seconds_left = deadline ? *deadline - view.state.seconds : std::numeric_limits<double>::infinity();
    return processes_.alone() ? plan : plan_of_all(plan, view.state.rounds, solver.owner());
}

/// Returns one plan for all processes, made from the leading process's plan. A signal to any process ends the run. All
/// processes call this function together.
RoundPlan Rounds::plan_of_all(const RoundPlan& own, std::uint64_t rounds, const std::string& solver) const {
    const std::vector<RoundPlan> plans = processes_.gather_values(own);
    RoundPlan plan = plans.front();
    const auto says = [](std::uint8_t RoundPlan::*what) {
        return [what](const RoundPlan& of) { return of.*what != 0; };
    };
    plan.moves = cpu_.is_open() && std::ranges::all_of(plans, says(&RoundPlan::decided)) &&
                 std::ranges::any_of(plans, says(&RoundPlan::has_gpus));
    for (std::size_t p = 1; p < plans.size(); ++p) {
        if (plan.signal == 0) plan.signal = plans[p].signal;
        if (plans[p].wanted == plan.wanted) continue;
        throw Error(ErrorKind::kPlugin, fmt::format("{}: after {} rounds process {} wants {} iterations and process 0 "
                                                    "wants {}: the processes do not follow the same trajectory",
                                                    solver, rounds, p, plans[p].wanted, plan.wanted));
    }
    const bool clock = plan.reason == StopReason::kNone || plan.reason == StopReason::kTimeLimit;
    if (clock && plan.signal != 0) plan.reason = StopReason::kSignal;
    return plan;
}

void Rounds::begin(const RoundPlan& plan) {
    present_ = plan;
    if (plan.moves != 0) return;
    set_deadline(plan.seconds_left);
    cpu_.round_begins();
    open_ = true;
}

void Rounds::end(const qapfw_round& round, const std::string& solver) {
    if (!open_) throw Error(ErrorKind::kPlugin, solver + ": end_round without begin_round");
    open_ = false;
    if (round.is_slice == 0 || is_slice()) return;
    throw Error(ErrorKind::kPlugin, solver + ": end_round: is_slice is set, but a whole round was granted");
}

bool Rounds::is_cut(const qapfw_round& round) const {
    return round.complete == 0 && round.is_slice == 0 && cpu_.has_cut() && !should_end();
}

bool Rounds::note_end(const qapfw_round& round) {
    resumable_ = round.is_slice != 0 || (round.complete != 0 && (present_.in_full != 0 || is_slice()));
    return resumable_;
}

std::optional<bool> Rounds::snapshot_is_due() const {
    if (processes_.alone()) return std::nullopt;
    return present_.takes_snapshot != 0;
}

bool Rounds::should_end() const {
    return cpu_.failure() != nullptr || book_.is_ending() || interruption_.is_wanted() ||
           Clock::now().time_since_epoch().count() >= deadline_.load(std::memory_order_relaxed);
}

bool Rounds::leaves_cpu() const {
    if (!cpu_.is_open() || book_.is_ending()) return false;
    if (!processes_.alone()) return present_.moves != 0;  // all processes have decided this together
    return (present_.moves != 0 || cpu_.has_cut()) && !should_end();
}

void Rounds::leg_begins() {
    open_ = false;
    present_.moves = 0;
}

void Rounds::set_deadline(double seconds_left) {
    // A clock's time may overflow beyond a century. Nobody waits that long.
    if (seconds_left > 3e9) return;
    const auto left = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_left));
    deadline_ = (Clock::now() + left).time_since_epoch().count();
}

}  // namespace qapfw::framework
