// SPDX-License-Identifier: Apache-2.0
// Finds plugin libraries in folders, checks whether the libraries can be trusted, and tries them (see trial.hpp). Then
// refuses duplicate components, and loads the libraries that are left.
#include "framework/plugin/registry.hpp"
#include "common/nearest_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "framework/plugin/descriptor.hpp"
#include "framework/plugin/library.hpp"
#include "framework/plugin/search.hpp"
#include "framework/plugin/trial.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

namespace {

/// The line of a library in plugins.hashes.
std::string hash_line(const std::filesystem::path& library) {
    return fmt::format("{} {}\n", hash_file(library), library.filename().string());
}

/// A candidate and the result of its trial.
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

/// The libraries whose current hash is in the file plugins.hashes of their folder.
std::set<std::filesystem::path> known_by_hash(const std::vector<Candidate>& candidates) {
    std::map<std::filesystem::path, std::string> texts;
    std::set<std::filesystem::path> known;
    for (const Candidate& candidate : candidates) {
        const auto [entry, is_new] = texts.try_emplace(candidate.folder);
        const std::filesystem::path list = candidate.folder / kPluginHashes;
        std::error_code none;
        if (is_new && std::filesystem::is_regular_file(list, none)) {
            std::ifstream file(list);
            entry->second = "\n" + std::string(std::istreambuf_iterator<char>(file), {});
        }
        if (entry->second.size() < 2) continue;
        if (entry->second.find("\n" + hash_line(candidate.path)) != std::string::npos) known.insert(candidate.path);
    }
    return known;
}

/// Loads a library that was tried when it was installed, and lists its components. The library is not tried again.
TrialResult as_installed(const std::filesystem::path& path) {
    TrialResult result;
    try {
        const qapfw_plugin& plugin = load_library(path);
        result.refusal = check_plugin(plugin);
        for (std::uint32_t k = 0; result.refusal.empty() && k < plugin.component_count; ++k) {
            result.identities.push_back({plugin.components[k]->kind, plugin.components[k]->id});
        }
    } catch (const Error& error) {
        result.refusal = error.what();
    }
    return result;
}

std::vector<TrialResult> trial_results(const std::vector<Candidate>& candidates, const PluginSearch& search) {
    const auto known = search.knows_installed ? known_by_hash(candidates) : std::set<std::filesystem::path>();
    std::vector<std::filesystem::path> unknown;
    for (const Candidate& candidate : candidates) {
        if (!known.contains(candidate.path)) unknown.push_back(candidate.path);
    }
    std::vector<TrialResult> tried;
    if (!unknown.empty()) tried = try_libraries(unknown, search.trial_limit, search.trial_program);
    std::vector<TrialResult> results;
    auto next = tried.begin();
    for (const Candidate& candidate : candidates) {
        results.push_back(known.contains(candidate.path) ? as_installed(candidate.path) : std::move(*next++));
    }
    return results;
}

std::vector<Tried> passed_trial(const std::vector<Candidate>& candidates, const PluginSearch& search,
                                std::vector<Refusal>& refusals) {
    std::vector<TrialResult> results = trial_results(candidates, search);
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

/// The other library that also offers this component, and so forbids it to library `index`: a library of an earlier
/// folder, or of the same folder. Null: there is none.
const Tried* rival_of(const std::vector<Tried>& libraries, std::size_t index, const Identity& identity) {
    for (std::size_t k = 0; k < libraries.size(); ++k) {
        const auto& offered = libraries[k].trial.identities;
        if (k == index || std::find(offered.begin(), offered.end(), identity) == offered.end()) continue;
        if (libraries[k].candidate.rank <= libraries[index].candidate.rank) return &libraries[k];
    }
    return nullptr;
}

/// The components that a library may not offer (`lost`), because the library `rival` offers them too.
struct Clash {
    const Tried* rival;
    std::vector<Identity> lost;
};

/// Components that library `index` may not offer, grouped by the library that offers them too.
std::vector<Clash> clashes_of(const std::vector<Tried>& libraries, std::size_t index) {
    std::vector<Clash> clashes;
    for (const Identity& identity : libraries[index].trial.identities) {
        const Tried* rival = rival_of(libraries, index, identity);
        if (rival == nullptr) continue;
        const auto same =
            std::find_if(clashes.begin(), clashes.end(), [&](const Clash& c) { return c.rival == rival; });
        (same != clashes.end() ? *same : clashes.emplace_back(Clash{rival, {}})).lost.push_back(identity);
    }
    return clashes;
}

std::string clash_reason(const Tried& own, const Clash& clash, bool has_others) {
    std::vector<std::string> names;
    for (const Identity& lost : clash.lost)
        names.push_back(fmt::format("the {} \"{}\"", kind_name(lost.kind), lost.id));
    const bool one = names.size() == 1;
    const bool same_folder = clash.rival->candidate.rank == own.candidate.rank;
    return fmt::format("{} must come from one library, found {} in {} too; {}{}", fmt::join(names, ", "),
                       one ? "it" : "them", clash.rival->candidate.path.string(),
                       same_folder ? "remove one of the two libraries"
                       : one       ? "that library comes first, so its component is used"
                                   : "that library comes first, so its components are used",
                       has_others ? "; the other components of both libraries are used" : "");
}

/// A library and the components that it may not offer.
struct Chosen {
    Tried library;
    std::vector<Identity> lost;
};

std::vector<Chosen> without_duplicates(const std::vector<Tried>& libraries, std::vector<Refusal>& refusals) {
    std::vector<Chosen> kept;
    for (std::size_t k = 0; k < libraries.size(); ++k) {
        Chosen chosen{libraries[k], {}};
        const std::vector<Clash> clashes = clashes_of(libraries, k);
        for (const Clash& clash : clashes) {
            chosen.lost.insert(chosen.lost.end(), clash.lost.begin(), clash.lost.end());
        }
        const bool has_others = chosen.lost.size() < libraries[k].trial.identities.size();
        for (const Clash& clash : clashes) {
            Refusal refusal = refuse(libraries[k], clash_reason(libraries[k], clash, has_others));
            refusal.identities = clash.lost;
            refusals.push_back(std::move(refusal));
        }
        if (has_others) kept.push_back(std::move(chosen));
    }
    return kept;
}

/// Loads the library into this process and keeps it loaded. Checks the library again, since it may behave differently
/// the second time.
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

/// Returns the reasons why libraries with the component were refused. A refused library whose components are unknown
/// counts if its file name contains the component's id.
std::string refusals_about(const std::vector<Refusal>& refusals, const Identity& identity) {
    std::string reasons;
    for (const Refusal& refusal : refusals) {
        const auto& known = refusal.identities;
        const bool has_it = std::find(known.begin(), known.end(), identity) != known.end();
        const std::string file = refusal.path.filename().string();
        const std::string name = file.substr(0, file.find(QAPFW_PLUGIN_SUFFIX));
        const bool named_so = known.empty() && name.find(identity.id) != std::string::npos;
        if (has_it || named_so) reasons += fmt::format("; refused: {}", refusal.reason);
    }
    return reasons;
}

/// Says how many libraries were refused, with the reason of the first refusal; empty: no library was refused. The
/// command `qapfw plugin list` tells the other reasons.
std::string refusals_of_all(const std::vector<Refusal>& refusals) {
    if (refusals.empty()) return {};
    return fmt::format("; {} {} refused (`qapfw plugin list` gives all reasons); the first reason: {}", refusals.size(),
                       refusals.size() == 1 ? "library was" : "libraries were", refusals.front().reason);
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

std::string plugin_hashes(const std::filesystem::path& folder) {
    PluginSearch search;
    search.folders = {folder};
    std::vector<Refusal> refusals;
    std::string text;
    for (const Candidate& candidate : find_candidates(search, refusals)) text += hash_line(candidate.path);
    return text;
}

Registry Registry::scan(const PluginSearch& search) {
    Registry registry;
    auto candidates = find_candidates(search, registry.refusals_);
    if (!search.allow_writable_by_others) candidates = trusted(std::move(candidates), registry.refusals_);
    const auto passed = passed_trial(candidates, search, registry.refusals_);
    for (const Chosen& chosen : without_duplicates(passed, registry.refusals_)) {
        try {
            for (Component& component : load_components(chosen.library.candidate.path)) {
                const Identity identity{component.descriptor->kind, component.descriptor->id};
                if (std::find(chosen.lost.begin(), chosen.lost.end(), identity) != chosen.lost.end()) continue;
                registry.components_.push_back(std::move(component));
            }
        } catch (const Error& error) {
            registry.refusals_.push_back(refuse(chosen.library, error.what()));
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

const Component* Registry::find_loaded(uint32_t kind, std::string_view id) const {
    const auto found = std::find_if(components_.begin(), components_.end(), [&](const Component& component) {
        return component.descriptor->kind == kind && component.descriptor->id == id;
    });
    return found != components_.end() ? &*found : nullptr;
}

const Component& Registry::find(uint32_t kind, const std::string& id) const {
    if (const Component* const loaded = find_loaded(kind, id)) return *loaded;
    std::vector<std::string> names, other_kinds;
    for (const Component& component : components_) {
        const qapfw_component& descriptor = *component.descriptor;
        if (descriptor.kind == kind) names.emplace_back(descriptor.id);
        if (id == descriptor.id) {
            const char* article = descriptor.kind == QAPFW_KIND_IMPROVER ? "an" : "a";
            other_kinds.push_back(fmt::format("{} {}", article, kind_name(descriptor.kind)));
        }
    }
    std::string message = fmt::format("no {} plugin is called \"{}\"", kind_name(kind), id);
    if (!other_kinds.empty()) message += fmt::format(" (there is {} of that name)", fmt::join(other_kinds, " and "));
    if (const auto near = common::nearest_names(id, names); !near.empty())
        message += fmt::format("; did you mean {}?", quoted(near));
    message += names.empty() ? fmt::format("; no {} plugin was found at all", kind_name(kind))
                             : fmt::format("; available: {}", quoted(names));
    const std::string reasons = refusals_about(refusals_, {kind, id});
    // If no library could be loaded, the plugins are at fault. The id that the user gave may be right.
    const bool none_loads = names.empty() && !refusals_.empty() &&
                            std::all_of(refusals_.begin(), refusals_.end(),
                                        [](const Refusal& refusal) { return refusal.identities.empty(); });
    throw Error(none_loads ? ErrorKind::kPlugin : ErrorKind::kUsage,
                message + (names.empty() && reasons.empty() ? refusals_of_all(refusals_) : reasons));
}

}  // namespace qapfw::framework
