// SPDX-License-Identifier: Apache-2.0
// result.json: numbers as JSON has them, and seeds, costs and digests also as text, since many JSON readers keep no
// integers above 2^53.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "framework/record/json_parts.hpp"
#include "framework/record/result.hpp"
#include "qapfw/error.hpp"

#ifndef QAPFW_VERSION
#define QAPFW_VERSION "unknown"
#endif

namespace qapfw::framework {
namespace {

Json optional_cost(const CostSpace& costs, const std::optional<qapfw_cost>& cost) {
    return cost ? shown_json(costs, *cost) : Json();
}

void add_quality(Json& json, const RunResult& result) {
    const CostSpace& costs = result.costs;
    json["best_cost"] = result.best ? shown_json(costs, result.best->cost) : Json();
    json["best_cost_text"] = result.best ? Json(costs.shown_text(result.best->cost)) : Json();
    json["best_known"] = optional_cost(costs, result.best_known);
    json["best_known_text"] = result.best_known ? Json(costs.shown_text(*result.best_known)) : Json();
    json["best_known_source"] = result.best_known_source;
    json["gap"] = Json();
    json["gap_absolute"] = Json();
    if (result.best && result.best_known) {
        const auto gap = costs.gap(result.best->cost, *result.best_known);
        if (gap) json["gap"] = *gap;
        json["gap_absolute"] = excess_json(costs, result.best->cost, *result.best_known);
    }
    json["lower_bound"] = optional_cost(costs, result.lower_bound);
    json["target"] = optional_cost(costs, result.target);
    json["target_reached"] = result.target_reached;
}

void add_effort(Json& json, const RunResult& result) {
    const auto per_second = [&](std::uint64_t count) {
        return result.seconds > 0 ? Json(static_cast<double>(count) / result.seconds) : Json();
    };
    json["iterations"] = result.counters.iterations;
    json["evaluations"] = result.counters.evaluations;
    json["rounds"] = result.counters.rounds;
    json["seconds"] = result.seconds;
    json["wall_seconds"] = result.wall_seconds;
    json["startup_seconds"] = result.startup_seconds;
    json["rates"] = {{"iterations_per_second", per_second(result.counters.iterations)},
                     {"evaluations_per_second", per_second(result.counters.evaluations)}};
    json["best_found"] = best_found_json(result.found);
    json["digest"] = hex_text(result.counters.digest);
    json["random_scheme"] = result.identity.random_scheme;
}

void add_setting(Json& json, const RunResult& result) {
    json["problem"] = result.problem;
    json["instance"] = result.identity.instance;
    json["instance_fingerprint"] = hex_text(result.identity.fingerprint);
    json["n"] = result.n;
    json["encoding"] = result.encoding;
    json["algorithm"] = result.algorithm;
    json["improver"] = result.improver.empty() ? Json() : Json(result.improver);
    json["seed"] = result.seed;
    json["seed_text"] = std::to_string(result.seed);
    json["backend"] = result.backend;
    json["backend_reason"] = result.backend_reason;
    json["devices"] = result.devices;
    json["threads"] = result.threads;
    json["data_paths"] = result.data_paths;
    json["plugins"] = plugins_json(result.identity.plugins);
}

Json raw_or_null(const CostSpace& costs, const std::optional<qapfw_cost>& cost) {
    return cost ? Json(costs.raw_text(*cost)) : Json();
}

/// What turns the shown costs back into the problem's own.
Json cost_space_json(const RunResult& result) {
    Json json;
    json["kind"] = result.costs.kind == QAPFW_COST_FLOAT64 ? "float64" : "int64";
    json["sense"] = result.costs.sense;
    json["divisor"] = result.costs.divisor;
    json["best_raw"] = result.best ? Json(result.costs.raw_text(result.best->cost)) : Json();
    json["best_known_raw"] = raw_or_null(result.costs, result.best_known);
    json["lower_bound_raw"] = raw_or_null(result.costs, result.lower_bound);
    json["target_raw"] = raw_or_null(result.costs, result.target);
    return json;
}

std::optional<qapfw_cost> parse_raw_or_null(const CostSpace& costs, const Json& json) {
    if (json.is_null()) return std::nullopt;
    return costs.parse_raw(json.get<std::string>());
}

Json result_object(const RunResult& result) {
    Json json;
    json["schema_version"] = kRecordSchemaVersion;
    json["qapfw_version"] = QAPFW_VERSION;
    json["stop_reason"] = result.stop_reason;
    json["finished"] = result.finished;
    json["signal"] = result.signal == 0 ? Json() : Json(result.signal);
    json["error"] = result.error.empty() ? Json() : Json(result.error);
    add_quality(json, result);
    add_effort(json, result);
    add_setting(json, result);
    json["resumes"] = result.resumes;
    json["statistics"] = result.statistics;
    json["cost_space"] = cost_space_json(result);
    json["solution"] = result.best ? values_json(result.best->values) : Json();
    json["solutions"] = solutions_json(result.costs, result.solutions);
    json["folder"] = result.folder.empty() ? Json() : Json(result.folder);
    return json;
}

CostSpace parse_cost_space(const Json& json) {
    CostSpace costs;
    costs.kind = json.at("kind") == "float64" ? QAPFW_COST_FLOAT64 : QAPFW_COST_INT64;
    costs.sense = json.at("sense");
    costs.divisor = json.at("divisor");
    return costs;
}

void parse_best(const Json& json, RunResult& result) {
    const Json& space = json.at("cost_space");
    result.costs = parse_cost_space(space);
    if (!space.at("best_raw").is_null()) {
        result.best = CostedSolution{result.costs.parse_raw(space.at("best_raw").get<std::string>()),
                                     parse_values(json.at("solution"))};
    }
    result.best_known = parse_raw_or_null(result.costs, space.at("best_known_raw"));
    result.lower_bound = parse_raw_or_null(result.costs, space.at("lower_bound_raw"));
    result.target = parse_raw_or_null(result.costs, space.at("target_raw"));
    result.solutions = parse_solutions(result.costs, json.at("solutions"));
    result.best_known_source = json.at("best_known_source");
    result.found = parse_best_found(json.at("best_found"));
    result.target_reached = json.at("target_reached");
}

void parse_setting(const Json& json, RunResult& result) {
    result.problem = json.at("problem");
    result.algorithm = json.at("algorithm");
    if (!json.at("improver").is_null()) result.improver = json.at("improver");
    result.n = json.at("n");
    result.encoding = json.at("encoding");
    result.seed = json.at("seed");
    result.backend = json.at("backend");
    result.threads = json.at("threads");
    result.data_paths = json.at("data_paths").get<std::vector<std::string>>();
    result.identity.plugins = parse_plugins(json.at("plugins"));
    result.identity.instance = json.at("instance");
    result.identity.fingerprint = parse_hex(json.at("instance_fingerprint"));
    result.identity.backend = result.backend;
    result.identity.random_scheme = json.at("random_scheme");
}

RunResult parse_object(const Json& json) {
    if (json.at("schema_version") != kRecordSchemaVersion) {
        throw Error(ErrorKind::kInput, fmt::format("wanted schema_version {}, found {}", kRecordSchemaVersion,
                                                   json.at("schema_version").dump()));
    }
    RunResult result;
    result.stop_reason = json.at("stop_reason");
    result.finished = json.at("finished");
    if (!json.at("error").is_null()) result.error = json.at("error");
    parse_best(json, result);
    parse_setting(json, result);
    result.counters.rounds = json.at("rounds");
    result.counters.iterations = json.at("iterations");
    result.counters.evaluations = json.at("evaluations");
    result.counters.digest = parse_hex(json.at("digest"));
    result.seconds = json.at("seconds");
    result.wall_seconds = json.at("wall_seconds");
    result.startup_seconds = json.at("startup_seconds");
    result.resumes = json.at("resumes");
    if (!json.at("folder").is_null()) result.folder = json.at("folder");
    result.statistics = json.at("statistics").get<std::map<std::string, double>>();
    return result;
}

Json run_line(const RunResult& run) {
    Json line;
    line["seed"] = run.seed;
    line["seed_text"] = std::to_string(run.seed);
    line["best_cost"] = run.best ? shown_json(run.costs, run.best->cost) : Json();
    line["best_cost_text"] = run.best ? Json(run.costs.shown_text(run.best->cost)) : Json();
    line["target_reached"] = run.target_reached;
    line["stop_reason"] = run.stop_reason;
    line["iterations"] = run.counters.iterations;
    line["evaluations"] = run.counters.evaluations;
    line["seconds"] = run.seconds;
    line["seconds_to_best"] = run.found.seconds;
    line["digest"] = hex_text(run.counters.digest);
    line["folder"] = run.folder.empty() ? Json() : Json(run.folder);
    return line;
}

RunLine parse_run_line(const Json& json) {
    RunLine line;
    line.seed = json.at("seed");
    if (!json.at("best_cost_text").is_null()) line.best_cost_text = json.at("best_cost_text");
    return line;
}

/// parse(the text as JSON), or Error(kInput) that begins with `where`.
template <class Parse>
auto parsed(const std::string& json, const std::string& where, const Parse& parse) {
    try {
        return parse(Json::parse(json));
    } catch (const Json::exception& error) {
        throw Error(ErrorKind::kInput, fmt::format("{}: not a result of a run: {}", where, error.what()));
    } catch (const Error& error) {
        throw Error(ErrorKind::kInput, fmt::format("{}: {}", where, error.what()));
    }
}

}  // namespace

std::string to_json(const RunResult& result) {
    return pretty(result_object(result));
}

RunResult parse_result(const std::string& json, const std::string& where) {
    return parsed(json, where, parse_object);
}

std::string quality_defect(const std::string& json) {
    const Json recorded = Json::parse(json);
    Json quality;
    add_quality(quality, parse_object(recorded));
    const Json recomputed = Json::parse(pretty(quality));  // what JSON has no number for is null
    for (const auto& [key, value] : recomputed.items()) {
        const Json found = recorded.value(key, Json());
        if (found != value) return fmt::format("{}: recorded {}, recomputed {}", key, found.dump(), value.dump());
    }
    return {};
}

std::vector<RunLine> parse_run_lines(const std::string& json, const std::string& where) {
    return parsed(json, where, [](const Json& summary) {
        std::vector<RunLine> lines;
        for (const Json& line : summary.value("runs", Json::array())) lines.push_back(parse_run_line(line));
        return lines;
    });
}

std::string to_json(const RunSummary& summary) {
    if (summary.wanted == 1) return to_json(summary.runs.front());
    const Statistics statistics = statistics_of(summary);
    Json json = result_object(best_of(summary));
    json["finished"] = summary.complete();
    json["runs"] = Json::array();
    for (const RunResult& run : summary.runs) json["runs"].push_back(run_line(run));
    json["summary"] = {{"count", statistics.count},   {"min", statistics.min},         {"max", statistics.max},
                       {"median", statistics.median}, {"mean", statistics.mean},       {"std", statistics.std},
                       {"hits", statistics.hits},     {"complete", summary.complete()}};
    return pretty(json);
}

}  // namespace qapfw::framework
