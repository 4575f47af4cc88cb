// SPDX-License-Identifier: Apache-2.0
// Reads the values of declared parameters and checks type, range and choice.
#include "framework/config/parameter_reader.hpp"
#include "common/nearest_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "framework/host/working_folder.hpp"
#include "framework/plugin/parameter_text.hpp"

namespace qapfw::framework {

namespace {

using Value = ParameterValues::Value;

void set_integer(Value& value, std::int64_t number) {
    value.integer = number;
    value.resolved = true;
}

bool read_integer(const qapfw_parameter& parameter, const Node& node, Value& value) {
    if (node.type != Node::Type::kInteger || !in_range(parameter, node.integer)) return false;
    set_integer(value, node.integer);
    if (parameter.type == QAPFW_PARAMETER_SIZE) value.text = std::to_string(node.integer);
    return true;
}

bool read_real(const qapfw_parameter& parameter, const Node& node, Value& value) {
    if (node.type == Node::Type::kInteger) {
        value.real = static_cast<double>(node.integer);
    } else if (node.type == Node::Type::kReal && std::isfinite(node.real)) {
        value.real = node.real;
    } else {
        return false;
    }
    return in_range(parameter, value.real);
}

bool read_text(const Node& node, std::string& text) {
    // "--set problem.instance=30" means the text 30, although TOML reads 30 as an integer.
    if (node.type != Node::Type::kText && !node.from_option) return false;
    text = node.type == Node::Type::kText ? node.text : node.option_text;
    return text.find('\0') == std::string::npos;  // in the C interface, a zero byte ends a text
}

bool set_choice(const qapfw_parameter& parameter, const std::string& text, Value& value) {
    const auto choices = split_choices(parameter.choices);
    const auto found = std::find(choices.begin(), choices.end(), text);
    if (found == choices.end()) return false;
    value.text = text;
    set_integer(value, found - choices.begin());
    return true;
}

bool set_from_number(const qapfw_parameter& parameter, std::int64_t number, Value& value) {
    switch (parameter.type) {
        case QAPFW_PARAMETER_INTEGER:
        case QAPFW_PARAMETER_SIZE:
            if (!in_range(parameter, number)) return false;
            if (parameter.type == QAPFW_PARAMETER_SIZE) value.text = std::to_string(number);
            break;
        case QAPFW_PARAMETER_REAL:
            value.real = static_cast<double>(number);
            if (!in_range(parameter, value.real)) return false;
            break;
        case QAPFW_PARAMETER_BOOLEAN:
            if (number != 0 && number != 1) return false;
            break;
        case QAPFW_PARAMETER_CHOICE: {
            const auto choices = split_choices(parameter.choices);
            if (number < 0 || number >= static_cast<std::int64_t>(choices.size())) return false;
            value.text = choices[static_cast<std::size_t>(number)];
            break;
        }
        default:
            return false;
    }
    set_integer(value, number);
    return true;
}

/// Sets the value from anything but an integer: a real number, a boolean, a choice, a text or a list.
bool set_from_other(const qapfw_parameter& parameter, const qapfw_value& given, Value& value) {
    const std::string text = given.text != nullptr ? given.text : "";
    if (parameter.type == QAPFW_PARAMETER_CHOICE && given.type == QAPFW_PARAMETER_TEXT) {
        return set_choice(parameter, text, value);
    }
    if (given.type != parameter.type) return false;
    switch (given.type) {
        case QAPFW_PARAMETER_REAL:
            value.real = given.real;
            return std::isfinite(given.real) && in_range(parameter, given.real);
        case QAPFW_PARAMETER_BOOLEAN:
            set_integer(value, given.integer != 0 ? 1 : 0);
            return true;
        case QAPFW_PARAMETER_TEXT:
            value.text = text;
            return true;
        case QAPFW_PARAMETER_CHOICE:
            return set_choice(parameter, text, value);
        case QAPFW_PARAMETER_LIST:
            value.list.assign(given.list, given.list + given.list_count);
            return true;
        default:
            return false;
    }
}

bool read_size(const qapfw_parameter& parameter, const Node& node, Value& value) {
    if (node.type != Node::Type::kText) return read_integer(parameter, node, value);
    if (!SizeForm::parse(node.text)) return false;
    value.text = node.text;
    return true;
}

bool read_list(const Node& node, Value& value) {
    if (node.type != Node::Type::kList) return false;
    for (const Node& item : node.items) {
        std::string text;
        if (item.type != Node::Type::kText || !read_text(item, text)) return false;
        value.list.push_back(text);
    }
    return true;
}

bool read_value(const qapfw_parameter& parameter, const Node& node, Value& value) {
    std::string text;
    switch (parameter.type) {
        case QAPFW_PARAMETER_INTEGER:
            return read_integer(parameter, node, value);
        case QAPFW_PARAMETER_REAL:
            return read_real(parameter, node, value);
        case QAPFW_PARAMETER_BOOLEAN:
            set_integer(value, node.boolean ? 1 : 0);
            return node.type == Node::Type::kBoolean;
        case QAPFW_PARAMETER_TEXT:
            return read_text(node, value.text);
        case QAPFW_PARAMETER_CHOICE:
            return read_text(node, text) && set_choice(parameter, text, value);
        case QAPFW_PARAMETER_SIZE:
            return read_size(parameter, node, value);
        case QAPFW_PARAMETER_LIST:
            return read_list(node, value);
        default:
            return false;
    }
}

std::string suggestion(const qapfw_parameter& parameter, const Node& node) {
    if (parameter.type != QAPFW_PARAMETER_CHOICE || node.type != Node::Type::kText) return {};
    const auto near = common::nearest_names(node.text, split_choices(parameter.choices));
    return near.empty() ? std::string{} : fmt::format("; did you mean \"{}\"?", near.front());
}

}  // namespace

const char* table_of(std::uint32_t kind) {
    switch (kind) {
        case QAPFW_KIND_PROBLEM:
            return "problem";
        case QAPFW_KIND_SOLVER:
            return "algorithm";
        default:
            return "algorithm.improver";
    }
}

std::string parameter_label(const qapfw_component& component, const qapfw_parameter& parameter) {
    return fmt::format("{}.{}", table_of(component.kind), parameter.name);
}

void set_from_text(const qapfw_parameter& parameter, const std::string& text, Value& value) {
    switch (parameter.type) {
        case QAPFW_PARAMETER_INTEGER:
            set_integer(value, parse_integer(text).value_or(0));
            break;
        case QAPFW_PARAMETER_REAL:
            value.real = parse_real(text).value_or(0);
            break;
        case QAPFW_PARAMETER_BOOLEAN:
            set_integer(value, text == "true" ? 1 : 0);
            break;
        case QAPFW_PARAMETER_CHOICE:
            set_choice(parameter, text, value);
            break;
        case QAPFW_PARAMETER_SIZE:
            value.text = text;
            if (const auto number = parse_integer(text)) set_integer(value, *number);
            break;
        case QAPFW_PARAMETER_LIST:
            value.list = parse_list(text).value_or(std::vector<std::string>{});
            break;
        default:
            value.text = text;
            break;
    }
}

bool set_resolved(const qapfw_parameter& parameter, const qapfw_value& given, Value& value) {
    const bool whole = given.type == QAPFW_PARAMETER_INTEGER || given.type == QAPFW_PARAMETER_SIZE;
    if (whole ? !set_from_number(parameter, given.integer, value) : !set_from_other(parameter, given, value)) {
        return false;
    }
    value.present = true;
    value.is_auto = false;
    return true;
}

Value read_parameter(const qapfw_parameter& parameter, const Node& node, const std::string& label,
                     const std::filesystem::path& folder) {
    Value value;
    value.present = true;
    value.where = node.where;
    const bool takes_auto = (parameter.flags & QAPFW_PARAMETER_AUTO) != 0;
    if (takes_auto && node.type == Node::Type::kText && node.text == "auto") {
        value.is_auto = true;
        return value;
    }
    if (!read_value(parameter, node, value)) {
        throw Error(ErrorKind::kUsage,
                    mismatch(node, label, wanted_value(parameter)).what() + suggestion(parameter, node));
    }
    if ((parameter.flags & QAPFW_PARAMETER_PATH) != 0) {
        value.text = existing_path_or_name(value.text, node.from_option ? working_folder() : folder);
    }
    return value;
}

std::string existing_path_or_name(const std::string& text, const std::filesystem::path& folder) {
    if (text.empty()) return text;
    std::error_code error;
    const std::filesystem::path path = (folder / text).lexically_normal();
    return std::filesystem::is_regular_file(path, error) ? path.string() : text;
}

}  // namespace qapfw::framework
