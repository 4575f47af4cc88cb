// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/run/leg.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "framework/host/last_error.hpp"

namespace qapfw::framework {
namespace {

/// The services that a solver calls while it runs (see qapfw_run).
class Meetings {
  public:
    Meetings(const Solver& solver, SearchTask& task, Rounds& rounds, CpuLeg& cpu, RunBook& book)
        : solver_(solver), task_(task), rounds_(rounds), cpu_(cpu), book_(book) {}

    qapfw_run services() {
        qapfw_run services{};
        services.struct_size = sizeof services;
        services.context = this;
        services.seed = task_.seed;
        WarmStarts& starts = task_.warm_starts;
        if (!starts.costs.empty())
            services.initial = {starts.solutions.data(), starts.costs.data(), starts.costs.size()};
        services.has_target = task_.conditions.target ? 1 : 0;
        services.target = task_.conditions.target.value_or(qapfw_cost{});
        services.exchange = task_.processes.exchange();
        services.begin_round = [](void* context, std::uint64_t wanted) { return of(context).begin_round(wanted); };
        services.end_round = [](void* context, const qapfw_round* round) { return of(context).end_round(*round); };
        services.should_stop = [](void* context) { return of(context).rounds_.should_stop() ? 1 : 0; };
        services.is_slice = [](void* context) { return of(context).rounds_.is_slice() ? 1 : 0; };
        services.statistic = [](void* context, const char* name, double value) {
            of(context).take_or_fail([&](RunBook& book) { book.note_statistic(name, value); });
        };
        tell_limits(services);
        if (!task_.processes.leads()) return services;  // only the leading process shows offers
        services.offer = [](void* context, const void* solution, qapfw_cost cost) {
            of(context).take_or_fail([&](RunBook& book) { book.offer(solution, cost); });
        };
        return services;
    }
    bool have_begun() const { return begun_; }

  private:
    static Meetings& of(void* context) { return *static_cast<Meetings*>(context); }

    /// Runs `action` in a service that cannot return an error to the solver. An exception ends the run.
    template <class Action>
    void take_or_fail(Action&& action) {
        try {
            action(book_);
        } catch (const std::exception&) {
            book_.fail(std::current_exception());
        }
    }

    void tell_limits(qapfw_run& services) const {
        const StopConditions& limits = task_.conditions;
        const RunState state = book_.view().state;
        const auto left = [](const std::optional<std::uint64_t>& limit, std::uint64_t used) {
            return !limit ? 0 : std::max<std::uint64_t>(1, *limit - std::min(*limit, used));
        };
        constexpr double kLeast = 1e-3;
        if (limits.time_limit) services.seconds_left = std::max(kLeast, *limits.time_limit - state.seconds);
        services.most_evaluations = limits.evaluations.value_or(0);
        services.iterations_left = left(limits.iterations, state.iterations);
        services.evaluations_left = left(limits.evaluations, state.evaluations);
    }

    std::uint64_t begin_round(std::uint64_t wanted) {
        RoundPlan plan;
        try {
            book_.search_begins();
            if (!std::exchange(begun_, true)) book_.tell_move();
            tell_stay();
            plan = rounds_.plan(wanted, book_.view(), solver_);
            const std::exception_ptr failure = cpu_.failure();
            if (failure != nullptr && plan.reason == StopReason::kNone) std::rethrow_exception(failure);
        } catch (const std::exception&) {
            book_.fail(std::current_exception());
            return 0;
        }
        book_.decide(plan.reason, plan.signal);
        if (plan.reason != StopReason::kNone) return 0;
        rounds_.begin(plan);
        if (plan.moves != 0) return 0;
        book_.round_begins();
        return plan.granted;
    }

    qapfw_status end_round(const qapfw_round& round) {
        try {
            book_.tell_observer(take(round));
            return QAPFW_OK;
        } catch (const std::exception& error) {
            book_.fail(std::current_exception());
            set_last_error(error.what());
            return QAPFW_ERROR;
        }
    }

    /// Records a round that has ended. Returns whether the best cost improved.
    bool take(const qapfw_round& round) {
        if (round.struct_size < sizeof round) {
            throw Error(ErrorKind::kPlugin,
                        fmt::format("{}: end_round: qapfw_round.struct_size is {}, but it must be at least {}",
                                    solver_.owner(), round.struct_size, sizeof round));
        }
        rounds_.end(round, solver_.owner());
        if (rounds_.is_cut(round)) {  // the run moves to GPUs, where it repeats this round
            rounds_.note_end({});
            book_.keep_seen(round);
            return false;
        }
        check_that_work_is_shared();
        const bool improved = book_.take(round, solver_);
        const bool resumable = rounds_.note_end(round);
        if (round.is_slice != 0) return improved;
        if (resumable) {
            cpu_.round_ended(solver_);
            book_.take_snapshot(rounds_.snapshot_is_due(), solver_);
        } else {
            cpu_.close();  // the round was cut short, so it is the last one
        }
        return improved;
    }

    /// If the run stays on the CPU, reports the reason once. A process that works alone then never moves to GPUs.
    void tell_stay() {
        const std::string why = cpu_.why_it_stays();
        if (why.empty() || cpu_.failure() != nullptr || !book_.stay(why)) return;
        // With several processes the leg stays open, because another process may have GPUs.
        if (task_.processes.alone()) cpu_.close();
    }

    /// Throws if the solver exchanges nothing with other processes: each would then do the same work.
    void check_that_work_is_shared() const {
        if (task_.processes.count() == 1 || task_.processes.exchanges() > 0) return;
        throw Error(
            ErrorKind::kPlugin,
            fmt::format("{}: it offers {}, so processes share its work, but it exchanged nothing in its first round",
                        solver_.owner(), QAPFW_SOLVER_PROCESSES));
    }

    const Solver& solver_;
    SearchTask& task_;
    Rounds& rounds_;
    CpuLeg& cpu_;
    RunBook& book_;
    bool begun_ = false;
};

}  // namespace

Leg::Leg(Host& host, Config& config, const Problem& problem) : place_{host.devices()} {
    if (config.improver) improver_.emplace(host, *config.improver, problem);
    solver_.emplace(host, config.algorithm, problem, improver_ ? &*improver_ : nullptr, *config.registry);
}

void Leg::load(const State& state) {
    solver_->load(state);
    place_.resumed = true;
}

LegEnd run_solver(Solver& solver, const LegPlace& place, SearchTask& task, Rounds& rounds, CpuLeg& cpu, RunBook& book) {
    Meetings meetings(solver, task, rounds, cpu, book);
    const std::uint64_t exchanges = task.processes.exchanges();
    qapfw_run services = meetings.services();
    services.device_count = static_cast<std::uint32_t>(place.devices.size());
    services.devices = place.devices.data();
    services.resumed = place.resumed ? 1 : 0;
    rounds.leg_begins();
    LegEnd end;
    try {
        solver.run(services);
        end.moves = rounds.leaves_cpu();
    } catch (const std::exception&) {
        end.failure = std::current_exception();
    }
    end.has_met = meetings.have_begun() || task.processes.exchanges() != exchanges;
    return end;
}

}  // namespace qapfw::framework
