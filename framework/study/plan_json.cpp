// SPDX-License-Identifier: Apache-2.0
// plan.json: what a report needs to know of a study, so that it can be made from the folder alone.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "framework/host/any_bytes.hpp"
#include "framework/record/json_parts.hpp"
#include "framework/study/study_folder.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr int kPlanVersion = 2;
constexpr int kVersionWithoutData = 1;  // its cells have no fingerprints; it can be reported still

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

Node parse_node(const Json& json) {
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
        for (const Json& item : json) node.items.push_back(parse_node(item));
    } else {
        for (const auto& [key, value] : json.items()) node.members.push_back({key, "plan.json", parse_node(value)});
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
            {"time_limit", cell.time_limit ? Json(*cell.time_limit) : Json()},
            {"backend", cell.backend},
            {"fixed_threads", cell.fixed_threads},
            {"fixed_devices", cell.fixed_devices},
            {"iterations", cell.iterations}};
}

Cell parse_cell(const Json& json) {
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
            {"exclusive", study.exclusive},
            {"measure", name_of(study.measure)},
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
    study.exclusive = json.at("exclusive");
    for (const StudyMeasure measure :
         {StudyMeasure::kCost, StudyMeasure::kSeconds, StudyMeasure::kIterations, StudyMeasure::kBudget}) {
        if (json.at("measure") == name_of(measure)) study.measure = measure;
    }
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
        const Json json = Json::parse(text);
        if (json.at("plan_version") != kPlanVersion && json.at("plan_version") != kVersionWithoutData) {
            throw Error(ErrorKind::kInput, fmt::format("{}: a plan of version {} is wanted, found {}", where,
                                                       kPlanVersion, json.at("plan_version").dump()));
        }
        Plan plan;
        plan.study = parse_study_json(json.at("study"));
        plan.quick = json.at("quick");
        plan.pool_builds = json.value("pool_builds", false);
        plan.remarks = json.at("remarks").get<std::vector<std::string>>();
        for (const Json& cell : json.at("cells")) plan.cells.push_back(parse_cell(cell));
        plan.references = parse_references(json.at("references"));
        return plan;
    } catch (const Json::exception& error) {
        throw Error(ErrorKind::kInput,
                    fmt::format("{}: not the plan of a study: {}; qapfw study run with the study file writes it again",
                                where, error.what()));
    }
}

}  // namespace qapfw::framework
