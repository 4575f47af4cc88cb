// SPDX-License-Identifier: Apache-2.0
// `qapfw runs list|clean`: the run records of a folder. Studies are left alone; their folders hold records of their
// own.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "framework/cli/commands.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/host/quantities.hpp"
#include "framework/record/folder_lock.hpp"
#include "framework/record/json_parts.hpp"
#include "framework/record/result.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

namespace fs = std::filesystem;

struct FoundRun {
    fs::path folder;
    std::uintmax_t bytes = 0;
    std::time_t written = 0;  ///< time of the record's newest file
    std::string instance, cost, state;
    bool finished = false, in_use = false;
};

std::time_t written_at(const fs::path& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 ? info.st_mtime : 0;
}

void measure(const fs::path& folder, FoundRun& run) {
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (!entry->is_regular_file(ignored)) continue;
        run.bytes += entry->file_size(ignored);
        run.written = std::max(run.written, written_at(entry->path()));
    }
}

/// "process 123 on host": the process that works on the record or on one of its seeds. Empty: none does.
std::string user_of(const fs::path& folder) {
    if (const auto holder = holder_of(Folder(folder))) return *holder;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (!entry->is_directory(ignored)) continue;
        if (const auto holder = holder_of(Folder(entry->path()))) return *holder;
    }
    return {};
}

FoundRun look_at(const fs::path& folder) {
    FoundRun run;
    run.folder = folder;
    measure(folder, run);
    run.state = "no result yet";
    try {
        const RunResult result = parse_result(read_file(folder / "result.json"), "result.json");
        run.instance = result.identity.instance;
        if (result.best) run.cost = result.costs.shown_text(result.best->cost);
        run.finished = result.finished;
        run.state = result.finished ? "finished" : "can be resumed";
    } catch (const Error&) {  // the result is damaged, or the run was killed before it wrote one
    }
    try {
        const std::string user = user_of(folder);
        run.in_use = !user.empty();
        if (run.in_use) run.state = "in use by " + user;
    } catch (const Error& error) {
        run.in_use = true;  // it is unknown whether a process uses the record, so the record is not deleted
        run.state = error.what();
    }
    return run;
}

/// True if the folder is a record of one run or of several, but no study.
bool is_record(const fs::path& folder) {
    std::error_code error;
    return fs::is_directory(folder, error) && !fs::is_symlink(folder, error) &&
           fs::is_regular_file(folder / "config.toml", error) &&
           (fs::exists(folder / "result.json", error) || fs::exists(folder / "trace.jsonl", error) ||
            fs::exists(folder / "checkpoint.bin", error) || fs::exists(folder / FolderLock::kFile, error));
}

std::vector<FoundRun> runs_in(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
        throw Error(ErrorKind::kUsage, fmt::format("{}: there is no such folder", folder.string()));
    if (is_record(folder)) return {look_at(folder)};
    std::vector<FoundRun> runs;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (is_record(entry->path())) runs.push_back(look_at(entry->path()));
    }
    std::sort(runs.begin(), runs.end(), [](const FoundRun& a, const FoundRun& b) { return a.folder < b.folder; });
    return runs;
}

std::string size_text(std::uintmax_t bytes) {
    return format_count(static_cast<double>(bytes)) + "B";
}

std::uintmax_t total_of(const std::vector<FoundRun>& runs) {
    std::uintmax_t total = 0;
    for (const FoundRun& run : runs) total += run.bytes;
    return total;
}

/// Asks the user on the terminal whether to delete; true: yes. Throws Error(kUsage) if there is no terminal.
bool confirmed(const std::vector<FoundRun>& doomed, const fs::path& folder) {
    const std::string what =
        fmt::format("{} records of {}, {}", doomed.size(), folder.string(), size_text(total_of(doomed)));
    if (::isatty(STDIN_FILENO) == 0)
        throw Error(ErrorKind::kUsage, fmt::format("{} would be deleted; to delete them, add --yes", what));
    if (!print(fmt::format("Delete {}? [y/N] ", what))) return false;
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

/// Deletes a record while holding its lock, so that no run starts to use it. The lock is deleted last.
void remove_record(const fs::path& path) {
    const Folder folder(path);
    const FolderLock lock(folder);
    std::error_code error;
    std::vector<fs::path> parts;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().filename() != FolderLock::kFile) parts.push_back(entry->path());
    }
    for (const fs::path& part : parts) {
        if (!error) fs::remove_all(part, error);
    }
    if (error) throw Error(ErrorKind::kIo, fmt::format("{}: cannot be deleted: {}", path.string(), error.message()));
}

}  // namespace

int command_runs_list(const RunsOptions& options) {
    const std::vector<FoundRun> runs = runs_in(options.folder);
    Json json = Json::array();
    std::string text;
    if (!runs.empty())
        text += fmt::format("{:<17} {:>8}  {:<14} {:>14}  {:<15} {}\n", "last written", "size", "instance", "cost",
                            "state", "folder");
    for (const FoundRun& run : runs) {
        std::tm utc{};
        gmtime_r(&run.written, &utc);
        const std::string when = fmt::format("{:%Y-%m-%d %H:%M}Z", utc);
        json.push_back({{"folder", run.folder.string()},
                        {"bytes", run.bytes},
                        {"last_written", when},
                        {"instance", run.instance},
                        {"cost", run.cost},
                        {"state", run.state},
                        {"finished", run.finished},
                        {"in_use", run.in_use}});
        text += fmt::format("{:<17} {:>8}  {:<14} {:>14}  {:<15} {}\n", when, size_text(run.bytes), run.instance,
                            run.cost, run.state, run.folder.string());
    }
    text += fmt::format("{} record{}, {}\n", runs.size(), runs.size() == 1 ? "" : "s", size_text(total_of(runs)));
    return (options.json ? print_raw(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n") : print(text))
               ? kSuccess
               : kOutputError;
}

int command_runs_clean(const RunsOptions& options) {
    std::vector<FoundRun> doomed = runs_in(options.folder);
    const std::size_t all = doomed.size();
    const std::time_t now = std::time(nullptr);
    std::erase_if(doomed, [&](const FoundRun& run) {
        return run.in_use || (options.finished && !run.finished) || std::difftime(now, run.written) < options.older;
    });
    if (doomed.empty())
        return print(fmt::format("nothing to delete: {} records are kept\n", all)) ? kSuccess : kOutputError;
    if (!options.yes && !confirmed(doomed, options.folder))
        return print("nothing is deleted\n") ? kSuccess : kOutputError;
    std::size_t count = 0;
    std::uintmax_t bytes = 0;
    std::string kept;
    for (const FoundRun& run : doomed) {
        try {
            remove_record(run.folder);
            std::error_code ignored;
            fs::remove(run.folder, ignored);
            ++count;
            bytes += run.bytes;
        } catch (const FolderInUse& error) {  // a process uses the folder by now
            kept += fmt::format("{}: kept: {}\n", run.folder.string(), error.what());
        }
    }
    const std::string text =
        fmt::format("{}{} records deleted, {}; {} are kept\n", kept, count, size_text(bytes), all - count);
    return print(text) ? kSuccess : kOutputError;
}

}  // namespace qapfw::framework
