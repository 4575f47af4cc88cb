// SPDX-License-Identifier: Apache-2.0
// The runs of a study: the cross product of its factors as checked configurations, one cell for each, and the seeds. A
// cell's id follows from its resolved configuration and its instance's data, so a changed study runs only what differs.
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
    std::string id;  ///< a folder's name
    std::string instance, group, algorithm;
    std::vector<Factor> factors;
    std::string config;                        ///< as resolved, TOML
    std::optional<std::uint64_t> fingerprint;  ///< of the instance's data; none in plans of earlier versions
    std::string build;                         ///< plugins that would run it now; empty where a plan was read
    std::uint64_t first_seed = 1;              ///< seed of the first run; the others follow by ones
    std::optional<double> time_limit;
    bool may_end_early = false;  ///< before its time limit; not kept in a folder's plan
    std::string backend = "auto";
    bool fixed_threads = false, fixed_devices = false;  ///< the configuration says so itself
    std::uint64_t iterations = 0;                       ///< its limit, or 0

    /// Algorithm and values of the factors: what the tables call it.
    std::string variant() const;
    /// The name in the study, whatever its configuration holds.
    std::string place() const { return instance + " | " + variant(); }
};

struct Plan {
    StudyFile study;
    std::vector<Cell> cells;
    References references;
    bool quick = false;
    bool pool_builds = false;          ///< runs of different builds of the plugins are taken together
    std::vector<std::string> remarks;  ///< what the command line changed

    std::size_t run_count() const { return cells.size() * study.seeds; }
};

/// Options of the command line for a study.
struct PlanOptions {
    bool quick = false;
    bool paper = false;   ///< the algorithms of the printed table, in place of those that run by default
    std::string backend;  ///< empty: as the study says
    std::optional<std::uint32_t> seeds;
    std::vector<std::pair<std::string, std::string>> set;
    std::vector<std::string> only;  ///< patterns of "algorithm/instance"; empty: those that run by default
    bool skip_missing = false;      ///< leave out instances that are not there, instead of an error
    bool pool_builds = false;
};

/// The cross product, every configuration checked with its plugins and its instance. Throws Error(kUsage, kInput, ...).
Plan make_plan(StudyFile study, const PlanOptions& options, const Registry& registry,
               const std::vector<std::filesystem::path>& data_paths);

/// Seconds of all runs one after the other, as far as their limits tell.
struct PlanEstimate {
    double seconds = 0;
    std::size_t unlimited = 0;  ///< runs without a time limit, which are not in it
    std::size_t early = 0;      ///< runs that can end before their limit, at a target or where nothing improves
};
PlanEstimate estimate(const Plan& plan);

/// "- ..." and "+ ..." lines: cells that were added, taken away, or whose configuration is another now.
std::string plan_difference(const std::vector<Cell>& before, const std::vector<Cell>& now);

}  // namespace qapfw::framework::laboratory
