// SPDX-License-Identifier: Apache-2.0
// The folder of a study; docs/guides/studies.md shows its layout. plan.json lists what belongs to the study. All files
// except plan.json and the records can be made again.
#pragma once

#include <filesystem>
#include <string>

#include "framework/laboratory/study/plan.hpp"

namespace qapfw::framework::laboratory {

/// One run of a cell. A cell is one configuration on one instance.
struct RunKey {
    const Cell* cell = nullptr;
    std::uint64_t seed = 0;
    std::string name() const;  ///< "<cell>.s<seed>"
};

class StudyFolder {
  public:
    explicit StudyFolder(std::filesystem::path path) : path_(std::move(path)) {}
    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path plan() const { return path_ / "plan.json"; }
    std::filesystem::path config(const Cell& cell) const { return path_ / "cells" / (cell.id + ".toml"); }
    std::filesystem::path record(const RunKey& run) const;
    std::filesystem::path claims() const { return path_ / "claims"; }
    std::filesystem::path failure(const RunKey& run) const { return path_ / "failed" / (run.name() + ".json"); }
    std::filesystem::path index() const { return path_ / "study.sqlite"; }
    /// A new path below aside/, for a record that is kept but no longer counted.
    std::filesystem::path aside(const RunKey& run) const;

    /// Creates the folders and writes the plan, the study's text and the cells' configurations. Throws Error(kIo).
    void write(const Plan& plan, const std::string& study_text) const;

  private:
    std::filesystem::path path_;
};

/// The plan in the folder. Throws Error(kUsage) if the folder has no plan.json, Error(kInput) for a damaged plan.
Plan read_plan(const std::filesystem::path& folder);
bool has_plan(const std::filesystem::path& folder);

std::string plan_json(const Plan& plan);
Plan parse_plan(const std::string& json, const std::string& where);

/// The plan's runs: all cells with their first seed, then all cells with their next seed, and so on. So a study that is
/// stopped early has about the same number of runs in each cell.
std::vector<RunKey> runs_of(const Plan& plan);

}  // namespace qapfw::framework::laboratory
