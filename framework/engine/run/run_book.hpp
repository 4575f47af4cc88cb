// SPDX-License-Identifier: Apache-2.0
// The book of one run: what was done and found, when, and how it ended. It writes the record and tells the user. The
// run's thread, the thread that writes beside long rounds, and the signal watch's thread use it; it has the run's lock.
#pragma once

#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "framework/answers/alternatives.hpp"
#include "framework/answers/instance_bound.hpp"
#include "framework/device/device_manager.hpp"
#include "framework/engine/checkpointer.hpp"
#include "framework/engine/incumbent.hpp"
#include "framework/engine/offers.hpp"
#include "framework/engine/progress.hpp"
#include "framework/engine/run/interruption.hpp"
#include "framework/engine/run/run_clock.hpp"
#include "framework/record/trace.hpp"

namespace qapfw::framework {

/// The end of a run; a failure is reported after the result was saved and shown.
struct RunOutcome {
    RunResult result;
    std::exception_ptr failure;
};

/// Solutions that every leg of a run may begin with.
struct WarmStarts {
    SolutionBuffer solutions;       ///< one behind the other
    std::vector<qapfw_cost> costs;  ///< as searches count them

    WarmStarts() = default;
    WarmStarts(const Problem& problem, const std::vector<SolutionBuffer>& starts);
};

/// The parts that a book is of; everything referred to outlives it.
struct BookParts {
    const Problem& problem;
    const StopConditions& conditions;
    const Interruption& interruption;
    Processes& processes;  ///< processes that share the run
    RunRecord& record;
    Progress& progress;
    RunObserver* observer = nullptr;      ///< null: nobody listens
    RunResult known = {};                 ///< what is known of the result before the run
    AlternativesOrder alternatives = {};  ///< good solutions to look for after the run
    std::string trajectory = {};          ///< for the checkpoint
    std::string solver = {};              ///< who reports solutions, for messages
    bool takes_snapshots = false;         ///< a record is kept, here or by the process that leads, and runs can resume
    double checkpoint_interval = 10;
    RunClock::Clock::time_point program_start = RunClock::Clock::now();
};

/// The facts on which a decision about the next round depends.
struct BookView {
    RunState state;
    StopReason reason = StopReason::kNone;  ///< why the run is to end
    bool snapshot_is_due = false;
};

class RunBook {
  public:
    explicit RunBook(BookParts parts);
    RunBook(const RunBook&) = delete;
    RunBook& operator=(const RunBook&) = delete;

    /// Before the search: the run begins with this solution.
    void begin_with(const WarmStarts& starts);
    /// Before the search: it goes on from here.
    void restore(const Checkpoint& checkpoint);
    /// A solution that an earlier session had found after its checkpoint: the result never gets worse than this.
    void keep(CostedSolution earlier, BestFound found);
    /// Writes the first result.
    void open();
    /// Starts the thread that shows what is offered within rounds, and writes results beside long ones. None where the
    /// system has no thread.
    std::jthread start_rescuer();

    /// The search begins; later calls do nothing.
    void search_begins();
    BookView view() const;
    /// The decision about the next round: the run ends, and by which signal; or it goes on.
    void decide(StopReason reason, int signal);
    void round_begins();
    /// [thread-safe] A solution of the present round, before its end.
    void offer(const void* solution, qapfw_cost cost) { offers_.put(solution, cost); }
    /// Takes the end of a round. Returns whether it improved. Throws Error for a solution that is not what it says.
    bool take(const qapfw_round& round, const Solver& solver);
    /// In place of a search, where at most one position is free.
    void take_only_solution();
    /// Informs the program around the engine, without the lock.
    void tell_observer(bool improved) const;
    /// A round was cut short that is repeated elsewhere, where it finds this again; but the run may end before.
    void keep_seen(const qapfw_round& round);
    /// The run can be resumed from here. `due`: a snapshot is to be taken; nothing: if it is time.
    void take_snapshot(std::optional<bool> due, const Solver& solver);
    void note_statistic(const char* name, double value);

    /// The run goes on on these devices.
    void go_on_with(const DeviceChoice& devices);
    std::string backend_reason() const;
    /// Reports the move to GPUs, if there was one.
    void tell_move() const;
    /// Reports why the run stays on the CPU. False: that was reported before.
    bool stay(const std::string& why);

    /// This ends the run, unless another failure did before: a solver passes on an error that end_round gave it.
    void fail(const std::exception_ptr& failure);
    bool has_failed() const;
    /// [thread-safe] The run is about to end.
    bool is_ending() const { return is_ending_.load(std::memory_order_relaxed); }
    /// The search is over: no time is counted any more, and answers are made better by the costs of the owner.
    void search_ended();
    /// The end of the run. `resumable`: the solver, if its state is that of the last complete round; else null.
    RunOutcome conclude(const Solver* resumable);
    /// From another thread, when the solver does not return: ends the book and saves the record. Nothing where the run
    /// is ending by itself. `signal` 0: because all processes end.
    std::optional<RunResult> abandon(int signal);

  private:
    using Clock = RunClock::Clock;

    /// A solution that the incumbent does not hold: of an earlier session, a cut round, or offered within a round.
    struct Kept {
        CostedSolution solution;
        BestFound found;
    };
    struct Standing {
        Counters counters;
        std::uint64_t last_improvement = 0;
        double seconds_at_improvement = 0;
        BestFound found;
        std::map<std::string, double> statistics;
        std::optional<ProvenBound> proven = {};  ///< the best one that the run knows, beside the problem's own
    };
    /// The bound of the instance, computed beside a run that may end by it.
    struct Bounding {
        bool is_wanted = false;
        std::optional<InstanceBound> work;  ///< nothing: it has not begun
    };
    struct End {
        StopReason reason = StopReason::kNone;
        int signal = 0;
        std::exception_ptr failure;
        std::string text;  ///< of the failure
        bool is_written = false;
    };
    struct Writing {
        bool dirty = false;    ///< the record is older than the incumbent
        bool unsaved = false;  ///< its result.json too
        Clock::time_point last;
        Clock::duration pause{};  ///< from `last` on, since writing a long solution takes time itself
    };
    struct Showing {
        std::optional<Clock::time_point> round_began;  ///< nothing: no round is open
        Clock::time_point next_look;                   ///< at offered solutions
    };

    double seconds() const { return clock_.seconds(); }
    RunState state() const;
    StopReason stop_reason() const;
    void count(const qapfw_round& round);
    void note_improvement(const qapfw_round& round);
    void take_bounds(const qapfw_round& round, bool improved);
    void take_bound(const ProvenBound& found);
    void check_bound() const;
    void begin_bound_if_due();
    void take_instance_bound();
    void take_alternatives();
    void write_alternatives();
    std::vector<Artefact> artefacts_of(const CostedSolution& solution, const std::vector<AssignedPair>& pairs) const;
    void note_failure(const std::exception_ptr& failure);
    void note_common_ending();
    void keep_any();
    void warn_of_short_run() const;
    Checkpoint describe() const;
    RunResult make_result(StopReason reason) const;
    CostParts parts_of(const CostedSolution& solution) const;
    void save_last_round(const Solver* resumable);
    RunResult write_end();
    void write_beside_rounds(const std::stop_token& stop);
    bool offer_is_due() const;
    bool is_news(qapfw_cost cost) const;
    bool may_be_news(qapfw_cost search_cost) const;
    void look_at_offer(std::unique_lock<std::timed_mutex>& lock);
    void show_offered(CostedSolution found);
    void take_last_offer();
    void trace(const Improvement& improvement);
    bool flush_is_due() const;
    RunResult flush(StopReason reason, Durability durability);

    BookParts parts_;
    mutable std::timed_mutex mutex_;  // guards everything below, but for offers_ and is_ending_
    Incumbent incumbent_;
    std::optional<Kept> kept_;
    Standing standing_;
    Bounding bounding_;
    Alternatives alternatives_;
    RunClock clock_;
    Checkpointer checkpointer_;
    Writing writing_;
    Showing showing_;
    End end_;
    Offers offers_;
    std::atomic<bool> is_ending_{false};
};

}  // namespace qapfw::framework
