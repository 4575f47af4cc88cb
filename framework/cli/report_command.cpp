// SPDX-License-Identifier: Apache-2.0
// `qapfw study report` and `qapfw report`.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "framework/cli/commands.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/host/log.hpp"
#include "framework/host/working_folder.hpp"
#include "framework/laboratory/report/report.hpp"
#include "framework/laboratory/study/identity.hpp"
#include "framework/laboratory/study/study_folder.hpp"
#include "framework/record/atomic_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
using namespace laboratory;
namespace {

namespace fs = std::filesystem;

/// Returns the row of the report for the run record in `folder`, with the trace if the record has one.
RunRow row_of_record(const fs::path& folder) {
    const std::string text = read_file(folder / "result.json");
    const RunResult result = parse_result(text, (folder / "result.json").string());
    RunRow row = row_of(result, version_in(text));
    row.run = folder.lexically_normal().string();
    row.folder = absolute_path(folder).string();
    std::error_code error;
    if (fs::is_regular_file(folder / "trace.jsonl", error)) row.trace = parse_trace(read_file(folder / "trace.jsonl"));
    return row;
}

/// Adds the rows of a record: one for its run, or one for each seed. `algorithm`: name of the algorithm in these rows;
/// empty: the recorded name.
void add_rows(const fs::path& folder, const std::string& algorithm, std::vector<RunRow>& rows) {
    std::error_code error;
    if (!fs::is_regular_file(folder / "result.json", error))
        throw Error(ErrorKind::kUsage, fmt::format("{}: not a run record: it holds no result.json", folder.string()));
    const std::size_t before = rows.size();
    std::vector<fs::path> seeds;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.is_directory() && fs::is_regular_file(entry.path() / "result.json", error))
            seeds.push_back(entry.path());
    }
    std::sort(seeds.begin(), seeds.end());
    for (const fs::path& seed : seeds) rows.push_back(row_of_record(seed));
    if (seeds.empty()) rows.push_back(row_of_record(folder));
    for (std::size_t k = before; k < rows.size() && !algorithm.empty(); ++k)
        rows[k].variant = rows[k].algorithm = algorithm;
}

/// Numbers the configurations of each algorithm, so that runs with different configurations have different names.
void tell_apart(std::vector<RunRow>& rows) {
    std::map<std::string, std::vector<std::string>> kinds;
    for (RunRow& row : rows) {
        const fs::path config = fs::path(row.folder) / "config.toml";
        std::error_code error;
        std::string text = fs::is_regular_file(config, error) ? read_file(config) : std::string();
        const std::size_t begin = std::min(text.size(), text.find("[algorithm]")),
                          end = std::min(text.size(), text.find("[run]"));
        text = begin < end ? text.substr(begin, end - begin) : std::string();
        auto& known = kinds[row.algorithm];
        auto found = std::find(known.begin(), known.end(), text);
        if (found == known.end()) found = known.insert(known.end(), text);
        if (found != known.begin()) row.variant = fmt::format("{} ({})", row.algorithm, found - known.begin() + 1);
    }
}

/// If rows have the same name but must not be pooled, gives them different names. Warnings in the log and in the report
/// list these names.
void keep_apart(ReportInput& input, bool pool_builds) {
    for (const auto& sentences : {tell_data_apart(input.rows), tell_builds_apart(input.rows, pool_builds)}) {
        for (const std::string& sentence : sentences) {
            log_warning("{}", sentence);
            input.warnings.push_back(sentence);
        }
    }
}

int written(const fs::path& folder) {
    return print(fmt::format("{}\n", (folder / "report.html").string())) ? kSuccess : kOutputError;
}

}  // namespace

fs::path write_study_report(const StudyOptions& options) {
    const fs::path work = options.study;
    const Plan plan = read_plan(work);
    IndexedStudy indexed = index_study(plan, StudyFolder(work));
    ReportInput input{plan, std::move(indexed.rows), std::move(indexed.open), work, {}};
    for (const StudyRecords& records : plan.study.records) {
        std::error_code error;
        if (!fs::is_directory(records.folder, error)) {
            input.warnings.push_back(
                fmt::format("{}: the folder is gone, its runs are left out", records.folder.string()));
            continue;
        }
        add_rows(records.folder, records.algorithm, input.rows);
    }
    keep_apart(input, plan.pool_builds || options.pool_builds);
    const fs::path target = options.work.empty() ? work : fs::path(options.work);
    std::error_code ignored;
    fs::create_directories(target, ignored);
    write_report(input, target);
    return target;
}

int command_study_report(const StudyOptions& options) {
    return written(write_study_report(options));
}

int command_report(const ReportOptions& options) {
    Plan plan;
    plan.study.title = options.title;
    std::vector<RunRow> rows;
    for (const std::string& folder : options.folders) add_rows(folder, "", rows);
    tell_apart(rows);
    plan.study.seeds = 1;
    const fs::path target = options.output;
    std::error_code error;
    fs::create_directories(target, error);
    if (error)
        throw Error(ErrorKind::kIo, fmt::format("{}: cannot create the folder: {}", target.string(), error.message()));
    ReportInput input{plan, std::move(rows), {}, target, {}};
    keep_apart(input, options.pool_builds);
    write_report(input, target);
    return written(target);
}

}  // namespace qapfw::framework
