// SPDX-License-Identifier: Apache-2.0
// Works through a study's runs. It takes one that nobody holds and runs or resumes it in a process of its own. It ends
// when all are done, or held by others who finish them.
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

/// One of `count` parts of a study's runs, counted from 1. Runs are dealt out in turn, so that parts are alike.
struct RunPart {
    std::uint32_t number = 1, count = 1;
    bool holds(std::size_t run) const { return run % count == number - 1; }
};

struct ScheduleOptions {
    std::uint32_t jobs = 1;
    RunPart part;
    std::vector<int> devices;         ///< one run each; empty: runs say themselves
    std::uint32_t threads = 0;        ///< of a run whose configuration names no number; 0: leave it to the run
    bool retry = false;               ///< failed and unreadable runs once more
    std::vector<std::string> common;  ///< options passed on to every run: --data, --plugin-path
    ClaimRules claims;
};

struct ScheduleCounts {
    std::size_t total = 0, done = 0, failed = 0, running = 0, elsewhere = 0;
    double eta = -1;  ///< seconds; below 0: unknown
};

struct ScheduleOutcome {
    ScheduleCounts counts;
    int signal = 0;        ///< signal that ended it before all was done; else 0
    std::string io_error;  ///< the study's own files could not be written
};

class Scheduler {
  public:
    using Say = std::function<void(const std::string&)>;
    using Show = std::function<void(const ScheduleCounts&)>;
    /// `say` gets what must be told (failed runs), `show` the state some times a second.
    Scheduler(const Plan& plan, StudyFolder folder, ScheduleOptions options, Say say, Show show);
    ~Scheduler();
    ScheduleOutcome run();

  private:
    struct Started {
        RunKey run;
        Claim claim;
        std::size_t slot;
        bool resumed;
        std::chrono::steady_clock::time_point begin;
        ChildProcess child;
    };
    enum class Taken { kStarted, kNothing, kSettled };

    bool start_one();
    Taken try_run(const RunKey& run);
    void launch(const RunKey& run, Claim claim, bool resume);
    std::vector<std::string> arguments(const RunKey& run, bool resume, std::size_t slot) const;
    void collect();
    void settle(Started& started, int code);
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
    std::set<std::string> done_before_;  ///< runs that this process found done
    ScheduleCounts counts_;
    std::map<std::string, std::pair<double, std::size_t>> taken_;  // by cell id and by algorithm: seconds, runs
    std::chrono::steady_clock::time_point last_beat_{}, last_look_{};
    int exclusive_ = -1;  // file that other processes of this host lock too where times are measured
};

}  // namespace qapfw::framework::laboratory
