// SPDX-License-Identifier: Apache-2.0
// The folder of one run. A failed write does not end the run. The first failure is kept, and later writes are still
// tried, since a disk may have room again. After the loss of the lock, nothing more is written. The caller informs
// the user at the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "framework/problem/problem.hpp"
#include "framework/record/checkpoint.hpp"
#include "framework/record/folder_lock.hpp"
#include "framework/record/line_file.hpp"
#include "framework/record/result.hpp"

namespace qapfw::framework {

/// The name of a record's folder: "20260131T235959Z-qap-tai60a-tabu-s42". Characters other than letters, digits, '.',
/// '_' and '-' become '_'.
std::string record_name(std::int64_t unix_seconds, const std::string& problem, const std::string& instance,
                        const std::string& algorithm, std::uint64_t seed);

/// Creates a new folder and returns its path. The path is "<folder>" or, if that exists, the first of "<folder>-2",
/// "<folder>-3" and so on that does not exist. Throws Error(kIo).
std::filesystem::path create_new_folder(const std::filesystem::path& folder);

/// A record's folder, opened and locked by this process.
struct RecordFolder {
    Folder files;
    std::optional<FolderLock> lock;  ///< nothing: the folder is new and its lock could not be written
    std::string lock_failure;        ///< why `lock` is missing

    /// Opens and locks an existing record. Throws FolderInUse, Error(kIo).
    static std::shared_ptr<RecordFolder> open(const std::filesystem::path& path);
    /// Opens and locks a folder that was just made. If the lock cannot be written, the run goes on without a lock.
    /// Throws FolderInUse if another process holds the lock, Error(kIo) if the folder cannot be opened.
    static std::shared_ptr<RecordFolder> open_new(const std::filesystem::path& path);
};

class RunRecord {
  public:
    /// A record that stores nothing.
    RunRecord() = default;
    RunRecord(const RunRecord&) = delete;
    RunRecord& operator=(const RunRecord&) = delete;

    /// Stores everything from now on in `folder`.
    void open(std::shared_ptr<RecordFolder> folder);
    /// Cuts the trace to its first `trace_bytes` bytes and continues it; 0: begins a new trace. Returns false if the
    /// trace was shorter, or if these bytes do not have the hash `trace_hash`. Returns true if no trace can be opened.
    bool open_trace(std::uint64_t trace_bytes, std::optional<std::uint64_t> trace_hash, const std::string& trace_head);
    /// Call this function if the last checkpoint is damaged. The next write_checkpoint() then replaces the damaged file
    /// without keeping it as checkpoint.previous.bin.
    void drop_last_checkpoint() { last_checkpoint_is_good_ = false; }
    /// Notes why something is missing in the record, and logs a warning. Does nothing if a reason is known already.
    void fail(const std::string& reason);

    bool enabled() const { return folder_ != nullptr; }
    /// Why something is missing in the record; empty: nothing is missing.
    const std::string& failure() const { return failure_; }

    void write_config(const std::string& toml);
    void write_result(const std::string& json, Durability durability);
    /// Writes the result of a run. Long solutions go into files of their own, which `result` then names. Removes
    /// solution files that `result` no longer names.
    void write_result(RunResult& result, Durability durability);
    void write_artefacts(const std::vector<Artefact>& artefacts);
    void append_trace(const std::string& line);
    std::uint64_t trace_bytes() const { return trace_.size(); }
    std::uint64_t trace_hash() const { return trace_.hash(); }
    void write_checkpoint(const Checkpoint& checkpoint);

  private:
    void attempt(const std::function<void()>& action);
    void store_long_solutions(RunResult& result, Durability durability);
    bool still_own();
    std::shared_ptr<RecordFolder> folder_;  // folder of the record; null: no record
    LineFile trace_;
    std::string failure_;
    bool last_checkpoint_is_good_ = true;
    std::set<std::string> solution_files_;  // files named by the last result
    bool lost_ = false;                     // another process may have taken over the record
};

}  // namespace qapfw::framework
