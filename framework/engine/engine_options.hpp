// SPDX-License-Identifier: Apache-2.0
// Options of the engine in addition to the configuration: who watches a run, which processes split it, what it resumes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/engine/progress.hpp"
#include "framework/engine/run_observer.hpp"
#include "framework/host/signal_watch.hpp"
#include "framework/processes/processes.hpp"
#include "framework/record/run_record.hpp"

namespace qapfw::framework {

struct EngineOptions {
    std::vector<std::filesystem::path> data_paths;  ///< folders in which instances are looked up by name
    ProgressStyle progress = ProgressStyle::kNone;
    bool verbose = false;  ///< progress lines show rates and the solver's text
    /// In the leading process: the record to resume, or null for a new run. In other processes: null.
    std::shared_ptr<RecordFolder> resume;
    bool limits_changed = false;          ///< true: resuming also starts finished runs, which now have other limits
    std::optional<std::uint64_t> rounds;  ///< end each run after this number of complete rounds; nothing: no limit
    SignalWatch* signals = nullptr;       ///< receives signals; null: signals are not watched
    RunObserver* observer = nullptr;      ///< observer of the runs; null: none
    const HostArrays* arrays = nullptr;   ///< arrays that the problem may read instead of files; null: none
    std::vector<std::string> initial;     ///< texts of warm starts; empty: the files of problem.initial
    bool joins_threads = false;           ///< wait at the end for a thread that still prepares GPUs
    /// Called when the problem has been read, before anything else uses it.
    std::function<void(const Problem&)> on_problem;
    /// The processes among which each run is split; by default only this process.
    std::shared_ptr<Processes> processes = std::make_shared<Processes>();
    /// Called before the exit if the process must exit while the solver is still running. The calling thread is not the
    /// run's thread.
    std::function<void(const RunSummary&)> on_abandon;
    std::chrono::steady_clock::time_point program_start = std::chrono::steady_clock::now();
};

}  // namespace qapfw::framework
