// SPDX-License-Identifier: Apache-2.0
// The folders of a command's records: one folder for one run; for several seeds, one folder that holds a folder per
// seed.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "framework/problem/problem.hpp"
#include "framework/record/run_record.hpp"

namespace qapfw::framework {

/// Makes and locks the folder for a new record. Throws Error(kUsage) if the configured folder is not empty (records are
/// never overwritten), and Error(kIo) if it cannot be made.
std::shared_ptr<RecordFolder> make_record_folder(const Config& config, const qapfw_problem_info& info);

/// Makes the folder and the folders above it, if missing. Throws Error(kIo) if this fails.
void make_folder(const std::filesystem::path& folder);

/// Throws Error(kUsage) if the record has another number of runs or other seeds than the configuration.
void check_same_runs(const Folder& folder, const Config& config);

/// The folder of one seed's run.
std::filesystem::path seed_folder(const std::filesystem::path& folder, std::uint64_t seed);

/// All keys of a resolved configuration that can change a run's trajectory, as TOML.
std::string trajectory_of(Config config, std::uint64_t seed);

/// Returns the configuration to store in a record. `qapfw run` with this configuration repeats the run and makes a new
/// record.
std::string recorded_config(Config config, std::uint64_t seed, std::uint32_t runs);

/// A diff by lines: "- line" for each line that only `before` has, then "+ line" for each that only `now` has. A line
/// end and two spaces precede every entry.
std::string line_differences(const std::string& before, const std::string& now);

RunIdentity identity_of(const Config& config, const qapfw_problem_info& info, const std::string& backend);

/// Throws Error(kUsage) if a result belongs to another run than the present one.
void check_same_run(const RunResult& recorded, const RunIdentity& identity, std::uint64_t seed);

/// Throws Error(kUsage) if a checkpoint belongs to another run than the present one; the message lists the differences.
void check_same_run(const Checkpoint& checkpoint, const RunIdentity& identity, const std::string& trajectory);

}  // namespace qapfw::framework
