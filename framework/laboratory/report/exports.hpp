// SPDX-License-Identifier: Apache-2.0
// The files beside report.html: tables as CSV, LaTeX and Markdown, plots as CSV, all runs as one table, and traces for
// IOHanalyzer.
#pragma once

#include <filesystem>

#include "framework/laboratory/report/table.hpp"
#include "framework/laboratory/study/run_row.hpp"
#include "framework/record/folder.hpp"

namespace qapfw::framework::laboratory {

std::string table_csv(const Table& table);
std::string table_latex(const Table& table);
std::string table_markdown(const Table& table);
std::string plot_csv(const Plot& plot);
/// A table with one row per run.
std::string runs_csv(const std::vector<RunRow>& rows);
void write_ioh(const std::vector<RunRow>& rows, const Folder& folder);
/// Writes the report's tables and plots, the table of runs and the traces into an existing folder. Replaces files that
/// are symbolic links and does not follow links to folders.
void write_exports(const ReportData& report, const std::vector<RunRow>& rows, const std::filesystem::path& folder);

}  // namespace qapfw::framework::laboratory
