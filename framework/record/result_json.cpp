// SPDX-License-Identifier: Apache-2.0
// Writes and reads result.json. Seeds and costs are written as numbers and as text, digests only as text: many JSON
// readers lose integers above 2^53.
#include <fmt/core.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "framework/host/any_bytes.hpp"
#include "framework/record/json_parts.hpp"
#include "framework/record/result.hpp"
#include "framework/record/solution_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

Json optional_cost(const CostSpace& costs, const std::optional<qapfw_cost>& cost) {
    return cost ? shown_json(costs, *cost) : Json();
}

void put_proven(JsonWriter& json, const CostSpace& costs, const std::optional<ProvenBound>& proven) {
    if (!proven) return json.put("proven_bound", Json());
    json.put_object("proven_bound", [&] {
        json.put("cost", shown_json(costs, proven->cost));
        json.put("raw", costs.raw_text(proven->cost));
        json.put("name", proven->name);
    });
}

Json parts_json(const CostParts& parts) {
    Json json = Json::object();
    for (const auto& [name, value] : parts) json[name] = value;
    return json;
}

void add_quality(JsonWriter& json, const RunResult& result) {
    const CostSpace& costs = result.costs;
    json.put("best_cost", result.best ? shown_json(costs, result.best->cost) : Json());
    json.put("best_cost_text", result.best ? Json(costs.shown_text(result.best->cost)) : Json());
    json.put("best_known", optional_cost(costs, result.best_known));
    json.put("best_known_text", result.best_known ? Json(costs.shown_text(*result.best_known)) : Json());
    json.put("best_known_source", result.best_known_source);
    const bool has_gap = result.best && result.best_known;
    const auto gap = has_gap ? costs.gap(result.best->cost, *result.best_known) : std::nullopt;
    json.put("gap", gap ? Json(*gap) : Json());
    json.put("gap_absolute", has_gap ? excess_json(costs, result.best->cost, *result.best_known) : Json());
    json.put("lower_bound", optional_cost(costs, result.lower_bound));
    put_proven(json, costs, result.proven);
    json.put("best_known_is_optimal", result.best_known_is_optimal);
    json.put("optimal", is_optimal(result));
    json.put("feasible", result.infeasibility ? Json(result.infeasibility->empty()) : Json());
    json.put("infeasibility", result.infeasibility.value_or("").empty() ? Json() : Json(*result.infeasibility));
    json.put("parts", result.parts.empty() ? Json() : Json(parts_json(result.parts)));
    json.put("target", optional_cost(costs, result.target));
    json.put("target_reached", result.target_reached);
}

void add_effort(JsonWriter& json, const RunResult& result) {
    const auto per_second = [&](std::uint64_t count) {
        return result.seconds > 0 ? Json(static_cast<double>(count) / result.seconds) : Json();
    };
    json.put("iterations", result.counters.iterations);
    json.put("evaluations", result.counters.evaluations);
    json.put("rounds", result.counters.rounds);
    json.put("seconds", result.seconds);
    json.put("wall_seconds", result.wall_seconds);
    json.put("startup_seconds", result.startup_seconds);
    json.put_object("rates", [&] {
        json.put("iterations_per_second", per_second(result.counters.iterations));
        json.put("evaluations_per_second", per_second(result.counters.evaluations));
    });
    write_best_found(json, "best_found", result.found);
    json.put("digest", hex_text(result.counters.digest));
    json.put("random_scheme", result.identity.random_scheme);
}

void put_moved(JsonWriter& json, const std::optional<Moved>& moved) {
    if (!moved) return json.put("moved", Json());
    json.put_object("moved", [&] {
        json.put("rounds", moved->rounds);
        json.put("iterations", moved->iterations);
        json.put("seconds", moved->seconds);
    });
}

std::optional<Moved> parse_moved(const ParsedJson& json) {
    const auto found = json.find("moved");  // older records do not have it
    if (found == json.end() || found->is_null()) return std::nullopt;
    return Moved{found->at("rounds"), found->at("iterations"), found->at("seconds")};
}

void add_setting(JsonWriter& json, const RunResult& result) {
    json.put("problem", result.problem);
    json.put("instance", result.identity.instance);
    json.put("instance_fingerprint", hex_text(result.identity.fingerprint));
    json.put("n", result.n);
    json.put("encoding", result.encoding);
    json.put("algorithm", result.algorithm);
    json.put("improver", result.improver.empty() ? Json() : Json(result.improver));
    json.put("seed", result.seed);
    json.put("seed_text", std::to_string(result.seed));
    json.put("backend", result.backend);
    json.put("backend_reason", result.backend_reason);
    json.put_texts("devices", result.devices);
    put_moved(json, result.moved);
    json.put("threads", result.threads);
    json.put_texts("data_paths", bytes_to_utf8(result.data_paths));
    write_plugins(json, result.identity.plugins);
}

Json raw_or_null(const CostSpace& costs, const std::optional<qapfw_cost>& cost) {
    return cost ? Json(costs.raw_text(*cost)) : Json();
}

/// Writes costs in the problem's own form, with the sense and divisor that convert them to displayed costs.
void put_cost_space(JsonWriter& json, const RunResult& result) {
    json.put_object("cost_space", [&] {
        json.put("kind", result.costs.kind == QAPFW_COST_FLOAT64 ? "float64" : "int64");
        json.put("sense", result.costs.sense);
        json.put("divisor", result.costs.divisor);
        json.put("best_raw", result.best ? Json(result.costs.raw_text(result.best->cost)) : Json());
        json.put("best_known_raw", raw_or_null(result.costs, result.best_known));
        json.put("lower_bound_raw", raw_or_null(result.costs, result.lower_bound));
        json.put("target_raw", raw_or_null(result.costs, result.target));
    });
}

std::optional<qapfw_cost> parse_raw_or_null(const CostSpace& costs, const ParsedJson& json) {
    if (json.is_null()) return std::nullopt;
    return costs.parse_raw(json.get<std::string>());
}

/// The largest number of pairs in result.json. Longer assignments are only in assignment.csv: a million JSON objects
/// would take almost a gigabyte.
constexpr std::size_t kMostPairs = 10'000;

/// Writes the facility and the location of each pair: names as texts, and numbers from 0 where there is no name. Writes
/// null if there are no pairs or more than kMostPairs.
void put_assignment(JsonWriter& json, const std::vector<AssignedPair>& pairs) {
    if (pairs.empty() || pairs.size() > kMostPairs) return json.put("assignment", Json());
    const auto label = [](const OptionalName& name, std::uint32_t index) {
        return name.empty() ? Json(index) : Json(name.text());
    };
    json.put_array("assignment", pairs, [&](const AssignedPair& pair) {
        json.add_object([&] {
            json.put("facility", label(pair.facility_name, pair.facility));
            json.put("location", label(pair.location_name, pair.location));
        });
    });
}

void put_alternatives(JsonWriter& json, const RunResult& result) {
    std::size_t k = 0;
    json.put_array("alternatives", result.alternatives, [&](const CostedSolution& solution) {
        json.add_object([&] {
            write_costed_solution(json, result.costs, solution);
            if (k < result.differs.size()) {
                json.put("differs", result.differs[k]);
                put_assignment(json, result.alternative_assignments.at(k));
            }
        });
        ++k;
    });
}

void put_result(JsonWriter& json, const RunResult& result, bool finished) {
    json.put("schema_version", kRecordSchemaVersion);
    json.put("qapfw_version", QAPFW_VERSION);
    json.put("stop_reason", result.stop_reason);
    json.put("finished", finished);
    json.put("signal", result.signal == 0 ? Json() : Json(result.signal));
    json.put("error", result.error.empty() ? Json() : Json(result.error));
    add_quality(json, result);
    add_effort(json, result);
    add_setting(json, result);
    json.put("resumes", result.resumes);
    write_statistics(json, result.statistics);
    put_cost_space(json, result);
    put_assignment(json, result.assignment);
    if (result.best)
        write_stored_values(json, *result.best);
    else
        json.put("solution", Json());
    write_solutions(json, result.costs, result.solutions);
    put_alternatives(json, result);
    json.put("folder", result.folder.empty() ? Json() : Json(result.folder));
}

CostSpace parse_cost_space(const ParsedJson& json) {
    CostSpace costs;
    costs.kind = json.at("kind") == "float64" ? QAPFW_COST_FLOAT64 : QAPFW_COST_INT64;
    costs.sense = json.at("sense");
    costs.divisor = json.at("divisor");
    const std::string defect = costs.defect();
    if (!defect.empty()) throw Error(ErrorKind::kInput, defect);
    return costs;
}

std::vector<AssignedPair> parse_assignment(const ParsedJson& json) {
    std::vector<AssignedPair> pairs;
    const auto found = json.find("assignment");  // older records do not have it
    if (found == json.end() || found->is_null()) return pairs;
    const auto read = [](const ParsedJson& label, OptionalName& name, std::uint32_t& index) {
        if (label.is_string())
            name = label.get<std::string>();
        else
            index = label;
    };
    for (const ParsedJson& entry : *found) {
        AssignedPair pair;
        pair.facility = static_cast<std::uint32_t>(pairs.size());
        read(entry.at("facility"), pair.facility_name, pair.facility);
        read(entry.at("location"), pair.location_name, pair.location);
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

void parse_best(const ParsedJson& json, RunResult& result) {
    const ParsedJson& space = json.at("cost_space");
    result.costs = parse_cost_space(space);
    if (!space.at("best_raw").is_null()) {
        result.best = parse_stored_values(json.at("solution"));
        result.best->cost = result.costs.parse_raw(space.at("best_raw").get<std::string>());
    }
    result.best_known = parse_raw_or_null(result.costs, space.at("best_known_raw"));
    result.lower_bound = parse_raw_or_null(result.costs, space.at("lower_bound_raw"));
    result.target = parse_raw_or_null(result.costs, space.at("target_raw"));
    // Older records have neither "best_known_is_optimal" nor "feasible".
    result.best_known_is_optimal = json.value("best_known_is_optimal", false);
    const ParsedJson feasible = json.value("feasible", ParsedJson());
    if (feasible.is_boolean()) {
        const ParsedJson broken = json.value("infeasibility", ParsedJson());
        result.infeasibility = broken.is_string() ? broken.get<std::string>() : std::string();
    }
    const ParsedJson parts = json.value("parts", ParsedJson());
    if (parts.is_object()) {
        for (const auto& [name, value] : parts.items()) result.parts.emplace_back(name, value.get<double>());
    }
    const ParsedJson proven = json.value("proven_bound", ParsedJson());
    if (!proven.is_null()) {
        result.proven = ProvenBound{result.costs.parse_raw(proven.at("raw").get<std::string>()), proven.at("name")};
    }
    result.solutions = parse_solutions(result.costs, json.at("solutions"));
    result.assignment = parse_assignment(json);
    result.best_known_source = json.at("best_known_source");
    const ParsedJson alternatives = json.value("alternatives", ParsedJson::array());
    result.alternatives = parse_solutions(result.costs, alternatives);
    for (const ParsedJson& entry : alternatives) {
        result.differs.push_back(entry.at("differs"));
        result.alternative_assignments.push_back(parse_assignment(entry));
    }
    result.found = parse_best_found(json.at("best_found"));
    result.target_reached = json.at("target_reached");
}

void parse_setting(const ParsedJson& json, RunResult& result) {
    result.problem = json.at("problem");
    result.algorithm = json.at("algorithm");
    if (!json.at("improver").is_null()) result.improver = json.at("improver");
    result.n = json.at("n");
    result.encoding = json.at("encoding");
    result.seed = json.at("seed");
    result.backend = json.at("backend");
    result.backend_reason = json.at("backend_reason");
    result.devices = json.at("devices").get<std::vector<std::string>>();
    result.moved = parse_moved(json);
    result.threads = json.at("threads");
    result.data_paths = utf8_to_bytes(json.at("data_paths").get<std::vector<std::string>>());
    result.identity.plugins = parse_plugins(json.at("plugins"));
    result.identity.instance = json.at("instance");
    result.identity.fingerprint = parse_hex(json.at("instance_fingerprint"));
    result.identity.backend = result.backend;
    result.identity.random_scheme = json.at("random_scheme");
}

RunResult parse_object(const ParsedJson& json) {
    if (json.at("schema_version") != kRecordSchemaVersion) {
        throw Error(ErrorKind::kInput,
                    fmt::format("wanted schema_version {}, found {}; read this record with the qapfw that wrote it",
                                kRecordSchemaVersion, json.at("schema_version").dump()));
    }
    RunResult result;
    result.stop_reason = json.at("stop_reason");
    result.finished = json.at("finished");
    if (!json.at("error").is_null()) result.error = json.at("error");
    if (!json.at("signal").is_null()) result.signal = json.at("signal");
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
    for (const auto& [name, value] : json.at("statistics").items()) {
        result.statistics[name] = value.is_null() ? std::nan("") : value.get<double>();
    }
    return result;
}

void put_run_line(JsonWriter& json, const RunResult& run) {
    json.put("seed", run.seed);
    json.put("seed_text", std::to_string(run.seed));
    json.put("best_cost", run.best ? shown_json(run.costs, run.best->cost) : Json());
    json.put("best_cost_text", run.best ? Json(run.costs.shown_text(run.best->cost)) : Json());
    json.put("target_reached", run.target_reached);
    json.put("stop_reason", run.stop_reason);
    json.put("iterations", run.counters.iterations);
    json.put("evaluations", run.counters.evaluations);
    json.put("seconds", run.seconds);
    json.put("seconds_to_best", run.found.seconds);
    json.put("digest", hex_text(run.counters.digest));
    json.put("folder", run.folder.empty() ? Json() : Json(run.folder));
}

/// Writes the members that statistics of costs and statistics of times have in common.
void put_spread(JsonWriter& json, const Statistics& statistics) {
    json.put("min", statistics.min);
    json.put("max", statistics.max);
    json.put("median", statistics.median);
    json.put("mean", statistics.mean);
    json.put("std", statistics.std);
}

void put_summary(JsonWriter& json, const RunSummary& summary) {
    const Statistics statistics = statistics_of(summary);
    const std::optional<double> per_hit = seconds_per_hit(summary);
    json.put("count", statistics.count);
    put_spread(json, statistics);
    json.put("hits", statistics.hits);
    json.put("complete", summary.complete());
    json.put_object("seconds", [&] {
        put_spread(json, times_of(summary));
        json.put("per_hit", per_hit ? Json(*per_hit) : Json());
    });
}

RunLine parse_run_line(const ParsedJson& json) {
    RunLine line;
    line.seed = json.at("seed");
    if (!json.at("best_cost_text").is_null()) line.best_cost_text = json.at("best_cost_text");
    return line;
}

/// Names the first recomputed key whose recorded value differs, with both values, as in "gap: recorded 0.5, recomputed
/// 0.1". Keys in `passed_over` are not compared. Empty if no value differs.
std::string first_difference(const ParsedJson& recorded, const ParsedJson& recomputed,
                             const std::vector<std::string>& passed_over) {
    for (const auto& [key, value] : recomputed.items()) {
        if (std::find(passed_over.begin(), passed_over.end(), key) != passed_over.end()) continue;
        const ParsedJson found = recorded.value(key, ParsedJson());
        if (found != value) {
            return fmt::format("{}: recorded {:.200}, recomputed {:.200}", key, found.dump(), value.dump());
        }
    }
    return {};
}

constexpr const char* kChecksumKey = ",\n  \"checksum\": \"";

/// Parses the text `json` and returns parse(the parsed text). If either fails, throws Error(kInput) with a message that
/// begins with `where`.
template <class Parse>
auto parsed(const std::string& json, const std::string& where, const Parse& parse) {
    try {
        return parse(ParsedJson::parse(json));
    } catch (const ParsedJson::exception& error) {
        throw Error(ErrorKind::kInput, fmt::format("{}: not a result of a run: {}", where, error.what()));
    } catch (const Error& error) {
        throw Error(ErrorKind::kInput, fmt::format("{}: {}", where, error.what()));
    }
}

}  // namespace

std::string with_checksum(const std::string& json) {
    const std::string open = json.substr(0, json.size() - 3);  // without "\n}\n"
    return open + kChecksumKey + hex_text(XXH3_64bits(open.data(), open.size())) + "\"\n}\n";
}

std::string to_json(const RunResult& result) {
    JsonWriter json(JsonWriter::Layout::kIndented);
    put_result(json, result, result.finished);
    return with_checksum(std::move(json).finish());
}

std::string checksum_defect(const std::string& json) {
    if (json.rfind("\"checksum\"") == std::string::npos)
        return "it was changed after it was written: its checksum is missing";
    const std::size_t at = json.rfind(kChecksumKey);
    if (at != std::string::npos && json == with_checksum(json.substr(0, at) + "\n}\n")) return {};
    return "it was changed after it was written: its checksum does not match";
}

RunResult parse_unchecked_result(const std::string& json, const std::string& where, const ReadBeside& read) {
    return parsed(json, where, [&](const ParsedJson& object) {
        RunResult result = parse_object(object);
        if (!read) return result;
        if (result.best) load_values(*result.best, read);
        for (CostedSolution& solution : result.solutions) load_values(solution, read);
        return result;
    });
}

RunResult parse_result(const std::string& json, const std::string& where) {
    RunResult result = parse_unchecked_result(json, where);
    if (const std::string defect = checksum_defect(json); !defect.empty())
        throw Error(ErrorKind::kInput, fmt::format("{}: {}", where, defect));
    return result;
}

std::string consistency_defect(const std::string& json) {
    const ParsedJson recorded = ParsedJson::parse(json);
    const RunResult result = parse_object(recorded);
    return first_difference(recorded, ParsedJson::parse(to_json(result)), {"checksum", "qapfw_version", "finished"});
}

std::string summary_defect(const std::string& json, const RunSummary& summary) {
    const ParsedJson recorded = ParsedJson::parse(json);
    ParsedJson recomputed = ParsedJson::parse(to_json(summary));
    // Summaries of earlier builds have no times.
    if (recorded.contains("summary") && !recorded["summary"].contains("seconds"))
        recomputed["summary"].erase("seconds");
    const ParsedJson lines = recorded.value("runs", ParsedJson::array());
    if (lines.size() != summary.runs.size()) {
        return fmt::format("runs: recorded {}, found {}", lines.size(), summary.runs.size());
    }
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const std::string defect = first_difference(lines[k], recomputed["runs"][k], {"folder"});
        if (!defect.empty()) return fmt::format("runs: seed {}: {}", summary.runs[k].seed, defect);
    }
    return first_difference(recorded, recomputed, {"checksum", "qapfw_version", "folder", "runs"});
}

std::vector<RunLine> parse_run_lines(const std::string& json, const std::string& where) {
    return parsed(json, where, [](const ParsedJson& summary) {
        std::vector<RunLine> lines;
        for (const ParsedJson& line : summary.value("runs", ParsedJson::array())) lines.push_back(parse_run_line(line));
        return lines;
    });
}

std::uint64_t parse_wanted_runs(const std::string& json, const std::string& where) {
    return parsed(json, where,
                  [](const ParsedJson& summary) { return summary.value("runs_wanted", std::uint64_t{0}); });
}

std::string to_json(const RunSummary& summary) {
    if (summary.wanted == 1) return to_json(summary.runs.front());
    RunResult best = best_of(summary);
    const std::string folder = std::filesystem::path(best.folder).filename().string() + "/";
    if (best.best && !best.best->file.empty()) best.best->file.insert(0, folder);
    for (CostedSolution& solution : best.solutions) {
        if (!solution.file.empty()) solution.file.insert(0, folder);
    }
    JsonWriter json(JsonWriter::Layout::kIndented);
    put_result(json, best, summary.complete());
    json.put("runs_wanted", summary.wanted);
    json.put_array("runs", summary.runs,
                   [&](const RunResult& run) { json.add_object([&] { put_run_line(json, run); }); });
    json.put_object("summary", [&] { put_summary(json, summary); });
    return with_checksum(std::move(json).finish());
}

}  // namespace qapfw::framework
