// SPDX-License-Identifier: Apache-2.0
// `qapfw plugin install|remove`: other people's plugins in the user's own folder. A file is tried, and its checksum
// compared where there is one, before it is copied.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <system_error>

#include "framework/cli/commands.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/plugin/registry.hpp"
#include "framework/plugin/search.hpp"
#include "framework/report/sha256.hpp"

namespace qapfw::framework {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = QAPFW_PLUGIN_SUFFIX;

std::string bytes_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    if (!file || !(bytes << file.rdbuf())) throw Error(ErrorKind::kIo, fmt::format("{}: cannot read", path.string()));
    return std::move(bytes).str();
}

std::string hex_digits_of(const std::string& bytes) {
    std::string text;
    for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
    return text;
}

/// Throws Error(kInput) where the file FILE.sha256 beside it has another sum; whether there is one.
bool has_right_sum(const fs::path& file, const std::string& bytes) {
    const fs::path beside = file.string() + ".sha256";
    std::error_code error;
    if (!fs::exists(beside, error)) return false;
    std::string wanted;
    std::istringstream(bytes_of(beside)) >> wanted;
    const std::string found = hex_digits_of(sha256(bytes));
    std::transform(wanted.begin(), wanted.end(), wanted.begin(), [](unsigned char c) { return std::tolower(c); });
    if (wanted == found) return true;
    throw Error(ErrorKind::kInput, fmt::format("{}: its SHA-256 is {}, {} says {}; fetch the file again", file.string(),
                                               found, beside.filename().string(), wanted.substr(0, 64)));
}

/// "srflp" of "srflp-1.2.3-abi2-linux-x86_64.qapfw.so": the name by which a later version takes its place.
std::string plugin_name(const fs::path& file) {
    std::string name = file.filename().string();
    name.resize(name.size() - kSuffix.size());
    for (std::size_t dash = name.find('-'); dash != name.npos; dash = name.find('-', dash + 1)) {
        if (dash + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[dash + 1])) != 0) {
            return name.substr(0, dash);
        }
    }
    return name;
}

fs::path own_folder() {
    const fs::path folder = user_plugin_folder();
    if (folder.empty()) {
        throw Error(ErrorKind::kUsage, "neither HOME nor XDG_DATA_HOME is set, so there is no folder for plugins");
    }
    return folder;
}

/// Under another name first, so that no run meets a part of it.
void copy_into(const fs::path& folder, const std::string& name, const std::string& bytes) {
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path target = folder / name, part = folder / ("." + name + ".part");
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw Error(ErrorKind::kIo, fmt::format("{}: cannot write", part.string()));
    fs::permissions(part, fs::perms(0644), error);
    fs::rename(part, target, error);
    if (error) throw Error(ErrorKind::kIo, fmt::format("{}: {}", target.string(), error.message()));
}

std::string components_text(const Registry& registry) {
    std::string text;
    for (const Component& component : registry.components()) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind_name(component.descriptor->kind),
                            component.descriptor->id);
    }
    return text;
}

}  // namespace

int command_plugin_install(const InstallOptions& options) {
    const fs::path file = options.file;
    std::error_code error;
    if (!fs::is_regular_file(file, error)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: wanted a plugin library (*{}), found no such file", options.file, kSuffix));
    }
    const std::string shown = file.filename().string();
    if (!shown.ends_with(kSuffix) || shown.size() == kSuffix.size()) {
        throw Error(ErrorKind::kUsage, fmt::format("{}: wanted a name that ends in {}", options.file, kSuffix));
    }
    const std::string bytes = bytes_of(file);
    const bool summed = has_right_sum(file, bytes);
    PluginSearch search;
    search.folders = {file};
    search.allow_writable_by_others = options.common.allow_writable_plugins;
    const Registry registry = Registry::scan(search);
    if (!registry.refusals().empty()) throw Error(ErrorKind::kPlugin, registry.refusals().front().reason);
    if (registry.components().empty()) throw Error(ErrorKind::kPlugin, options.file + ": it has no components");
    const fs::path folder = own_folder();
    const std::string name = plugin_name(file) + std::string(kSuffix);
    const bool replaces = fs::exists(folder / name, error);
    copy_into(folder, name, bytes);
    const std::string text = fmt::format(
        "{} {} with {}\n{}", replaces ? "replaced" : "installed", (folder / name).string(), components_text(registry),
        summed ? "" : fmt::format("no {}.sha256 lies beside the file, so its sum was not compared\n", shown));
    return print(text) ? kSuccess : kOutputError;
}

int command_plugin_remove(const InstallOptions& options) {
    const fs::path folder = own_folder();
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.ends_with(kSuffix)) names.push_back(name.substr(0, name.size() - kSuffix.size()));
    }
    std::sort(names.begin(), names.end());
    if (std::find(names.begin(), names.end(), options.file) == names.end()) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("no plugin \"{}\" is installed in {}; {}", options.file, folder.string(),
                                names.empty() ? "it has none" : fmt::format("it has: {}", fmt::join(names, ", "))));
    }
    const fs::path file = folder / (options.file + std::string(kSuffix));
    if (!fs::remove(file, error)) throw Error(ErrorKind::kIo, fmt::format("{}: {}", file.string(), error.message()));
    return print(fmt::format("removed {}\n", file.string())) ? kSuccess : kOutputError;
}

}  // namespace qapfw::framework
