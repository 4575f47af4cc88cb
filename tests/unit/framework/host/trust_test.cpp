// SPDX-License-Identifier: Apache-2.0
// Tests which files and folders of libraries are trusted. That depends on who may write them.
#include "framework/host/trust.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"

using namespace qapfw::framework;
using qapfw::test::TemporaryFolder;

namespace {

struct Entry {
    std::uint16_t tag, permissions;
    std::uint32_t id = UINT32_MAX;
};
constexpr std::uint16_t kOwner = 0x01, kUser = 0x02, kGroup = 0x04, kNamedGroup = 0x08, kMask = 0x10, kOthers = 0x20;

/// Gives a file an access control list, like setfacl. Prints a message and returns false if it cannot.
bool set_acl(const std::filesystem::path& path, const std::vector<Entry>& entries) {
    std::string bytes("\2\0\0\0", 4);
    for (const Entry& entry : entries) bytes.append(reinterpret_cast<const char*>(&entry), sizeof entry);
    if (setxattr(path.c_str(), "system.posix_acl_access", bytes.data(), bytes.size(), 0) == 0) return true;
    MESSAGE("SKIPPED: no access control lists here: " << std::strerror(errno));
    return false;
}

}  // namespace

TEST_CASE("a folder of this user alone is trusted") {
    const TemporaryFolder folder;
    CHECK(distrust(folder.path()).empty());
    CHECK(distrust(folder.write("file", "x")).empty());
}

TEST_CASE("what everyone may write is not trusted, with the sticky bit or without") {
    CHECK(distrust("/tmp").find("/tmp must not be writable by everyone, found permissions 1777") != std::string::npos);
    const TemporaryFolder folder;
    const auto file = folder.write("file", "x");
    std::filesystem::permissions(file, std::filesystem::perms(0602));
    CHECK(distrust(file).find("must not be writable by everyone, found permissions 602") != std::string::npos);
}

TEST_CASE("what a shared group may write is not trusted") {
    if (geteuid() != 0) {
        MESSAGE("SKIPPED: giving a file to another group needs root");
        return;
    }
    const TemporaryFolder folder;
    const auto file = folder.write("file", "x");
    std::filesystem::permissions(file, std::filesystem::perms(0664));
    CHECK(distrust(file).empty());  // root's own group
    REQUIRE(chown(file.c_str(), 0, 100) == 0);
    CHECK(distrust(file).find("must not be writable by its group") != std::string::npos);
}

TEST_CASE("what another user owns is not trusted") {
    if (geteuid() != 0) {
        MESSAGE("SKIPPED: giving a file to another user needs root");
        return;
    }
    const TemporaryFolder folder;
    const auto file = folder.write("file", "x");
    REQUIRE(chown(file.c_str(), 12345, 0) == 0);
    CHECK(distrust(file).find("must be owned by root or by user 0, found user 12345") != std::string::npos);
}

TEST_CASE("what another user may write by an access control list is not trusted") {
    const TemporaryFolder folder;
    const auto file = folder.write("file", "x");
    REQUIRE(chown(file.c_str(), geteuid(), getegid()) == 0);
    const auto list = [](std::uint16_t user, std::uint16_t mask) {
        return std::vector<Entry>{{kOwner, 6}, {kUser, user, 12345}, {kGroup, 4}, {kMask, mask}, {kOthers, 4}};
    };
    if (!set_acl(file, list(6, 6))) return;
    CHECK(distrust(file) == file.string() +
                                " must not be writable by user 12345 (its access control list allows this), found "
                                "permissions 664");
    // The mask takes away user 12345's permission to write.
    REQUIRE(set_acl(file, list(6, 4)));
    CHECK(distrust(file).empty());
    // The file's mode shows the mask in place of the group's permissions. In fact, only the owner may write.
    REQUIRE(set_acl(file, list(4, 6)));
    CHECK(distrust(file).empty());
    // The entry names the user that runs this test.
    REQUIRE(set_acl(file, {{kOwner, 6}, {kUser, 6, geteuid()}, {kGroup, 4}, {kMask, 6}, {kOthers, 4}}));
    CHECK(distrust(file).empty());
}

TEST_CASE("what another group may write by an access control list is not trusted") {
    const TemporaryFolder folder;
    const auto inner = folder.folder("folder");
    if (!set_acl(inner, {{kOwner, 7}, {kGroup, 5}, {kNamedGroup, 7, 12345}, {kMask, 7}, {kOthers, 5}})) return;
    CHECK(distrust(inner).find("must not be writable by group 12345 (its access control list allows this)") !=
          std::string::npos);
    CHECK(distrust_parent(inner).find("must not be writable by group 12345") != std::string::npos);
    const auto file = folder.write("folder/deep/a.so", "x");
    CHECK(distrust_library(file, file.parent_path()).find("group 12345") != std::string::npos);
}
