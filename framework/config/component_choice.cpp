// SPDX-License-Identifier: Apache-2.0
#include "framework/config/component_choice.hpp"
#include "common/nearest_names.hpp"

#include <fmt/format.h>

#include <optional>

#include "framework/config/parameter_reader.hpp"
#include "framework/config/toml_reader.hpp"
#include "framework/host/working_folder.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

[[noreturn]] void unknown_parameter(const qapfw_component& component, const std::string& name) {
    std::vector<std::string> names;
    for (std::uint32_t k = 0; k < component.parameter_count; ++k) names.emplace_back(parameter_at(component, k).name);
    const auto nearest = common::nearest_names(name, names);
    const std::string hint = nearest.empty() ? std::string() : fmt::format("; did you mean {}?", nearest.front());
    throw Error(ErrorKind::kUsage,
                fmt::format("{} {} has no parameter {}{}", kind_name(component.kind), component.id, name, hint));
}

/// Parses `text` as a TOML value. If `text` is not a TOML value, returns `text` as a string. A parameter that wants a
/// string also gets `text` as it is, unless `text` begins with a quote.
Node value_node(const qapfw_parameter& parameter, const std::string& text) {
    const std::string where = fmt::format("--set {}", parameter.name);
    const bool wants_text = parameter.type == QAPFW_PARAMETER_TEXT || parameter.type == QAPFW_PARAMETER_CHOICE;
    std::optional<Node> node;
    if (!wants_text || text.rfind('"', 0) == 0) node = parse_toml_value(text, where);
    if (!node) {
        node.emplace();
        node->type = Node::Type::kText;
        node->text = text;
        node->where = where;
    }
    node->from_option = true;
    node->option_text = text;
    return *node;
}

}  // namespace

Choice choose_component(const Component& component, const std::vector<std::pair<std::string, std::string>>& given) {
    const qapfw_component& descriptor = *component.descriptor;
    Choice choice{&component, ParameterValues(&descriptor)};
    for (const auto& [name, text] : given) {
        const auto index = find_parameter(descriptor, name);
        if (!index) unknown_parameter(descriptor, name);
        const qapfw_parameter& parameter = parameter_at(descriptor, *index);
        choice.parameters.values()[*index] =
            read_parameter(parameter, value_node(parameter, text), name, working_folder());
    }
    for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(descriptor, k);
        if ((parameter.flags & QAPFW_PARAMETER_REQUIRED) != 0 && !choice.parameters.values()[k].present) {
            throw Error(ErrorKind::kUsage, fmt::format("{} {}: parameter {} must be given ({}), as in --set {}=...",
                                                       kind_name(descriptor.kind), descriptor.id, parameter.name,
                                                       wanted_value(parameter), parameter.name));
        }
    }
    return choice;
}

bool has_parameter(const qapfw_component& component, const std::string& name) {
    return find_parameter(component, name).has_value();
}

}  // namespace qapfw::framework
