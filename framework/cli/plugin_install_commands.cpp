// SPDX-License-Identifier: Apache-2.0
// `qapfw plugin install|remove`: other people's plugins in the user's own folder. Before a file is copied, its checksum
// is compared with FILE.sha256 if that file exists. Then a child process loads the file as a trial.
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <regex>
#include <system_error>

#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/cli/recorded_sum.hpp"
#include "framework/host/printable.hpp"
#include "framework/host/trust.hpp"
#include "framework/laboratory/report/sha256.hpp"
#include "framework/plugin/registry.hpp"
#include "framework/plugin/search.hpp"
#include "framework/record/folder.hpp"

namespace qapfw::framework {
using namespace laboratory;
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = QAPFW_PLUGIN_SUFFIX;

std::string hex_digits_of(const std::string& bytes) {
    std::string text;
    for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return text;
}

/// The plugin's name without version and platform: "srflp" of "srflp-1.2.3-abi2-linux-x86_64.qapfw.so". A later version
/// replaces the plugin of the same name.
std::string plugin_name(const std::string& file) {
    static const std::regex kVersion(
        "(.+)-[0-9]+(\\.[0-9]+)*([-+.~]?(a|b|rc|alpha|beta|dev|pre|post)[-.]?[0-9]*)?(-abi[0-9]+(-.*)?)?");
    const std::string name = file.substr(0, file.size() - kSuffix.size());
    std::smatch parts;
    return std::regex_match(name, parts, kVersion) ? parts[1].str() : name;
}

/// Throws Error(kUsage) if other commands could not list or remove a plugin called `name`. The message calls the file
/// `given`.
void refuse_odd_name(const std::string& given, const std::string& name) {
    if (!name.empty() && name.front() != '.' && name.front() != '-' && printable(name) == name) return;
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: wanted a name that begins with neither a dot nor a dash and has no control "
                            "characters, found \"{}\"; rename the file",
                            printable(given), printable(name)));
}

fs::path own_folder() {
    const fs::path folder = user_plugin_folder();
    if (folder.empty()) {
        throw Error(ErrorKind::kUsage, "there is no folder for plugins: set HOME or XDG_DATA_HOME to an absolute path");
    }
    return folder;
}

using Identities = std::vector<Identity>;

bool has(const Identities& all, const Identity& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

std::string text_of(const Identity& identity) {
    return fmt::format("{} {}", kind_name(identity.kind), identity.id);
}

std::string text_of(const Identities& identities) {
    std::vector<std::string> names;
    for (const Identity& identity : identities) names.push_back(text_of(identity));
    return fmt::format("{}", fmt::join(names, ", "));
}

/// The components that the library offers by itself, without other libraries. Throws if the library is refused.
Identities offers_of(const fs::path& file, bool allow_writable) {
    PluginSearch search;
    search.folders = {file};
    search.allow_writable_by_others = allow_writable;
    const Registry registry = Registry::scan(search);
    if (!registry.refusals().empty()) throw Error(ErrorKind::kPlugin, registry.refusals().front().reason);
    Identities identities;
    for (const Component& component : registry.components())
        identities.push_back({component.descriptor->kind, component.descriptor->id});
    return identities;
}

/// The user's plugin folder, locked for this command. A folder made by this command is removed if nothing was put into
/// it.
class OwnFolder {
  public:
    explicit OwnFolder(bool allow_writable) : path_(own_folder()), is_new_(make(path_)), open_(path_) {
        ::flock(open_.descriptor(), LOCK_EX);
        const std::string reason = allow_writable ? std::string() : distrust_library(fs::canonical(path_), path_);
        if (reason.empty()) return;
        take_away();
        throw Error(ErrorKind::kPlugin, fmt::format("{}: {}; --allow-writable-plugins installs the plugin all the same",
                                                    path_.string(), reason));
    }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;
    ~OwnFolder() { take_away(); }
    const fs::path& path() const { return path_; }
    void write(const std::string& name, const std::string& bytes) {
        const Folder& folder = open_;
        folder.replace(name, bytes, Durability::kPower);
        is_new_ = false;
    }

  private:
    static bool make(const fs::path& folder) {
        std::error_code error;
        const bool made = fs::create_directories(folder, error);
        if (error) throw Error(ErrorKind::kIo, fmt::format("{}: cannot create: {}", folder.string(), error.message()));
        return made;
    }
    void take_away() const {
        std::error_code none;
        if (is_new_) fs::remove(path_, none);
    }

    fs::path path_;
    bool is_new_;
    Folder open_;
};

/// Throws Error(kPlugin) if another installed library has a component that is in `offered`. Also throws it if the
/// library to be replaced can be loaded but has no component that is in `offered`.
void refuse_clash(const OwnFolder& folder, const std::string& name, const Identities& offered) {
    PluginSearch search;
    search.folders = {folder.path()};
    std::vector<Refusal> ignored;
    for (const Candidate& candidate : find_candidates(search, ignored)) {
        const std::string other = candidate.path.filename().string();
        Identities installed;
        try {
            installed = offers_of(candidate.path, true);
        } catch (const Error&) {
            continue;
        }
        Identities common;
        std::copy_if(offered.begin(), offered.end(), std::back_inserter(common),
                     [&](const Identity& identity) { return has(installed, identity); });
        const std::string plugin = other.substr(0, other.size() - kSuffix.size());
        if (other != name && !common.empty()) {
            throw Error(ErrorKind::kPlugin,
                        fmt::format("{} already offers {}; a component that two libraries offer is not used. Remove "
                                    "the old plugin first: qapfw plugin remove {}",
                                    candidate.path.string(), text_of(common), plugin));
        }
        if (other == name && common.empty()) {
            throw Error(ErrorKind::kPlugin, fmt::format("{} is another plugin, with {}; rename your file, or remove "
                                                        "the other one first: qapfw plugin remove {}",
                                                        candidate.path.string(), text_of(installed), plugin));
        }
    }
}

/// Returns one warning for each refused library that offers a component in `offered`. The library that was just
/// installed may be among them.
std::string shadowing_text(const CommonOptions& options, const Identities& offered) {
    std::string text;
    const Registry registry = scan_plugins(options, {}, false);
    for (const Refusal& refusal : registry.refusals()) {
        const bool shared = std::any_of(refusal.identities.begin(), refusal.identities.end(),
                                        [&](const Identity& identity) { return has(offered, identity); });
        if (shared) text += fmt::format("warning: {}\n", refusal.reason);
    }
    return text;
}

/// Throws Error(kUsage) unless `given`, the library named on the command line, is a regular file whose name is allowed.
void refuse_no_library(const std::string& given) {
    const fs::path file = given;
    std::error_code error;
    if (!fs::is_regular_file(file, error)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: wanted a plugin library (*{}), found {}", given, kSuffix,
                                fs::is_directory(file, error) ? "a folder; name a file in it" : "no such file"));
    }
    if (!file.filename().string().ends_with(kSuffix))
        throw Error(ErrorKind::kUsage, fmt::format("{}: wanted a name that ends in {}", given, kSuffix));
    refuse_odd_name(given, plugin_name(file.filename().string()));
}

/// Names of the libraries in a folder, without their ending; none if the folder does not exist.
std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        std::error_code ignored;
        if (name.ends_with(kSuffix) && !fs::is_directory(entry->symlink_status(ignored)))
            names.push_back(name.substr(0, name.size() - kSuffix.size()));
    }
    if (error && error != std::errc::no_such_file_or_directory)
        throw Error(ErrorKind::kIo, fmt::format("{}: cannot read: {}", folder.string(), error.message()));
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

int command_plugin_install(const InstallOptions& options) {
    refuse_no_library(options.file);
    ::umask(::umask(0) | S_IWGRP | S_IWOTH);  // group and others may not write new files
    const fs::path file = options.file;
    const std::string shown = file.filename().string();
    const std::string bytes = read_file(file);
    const std::optional<std::string> wanted = recorded_sha256(file);
    if (const std::string found = hex_digits_of(sha256(bytes)); wanted && *wanted != found) {
        throw Error(ErrorKind::kInput, fmt::format("{}: its SHA-256 is {}, but {}.sha256 says {}; fetch the file again",
                                                   options.file, found, shown, *wanted));
    }
    const bool allow_writable = options.common.allow_writable_plugins;
    const Identities offered = offers_of(file, allow_writable);
    if (offered.empty()) throw Error(ErrorKind::kPlugin, options.file + ": it has no components");
    const std::string name = plugin_name(shown) + std::string(kSuffix);
    OwnFolder folder(allow_writable);
    refuse_clash(folder, name, offered);
    std::error_code error;
    const bool replaces = fs::exists(folder.path() / name, error);
    folder.write(name, bytes);
    const std::string text = fmt::format(
        "{} {} with {}\n{}{}", replaces ? "replaced" : "installed", (folder.path() / name).string(), text_of(offered),
        wanted ? "" : fmt::format("there is no {}.sha256 beside the file, so its checksum was not compared\n", shown),
        shadowing_text(options.common, offered));
    return print(text) ? kSuccess : kOutputError;
}

int command_plugin_remove(const InstallOptions& options) {
    const fs::path folder = own_folder();
    const std::vector<std::string> names = names_in(folder);
    std::error_code error;
    if (std::find(names.begin(), names.end(), options.file) == names.end()) {
        throw Error(
            ErrorKind::kUsage,
            fmt::format("no plugin \"{}\" is installed in {}; {}", options.file, folder.string(),
                        names.empty() ? "the folder has none" : fmt::format("it has: {}", fmt::join(names, ", "))));
    }
    const fs::path file = folder / (options.file + std::string(kSuffix));
    if (!fs::remove(file, error)) throw Error(ErrorKind::kIo, fmt::format("{}: {}", file.string(), error.message()));
    return print(fmt::format("removed {}\n", file.string())) ? kSuccess : kOutputError;
}

}  // namespace qapfw::framework
