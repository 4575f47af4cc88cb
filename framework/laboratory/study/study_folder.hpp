// SPDX-License-Identifier: Apache-2.0
// The folder of a study: docs/guides/studies.md shows the layout. The records are the truth; plan.json says what
// belongs to the study, and everything else can be made again.
#pragma once

#include <filesystem>
#include <string>

#include "framework/laboratory/study/plan.hpp"

namespace qapfw::framework::laboratory {

/// One run of a cell.
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
    /// A new name below aside/, for what must not be lost and not be counted.
    std::filesystem::path aside(const RunKey& run) const;

    /// Creates the folders and writes the plan, the study's text and the cells' configurations. Throws Error(kIo).
    void write(const Plan& plan, const std::string& study_text) const;

  private:
    std::filesystem::path path_;
};

/// The plan that the folder holds. Throws Error(kUsage) where it is no study's folder, Error(kInput) for a damaged
/// plan.
Plan read_plan(const std::filesystem::path& folder);
bool has_plan(const std::filesystem::path& folder);

std::string plan_json(const Plan& plan);
Plan parse_plan(const std::string& json, const std::string& where);

/// The plan's runs, seed by seed over all cells, so that a study that is stopped early is evenly filled.
std::vector<RunKey> runs_of(const Plan& plan);

}  // namespace qapfw::framework::laboratory
