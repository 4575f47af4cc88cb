// SPDX-License-Identifier: Apache-2.0
// Where plugin libraries lie, and whether other users could have put or changed them there. A plugin runs with all the
// rights of the user who starts this program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

/// A library found in a folder of the search, by its canonical path.
struct Candidate {
    std::filesystem::path path;
    std::filesystem::path folder;  ///< where it was found: differs from the path's parent for a symbolic link
    std::size_t rank = 0;          ///< the folder's place in the search
};

/// All libraries of the search in order of folder, then name, each file once; missing folders become refusals.
std::vector<Candidate> find_candidates(const PluginSearch& search, std::vector<Refusal>& refusals);

/// Why file or folder must not be trusted, as the end of a sentence, or empty: owned by neither root nor this user, or
/// writable by others (sticky or not), or writable by a group other than root's or the user's private one.
std::string distrust(const std::filesystem::path& path);

/// The same for a candidate's file, its folder and the folder it was found in.
std::string distrust(const Candidate& candidate);

}  // namespace qapfw::framework
