// SPDX-License-Identifier: Apache-2.0
// Where plugin libraries are, and whether other users could have put or changed them there. A plugin runs with all the
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
    std::filesystem::path folder;  ///< where it was found; for a symbolic link this is not the folder of `path`
    std::size_t rank = 0;          ///< the number of the folder in the search
};

/// All libraries of the search, in order of folder and then name, each file once. Missing folders become refusals.
std::vector<Candidate> find_candidates(const PluginSearch& search, std::vector<Refusal>& refusals);

/// Why a file or folder must not be trusted, as the end of a sentence; empty if it may be. Reasons: its owner is
/// neither root nor this user, or others may write it (sticky or not), or a group may write it that is neither root's
/// nor the private group of the user.
std::string distrust(const std::filesystem::path& path);

/// The same for a folder above one: whoever may rename what lies in it may put another in its place. In a folder with
/// the sticky bit, such as /tmp, only the owners may.
std::string distrust_parent(const std::filesystem::path& folder);

/// The same for a candidate's file, its folder and the folder in which it was found.
std::string distrust(const Candidate& candidate);

}  // namespace qapfw::framework
