// SPDX-License-Identifier: Apache-2.0
// The program's output on a terminal.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;

namespace {

/// Runs the program on a terminal and returns its output. `kind`: the value of TERM; null: TERM is not set.
std::string shown_on(const char* kind, const std::vector<std::string>& words = small_run({"--time-limit", "0.5s"})) {
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(master >= 0);
    REQUIRE(grantpt(master) == 0);
    REQUIRE(unlockpt(master) == 0);
    const std::string name = ptsname(master);
    const TemporaryFolder folder;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        setsid();
        const int terminal = open(name.c_str(), O_RDWR);
        const winsize size{24, 100, 0, 0};
        ioctl(terminal, TIOCSWINSZ, &size);
        for (const int end : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(terminal, end);
        if (kind == nullptr) {
            unsetenv("TERM");
        } else {
            setenv("TERM", kind, 1);
        }
        if (chdir(folder.path().c_str()) != 0) _exit(126);
        const std::string program = binary();
        std::vector<char*> argv{const_cast<char*>(program.c_str())};
        for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        execv(program.c_str(), argv.data());
        _exit(127);
    }
    std::string text;
    char block[4096];
    // Read fails as soon as the child has ended.
    for (ssize_t count = 0; (count = read(master, block, sizeof block)) > 0;)
        text.append(block, static_cast<std::size_t>(count));
    close(master);
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    return text;
}

}  // namespace

TEST_CASE("a terminal that obeys escape codes has a live line, one that does not gets no code") {
    CHECK(shown_on("xterm").find("\x1b[K") != std::string::npos);
    for (const char* kind : {"dumb", "", static_cast<const char*>(nullptr)}) {
        const std::string text = shown_on(kind);
        CHECK_MESSAGE(text.find('\x1b') == std::string::npos, text);
        CHECK(text.find("best") != std::string::npos);
    }
}

TEST_CASE("--quiet writes the control characters of names out on a terminal, and passes them to programs") {
    const TemporaryFolder place;
    const std::string flow = place.write("flow.csv", "\x1b[31mSaw,Mill\n0,3\n2,0\n").string();
    const std::string distance = place.write("distance.csv", "0,1\n2,0\n").string();
    const std::vector<std::string> words{"solve", flow, distance, "--quiet", "--no-record", "--iterations", "1"};
    const std::string shown = shown_on("xterm", words);
    CHECK_MESSAGE(shown.find('\x1b') == std::string::npos, shown);
    CHECK_MESSAGE(shown.find("\\x1b[31mSaw") != std::string::npos, shown);
    const Ended piped = qapfw_run(words);
    REQUIRE_MESSAGE(piped.code == 0, piped.err);
    CHECK_MESSAGE(piped.out.find("\x1b[31mSaw") != std::string::npos, piped.out);
}
