// SPDX-License-Identifier: Apache-2.0
// A report from the rows of a study, or of single runs: the page and the files beside it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/laboratory/report/table.hpp"
#include "framework/laboratory/study/index.hpp"

namespace qapfw::framework::laboratory {

struct ReportInput {
    const Plan& plan;
    std::vector<RunRow> rows;  ///< ours
    std::vector<OpenRun> open;
    std::filesystem::path folder;  ///< base of the rows' relative folders
    std::vector<std::string> warnings;
};

/// Everything the page shows. The runs of others that the plan names take part.
ReportData make_report(const ReportInput& input);

/// The page: one file that loads nothing.
std::string report_page(const ReportData& report);

/// Writes report.html, and tables/ and plots/ with every table as CSV, LaTeX and Markdown, every plot as CSV, one row a
/// run as runs.csv, and ioh/ for IOHanalyzer. Throws Error(kIo).
void write_report(const ReportInput& input, const std::filesystem::path& folder);

}  // namespace qapfw::framework::laboratory
