// SPDX-License-Identifier: Apache-2.0
#include "framework/record/json_parts.hpp"

#include <fmt/core.h>

#include <charconv>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Where the array of numbers that opens at `begin` ends; npos if it holds anything else.
std::size_t number_array_end(const std::string& text, std::size_t begin) {
    const std::size_t end = text.find_first_not_of("0123456789+-.eE, \n", begin + 1);
    return end != std::string::npos && text[end] == ']' ? end : std::string::npos;
}

}  // namespace

std::string pretty(const Json& json) {
    const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace);  // paths are any bytes
    std::string out;
    bool in_string = false;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        out += c;
        if (c == '"') in_string = !in_string;
        if (c == '\\') out += text[++k];  // a backslash occurs only within strings
        const std::size_t end = c == '[' && !in_string ? number_array_end(text, k) : std::string::npos;
        if (end == std::string::npos) continue;
        for (++k; k < end; ++k) {
            if (text[k] == ',') out += ", ";
            if (text[k] != ',' && text[k] != ' ' && text[k] != '\n') out += text[k];
        }
        out += ']';
    }
    return out + "\n";
}

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

Json values_json(const SolutionValues& values) {
    if (values.size() == 1) return values[0];
    return values;
}

SolutionValues parse_values(const ParsedJson& json) {
    const bool several = !json.empty() && json.front().is_array();
    if (several) return json.get<SolutionValues>();
    return {json.get<std::vector<std::uint32_t>>()};
}

Json stored_values_json(const CostedSolution& solution) {
    if (solution.file.empty()) return values_json(solution.values);
    return {{"file", solution.file}};
}

CostedSolution parse_stored_values(const ParsedJson& json) {
    CostedSolution solution;
    if (json.is_object())
        solution.file = json.at("file");
    else
        solution.values = parse_values(json);
    return solution;
}

Json solutions_json(const CostSpace& costs, const std::vector<CostedSolution>& solutions) {
    Json json = Json::array();
    for (const CostedSolution& solution : solutions) {
        json.push_back({{"cost", shown_json(costs, solution.cost)},
                        {"cost_raw", costs.raw_text(solution.cost)},
                        {"solution", stored_values_json(solution)}});
    }
    return json;
}

std::vector<CostedSolution> parse_solutions(const CostSpace& costs, const ParsedJson& json) {
    std::vector<CostedSolution> solutions;
    for (const ParsedJson& entry : json) {
        solutions.push_back(parse_stored_values(entry.at("solution")));
        solutions.back().cost = costs.parse_raw(entry.at("cost_raw").get<std::string>());
    }
    return solutions;
}

Json best_found_json(const BestFound& found) {
    return {{"seconds", found.seconds},
            {"evaluations", found.evaluations},
            {"iteration", found.iteration},
            {"search", found.search},
            {"kept", found.kept}};
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

Json plugins_json(const std::vector<PluginIdentity>& plugins) {
    Json json = Json::array();
    for (const PluginIdentity& plugin : plugins) {
        json.push_back({{"kind", plugin.kind},
                        {"id", plugin.id},
                        {"version", plugin.version},
                        {"library", plugin.library},
                        {"hash", plugin.hash},
                        {"path", plugin.path}});
    }
    return json;
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
