// SPDX-License-Identifier: Apache-2.0
// Finds, tries, loads and keeps plugin libraries. A library is tried in a short-lived child process, unless it was
// tried when it was installed. Then Boost.DLL loads it into this process. A bad library is refused with a reason; the
// other libraries stay usable.
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

/// The search for plugins: its folders in order of precedence, the files to trust, and the way to try libraries.
struct PluginSearch {
    /// The folders of `--plugin-path`, [plugins].path and QAPFW_PLUGIN_PATH, then the user's plugin folder, then the
    /// installation's folders. An entry may also be a library file with any suffix. A missing entry is reported as a
    /// Refusal.
    std::vector<std::filesystem::path> folders;
    bool allow_writable_by_others = false;        ///< also load from folders or files that others may write
    std::chrono::milliseconds trial_limit{5000};  ///< time after which a trial's child process counts as hanging
    /// True: a library is not tried if the file plugins.hashes in its folder contains the library's hash. The library
    /// was tried when it was installed.
    bool knows_installed = false;
    /// Program to start for the trials; empty: the trials run in forks of this process.
    std::filesystem::path trial_program = {};
};

/// The default folders: all of QAPFW_PLUGIN_PATH and, if they exist, the user's folder and lib/qapfw/plugins-2 below
/// the installation's prefix. If the build installs plugins elsewhere, such as in lib64, that folder comes before
/// lib/qapfw/plugins-2.
std::vector<std::filesystem::path> default_plugin_folders();

/// Folder of the user's own plugins, which may not exist; empty if neither XDG_DATA_HOME nor HOME is an absolute path.
std::filesystem::path user_plugin_folder();

/// The folder above `bin` or `lib` of the binary or library that contains this code; empty if unknown.
std::filesystem::path installation_prefix();
/// The path bin/qapfw below the installation's prefix; empty if the prefix is unknown. The file may not exist.
std::filesystem::path installation_program();

/// The file with the hashes of a plugin folder's libraries: a line "HASH NAME" for each.
constexpr const char* kPluginHashes = "plugins.hashes";
/// The text of plugins.hashes for the libraries of a folder.
std::string plugin_hashes(const std::filesystem::path& folder);

/// A usable component and the library it came from. The pointers stay valid until the process ends.
struct Component {
    const qapfw_component* descriptor = nullptr;
    const qapfw_plugin* plugin = nullptr;
    std::filesystem::path path;  ///< canonical path of the library
    std::string library_hash;    ///< xxh3-128 of the file, hex, for the run record
};

/// Kind and id of a component.
struct Identity {
    uint32_t kind = 0;
    std::string id;
    bool operator==(const Identity&) const = default;
};

/// A library or folder of which all or some components are not used. `reason` is a message: the file, what was
/// expected, what was found.
struct Refusal {
    std::filesystem::path path;
    std::string reason;
    std::vector<Identity> identities = {};  ///< components of the library that are not used; empty if unknown
};

const char* kind_name(uint32_t kind);  ///< "problem", "solver", "improver"

class Registry {
  public:
    /// Tries the libraries that the search finds, and loads those that work. A bad library causes no exception; it is
    /// listed in refusals(). Unless search.trial_program is set, the function forks, so call it before any thread or
    /// CUDA context exists. If two libraries offer a component of the same kind and id, the component from the earlier
    /// folder is used. If both libraries are in one folder, neither component is used. All their other components are
    /// used.
    static Registry scan(const PluginSearch& search);

    /// A registry of components that are already in this process (tests, embedding).
    static Registry of(std::vector<Component> components, std::vector<Refusal> refusals = {});

    /// The component. If it is not loaded, throws Error(kUsage) with the nearest names, and with the reasons of refused
    /// libraries that may have the component. Throws Error(kPlugin) instead if no component of this kind is loaded and
    /// every refused library failed before its components were known.
    const Component& find(uint32_t kind, const std::string& id) const;
    /// The component; null if it is not loaded.
    const Component* find_loaded(uint32_t kind, std::string_view id) const;
    const std::vector<Component>& components() const { return components_; }
    const std::vector<Refusal>& refusals() const { return refusals_; }

  private:
    std::vector<Component> components_;
    std::vector<Refusal> refusals_;
};

}  // namespace qapfw::framework
