// SPDX-License-Identifier: Apache-2.0
// Finds the file that a user means by a path or a name.
#pragma once

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// The folders directly below `folder`: the one named `first`, then the others by name, so that the order is the same
/// everywhere. Empty if `folder` cannot be read.
inline std::vector<std::filesystem::path> folders_below(const std::filesystem::path& folder,
                                                        const std::string& first = "") {
    std::vector<std::filesystem::path> below;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        if (entry.is_directory(ignored)) below.push_back(entry.path());
    }
    std::sort(below.begin(), below.end());
    std::stable_partition(below.begin(), below.end(), [&](const auto& path) { return path.filename() == first; });
    return below;
}

namespace detail {

inline bool is_file(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}
/// The file called `name` in `folder`, else in one of the folders directly below it; empty if there is none. Of several
/// folders, the first by name counts, so that all machines find the same file.
inline std::filesystem::path find_below(const std::filesystem::path& folder, const std::string& name) {
    if (is_file(folder / name)) return folder / name;
    for (const std::filesystem::path& below : folders_below(folder)) {
        if (is_file(below / name)) return below / name;
    }
    return {};
}

}  // namespace detail

/// Finds the file that a parameter names. First takes `name` as a path. Then looks in each data folder (`--data`,
/// QAPFW_DATA) and in the folders directly below it. Each of these steps tries `name` itself, then `name` with each of
/// `endings`, such as ".dat". Throws Error(kInput), which lists the data folders, if there is no such file. Declare the
/// parameter with path(), so that a relative path starts at the configuration's folder.
inline std::filesystem::path find_file(const Host& host, const std::string& name,
                                       std::initializer_list<const char*> endings = {}) {
    std::vector<std::string> names{name};
    for (const char* ending : endings) names.push_back(name + ending);
    for (const std::string& path : names) {
        if (detail::is_file(path)) return path;
    }
    std::string places;
    for (std::uint32_t k = 0; k < host.get()->data_path_count; ++k) {
        const std::string folder = host.get()->data_paths[k];
        for (const std::string& path : names) {
            const std::filesystem::path found = detail::find_below(folder, path);
            if (!found.empty()) return found;
        }
        places += (places.empty() ? "" : ", ") + folder;
    }
    throw Error(ErrorKind::kInput, "\"" + name + "\": wanted a file, or the name of one in the data folders (" +
                                       (places.empty() ? "none is given; use --data FOLDER" : places) + ")");
}

}  // namespace qapfw::sdk
