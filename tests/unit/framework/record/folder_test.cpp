// SPDX-License-Identifier: Apache-2.0
#include "framework/record/folder.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "qapfw/error.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"
#include "tests/unit/framework/record/full_disk.hpp"

using namespace qapfw::framework;
using qapfw::framework::testing::FullDisk;
using qapfw::framework::testing::TemporaryFolder;

namespace {

std::size_t files_in(const std::filesystem::path& folder) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) count += entry.exists() ? 1u : 0u;
    return count;
}

}  // namespace

TEST_CASE("a file is replaced as a whole and nothing else is left beside it") {
    const TemporaryFolder place;
    const auto path = place.path() / "a.txt";
    for (const auto durability : {Durability::kProcess, Durability::kPower}) {
        write_atomically(path, "one", durability);
        write_atomically(path, std::string(100000, 'x'), durability);
        CHECK(read_file(path) == std::string(100000, 'x'));
    }
    CHECK(files_in(place.path()) == 1);
}

TEST_CASE("where a write fails the old file stays and the error names file and reason") {
    const TemporaryFolder place;
    const auto path = place.path() / "a.txt";
    write_atomically(path, "old", Durability::kProcess);
    {
        const FullDisk full(10);
        CHECK_THROWS_WITH_AS(write_atomically(path, std::string(100, 'x'), Durability::kProcess),
                             (path.string() + ".new: cannot write: File too large").c_str(), qapfw::Error);
    }
    CHECK(read_file(path) == "old");
    CHECK(files_in(place.path()) == 1);
    CHECK_THROWS_AS(write_atomically(place.path() / "none/a", "x", Durability::kProcess), qapfw::Error);
}

TEST_CASE("the file before the last stays as the previous one") {
    const TemporaryFolder place;
    const Folder folder(place.path());
    folder.replace_keeping("c.bin", "p.bin", "1");
    CHECK_FALSE(folder.exists("p.bin"));
    folder.replace_keeping("c.bin", "p.bin", "2");
    folder.replace_keeping("c.bin", "p.bin", "3");
    CHECK(folder.read("c.bin") == "3");
    CHECK(folder.read("p.bin") == "2");
}

TEST_CASE("what cannot be read is an error with the reason") {
    const TemporaryFolder place;
    CHECK_THROWS_WITH_AS(read_file(place.path() / "none"),
                         ((place.path() / "none").string() + ": cannot open: No such file or directory").c_str(),
                         qapfw::Error);
    CHECK_THROWS_WITH_AS(read_file(place.path()), (place.path().string() + ": cannot read: Is a directory").c_str(),
                         qapfw::Error);
}

TEST_CASE("a link that was planted in a file's place is replaced, and what it points to stays") {
    const TemporaryFolder place;
    const auto secret = place.write("secret", "mine");
    const Folder folder(place.folder("r"));
    for (const char* name : {"a", "a.new", "p", "p.new"}) {
        std::filesystem::create_symlink(secret, place.path() / "r" / name);
    }
    folder.replace("a", "one", Durability::kProcess);
    folder.replace_keeping("p", "q", "two");
    CHECK(read_file(secret) == "mine");
    CHECK(folder.read("a") == "one");
    CHECK(folder.read("p") == "two");
    CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(place.path() / "r/a")));
    std::filesystem::create_symlink(secret, place.path() / "r/log");
    CHECK_THROWS_AS(folder.open_to_grow("log"), qapfw::Error);
    std::filesystem::create_hard_link(secret, place.path() / "r/hard");
    CHECK_THROWS_WITH_AS(
        folder.open_to_grow("hard"),
        ((place.path() / "r/hard").string() + ": it must be a regular file without a second name, found a hard link")
            .c_str(),
        qapfw::Error);
    CHECK(read_file(secret) == "mine");
}

TEST_CASE("a folder whose path is given to another one stays the folder that is written") {
    const TemporaryFolder place;
    const Folder folder(place.folder("r"));
    std::filesystem::rename(place.path() / "r", place.path() / "moved");
    place.folder("r");
    folder.replace("a", "one", Durability::kPower);
    CHECK(read_file(place.path() / "moved/a") == "one");
    CHECK(std::filesystem::is_empty(place.path() / "r"));
}

TEST_CASE("the user's umask decides who may read what is written") {
    const TemporaryFolder place;
    for (const mode_t mask : {0077u, 0022u, 0002u}) {
        const mode_t before = ::umask(mask);
        Folder(place.path()).replace("a", "x", Durability::kProcess);
        ::umask(before);
        struct stat info {};
        REQUIRE(::stat((place.path() / "a").c_str(), &info) == 0);
        CHECK((info.st_mode & 0777u) == (0666u & ~mask));
    }
}

TEST_CASE("a file that is not regular is not waited for") {
    const TemporaryFolder place;
    REQUIRE(::mkfifo((place.path() / "fifo").c_str(), 0600) == 0);
    CHECK_THROWS_AS(read_file(place.path() / "fifo"), qapfw::Error);
    CHECK_THROWS_AS(read_file("/dev/zero"), qapfw::Error);
}

TEST_CASE("a folder inside is made or opened, and a link in its place is refused") {
    const TemporaryFolder place;
    const Folder folder(place.path());
    folder.inside("tables").replace("a", "1", Durability::kProcess);
    CHECK(folder.inside("tables").read("a") == "1");
    CHECK(read_file(place.path() / "tables/a") == "1");
    std::filesystem::create_directory(place.path() / "elsewhere");
    std::filesystem::create_directory_symlink("elsewhere", place.path() / "plots");
    CHECK_THROWS_AS(folder.inside("plots"), qapfw::Error);
    CHECK_THROWS_AS(folder.inside("tables").inside("a"), qapfw::Error);
}

TEST_CASE("a file of the program's own is read as far as asked, and neither a link nor a FIFO is") {
    const TemporaryFolder place;
    const Folder folder(place.path());
    folder.replace("a", std::string(100000, 'x'), Durability::kProcess);
    CHECK(folder.read_own("a", 70000) == std::string(70000, 'x'));
    CHECK(folder.read_own("a", 1000000).size() == 100000);
    std::filesystem::create_symlink("a", place.path() / "link");
    CHECK(folder.read("link").size() == 100000);
    CHECK_THROWS_AS(folder.read_own("link", 10), qapfw::Error);
    REQUIRE(mkfifo((place.path() / "fifo").c_str(), 0600) == 0);
    CHECK_THROWS_AS(folder.read_own("fifo", 10), qapfw::Error);
}
