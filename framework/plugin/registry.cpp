// SPDX-License-Identifier: Apache-2.0
// From folders to usable components: libraries are found, checked for trust, tried, checked for duplicates, and loaded.
#include "framework/plugin/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "framework/plugin/descriptor.hpp"
#include "framework/plugin/library.hpp"
#include "framework/plugin/search.hpp"
#include "framework/plugin/trial.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

namespace {

/// A candidate that has been tried but not yet loaded.
struct Tried {
    Candidate candidate;
    TrialResult trial;
};

Refusal refuse(const Tried& tried, const std::string& reason) {
    return {tried.candidate.path, fmt::format("{}: {}", tried.candidate.path.string(), reason), tried.trial.identities};
}

std::vector<Candidate> trusted(std::vector<Candidate> candidates, std::vector<Refusal>& refusals) {
    std::vector<Candidate> kept;
    for (Candidate& candidate : candidates) {
        const std::string reason = distrust(candidate);
        if (reason.empty()) {
            kept.push_back(std::move(candidate));
        } else {
            refusals.push_back(
                {candidate.path, fmt::format("{}: {}; load it all the same with --allow-writable-plugins",
                                             candidate.path.string(), reason)});
        }
    }
    return kept;
}

std::vector<Tried> passed_trial(const std::vector<Candidate>& candidates, std::chrono::milliseconds limit,
                                std::vector<Refusal>& refusals) {
    std::vector<std::filesystem::path> paths;
    for (const Candidate& candidate : candidates) paths.push_back(candidate.path);
    std::vector<TrialResult> results = try_libraries(paths, limit);
    std::vector<Tried> passed;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        Tried tried{candidates[k], std::move(results[k])};
        if (tried.trial.refusal.empty()) {
            passed.push_back(std::move(tried));
        } else {
            refusals.push_back(refuse(tried, tried.trial.refusal));
        }
    }
    return passed;
}

/// The library that stands in the way of `index`: one of an earlier folder, or any other one of the same folder.
const Tried* rival_of(const std::vector<Tried>& libraries, std::size_t index, const Identity& identity) {
    for (std::size_t k = 0; k < libraries.size(); ++k) {
        const auto& offered = libraries[k].trial.identities;
        if (k == index || std::find(offered.begin(), offered.end(), identity) == offered.end()) continue;
        if (libraries[k].candidate.rank <= libraries[index].candidate.rank) return &libraries[k];
    }
    return nullptr;
}

std::string duplicate_reason(const std::vector<Tried>& libraries, std::size_t index) {
    const Tried& own = libraries[index];
    for (const Identity& identity : own.trial.identities) {
        const Tried* rival = rival_of(libraries, index, identity);
        if (rival == nullptr) continue;
        const bool same_folder = rival->candidate.rank == own.candidate.rank;
        return fmt::format("the {} \"{}\" must come from one library, found it in {} too; {}", kind_name(identity.kind),
                           identity.id, rival->candidate.path.string(),
                           same_folder ? "remove one of them" : "that one comes first and takes its place");
    }
    return {};
}

std::vector<Tried> without_duplicates(const std::vector<Tried>& libraries, std::vector<Refusal>& refusals) {
    std::vector<Tried> kept;
    for (std::size_t k = 0; k < libraries.size(); ++k) {
        const std::string reason = duplicate_reason(libraries, k);
        if (reason.empty()) {
            kept.push_back(libraries[k]);
        } else {
            refusals.push_back(refuse(libraries[k], reason));
        }
    }
    return kept;
}

/// Loads the library for good. It checks again, since a library may behave differently the second time.
std::vector<Component> load_components(const std::filesystem::path& path) {
    const std::string hash = hash_file(path);
    const qapfw_plugin& plugin = load_library(path);
    if (auto wrong = check_plugin(plugin); !wrong.empty()) throw Error(ErrorKind::kPlugin, wrong);
    std::vector<Component> components;
    for (std::uint32_t k = 0; k < plugin.component_count; ++k) {
        components.push_back({plugin.components[k], &plugin, path, hash});
    }
    return components;
}

std::string quoted(const std::vector<std::string>& names) {
    return fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

/// The reasons of refused libraries that have the component, or may have it by their name.
std::string refusals_about(const std::vector<Refusal>& refusals, const Identity& identity) {
    std::string reasons;
    for (const Refusal& refusal : refusals) {
        const auto& known = refusal.identities;
        const bool has_it = std::find(known.begin(), known.end(), identity) != known.end();
        const bool named_so = known.empty() && refusal.path.filename().string().find(identity.id) != std::string::npos;
        if (has_it || named_so) reasons += fmt::format("; refused: {}", refusal.reason);
    }
    return reasons;
}

}  // namespace

const char* kind_name(uint32_t kind) {
    switch (kind) {
        case QAPFW_KIND_PROBLEM:
            return "problem";
        case QAPFW_KIND_SOLVER:
            return "solver";
        case QAPFW_KIND_IMPROVER:
            return "improver";
        default:
            return "component of unknown kind";
    }
}

Registry Registry::scan(const PluginSearch& search) {
    Registry registry;
    auto candidates = find_candidates(search, registry.refusals_);
    if (!search.allow_writable_by_others) candidates = trusted(std::move(candidates), registry.refusals_);
    const auto passed = passed_trial(candidates, search.trial_limit, registry.refusals_);
    for (const Tried& tried : without_duplicates(passed, registry.refusals_)) {
        try {
            for (Component& component : load_components(tried.candidate.path)) {
                registry.components_.push_back(std::move(component));
            }
        } catch (const Error& error) {
            registry.refusals_.push_back(refuse(tried, error.what()));
        }
    }
    return registry;
}

Registry Registry::of(std::vector<Component> components, std::vector<Refusal> refusals) {
    Registry registry;
    registry.components_ = std::move(components);
    registry.refusals_ = std::move(refusals);
    return registry;
}

const Component& Registry::find(uint32_t kind, const std::string& id) const {
    std::vector<std::string> names, other_kinds;
    for (const Component& component : components_) {
        const qapfw_component& descriptor = *component.descriptor;
        if (descriptor.kind == kind && id == descriptor.id) return component;
        if (descriptor.kind == kind) names.emplace_back(descriptor.id);
        if (id == descriptor.id) {
            const char* article = descriptor.kind == QAPFW_KIND_IMPROVER ? "an" : "a";
            other_kinds.push_back(fmt::format("{} {}", article, kind_name(descriptor.kind)));
        }
    }
    std::string message = fmt::format("no {} plugin is called \"{}\"", kind_name(kind), id);
    if (!other_kinds.empty()) message += fmt::format(" (there is {} of that name)", fmt::join(other_kinds, " and "));
    if (const auto near = nearest_names(id, names); !near.empty())
        message += fmt::format("; did you mean {}?", quoted(near));
    message += names.empty() ? fmt::format("; no {} plugin was found at all", kind_name(kind))
                             : fmt::format("; available: {}", quoted(names));
    throw Error(ErrorKind::kUsage, message + refusals_about(refusals_, {kind, id}));
}

}  // namespace qapfw::framework
