// SPDX-License-Identifier: Apache-2.0
#include "framework/record/atomic_file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>

#include "qapfw/error.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using qapfw::framework::testing::TemporaryFolder;

namespace {

/// Makes every write beyond `bytes` of a file fail, as a full disk does.
class FullDisk {
  public:
    explicit FullDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
        REQUIRE(getrlimit(RLIMIT_FSIZE, &limit_) == 0);
        const rlimit small{bytes, limit_.rlim_max};
        REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &limit_);
        std::signal(SIGXFSZ, before_);
    }

  private:
    void (*before_)(int);
    rlimit limit_{};
};

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
    const auto path = place.path() / "c.bin", previous = place.path() / "p.bin";
    write_keeping_previous(path, previous, "1");
    CHECK_FALSE(std::filesystem::exists(previous));
    write_keeping_previous(path, previous, "2");
    write_keeping_previous(path, previous, "3");
    CHECK(read_file(path) == "3");
    CHECK(read_file(previous) == "2");
}

TEST_CASE("lines that could not be written come with the next one, and none is left half written") {
    const TemporaryFolder place;
    const auto path = place.path() / "t.jsonl";
    LineFile lines;
    lines.open(path, 0);
    lines.append("first");
    {
        const FullDisk full(9);
        CHECK_THROWS_AS(lines.append("second"), qapfw::Error);
        CHECK(read_file(path) == "first\n");
    }
    lines.append("third");
    CHECK(read_file(path) == "first\nsecond\nthird\n");
    CHECK(lines.size() == 19);
}

TEST_CASE("a line file goes on after the lines that are kept, whole ones alone") {
    const TemporaryFolder place;
    const auto path = place.write("t.jsonl", "aa\nbb\ncc\nd");
    for (const auto& [keep, expected] : {std::pair{6, "aa\nbb\nx\n"}, std::pair{5, "aa\nx\n"},
                                         std::pair{99, "aa\nbb\ncc\nx\n"}, std::pair{0, "x\n"}}) {
        place.write("t.jsonl", "aa\nbb\ncc\nd");
        LineFile lines;
        lines.open(path, static_cast<std::uint64_t>(keep));
        lines.append("x");
        CHECK(read_file(path) == expected);
    }
}

TEST_CASE("what cannot be read is an error with the reason") {
    const TemporaryFolder place;
    CHECK_THROWS_WITH_AS(read_file(place.path() / "none"),
                         ((place.path() / "none").string() + ": cannot open: No such file or directory").c_str(),
                         qapfw::Error);
    CHECK_THROWS_WITH_AS(read_file(place.path()), (place.path().string() + ": cannot read: Is a directory").c_str(),
                         qapfw::Error);
}
