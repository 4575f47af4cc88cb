// SPDX-License-Identifier: Apache-2.0
// Pieces of JSON that result.json and the checkpoint's header share. Included by .cpp files of the record alone: the
// JSON library is slow to compile.
#pragma once

#include <string>
#include <vector>

#include "framework/record/checked_json.hpp"
#include "framework/record/result.hpp"

namespace qapfw::framework {

/// JSON text that is indented, with arrays of numbers on one line, and with an end of line.
std::string pretty(const Json& json);

/// A cost as people see it: an integer if it is one.
Json shown_json(const CostSpace& costs, qapfw_cost cost);
Json excess_json(const CostSpace& costs, qapfw_cost cost, qapfw_cost reference);

std::string hex_text(std::uint64_t value);
std::uint64_t parse_hex(const std::string& text);

/// A flat array for one segment; an array of arrays for several.
Json values_json(const SolutionValues& values);
SolutionValues parse_values(const ParsedJson& json);

/// The values, or the name of the file that has them.
Json stored_values_json(const CostedSolution& solution);
/// The same back, without the cost.
CostedSolution parse_stored_values(const ParsedJson& json);
Json solutions_json(const CostSpace& costs, const std::vector<CostedSolution>& solutions);
std::vector<CostedSolution> parse_solutions(const CostSpace& costs, const ParsedJson& json);

Json best_found_json(const BestFound& found);
BestFound parse_best_found(const ParsedJson& json);

Json plugins_json(const std::vector<PluginIdentity>& plugins);
std::vector<PluginIdentity> parse_plugins(const ParsedJson& json);

}  // namespace qapfw::framework
