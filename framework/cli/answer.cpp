// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "framework/cli/presentation.hpp"
#include "framework/host/printable.hpp"
#include "framework/host/quantities.hpp"

namespace qapfw::framework {
namespace {

/// Largest relative gap at which a bound is shown. A bound that is farther away says nothing about the answer.
constexpr double kFarthestBound = 10;

bool ended_by(const RunResult& run, StopReason reason) {
    return run.stop_reason == name_of(reason);
}

/// Number of columns that a text takes: continuation bytes of UTF-8 take none.
std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string table_text(const std::vector<AssignedPair>& pairs) {
    std::size_t width = 0;
    for (const AssignedPair& pair : pairs) width = std::max(width, columns(printable(pair.facility_text())));
    std::string text;
    for (const AssignedPair& pair : pairs) {
        const std::string facility = printable(pair.facility_text());
        text += fmt::format("{}{} -> {}\n", facility, std::string(width - columns(facility), ' '),
                            printable(pair.location_text()));
    }
    return text;
}

/// Returns a table with a column for each alternative. It has a row of costs, and a row for each facility whose
/// location differs. With more than kMostShownPairs such facilities, the table has only the costs.
std::string alternatives_text(const RunResult& run) {
    const std::vector<std::vector<AssignedPair>>& all = run.alternative_assignments;
    if (run.alternatives.size() < 2) return {};
    std::vector<std::vector<std::string>> rows(2);
    rows[0].push_back("alternative");
    rows[1].push_back("cost");
    for (std::size_t k = 0; k < run.alternatives.size(); ++k) {
        rows[0].push_back(std::to_string(k + 1));
        rows[1].push_back(run.costs.shown_text(run.alternatives[k].cost));
    }
    const std::size_t facilities = all.size() == run.alternatives.size() ? all[0].size() : 0;
    for (std::size_t i = 0; i < facilities; ++i) {
        std::vector<std::string> row{printable(all[0][i].facility_text())};
        bool differs = false;
        for (const std::vector<AssignedPair>& one : all) {
            differs = differs || one[i].location_text() != all[0][i].location_text();
            row.push_back(printable(one[i].location_text()));
        }
        if (differs) rows.push_back(std::move(row));
    }
    if (rows.size() - 2 > kMostShownPairs) rows.resize(2);
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column) {
            std::size_t width = 0;
            for (const std::vector<std::string>& other : rows) width = std::max(width, columns(other[column]));
            line += row[column] + std::string(width - columns(row[column]) + 2, ' ');
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text + "\n";
}

std::string percent(double part) {
    return fmt::format("{:.{}f} %", 100 * part, part != 0 && std::abs(part) < 0.001 ? 4 : 2);
}

std::string line(const char* label, const std::string& text) {
    return fmt::format("{:<13}{}\n", label, text);
}

std::string quality_lines(const RunResult& run) {
    const CostSpace& costs = run.costs;
    const qapfw_cost cost = run.best->cost;
    const bool maximises = costs.sense < 0;
    const bool proven = is_optimal(run);
    std::string text = line("cost", costs.shown_text(cost) + (!proven     ? ""
                                                              : maximises ? ", proven: no answer is worth more"
                                                                          : ", proven: no answer costs less"));
    if (run.best_known) {
        const auto gap = costs.gap(cost, *run.best_known);
        const bool met = costs.raw_text(cost) == costs.raw_text(*run.best_known);
        text += line("best known", costs.shown_text(*run.best_known) +
                                       (met   ? ", which this answer equals"
                                        : gap ? fmt::format("; this answer is {} {}", percent(std::abs(*gap)),
                                                            *gap < 0 ? "better" : "worse")
                                              : ""));
    }
    const std::optional<ProvenBound> bound = best_bound(run);
    if (bound && !proven) {
        const auto gap = costs.gap(cost, bound->cost);
        if (gap && *gap <= kFarthestBound) {
            text += line("bound", fmt::format("no answer {} {} than {}{}; this answer is {} away from the bound",
                                              maximises ? "is worth" : "costs", maximises ? "more" : "less",
                                              costs.shown_text(bound->cost),
                                              bound->name.empty() ? "" : " (" + bound->name + ")", percent(*gap)));
        }
    }
    return text;
}

/// The command that continues a run. If a limit on time, iterations or evaluations ended the run, the new limit is
/// twice what the run used. If a signal ended the run, the command sets no limit. Empty: the run ended otherwise, its
/// answer is optimal, or there is no record.
std::string next_command(const RunResult& run, const std::string& folder) {
    if (folder.empty() || is_optimal(run)) return {};
    const std::string resume = "qapfw resume " + shell_word(folder);
    if (ended_by(run, StopReason::kSignal)) return resume;
    if (ended_by(run, StopReason::kTimeLimit)) {
        const double longer = 2 * std::max(run.seconds, 0.5);
        return fmt::format("{} --time-limit {}s", resume,
                           longer < 10 ? fmt::format("{:.0f}", std::ceil(longer)) : fmt::format("{:.0f}", longer));
    }
    if (ended_by(run, StopReason::kIterations))
        return fmt::format("{} --iterations {}", resume, 2 * std::max<std::uint64_t>(run.counters.iterations, 1));
    if (ended_by(run, StopReason::kEvaluations))
        return fmt::format("{} --evaluations {}", resume, 2 * std::max<std::uint64_t>(run.counters.evaluations, 1));
    return {};
}

const char* signal_name(int signal) {
    switch (signal) {
        case SIGINT:
            return "Ctrl-C";
        case SIGTERM:
            return "SIGTERM";
        case SIGHUP:
            return "SIGHUP";
        default:
            return "a signal";
    }
}

}  // namespace

std::string ending_text(const RunResult& run) {
    const std::string after = fmt::format("after {}", format_duration(run.seconds));
    if (ended_by(run, StopReason::kOptimal)) return after + ": nothing better exists";
    if (ended_by(run, StopReason::kTarget)) return after + ": the target is reached";
    if (ended_by(run, StopReason::kTimeLimit)) return after + ", the time limit";
    if (ended_by(run, StopReason::kIterations))
        return fmt::format("{}: the limit of {} iterations", after, run.counters.iterations);
    if (ended_by(run, StopReason::kEvaluations))
        return fmt::format("{}: the limit of evaluations is reached, {} were made", after, run.counters.evaluations);
    if (ended_by(run, StopReason::kStagnation)) return after + ": the answer had not improved for long enough";
    if (ended_by(run, StopReason::kSignal)) return fmt::format("{}: interrupted by {}", after, signal_name(run.signal));
    if (ended_by(run, StopReason::kSolver)) return after + ": the algorithm had finished";
    if (ended_by(run, StopReason::kError)) return after + ": an error";
    return after;
}

/// The parts of a cost as text: "flows 120, assignments 34.5".
std::string parts_text(const CostParts& parts) {
    std::string text;
    for (const auto& [name, value] : parts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
    return text;
}

std::string answer_text(const RunSummary& summary, const std::string& folder) {
    const RunResult& run = best_of(summary);
    std::string text;
    const bool shown = run.assignment.size() <= kMostShownPairs;
    if (!run.assignment.empty() && shown) text += table_text(run.assignment) + "\n";
    text += alternatives_text(run);
    text += run.best ? quality_lines(run) : line("cost", "no solution was found");
    const std::string broken = run.infeasibility.value_or("");
    if (!broken.empty()) text += line("answer", "NOT FEASIBLE: " + broken);
    if (!run.parts.empty()) text += line("parts", parts_text(run.parts));
    std::string ended = ending_text(run);
    if (run.best && run.found.seconds > 0 && !ended_by(run, StopReason::kOptimal))
        ended += fmt::format("; the answer was found after {}", format_duration(run.found.seconds));
    if (summary.wanted > 1) ended += fmt::format(" (seed {}, the best of {} runs)", run.seed, summary.runs.size());
    text += line("ended", ended);
    if (!run.folder.empty()) {
        const bool lists = !run.assignment.empty();
        text += line("files", run.folder + (!lists ? "" : shown ? ", with assignment.csv" : ": assignment.csv"));
    } else if (!run.assignment.empty() && !shown) {
        text +=
            line("assignment", fmt::format("too long for a table; --quiet prints its {} lines", run.assignment.size()));
    }
    const std::string next = next_command(run, folder);
    if (!next.empty()) text += line("go on", next);
    return text;
}

std::string quiet_text(const RunSummary& summary) {
    const RunResult& run = best_of(summary);
    if (!run.best) return "no solution\n";
    return run.costs.shown_text(run.best->cost) + "\n" + assignment_lines(run.assignment);
}

}  // namespace qapfw::framework
