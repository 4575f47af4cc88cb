// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/reference.hpp"
#include "common/nearest_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "framework/laboratory/study/csv.hpp"
#include "framework/plugin/registry.hpp"
#include "framework/record/atomic_file.hpp"

namespace qapfw::framework::laboratory {
namespace {

const std::vector<std::string>& known_columns() {
    static const std::vector<std::string> kColumns = [] {
        std::vector<std::string> columns{"instance",   "algorithm",   "note", "run",  "cost", "seconds",
                                         "iterations", "evaluations", "hit",  "runs", "hits"};
        for (const char* measure : {"cost", "gap", "seconds", "iterations"})
            for (const char* figure : {"mean", "std", "median", "mad", "best", "min", "max"})
                columns.push_back(fmt::format("{}_{}", measure, figure));
        for (const char* figure : {"best_iteration", "gain_p", "m_p", "delta_p", "tuned_value", "source"})
            columns.emplace_back(figure);
        return columns;
    }();
    return kColumns;
}

[[noreturn]] void fail(const std::string& name, std::size_t line, const std::string& message) {
    throw Error(ErrorKind::kInput, fmt::format("{}:{}: {}", name, line, message));
}

/// Checks the head line. Returns the names of its columns.
std::vector<std::string> read_head(const CsvRow& head, const std::string& name) {
    const auto& known = known_columns();
    for (const std::string& column : head.fields) {
        const bool open_ended = column.starts_with("statistic:") || column.starts_with("ratio:");
        if (open_ended || std::find(known.begin(), known.end(), column) != known.end()) continue;
        const auto near = common::nearest_names(column, known);
        fail(name, head.line,
             fmt::format("unknown column \"{}\"; {}", column,
                         near.empty() ? fmt::format("known: {}", fmt::join(known, ", "))
                                      : fmt::format("did you mean {}?", fmt::join(near, " or "))));
    }
    for (const char* needed : {"instance", "algorithm"}) {
        if (std::find(head.fields.begin(), head.fields.end(), needed) == head.fields.end())
            fail(name, head.line,
                 fmt::format("the column \"{}\" is missing; the file has: {}", needed, fmt::join(head.fields, ", ")));
    }
    const bool figures = std::any_of(head.fields.begin(), head.fields.end(), [](const std::string& column) {
        return column != "instance" && column != "algorithm" && column != "note" && column != "run" &&
               column != "runs" && column != "source";
    });
    if (!figures)
        fail(name, head.line,
             "a column with results is missing: cost, seconds, iterations, hits, or figures such as cost_mean");
    return head.fields;
}

constexpr double kMostRuns = 1'000'000;            ///< greatest value of the column "runs"
constexpr double kLargestRun = 1'000'000'000'000;  ///< greatest value of the column "run"

double number(const std::string& text, const std::string& name, std::size_t line, const std::string& column) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value))
        fail(name, line, fmt::format("{} must be a number, found \"{}\"", column, text));
    return value;
}

struct Line {
    std::map<std::string, std::string> texts;
    const std::string& name;
    std::size_t number;
    std::optional<double> value(const std::string& column) const {
        const auto found = texts.find(column);
        if (found == texts.end() || found->second.empty()) return std::nullopt;
        return laboratory::number(found->second, name, number, column);
    }
    std::string text(const std::string& column) const {
        const auto found = texts.find(column);
        return found == texts.end() ? std::string() : found->second;
    }
};

ReferenceRun read_run(const Line& line, const StudyReference& reference) {
    ReferenceRun run{reference.name, line.text("instance"), line.text("algorithm"), 0, {}, {}, {}, {}, {}};
    const double number = line.value("run").value_or(0);
    if (std::abs(number) > kLargestRun || std::trunc(number) != number) {
        fail(line.name, line.number,
             fmt::format("run must be a whole number from -{} to {}, found {}", kLargestRun, kLargestRun,
                         line.text("run")));
    }
    run.run = static_cast<std::int64_t>(number);
    run.cost = line.value("cost");
    run.seconds = line.value("seconds");
    run.iterations = line.value("iterations");
    run.evaluations = line.value("evaluations");
    if (const auto hit = line.value("hit")) run.hit = *hit != 0;
    return run;
}

ReferenceFigures read_figures(const Line& line, const StudyReference& reference) {
    ReferenceFigures figures{reference.name,   line.text("instance"), line.text("algorithm"), reference.runs, {},
                             line.text("note")};
    for (const auto& [column, text] : line.texts) {
        const bool figure =
            column == "hits" || column.find('_') != std::string::npos || column.find(':') != std::string::npos;
        if (!figure) continue;
        if (const auto value = line.value(column)) figures.figures[column] = *value;
    }
    if (const std::string source = line.text("source"); !source.empty()) figures.source = source;
    if (const auto runs = line.value("runs")) {
        if (!(*runs >= 1 && *runs <= kMostRuns) || std::trunc(*runs) != *runs) {
            fail(line.name, line.number,
                 fmt::format("runs must be a whole number from 1 to {}, found {}", kMostRuns, line.text("runs")));
        }
        figures.runs = static_cast<std::uint32_t>(*runs);
    }
    return figures;
}

}  // namespace

void parse_reference(const std::string& text, const StudyReference& reference, References& into) {
    const std::string name = reference.file.string();
    const std::vector<CsvRow> rows = parse_csv(text, name);
    if (rows.empty()) fail(name, 1, "the file holds no line with the columns' names");
    const std::vector<std::string> columns = read_head(rows.front(), name);
    const bool single = std::find(columns.begin(), columns.end(), "run") != columns.end();
    for (std::size_t k = 1; k < rows.size(); ++k) {
        const CsvRow& row = rows[k];
        if (row.fields.size() != columns.size())
            fail(name, row.line,
                 fmt::format("{} fields are wanted as in line {}, found {}", columns.size(), rows.front().line,
                             row.fields.size()));
        Line line{{}, name, row.line};
        for (std::size_t c = 0; c < columns.size(); ++c) line.texts[columns[c]] = row.fields[c];
        if (line.text("instance").empty() || line.text("algorithm").empty())
            fail(name, row.line, "instance and algorithm must not be empty");
        if (single) {
            into.runs.push_back(read_run(line, reference));
        } else {
            into.figures.push_back(read_figures(line, reference));
        }
    }
}

void read_reference(const StudyReference& reference, References& into) {
    parse_reference(read_file(reference.file), reference, into);
}

}  // namespace qapfw::framework::laboratory
