// SPDX-License-Identifier: Apache-2.0
// Plans, runs and sections of reports for tests.
#pragma once

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "framework/config/toml_reader.hpp"
#include "framework/laboratory/report/sections.hpp"

namespace qapfw::testing {

/// A run of `seconds`. If `hit`, it ended by reaching the target. Otherwise it ended by the time limit, with a cost
/// 10 % above the best known one.
inline framework::laboratory::RunRow timed_run(const std::string& instance, const std::string& variant,
                                               std::uint64_t seed, double seconds, bool hit = true) {
    framework::laboratory::RunRow row;
    row.instance = instance;
    row.variant = variant;
    row.algorithm = variant.substr(0, variant.find(' '));
    row.seed = seed;
    row.seconds = seconds;
    row.hit = hit;
    row.cost = hit ? 100 : 110;
    row.best_known = 100;
    row.gap = (*row.cost - 100) / 100;
    row.iterations = 10;
    row.stop_reason = hit ? "target" : "time_limit";
    return row;
}

inline framework::laboratory::Cell planned_cell(const std::string& instance, const std::string& algorithm,
                                                std::vector<framework::laboratory::Factor> factors = {},
                                                std::uint64_t iterations = 0) {
    framework::laboratory::Cell cell;
    cell.instance = instance;
    cell.algorithm = algorithm;
    cell.factors = std::move(factors);
    cell.iterations = iterations;
    return cell;
}

/// A section of a report as a study asks for it. `fields`: keys and their values as TOML.
inline framework::laboratory::StudySection asked_for(const std::string& kind,
                                                     const std::vector<std::pair<std::string, std::string>>& fields) {
    framework::laboratory::StudySection section;
    section.kind = kind;
    for (const auto& [key, text] : fields) section.fields.push_back({key, *framework::parse_toml_value(text, "test")});
    return section;
}

inline const framework::laboratory::TableValue& value_in(const framework::laboratory::Table& table, std::size_t row,
                                                         const std::string& column) {
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        if (table.columns[k].name == column) return table.rows.at(row).at(k);
    }
    throw std::out_of_range("no column " + column);
}

inline double number_in(const framework::laboratory::Table& table, std::size_t row, const std::string& column) {
    return std::get<double>(value_in(table, row, column));
}
inline std::string text_in(const framework::laboratory::Table& table, std::size_t row, const std::string& column) {
    return std::get<std::string>(value_in(table, row, column));
}
inline bool is_empty(const framework::laboratory::Table& table, std::size_t row, const std::string& column) {
    return std::holds_alternative<std::monostate>(value_in(table, row, column));
}

}  // namespace qapfw::testing
