// SPDX-License-Identifier: Apache-2.0
// Finds plugin libraries in the folders of a search, and checks whether other users could have added or changed them. A
// plugin runs with all rights of the user who starts this program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

/// A library that the search found in one of its folders. `path` is canonical.
struct Candidate {
    std::filesystem::path path;
    /// Folder in which the library was found. If a symbolic link was found, this is the folder of the link, and `path`
    /// is the link's target.
    std::filesystem::path folder;
    std::size_t rank = 0;  ///< index of the folder in the search
};

/// All libraries of the search, in order of folder and then name, each file once. Folders that cannot be read and files
/// that are not regular become refusals.
std::vector<Candidate> find_candidates(const PluginSearch& search, std::vector<Refusal>& refusals);

/// Returns why the candidate must not be trusted (framework/host/trust.hpp). Empty: the candidate is trusted.
std::string distrust(const Candidate& candidate);

}  // namespace qapfw::framework
