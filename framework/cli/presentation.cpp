// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/presentation.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "framework/cli/answer.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/host/console.hpp"
#include "framework/host/failure.hpp"
#include "framework/host/printable.hpp"
#include "framework/host/quantities.hpp"

namespace qapfw::framework {
namespace {

std::string quality_text(const RunResult& run) {
    if (!run.best) return "no solution";
    std::string text = run.costs.shown_text(run.best->cost);
    if (!run.best_known) return text;
    text += fmt::format("  best known {}", run.costs.shown_text(*run.best_known));
    if (const auto gap = run.costs.gap(run.best->cost, *run.best_known))
        text += fmt::format("  gap {:.4f} %", 100 * *gap);
    return text;
}

std::string effort_text(const RunResult& run) {
    std::string text = fmt::format("{} iterations, {} evaluations", run.counters.iterations, run.counters.evaluations);
    if (run.seconds > 0) {
        text += fmt::format(" in {} ({} it/s, {} ev/s)", format_duration(run.seconds),
                            format_count(static_cast<double>(run.counters.iterations) / run.seconds),
                            format_count(static_cast<double>(run.counters.evaluations) / run.seconds));
    }
    return text;
}

/// True if another process of the run has reported the failure already.
bool is_told(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const EndedTogether& ended) {
        return ended.ending().is_told;
    } catch (...) {
        return false;
    }
}

/// The first line of a drawing, which says what it shows.
std::string headline(const std::string& drawing) {
    std::string line = drawing.substr(0, drawing.find('\n'));
    if (line.ends_with(':')) line.pop_back();
    return line;
}

}  // namespace

std::string result_text(const RunResult& run) {
    std::string text = fmt::format(
        "{} {} (n = {}), {}{}, seed {}, {}, {} threads\n", run.problem, run.identity.instance, run.n, run.algorithm,
        run.improver.empty() ? std::string() : " with " + run.improver, run.seed, run.backend, run.threads);
    if (run.best) {
        text += fmt::format("found        after {}, iteration {}, search {}\n", format_duration(run.found.seconds),
                            run.found.iteration, run.found.search);
    }
    text += fmt::format("stop reason  {}{}\n", run.stop_reason,
                        run.target ? run.target_reached ? ", target reached" : ", target not reached" : "");
    text += fmt::format("effort       {}\n", effort_text(run));
    text += fmt::format("digest       {:016x} over {} rounds{}\n", run.counters.digest, run.counters.rounds,
                        is_reproducible(run) ? "" : ", not reproducible");
    return text;
}

std::string runs_text(const RunSummary& summary) {
    if (summary.wanted == 1) return {};
    std::string text = "\n";
    for (const RunResult& run : summary.runs) {
        text += fmt::format("seed {:<6} {}  {}  after {}\n", run.seed, quality_text(run), run.stop_reason,
                            format_duration(run.found.seconds));
    }
    const Statistics s = statistics_of(summary);
    text += fmt::format("{} runs   min {:.10g}  median {:.10g}  mean {:.10g}  max {:.10g}  std {:.4g}  hits {}\n",
                        s.count, s.min, s.median, s.mean, s.max, s.std, s.hits);
    const Statistics t = times_of(summary);
    text += fmt::format("seconds  min {:.4g}  median {:.4g}  mean {:.4g}  max {:.4g}  std {:.4g}", t.min, t.median,
                        t.mean, t.max, t.std);
    if (const auto per_hit = seconds_per_hit(summary)) text += fmt::format("  per hit {:.4g}", *per_hit);
    text += "\n";
    return text;
}

std::string solution_text(const RunResult& run) {
    if (!run.best) return {};
    std::string text = "solution ";
    for (const auto& segment : run.best->values) {
        text += " [";
        for (const std::uint32_t value : segment) text += fmt::format(" {}", value);
        text += " ]";
    }
    return text + "\n";
}

bool print(const std::string& text) {
    return print_raw(printable_lines(text));
}

bool print_raw(const std::string& bytes) {
    console_end_live();
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
    return std::fflush(stdout) == 0 && written;
}

namespace {

/// The text for standard output.
std::string output_text(const EngineOutcome& outcome, const OutputOptions& output) {
    const RunSummary& summary = outcome.summary;
    if (output.json) return to_json(summary);
    const std::string lost = outcome.record_failure.empty() ? std::string() : solution_text(best_of(summary));
    if (output.quiet) {
        const std::string text = quiet_text(summary) + lost;
        // A program that reads the output gets all names unchanged, even with characters that are not printable.
        return isatty(STDOUT_FILENO) == 1 ? printable_lines(text) : text;
    }
    std::string text = printable_lines(answer_text(summary, outcome.folder.string()) + runs_text(summary));
    if (output.verbose) text += printable_lines("\n" + result_text(best_of(summary)));
    text += lost;
    if (outcome.drawing.empty()) return text;
    const bool terminal = isatty(STDOUT_FILENO) == 1;
    if (!terminal && outcome.drawing.starts_with("NOT FEASIBLE")) return text;  // the answer says so already
    return text +
           (terminal ? "\n" + outcome.drawing : fmt::format("answer       {}\n", printable(headline(outcome.drawing))));
}

}  // namespace

int present(const EngineOutcome& outcome, const OutputOptions& output, int signal) {
    int code = kSuccess;
    if (!outcome.summary.runs.empty()) {
        const std::string text = output_text(outcome, output);
        const std::string broken = best_of(outcome.summary).infeasibility.value_or("");
        if (!broken.empty() && (output.quiet || output.json))
            console_line("qapfw: the answer is NOT FEASIBLE: " + printable(broken));
        errno = 0;
        if (!print_raw(text)) {
            const bool closed = errno == EPIPE;  // closed by a reader such as `head`, which has what it wanted
            if (closed && outcome.record_failure.empty() && !outcome.folder.empty()) {
                console_line("qapfw: standard output was closed; the answer is in " +
                             printable(outcome.folder.string()));
            } else {
                console_line("qapfw: standard output: cannot write; the result follows here");
                console_raw(text);
            }
            code = kOutputError;
        }
    }
    if (!outcome.record_failure.empty()) {
        console_line("qapfw: the record is incomplete: " + outcome.record_failure);
        code = kOutputError;
    }
    if (outcome.failure) {
        if (!is_told(outcome.failure)) console_line("qapfw: " + failure_of(outcome.failure).text);
        code = exit_code_of(outcome.failure);
    }
    // When a launcher loses a process, it sends a signal to the other processes. In this case the lost process ended
    // the run, not the signal.
    if (code == kProcessLost) return code;
    return signal != 0 ? kSignalBase + signal : code;
}

std::string shell_word(const std::string& text) {
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-./+=:,@").find(c) != std::string_view::npos;
    });
    if (plain && !text.empty()) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace qapfw::framework
