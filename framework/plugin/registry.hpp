// SPDX-License-Identifier: Apache-2.0
// Finds, tries, loads and keeps plugin libraries. A library is tried in a short-lived child process, then loaded for
// good with Boost.DLL. A bad library makes only itself unusable; it is listed with the reason.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "qapfw/abi/plugin.h"

namespace qapfw::framework {

/// Folders in which plugins are looked for, in order of precedence, and what is trusted.
struct PluginSearch {
    /// `--plugin-path`, [plugins].path, QAPFW_PLUGIN_PATH, user, install. An entry may also be one library file,
    /// whatever its suffix; an entry that does not exist is a refusal.
    std::vector<std::filesystem::path> folders;
    bool allow_writable_by_others = false;        ///< load from folders or files that others may write
    std::chrono::milliseconds trial_limit{5000};  ///< a child that takes longer is a hanging plugin
    /// Libraries that plugins.hashes beside them lists were tried when they were installed, and are not tried again.
    bool knows_installed = false;
    /// Tries the others, in a process that it is started for; empty: a fork of this process does.
    std::filesystem::path trial_program = {};
};

/// The folders that are used if nothing else is said: all of QAPFW_PLUGIN_PATH and, if they exist,
/// $XDG_DATA_HOME/qapfw/plugins-2 and ../lib/qapfw/plugins-2 beside the folder of this binary.
std::vector<std::filesystem::path> default_plugin_folders();

/// Folder of the user's own plugins, whether it is there or not; empty without a home folder.
std::filesystem::path user_plugin_folder();

/// The folder above `bin` or `lib` of the binary or library that this code is part of; empty where it is not known.
std::filesystem::path installation_prefix();
/// The program of the same installation.
std::filesystem::path installation_program();

/// The file with the hashes of a plugin folder's libraries: a line "HASH NAME" for each.
constexpr const char* kPluginHashes = "plugins.hashes";
/// Its text for the libraries of a folder.
std::string plugin_hashes(const std::filesystem::path& folder);

/// A usable component and the library it came from. It lives until the process ends.
struct Component {
    const qapfw_component* descriptor = nullptr;
    const qapfw_plugin* plugin = nullptr;
    std::filesystem::path path;  ///< canonical
    std::string library_hash;    ///< xxh3-128 of the file, hex, for the run record
};

/// The kind and the id by which a component is found.
struct Identity {
    uint32_t kind = 0;
    std::string id;
    bool operator==(const Identity&) const = default;
};

/// A library that is not used, or not all of it, and why, in one sentence that names the file, what was expected and
/// what was found.
struct Refusal {
    std::filesystem::path path;
    std::string reason;
    std::vector<Identity> identities = {};  ///< what is not used of it, as far as it is known
};

const char* kind_name(uint32_t kind);  ///< "problem", "solver", "improver"

class Registry {
  public:
    /// Tries every `*.qapfw.so` of the folders. It never throws for a bad library; see refusals(). It forks, so it must
    /// run before any thread or CUDA context exists. If two libraries offer the same (kind, id), that component of the
    /// earlier folder's library is used, and the later one is without it, which is a refusal. Within one folder there
    /// is no order, so neither is used. All other components of both libraries are used.
    static Registry scan(const PluginSearch& search);

    /// A registry of components that are in this process already (tests, embedding).
    static Registry of(std::vector<Component> components, std::vector<Refusal> refusals = {});

    /// Throws Error(kUsage) with the nearest names and, if a refused library may have had the component, with the
    /// reason.
    const Component& find(uint32_t kind, const std::string& id) const;
    /// Null where none is loaded.
    const Component* find_loaded(uint32_t kind, std::string_view id) const;
    const std::vector<Component>& components() const { return components_; }
    const std::vector<Refusal>& refusals() const { return refusals_; }

  private:
    std::vector<Component> components_;
    std::vector<Refusal> refusals_;
};

}  // namespace qapfw::framework
