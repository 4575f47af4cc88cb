// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/scheduler.hpp"

#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "framework/host/exit_code.hpp"
#include "framework/host/signal_watch.hpp"
#include "framework/record/folder.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

constexpr auto kStopPatience = std::chrono::milliseconds(900);
constexpr auto kLookAgain = std::chrono::milliseconds(500);  // pause between checks of runs that other processes hold

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Blocks the signals that end a study, and SIGCHLD, while this object lives. After a signal has come, the signals are
/// not unblocked: launchers send a signal twice, and the study ends within a second anyway.
class Signals {
  public:
    Signals() : set_(SignalWatch::signals()) {
        sigaddset(&set_, SIGCHLD);
        sigprocmask(SIG_BLOCK, &set_, &before_);
    }
    ~Signals() {
        if (!received_) sigprocmask(SIG_SETMASK, &before_, nullptr);
    }
    /// Waits for a signal and returns its number; 0 if none comes in time, or if it is SIGCHLD.
    int wait(std::chrono::milliseconds limit) {
        const timespec time{limit.count() / 1000, limit.count() % 1000 * 1000000};
        const int signal = sigtimedwait(&set_, nullptr, &time);
        received_ = signal > 0 && signal != SIGCHLD;
        return received_ ? signal : 0;
    }

  private:
    sigset_t set_, before_{};
    bool received_ = false;
};

}  // namespace

Scheduler::Scheduler(const Plan& plan, StudyFolder folder, ScheduleOptions options, Say say, Show show)
    : folder_(std::move(folder)),
      options_(std::move(options)),
      say_(std::move(say)),
      show_(std::move(show)),
      claims_(folder_.claims(), options_.claims) {
    const std::vector<RunKey> runs = runs_of(plan);
    for (std::size_t k = 0; k < runs.size(); ++k) {
        if (options_.part.holds(k)) pending_.push_back(runs[k]);
    }
    counts_.total = pending_.size();
    if (!plan.study.exclusive) return;
    options_.jobs = 1;
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    exclusive_ = Folder(folder_.claims()).open_to_grow(fmt::format(".exclusive-{}", host)).release();
}

Scheduler::~Scheduler() {
    if (exclusive_ >= 0) close(exclusive_);
}

ScheduleOutcome Scheduler::run() {
    Signals signals;
    ScheduleOutcome outcome;
    try {
        while (!pending_.empty() || !started_.empty()) {
            collect();
            while (may_start() && start_one()) show_(counts());
            show_(counts());
            beat();
            if (pending_.empty() && started_.empty()) break;
            outcome.signal = signals.wait(std::chrono::milliseconds(100));
            if (outcome.signal != 0) break;
        }
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kIo) throw;
        outcome.io_error = error.what();
    }
    if (!started_.empty()) stop(outcome.signal != 0 ? outcome.signal : SIGINT);
    claims_.clear_dead(done_before_);
    outcome.counts = counts();
    return outcome;
}

bool Scheduler::may_start() const {
    if (started_.size() >= options_.jobs || pending_.empty()) return false;
    // A run whose configuration sets devices may use all GPUs, so no other run starts beside it.
    return std::none_of(started_.begin(), started_.end(), [](const Started& s) { return s.run.cell->fixed_devices; });
}

/// Tries to start one of the pending runs; returns whether one was started. After a try without success, calls within
/// half a second only return false, so that the records are not read too often.
bool Scheduler::start_one() {
    if (Clock::now() - last_look_ < kLookAgain) return false;
    if (exclusive_ >= 0 && flock(exclusive_, LOCK_EX | LOCK_NB) != 0) {
        last_look_ = Clock::now();
        return false;
    }
    for (auto run = pending_.begin(); run != pending_.end();) {
        if (run->cell->fixed_devices && !started_.empty()) {
            ++run;
            continue;
        }
        const Taken taken = try_run(*run);
        run = taken == Taken::kNothing ? std::next(run) : pending_.erase(run);
        if (taken == Taken::kStarted) return true;
    }
    last_look_ = Clock::now();
    if (exclusive_ >= 0 && started_.empty()) flock(exclusive_, LOCK_UN);
    return false;
}

/// Tries to start a run. kEnded: the run is done or has failed; kNothing: another process holds it.
Scheduler::Taken Scheduler::try_run(const RunKey& run) {
    const auto count_if_ended = [&](const RunStatus& status) {
        if (status.state == StudyState::kDone) {
            ++counts_.done;
            done_before_.insert(run.name());
            if (status.result) {
                for (const std::string& key : {run.cell->id, run.cell->algorithm}) {
                    taken_[key].first += status.result->wall_seconds;
                    ++taken_[key].second;
                }
            }
            return true;
        }
        if (!is_trouble(status.state) || options_.retry) return false;
        ++counts_.failed;
        say_(fmt::format("{} seed {}: {}: {}; --retry tries it again", run.cell->place(), run.seed,
                         name_of(status.state), status.reason));
        return true;
    };
    if (count_if_ended(status_of(folder_, run))) return Taken::kEnded;
    const auto claim = claims_.take(run.name());
    if (!claim) return Taken::kNothing;
    const RunStatus status = status_of(folder_, run);  // another process may just have finished it
    if (count_if_ended(status)) {
        claims_.release(*claim);
        return Taken::kEnded;
    }
    try {
        const bool other =
            is_trouble(status.state) && (status.state != StudyState::kFailed || fs::exists(folder_.record(run)));
        if (other) set_aside(run);
        launch(run, *claim, status.state == StudyState::kStarted);
    } catch (...) {
        claims_.release(*claim);
        throw;
    }
    return Taken::kStarted;
}

void Scheduler::set_aside(const RunKey& run) const {
    std::error_code error;
    fs::rename(folder_.record(run), folder_.aside(run), error);
    if (error)
        throw Error(ErrorKind::kIo,
                    fmt::format("{}: cannot be moved aside: {}", folder_.record(run).string(), error.message()));
}

std::size_t Scheduler::free_slot() const {
    std::size_t slot = 0;
    const auto taken = [&] {
        return std::any_of(started_.begin(), started_.end(), [&](const Started& s) { return s.slot == slot; });
    };
    while (taken()) ++slot;
    return slot;
}

void Scheduler::launch(const RunKey& run, Claim claim, bool resume) {
    std::error_code ignored;
    // A run that is not resumed has no record yet, so nothing in its folder is of use.
    if (!resume) fs::remove_all(folder_.record(run), ignored);
    fs::create_directories(folder_.record(run).parent_path(), ignored);
    const std::size_t slot = free_slot();
    ChildProcess child(arguments(run, resume, slot), claim.folder / "said");
    started_.push_back({run, std::move(claim), slot, resume, Clock::now(), std::move(child)});
}

std::vector<std::string> Scheduler::arguments(const RunKey& run, bool resume, std::size_t slot) const {
    const std::string record = folder_.record(run).string();
    std::vector<std::string> words;
    if (resume) {
        words = {"resume", record, "--quiet"};
    } else {
        words = {
            "run", folder_.config(*run.cell).string(), "--quiet", "--out", record, "--seed", std::to_string(run.seed)};
        const bool gpu = run.cell->backend != "cpu" && !options_.devices.empty() && !run.cell->fixed_devices;
        if (gpu) {
            words.insert(words.end(), {"--set", fmt::format("device.devices=[{}]",
                                                            options_.devices[slot % options_.devices.size()])});
        }
    }
    if (!run.cell->fixed_threads && options_.threads > 0)
        words.insert(words.end(), {"--threads", std::to_string(options_.threads)});
    words.insert(words.end(), options_.common.begin(), options_.common.end());
    return words;
}

void Scheduler::collect() {
    for (auto started = started_.begin(); started != started_.end();) {
        const std::optional<int> code = started->child.ended();
        if (!code) {
            ++started;
            continue;
        }
        Started ended = std::move(*started);
        started = started_.erase(started);
        finish(ended, *code);
        last_look_ = *code == kRecordInUse ? Clock::now() : Clock::time_point{};
    }
}

void Scheduler::finish(Started& started, int code) {
    const RunStatus status = status_of(folder_, started.run);
    const std::string said = last_line(started.claim.folder / "said");
    if (status.state == StudyState::kDone) {
        ++counts_.done;
        std::error_code ignored;
        fs::remove(folder_.failure(started.run), ignored);
        const double spent = seconds_since(started.begin);
        for (const std::string& key : {started.run.cell->id, started.run.cell->algorithm}) {
            taken_[key].first += spent;
            ++taken_[key].second;
        }
        claims_.release(started.claim);
        return;
    }
    if (started.resumed && code == kBadInput) {  // the record is of another build, or cannot be read
        set_aside(started.run);
        launch(started.run, std::move(started.claim), false);
        return;
    }
    // Another process still uses the record, such as a run whose scheduler was just killed. Try the run again later.
    if (code == kRecordInUse) {
        claims_.release(started.claim);
        pending_.push_back(started.run);
        return;
    }
    const bool told = is_trouble(status.state) && status.state != StudyState::kFailed;
    const std::string message = told            ? status.reason
                                : !said.empty() ? said
                                : status.result && !status.result->error.empty()
                                    ? status.result->error
                                    : fmt::format("the run ended without a finished record (exit code {})", code);
    fail(started.run, code, message);
    claims_.release(started.claim);
}

void Scheduler::fail(const RunKey& run, int code, const std::string& message) {
    const auto before = read_failure(folder_, run);
    ++counts_.failed;
    say_(fmt::format("{} seed {}: failed: {}", run.cell->place(), run.seed, message));
    write_failure(folder_, run, {code, before ? before->attempts + 1 : 1, message});
}

void Scheduler::beat() {
    if (Clock::now() - last_beat_ < options_.claims.heartbeat) return;
    last_beat_ = Clock::now();
    for (auto started = started_.begin(); started != started_.end();) {
        if (claims_.beat(started->claim)) {
            ++started;
            continue;
        }
        say_(fmt::format("{} seed {}: another process has taken over this run", started->run.cell->place(),
                         started->run.seed));
        pending_.push_back(started->run);
        started = started_.erase(started);  // the destructor of ChildProcess kills the run
    }
}

/// Asks all runs to end; they then leave records that can be resumed. Runs that have not ended after kStopPatience are
/// killed; their last checkpoints remain.
void Scheduler::stop(int signal) {
    for (Started& started : started_) started.child.send(signal);
    const Clock::time_point end = Clock::now() + kStopPatience;
    while (!started_.empty() && Clock::now() < end) {
        for (auto started = started_.begin(); started != started_.end();) {
            if (!started->child.ended()) {
                ++started;
                continue;
            }
            claims_.release(started->claim);
            started = started_.erase(started);
        }
        usleep(5000);
    }
    for (Started& started : started_) {
        started.child.send(SIGKILL);
        claims_.release(started.claim);
    }
    started_.clear();
}

double Scheduler::expected_seconds(const Cell& cell) const {
    for (const std::string& key : {cell.id, cell.algorithm}) {
        const auto found = taken_.find(key);
        if (found != taken_.end() && found->second.second > 0)
            return found->second.first / static_cast<double>(found->second.second);
    }
    return cell.time_limit.value_or(-1);
}

ScheduleCounts Scheduler::counts() const {
    ScheduleCounts counts = counts_;
    counts.running = started_.size();
    double left = 0;
    bool known = true;
    const auto add = [&](const RunKey& run, double spent) {
        const double expected = expected_seconds(*run.cell);
        known = known && expected >= 0;
        left += std::max(0.0, expected - spent);
    };
    for (const RunKey& run : pending_) add(run, 0);
    for (const Started& started : started_) add(started.run, seconds_since(started.begin));
    if (known) counts.eta = left / std::max(1U, options_.jobs);
    return counts;
}

}  // namespace qapfw::framework::laboratory
