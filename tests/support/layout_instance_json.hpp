// SPDX-License-Identifier: Apache-2.0
// Writes instances as JSON, in the form of the published data files, for tests that read the JSON back.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "problems/uaflp/instance.hpp"

namespace qapfw::uaflp::test {

inline ShapeRule json_first_rule(const UaflpInstance& instance) {
    for (const Department& d : instance.departments) {
        if (!d.dummy && !d.blocked) return d.rule;
    }
    return {};
}

inline nlohmann::ordered_json shape_constraint(const UaflpInstance& instance) {
    const bool min_side = json_first_rule(instance).min_side > 0;
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const Department& d : instance.departments) {
        const double value = min_side ? d.rule.min_side : d.rule.max_aspect_ratio;
        values.push_back(value > 0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr));
    }
    return {{"kind", min_side ? "min_side" : "max_aspect_ratio"}, {"per_department", values}};
}

/// True if the rules of all departments fit into the one field shape_constraint: aspect ratios only, or side lengths
/// only.
inline bool has_one_kind_of_rule(const UaflpInstance& instance) {
    bool aspect = false;
    bool side = false;
    for (const Department& d : instance.departments) {
        aspect = aspect || d.rule.max_aspect_ratio > 0;
        side = side || d.rule.min_side > 0;
    }
    return !(aspect && side);
}

inline nlohmann::ordered_json department_tables(const UaflpInstance& instance) {
    nlohmann::ordered_json tables = nlohmann::ordered_json::array();
    for (const Department& d : instance.departments) {
        nlohmann::ordered_json table{{"name", d.name}, {"area", d.area}};
        if (d.rule.max_aspect_ratio > 0) table["max_aspect_ratio"] = d.rule.max_aspect_ratio;
        if (d.rule.min_side > 0) table["min_side"] = d.rule.min_side;
        if (d.dummy) table["dummy"] = true;
        tables.push_back(std::move(table));
    }
    return tables;
}

inline void add_department_lists(const UaflpInstance& instance, nlohmann::ordered_json& out) {
    out["n"] = instance.size();
    for (size_t i = 0; i < instance.size(); ++i) {
        const Department& d = instance.departments[i];
        out["areas"].push_back(d.area);
        out["names"].push_back(d.name);
        if (d.dummy) out["dummies"].push_back(i + 1);
    }
    out["shape_constraint"] = shape_constraint(instance);
}

inline std::string instance_to_json(const UaflpInstance& instance) {
    nlohmann::ordered_json out{{"format", "uaflp-1"},
                               {"name", instance.name},
                               {"plant", {{"width", instance.width}, {"height", instance.height}}},
                               {"metric", instance.metric == Metric::kEuclidean ? "euclidean" : "rectilinear"}};
    if (has_one_kind_of_rule(instance)) {
        add_department_lists(instance, out);
    } else {
        out["departments"] = department_tables(instance);
    }
    const size_t n = instance.size();
    for (size_t i = 0; i < n; ++i) {
        out["flow"].push_back(std::vector<double>(instance.flow.begin() + static_cast<std::ptrdiff_t>(i * n),
                                                  instance.flow.begin() + static_cast<std::ptrdiff_t>((i + 1) * n)));
    }
    return out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace qapfw::uaflp::test
