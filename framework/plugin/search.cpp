// SPDX-License-Identifier: Apache-2.0
// Finds plugin libraries.
#include "framework/plugin/search.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <system_error>

#include "framework/host/trust.hpp"

namespace qapfw::framework {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFolderName = "plugins-2";  // for major version 2 of the ABI

/// The plugin folder relative to the installation's prefix; the build tree has the same layout. The build may define
/// this macro with another folder, such as one in lib64.
#ifndef QAPFW_PLUGIN_SUBDIRECTORY
#define QAPFW_PLUGIN_SUBDIRECTORY "lib/qapfw/plugins-2"
#endif

void append_if_folder(std::vector<fs::path>& folders, const fs::path& folder) {
    std::error_code ignored;
    if (fs::is_directory(folder, ignored)) folders.push_back(folder);
}

std::vector<fs::path> split_colons(const std::string& list) {
    std::vector<fs::path> parts;
    std::size_t begin = 0;
    while (begin <= list.size()) {
        const auto end = std::min(list.find(':', begin), list.size());
        if (end > begin) parts.emplace_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

fs::path user_data_folder() {
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/') return data;
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') return fs::path(home) / ".local/share";
    return {};
}

bool has_plugin_suffix(const fs::path& path) {
    const std::string name = path.filename().string();
    return name.size() > std::strlen(QAPFW_PLUGIN_SUFFIX) && name.ends_with(QAPFW_PLUGIN_SUFFIX);
}

std::vector<fs::path> libraries_in(const fs::path& folder, std::error_code& error) {
    // The iterators of std::filesystem end the process if memory runs out, so the C functions are used.
    struct Close {
        void operator()(DIR* open) const { closedir(open); }
    };
    const std::unique_ptr<DIR, Close> open(opendir(folder.c_str()));
    if (!open) error.assign(errno, std::generic_category());
    std::vector<fs::path> found;
    while (const dirent* const entry = open ? readdir(open.get()) : nullptr) {
        if (has_plugin_suffix(entry->d_name)) found.push_back(folder / entry->d_name);
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Adds the file to `candidates` unless the search has already found it. A file that is not regular is added to
/// `refusals` instead.
void append_candidate(const fs::path& file, std::size_t rank, std::set<fs::path>& seen,
                      std::vector<Candidate>& candidates, std::vector<Refusal>& refusals) {
    std::error_code error;
    const fs::path canonical = fs::canonical(file, error);
    if (!error && !fs::is_regular_file(canonical, error)) error = std::make_error_code(std::errc::invalid_argument);
    if (error) {
        refusals.push_back({file, fmt::format("{}: it must be a regular file, found {}", file.string(),
                                              fs::is_symlink(file) ? "a link to no file" : "something else")});
        return;
    }
    if (!seen.insert(canonical).second) return;
    const fs::path folder = fs::canonical(file.parent_path().empty() ? fs::path(".") : file.parent_path(), error);
    candidates.push_back({canonical, error ? canonical.parent_path() : folder, rank});
}

}  // namespace

fs::path user_plugin_folder() {
    const fs::path data = user_data_folder();
    return data.empty() ? data : data / "qapfw" / kFolderName;
}

fs::path installation_prefix() {
    std::error_code error;
    Dl_info info{};
    const bool known =
        dladdr(reinterpret_cast<const void*>(&append_if_folder), &info) != 0 && info.dli_fname != nullptr;
    const fs::path own = known ? fs::path(info.dli_fname) : fs::path();
    const bool is_library = own.filename().string().find(".so") != std::string::npos;
    const fs::path file = is_library ? fs::canonical(own, error) : fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path() : file.parent_path().parent_path();
}

fs::path installation_program() {
    const fs::path prefix = installation_prefix();
    return prefix.empty() ? prefix : prefix / "bin/qapfw";
}

std::vector<fs::path> default_plugin_folders() {
    std::vector<fs::path> folders;
    if (const char* list = std::getenv("QAPFW_PLUGIN_PATH")) folders = split_colons(list);
    if (const fs::path own = user_plugin_folder(); !own.empty()) append_if_folder(folders, own);
    if (const fs::path prefix = installation_prefix(); !prefix.empty()) {
        append_if_folder(folders, prefix / QAPFW_PLUGIN_SUBDIRECTORY);
        if (const fs::path usual = prefix / "lib/qapfw" / kFolderName; usual != prefix / QAPFW_PLUGIN_SUBDIRECTORY) {
            append_if_folder(folders, usual);
        }
    }
    return folders;
}

std::vector<Candidate> find_candidates(const PluginSearch& search, std::vector<Refusal>& refusals) {
    std::vector<Candidate> candidates;
    std::set<fs::path> seen;
    for (std::size_t rank = 0; rank < search.folders.size(); ++rank) {
        const fs::path& place = search.folders[rank];
        std::error_code error;
        if (fs::is_regular_file(place, error)) {
            append_candidate(place, rank, seen, candidates, refusals);
            continue;
        }
        for (const fs::path& file : libraries_in(place, error))
            append_candidate(file, rank, seen, candidates, refusals);
        if (error) {
            refusals.push_back({place, fmt::format("{}: it must be a folder with plugin libraries, found: {}",
                                                   place.string(), error.message())});
        }
    }
    return candidates;
}

std::string distrust(const Candidate& candidate) {
    return distrust_library(candidate.path, candidate.folder);
}

}  // namespace qapfw::framework
