// SPDX-License-Identifier: Apache-2.0
// Trust in libraries. A library runs with all rights of the user who starts this program. So a library that
// another user could have put there or changed is loaded only if the user allows it.
#pragma once

#include <filesystem>
#include <string>

namespace qapfw::framework {

/// Why a file or folder must not be trusted, as a sentence that begins with its path; empty if it can be trusted.
/// Reasons: its owner is neither root nor this user; all users may write it, even with the sticky bit; or its group may
/// write it and is neither root's group nor the user's private group. Its access control list (POSIX ACL), which may
/// give the same rights, is checked too.
std::string distrust(const std::filesystem::path& path);

/// Why a folder above a library's folder must not be trusted; empty if it can be trusted. A user who may write to it
/// could rename its entries and put others in their place. With the sticky bit, as in /tmp, only the owner of an entry
/// may rename it, so such a folder may be writable by other users.
std::string distrust_parent(const std::filesystem::path& folder);

/// Why a library must not be trusted; empty if it can be trusted. Checks the library's file, its folder, the folder in
/// which it was found (`found_in`), and all folders above these two. If a link to the library was found, `found_in` is
/// the link's folder. Both paths are canonical.
std::string distrust_library(const std::filesystem::path& file, const std::filesystem::path& found_in);

}  // namespace qapfw::framework
