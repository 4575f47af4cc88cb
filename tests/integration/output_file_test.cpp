// SPDX-License-Identifier: Apache-2.0
// Output files that the user names.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
namespace fs = std::filesystem;

namespace {

Ended export_to(const TemporaryFolder& place, const std::string& output) {
    return qapfw_run_within(20, {"instance", "export", "tai10a", "-o", output}, {.folder = place.path().string()});
}

const std::string& exported() {
    static const std::string text = qapfw_run({"instance", "export", "tai10a"}).out;
    return text;
}

}  // namespace

TEST_CASE("an exported instance goes to standard output by its names too, and into a FIFO, not in their places") {
    const TemporaryFolder place;
    REQUIRE(exported().size() > 300);
    for (const char* name : {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
        const Ended ended = export_to(place, name);
        CHECK(ended.code == 0);
        CHECK_MESSAGE(ended.out == exported(), name);
    }
    const std::string fifo = place / "fifo";
    REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    REQUIRE(reader >= 0);
    CHECK(export_to(place, fifo).code == 0);
    std::string text(65536, '\0');
    const ssize_t count = read(reader, text.data(), text.size());
    CHECK(count == static_cast<ssize_t>(exported().size()));
    close(reader);
    CHECK(fs::is_fifo(fifo));
}

TEST_CASE("standard output that was redirected to a file is written, not replaced") {
    const TemporaryFolder place;
    for (const char* name : {"-", "/dev/stdout"}) {
        const fs::path file = place.write("out", "before\n");
        struct stat before {
        }, after{};
        REQUIRE(stat(file.c_str(), &before) == 0);
        Process process({"instance", "export", "tai10a", "-o", name}, {.standard_output = file.string()});
        CHECK(process.wait().code == 0);
        CHECK(contents(file) == exported());
        REQUIRE(stat(file.c_str(), &after) == 0);
        CHECK(before.st_ino == after.st_ino);
    }
}

TEST_CASE("a device stays a device") {
    const TemporaryFolder place;
    const std::string device = place / "null";
    if (mknod(device.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0) {
        MESSAGE("SKIPPED: this user may make no devices");
        return;
    }
    CHECK(export_to(place, device).code == 0);
    CHECK(fs::is_character_file(device));
}

TEST_CASE("a link that the user names leads to the file that is written, there or not") {
    const TemporaryFolder place;
    place.write("target", "old");
    fs::create_symlink("target", place / "link");
    fs::create_symlink("link", place / "link2");
    CHECK(export_to(place, place / "link2").code == 0);
    CHECK(fs::is_symlink(place / "link"));
    CHECK(contents(place / "target") == exported());
    fs::create_symlink("sub/new", place / "dangling");
    place.folder("sub");
    CHECK(export_to(place, place / "dangling").code == 0);
    CHECK(fs::is_symlink(place / "dangling"));
    CHECK(contents(place / "sub/new") == exported());
    fs::create_symlink("loop", place / "loop");
    const Ended loop = export_to(place, place / "loop");
    CHECK(loop.code == 6);
    CHECK(qapfw::test::contains(loop.err, "loop: cannot open: "));
}

TEST_CASE("a record that a process works on is refused with that process's name, whatever the command") {
    const TemporaryFolder place;
    const Process process(small_run({"--time-limit", "60s", "--out", place / "x"}));
    for (int k = 0; k < 6000 && !fs::exists(place / "x/result.json"); ++k) usleep(10'000);
    const Ended run = qapfw_run(small_run({"--iterations", "10", "--out", place / "x"}));
    CHECK(run.code == 9);
    CHECK_MESSAGE(qapfw::test::contains(run.err, "/x: in use by process "), run.err);
    const Ended solved = qapfw_run({"solve", "tai10a", "--time", "1s", "--out", place / "x"});
    CHECK(solved.code == 9);
    CHECK(qapfw::test::contains(solved.err, "/x: in use by process "));
    const Ended other = qapfw_run(small_run({"--iterations", "10", "--out", place.path().string()}));
    CHECK(other.code == 2);
    CHECK(qapfw::test::contains(other.err, "exists already"));
}

TEST_CASE("small stacks are no reason to crash") {
    const TemporaryFolder place;
    place.write("s.toml", R"(seeds = 2
[problem]
plugin = "qap"
[run]
iterations = 20
[device]
backend = "cpu"
[[instances]]
names = ["tai12a"]
[[algorithms]]
name = "m"
set = { algorithm.plugin = "memetic" }
)");
    for (const long kib : {64L, 128L, 1024L}) {
        CAPTURE(kib);
        const Process::Options small{.folder = place.path().string(), .stack_limit = kib * 1024};
        const Ended solved =
            qapfw_run({"solve", "tai40a", "--iterations", "5", "--quiet", "--out", "r" + std::to_string(kib)}, small);
        CHECK_MESSAGE(solved.code == 0, solved.err);
        const Ended layout = qapfw_run({"run", "--set", "problem.plugin=uaflp", "--set", "problem.instance=F10",
                                        "--iterations", "3", "--quiet", "--set", "output.record=false"},
                                       small);
        CHECK_MESSAGE(layout.code == 0, layout.err);
    }
    const Process::Options small{.folder = place.path().string(), .stack_limit = 65536};
    CHECK(qapfw_run({"study", "run", "s.toml", "--quiet"}, small).code == 0);
    Process process({"solve", "tai40a", "--time", "60s", "--out", "i"}, small);
    process.wait_for_work(0.5);
    process.send(SIGINT);
    CHECK(process.wait().code == 130);
}
