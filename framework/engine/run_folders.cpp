// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/run_folders.hpp"

#include <fmt/core.h>

#include <charconv>
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

/// The lines of a TOML text, without the comments that to_toml adds to sizes (`64  # "n"`).
std::vector<std::string> lines_of(const std::string& toml) {
    std::vector<std::string> lines;
    std::istringstream stream(toml);
    for (std::string line; std::getline(stream, line);) lines.push_back(line.substr(0, line.find("  # \"")));
    return lines;
}

/// Throws if the folder holds more than its lock, or is no folder. `is_own_lock`: this process holds the lock. The
/// exception is FolderInUse if another process works on the folder.
void refuse_used(const std::filesystem::path& folder, bool is_own_lock) {
    namespace fs = std::filesystem;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name.starts_with(FolderLock::kFile) || name.starts_with(std::string(".") + FolderLock::kFile)) continue;
        if (!is_own_lock) refuse_in_use(Folder(folder));
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: exists already, and records are never overwritten; choose another folder",
                                folder.string()));
    }
    if (error == std::errc::not_a_directory) {
        throw Error(ErrorKind::kUsage, fmt::format("{}: exists already, and is no folder", folder.string()));
    }
}

/// The seeds for which `folder` has an entry named s<seed>.
std::set<std::uint64_t> seeds_in(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    std::set<std::uint64_t> seeds;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        std::uint64_t seed = 0;
        const char* last = name.data() + name.size();
        const auto read = std::from_chars(name.data() + 1, last, seed);
        if (name.starts_with('s') && name.size() > 1 && read.ec == std::errc() && read.ptr == last) seeds.insert(seed);
    }
    return seeds;
}

/// Throws if identities differ, or if `more`, a text with further differences, is not empty.
void refuse_changes(const RunIdentity& recorded, const RunIdentity& found, const std::string& more) {
    std::string text;
    for (const std::string& line : differences(recorded, found)) text += "\n  " + line;
    text += more;
    if (text.empty()) return;
    throw Error(ErrorKind::kUsage,
                "the run cannot be resumed, because something that determines its search has changed:" + text);
}

/// Returns the number of planned runs that the folder's summary states. Returns 0 if the summary is missing or damaged,
/// or states no number.
std::uint64_t wanted_runs(const Folder& folder) {
    try {
        const std::string json = folder.read("result.json");
        return checksum_defect(json).empty() ? parse_wanted_runs(json, "result.json") : 0;
    } catch (const Error&) {
        return 0;  // the summary is missing or damaged; this function does not report that
    }
}

}  // namespace

std::shared_ptr<RecordFolder> make_record_folder(const Config& config, const qapfw_problem_info& info) {
    namespace fs = std::filesystem;
    if (config.output.folder.empty()) {
        const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
        return RecordFolder::open_new(create_new_folder(
            fs::path("runs") / record_name(now, config.problem.component->descriptor->id, info.instance,
                                           config.algorithm.component->descriptor->id, config.run.seed)));
    }
    const fs::path& folder = config.output.folder;
    std::error_code unknown;
    if (fs::exists(folder, unknown)) refuse_used(folder, false);
    make_folder(folder);
    auto record = RecordFolder::open_new(folder);
    refuse_used(folder, true);  // another process may have used the folder before the lock was taken
    return record;
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        throw Error(ErrorKind::kIo, fmt::format("{}: cannot create the folder: {}", folder.string(), error.message()));
    }
}

void check_same_runs(const Folder& folder, const Config& config) {
    const std::set<std::uint64_t> seeds = seeds_in(folder.path());
    const RunSettings& run = config.run;
    const auto refuse = [&](const std::string& recorded) {
        throw Error(
            ErrorKind::kUsage,
            fmt::format("{}: the number of runs and their seeds cannot be changed by a resume: config.toml says "
                        "{} from seed {}, the record holds {}",
                        folder.path().string(), run.runs == 1 ? "one run" : fmt::format("{} runs", run.runs), run.seed,
                        recorded));
    };
    const bool single = folder.exists("trace.jsonl") || folder.exists("checkpoint.bin");
    if (run.runs > 1 && single) refuse("one run");
    if (run.runs == 1 && !seeds.empty()) refuse(fmt::format("runs from seed {}", *seeds.begin()));
    if (run.runs == 1) return;
    const std::uint64_t last = run.seed + (run.runs - 1);
    if (!seeds.empty() && (*seeds.begin() < run.seed || *seeds.rbegin() > last)) {
        refuse(fmt::format("seeds {} to {}", *seeds.begin(), *seeds.rbegin()));
    }
    const std::uint64_t wanted = wanted_runs(folder);
    if (wanted != 0 && wanted != run.runs) refuse(fmt::format("{} runs", wanted));
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

std::string line_differences(const std::string& before, const std::string& now) {
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

void check_same_run(const RunResult& recorded, const RunIdentity& identity, std::uint64_t seed) {
    std::string changes;
    if (recorded.seed != seed) changes = fmt::format("\n  seed: recorded {}, found {}", recorded.seed, seed);
    refuse_changes(recorded.identity, identity, changes);
}

void check_same_run(const Checkpoint& checkpoint, const RunIdentity& identity, const std::string& trajectory) {
    std::string changes = line_differences(checkpoint.trajectory, trajectory);
    if (!changes.empty()) changes.insert(0, "\n  configuration (- recorded, + found):");
    refuse_changes(checkpoint.identity, identity, changes);
}

}  // namespace qapfw::framework
