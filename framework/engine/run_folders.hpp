// SPDX-License-Identifier: Apache-2.0
// The folders of a command's records: one folder for one run; for several seeds a folder with one in it for each.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "framework/problem/problem.hpp"
#include "framework/record/run_record.hpp"

namespace qapfw::framework {

/// The folder for a new record, made and locked. Throws Error(kUsage) where the configured one holds something already:
/// records are never overwritten; Error(kIo) where it cannot be made.
std::shared_ptr<RecordFolder> make_record_folder(const Config& config, const qapfw_problem_info& info);

/// Makes the folder with those above it, where it is not there. Throws Error(kIo).
void make_folder(const std::filesystem::path& folder);

/// Throws Error(kUsage) where the record was made with another number of runs, or with other seeds, than the
/// configuration says now.
void check_same_runs(const Folder& folder, const Config& config);

/// The folder of one seed's run inside.
std::filesystem::path seed_folder(const std::filesystem::path& folder, std::uint64_t seed);

/// Everything of a resolved configuration that can change a run's trajectory, as TOML.
std::string trajectory_of(Config config, std::uint64_t seed);

/// The configuration to put into a record, so that `qapfw run` with it makes the same run again elsewhere.
std::string recorded_config(Config config, std::uint64_t seed, std::uint32_t runs);

/// Lines "- line" for those that only `before` has, and "+ line" for those that only `now` has, each after a line end.
std::string line_differences(const std::string& before, const std::string& now);

RunIdentity identity_of(const Config& config, const qapfw_problem_info& info, const std::string& backend);

/// Throws Error(kUsage) where a result belongs to another run than the one at hand.
void check_same_run(const RunResult& recorded, const RunIdentity& identity, std::uint64_t seed);

/// Throws Error(kUsage) with a diff where a checkpoint belongs to another run than the one at hand.
void check_same_run(const Checkpoint& checkpoint, const RunIdentity& identity, const std::string& trajectory);

}  // namespace qapfw::framework
