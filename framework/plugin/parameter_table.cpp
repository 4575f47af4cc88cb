// SPDX-License-Identifier: Apache-2.0
// Checks a component's parameter table: names, types, flags, ranges, choices and defaults.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "framework/plugin/descriptor.hpp"
#include "framework/plugin/parameter_text.hpp"

namespace qapfw::framework {

namespace {

constexpr std::uint32_t kMostParameters = 1024;
constexpr std::size_t kSmallestParameter = offsetof(qapfw_parameter, summary) + sizeof(qapfw_parameter::summary);
constexpr std::size_t kLargestParameter = 4096;  // largest size of a qapfw_parameter that a plugin may state, in bytes

bool has(const qapfw_parameter& parameter, std::uint32_t flag) {
    return (parameter.flags & flag) != 0;
}

bool is_number(const qapfw_parameter& parameter) {
    return parameter.type == QAPFW_PARAMETER_INTEGER || parameter.type == QAPFW_PARAMETER_REAL ||
           parameter.type == QAPFW_PARAMETER_SIZE;
}

/// True if the name is one of the configuration's own keys, which no parameter may have.
bool is_reserved(const qapfw_component& component, const char* name) {
    if (std::strcmp(name, "plugin") == 0) return true;
    if (component.kind == QAPFW_KIND_PROBLEM) return std::strcmp(name, "initial") == 0;
    return component.kind == QAPFW_KIND_SOLVER && std::strcmp(name, "improver") == 0;
}

std::string check_name(const qapfw_component& component, std::uint32_t index) {
    const char* name = parameter_at(component, index).name;
    if (!is_snake_case(name)) {
        return fmt::format("the name of parameter {} must be in snake_case with at most 64 characters, found {}", index,
                           is_plain_text(name) ? fmt::format("\"{:.80}\"", name) : "none");
    }
    if (is_reserved(component, name))
        return fmt::format("no parameter may be named `{}`: the framework has a key of this name", name);
    for (std::uint32_t other = 0; other < index; ++other) {
        if (std::strcmp(parameter_at(component, other).name, name) == 0) {
            return fmt::format("the parameters' names must differ, found `{}` twice", name);
        }
    }
    return {};
}

std::string check_flags(const qapfw_component& component, const qapfw_parameter& parameter) {
    if (parameter.type < QAPFW_PARAMETER_INTEGER || parameter.type > QAPFW_PARAMETER_LIST) {
        return fmt::format("its type must be 1 to 7, found {}", parameter.type);
    }
    if (component.kind == QAPFW_KIND_PROBLEM && parameter.type == QAPFW_PARAMETER_SIZE) {
        return "its type must not be SIZE, since a problem's parameters are read before its size is known";
    }
    if (has(parameter, QAPFW_PARAMETER_REQUIRED) && has(parameter, QAPFW_PARAMETER_OPTIONAL)) {
        return "it must not be REQUIRED and OPTIONAL at once";
    }
    if (has(parameter, QAPFW_PARAMETER_PATH) && parameter.type != QAPFW_PARAMETER_TEXT) {
        return "PATH must be used with TEXT only";
    }
    return {};
}

std::string check_range(const qapfw_parameter& parameter) {
    if (!is_number(parameter)) return {};
    if (std::isfinite(parameter.minimum) && std::isfinite(parameter.maximum) &&
        parameter.minimum <= parameter.maximum) {
        return {};
    }
    return fmt::format("its range must be finite and not empty, found {} to {}", parameter.minimum, parameter.maximum);
}

std::string check_choices(const qapfw_parameter& parameter) {
    if (parameter.type != QAPFW_PARAMETER_CHOICE) return {};
    auto choices = is_plain_text(parameter.choices) ? split_choices(parameter.choices) : std::vector<std::string>{""};
    std::sort(choices.begin(), choices.end());
    const bool repeated = std::adjacent_find(choices.begin(), choices.end()) != choices.end();
    if (!repeated && !choices.front().empty()) return {};
    return "its choices must be different texts joined by '|', found something else";
}

std::string check_texts(const qapfw_parameter& parameter) {
    if (!is_plain_text(parameter.summary))
        return "its summary must be a sentence in UTF-8, but it is missing, too long or no plain text";
    for (const char* text : {parameter.default_text, parameter.unit, parameter.symbol}) {
        if (text != nullptr && *text != '\0' && !is_plain_text(text))
            return "its default, unit and symbol must be texts in UTF-8, but one is too long or no plain text";
    }
    return {};
}

bool is_valid_default(const qapfw_parameter& parameter) {
    const std::string text = parameter.default_text;
    if (has(parameter, QAPFW_PARAMETER_AUTO) && text == "auto") return true;
    const auto integer = parse_integer(text);
    const auto real = parse_real(text);
    switch (parameter.type) {
        case QAPFW_PARAMETER_INTEGER:
            return integer && in_range(parameter, *integer);
        case QAPFW_PARAMETER_REAL:
            return real && in_range(parameter, *real);
        case QAPFW_PARAMETER_BOOLEAN:
            return parse_boolean(text).has_value();
        case QAPFW_PARAMETER_TEXT:
            return true;
        case QAPFW_PARAMETER_CHOICE: {
            const auto choices = split_choices(parameter.choices);
            return std::find(choices.begin(), choices.end(), text) != choices.end();
        }
        case QAPFW_PARAMETER_SIZE:
            return (integer && in_range(parameter, *integer)) || SizeForm::parse(text).has_value();
        default:
            return parse_list(text).has_value();
    }
}

std::string check_default(const qapfw_parameter& parameter) {
    const bool given = parameter.default_text != nullptr;
    if (has(parameter, QAPFW_PARAMETER_REQUIRED) || has(parameter, QAPFW_PARAMETER_OPTIONAL)) {
        if (!given || *parameter.default_text == '\0') return {};
        return fmt::format("it must have no default, since it is REQUIRED or OPTIONAL; found \"{}\"",
                           parameter.default_text);
    }
    if (given && is_valid_default(parameter)) return {};
    return fmt::format("its default must be {}, found {}", wanted_value(parameter),
                       given ? fmt::format("\"{}\"", parameter.default_text) : "none");
}

std::string check_parameter(const qapfw_component& component, const qapfw_parameter& parameter) {
    if (auto wrong = check_flags(component, parameter); !wrong.empty()) return wrong;
    if (auto wrong = check_texts(parameter); !wrong.empty()) return wrong;
    if (auto wrong = check_range(parameter); !wrong.empty()) return wrong;
    if (auto wrong = check_choices(parameter); !wrong.empty()) return wrong;
    return check_default(parameter);
}

std::string check_counts(const qapfw_component& component) {
    if (component.parameter_count > kMostParameters) {
        return fmt::format("parameter_count must be at most {}, found {}", kMostParameters, component.parameter_count);
    }
    if (component.parameters == nullptr) {
        return fmt::format("the parameter table must be there, found null for {} parameters",
                           component.parameter_count);
    }
    if (component.parameter_size < kSmallestParameter || component.parameter_size > kLargestParameter ||
        component.parameter_size % alignof(qapfw_parameter) != 0) {
        return fmt::format("parameter_size must be {} to {} bytes and a multiple of {}, found {}", kSmallestParameter,
                           kLargestParameter, alignof(qapfw_parameter), component.parameter_size);
    }
    return {};
}

}  // namespace

std::string check_parameters(const qapfw_component& component) {
    if (component.parameter_count == 0) return {};
    if (auto wrong = check_counts(component); !wrong.empty()) return wrong;
    for (std::uint32_t k = 0; k < component.parameter_count; ++k) {
        if (auto wrong = check_name(component, k); !wrong.empty()) return wrong;
        const qapfw_parameter& parameter = parameter_at(component, k);
        if (auto wrong = check_parameter(component, parameter); !wrong.empty()) {
            return fmt::format("the parameter `{}` is wrong: {}", parameter.name, wrong);
        }
    }
    return {};
}

}  // namespace qapfw::framework
