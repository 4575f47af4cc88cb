// SPDX-License-Identifier: Apache-2.0
#include "framework/record/run_record.hpp"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <ctime>
#include <utility>

#include "framework/host/log.hpp"
#include "framework/record/solution_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr int kMostSuffixes = 10000;
constexpr std::size_t kLongestPart = 60;   // longest text in a record's name, in bytes; keeps the name below 255 bytes
constexpr std::size_t kLongestName = 240;  // longest name of a file that the problem writes, in bytes

std::string safe_name(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                           c == '_' || c == '-';
        safe += plain ? c : '_';
    }
    return safe;
}

/// The text made safe for a file name, and shortened if it is long.
std::string short_name(const std::string& text) {
    return safe_name(text).substr(0, kLongestPart);
}

/// True if a file of this name, written by the problem, stays inside the folder and does not replace one of the
/// record's own files.
bool is_plain_file_name(const std::string& name) {
    if (name.empty() || name.front() == '.' || safe_name(name) != name) return false;
    for (const char* own : {"config.toml", "result.json", "trace.jsonl", "log.txt"}) {
        if (name == own) return false;
    }
    const bool own_family =
        name.starts_with("checkpoint.") || name.starts_with(FolderLock::kFile) || is_solution_file(name);
    return !own_family && !name.ends_with(".new") && name.size() <= kLongestName;
}

}  // namespace

std::string record_name(std::int64_t unix_seconds, const std::string& problem, const std::string& instance,
                        const std::string& algorithm, std::uint64_t seed) {
    const auto time = static_cast<std::time_t>(unix_seconds);
    std::tm utc{};
    gmtime_r(&time, &utc);
    return fmt::format("{:%Y%m%dT%H%M%SZ}-{}-{}-{}-s{}", utc, short_name(problem), short_name(instance),
                       short_name(algorithm), seed);
}

std::filesystem::path create_new_folder(const std::filesystem::path& folder) {
    std::error_code error;
    if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), error);
    for (int suffix = 1; suffix <= kMostSuffixes && !error; ++suffix) {
        std::filesystem::path candidate = folder;
        if (suffix > 1) candidate += fmt::format("-{}", suffix);
        if (std::filesystem::create_directory(candidate, error)) return candidate;
    }
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot create the folder: {}", folder.string(),
                                            error ? error.message() : "too many folders have this name"));
}

std::shared_ptr<RecordFolder> RecordFolder::open(const std::filesystem::path& path) {
    Folder files(path);
    auto folder = std::shared_ptr<RecordFolder>(new RecordFolder{std::move(files), {}, {}});
    folder->lock.emplace(folder->files);
    return folder;
}

std::shared_ptr<RecordFolder> RecordFolder::open_new(const std::filesystem::path& path) {
    Folder files(path);
    auto folder = std::shared_ptr<RecordFolder>(new RecordFolder{std::move(files), {}, {}});
    try {
        folder->lock.emplace(folder->files);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kIo) throw;
        folder->lock_failure = error.what();
    }
    return folder;
}

void RunRecord::open(std::shared_ptr<RecordFolder> folder) {
    folder_ = std::move(folder);
    if (!folder_->lock_failure.empty()) fail(folder_->lock_failure);
}

bool RunRecord::open_trace(std::uint64_t trace_bytes, std::optional<std::uint64_t> trace_hash,
                           const std::string& trace_head) {
    bool whole = true;
    attempt([&] {
        trace_.open(folder_->files, "trace.jsonl", trace_bytes);
        whole = trace_.size() == trace_bytes && (!trace_hash || trace_.hash() == *trace_hash);
        if (trace_.size() == 0) trace_.append(trace_head);
    });
    return whole;
}

void RunRecord::fail(const std::string& reason) {
    if (!failure_.empty()) return;
    failure_ = reason;
    log_warning("the run goes on, but its record is incomplete: {}", reason);
}

/// False if this process's lock is gone, as after a long sleep of the machine. Another process may then have taken over
/// the record, and two processes must not write it.
bool RunRecord::still_own() {
    if (!lost_ && folder_->lock && !folder_->lock->is_held()) {
        lost_ = true;
        fail(fmt::format("{}: its lock is gone, so another process may have taken the record over",
                         folder_->files.path().string()));
    }
    return !lost_;
}

void RunRecord::attempt(const std::function<void()>& action) {
    if (!enabled() || !still_own()) return;
    try {
        action();
    } catch (const Error& error) {
        fail(error.what());
    }
}

void RunRecord::write_config(const std::string& toml) {
    attempt([&] { folder_->files.replace("config.toml", toml, Durability::kProcess); });
}

void RunRecord::write_result(const std::string& json, Durability durability) {
    attempt([&] { folder_->files.replace("result.json", json, durability); });
}

void RunRecord::write_result(RunResult& result, Durability durability) {
    attempt([&] {
        store_long_solutions(result, durability);
        const std::set<std::string> before = std::move(solution_files_);
        solution_files_.clear();
        if (result.best) solution_files_.insert(result.best->file);
        for (const CostedSolution& solution : result.solutions) solution_files_.insert(solution.file);
        folder_->files.replace("result.json", to_json(result), durability);
        for (const std::string& file : before) {
            if (!file.empty() && solution_files_.count(file) == 0) folder_->files.remove(file);
        }
    });
}

/// Writes the files of long solutions first, so that they exist before the result names them.
void RunRecord::store_long_solutions(RunResult& result, Durability durability) {
    const auto store = [&](CostedSolution& solution) {
        std::size_t count = 0;
        for (const auto& segment : solution.values) count += segment.size();
        if (count <= kMostInlineValues) return;
        const std::string bytes = solution_bytes(solution.values);
        solution.file = solution_file_name(bytes);
        if (solution_files_.count(solution.file) == 0) folder_->files.replace(solution.file, bytes, durability);
        solution_files_.insert(solution.file);
    };
    if (!result.best) return;
    store(*result.best);
    // If solutions are long, keeps only the best one. Ten solutions of a million values each would make every record
    // large.
    if (!result.best->file.empty()) result.solutions = {*result.best};
}

void RunRecord::write_artefacts(const std::vector<Artefact>& artefacts) {
    for (const Artefact& artefact : artefacts) {
        if (!is_plain_file_name(artefact.name)) {
            log_warning(
                "the problem's file \"{}\" is not recorded: its name must consist of letters, digits, '.', '_' "
                "and '-', must not begin with '.', and must not be a name that a record uses itself",
                artefact.name);
            continue;
        }
        attempt([&] { folder_->files.replace(artefact.name, artefact.bytes, Durability::kProcess); });
    }
}

void RunRecord::append_trace(const std::string& line) {
    attempt([&] { trace_.append(line); });
}

void RunRecord::write_checkpoint(const Checkpoint& checkpoint) {
    attempt([&] {
        trace_.sync();  // the checkpoint refers to the trace's lines
        save_checkpoint(folder_->files, checkpoint, last_checkpoint_is_good_);
        last_checkpoint_is_good_ = true;
    });
}

}  // namespace qapfw::framework
