// SPDX-License-Identifier: Apache-2.0
// The parent's side of the trials: starts children, collects their reports, and ends those that take too long.
#include "framework/plugin/trial.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "framework/host/failure.hpp"
#include "framework/plugin/trial_child.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostChildren = 16;            // children at the same time
constexpr std::chrono::milliseconds kTogether{500};  // time limit for all libraries in one child
constexpr std::size_t kLongestReport = 1 << 20;      // bytes; a longer report is garbage
// Milliseconds between checks for children that ended without closing the pipe. (A grandchild may hold the pipe open.)
constexpr int kTick = 10;

std::vector<TrialResult> refused(std::string reason) {
    return {{{}, std::move(reason)}};
}

/// Thrown if the system has no resources for a child process. The tested library is then not at fault.
struct NotStarted {
    const char* what;
    int error;  ///< errno of the failed call
};

/// A child and its report so far. Owns the process and the reading end of the pipe.
class Child {
  public:
    /// Throws NotStarted if the system has no pipe or no process left.
    Child(std::size_t index, std::span<const std::filesystem::path> libraries, std::chrono::milliseconds limit,
          const std::filesystem::path& program)
        : index_(index), libraries_(libraries.size()), limit_(limit), deadline_(Clock::now() + limit) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw NotStarted{"a pipe", errno};
        process_ = program.empty() ? fork() : spawn(program, libraries, ends[1]);
        if (process_ == 0) {
            close(ends[0]);
            run_trial_child(libraries, ends[1]);
        }
        const int error = errno;
        close(ends[1]);
        pipe_ = ends[0];
        if (process_ < 0) {
            close(pipe_);
            throw NotStarted{"a process", error};
        }
        setpgid(process_, process_);
        fcntl(pipe_, F_SETFL, O_NONBLOCK);
    }
    Child(Child&& other) noexcept { swap(other); }
    Child& operator=(Child&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Child() {
        if (process_ > 0) end();
        if (pipe_ >= 0) close(pipe_);
    }

    std::size_t index() const { return index_; }
    int pipe() const { return pipe_; }

    /// Reads what has arrived, and checks whether the child has ended. True: the child is done. Then `results` has an
    /// entry for each library, or its last entry says why a library was refused.
    bool advance(std::vector<TrialResult>& results);

  private:
    /// Process id of the child; -1 with errno if it cannot be started.
    static pid_t spawn(const std::filesystem::path& program, std::span<const std::filesystem::path> libraries,
                       int pipe) {
        std::vector<std::string> texts{program.string(), kTrialCommand};
        for (const std::filesystem::path& library : libraries) texts.push_back(library.string());
        std::vector<char*> arguments;
        for (std::string& text : texts) arguments.push_back(text.data());
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        // This call clears FD_CLOEXEC of the new descriptor, even if `pipe` is already kTrialPipe.
        posix_spawn_file_actions_adddup2(&actions, pipe, kTrialPipe);
        pid_t process = -1;
        const int error = posix_spawn(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        errno = error;
        return error == 0 ? process : -1;
    }
    void read_available();
    bool reap();
    void end();
    std::string place() const;
    std::vector<TrialResult> conclude() const;
    void swap(Child& other) noexcept {
        std::swap(index_, other.index_);
        std::swap(libraries_, other.libraries_);
        std::swap(limit_, other.limit_);
        std::swap(deadline_, other.deadline_);
        std::swap(process_, other.process_);
        std::swap(pipe_, other.pipe_);
        std::swap(status_, other.status_);
        std::swap(report_, other.report_);
    }

    std::size_t index_ = 0;
    std::size_t libraries_ = 0;
    std::chrono::milliseconds limit_{};
    Clock::time_point deadline_;
    pid_t process_ = -1;
    int pipe_ = -1;
    int status_ = 0;
    std::string report_;
};

void Child::read_available() {
    char block[4096];
    while (report_.size() <= kLongestReport) {
        const ssize_t got = read(pipe_, block, sizeof(block));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return;
        report_.append(block, static_cast<std::size_t>(got));
    }
}

bool Child::reap() {
    const pid_t ended = waitpid(process_, &status_, WNOHANG);
    if (ended == 0) return false;
    if (ended < 0) status_ = 0;  // the status is lost because SIGCHLD is ignored; only the report counts
    kill(-process_, SIGKILL);    // ends processes that the plugin may have left behind
    process_ = -1;
    return true;
}

void Child::end() {
    kill(-process_, SIGKILL);
    kill(process_, SIGKILL);
    while (waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
}

std::string Child::place() const {
    return report_.find(kStageDescriptor) == std::string::npos ? "while it was being loaded (static constructors)"
                                                               : "while its descriptor was read";
}

std::vector<TrialResult> Child::conclude() const {
    if (WIFSIGNALED(status_)) {
        const int number = WTERMSIG(status_);
        const char* name = sigabbrev_np(number);
        return refused(fmt::format("it must load without a crash, found signal SIG{} ({}) {}{}",
                                   name != nullptr ? name : "?", strsignal(number), place(),
                                   number == SIGBUS ? "; the file may be truncated" : ""));
    }
    const auto result_at = report_.find(kStageResult);
    if (result_at == std::string::npos) {
        return refused(fmt::format("it must not end the process, found exit({}) {}", WEXITSTATUS(status_), place()));
    }
    auto results = decode_results(report_.substr(result_at + 1));
    const bool whole =
        results && !results->empty() && (results->size() == libraries_ || !results->back().refusal.empty());
    if (!whole) return refused("loading it in a separate process must end with a report, found a damaged report");
    return *std::move(results);
}

bool Child::advance(std::vector<TrialResult>& results) {
    const bool ended = reap();  // before reading, so that nothing the child wrote is missed
    read_available();
    if (ended) {
        results = conclude();
        return true;
    }
    const bool is_long = report_.size() > kLongestReport;
    if (Clock::now() < deadline_ && !is_long) return false;
    results =
        refused(is_long ? fmt::format("loading it must give a report of at most {} bytes, found more", kLongestReport)
                        : fmt::format("it must load within {} ms, but was still busy {}", limit_.count(), place()));
    end();
    return true;
}

/// Sleeps until a child reports something, but at most for kTick.
void wait_for_news(const std::vector<Child>& running) {
    std::vector<pollfd> pipes;
    for (const Child& child : running) pipes.push_back({child.pipe(), POLLIN, 0});
    poll(pipes.data(), pipes.size(), kTick);
    // The pipe of a child closes a moment before the child can be reaped. Without this pause, a child that closes its
    // pipe and goes on would make the caller's loop spin.
    const bool closed =
        std::any_of(pipes.begin(), pipes.end(), [](const pollfd& p) { return (p.revents & POLLHUP) != 0; });
    if (closed) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

/// Loads all libraries in one child process and returns their results. Returns nothing if a library is refused or the
/// child process cannot start.
std::optional<std::vector<TrialResult>> try_together(const std::vector<std::filesystem::path>& libraries,
                                                     std::chrono::milliseconds limit,
                                                     const std::filesystem::path& program) {
    std::vector<Child> running;
    try {
        running.emplace_back(0, libraries, limit, program);
    } catch (const NotStarted&) {
        return std::nullopt;
    }
    std::vector<TrialResult> results;
    while (!running.front().advance(results)) wait_for_news(running);
    if (!results.back().refusal.empty()) return std::nullopt;
    return results;
}

[[noreturn]] void give_up(const NotStarted& refusal, const std::filesystem::path& library) {
    const std::error_code code(refusal.error, std::generic_category());
    throw Error(kind_of(code), fmt::format("{}: the plugin cannot be tried: {} cannot be created: {}{}",
                                           library.string(), refusal.what, code.message(), advice_for(code)));
}

std::vector<TrialResult> try_each(const std::vector<std::filesystem::path>& libraries, std::chrono::milliseconds limit,
                                  const std::filesystem::path& program) {
    std::vector<TrialResult> results(libraries.size());
    std::vector<Child> running;
    for (std::size_t next = 0; next < libraries.size() || !running.empty();) {
        while (next < libraries.size() && running.size() < kMostChildren) {
            try {
                running.emplace_back(next, std::span(libraries).subspan(next, 1), limit, program);
            } catch (const NotStarted& refusal) {
                if (running.empty()) give_up(refusal, libraries[next]);
                break;  // libraries[next] is tried again once a running child has ended
            }
            ++next;
        }
        wait_for_news(running);
        std::erase_if(running, [&](Child& child) {
            std::vector<TrialResult> one;
            if (!child.advance(one)) return false;
            results[child.index()] = std::move(one.front());
            return true;
        });
    }
    return results;
}

}  // namespace

std::vector<TrialResult> try_libraries(const std::vector<std::filesystem::path>& libraries,
                                       std::chrono::milliseconds limit, const std::filesystem::path& program) {
    std::fflush(nullptr);  // a child must not write buffered output a second time
    if (libraries.size() > 1) {
        if (auto results = try_together(libraries, std::min(limit, kTogether), program)) return *std::move(results);
    }
    return try_each(libraries, limit, program);
}

}  // namespace qapfw::framework
