// SPDX-License-Identifier: Apache-2.0
// Checks who may write a library: permissions, owners and access control lists. The lists are parsed from the kernel's
// bytes (linux/posix_acl_xattr.h), so no libacl is needed.
#include "framework/host/trust.hpp"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

namespace qapfw::framework {

namespace {

namespace fs = std::filesystem;

/// True if the group is root's or this user's private group: the user's first group, with the user's name and no other
/// member. Many systems give every user such a group.
bool is_private_group(gid_t group) {
    if (group == 0) return true;
    const ::group* entry = getgrgid(group);
    const passwd* user = getpwuid(geteuid());
    if (entry == nullptr || user == nullptr || user->pw_gid != group ||
        std::strcmp(entry->gr_name, user->pw_name) != 0) {
        return false;
    }
    for (char** member = entry->gr_mem; *member != nullptr; ++member) {
        if (std::strcmp(*member, user->pw_name) != 0) return false;
    }
    return true;
}

/// The user id that the kernel shows for every user who is not mapped into this user namespace, as in a container.
uid_t unmapped_user() {
    static const uid_t known = [] {
        std::ifstream file("/proc/sys/kernel/overflowuid");
        uid_t user = 65534;
        file >> user;
        return user;
    }();
    return known;
}

constexpr const char* kAclName = "system.posix_acl_access";
constexpr std::uint32_t kAclVersion = 2;
constexpr std::uint16_t kAclUser = 0x02, kAclGroup = 0x04, kAclNamedGroup = 0x08, kAclMask = 0x10;
constexpr std::uint16_t kAclWrite = 2;

/// An entry of an access control list in the kernel's format.
struct AclEntry {
    std::uint16_t tag, permissions;
    std::uint32_t id;  ///< id of the named user or group
};
static_assert(sizeof(AclEntry) == 8);

/// Returns the access control list as bytes: empty if there is no list, nothing if the list cannot be read.
std::optional<std::vector<char>> read_acl(const fs::path& path) {
    std::vector<char> bytes(std::size_t{1} << 16U);  // greatest size of an attribute that the kernel allows
    const ssize_t size = getxattr(path.c_str(), kAclName, bytes.data(), bytes.size());
    if (size < 0 && errno != ENODATA && errno != EOPNOTSUPP && errno != ENOSYS) return std::nullopt;
    bytes.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return bytes;
}

std::optional<std::vector<AclEntry>> entries_of(const std::vector<char>& bytes) {
    std::uint32_t version = 0;
    if (bytes.size() < sizeof version || (bytes.size() - sizeof version) % sizeof(AclEntry) != 0) return std::nullopt;
    std::memcpy(&version, bytes.data(), sizeof version);
    if (version != kAclVersion) return std::nullopt;
    std::vector<AclEntry> entries((bytes.size() - sizeof version) / sizeof(AclEntry));
    if (!entries.empty()) std::memcpy(entries.data(), bytes.data() + sizeof version, entries.size() * sizeof(AclEntry));
    return entries;
}

/// The first untrusted user or group that an access control list allows to write, such as "user 1000" or "its group";
/// empty: none. `mask`: rights that the list's mask leaves to users and groups.
std::string other_writer(const std::vector<AclEntry>& entries, std::uint16_t mask, gid_t group) {
    for (const AclEntry& entry : entries) {
        if ((entry.permissions & mask & kAclWrite) == 0) continue;
        if (entry.tag == kAclUser && entry.id != 0 && entry.id != geteuid()) return fmt::format("user {}", entry.id);
        if (entry.tag == kAclNamedGroup && !is_private_group(entry.id)) return fmt::format("group {}", entry.id);
        if (entry.tag == kAclGroup && !is_private_group(group)) return "its group";
    }
    return {};
}

/// Returns the first untrusted user or group that the file's access control list allows to write; empty: none. If the
/// list cannot be read, returns a text that says so. If there is no list, returns "its group" if the group may write
/// and is untrusted, else an empty text.
std::string other_writer(const fs::path& path, const struct stat& info) {
    const auto bytes = read_acl(path);
    if (bytes && bytes->empty()) {
        return (info.st_mode & S_IWGRP) != 0 && !is_private_group(info.st_gid) ? "its group" : std::string();
    }
    const auto entries = bytes ? entries_of(*bytes) : std::nullopt;
    if (!entries) return "other users (its access control list cannot be read, so it may allow this)";
    std::uint16_t mask = 7;
    for (const AclEntry& entry : *entries) {
        if (entry.tag == kAclMask) mask = entry.permissions;
    }
    const std::string writer = other_writer(*entries, mask, info.st_gid);
    return writer.empty() || writer == "its group" ? writer : writer + " (its access control list allows this)";
}

/// Returns a message if an untrusted user or group may write the file or folder, else an empty text. The message names
/// the user or group.
std::string writable_by_others(const fs::path& path, const struct stat& info) {
    const std::string writer = (info.st_mode & S_IWOTH) != 0 ? "everyone" : other_writer(path, info);
    if (writer.empty()) return {};
    return fmt::format("{} must not be writable by {}, found permissions {:o}", path.string(), writer,
                       info.st_mode & 07777U);
}

}  // namespace

std::string distrust(const fs::path& path) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0)
        return fmt::format("{} cannot be inspected: {}", path.string(), std::strerror(errno));
    if (info.st_uid != 0 && info.st_uid != geteuid()) {
        return fmt::format("{} must be owned by root or by user {}, found user {}", path.string(), geteuid(),
                           info.st_uid);
    }
    return writable_by_others(path, info);
}

std::string distrust_parent(const fs::path& folder) {
    struct stat info {};
    if (stat(folder.c_str(), &info) != 0)
        return fmt::format("{} cannot be inspected: {}", folder.string(), std::strerror(errno));
    const bool stranger = info.st_uid != 0 && info.st_uid != geteuid() && info.st_uid != unmapped_user();
    if (stranger) {
        return fmt::format("{}, above it, must be owned by root or by user {}, found user {}", folder.string(),
                           geteuid(), info.st_uid);
    }
    return (info.st_mode & S_ISVTX) != 0 ? std::string() : writable_by_others(folder, info);
}

std::string distrust_library(const fs::path& file, const fs::path& found_in) {
    for (const fs::path& path : {found_in, file.parent_path(), file}) {
        if (auto reason = distrust(path); !reason.empty()) return reason;
    }
    for (const fs::path& folder : {found_in, file.parent_path()}) {
        for (fs::path above = folder; above.has_relative_path();) {
            above = above.parent_path();
            if (auto reason = distrust_parent(above); !reason.empty()) return reason;
        }
    }
    return {};
}

}  // namespace qapfw::framework
