// SPDX-License-Identifier: Apache-2.0
// One run with one seed: its improver, solver and record. The run starts new, or where an earlier session stopped.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "framework/engine/engine_options.hpp"
#include "framework/engine/run/itinerary.hpp"

namespace qapfw::framework {

/// Data that all runs of a command use. The objects behind the references outlive the runs.
struct Session {
    Config& config;  ///< when a solver or improver is made, the values that it chooses for "auto" are written here
    Host& host;
    const Problem& problem;
    const StopConditions& conditions;
    StartingPlace& place;
    Processes& processes;  ///< processes that share the work of each run
    const EngineOptions& options;
    bool resuming;  ///< true if one of the processes resumes a record
};

/// Solutions and state that an earlier session of the same run left. If the record was made with the problem's
/// present data, the problem has evaluated each solution again.
struct EarlierSession {
    std::optional<RunResult> result;       ///< the recorded result, if it has no fault
    std::optional<CostedSolution> best;    ///< best solution of the result, with the cost that the problem computes
    std::optional<Checkpoint> checkpoint;  ///< the newest undamaged checkpoint
    bool last_checkpoint_is_good = true;   ///< false if a checkpoint file of the folder cannot be used
};

/// Reads what an earlier session left in `folder`. Warns of missing or damaged files and skips them.
EarlierSession read_earlier_session(const Folder& folder, const Problem& problem);

/// The warm starts of the options; if there are none, those of the configuration. The leading process reads the files
/// for all processes. An error names the faulty file.
std::vector<SolutionBuffer> read_warm_starts(const Session& session);

/// True if a run has nothing left to do under the present limits.
bool is_finished(const RunResult& result, const StopConditions& conditions);

class SeedRun {
  public:
    /// `folder`: the folder of the run record; null: the run has no record. If the session resumes a run, the
    /// constructor reads from the folder what the earlier session wrote.
    SeedRun(const Session& session, std::uint64_t seed, std::shared_ptr<RecordFolder> folder);

    /// True if an earlier session left nothing to do under the present limits.
    bool was_finished() const;
    /// Returns the result of a run that has nothing left to do. This is the earlier session's result, but this session
    /// sets its folder and what is known about the problem (best known cost, lower bound, meaning of costs).
    RunResult finished() const;
    /// Throws Error if something is wrong before the search begins. Later errors are in the outcome. If the process
    /// must exit while the solver is still running, another thread first calls `on_abandon`.
    RunOutcome run(const std::function<void(const RunResult&)>& on_abandon);
    /// The reason why the record is incomplete; empty if the record is complete.
    const std::string& record_failure() const { return record_.failure(); }
    const std::shared_ptr<RecordFolder>& folder() const { return folder_; }

  private:
    RunResult known_result() const;
    RunIdentity to_compare(RunIdentity found, const RunIdentity& recorded) const;
    EarlierSession read_earlier() const;
    void check_same_as_earlier(const RunResult& known, const std::string& trajectory) const;
    void open_record(const RunResult& known);
    BookParts book_parts(const Leg& leg, const Interruption& interruption, Progress& progress);
    AlternativesOrder alternatives_order() const;
    SearchTask prepare(Itinerary& itinerary, RunBook& book) const;
    void search(Itinerary& itinerary, SearchTask& task, Rounds& rounds, RunBook& book) const;

    const Session& session_;
    const std::uint64_t seed_;
    const std::shared_ptr<RecordFolder> folder_;
    const EarlierSession earlier_;
    RunRecord record_;
};

}  // namespace qapfw::framework
