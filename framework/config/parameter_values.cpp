// SPDX-License-Identifier: Apache-2.0
// ParameterValues: takes defaults, replaces "auto" and sizes such as "16n" by values, and gives the values to plugins.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/config/config.hpp"
#include "framework/config/parameter_reader.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

namespace {

using Value = ParameterValues::Value;

Value default_value(const qapfw_parameter& parameter) {
    Value value;
    value.where = "default";
    const std::string text = parameter.default_text != nullptr ? parameter.default_text : "";
    const bool absent = (parameter.flags & (QAPFW_PARAMETER_REQUIRED | QAPFW_PARAMETER_OPTIONAL)) != 0;
    if (absent || parameter.default_text == nullptr) return value;
    value.present = true;
    if ((parameter.flags & QAPFW_PARAMETER_AUTO) != 0 && text == "auto") {
        value.is_auto = true;
        return value;
    }
    set_from_text(parameter, text, value);
    return value;
}

qapfw_value to_c(const qapfw_parameter& parameter, const Value& value, const std::vector<const char*>& list) {
    qapfw_value c{};
    c.type = parameter.type;
    c.present = value.present ? 1 : 0;
    c.is_auto = value.is_auto ? 1 : 0;
    c.integer = value.integer;
    c.real = value.real;
    c.text = value.text.c_str();
    c.list = list.data();
    c.list_count = static_cast<std::uint32_t>(list.size());
    return c;
}

std::string text_of(const qapfw_value& value) {
    switch (value.type) {
        case QAPFW_PARAMETER_REAL:
            return fmt::format("{}", value.real);
        case QAPFW_PARAMETER_BOOLEAN:
            return value.integer != 0 ? "true" : "false";
        case QAPFW_PARAMETER_TEXT:
        case QAPFW_PARAMETER_CHOICE:
            return fmt::format("\"{:.80}\"", value.text != nullptr ? value.text : "");
        case QAPFW_PARAMETER_LIST:
            return fmt::format("a list of {} texts", value.list_count);
        default:
            return std::to_string(value.integer);
    }
}

/// Checks `size`, the number that a size form such as "16n" gives for this n. For a very small or large problem, the
/// number may be out of range. If the form is the default, the function returns the nearest end of the range. If the
/// user wrote the form, it throws.
std::int64_t checked_size(const qapfw_parameter& parameter, const Value& value, std::int64_t size, std::uint32_t n,
                          const std::string& label) {
    if (in_range(parameter, size)) return size;
    if (value.where == "default") {
        return static_cast<std::int64_t>(std::clamp(static_cast<double>(size), parameter.minimum, parameter.maximum));
    }
    throw Error(ErrorKind::kUsage, fmt::format("{}: {} must be {}, found \"{}\", which is {} for n = {}", value.where,
                                               label, wanted_value(parameter), value.text, size, n));
}

}  // namespace

ParameterValues::ParameterValues(const qapfw_component* component) : component_(component) {
    if (component == nullptr) return;
    for (std::uint32_t k = 0; k < component->parameter_count; ++k) {
        values_.push_back(default_value(parameter_at(*component, k)));
    }
}

void ParameterValues::resolve_sizes(std::uint32_t n) {
    for (std::uint32_t k = 0; k < values_.size(); ++k) {
        const qapfw_parameter& parameter = parameter_at(*component_, k);
        Value& value = values_[k];
        if (parameter.type != QAPFW_PARAMETER_SIZE || !value.present || value.is_auto || value.resolved) continue;
        const auto form = SizeForm::parse(value.text);
        if (!form)
            throw Error(ErrorKind::kInternal,
                        fmt::format("\"{}\" is not a size such as \"4n\" or \"n/2\"", value.text));
        value.integer = checked_size(parameter, value, form->of(n), n, parameter_label(*component_, parameter));
        value.resolved = true;
    }
}

void ParameterValues::resolve(const std::string& name, const qapfw_value& given) {
    const std::optional<std::uint32_t> index = find_parameter(*component_, name);
    if (!index) {
        throw Error(ErrorKind::kPlugin,
                    fmt::format("the plugin resolved the parameter \"{:.80}\", which it did not declare", name));
    }
    const qapfw_parameter& parameter = parameter_at(*component_, *index);
    if (set_resolved(parameter, given, values_[*index])) return;
    throw Error(ErrorKind::kPlugin, fmt::format("the {} \"{}\" resolved its parameter {} to {}, but it must be {}",
                                                kind_name(component_->kind), component_->id, name, text_of(given),
                                                wanted_value(parameter)));
}

const qapfw_parameters* ParameterValues::c_values() {
    c_values_.clear();
    c_lists_.assign(values_.size(), {});
    for (std::uint32_t k = 0; k < values_.size(); ++k) {
        for (const std::string& item : values_[k].list) c_lists_[k].push_back(item.c_str());
        c_values_.push_back(to_c(parameter_at(*component_, k), values_[k], c_lists_[k]));
    }
    c_parameters_ = {sizeof(qapfw_parameters), static_cast<std::uint32_t>(c_values_.size()), c_values_.data()};
    return &c_parameters_;
}

void RunSettings::resolve_sizes(std::uint32_t n) {
    const auto size_of = [n](const std::string& form) {
        return static_cast<std::uint64_t>(SizeForm::parse(form).value().of(n));
    };
    if (!iterations_form.empty()) iterations = size_of(iterations_form);
    if (!stagnation_form.empty()) stagnation_iterations = size_of(stagnation_form);
}

void Config::resolve_sizes(std::uint32_t n) {
    algorithm.parameters.resolve_sizes(n);
    if (improver) improver->parameters.resolve_sizes(n);
    run.resolve_sizes(n);
}

}  // namespace qapfw::framework
