// SPDX-License-Identifier: Apache-2.0
// One run with one seed: its improver, solver and record, from the beginning or from where an earlier session stopped.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "framework/device/device_manager.hpp"
#include "framework/engine/run_context.hpp"

namespace qapfw::framework {

/// What all runs of a command share; everything referred to outlives them.
struct Session {
    Config& config;
    Host& host;
    const Problem& problem;
    const DeviceChoice& devices;
    const StopConditions& conditions;
    ProgressStyle progress = ProgressStyle::kNone;
    SignalWatch* signals = nullptr;
    std::function<void(const RunResult&)> on_abandon = {};  ///< see EngineOptions
    std::vector<std::filesystem::path> data_paths = {};
    std::chrono::steady_clock::time_point program_start = {};
};

/// What an earlier session of the same run left behind.
struct EarlierSession {
    std::optional<RunResult> result;
    std::optional<Checkpoint> checkpoint;
};

/// Nothing where the folder holds no result; what is damaged is warned of and passed over.
EarlierSession read_earlier_session(const std::filesystem::path& folder);

class SeedRun {
  public:
    /// `folder`: of the record, is created; empty: none.
    SeedRun(const Session& session, std::uint64_t seed, std::filesystem::path folder);

    /// Throws Error for what is wrong before the search; what goes wrong in it is part of the outcome.
    RunOutcome run(const EarlierSession& earlier);
    /// Why the record is incomplete; empty: it is not.
    const std::string& record_failure() const { return record_.failure(); }

  private:
    RunResult known_result(const EarlierSession& earlier) const;
    void open_record(const RunResult& known, const EarlierSession& earlier);
    void prepare(RunContext& context, const EarlierSession& earlier) const;
    RunOutcome watched(RunContext& context) const;

    const Session& session_;
    const std::uint64_t seed_;
    const std::filesystem::path folder_;
    RunRecord record_;
};

}  // namespace qapfw::framework
