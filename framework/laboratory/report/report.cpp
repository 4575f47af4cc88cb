// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <utility>
#include <vector>

#include "embedded/report_page.hpp"
#include "framework/host/substitution.hpp"
#include "framework/laboratory/report/encoders.hpp"
#include "framework/laboratory/report/exports.hpp"
#include "framework/laboratory/report/sections.hpp"
#include "framework/laboratory/report/sha256.hpp"
#include "framework/record/atomic_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// Adds published runs as rows. The runs of one algorithm from one source get a variant of their own in the report.
void add_reference_runs(const References& references, std::vector<RunRow>& rows) {
    for (const ReferenceRun& run : references.runs) {
        RunRow row;
        row.source = run.source;
        row.algorithm = fmt::format("{} ({})", run.algorithm, run.source);
        row.variant = row.algorithm;
        row.run = fmt::format("{}.{}.{}", run.source, run.instance, run.run);
        row.instance = run.instance;
        row.seed = static_cast<std::uint64_t>(std::max<std::int64_t>(0, run.run));
        row.cost = run.cost;
        row.seconds = run.seconds;
        row.seconds_to_best = run.seconds.value_or(0);
        row.iterations = row.iterations_to_best = run.iterations.value_or(0);
        row.evaluations = run.evaluations.value_or(0);
        row.hit = run.hit.value_or(false);
        rows.push_back(std::move(row));
    }
}

/// Computes gaps and hits of published runs from the best known cost and the target of our runs on the same instance.
void complete_reference_runs(std::vector<RunRow>& rows) {
    for (RunRow& row : rows) {
        if (row.source.empty() || !row.cost) continue;
        for (const RunRow& ours : rows) {
            if (!ours.source.empty() || ours.instance != row.instance || !ours.best_known) continue;
            row.best_known = ours.best_known;
            row.sense = ours.sense;
            if (*ours.best_known != 0)
                row.gap = row.sense * (*row.cost - *ours.best_known) / std::abs(*ours.best_known);
            if (row.sense * *row.cost <= ours.sense * ours.target.value_or(*ours.best_known)) row.hit = true;
            break;
        }
    }
}

std::string embedded(const std::string& name) {
    for (std::uint32_t k = 0; k < embedded_page::kTextCount; ++k) {
        const qapfw_text& text = embedded_page::kTexts[k];
        if (name == text.name) return std::string(text.text, text.size);
    }
    throw Error(ErrorKind::kInternal, "the report's page has no part " + name);
}

std::string range_of(std::uint64_t least, std::uint64_t most) {
    return least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
}

/// A sentence that says how many runs each combination of variant and instance has, and from how many runs each
/// published figure was made.
std::string runs_of_each(const std::vector<RunRow>& rows, const Plan& plan) {
    std::map<std::pair<std::string, std::string>, std::uint64_t> runs;
    for (const RunRow& row : rows) ++runs[{row.variant, row.instance}];
    std::vector<std::uint64_t> counts;
    for (const auto& [combination, count] : runs) counts.push_back(count);
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    std::string text = fmt::format("{} runs of each combination", range_of(*least, *most));
    for (const StudyReference& reference : plan.study.references) {
        std::vector<std::uint64_t> theirs;
        for (const ReferenceFigures& line : plan.references.figures)
            if (line.source == reference.name && line.runs > 0) theirs.push_back(line.runs);
        if (theirs.empty()) continue;
        const auto [few, many] = std::minmax_element(theirs.begin(), theirs.end());
        text += fmt::format("; each figure of {} is computed from {} runs", reference.name, range_of(*few, *many));
    }
    return text;
}

/// Returns an entry of the page's security policy. The entry allows a script or style with exactly this text.
std::string hash_source(const std::string& text) {
    return "'sha256-" + base64(sha256(text)) + "'";
}

}  // namespace

ReportData make_report(const ReportInput& input) {
    const Plan& plan = input.plan;
    std::vector<RunRow> rows = input.rows;
    add_reference_runs(plan.references, rows);
    complete_reference_runs(rows);
    const Results results(plan, rows);
    ReportData report;
    report.title = plan.study.title;
    report.made = fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
    report.facts.push_back(fmt::format("{} runs on {} instances with {} algorithms", rows.size(),
                                       results.instances().size(), results.variants_with_runs().size()));
    if (!input.rows.empty()) report.facts.push_back(runs_of_each(input.rows, plan));
    for (const std::string& note : plan.study.notes) report.facts.push_back(note);
    for (const std::string& remark : plan.remarks) report.warnings.push_back(remark);
    for (const std::string& warning : input.warnings) report.warnings.push_back(warning);
    std::size_t failed = 0;
    for (const OpenRun& run : input.open) failed += is_trouble(run.state) ? 1U : 0U;
    if (!input.open.empty())
        report.warnings.push_back(
            fmt::format("runs of the plan that are not in the tables: {}; {} of them failed or have no usable record",
                        input.open.size(), failed));
    if (rows.empty()) {
        report.warnings.emplace_back("no run is finished yet");
    } else {
        report.sections.push_back(summary_section(results));
        report.sections.push_back(reference_section(results));
        for (const StudySection& section : plan.study.sections)
            report.sections.push_back(asked_section(results, section));
        report.sections.push_back(sweeps_section(results));
        report.sections.push_back(instances_section(results));
        report.sections.push_back(comparisons_section(results));
        report.sections.push_back(times_section(results));
        report.sections.push_back(convergence_section(results));
        report.sections.push_back(drawings_section(results, input.folder));
    }
    report.sections.push_back(origin_section(results, input.open));
    std::erase_if(report.sections,
                  [](const Section& s) { return s.tables.empty() && s.plots.empty() && s.drawings.empty(); });
    return report;
}

std::string report_page(const ReportData& report) {
    const std::string style = embedded("uplot/uPlot.min.css") + embedded("page.css");
    const std::string plotter = embedded("uplot/uPlot.iife.min.js"),
                      script = embedded("page.js") + embedded("plots.js");
    return with_marks_filled(embedded("page.html"),
                             {{"@TITLE@", html_text(report.title)},
                              {"@STYLE_SOURCES@", hash_source(style)},
                              {"@SCRIPT_SOURCES@", hash_source(plotter) + " " + hash_source(script)},
                              {"@STYLE@", style},
                              {"@LICENCE@", html_text(embedded("uplot/LICENSE"))},
                              {"@DATA@", json_in_script(report_json(report))},
                              {"@UPLOT@", plotter},
                              {"@SCRIPT@", script}});
}

void write_report(const ReportInput& input, const std::filesystem::path& folder) {
    const ReportData report = make_report(input);
    write_atomically(folder / "report.html", report_page(report), Durability::kProcess);
    write_exports(report, input.rows, folder);
}

}  // namespace qapfw::framework::laboratory
