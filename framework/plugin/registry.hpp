// SPDX-License-Identifier: Apache-2.0
// Finds, tries, loads and keeps plugin libraries. A library is tried in a short-lived child process, then loaded for
// good with Boost.DLL; one bad library disables itself and is listed with its reason.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "qapfw/abi/plugin.h"

namespace qapfw::framework {

/// Where plugins are looked for, in order of precedence, and how wary to be.
struct PluginSearch {
    /// `--plugin-path`, QAPFW_PLUGIN_PATH, [plugins].path, user, install. An entry may also be one library file,
    /// whatever its suffix; an entry that does not exist is a refusal.
    std::vector<std::filesystem::path> folders;
    bool allow_writable_by_others = false;        ///< load from folders or files that others may write
    std::chrono::milliseconds trial_limit{5000};  ///< a child that takes longer is a hanging plugin
};

/// The folders used when nothing else is said: QAPFW_PLUGIN_PATH (all of them), and where they exist
/// $XDG_DATA_HOME/qapfw/plugins-1 and ../lib/qapfw/plugins-1 beside this binary's folder.
std::vector<std::filesystem::path> default_plugin_folders();

/// One usable component and the library it came from. Lives until the process ends.
struct Component {
    const qapfw_component* descriptor = nullptr;
    const qapfw_plugin* plugin = nullptr;
    std::filesystem::path path;  ///< canonical
    std::string library_hash;    ///< xxh3-128 of the file, hex, for the run record
};

/// What a component is found by.
struct Identity {
    uint32_t kind = 0;
    std::string id;
    bool operator==(const Identity&) const = default;
};

/// A library that was not loaded, and why, in one sentence that names the file, what was expected and what was found.
struct Refusal {
    std::filesystem::path path;
    std::string reason;
    std::vector<Identity> identities = {};  ///< what it would have offered, as far as it is known
};

const char* kind_name(uint32_t kind);  ///< "problem", "solver", "improver"

class Registry {
  public:
    /// Tries every `*.qapfw.so` of the folders. Never throws for a bad library; see refusals().
    /// Must run before any thread or CUDA context exists (it forks).
    /// Where two libraries offer the same (kind, id), the one from the earlier folder is used and the later one
    /// refused; within one folder no order is meant, so both are refused.
    static Registry scan(const PluginSearch& search);

    /// A registry of components that are in this process already (tests, embedding).
    static Registry of(std::vector<Component> components, std::vector<Refusal> refusals = {});

    /// Throws Error(kUsage) with the nearest names, and with the reason where a refused library may have had it.
    const Component& find(uint32_t kind, const std::string& id) const;
    const std::vector<Component>& components() const { return components_; }
    const std::vector<Refusal>& refusals() const { return refusals_; }

  private:
    std::vector<Component> components_;
    std::vector<Refusal> refusals_;
};

/// The names of `candidates` nearest to `name` by edit distance, best first, at most three; for "did you mean".
std::vector<std::string> nearest_names(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace qapfw::framework
