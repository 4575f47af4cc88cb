// SPDX-License-Identifier: Apache-2.0
// The rounds of an asynchronous run: each process makes its own, until process 0 says that the run ends. Limits and
// counters are those of process 0, evaluations and solutions those of all.
#include <limits>
#include <thread>

#include "framework/engine/run_context.hpp"

namespace qapfw::framework {
namespace {

constexpr std::chrono::milliseconds kOrderLook{1};

}  // namespace

void RunContext::go_apart() {
    apart_.emplace(*parts_.processes, parts_.problem.costs(), parts_.problem.info().encoding.solution_bytes);
    statistics_["reproducible"] = 0;
}

RunContext::RoundPlan RunContext::lead_apart(std::uint64_t wanted) {
    {
        const std::lock_guard lock(mutex_);
        hear(apart_->news());
    }
    RoundPlan plan = plan_round(wanted);
    // For a snapshot all wait for the slowest round, so there is none that does not go to the disk.
    if (!apart_->all_have_begun() || !checkpointer_.write_is_due()) plan.takes_snapshot = 0;
    snapshots_ += plan.takes_snapshot;
    apart_->give({plan.reason, plan.signal, snapshots_});
    return plan;
}

RunContext::RoundPlan RunContext::follow_apart(std::uint64_t wanted) {
    RoundPlan plan = plan_round(wanted);
    plan.granted = wanted;
    plan.seconds_left = std::numeric_limits<double>::infinity();
    if (const auto limit = parts_.conditions.time_limit) plan.seconds_left = *limit - seconds();
    apart_->report(plan.signal);
    Correspondence::Order order = apart_->order();
    while (order.reason == StopReason::kNone && should_stop()) {  // process 0 is about to say so
        std::this_thread::sleep_for(kOrderLook);
        order = apart_->order();
    }
    plan.reason = order.reason;
    plan.signal = order.signal;
    plan.takes_snapshot = order.snapshots > snapshots_ ? 1 : 0;
    snapshots_ = order.snapshots;
    return plan;
}

/// The mutex is held.
void RunContext::hear(const std::vector<ProcessReport>& reports) {
    for (const ProcessReport& report : reports) {
        counters_.evaluations += report.new_evaluations;
        if (signal_told_ == 0) signal_told_ = report.signal;
        if (report.solution.empty()) continue;
        if (incumbent_.offer(report.solution.data(), report.best.best_cost, parts_.solver->owner())) {
            note_improvement(report.best);
        }
    }
}

void RunContext::meet_after_last_round() {
    parts_.processes->set_alone(false);
    const std::vector<ProcessReport> reports = apart_->meet();
    const std::lock_guard lock(mutex_);
    hear(reports);
    round_resumable_ = apart_->all_have_begun() || resumed_;
}

}  // namespace qapfw::framework
