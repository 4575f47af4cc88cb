// SPDX-License-Identifier: Apache-2.0
// Pieces of JSON that both result.json and the checkpoint's header contain. Include this only in .cpp files: the JSON
// library is slow to compile.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/record/checked_json.hpp"
#include "framework/record/json_writer.hpp"
#include "framework/record/result.hpp"

namespace qapfw::framework {

/// A cost in the displayed form, an integer if possible.
Json shown_json(const CostSpace& costs, qapfw_cost cost);
/// The number that CostSpace::excess returns, as an integer if possible.
Json excess_json(const CostSpace& costs, qapfw_cost cost, qapfw_cost reference);

std::string hex_text(std::uint64_t value);
std::uint64_t parse_hex(const std::string& text);

/// Writes the member "solution": the solution's values, or the name of the file with the values. The values are a flat
/// array if there is one segment, otherwise an array with an array for each segment.
void write_stored_values(JsonWriter& json, const CostedSolution& solution);
SolutionValues parse_values(const ParsedJson& json);

/// Reads the values, or the name of their file, that write_stored_values wrote. Does not read the cost.
CostedSolution parse_stored_values(const ParsedJson& json);
/// Writes the members of one solution: cost and values.
void write_costed_solution(JsonWriter& json, const CostSpace& costs, const CostedSolution& solution);
void write_solutions(JsonWriter& json, const CostSpace& costs, const std::vector<CostedSolution>& solutions);
std::vector<CostedSolution> parse_solutions(const CostSpace& costs, const ParsedJson& json);

void write_best_found(JsonWriter& json, std::string_view key, const BestFound& found);
BestFound parse_best_found(const ParsedJson& json);

void write_statistics(JsonWriter& json, const std::map<std::string, double>& statistics);

void write_plugins(JsonWriter& json, const std::vector<PluginIdentity>& plugins);
std::vector<PluginIdentity> parse_plugins(const ParsedJson& json);

}  // namespace qapfw::framework
