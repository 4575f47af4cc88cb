// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/run_folders.hpp"

#include <fmt/core.h>

#include <chrono>
#include <set>
#include <sstream>
#include <vector>

#include "framework/device/random_scheme.hpp"
#include "framework/record/run_record.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

PluginIdentity identity_of(const Choice& choice) {
    const Component& component = *choice.component;
    return {kind_name(component.descriptor->kind),
            component.descriptor->id,
            component.descriptor->version != nullptr ? component.descriptor->version : "",
            fmt::format("{} {}", component.plugin->id, component.plugin->version),
            component.library_hash,
            component.path.string()};
}

/// The lines of a TOML text without the remarks that to_toml adds about how a size was written.
std::vector<std::string> lines_of(const std::string& toml) {
    std::vector<std::string> lines;
    std::istringstream stream(toml);
    for (std::string line; std::getline(stream, line);) lines.push_back(line.substr(0, line.find("  # \"")));
    return lines;
}

/// "- line" for what is only in `before`, "+ line" for what is only in `now`.
std::string diff(const std::string& before, const std::string& now) {
    const auto old_lines = lines_of(before), new_lines = lines_of(now);
    const std::multiset<std::string> old_set(old_lines.begin(), old_lines.end());
    const std::multiset<std::string> new_set(new_lines.begin(), new_lines.end());
    std::string text;
    for (const auto& line : old_lines) {
        if (new_set.count(line) == 0) text += "\n  - " + line;
    }
    for (const auto& line : new_lines) {
        if (old_set.count(line) == 0) text += "\n  + " + line;
    }
    return text;
}

}  // namespace

std::filesystem::path make_record_folder(const Config& config, const qapfw_problem_info& info) {
    namespace fs = std::filesystem;
    if (config.output.folder.empty()) {
        const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
        return create_new_folder(fs::path("runs") /
                                 record_name(now, config.problem.component->descriptor->id, info.instance,
                                             config.algorithm.component->descriptor->id, config.run.seed));
    }
    const fs::path& folder = config.output.folder;
    std::error_code error;
    if (fs::exists(folder, error) && !(fs::is_directory(folder, error) && fs::is_empty(folder, error))) {
        if (!error) {
            throw Error(ErrorKind::kUsage,
                        fmt::format("{}: exists already, and records are never overwritten", folder.string()));
        }
    }
    if (!error) fs::create_directories(folder, error);
    if (error) {
        throw Error(ErrorKind::kIo, fmt::format("{}: cannot create the folder: {}", folder.string(), error.message()));
    }
    return folder;
}

std::filesystem::path seed_folder(const std::filesystem::path& folder, std::uint64_t seed) {
    return folder / fmt::format("s{}", seed);
}

std::string trajectory_of(Config config, std::uint64_t seed) {
    config.run = RunSettings{};
    config.run.seed = seed;
    config.device = DeviceSettings{};
    config.output = OutputSettings{};
    config.plugin_path.clear();
    config.allow_writable_plugins = false;
    return to_toml(config);
}

std::string recorded_config(Config config, std::uint64_t seed, std::uint32_t runs) {
    config.run.seed = seed;
    config.run.runs = runs;
    config.output.folder.clear();
    return to_toml(config);
}

RunIdentity identity_of(const Config& config, const qapfw_problem_info& info, const std::string& backend) {
    RunIdentity identity;
    identity.plugins = {identity_of(config.problem), identity_of(config.algorithm)};
    if (config.improver) identity.plugins.push_back(identity_of(*config.improver));
    identity.instance = info.instance;
    identity.fingerprint = info.fingerprint;
    identity.backend = backend;
    identity.random_scheme = random_scheme_version();
    return identity;
}

void check_same_run(const Checkpoint& checkpoint, const RunIdentity& identity, const std::string& trajectory) {
    std::string text;
    for (const std::string& line : differences(checkpoint.identity, identity)) text += "\n  " + line;
    const std::string changes = diff(checkpoint.trajectory, trajectory);
    if (!changes.empty()) text += "\n  configuration (- recorded, + found):" + changes;
    if (text.empty()) return;
    throw Error(ErrorKind::kUsage, "the run cannot be resumed, because what determines its course has changed:" + text);
}

}  // namespace qapfw::framework
