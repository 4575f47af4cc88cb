// SPDX-License-Identifier: Apache-2.0
// Reads parameter values from text and describes them as text.
#include "framework/plugin/parameter_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace qapfw::framework {

namespace {

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <class Number>
std::optional<Number> parse_whole(std::string_view text) {
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool bounded(const qapfw_parameter& parameter) {
    return parameter.minimum != 0 || parameter.maximum != 0;
}

std::string range_of(const qapfw_parameter& parameter) {
    return bounded(parameter) ? fmt::format(" from {} to {}", parameter.minimum, parameter.maximum) : std::string{};
}

std::string type_of(const qapfw_parameter& parameter) {
    switch (parameter.type) {
        case QAPFW_PARAMETER_INTEGER:
            return "an integer" + range_of(parameter);
        case QAPFW_PARAMETER_REAL:
            return "a number" + range_of(parameter);
        case QAPFW_PARAMETER_BOOLEAN:
            return "true or false";
        case QAPFW_PARAMETER_TEXT:
            return (parameter.flags & QAPFW_PARAMETER_PATH) != 0 ? "a text (a file)" : "a text";
        case QAPFW_PARAMETER_CHOICE: {
            const auto choices = split_choices(parameter.choices);
            return fmt::format("{}\"{}\"", choices.size() > 1 ? "one of " : "", fmt::join(choices, "\", \""));
        }
        case QAPFW_PARAMETER_SIZE:
            return "an integer" + range_of(parameter) + " or a size such as \"4n\" or \"n/2\"";
        case QAPFW_PARAMETER_LIST:
            return "a list of texts";
        default:
            return "a value";
    }
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
    return parse_whole<std::int64_t>(text);
}

std::optional<double> parse_real(std::string_view text) {
    const auto value = parse_whole<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<bool> parse_boolean(std::string_view text) {
    if (text == "true") return true;
    if (text == "false") return false;
    return std::nullopt;
}

std::optional<std::vector<std::string>> parse_list(std::string_view text) {
    std::vector<std::string> items;
    text = trim(text);
    if (text.empty()) return items;
    if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
    text = trim(text.substr(1, text.size() - 2));
    while (!text.empty()) {
        const auto comma = text.find(',');
        auto item = trim(text.substr(0, comma));
        if (item.size() >= 2 && item.front() == '"' && item.back() == '"') item = item.substr(1, item.size() - 2);
        if (item.empty() || item.find('"') != std::string_view::npos) return std::nullopt;
        items.emplace_back(item);
        text = comma == std::string_view::npos ? std::string_view{} : trim(text.substr(comma + 1));
    }
    return items;
}

std::vector<std::string> split_choices(const char* choices) {
    std::vector<std::string> parts;
    if (choices == nullptr) return parts;
    std::string_view rest = choices;
    for (;;) {
        const auto bar = rest.find('|');
        parts.emplace_back(rest.substr(0, bar));
        if (bar == std::string_view::npos) return parts;
        rest.remove_prefix(bar + 1);
    }
}

const qapfw_parameter& parameter_at(const qapfw_component& component, std::uint32_t index) {
    const auto* first = reinterpret_cast<const std::byte*>(component.parameters);
    return *reinterpret_cast<const qapfw_parameter*>(first + std::size_t{component.parameter_size} * index);
}

std::optional<std::uint32_t> find_parameter(const qapfw_component& component, std::string_view name) {
    for (std::uint32_t k = 0; k < component.parameter_count; ++k) {
        if (parameter_at(component, k).name == name) return k;
    }
    return std::nullopt;
}

bool in_range(const qapfw_parameter& parameter, std::int64_t value) {
    const auto wide = static_cast<long double>(value);  // 64 bits of mantissa: exact
    return !bounded(parameter) || (wide >= parameter.minimum && wide <= parameter.maximum);
}

bool in_range(const qapfw_parameter& parameter, double value) {
    return !bounded(parameter) || (value >= parameter.minimum && value <= parameter.maximum);
}

std::string wanted_value(const qapfw_parameter& parameter) {
    std::string wanted = type_of(parameter);
    if ((parameter.flags & QAPFW_PARAMETER_AUTO) != 0) wanted += " or \"auto\"";
    if (parameter.unit != nullptr && *parameter.unit != '\0') wanted += fmt::format(" ({})", parameter.unit);
    return wanted;
}

}  // namespace qapfw::framework
