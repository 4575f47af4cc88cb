// SPDX-License-Identifier: Apache-2.0
// The folder of one run. Every write is allowed to fail without ending the run: the first failure is kept, later ones
// are tried all the same (a disk may have room again), and the caller tells the user at the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "framework/engine/problem.hpp"
#include "framework/record/atomic_file.hpp"
#include "framework/record/checkpoint.hpp"

namespace qapfw::framework {

/// "20260131T235959Z-qap-tai60a-tabu-s42": a name made of letters, digits, '.', '_' and '-' alone.
std::string record_name(std::int64_t unix_seconds, const std::string& problem, const std::string& instance,
                        const std::string& algorithm, std::uint64_t seed);

/// Creates a folder that did not exist: "<folder>", or "<folder>-2", "-3", ... Throws Error(kIo).
std::filesystem::path create_new_folder(const std::filesystem::path& folder);

class RunRecord {
  public:
    /// A record that keeps nothing.
    RunRecord() = default;
    RunRecord(const RunRecord&) = delete;
    RunRecord& operator=(const RunRecord&) = delete;

    /// Starts in an existing folder; the trace is cut to `trace_bytes` and goes on from there (0: begins anew).
    void open(const std::filesystem::path& folder, std::uint64_t trace_bytes, const std::string& trace_head);
    /// Only for configuration and result.
    void open_folder(const std::filesystem::path& folder) { folder_ = folder; }
    /// The record was wanted but its folder could not be made.
    void fail(const std::string& reason);

    bool enabled() const { return !folder_.empty(); }
    const std::filesystem::path& folder() const { return folder_; }
    /// Why something is missing in the record; empty while all is well.
    const std::string& failure() const { return failure_; }

    void write_config(const std::string& toml);
    void write_result(const std::string& json, Durability durability);
    void write_artefacts(const std::vector<Artefact>& artefacts);
    void append_trace(const std::string& line);
    std::uint64_t trace_bytes() const { return trace_.size(); }
    void write_checkpoint(const Checkpoint& checkpoint);

  private:
    void attempt(const std::function<void()>& action);
    std::filesystem::path folder_;  // empty: no record
    LineFile trace_;
    std::string failure_;
};

}  // namespace qapfw::framework
