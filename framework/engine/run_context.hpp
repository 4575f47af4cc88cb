// SPDX-License-Identifier: Apache-2.0
// The framework's side of one run of a solver: grants rounds, takes the incumbent, counts, traces, and ends the run.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "framework/engine/alternatives.hpp"
#include "framework/engine/checkpointer.hpp"
#include "framework/engine/cpu_leg.hpp"
#include "framework/engine/incumbent.hpp"
#include "framework/engine/instance_bound.hpp"
#include "framework/engine/offers.hpp"
#include "framework/engine/progress.hpp"
#include "framework/engine/run_observer.hpp"
#include "framework/engine/signal_watch.hpp"
#include "framework/engine/stop_conditions.hpp"
#include "framework/processes/processes.hpp"

namespace qapfw::framework {

/// What one run works with; everything referred to outlives the run.
struct RunParts {
    const Problem& problem;
    Solver* solver;
    const StopConditions& conditions;
    Processes& processes;  ///< that share the run
    RunRecord& record;
    Progress& progress;
    const SignalWatch* signals = nullptr;  ///< null: nobody interrupts
    RunObserver* observer = nullptr;       ///< null: nobody listens
    bool has_record = false;               ///< this process, or the one that leads, keeps one
    RunResult known = {};                  ///< what is known of the result before the run
    AlternativesOrder alternatives = {};   ///< to look for after the run
    std::string trajectory = {};           ///< for the checkpoint
    double checkpoint_interval = 10;
    std::vector<const qapfw_device*> devices = {};
    const GpuPreparation* preparation = nullptr;  ///< the run begins on the CPU and moves; null: it stays
    ThreadPool* threads = nullptr;                ///< of the run on the CPU
    /// Makes the solver anew on these devices, in place of the one that was; none: on the CPU.
    std::function<Solver*(const DeviceChoice&)> change_devices = {};
    std::chrono::steady_clock::time_point program_start = std::chrono::steady_clock::now();
};

/// How a run ended; a failure is told after the result was saved and shown.
struct RunOutcome {
    RunResult result;
    std::exception_ptr failure;
};

class RunContext {
  public:
    explicit RunContext(RunParts parts);
    RunContext(const RunContext&) = delete;
    RunContext& operator=(const RunContext&) = delete;

    /// A solution to start from, before run().
    void warm_start(SolutionBuffer solution);
    /// Goes on from here instead of the beginning, before run(); loads the solver's state too.
    void restore(const Checkpoint& checkpoint);
    /// A solution that an earlier session had found after its checkpoint: the result never gets worse than this.
    void keep(CostedSolution earlier, BestFound found);

    /// The whole run. Does not throw for what goes wrong in it.
    RunOutcome run();
    /// From another thread, when the solver does not return: ends the run's bookkeeping and saves the record. Nothing
    /// where the run is ending by itself.
    /// `signal` 0: because all processes end.
    std::optional<RunResult> abandon(int signal);
    /// Whether the run is to end at once, by the limits of time or a signal. From any thread.
    bool should_end() const;
    /// Whether to leave the round, to end or to go on elsewhere. From any thread.
    bool should_stop() const { return should_end() || leg_.cuts(); }

  private:
    using Clock = std::chrono::steady_clock;

    /// What one process says about the round that would begin now. The one that leads decides.
    struct RoundPlan {
        std::uint64_t granted = 0;
        double seconds_left = 0;  ///< until its deadline, at the latest
        StopReason reason = StopReason::kNone;
        int signal = 0;
        std::uint8_t in_full = 0, is_slice = 0, takes_snapshot = 0;
        std::uint8_t settled = 0, has_gpus = 0, moves = 0;  ///< see CpuLeg; moves: in all processes at once
        std::uint64_t wanted = 0;
    };

    std::uint64_t begin_round(std::uint64_t wanted);
    RoundPlan plan_round(std::uint64_t wanted);
    RoundPlan plan_among_processes(std::uint64_t wanted);
    RoundPlan plan_of_all(RoundPlan own) const;
    int received_signal() const;
    bool is_cancelled() const;
    void tell_observer(bool improved);
    void check_that_work_is_shared() const;
    void end_round(const qapfw_round& round);
    qapfw_run make_services();
    void tell_limits(qapfw_run& services) const;

    bool leaves_cpu() const;
    void move_to_gpus();
    void go_on_with(const DeviceChoice& devices, const std::optional<std::vector<std::byte>>& state);
    void tell_move() const;
    void settle_leg();
    void keep_seen(const qapfw_round& round);
    void fail(const std::exception& error);  // call it where the exception is handled
    void start_clock();
    void stop_clock();
    double seconds() const;
    RunState state() const;
    void count(const qapfw_round& round);
    void note_improvement(const qapfw_round& round);
    void improve_answers();
    void check_bound() const;
    void take_bound(const ProvenBound& bound);
    void take_instance_bound();
    void take_only_solution();
    void take_alternatives();
    void write_alternatives();
    StopReason stop_reason() const;
    double seconds_left() const;
    void set_deadline(double seconds_left);
    Checkpoint describe() const;
    RunResult make_result(StopReason reason) const;
    std::jthread start_rescuer();
    void rescue_results(const std::stop_token& stop);
    bool offer_is_due() const;
    bool is_news(qapfw_cost cost) const;
    bool may_be_news(qapfw_cost search_cost) const;
    void look_at_offer(std::unique_lock<std::timed_mutex>& lock);
    void keep_offered(CostedSolution found);
    void take_last_offer();
    bool flush_is_due() const;
    void flush_if_due();
    RunResult flush(StopReason reason, Durability durability);  // what was written
    void save_last_round();
    void note_common_ending();
    void keep_any();
    void warn_of_short_run() const;
    RunResult conclude();

    RunParts parts_;
    std::timed_mutex mutex_;  // everything below, between the run's thread, rescue_results() and abandon()
    Incumbent incumbent_;
    std::optional<CostedSolution> earlier_;  // see keep(), or offered within a round
    BestFound earlier_found_;
    Counters counters_;
    std::uint64_t last_improvement_ = 0;
    double seconds_at_improvement_ = 0;
    BestFound found_;
    std::optional<ProvenBound> proven_;  ///< the best one that the run knows, beside the problem's own
    std::optional<InstanceBound> instance_bound_;
    Alternatives alternatives_;
    std::map<std::string, double> statistics_;
    Offers offers_;  // has a lock of its own
    Clock::time_point round_began_, next_offer_;
    CpuLeg leg_;
    bool moving_ = false;     // the solver was told to return since the run goes on on the GPUs
    bool has_begun_ = false;  // the present solver has met the framework
    Checkpointer checkpointer_;
    SolutionBuffer initial_;
    qapfw_cost initial_cost_{};
    bool has_initial_ = false, resumed_ = false;

    bool round_open_ = false, round_in_full_ = false;
    bool is_slice_ = false;         ///< what was granted last is a part of a round
    bool takes_snapshot_ = false;   // with several processes: at the end of this round
    int signal_ = 0;                // that ended the run
    bool round_resumable_ = false;  // the last reported round is complete and was granted in full
    StopReason reason_ = StopReason::kNone;
    std::exception_ptr failure_;
    std::string failure_text_;
    bool concluded_ = false;
    bool improved_ = false;  // in the last round
    bool dirty_ = false;     // the record is older than the incumbent
    bool unsaved_ = false;   // its result.json too
    Clock::time_point last_flush_;

    bool clock_started_ = false;
    Clock::time_point start_;  // of the search in this session
    std::optional<Clock::time_point> end_;
    double seconds_before_ = 0, wall_before_ = 0;  // of earlier sessions
    double startup_seconds_ = 0;
    std::atomic<bool> stopping_{false};
    std::atomic<Clock::rep> deadline_{Clock::duration::max().count()};  // since the clock's epoch
};

}  // namespace qapfw::framework
