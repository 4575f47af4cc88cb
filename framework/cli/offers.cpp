// SPDX-License-Identifier: Apache-2.0
// Words for shell completion that depend on what is installed: instances, keys of --set, algorithms, plugins.
#include <fmt/format.h>

#include <set>

#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/config/settings.hpp"
#include "framework/host/plugin_call.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "framework/problem/problem.hpp"

namespace qapfw::framework {
namespace {

using Words = std::set<std::string>;

const char* table_name(std::uint32_t kind) {
    return kind == QAPFW_KIND_PROBLEM ? "problem" : kind == QAPFW_KIND_SOLVER ? "algorithm" : "algorithm.improver";
}

Words keys(const Registry& registry) {
    Words words{"problem.plugin", "problem.initial", "algorithm.plugin", "algorithm.improver.plugin"};
    for (const Setting& setting : settings()) words.insert(fmt::format("{}.{}", setting.table, setting.key));
    for (const Component& component : registry.components()) {
        const qapfw_component& descriptor = *component.descriptor;
        for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k)
            words.insert(fmt::format("{}.{}", table_name(descriptor.kind), parameter_at(descriptor, k).name));
    }
    return words;
}

Words instances(const Registry& registry, const std::vector<std::filesystem::path>& data_paths) {
    Words words;
    Host host(1, data_paths);
    const auto take = [](void* user, const char* name, const char*, const void*, std::uint64_t) {
        static_cast<Words*>(user)->insert(name);
    };
    for (const Component& component : registry.components()) {
        const qapfw_component& descriptor = *component.descriptor;
        const auto get = descriptor.get_capability;
        if (descriptor.kind != QAPFW_KIND_PROBLEM || get == nullptr) continue;
        const auto* table = static_cast<const qapfw_problem_instances*>(get(QAPFW_PROBLEM_INSTANCES));
        if (table == nullptr) continue;
        const HostTable own(host, fmt::format("problem {}", descriptor.id), {});
        call_plugin(own.owner(), "list", [&] { return table->list(own.table(), take, &words); });
    }
    return words;
}

Words ids(const Registry& registry, bool solvers_alone) {
    Words words;
    for (const Component& component : registry.components()) {
        if (!solvers_alone || component.descriptor->kind == QAPFW_KIND_SOLVER) words.insert(component.descriptor->id);
    }
    return words;
}

}  // namespace

int command_offers(const CommonOptions& common, const std::string& kind) {
    const Registry registry = scan_plugins(common, {}, false);
    Words words;
    if (kind == "instances") {
        words = instances(registry, data_paths(common));
    } else if (kind == "keys") {
        for (const std::string& key : keys(registry)) words.insert(key + "=");
    } else if (kind == "algorithms" || kind == "plugins") {
        words = ids(registry, kind == "algorithms");
    } else {
        throw Error(ErrorKind::kUsage,
                    fmt::format("wanted instances, keys, algorithms or plugins, found \"{}\"", kind));
    }
    std::string text;
    for (const std::string& word : words) text += word + "\n";
    return print(text) ? kSuccess : kOutputError;
}

}  // namespace qapfw::framework
