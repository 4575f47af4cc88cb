// SPDX-License-Identifier: Apache-2.0
#include "framework/record/json_parts.hpp"

#include <fmt/core.h>

#include <charconv>

#include "qapfw/error.hpp"

namespace qapfw::framework {

Json shown_json(const CostSpace& costs, qapfw_cost cost) {
    const bool whole = costs.kind == QAPFW_COST_INT64 && cost.i != INT64_MIN && cost.i % costs.divisor == 0;
    if (whole) return costs.sense * (cost.i / costs.divisor);
    return costs.shown(cost);
}

Json excess_json(const CostSpace& costs, qapfw_cost cost, qapfw_cost reference) {
    std::int64_t difference = 0;
    if (costs.kind == QAPFW_COST_INT64 && !__builtin_sub_overflow(cost.i, reference.i, &difference) &&
        difference % costs.divisor == 0) {
        return difference / costs.divisor;
    }
    return costs.excess(cost, reference);
}

std::string hex_text(std::uint64_t value) {
    return fmt::format("{:016x}", value);
}

std::uint64_t parse_hex(const std::string& text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value, 16);
    if (result.ec != std::errc() || result.ptr != end) {
        throw Error(ErrorKind::kInput, fmt::format("wanted a hexadecimal number, found \"{}\"", text));
    }
    return value;
}

void write_values(JsonWriter& json, const SolutionValues& values) {
    if (values.size() == 1) return json.put_numbers("solution", values[0]);
    json.put_array("solution", values, [&](const std::vector<std::uint32_t>& segment) { json.add_numbers(segment); });
}

SolutionValues parse_values(const ParsedJson& json) {
    const bool several = !json.empty() && json.front().is_array();
    if (several) return json.get<SolutionValues>();
    return {json.get<std::vector<std::uint32_t>>()};
}

void write_stored_values(JsonWriter& json, const CostedSolution& solution) {
    if (solution.file.empty()) return write_values(json, solution.values);
    json.put_object("solution", [&] { json.put("file", solution.file); });
}

CostedSolution parse_stored_values(const ParsedJson& json) {
    CostedSolution solution;
    if (json.is_object())
        solution.file = json.at("file");
    else
        solution.values = parse_values(json);
    return solution;
}

void write_costed_solution(JsonWriter& json, const CostSpace& costs, const CostedSolution& solution) {
    json.put("cost", shown_json(costs, solution.cost));
    json.put("cost_raw", costs.raw_text(solution.cost));
    write_stored_values(json, solution);
}

void write_solutions(JsonWriter& json, const CostSpace& costs, const std::vector<CostedSolution>& solutions) {
    json.put_array("solutions", solutions, [&](const CostedSolution& solution) {
        json.add_object([&] { write_costed_solution(json, costs, solution); });
    });
}

std::vector<CostedSolution> parse_solutions(const CostSpace& costs, const ParsedJson& json) {
    std::vector<CostedSolution> solutions;
    for (const ParsedJson& entry : json) {
        solutions.push_back(parse_stored_values(entry.at("solution")));
        solutions.back().cost = costs.parse_raw(entry.at("cost_raw").get<std::string>());
    }
    return solutions;
}

void write_best_found(JsonWriter& json, std::string_view key, const BestFound& found) {
    json.put_object(key, [&] {
        json.put("seconds", found.seconds);
        json.put("evaluations", found.evaluations);
        json.put("iteration", found.iteration);
        json.put("search", found.search);
        json.put("kept", found.kept);
    });
}

BestFound parse_best_found(const ParsedJson& json) {
    BestFound found;
    found.seconds = json.at("seconds");
    found.evaluations = json.at("evaluations");
    found.iteration = json.at("iteration");
    found.search = json.at("search");
    found.kept = json.value("kept", false);
    return found;
}

void write_plugins(JsonWriter& json, const std::vector<PluginIdentity>& plugins) {
    json.put_array("plugins", plugins, [&](const PluginIdentity& plugin) {
        json.add_object([&] {
            json.put("kind", plugin.kind);
            json.put("id", plugin.id);
            json.put("version", plugin.version);
            json.put("library", plugin.library);
            json.put("hash", plugin.hash);
            json.put("path", plugin.path);
        });
    });
}

void write_statistics(JsonWriter& json, const std::map<std::string, double>& statistics) {
    json.put_object("statistics", [&] {
        for (const auto& [name, value] : statistics) json.put(name, value);
    });
}

std::vector<PluginIdentity> parse_plugins(const ParsedJson& json) {
    std::vector<PluginIdentity> plugins;
    for (const ParsedJson& entry : json) {
        plugins.push_back({entry.at("kind"), entry.at("id"), entry.at("version"), entry.at("library"), entry.at("hash"),
                           entry.at("path")});
    }
    return plugins;
}

}  // namespace qapfw::framework
