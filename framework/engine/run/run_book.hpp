// SPDX-License-Identifier: Apache-2.0
// The book of one run: what was done and found at what time, and how the run ended. The book writes the record and
// informs the user. It has a lock, since several threads use it: the run's thread, the thread that writes during long
// rounds, and a thread that ends a run whose solver does not return.
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

/// The end of a run. A failure is reported after the result was saved and shown.
struct RunOutcome {
    RunResult result;
    std::exception_ptr failure;
};

/// Solutions that every leg of a run may begin with.
struct WarmStarts {
    SolutionBuffer solutions;       ///< one after the other in memory
    std::vector<qapfw_cost> costs;  ///< search costs

    WarmStarts() = default;
    WarmStarts(const Problem& problem, const std::vector<SolutionBuffer>& starts);
};

/// The parts from which a RunBook is made. Objects that are given by reference or pointer must outlive the RunBook.
struct BookParts {
    const Problem& problem;
    const StopConditions& conditions;
    const Interruption& interruption;
    Processes& processes;  ///< processes that split the run
    RunRecord& record;
    Progress& progress;
    RunObserver* observer = nullptr;      ///< observer of the run; null: none
    RunResult known = {};                 ///< the part of the result that is known before the run
    AlternativesOrder alternatives = {};  ///< alternatives to look for after the run
    std::string trajectory = {};          ///< the text from trajectory_of(), for the checkpoint
    std::string solver = {};              ///< name of the solver in messages
    bool takes_snapshots = false;         ///< this or the leading process keeps a record, and the solver can be resumed
    double checkpoint_interval = 10;      ///< seconds
    RunClock::Clock::time_point program_start = RunClock::Clock::now();
};

/// The facts that decide about the next round.
struct BookView {
    RunState state;
    StopReason reason = StopReason::kNone;  ///< why the run must end
    bool snapshot_is_due = false;
};

class RunBook {
  public:
    explicit RunBook(BookParts parts);
    RunBook(const RunBook&) = delete;
    RunBook& operator=(const RunBook&) = delete;

    /// Offers these warm starts to the incumbent. Call it before the search.
    void begin_with(const WarmStarts& starts);
    /// Continues from this checkpoint. Call it before the search.
    void restore(const Checkpoint& checkpoint);
    /// Keeps a solution apart from the incumbent, as a possible answer, so that the result never gets worse. For
    /// example, an earlier session may have found this solution after its checkpoint.
    void keep(CostedSolution earlier, BestFound found);
    /// Writes the result for the first time. Call it before the search.
    void open();
    /// Starts the thread that works during rounds: it shows solutions that offer() took, and writes the result if a
    /// round is long. The returned thread is not joinable if the system has no thread left.
    std::jthread start_rescuer();

    /// Notes that the search begins now. Only the first call has an effect.
    void search_begins();
    BookView view() const;
    /// Notes whether another round follows. If not, `reason` says why the run ends. `signal`: the signal that ends it,
    /// or 0.
    void decide(StopReason reason, int signal);
    void round_begins();
    /// [thread-safe] Takes a solution that the solver found in the present round, while that round still runs.
    void offer(const void* solution, qapfw_cost cost) { offers_.put(solution, cost); }
    /// Enters the results of a finished round. Returns whether the best cost improved. Throws Error for a solution with
    /// a wrong cost, and for a bound that is above the cost of a solution.
    bool take(const qapfw_round& round, const Solver& solver);
    /// Takes the only solution of an instance that has only one. Call it in place of a search.
    void take_only_solution();
    /// Tells the run's observer, if there is one, how the run stands. The lock is not held while the observer works.
    void tell_observer(bool improved) const;
    /// Keeps the best solution of a round that a move to GPUs cut short. The GPUs repeat the round and find this
    /// solution again, but the run may end before that.
    void keep_seen(const qapfw_round& round);
    /// Takes a snapshot, from which the run can be resumed, if a snapshot is due. `due` says whether it is due. Without
    /// a value, the checkpointer decides by its clock.
    void take_snapshot(std::optional<bool> due, const Solver& solver);
    void note_statistic(const char* name, double value);

    /// Notes that the run continues on these devices.
    void go_on_with(const DeviceChoice& devices);
    std::string backend_reason() const;
    /// Reports the move to GPUs, if there was one.
    void tell_move() const;
    /// Reports why the run stays on the CPU. Returns false if that was reported before.
    bool stay(const std::string& why);

    /// Ends the run with this failure, unless the run has failed before. (A solver may pass on an error
    /// of end_round, which has already ended the run.)
    void fail(const std::exception_ptr& failure);
    bool has_failed() const;
    /// [thread-safe] True if the run is about to end.
    bool is_ending() const { return is_ending_.load(std::memory_order_relaxed); }
    /// Call it when the search is over. Stops the clock. If the problem has owner's costs (Problem::has_owner_costs),
    /// lets the problem lower these costs of the solutions found.
    void search_ended();
    /// Ends the run. `resumable`: the solver, if the run can be resumed from its state; else null.
    RunOutcome conclude(const Solver* resumable);
    /// Called from another thread if the solver does not return: ends the book and saves the record. Returns nothing if
    /// the run has ended by itself, or if another thread keeps the book's lock too long. `signal`: the signal that ends
    /// the run; 0: there was none, but all processes end.
    std::optional<RunResult> abandon(int signal);

  private:
    using Clock = RunClock::Clock;

    /// A solution that is kept apart from the incumbent. The kept solution is the result's best if it costs less than
    /// the incumbent. It comes from an earlier session, from a round that was cut short, or from within a round. If a
    /// run ends without any solution, a simple starting solution is kept.
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
        std::optional<ProvenBound> proven = {};  ///< best lower bound proven during the run
    };
    /// The instance's bound, computed while the run goes on. The run may end because its answer reaches this bound.
    struct Bounding {
        bool is_wanted = false;
        std::optional<InstanceBound> work;  ///< computes the bound; nothing: the computation has not begun
    };
    struct End {
        StopReason reason = StopReason::kNone;
        int signal = 0;
        std::exception_ptr failure;
        std::string text;  ///< text of the failure
        bool is_written = false;
    };
    struct Writing {
        bool dirty = false;       ///< result.json or the problem's own files are older than the best solution
        bool unsaved = false;     ///< result.json is older than the best solution
        Clock::time_point last;   ///< time of the last write
        Clock::duration pause{};  ///< least time from `last` to the next write; longer if writing takes long
    };
    struct Showing {
        std::optional<Clock::time_point> round_began;  ///< start of the round; nothing: no round is open
        Clock::time_point next_look;                   ///< time of the next check for offered solutions
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
    mutable std::timed_mutex mutex_;  // guards everything below except offers_ and is_ending_
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
