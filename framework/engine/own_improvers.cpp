// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/own_improvers.hpp"
#include "common/nearest_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "framework/config/document.hpp"
#include "framework/config/parameter_reader.hpp"
#include "framework/engine/algorithm.hpp"
#include "framework/host/plugin_call.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Sets one parameter from "key=value".
void set(const std::string& setting, const std::string& place, Choice& choice) {
    const qapfw_component& descriptor = *choice.component->descriptor;
    const std::size_t equals = setting.find('=');
    const std::string key = setting.substr(0, equals);
    std::vector<std::string> known;
    for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(descriptor, k);
        known.emplace_back(parameter.name);
        if (key != parameter.name || equals == std::string::npos) continue;
        const Node node = option_value(setting.substr(equals + 1), place);
        choice.parameters.values()[k] = read_parameter(parameter, node, parameter.name, {});
        return;
    }
    const auto near = common::nearest_names(key, known);
    const std::string fault =
        equals == std::string::npos
            ? fmt::format("a setting of improver {} is written key=value, found \"{:.80}\"", descriptor.id, setting)
            : fmt::format("improver {} has no setting \"{:.80}\"", descriptor.id, key);
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: {}; {} {}", place, fault,
                            near.empty() ? "its settings, each written key=value, are" : "did you mean",
                            near.empty() ? fmt::format("{}", fmt::join(known, ", ")) : near.front() + "=...?"));
}

Choice choice_of(const Component& component, const std::string& settings, const std::string& place) {
    Choice choice{&component, ParameterValues(component.descriptor)};
    std::istringstream words(settings);
    for (std::string setting; words >> setting;) set(setting, place, choice);
    return choice;
}

}  // namespace

struct OwnImprovers::Own {
    Choice choice;
    Improver improver;
    Own(Host& host, Choice chosen, const Problem& problem)
        : choice(std::move(chosen)), improver(host, choice, problem) {}
};

OwnImprovers::OwnImprovers(Host& host, const Problem& problem, const Registry& registry)
    : host_(host), problem_(problem), registry_(registry) {
    table_.struct_size = sizeof table_;
    table_.context = this;
    table_.has = [](void* context, const char* id) -> std::int32_t {
        return static_cast<const OwnImprovers*>(context)->has(id) ? 1 : 0;
    };
    table_.make = [](void* context, const char* id, const char* settings, const char* place,
                     const qapfw_improver_ref** out) -> qapfw_status {
        try {
            *out = static_cast<OwnImprovers*>(context)->make(id, settings, place);
            return QAPFW_OK;
        } catch (const Error& error) {
            set_last_error(error.what());
            return error.kind() == ErrorKind::kUsage ? QAPFW_ERROR_INPUT : status_of(error.kind());
        } catch (const std::exception& error) {
            set_last_error(error.what());
            return QAPFW_ERROR;
        }
    };
}

OwnImprovers::~OwnImprovers() = default;

bool OwnImprovers::has(const std::string& id) const {
    const Component* const loaded = registry_.find_loaded(QAPFW_KIND_IMPROVER, id);
    return loaded != nullptr && mismatch_of(*loaded, problem_, backend()).empty();
}

const qapfw_improver_ref* OwnImprovers::make(const std::string& id, const std::string& settings,
                                             const std::string& place) {
    const Component* component = nullptr;
    try {
        component = &registry_.find(QAPFW_KIND_IMPROVER, id);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: {}", place, error.what()));
    }
    if (const std::string wrong = mismatch_of(*component, problem_, backend()); !wrong.empty()) {
        throw Error(ErrorKind::kUnsupported, fmt::format("{}: {}", place, wrong));
    }
    Choice choice = choice_of(*component, settings, place);
    choice.parameters.resolve_sizes(problem_.info().n);
    return made_.emplace_back(host_, std::move(choice), problem_).improver.ref();
}

}  // namespace qapfw::framework
