// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "framework/conformance/sanitizers.hpp"
#include "framework/conformance/suite.hpp"
#include "framework/host/log.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::conformance {
namespace {

using Clock = std::chrono::steady_clock;

/// Runs in the child: carries out the case and writes a letter (P passed, F failed, S skipped) and a message.
[[noreturn]] void report(const std::function<void()>& body, int out) {
    // This handler is registered last, so exit() calls it first, and it ends the process at once. Otherwise exit()
    // would destroy objects that other threads still use, or several threads would do so at the same time.
    on_exit([](int status, void*) { _exit(status); }, nullptr);
    std::string text = "P";
    try {
        body();
    } catch (const Skip& skip) {
        text = std::string("S") + skip.what();
    } catch (const Error& error) {
        text = (error.kind() == ErrorKind::kUnsupported ? "S" : "F") + std::string(error.what());
    } catch (const std::exception& error) {
        text = std::string("F") + error.what();
    } catch (...) {
        text = "Fan exception of unknown type";  // the letter F, then the message
    }
    const ssize_t written = write(out, text.data(), text.size());
    _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
}

/// Returns the output of the child up to its end or the deadline. Sets `hung` to true if the deadline came first.
std::string collect(int in, Clock::time_point deadline, bool& hung) {
    std::string text;
    char block[4096];
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd event{in, POLLIN, 0};
        const int ready = left <= 0 ? 0 : poll(&event, 1, static_cast<int>(left));
        if (ready < 0 && errno == EINTR) continue;
        hung = ready == 0;
        if (ready <= 0) return text;
        const ssize_t count = read(in, block, sizeof block);
        if (count <= 0) return text;
        text.append(block, static_cast<std::size_t>(count));
    }
}

Outcome judge(const std::string& text, int status, bool hung, std::chrono::seconds limit) {
    if (hung) return {Verdict::kHang, fmt::format("no result within {} s", limit.count()), 0};
    if (WIFSIGNALED(status)) {
        return {Verdict::kCrash, fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status))), 0};
    }
    if (text.empty()) {
        return {Verdict::kCrash,
                fmt::format("it ended the process (exit code {}); plugins must throw or return a status",
                            WEXITSTATUS(status)),
                0};
    }
    const Verdict verdict = text[0] == 'P' ? Verdict::kPass : text[0] == 'S' ? Verdict::kSkip : Verdict::kFail;
    return {verdict, text.substr(1), 0};
}

/// In a process with sanitizers: collects what a child writes to standard error, such as the sanitizers' findings, and
/// shows it when the child has ended. In other processes it does nothing.
class ErrorOutput {
  public:
    ErrorOutput() : file_(has_sanitizers() ? memfd_create("errors", MFD_CLOEXEC) : -1) {}
    ~ErrorOutput() {
        if (file_ >= 0) close(file_);
    }
    ErrorOutput(const ErrorOutput&) = delete;
    ErrorOutput& operator=(const ErrorOutput&) = delete;

    void take_over() const {
        if (file_ >= 0) dup2(file_, STDERR_FILENO);
    }
    /// The given outcome, or a failure with what the sanitizers found.
    Outcome judged(Outcome outcome) const {
        if (file_ < 0) return outcome;
        std::string text;
        char block[4096];
        lseek(file_, 0, SEEK_SET);
        for (ssize_t count; (count = read(file_, block, sizeof block)) > 0;)
            text.append(block, static_cast<std::size_t>(count));
        log_raw(text);
        if (std::string finding = finding_of_sanitizers(text); !finding.empty()) {
            outcome.verdict = Verdict::kFail;
            outcome.detail = std::move(finding);
        }
        return outcome;
    }

  private:
    static void log_raw(const std::string& text) {
        // If writing fails, nothing is lost: the report has the finding too.
        if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
    }
    int file_;
};

}  // namespace

Outcome run_in_child(const std::function<void()>& body, std::chrono::seconds limit) {
    int ends[2];
    if (pipe(ends) != 0) throw Error(ErrorKind::kInternal, "no file descriptors left for a test");
    const ErrorOutput errors;
    const Clock::time_point start = Clock::now();
    const pid_t child = fork();
    if (child < 0) throw Error(ErrorKind::kMemory, "cannot start a process for a test");
    if (child == 0) {
        close(ends[0]);
        errors.take_over();
        report(body, ends[1]);
    }
    close(ends[1]);
    bool hung = false;
    const std::string text = collect(ends[0], start + limit, hung);
    close(ends[0]);
    if (hung) kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    Outcome outcome = errors.judged(judge(text, status, hung, limit));
    outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return outcome;
}

}  // namespace qapfw::framework::conformance
