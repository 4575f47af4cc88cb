// SPDX-License-Identifier: Apache-2.0
// plan.json: everything about a study that a report needs. So a report can be made from the folder alone.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "framework/host/any_bytes.hpp"
#include "framework/host/printable.hpp"
#include "framework/laboratory/study/study_folder.hpp"
#include "framework/record/json_parts.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

constexpr int kPlanVersion = 2;
constexpr int kVersionWithoutData = 1;            ///< earlier version without fingerprints; such plans can be read
constexpr int kDeepest = 64;                      ///< largest depth of nested lists in a section's field
constexpr std::size_t kLongestName = 255;         ///< largest number of bytes of a folder's name
constexpr double kMostReferenceRuns = 1'000'000;  ///< the limit of `runs` in a study's [[reference]]

/// A defect of a plan. The text does not name the file; `parse_plan` adds its name.
struct PlanDefect {
    std::string text;
};

/// The text in quotes, cut to 80 bytes and with control characters escaped, since it comes from a file.
std::string quote(const std::string& text) {
    return "\"" + printable(text.substr(0, 80)) + "\"";
}

[[noreturn]] void refuse(const std::string& key, const std::string& wanted, const std::string& found) {
    throw PlanDefect{fmt::format("{} must be {}, found {}", key, wanted, found)};
}

Json node_json(const Node& node) {
    switch (node.type) {
        case Node::Type::kText:
            return bytes_to_utf8(node.text);
        case Node::Type::kInteger:
            return node.integer;
        case Node::Type::kReal:
            return node.real;
        case Node::Type::kBoolean:
            return node.boolean;
        case Node::Type::kList: {
            Json list = Json::array();
            for (const Node& item : node.items) list.push_back(node_json(item));
            return list;
        }
        case Node::Type::kTable: {
            Json table = Json::object();
            for (const Member& member : node.members) table[member.key] = node_json(member.value);
            return table;
        }
        default:
            return nullptr;
    }
}

/// `depth`: number of lists and tables around the value. A damaged plan must not exhaust the stack.
Node parse_node(const Json& json, int depth = 0) {
    if (depth > kDeepest) refuse("sections: fields", fmt::format("lists nested at most {} deep", kDeepest), "more");
    Node node;
    node.where = "plan.json";
    if (json.is_string()) {
        node.type = Node::Type::kText;
        node.text = utf8_to_bytes(json.get<std::string>());
    } else if (json.is_number_integer()) {
        node.type = Node::Type::kInteger;
        node.integer = json;
    } else if (json.is_number()) {
        node.type = Node::Type::kReal;
        node.real = json;
    } else if (json.is_boolean()) {
        node.type = Node::Type::kBoolean;
        node.boolean = json;
    } else if (json.is_array()) {
        node.type = Node::Type::kList;
        for (const Json& item : json) node.items.push_back(parse_node(item, depth + 1));
    } else {
        for (const auto& [key, value] : json.items())
            node.members.push_back({key, "plan.json", parse_node(value, depth + 1)});
    }
    return node;
}

Json cell_json(const Cell& cell) {
    Json factors = Json::array();
    for (const Factor& factor : cell.factors)
        factors.push_back({{"key", factor.key}, {"label", factor.label}, {"value", factor.value}});
    return {{"id", cell.id},
            {"instance", cell.instance},
            {"group", cell.group},
            {"algorithm", cell.algorithm},
            {"factors", factors},
            {"config", cell.config},
            {"instance_fingerprint", cell.fingerprint ? Json(hex_text(*cell.fingerprint)) : Json()},
            {"first_seed", cell.first_seed},
            {"time_limit", cell.time_limit ? Json(*cell.time_limit) : Json()},
            {"backend", cell.backend},
            {"fixed_threads", cell.fixed_threads},
            {"fixed_devices", cell.fixed_devices},
            {"iterations", cell.iterations}};
}

Cell parse_cell(const Json& json, std::uint64_t first_seed) {
    Cell cell;
    cell.id = json.at("id");
    cell.instance = json.at("instance");
    cell.group = json.at("group");
    cell.algorithm = json.at("algorithm");
    for (const Json& factor : json.at("factors"))
        cell.factors.push_back({factor.at("key"), factor.at("label"), factor.at("value")});
    cell.config = json.at("config");
    if (const auto data = json.find("instance_fingerprint"); data != json.end() && !data->is_null())
        cell.fingerprint = parse_hex(data->get<std::string>());
    // In plans of earlier versions cells have no first seed. They get the first seed of the study.
    cell.first_seed = json.value("first_seed", first_seed);
    if (!json.at("time_limit").is_null()) cell.time_limit = json.at("time_limit").get<double>();
    cell.backend = json.at("backend");
    cell.fixed_threads = json.at("fixed_threads");
    cell.fixed_devices = json.at("fixed_devices");
    cell.iterations = json.at("iterations");
    return cell;
}

template <class T>
Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

template <class T>
std::optional<T> parse_optional(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

Json references_json(const References& references) {
    Json json = {{"figures", Json::array()}, {"runs", Json::array()}};
    for (const ReferenceFigures& line : references.figures) {
        json["figures"].push_back({{"source", line.source},
                                   {"instance", line.instance},
                                   {"algorithm", line.algorithm},
                                   {"runs", line.runs},
                                   {"figures", line.figures},
                                   {"note", line.note}});
    }
    for (const ReferenceRun& run : references.runs) {
        json["runs"].push_back({{"source", run.source},
                                {"instance", run.instance},
                                {"algorithm", run.algorithm},
                                {"run", run.run},
                                {"cost", optional_json(run.cost)},
                                {"seconds", optional_json(run.seconds)},
                                {"iterations", optional_json(run.iterations)},
                                {"evaluations", optional_json(run.evaluations)},
                                {"hit", optional_json(run.hit)}});
    }
    return json;
}

References parse_references(const Json& json) {
    References references;
    for (const Json& line : json.at("figures")) {
        references.figures.push_back({line.at("source"), line.at("instance"), line.at("algorithm"), line.at("runs"),
                                      line.at("figures").get<std::map<std::string, double>>(), line.at("note")});
    }
    for (const Json& run : json.at("runs")) {
        references.runs.push_back({run.at("source"), run.at("instance"), run.at("algorithm"), run.at("run"),
                                   parse_optional<double>(run.at("cost")), parse_optional<double>(run.at("seconds")),
                                   parse_optional<double>(run.at("iterations")),
                                   parse_optional<double>(run.at("evaluations")), parse_optional<bool>(run.at("hit"))});
    }
    return references;
}

Json study_json(const StudyFile& study) {
    Json sections = Json::array();
    for (const StudySection& section : study.sections) {
        Json fields = Json::array();
        for (const StudySetting& field : section.fields) fields.push_back({field.key, node_json(field.value)});
        sections.push_back({{"kind", section.kind}, {"title", section.title}, {"fields", fields}});
    }
    Json records = Json::array();
    for (const StudyRecords& record : study.records)
        records.push_back({{"folder", bytes_to_utf8(record.folder.string())}, {"algorithm", record.algorithm}});
    return {{"file", bytes_to_utf8(study.path.string())},
            {"title", study.title},
            {"notes", study.notes},
            {"seeds", study.seeds},
            {"first_seed", study.first_seed},
            {"own_seeds", study.own_seeds},
            {"exclusive", study.exclusive},
            {"measure", measure_names()[static_cast<std::size_t>(study.measure)]},
            {"baseline", study.baseline},
            {"wanted", study.wanted},
            {"alpha", study.alpha},
            {"sections", sections},
            {"records", records}};
}

StudyFile parse_study_json(const Json& json) {
    StudyFile study;
    study.path = utf8_to_bytes(json.at("file").get<std::string>());
    study.title = json.at("title");
    study.notes = json.at("notes").get<std::vector<std::string>>();
    study.seeds = json.at("seeds");
    study.first_seed = json.at("first_seed");
    study.own_seeds = json.value("own_seeds", false);
    study.exclusive = json.at("exclusive");
    const auto measure =
        std::ranges::find_if(measure_names(), [&](const std::string& name) { return json.at("measure") == name; });
    if (measure == measure_names().end())
        refuse("study: measure", "cost, seconds, iterations or budget", json.at("measure").dump());
    study.measure = static_cast<StudyMeasure>(measure - measure_names().begin());
    study.baseline = json.at("baseline");
    study.wanted = json.at("wanted");
    study.alpha = json.at("alpha");
    for (const Json& section : json.at("sections")) {
        StudySection read{section.at("kind"), section.at("title"), {}, "plan.json"};
        for (const Json& field : section.at("fields")) read.fields.push_back({field.at(0), parse_node(field.at(1))});
        study.sections.push_back(std::move(read));
    }
    for (const Json& record : json.at("records"))
        study.records.push_back(
            {utf8_to_bytes(record.at("folder").get<std::string>()), record.at("algorithm"), "plan.json"});
    return study;
}

/// Checks that the plan's study keeps the limits of a study file: the plan may be damaged or written by hand.
void check_study(const StudyFile& study) {
    if (study.seeds < 1 || study.seeds > kMostSeeds)
        refuse("study: seeds", fmt::format("from 1 to {}", kMostSeeds), fmt::format("{}", study.seeds));
    if (study.first_seed > kLargestSeed)
        refuse("study: first_seed", fmt::format("at most {}", kLargestSeed), fmt::format("{}", study.first_seed));
    if (!(study.alpha >= kLeastAlpha && study.alpha <= kLargestAlpha))
        refuse("study: alpha", fmt::format("from {} to {}", kLeastAlpha, kLargestAlpha),
               fmt::format("{}", study.alpha));
    for (const StudySection& section : study.sections) {
        const auto& kinds = section_kinds();
        if (std::find(kinds.begin(), kinds.end(), section.kind) == kinds.end())
            refuse("sections: kind", fmt::format("one of {}", fmt::join(kinds, ", ")), quote(section.kind));
    }
}

/// Checks the cells' ids, first seeds, time limits and backends. A cell's id is the name of its folder in the study's
/// folder. So it must not be a path.
void check_cells(const std::vector<Cell>& cells) {
    std::set<std::string> ids;
    for (const Cell& cell : cells) {
        const std::string& id = cell.id;
        const bool is_name = !id.empty() && id.size() <= kLongestName && id.front() != '.' &&
                             id.find_first_of(std::string_view("/\0", 2)) == std::string::npos;
        if (!is_name) refuse("cells: id", "the name of a folder", quote(id));
        if (!ids.insert(id).second) refuse("cells: id", "given once", quote(id) + " again");
        if (cell.first_seed > kLargestSeed + kLargestSeed / 2)
            refuse("cells: first_seed", fmt::format("at most {}", kLargestSeed + kLargestSeed / 2),
                   fmt::format("{}", cell.first_seed));
        if (cell.time_limit && !(*cell.time_limit > 0 && std::isfinite(*cell.time_limit)))
            refuse("cells: time_limit", "a number of seconds above 0", fmt::format("{}", *cell.time_limit));
        if (cell.backend != "auto" && cell.backend != "cpu" && cell.backend != "cuda")
            refuse("cells: backend", "auto, cpu or cuda", quote(cell.backend));
    }
}

void check_references(const References& references) {
    for (const ReferenceFigures& line : references.figures) {
        if (line.runs < 1 || line.runs > kMostReferenceRuns)
            refuse("references: runs", fmt::format("from 1 to {}", kMostReferenceRuns), fmt::format("{}", line.runs));
    }
}

/// Callback of the parser: refuses values nested deeper than a plan can be. Copies of such values would exhaust the
/// stack.
bool refuse_deep(int depth, Json::parse_event_t, Json&) {
    constexpr int kAround = 16;  // at most this many lists and objects are nested around a section's field
    if (depth > kDeepest + kAround)
        refuse("sections: fields", fmt::format("lists nested at most {} deep", kDeepest), "more");
    return true;
}

}  // namespace

std::string plan_json(const Plan& plan) {
    Json cells = Json::array();
    for (const Cell& cell : plan.cells) cells.push_back(cell_json(cell));
    const Json json = {{"plan_version", kPlanVersion},
                       {"study", study_json(plan.study)},
                       {"quick", plan.quick},
                       {"pool_builds", plan.pool_builds},
                       {"remarks", plan.remarks},
                       {"cells", cells},
                       {"references", references_json(plan.references)}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Plan parse_plan(const std::string& text, const std::string& where) {
    try {
        const Json json = Json::parse(text, refuse_deep);
        if (json.at("plan_version") != kPlanVersion && json.at("plan_version") != kVersionWithoutData) {
            throw Error(ErrorKind::kInput,
                        fmt::format("{}: a plan of version {} or {} is wanted, found {}", where, kVersionWithoutData,
                                    kPlanVersion, json.at("plan_version").dump()));
        }
        Plan plan;
        plan.study = parse_study_json(json.at("study"));
        plan.quick = json.at("quick");
        plan.pool_builds = json.value("pool_builds", false);
        plan.remarks = json.at("remarks").get<std::vector<std::string>>();
        for (const Json& cell : json.at("cells")) plan.cells.push_back(parse_cell(cell, plan.study.first_seed));
        plan.references = parse_references(json.at("references"));
        check_study(plan.study);
        check_cells(plan.cells);
        check_references(plan.references);
        return plan;
    } catch (const PlanDefect& defect) {
        throw Error(ErrorKind::kInput,
                    fmt::format("{}: {}; `qapfw study run FILE` with the study's file writes the plan again", where,
                                defect.text));
    } catch (const Json::exception& error) {
        throw Error(
            ErrorKind::kInput,
            fmt::format(
                "{}: not the plan of a study: {}; `qapfw study run FILE` with the study's file writes the plan again",
                where, error.what()));
    }
}

}  // namespace qapfw::framework::laboratory
