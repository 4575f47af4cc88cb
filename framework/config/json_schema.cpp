// SPDX-License-Identifier: Apache-2.0
// JSON Schema of configuration files. Its version is draft 7, which the TOML modes of editors support.
#include <nlohmann/json.hpp>

#include "framework/config/config.hpp"
#include "framework/config/settings.hpp"
#include "framework/plugin/parameter_text.hpp"

namespace qapfw::framework {

namespace {

using Json = nlohmann::ordered_json;

Json with_range(Json schema, const qapfw_parameter& parameter) {
    if (parameter.minimum == 0 && parameter.maximum == 0) return schema;
    if (parameter.type == QAPFW_PARAMETER_REAL) {
        schema["minimum"] = parameter.minimum;
        schema["maximum"] = parameter.maximum;
    } else {
        schema["minimum"] = static_cast<std::int64_t>(parameter.minimum);
        // As a double, the maximum 2^63 - 1 is rounded up to 2^63, which std::int64_t cannot hold. A parameter with
        // this maximum gets no upper bound.
        if (parameter.maximum < 9.2e18) schema["maximum"] = static_cast<std::int64_t>(parameter.maximum);
    }
    return schema;
}

Json type_schema(const qapfw_parameter& parameter) {
    switch (parameter.type) {
        case QAPFW_PARAMETER_INTEGER:
            return with_range({{"type", "integer"}}, parameter);
        case QAPFW_PARAMETER_REAL:
            return with_range({{"type", "number"}}, parameter);
        case QAPFW_PARAMETER_BOOLEAN:
            return {{"type", "boolean"}};
        case QAPFW_PARAMETER_CHOICE:
            return {{"enum", split_choices(parameter.choices)}};
        case QAPFW_PARAMETER_SIZE: {
            const Json form = {{"type", "string"}, {"pattern", "^[0-9 ]*n( */ *[0-9]+)? *$"}};
            return {{"anyOf", Json::array({with_range({{"type", "integer"}}, parameter), form})}};
        }
        case QAPFW_PARAMETER_LIST:
            return {{"type", "array"}, {"items", {{"type", "string"}}}};
        default:
            return {{"type", "string"}};
    }
}

Json default_json(const qapfw_parameter& parameter) {
    const std::string text = parameter.default_text;
    if ((parameter.flags & QAPFW_PARAMETER_AUTO) != 0 && text == "auto") return text;
    switch (parameter.type) {
        case QAPFW_PARAMETER_INTEGER:
            return parse_integer(text).value_or(0);
        case QAPFW_PARAMETER_REAL:
            return parse_real(text).value_or(0);
        case QAPFW_PARAMETER_BOOLEAN:
            return text == "true";
        case QAPFW_PARAMETER_SIZE:
            if (const auto number = parse_integer(text)) return *number;
            return text;
        case QAPFW_PARAMETER_LIST:
            return parse_list(text).value_or(std::vector<std::string>{});
        default:
            return text;
    }
}

Json parameter_schema(const qapfw_parameter& parameter) {
    Json schema = type_schema(parameter);
    if ((parameter.flags & QAPFW_PARAMETER_AUTO) != 0) {
        schema = {{"anyOf", Json::array({schema, {{"const", "auto"}}})}};
    }
    std::string description = parameter.summary;
    if (parameter.unit != nullptr && *parameter.unit != '\0')
        description += " Unit: " + std::string(parameter.unit) + ".";
    if (parameter.symbol != nullptr && *parameter.symbol != '\0') {
        description += " Symbol: " + std::string(parameter.symbol) + ".";
    }
    schema["description"] = description;
    const bool absent = (parameter.flags & (QAPFW_PARAMETER_REQUIRED | QAPFW_PARAMETER_OPTIONAL)) != 0;
    if (!absent && parameter.default_text != nullptr) schema["default"] = default_json(parameter);
    return schema;
}

Json improver_schema(const Registry& registry);

Json component_schema(const qapfw_component& component, const Registry& registry) {
    Json properties = {{"plugin", {{"const", component.id}, {"description", component.summary}}}};
    Json required = Json::array();
    if (component.kind != QAPFW_KIND_PROBLEM) required.push_back("plugin");  // in [problem], an instance is enough
    if (component.kind == QAPFW_KIND_PROBLEM) {
        properties["initial"] = {{"type", Json::array({"string", "array"})},
                                 {"items", {{"type", "string"}}},
                                 {"description",
                                  "Solution file to start from, or folder of a run record to start from its best "
                                  "solutions; or a list of such files and folders."}};
    }
    for (std::uint32_t k = 0; k < component.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(component, k);
        properties[parameter.name] = parameter_schema(parameter);
        if ((parameter.flags & QAPFW_PARAMETER_REQUIRED) != 0) required.push_back(parameter.name);
    }
    if (component.kind == QAPFW_KIND_SOLVER && component.uses_improver != 0) {
        properties["improver"] = improver_schema(registry);
        if (component.uses_improver == 2) required.push_back("improver");
    }
    return {{"type", "object"}, {"properties", properties}, {"required", required}, {"additionalProperties", false}};
}

/// The schema of a table that may name any component of a kind.
Json kind_schema(std::uint32_t kind, const Registry& registry) {
    Json choices = Json::array();
    for (const Component& component : registry.components()) {
        if (component.descriptor->kind == kind) choices.push_back(component_schema(*component.descriptor, registry));
    }
    if (choices.empty()) return {{"type", "object"}};
    return {{kind == QAPFW_KIND_PROBLEM ? "anyOf" : "oneOf", choices}};
}

Json improver_schema(const Registry& registry) {
    return kind_schema(QAPFW_KIND_IMPROVER, registry);
}

Json settings_schema(const std::string& table) {
    Json properties = Json::object();
    for (const Setting& setting : settings()) {
        if (table != setting.table) continue;
        properties[setting.key] = Json::parse(setting.schema);
        properties[setting.key]["description"] = setting.summary;
    }
    return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

}  // namespace

std::string json_schema(const Registry& registry) {
    Json properties = {{"schema_version", {{"const", 1}}},
                       {"problem", kind_schema(QAPFW_KIND_PROBLEM, registry)},
                       {"algorithm", kind_schema(QAPFW_KIND_SOLVER, registry)}};
    for (const char* table : setting_tables()) properties[table] = settings_schema(table);
    const Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                         {"title", "qapfw configuration"},
                         {"type", "object"},
                         {"properties", properties},
                         {"required", Json::array({"problem"})},
                         {"additionalProperties", false}};
    return schema.dump(2) + "\n";
}

}  // namespace qapfw::framework
