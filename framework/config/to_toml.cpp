// SPDX-License-Identifier: Apache-2.0
// Writes a checked configuration with every default and every resolved value, as TOML that makes the same run when it
// is read.
#include <fmt/format.h>

#include <iterator>

#include "framework/config/config.hpp"
#include "framework/config/parameter_reader.hpp"
#include "framework/config/settings.hpp"
#include "framework/config/toml_reader.hpp"
#include "framework/plugin/parameter_text.hpp"

namespace qapfw::framework {

namespace {

/// A real number as TOML, which needs a point or an exponent; fmt writes the shortest text that reads back the same.
std::string real_text(double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string list_text(const std::vector<std::string>& list) {
    std::vector<std::string> quoted;
    for (const std::string& item : list) quoted.push_back(toml_quoted(item));
    return fmt::format("[{}]", fmt::join(quoted, ", "));
}

std::string size_text(const ParameterValues::Value& value) {
    if (!value.resolved) return toml_quoted(value.text);
    const std::string number = std::to_string(value.integer);
    return value.text == number ? number : fmt::format("{}  # \"{}\"", number, value.text);
}

std::string value_text(const qapfw_parameter& parameter, const ParameterValues::Value& value) {
    if (value.is_auto) return "\"auto\"";
    switch (parameter.type) {
        case QAPFW_PARAMETER_INTEGER:
            return std::to_string(value.integer);
        case QAPFW_PARAMETER_REAL:
            return real_text(value.real);
        case QAPFW_PARAMETER_BOOLEAN:
            return value.integer != 0 ? "true" : "false";
        case QAPFW_PARAMETER_SIZE:
            return size_text(value);
        case QAPFW_PARAMETER_LIST:
            return list_text(value.list);
        default:
            return toml_quoted(value.text);
    }
}

void write_choice(const Choice& choice, const std::vector<std::string>& initial, std::string& toml) {
    const qapfw_component& descriptor = *choice.component->descriptor;
    fmt::format_to(std::back_inserter(toml), "\n[{}]\nplugin = {}\n", table_of(descriptor.kind),
                   toml_quoted(descriptor.id));
    if (initial.size() == 1) toml += "initial = " + toml_quoted(initial.front()) + "\n";
    if (initial.size() > 1) toml += "initial = " + list_text(initial) + "\n";
    for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(descriptor, k);
        const auto& value = choice.parameters.values()[k];
        if (value.present) toml += fmt::format("{} = {}\n", parameter.name, value_text(parameter, value));
    }
}

}  // namespace

std::string to_toml(const Config& config) {
    std::string toml = "schema_version = 1\n";
    if (config.problem.component != nullptr) write_choice(config.problem, config.initial, toml);
    if (config.algorithm.component != nullptr) write_choice(config.algorithm, {}, toml);
    if (config.improver) write_choice(*config.improver, {}, toml);
    for (const char* table : setting_tables()) {
        toml += fmt::format("\n[{}]\n", table);
        for (const Setting& setting : settings()) {
            if (std::string(table) != setting.table) continue;
            const std::string value = setting.write(config);
            if (!value.empty()) toml += fmt::format("{} = {}\n", setting.key, value);
        }
    }
    return toml;
}

}  // namespace qapfw::framework
