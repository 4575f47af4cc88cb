// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/data_folders.hpp"

#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

#include "framework/host/working_folder.hpp"

namespace qapfw::framework {

std::vector<std::filesystem::path> data_folders(std::vector<std::filesystem::path> first) {
    std::vector<std::filesystem::path> folders = std::move(first);
    if (const char* list = std::getenv("QAPFW_DATA")) {
        std::istringstream parts(list);
        for (std::string part; std::getline(parts, part, ':');) {
            if (!part.empty()) folders.emplace_back(part);
        }
    }
    for (auto& folder : folders) folder = absolute_path(folder);
    return folders;
}

}  // namespace qapfw::framework
