// SPDX-License-Identifier: Apache-2.0
// A study file as written: factors (whose combinations are run), seeds, limits, comparisons. Every part keeps its
// position in the file. So an error in a run can be reported at the part of the file that the run was made from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/config/node.hpp"

namespace qapfw::framework::laboratory {

/// A value applied to a configuration: "algorithm.islands" = 16.
struct StudySetting {
    std::string key;
    Node value;
};

struct StudyInstances {
    std::vector<Node> names;  ///< names, as texts
    std::string group;        ///< class of these instances in the report; may be empty
    std::vector<StudySetting> set;
    std::string where;
};

struct StudyAlgorithm {
    std::string name;
    std::string config;  ///< absolute path of the configuration to start from; empty: an empty configuration
    std::vector<StudySetting> set;
    std::vector<Node> unset;             ///< keys or tables removed from the configuration before `set` applies
    std::vector<std::string> instances;  ///< patterns of the instances that the algorithm runs on; empty: all
    bool by_default = true;              ///< false: runs only with --paper, or if --only names it ("*" does not)
    bool in_paper = true;                ///< true: --paper runs the algorithm; equals by_default if not in the file
    std::string where;
};

struct StudySweep {
    std::string key;
    std::string label;  ///< name in the report
    std::vector<Node> values;
    std::vector<std::string> algorithms;  ///< patterns of the algorithms that have this factor; empty: all
    std::string where;
};

struct StudyExclusion {
    std::vector<std::string> instances, algorithms;  ///< patterns of what is left out; empty: all
    std::vector<StudySetting> set;                   ///< values of swept keys to leave out; empty: all
    std::string where;
};

struct StudyReference {
    std::filesystem::path file;
    std::string name = "paper";
    std::uint32_t runs = 10;  ///< number of runs behind each figure, if the file does not say
    std::string where;
};

/// A run record outside the study that the report compares with the study's runs.
struct StudyRecords {
    std::filesystem::path folder;
    std::string algorithm;  ///< name of the algorithm in tables; empty: the name in the record
    std::string where;
};

/// A section of the report, in addition to the tables of every study.
struct StudySection {
    std::string kind;  ///< one of the kinds in docs/guides/studies.md
    std::string title;
    std::vector<StudySetting> fields;  ///< the other keys of the section
    std::string where;
    const Node* find(const std::string& key) const;
};

/// Changes that `--quick` makes.
struct StudyQuick {
    std::optional<std::uint32_t> seeds;
    std::vector<StudySetting> set;
    std::vector<std::string> instances;   ///< patterns of the instances that run; empty: all
    std::vector<std::string> algorithms;  ///< patterns of the algorithms that run; empty: all
    std::vector<StudySweep> sweeps;       ///< values that replace those of the sweep with the same key
};

/// Kinds of sections, as docs/guides/studies.md lists them.
const std::vector<std::string>& section_kinds();

/// Limits of the numbers in a study file and in a plan.
constexpr std::uint64_t kMostSeeds = 1000000;
constexpr std::uint64_t kLargestSeed = std::uint64_t{1} << 62U;
constexpr double kLeastAlpha = 0.0001, kLargestAlpha = 0.5;

enum class StudyMeasure { kCost, kSeconds, kIterations, kBudget };
const std::vector<std::string>& measure_names();  ///< the names in the order of StudyMeasure
const char* meaning_of(StudyMeasure measure);     ///< explanation for readers of the report

struct StudyFile {
    std::filesystem::path path;
    std::string title;
    std::vector<std::string> notes;
    std::uint32_t seeds = 10;
    std::uint64_t first_seed = 1;
    bool own_seeds = false;  ///< each variant (algorithm and factor values) has its own seeds
    bool exclusive = false;  ///< only one run at a time on a host, so that runs do not slow each other
    StudyMeasure measure = StudyMeasure::kCost;
    /// The only algorithm that the others are compared with if there are too many pairs; empty: the best variant.
    std::string baseline;
    std::string wanted;  ///< expected outcome of the study
    double alpha = 0.05;
    std::vector<StudySetting> base;  ///< settings of all runs, from the study's tables such as [problem] and [run]
    std::vector<StudyInstances> instances;
    std::vector<StudyAlgorithm> algorithms;
    std::vector<StudySweep> sweeps;
    std::vector<StudyExclusion> exclusions;
    std::vector<StudyReference> references;
    std::vector<StudyRecords> records;
    std::vector<StudySection> sections;
    StudyQuick quick;
};

/// Reads a study file. Throws Error(kUsage) with file:line:column for the first mistake.
StudyFile read_study(const std::filesystem::path& path);
StudyFile parse_study(const std::string& text, const std::filesystem::path& path);

/// True if the text fits a pattern, in which '*' stands for any characters and '?' for one character.
bool fits_pattern(const std::string& pattern, const std::string& text);
/// True if the text fits one of the patterns, or the list is empty.
bool fits_any(const std::vector<std::string>& patterns, const std::string& text);

/// The values in a table with their keys ("algorithm.islands"), in the order of the file.
std::vector<StudySetting> settings_of(const Node& table, const std::string& prefix = {});

/// The value as text for readers: 16, 0.5, true, tai60a.
std::string value_text(const Node& node);

}  // namespace qapfw::framework::laboratory
