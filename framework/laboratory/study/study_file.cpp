// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/study_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "framework/config/toml_reader.hpp"
#include "framework/host/working_folder.hpp"
#include "framework/laboratory/study/fields.hpp"
#include "framework/record/atomic_file.hpp"

namespace qapfw::framework::laboratory {
namespace {

std::vector<StudySetting> read_set(Fields& fields, const std::string& key) {
    const Node* node = fields.find(key);
    if (node == nullptr) return {};
    if (node->type != Node::Type::kTable)
        throw mismatch(*node, fields.label(key), "a table of settings, such as { algorithm.islands = 16 }");
    return settings_of(*node);
}

std::filesystem::path existing_file(const Node& node, const std::string& label, const std::filesystem::path& folder) {
    if (node.type != Node::Type::kText || node.text.empty()) throw mismatch(node, label, "a text (a file)");
    const std::filesystem::path path = (folder / node.text).lexically_normal();
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) throw mismatch(node, label, "a file that exists");
    return path;
}

/// Returns the texts of a list, each with its position in the file. Throws if there are none, if one is empty, or if an
/// item is no text.
std::vector<Node> text_nodes(const Node& list, const std::string& label) {
    if (list.type != Node::Type::kList || list.items.empty())
        throw mismatch(list, label, "a list of at least one text");
    for (const Node& item : list.items) {
        if (item.type != Node::Type::kText || item.text.empty())
            throw mismatch(item, label, "a list of texts, none of them empty");
    }
    return list.items;
}

/// Reads one table of the file with `read`. Throws for keys that `read` did not request.
template <class Table, class Read>
Table read_table(const Node& node, const std::string& place, const Read& read) {
    Fields fields(node, place);
    Table table;
    table.where = node.where;
    read(fields, table);
    fields.finish();
    return table;
}

StudyInstances read_instances(const Node& node) {
    return read_table<StudyInstances>(node, "[[instances]]", [&](Fields& fields, StudyInstances& instances) {
        instances.names = text_nodes(fields.need("names", "the instances, a list of texts"), "[[instances]] names");
        instances.group = fields.text("class", "");
        instances.set = read_set(fields, "set");
    });
}

StudyAlgorithm read_algorithm(const Node& node, const std::filesystem::path& folder) {
    return read_table<StudyAlgorithm>(node, "[[algorithms]]", [&](Fields& fields, StudyAlgorithm& algorithm) {
        algorithm.name = fields.need_text("name");
        if (const Node* config = fields.find("config"))
            algorithm.config = existing_file(*config, "[[algorithms]] config", folder).string();
        if (const Node* unset = fields.find("unset")) algorithm.unset = text_nodes(*unset, "[[algorithms]] unset");
        algorithm.set = read_set(fields, "set");
        algorithm.instances = fields.texts("instances");
        algorithm.by_default = fields.boolean("default", true);
        algorithm.in_paper = fields.boolean("paper", algorithm.by_default);
    });
}

StudySweep read_sweep(const Node& node, const std::string& place) {
    return read_table<StudySweep>(node, place, [&](Fields& fields, StudySweep& sweep) {
        sweep.key = fields.need_text("key");
        sweep.label = fields.text("label", sweep.key.substr(sweep.key.rfind('.') + 1));
        const Node& values = fields.need("values", "the values to try, a list");
        if (values.type != Node::Type::kList || values.items.empty())
            throw mismatch(values, place + " values", "a list of values that is not empty");
        sweep.values = values.items;
        sweep.algorithms = fields.texts("algorithms");
    });
}

StudyExclusion read_exclusion(const Node& node) {
    return read_table<StudyExclusion>(node, "[[exclude]]", [&](Fields& fields, StudyExclusion& exclusion) {
        exclusion.instances = fields.texts("instances");
        exclusion.algorithms = fields.texts("algorithms");
        exclusion.set = read_set(fields, "set");
    });
}

StudyReference read_reference(const Node& node, const std::filesystem::path& folder) {
    return read_table<StudyReference>(node, "[[reference]]", [&](Fields& fields, StudyReference& reference) {
        reference.file = existing_file(fields.need("file", "a CSV file"), "[[reference]] file", folder);
        reference.name = fields.text("name", reference.name);
        reference.runs = static_cast<std::uint32_t>(fields.count("runs", 1, 1000000).value_or(reference.runs));
    });
}

StudyRecords read_records(const Node& node, const std::filesystem::path& folder) {
    return read_table<StudyRecords>(node, "[[records]]", [&](Fields& fields, StudyRecords& records) {
        const Node& place = fields.need("folder", "the folder of a run record");
        if (place.type != Node::Type::kText) throw mismatch(place, "[[records]] folder", "a text (a folder)");
        records.folder = (folder / place.text).lexically_normal();
        std::error_code error;
        if (!std::filesystem::is_directory(records.folder, error))
            throw mismatch(place, "[[records]] folder", "a folder that exists");
        records.algorithm = fields.text("algorithm", "");
    });
}

StudySection read_section(const Node& node) {
    const std::vector<std::string>& kinds = section_kinds();
    Fields fields(node, "[[section]]");
    StudySection section;
    section.where = node.where;
    fields.need("kind", fmt::format("one of \"{}\"", fmt::join(kinds, "\", \"")));
    section.kind = fields.choice("kind", kinds, "");
    section.title = fields.text("title", "");
    for (const Member& member : node.members) {
        if (member.key != "kind" && member.key != "title") section.fields.push_back({member.key, member.value});
    }
    return section;
}

StudyQuick read_quick(const Node& node) {
    Fields fields(node, "[quick]");
    StudyQuick quick;
    if (const auto seeds = fields.count("seeds", 1, kMostSeeds)) quick.seeds = static_cast<std::uint32_t>(*seeds);
    quick.set = read_set(fields, "set");
    quick.instances = fields.texts("instances");
    quick.algorithms = fields.texts("algorithms");
    for (const Node* sweep : fields.tables("sweep")) quick.sweeps.push_back(read_sweep(*sweep, "[[quick.sweep]]"));
    fields.finish();
    return quick;
}

void read_base(Fields& fields, StudyFile& study) {
    for (const char* table : {"problem", "algorithm", "run", "device", "output", "plugins"}) {
        const Node* node = fields.find(table);
        if (node == nullptr) continue;
        if (node->type != Node::Type::kTable) throw mismatch(*node, fmt::format("[{}]", table), "a table");
        for (StudySetting& setting : settings_of(*node, table)) study.base.push_back(std::move(setting));
    }
}

void read_lists(Fields& fields, StudyFile& study) {
    const std::filesystem::path folder = absolute_path(study.path).parent_path();
    for (const Node* node : fields.tables("instances")) study.instances.push_back(read_instances(*node));
    for (const Node* node : fields.tables("algorithms")) study.algorithms.push_back(read_algorithm(*node, folder));
    for (const Node* node : fields.tables("sweep")) study.sweeps.push_back(read_sweep(*node, "[[sweep]]"));
    for (const Node* node : fields.tables("exclude")) study.exclusions.push_back(read_exclusion(*node));
    for (const Node* node : fields.tables("reference")) study.references.push_back(read_reference(*node, folder));
    for (const Node* node : fields.tables("records")) study.records.push_back(read_records(*node, folder));
    for (const Node* node : fields.tables("section")) study.sections.push_back(read_section(*node));
    if (const Node* quick = fields.find("quick")) study.quick = read_quick(*quick);
}

/// Throws if the study has no instances or no algorithms, or if it refers to an algorithm that it does not define.
/// Also throws if [[exclude]] or [[quick.sweep]] has a key that no [[sweep]] has.
void check_names(const StudyFile& study) {
    if (study.instances.empty())
        fail_at(study.path.string(), "a study must have at least one [[instances]], with names");
    if (study.algorithms.empty()) fail_at(study.path.string(), "a study must have at least one [[algorithms]]");
    std::vector<std::string> names;
    for (const StudyAlgorithm& algorithm : study.algorithms) names.push_back(algorithm.name);
    const auto known = [&](const std::string& pattern) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) { return fits_pattern(pattern, name); });
    };
    const auto demand = [&](const std::string& where, const std::string& pattern) {
        if (!known(pattern))
            fail_at(where, fmt::format("no algorithm of this study is called \"{}\"; the study has: {}", pattern,
                                       fmt::join(names, ", ")));
    };
    const auto demand_swept = [&](const std::string& where, const std::string& key, const char* table) {
        const bool swept = std::any_of(study.sweeps.begin(), study.sweeps.end(),
                                       [&](const StudySweep& sweep) { return sweep.key == key; });
        if (!swept)
            fail_at(where, fmt::format("unknown factor \"{}\" in [[{}]]: no [[sweep]] has this key", key, table));
    };
    if (!study.baseline.empty()) demand(study.path.string(), study.baseline);
    for (const StudySweep& sweep : study.sweeps)
        for (const std::string& pattern : sweep.algorithms) demand(sweep.where, pattern);
    for (const StudyExclusion& exclusion : study.exclusions) {
        for (const std::string& pattern : exclusion.algorithms) demand(exclusion.where, pattern);
        for (const StudySetting& setting : exclusion.set) demand_swept(setting.value.where, setting.key, "exclude");
    }
    for (const StudySweep& sweep : study.quick.sweeps) demand_swept(sweep.where, sweep.key, "quick.sweep");
}

}  // namespace

const Node* StudySection::find(const std::string& key) const {
    for (const StudySetting& field : fields) {
        if (field.key == key) return &field.value;
    }
    return nullptr;
}

const std::vector<std::string>& section_kinds() {
    static const std::vector<std::string> kinds{"ratio",  "speedup",      "quality_time", "statistics", "tournament",
                                                "layout", "significance", "tuning",       "swap_moves"};
    return kinds;
}

const std::vector<std::string>& measure_names() {
    static const std::vector<std::string> names{"cost", "seconds", "iterations", "budget"};
    return names;
}

const char* meaning_of(StudyMeasure measure) {
    static constexpr const char* kMeanings[]{"cost at the end of a run",
                                             "time to the target: the time of all runs divided by the number of hits",
                                             "iterations to the target", "time for the whole budget of iterations"};
    return kMeanings[static_cast<std::size_t>(measure)];
}

std::vector<StudySetting> settings_of(const Node& table, const std::string& prefix) {
    std::vector<StudySetting> settings;
    for (const Member& member : table.members) {
        const std::string key = prefix.empty() ? member.key : prefix + "." + member.key;
        if (member.value.type == Node::Type::kTable) {
            for (StudySetting& setting : settings_of(member.value, key)) settings.push_back(std::move(setting));
        } else {
            settings.push_back({key, member.value});
            settings.back().value.where = member.where;
        }
    }
    return settings;
}

std::string value_text(const Node& node) {
    switch (node.type) {
        case Node::Type::kText:
            return node.text;
        case Node::Type::kInteger:
            return std::to_string(node.integer);
        case Node::Type::kReal:
            return fmt::format("{}", node.real);
        case Node::Type::kBoolean:
            return node.boolean ? "true" : "false";
        case Node::Type::kList: {
            std::vector<std::string> parts;
            for (const Node& item : node.items) parts.push_back(value_text(item));
            return fmt::format("{}", fmt::join(parts, " "));
        }
        default:
            return "?";
    }
}

bool fits_pattern(const std::string& pattern, const std::string& text) {
    std::size_t p = 0, t = 0, star = std::string::npos, mark = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string::npos) {
            p = star + 1;
            t = ++mark;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string::npos;
}

bool fits_any(const std::vector<std::string>& patterns, const std::string& text) {
    return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                           [&](const std::string& pattern) { return fits_pattern(pattern, text); });
}

StudyFile parse_study(const std::string& text, const std::filesystem::path& path) {
    const Node root = parse_toml(text, path.string());
    Fields fields(root, "");
    StudyFile study;
    study.path = path;
    study.title = fields.text("title", path.stem().string());
    study.notes = fields.texts("notes");
    study.wanted = fields.text("wanted", "");
    study.seeds = static_cast<std::uint32_t>(fields.count("seeds", 1, kMostSeeds).value_or(study.seeds));
    study.first_seed = fields.count("first_seed", 0, kLargestSeed).value_or(study.first_seed);
    study.own_seeds = fields.choice("seeds_by", {"study", "algorithm"}, "study") == "algorithm";
    study.exclusive = fields.choice("timing", {"shared", "exclusive"}, "shared") == "exclusive";
    const std::string measure = fields.choice("measure", measure_names(), measure_names().front());
    study.measure = static_cast<StudyMeasure>(std::ranges::find(measure_names(), measure) - measure_names().begin());
    study.baseline = fields.text("baseline", "");
    study.alpha = fields.number("alpha", kLeastAlpha, kLargestAlpha, study.alpha);
    read_base(fields, study);
    read_lists(fields, study);
    fields.finish();
    check_names(study);
    return study;
}

StudyFile read_study(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw Error(ErrorKind::kUsage, fmt::format("{}: it must be a study file, found a folder", path.string()));
    if (!std::filesystem::exists(path, error))
        throw Error(ErrorKind::kUsage, fmt::format("{}: the study file does not exist", path.string()));
    return parse_study(read_file(path), path);
}

}  // namespace qapfw::framework::laboratory
