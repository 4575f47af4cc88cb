// SPDX-License-Identifier: Apache-2.0
// Makes the report of a study or of single runs: an HTML page, and files beside the page.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/laboratory/report/table.hpp"
#include "framework/laboratory/study/index.hpp"

namespace qapfw::framework::laboratory {

struct ReportInput {
    const Plan& plan;
    std::vector<RunRow> rows;  ///< our runs
    std::vector<OpenRun> open;
    std::filesystem::path folder;  ///< relative paths in RunRow::folder begin at this folder
    std::vector<std::string> warnings;
};

/// All data that the page shows, including the published runs that the plan names.
ReportData make_report(const ReportInput& input);

/// The page as one HTML file that loads nothing else.
std::string report_page(const ReportData& report);

/// Writes report.html; every table as CSV, LaTeX and Markdown in tables/; every plot as CSV in plots/; one row per run
/// in runs.csv; and ioh/ for IOHanalyzer. Throws Error(kIo).
void write_report(const ReportInput& input, const std::filesystem::path& folder);

}  // namespace qapfw::framework::laboratory
