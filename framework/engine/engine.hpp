// SPDX-License-Identifier: Apache-2.0
// All runs of one command, from the configuration to the results, in the order of the data flow: problem, devices,
// improver, solver, run.
#pragma once

#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "framework/engine/gpu_preparation.hpp"
#include "framework/engine/run/seed_run.hpp"

namespace qapfw::framework {

/// Results of a command's runs. If a run fails, `failure` has the error, and the other members still have the results.
struct EngineOutcome {
    RunSummary summary;                 ///< results of the runs, in the order of the seeds
    std::exception_ptr failure;         ///< failure of the last run; null: none
    std::string record_failure;         ///< why the record is incomplete; empty: it is complete
    std::filesystem::path folder;       ///< folder of the record; empty: no record
    std::string drawing;                ///< drawing of the best solution for a terminal; may be empty
    std::uint32_t finished_before = 0;  ///< resume: number of runs that had nothing left to do
};

class Engine {
  public:
    Engine(Config config, EngineOptions options);
    /// Throws Error for a fault that is found before a run's search begins. Faults during a search are in the outcome.
    EngineOutcome run();
    /// After `run`: the configuration with every "auto" replaced by its value.
    const Config& config() const { return config_; }

  private:
    void share_gpus(Host& host, const DeviceChoice& devices) const;
    std::unique_ptr<GpuPreparation> prepare_gpus(const std::shared_ptr<Host>& host,
                                                 const std::shared_ptr<const Problem>& problem, DeviceChoice& devices);
    PreparationOrder preparation_order(const std::shared_ptr<Host>& host,
                                       const std::shared_ptr<const Problem>& problem) const;
    bool take_surveyed(PreparationOrder& order);
    bool take_resolved(const GpuPreparation& preparation);
    void take_parameters(const ParameterValues& by_gpus);
    DeviceRequest device_request(const Problem& problem, const std::string& backend) const;
    DeviceChoice open_devices(const Problem& problem, const std::string& backend) const;
    std::shared_ptr<RecordFolder> open_folder(const Problem& problem, EngineOutcome& outcome) const;
    void announce(const Session& session) const;
    std::shared_ptr<RecordFolder> open_seed_folder(std::uint64_t seed, EngineOutcome& outcome) const;
    std::function<void(const RunResult&)> abandoning(const EngineOutcome& outcome,
                                                     std::shared_ptr<RecordFolder> folder);
    std::string draw_best(const Problem& problem, const RunSummary& summary) const;
    void write_config(EngineOutcome& outcome);
    void write_summary(EngineOutcome& outcome);
    void write_summary_if_due(EngineOutcome& outcome);
    bool interrupted() const;
    bool leads() const { return options_.processes->leads(); }
    std::uint32_t threads() const;

    const std::shared_ptr<Config> owned_config_;  // also held by the thread that prepares GPUs, which may be detached
    Config& config_;
    EngineOptions options_;
    LocalPlace place_;                                      // this process's place among the processes of its host
    std::shared_ptr<RecordFolder> folder_;                  // folder of the record; null: no record
    RunRecord summary_;                                     // the record that several runs have in common
    std::chrono::steady_clock::time_point next_summary_{};  // time before which the summary is not written again
};

}  // namespace qapfw::framework
