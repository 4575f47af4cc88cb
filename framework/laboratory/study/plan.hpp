// SPDX-License-Identifier: Apache-2.0
// The runs of a study. Each cell is one combination of the study's factors with a checked configuration, and is run
// with every seed. A cell's id follows from its resolved configuration and its instance's data. So a changed study runs
// only what has changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/config/config.hpp"
#include "framework/laboratory/study/reference.hpp"
#include "framework/laboratory/study/study_file.hpp"

namespace qapfw::framework::laboratory {

struct Factor {
    std::string key, label, value;
};

struct Cell {
    std::string id;  ///< name of the cell's folder
    std::string instance, group, algorithm;
    std::vector<Factor> factors;
    std::string config;  ///< resolved configuration as TOML
    /// Fingerprint of the instance's data; missing in plans of earlier versions.
    std::optional<std::uint64_t> fingerprint;
    /// Plugins that would run the cell now, see build_of(). Empty in a plan that was read from a file.
    std::string build;
    std::uint64_t first_seed = 1;  ///< seed of the first run; each further run has the next seed
    std::optional<double> time_limit;
    bool may_end_early = false;  ///< the run can end before its time limit; not stored in a folder's plan
    std::string backend = "auto";
    /// True if the configuration itself sets the number of threads, or the devices.
    bool fixed_threads = false, fixed_devices = false;
    std::uint64_t iterations = 0;  ///< limit of iterations; 0: none

    /// The cell's name in tables: its algorithm and the values of its factors.
    std::string variant() const;
    /// The cell's name in the study. The name stays the same if the cell's configuration changes.
    std::string place() const { return instance + " | " + variant(); }
};

struct Plan {
    StudyFile study;
    std::vector<Cell> cells;
    References references;
    bool quick = false;
    bool pool_builds = false;          ///< true: runs from different builds of the plugins count together
    std::vector<std::string> remarks;  ///< descriptions of what the command line changed

    std::size_t run_count() const { return cells.size() * study.seeds; }
};

/// Options of the command line for a study.
struct PlanOptions {
    bool quick = false;
    bool paper = false;   ///< --paper: the study's algorithms with in_paper, instead of the default algorithms
    std::string backend;  ///< backend of the runs whose configuration sets none; empty: "auto"
    std::optional<std::uint32_t> seeds;
    std::vector<std::pair<std::string, std::string>> set;
    std::vector<std::string> only;  ///< patterns of "algorithm" or "algorithm/instance"; empty: what runs by default
    bool skip_missing = false;      ///< leave out instances that cannot be read, instead of an error
    bool pool_builds = false;
};

/// The plan with all wanted combinations; each configuration is checked with its plugins and its instance. Throws
/// Error(kUsage, kInput, ...).
Plan make_plan(StudyFile study, const PlanOptions& options, const Registry& registry,
               const std::vector<std::filesystem::path>& data_paths);

/// The estimated duration of all runs of a plan, one after the other.
struct PlanEstimate {
    double seconds = 0;         ///< sum of the time limits of all runs
    std::size_t unlimited = 0;  ///< number of runs without a time limit; `seconds` does not include them
    std::size_t early = 0;      ///< number of runs that can end before their time limit: by another limit or a target
};
PlanEstimate estimate(const Plan& plan);

/// Lines that name the cells that were removed ("- ..."), were added ("+ ..."), or have another configuration or other
/// data now.
std::string plan_difference(const std::vector<Cell>& before, const std::vector<Cell>& now);

}  // namespace qapfw::framework::laboratory
