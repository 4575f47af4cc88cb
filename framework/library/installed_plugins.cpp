// SPDX-License-Identifier: Apache-2.0
#include "framework/library/installed_plugins.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "framework/plugin/search.hpp"

namespace qapfw::framework {
namespace {

/// A text that changes when the file changes. While it stays the same, the file need not be checked again.
std::string identity_of_file(const std::filesystem::path& path) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) return {};
    return fmt::format("{}:{}:{}:{}.{}:{}.{}", info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec,
                       info.st_mtim.tv_nsec, info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
}

std::string key_of(const PluginSearch& search) {
    std::vector<Refusal> refusals;
    std::string key;
    for (const Candidate& candidate : find_candidates(search, refusals)) {
        key += fmt::format("{}|{}|{}|{}\n", candidate.path.string(), candidate.folder.string(), candidate.rank,
                           identity_of_file(candidate.path));
    }
    for (const Refusal& refusal : refusals) key += refusal.reason + "\n";
    return key;
}

}  // namespace

std::shared_ptr<const Registry> installed_plugins(const std::vector<std::filesystem::path>& folders) {
    static std::mutex mutex;
    // Never destroyed: sessions may outlive static objects.
    static std::map<std::string, std::shared_ptr<const Registry>>& known =
        *new std::map<std::string, std::shared_ptr<const Registry>>;
    PluginSearch search;
    search.folders = folders;
    for (const auto& folder : default_plugin_folders()) search.folders.push_back(folder);
    search.knows_installed = true;
    search.trial_program = installation_program();
    const std::lock_guard lock(mutex);
    const std::string key = key_of(search);
    auto& entry = known[key];
    if (!entry) entry = std::make_shared<const Registry>(Registry::scan(search));
    return entry;
}

}  // namespace qapfw::framework
