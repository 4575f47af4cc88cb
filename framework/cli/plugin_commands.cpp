// SPDX-License-Identifier: Apache-2.0
// `qapfw plugin list|describe` and `qapfw schema`: show what the plugins' tables say.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "common/nearest_names.hpp"
#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "framework/record/json_parts.hpp"

namespace qapfw::framework {
namespace {

const char* text_or_empty(const char* text) {
    return text != nullptr ? text : "";
}

std::string backends_text(std::uint32_t backends) {
    std::string text;
    if ((backends & QAPFW_BACKEND_CPU) != 0) text += "cpu";
    if ((backends & QAPFW_BACKEND_CUDA) != 0) text += text.empty() ? "cuda" : " cuda";
    return text;
}

const char* type_name(std::uint32_t type) {
    static constexpr const char* kNames[]{"unknown", "integer", "real", "boolean", "text", "choice", "size", "list"};
    return kNames[type < std::size(kNames) ? type : 0];
}

std::string default_of(const qapfw_parameter& parameter) {
    if ((parameter.flags & QAPFW_PARAMETER_REQUIRED) != 0) return "required";
    if (parameter.default_text == nullptr) return "-";
    return *parameter.default_text == '\0' ? "\"\"" : parameter.default_text;
}

Json parameter_json(const qapfw_parameter& parameter) {
    Json json;
    json["name"] = parameter.name;
    json["type"] = type_name(parameter.type);
    json["default"] = parameter.default_text != nullptr ? Json(parameter.default_text) : Json();
    json["required"] = (parameter.flags & QAPFW_PARAMETER_REQUIRED) != 0;
    json["auto"] = (parameter.flags & QAPFW_PARAMETER_AUTO) != 0;
    const bool bounded = parameter.minimum != 0 || parameter.maximum != 0;
    json["minimum"] = bounded ? Json(parameter.minimum) : Json();
    json["maximum"] = bounded ? Json(parameter.maximum) : Json();
    if (parameter.type == QAPFW_PARAMETER_CHOICE) json["choices"] = split_choices(parameter.choices);
    json["unit"] = parameter.unit != nullptr ? Json(parameter.unit) : Json();
    json["symbol"] = parameter.symbol != nullptr ? Json(parameter.symbol) : Json();
    json["summary"] = text_or_empty(parameter.summary);
    return json;
}

Json component_json(const Component& component) {
    const qapfw_component& descriptor = *component.descriptor;
    Json json;
    json["kind"] = kind_name(descriptor.kind);
    json["id"] = descriptor.id;
    json["version"] = text_or_empty(descriptor.version);
    json["summary"] = text_or_empty(descriptor.summary);
    json["reference"] = descriptor.reference != nullptr ? Json(descriptor.reference) : Json();
    json["encodings"] = descriptor.encodings != nullptr ? Json(descriptor.encodings) : Json();
    json["backends"] = backends_text(descriptor.backends);
    json["uses_improver"] = descriptor.uses_improver == 0 ? "never" : descriptor.uses_improver == 1 ? "may" : "must";
    json["library"] = fmt::format("{} {}", component.plugin->id, component.plugin->version);
    json["licence"] = component.plugin->licence != nullptr ? Json(component.plugin->licence) : Json();
    json["compiler"] = text_or_empty(component.plugin->compiler);
    json["path"] = component.path.string();
    json["hash"] = component.library_hash;
    json["parameters"] = Json::array();
    for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k) {
        json["parameters"].push_back(parameter_json(parameter_at(descriptor, k)));
    }
    return json;
}

std::string component_text(const Component& component) {
    const qapfw_component& descriptor = *component.descriptor;
    std::string text = fmt::format("{} {} {}\n  {}\n", kind_name(descriptor.kind), descriptor.id,
                                   text_or_empty(descriptor.version), text_or_empty(descriptor.summary));
    if (descriptor.reference != nullptr) text += fmt::format("  Reference: {}\n", descriptor.reference);
    if (descriptor.kind != QAPFW_KIND_PROBLEM) {
        text += fmt::format("  Encodings: {}.  Backends: {}.\n",
                            descriptor.encodings != nullptr ? descriptor.encodings : "all",
                            backends_text(descriptor.backends));
    }
    if (descriptor.kind == QAPFW_KIND_SOLVER) {
        const char* use[] = {"none", "optional", "required"};
        text += fmt::format("  Improver: {}.\n", use[descriptor.uses_improver <= 2 ? descriptor.uses_improver : 0]);
    }
    text +=
        fmt::format("  From {} {} ({})\n", component.plugin->id, component.plugin->version, component.path.string());
    if (descriptor.parameter_count > 0) text += "\n";
    for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(descriptor, k);
        const std::string symbol = parameter.symbol != nullptr ? fmt::format(" [{}]", parameter.symbol) : std::string();
        text += fmt::format("  {:<22} {:<12} {}{}\n  {:<22} {:<12} {}\n", parameter.name, default_of(parameter),
                            text_or_empty(parameter.summary), symbol, "", "", wanted_value(parameter));
    }
    return text;
}

int put(const std::string& text) {
    return print(text) ? kSuccess : kOutputError;
}

}  // namespace

int command_plugin_list(const CommonOptions& options, bool json) {
    const Registry registry = scan_plugins(options, {}, false);
    if (json) {
        Json all;
        all["plugins"] = Json::array();
        for (const Component& component : registry.components()) all["plugins"].push_back(component_json(component));
        all["refused"] = Json::array();
        for (const Refusal& refusal : registry.refusals()) {
            all["refused"].push_back({{"path", refusal.path.string()}, {"reason", refusal.reason}});
        }
        return put(all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    }
    std::string text;
    for (const Component& component : registry.components()) {
        text += fmt::format("{:<9} {:<18} {:<8} {}\n", kind_name(component.descriptor->kind), component.descriptor->id,
                            text_or_empty(component.descriptor->version), text_or_empty(component.descriptor->summary));
    }
    if (registry.components().empty()) text += "no plugins found\n";
    for (const Refusal& refusal : registry.refusals()) text += fmt::format("refused   {}\n", refusal.reason);
    return put(text);
}

int command_plugin_describe(const DescribeOptions& options) {
    const Registry registry = scan_plugins(options.common, {}, false);
    if (options.id.empty()) {
        std::string ids;
        for (const Component& component : registry.components()) {
            const char* const kind = kind_name(component.descriptor->kind);
            if (options.kind.empty() || options.kind == kind)
                ids += fmt::format("{:<9} {}\n", kind, component.descriptor->id);
        }
        return put(ids + "\nqapfw plugin describe ID shows the parameters of one plugin.\n");
    }
    Json all = Json::array();
    std::string text;
    for (const Component& component : registry.components()) {
        if (component.descriptor->id != options.id) continue;
        if (!options.kind.empty() && options.kind != kind_name(component.descriptor->kind)) continue;
        all.push_back(component_json(component));
        if (!text.empty()) text += '\n';
        text += component_text(component);
    }
    if (all.empty()) {
        std::vector<std::string> ids;
        for (const Component& component : registry.components()) ids.emplace_back(component.descriptor->id);
        const auto nearest = common::nearest_names(options.id, ids);
        throw Error(ErrorKind::kUsage, fmt::format("no {} \"{}\" was found{}; `qapfw plugin list` shows all",
                                                   options.kind.empty() ? "plugin" : options.kind, options.id,
                                                   nearest.empty() ? "" : " (did you mean " + nearest.front() + "?)"));
    }
    return put(options.json ? all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n" : text);
}

int command_schema(const CommonOptions& options) {
    return put(json_schema(scan_plugins(options, {}, false)));
}

}  // namespace qapfw::framework
