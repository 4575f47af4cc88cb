// SPDX-License-Identifier: Apache-2.0
// A study file as it was written: the factors whose cross product is run, seeds, limits, what is compared. Every part
// keeps its place in the file, so that whatever is wrong with a run made from it can be told there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "framework/config/node.hpp"

namespace qapfw::framework::laboratory {

/// A value laid over a configuration: "algorithm.islands" = 16.
struct StudySetting {
    std::string key;
    Node value;
};

struct StudyInstances {
    std::vector<Node> names;  ///< texts
    std::string group;        ///< what the report calls these together; may be empty
    std::vector<StudySetting> set;
    std::string where;
};

struct StudyAlgorithm {
    std::string name;
    std::string config;  ///< a configuration, absolute; empty: `set` says everything
    std::vector<StudySetting> set;
    std::vector<Node> unset;             ///< keys or tables taken away before `set`
    std::vector<std::string> instances;  ///< patterns; empty: all
    bool by_default = true;              ///< else it runs only where --only names it, not by '*' alone
    bool in_paper = true;                ///< --paper runs it: a column of the printed table; as by_default if not said
    std::string where;
};

struct StudySweep {
    std::string key;
    std::string label;  ///< what the report calls it
    std::vector<Node> values;
    std::vector<std::string> algorithms;  ///< patterns; empty: all
    std::string where;
};

struct StudyExclusion {
    std::vector<std::string> instances, algorithms;  ///< patterns; empty: all
    std::vector<StudySetting> set;                   ///< values of swept keys
    std::string where;
};

struct StudyReference {
    std::filesystem::path file;
    std::string name = "paper";
    std::uint32_t runs = 10;  ///< runs behind each of its figures, if the file does not say
    std::string where;
};

/// Our own records that take part without belonging to the study.
struct StudyRecords {
    std::filesystem::path folder;
    std::string algorithm;  ///< name in the tables; empty: as recorded
    std::string where;
};

/// Sections of the report beyond the tables that every study has.
struct StudySection {
    std::string kind;  ///< as docs/guides/studies.md lists them
    std::string title;
    std::vector<StudySetting> fields;  ///< its other keys
    std::string where;
    const Node* find(const std::string& key) const;
};

struct StudyQuick {
    std::optional<std::uint32_t> seeds;
    std::vector<StudySetting> set;
    std::vector<std::string> instances;  ///< patterns; empty: all
    std::vector<std::string> algorithms;
    std::vector<StudySweep> sweeps;  ///< values in place of those of the same key
};

/// Kinds of sections, as docs/guides/studies.md lists them.
const std::vector<std::string>& section_kinds();

/// Limits of a study's numbers, in its file and in the plan made from it.
constexpr std::uint64_t kMostSeeds = 1000000;
constexpr std::uint64_t kLargestSeed = std::uint64_t{1} << 62U;
constexpr double kLeastAlpha = 0.0001, kLargestAlpha = 0.5;

enum class StudyMeasure { kCost, kSeconds, kIterations, kBudget };
const std::vector<std::string>& measure_names();  ///< in the order of StudyMeasure
const char* meaning_of(StudyMeasure measure);     ///< for a reader of the report

struct StudyFile {
    std::filesystem::path path;
    std::string title;
    std::vector<std::string> notes;
    std::uint32_t seeds = 10;
    std::uint64_t first_seed = 1;
    bool own_seeds = false;  ///< every algorithm has seeds of its own, so that its runs are independent of all others
    bool exclusive = false;  ///< times are measured: one run after the other
    StudyMeasure measure = StudyMeasure::kCost;
    std::string baseline;  ///< algorithm that the others are compared with; empty: the best
    std::string wanted;    ///< what the study is expected to show
    double alpha = 0.05;
    std::vector<StudySetting> base;  ///< tables of a configuration that all runs share
    std::vector<StudyInstances> instances;
    std::vector<StudyAlgorithm> algorithms;
    std::vector<StudySweep> sweeps;
    std::vector<StudyExclusion> exclusions;
    std::vector<StudyReference> references;
    std::vector<StudyRecords> records;
    std::vector<StudySection> sections;
    StudyQuick quick;
};

/// Throws Error(kUsage) with file:line:column for the first mistake.
StudyFile read_study(const std::filesystem::path& path);
StudyFile parse_study(const std::string& text, const std::filesystem::path& path);

/// True if the text fits a pattern of letters, '*' and '?'.
bool fits_pattern(const std::string& pattern, const std::string& text);
/// An empty list lets everything through.
bool fits_any(const std::vector<std::string>& patterns, const std::string& text);

/// "algorithm.islands" of a table's leaves, in the order of the file.
std::vector<StudySetting> settings_of(const Node& table, const std::string& prefix = {});

/// The value as a reader writes it: 16, 0.5, true, tai60a.
std::string value_text(const Node& node);

}  // namespace qapfw::framework::laboratory
