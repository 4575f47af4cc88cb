// SPDX-License-Identifier: Apache-2.0
// Works through a study's runs. The scheduler takes a run that nobody holds, and runs or resumes it in a process of its
// own. It waits for runs that other processes hold, and ends when every run is done or has failed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "framework/laboratory/study/child_process.hpp"
#include "framework/laboratory/study/claims.hpp"
#include "framework/laboratory/study/run_state.hpp"

namespace qapfw::framework::laboratory {

/// One of `count` parts of a study's runs. The parts have the numbers 1 to `count`. They get the runs in turn, one by
/// one, so that the parts are similar.
struct RunPart {
    std::uint32_t number = 1, count = 1;
    bool holds(std::size_t run) const { return run % count == number - 1; }
};

struct ScheduleOptions {
    std::uint32_t jobs = 1;
    RunPart part;
    std::vector<int> devices;         ///< GPUs that are dealt to the runs in turn; empty: each run chooses its GPUs
    std::uint32_t threads = 0;        ///< threads of runs whose configuration sets no number; 0: each run decides
    bool retry = false;               ///< repeat failed runs and runs whose record cannot be used
    std::vector<std::string> common;  ///< options passed to every run: --data, --plugin-path
    ClaimRules claims;
};

struct ScheduleCounts {
    std::size_t total = 0, done = 0, failed = 0, running = 0;
    double eta = -1;  ///< expected seconds until the end; below 0: unknown
};

struct ScheduleOutcome {
    ScheduleCounts counts;
    int signal = 0;        ///< signal that ended the study early; else 0
    std::string io_error;  ///< error in writing the study's own files
};

class Scheduler {
  public:
    using Say = std::function<void(const std::string&)>;
    using Show = std::function<void(const ScheduleCounts&)>;
    /// `say` gets messages, such as that a run failed; `show` gets the counts several times a second.
    Scheduler(const Plan& plan, StudyFolder folder, ScheduleOptions options, Say say, Show show);
    ~Scheduler();
    ScheduleOutcome run();

  private:
    struct Started {
        RunKey run;
        Claim claim;
        std::size_t slot;  ///< a number that no other run in progress has; it chooses the GPU
        bool resumed;
        std::chrono::steady_clock::time_point begin;
        ChildProcess child;
    };
    enum class Taken { kStarted, kNothing, kEnded };

    bool start_one();
    Taken try_run(const RunKey& run);
    void launch(const RunKey& run, Claim claim, bool resume);
    std::vector<std::string> arguments(const RunKey& run, bool resume, std::size_t slot) const;
    void collect();
    void finish(Started& started, int code);
    void fail(const RunKey& run, int code, const std::string& message);
    void set_aside(const RunKey& run) const;
    void beat();
    void stop(int signal);
    bool may_start() const;
    std::size_t free_slot() const;
    double expected_seconds(const Cell& cell) const;
    ScheduleCounts counts() const;

    StudyFolder folder_;
    ScheduleOptions options_;
    Say say_;
    Show show_;
    Claims claims_;
    std::list<RunKey> pending_;
    std::list<Started> started_;
    std::set<std::string> done_before_;  ///< runs that were done before this process came to them
    ScheduleCounts counts_;
    /// Total seconds and number of finished runs. There are two kinds of keys: the id of a cell, for all runs of this
    /// cell, and the name of an algorithm, for all runs of this algorithm.
    std::map<std::string, std::pair<double, std::size_t>> taken_;
    std::chrono::steady_clock::time_point last_beat_{}, last_look_{};
    // File descriptor of a lock file. The lock lets this host do only one run of the study at a time. -1: the study
    // sets no such limit.
    int exclusive_ = -1;
};

}  // namespace qapfw::framework::laboratory
