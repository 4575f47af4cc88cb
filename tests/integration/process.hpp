// SPDX-License-Identifier: Apache-2.0
// Runs the program like a user: with arguments, environment, signals and limits. Captures both outputs and the exit
// code.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/sanitized.hpp"
#include "tests/support/temporary_folder.hpp"

namespace qapfw::testing {

using test::TemporaryFolder;

/// The program under test: the one that QAPFW_BINARY_UNDER_TEST names, or else the program of this build.
inline std::string binary() {
    const char* given = std::getenv("QAPFW_BINARY_UNDER_TEST");
    return given != nullptr ? given : QAPFW_BINARY;
}

inline std::filesystem::path bad_plugin(const std::string& name) {
    const char* folder = std::getenv("QAPFW_BAD_PLUGINS");
    const std::filesystem::path base = folder != nullptr ? std::filesystem::path(folder)
                                                         : std::filesystem::path(QAPFW_BUILD_DIR) / "tests/bad_plugins";
    return base / (name + ".qapfw.so");
}

/// Seconds that are added to the limits of measured times. Sanitizers slow the program down; the thread sanitizer
/// sleeps for a second at a process's end.
constexpr double kSlack = kSanitized ? 3 : 0;

/// Checks that `measure` returns less than `limit` + kSlack seconds. `measure` is called up to three times, since other
/// programs may slow it down; the shortest time counts.
template <typename Measure>
void check_fastest_below(double limit, const Measure& measure) {
    double fastest = measure();
    for (int again = 0; again < 2 && fastest >= limit + kSlack; ++again) fastest = std::min(fastest, measure());
    CHECK(fastest < limit + kSlack);
}

struct Ended {
    int code = -1;  ///< exit code, or 1000 + the number of the signal
    std::string out, err;
    double seconds = 0;
};

class Process {
  public:
    struct Options {
        std::string folder{};           ///< working directory; empty: the test's working directory
        long file_size_limit = -1;      ///< greatest size of a file in bytes; negative: no limit
        long stack_limit = -1;          ///< greatest size of a stack in bytes; negative: no limit
        long processor_seconds = -1;    ///< soft limit of processor time in seconds; negative: no limit
        std::string standard_output{};  ///< path of the file that gets the standard output; empty: a pipe gets it
        std::vector<std::pair<std::string, std::string>> environment{};  ///< variables besides those of this process
    };

    explicit Process(const std::vector<std::string>& arguments) : Process(arguments, Options{}) {}
    Process(const std::vector<std::string>& arguments, const Options& options) {
        REQUIRE(pipe(out_) == 0);
        REQUIRE(pipe(err_) == 0);
        start_ = std::chrono::steady_clock::now();
        child_ = fork();
        REQUIRE(child_ >= 0);
        if (child_ == 0) become_program(arguments, options);
        close(out_[1]);
        close(err_[1]);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() {
        if (!waited_) {
            kill(child_, SIGKILL);
            wait();
        }
    }

    void send(int signal) const { kill(child_, signal); }

    /// Waits until the program has used this many seconds of processor time, but at most a minute. Processor time
    /// passes more slowly on a busy machine.
    void wait_for_work(double seconds) const {
        clockid_t clock{};
        REQUIRE(clock_getcpuclockid(child_, &clock) == 0);
        for (int k = 0; k < 6000; ++k) {
            timespec worked{};
            if (clock_gettime(clock, &worked) != 0) return;  // the process has ended
            if (static_cast<double>(worked.tv_sec) + static_cast<double>(worked.tv_nsec) * 1e-9 >= seconds) return;
            usleep(10'000);
        }
    }

    /// Waits until the program blocks `signal`, but at most a minute. From then on the signal no longer kills the
    /// program: the program answers it.
    void wait_until_it_answers(int signal) const {
        for (int k = 0; k < 12000 && !blocks(signal); ++k) usleep(5'000);
        REQUIRE(blocks(signal));
    }

    /// Reads both pipes until the program ends.
    Ended wait() {
        Ended ended;
        pollfd events[2] = {{out_[0], POLLIN, 0}, {err_[0], POLLIN, 0}};
        std::string* texts[2] = {&ended.out, &ended.err};
        for (int open = 2; open > 0;) {
            poll(events, 2, -1);
            for (int k = 0; k < 2; ++k) {
                if (events[k].revents == 0) continue;
                char block[4096];
                const ssize_t count = read(events[k].fd, block, sizeof block);
                if (count > 0) {
                    texts[k]->append(block, static_cast<std::size_t>(count));
                } else {
                    close(events[k].fd);
                    events[k].fd = -1;
                    --open;
                }
            }
        }
        int status = 0;
        waitpid(child_, &status, 0);
        waited_ = true;
        ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
        return ended;
    }

  private:
    /// True if /proc says that the child already executes the program and that its first thread blocks `signal`.
    bool blocks(int signal) const {
        const std::string process = "/proc/" + std::to_string(child_);
        std::error_code ended;
        if (!std::filesystem::equivalent(process + "/exe", binary(), ended)) return false;
        std::ifstream status(process + "/status");
        for (std::string line; std::getline(status, line);) {
            if (line.rfind("SigBlk:", 0) != 0) continue;
            return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
        }
        return false;
    }

    [[noreturn]] void become_program(const std::vector<std::string>& arguments, const Options& options) const {
        dup2(out_[1], STDOUT_FILENO);
        dup2(err_[1], STDERR_FILENO);
        for (const int end : {out_[0], out_[1], err_[0], err_[1]}) close(end);
        if (!options.standard_output.empty()) {
            dup2(::open(options.standard_output.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644), STDOUT_FILENO);
        }
        if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
        for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
        set_limit(RLIMIT_FSIZE, options.file_size_limit);
        set_limit(RLIMIT_STACK, options.stack_limit);
        if (options.processor_seconds >= 0) {
            const rlimit limit{static_cast<rlim_t>(options.processor_seconds), RLIM_INFINITY};
            setrlimit(RLIMIT_CPU, &limit);
        }
        const std::string program = binary();
        std::vector<char*> argv{const_cast<char*>(program.c_str())};
        for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
        argv.push_back(nullptr);
        execv(program.c_str(), argv.data());
        _exit(127);
    }

    static void set_limit(decltype(RLIMIT_STACK) resource, long bytes) {
        const rlimit limit{static_cast<rlim_t>(bytes), static_cast<rlim_t>(bytes)};
        if (bytes >= 0) setrlimit(resource, &limit);
    }

    int out_[2] = {-1, -1}, err_[2] = {-1, -1};
    pid_t child_ = -1;
    bool waited_ = false;
    std::chrono::steady_clock::time_point start_;
};

inline Ended qapfw_run(const std::vector<std::string>& arguments, const Process::Options& options = {}) {
    return Process(arguments, options).wait();
}

/// Runs the program as qapfw_run does. Kills the program if it has not ended after `seconds` (30 s later with a
/// sanitizer). The code of a killed program is 1009.
inline Ended qapfw_run_within(double seconds, const std::vector<std::string>& arguments,
                              const Process::Options& options = {}) {
    Process process(arguments, options);
    const std::jthread guard([&](const std::stop_token& stop) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds + 10 * kSlack);
        while (!stop.stop_requested() && std::chrono::steady_clock::now() < end) usleep(10'000);
        if (!stop.stop_requested()) process.send(SIGKILL);
    });
    return process.wait();
}

inline std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Arguments of a run of tabu with few searches on a generated tai40a. The caller adds the limit that ends the run.
inline std::vector<std::string> small_run(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run",
                                          "--set",
                                          "problem.plugin=qap",
                                          "--set",
                                          "problem.instance=tai40a",
                                          "--set",
                                          "algorithm.plugin=tabu",
                                          "--set",
                                          "algorithm.searches=4",
                                          "--backend",
                                          "cpu",
                                          "--threads",
                                          "2",
                                          "--seed",
                                          "42"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

}  // namespace qapfw::testing
