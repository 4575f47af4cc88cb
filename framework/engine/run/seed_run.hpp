// SPDX-License-Identifier: Apache-2.0
// One run with one seed: its improver, solver and record, from the beginning or from where an earlier session stopped.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "framework/engine/engine_options.hpp"
#include "framework/engine/run/itinerary.hpp"

namespace qapfw::framework {

/// Data that all runs of a command share; everything referred to outlives them.
struct Session {
    Config& config;  ///< making a solver writes into it what "auto" became
    Host& host;
    const Problem& problem;
    const StopConditions& conditions;
    StartingPlace& place;
    Processes& processes;  ///< processes that share the runs
    const EngineOptions& options;
    bool resuming;  ///< a record, in one of the processes
};

/// Solutions and state that an earlier session of the same run left, each solution evaluated by the problem.
struct EarlierSession {
    std::optional<RunResult> result;       ///< as it was recorded, where nothing about it is wrong
    std::optional<CostedSolution> best;    ///< of the result, with the cost that the problem computes
    std::optional<Checkpoint> checkpoint;  ///< the newest one that is good
    bool last_checkpoint_is_good = true;   ///< checkpoint.bin is that one, or there is none
};

/// Files that are missing or damaged are reported and passed over.
EarlierSession read_earlier_session(const Folder& folder, const Problem& problem);

/// The solutions that the configuration wants runs to begin with; with several processes those of the one that leads.
/// A fault of one is reported with the file's name.
std::vector<SolutionBuffer> read_warm_starts(const Session& session);

/// True if a run has nothing left to do under the limits of now.
bool is_finished(const RunResult& result, const StopConditions& conditions);

class SeedRun {
  public:
    /// `folder` is that of the record; null: there is none. If the session resumes, reads what an earlier one left
    /// there.
    SeedRun(const Session& session, std::uint64_t seed, std::shared_ptr<RecordFolder> folder);

    /// True if an earlier session left nothing to do under the limits of now.
    bool was_finished() const;
    /// The result of such a run, as this session would show it.
    RunResult finished() const;
    /// Throws Error for what is wrong before the search; what goes wrong in it is part of the outcome. `on_abandon`:
    /// called by the signal watch's thread before the process leaves without the solver.
    RunOutcome run(const std::function<void(const RunResult&)>& on_abandon);
    /// Why the record is incomplete; empty: it is not.
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
