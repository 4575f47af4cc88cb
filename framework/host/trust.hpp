// SPDX-License-Identifier: Apache-2.0
// Trust in libraries: none is loaded that other users could have put there or changed, since it would run with all the
// rights of the user who starts this program.
#pragma once

#include <filesystem>
#include <string>

namespace qapfw::framework {

/// Why a file or folder must not be trusted, as the end of a sentence; empty if it may be. Reasons: its owner is
/// neither root nor this user, or others may write it (sticky or not), or a group may write it that is neither root's
/// nor the private group of the user. Its access control list (POSIX ACL) counts too.
std::string distrust(const std::filesystem::path& path);

/// The same for a folder above one: whoever may rename what lies in it may put another in its place. In a folder with
/// the sticky bit, such as /tmp, only the owners may.
std::string distrust_parent(const std::filesystem::path& folder);

/// The same for a library's file, its folder, the folder in which it was found, and those above them.
/// `file`: a canonical path; `found_in`: another folder than the file's where a link was found, also canonical.
std::string distrust_library(const std::filesystem::path& file, const std::filesystem::path& found_in);

}  // namespace qapfw::framework
