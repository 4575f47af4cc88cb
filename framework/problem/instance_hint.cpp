// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/instance_hint.hpp"

#include <fmt/core.h>

#include "framework/plugin/parameter_text.hpp"
#include "framework/problem/problem_recognition.hpp"

namespace qapfw::framework {
namespace {

constexpr const char* kParameter = "instance";

}  // namespace

WantedInstance WantedInstance::of(const Config& config) {
    const qapfw_component& descriptor = *config.problem.component->descriptor;
    WantedInstance wanted{descriptor.id, {}};
    for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k) {
        if (parameter_at(descriptor, k).name == std::string(kParameter)) {
            wanted.instance = config.problem.parameters.values()[k].text;
        }
    }
    return wanted;
}

void rethrow_with_instance_hint(const Error& error, const WantedInstance& wanted, const Registry& registry,
                                const std::vector<std::filesystem::path>& data_paths) {
    const std::string text = error.what();
    const bool about_it = !wanted.instance.empty() && text.find(wanted.instance) != std::string::npos;
    if (!about_it || (error.kind() != ErrorKind::kInput && error.kind() != ErrorKind::kUsage)) throw;
    for (const Component& component : registry.components()) {
        const qapfw_component& descriptor = *component.descriptor;
        if (descriptor.kind != QAPFW_KIND_PROBLEM || descriptor.id == wanted.problem) continue;
        if (!takes_instance(component, wanted.instance, data_paths)) continue;
        // Perhaps the file only looks like an instance of this problem.
        if (!can_be_made(component, wanted.instance, data_paths)) continue;
        throw Error(error.kind(), fmt::format("{}; problem {} can read the instance {}: set problem.plugin = \"{}\"",
                                              text, descriptor.id, wanted.instance, descriptor.id));
    }
    throw;
}

}  // namespace qapfw::framework
