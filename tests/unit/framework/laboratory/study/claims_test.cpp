// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/claims.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/temporary_folder.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;
using qapfw::test::TemporaryFolder;

TEST_CASE("a run is claimed by one process, and free again once this process releases it") {
    const TemporaryFolder folder;
    const Claims claims(folder.path());
    Claims mine(folder.path());
    const auto claim = mine.take("run");
    REQUIRE(claim);
    CHECK(claims.held("run"));
    CHECK_FALSE(mine.take("run"));
    CHECK(claims.all_held() == std::vector<std::string>{"run"});
    CHECK(mine.beat(*claim));
    mine.release(*claim);
    CHECK_FALSE(claims.held("run"));
    CHECK(mine.take("run"));
}

TEST_CASE("of many processes that want a run at once one gets it") {
    const TemporaryFolder folder;
    int pipe_ends[2];
    REQUIRE(pipe(pipe_ends) == 0);
    constexpr int kProcesses = 8;
    for (int k = 0; k < kProcesses; ++k) {
        if (fork() != 0) continue;
        Claims claims(folder.path());
        const char got = claims.take("run") ? '1' : '0';
        const bool told = write(pipe_ends[1], &got, 1) == 1;
        usleep(300000);  // the winner must be alive while the other processes try to take the claim
        _exit(told ? 0 : 1);
    }
    int winners = 0;
    for (int k = 0; k < kProcesses; ++k) {
        char got = 0;
        REQUIRE(read(pipe_ends[0], &got, 1) == 1);
        winners += got == '1' ? 1 : 0;
    }
    while (wait(nullptr) > 0) {
    }
    CHECK(winners == 1);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

TEST_CASE("the claim of a dead process is taken over, and the dead one would notice") {
    const TemporaryFolder folder;
    const pid_t child = fork();
    if (child == 0) {
        Claims claims(folder.path());
        _exit(claims.take("run") ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(status == 0);
    Claims mine(folder.path());
    CHECK_FALSE(mine.held("run"));
    const auto claim = mine.take("run");
    REQUIRE(claim);
    CHECK(claim->generation == 2);
    CHECK_FALSE(mine.beat({"run", folder.path() / "run.1", 1}));
    mine.release(*claim);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "run.1"));
}

TEST_CASE("a claim is found if a release ended after it had deleted most of the generations before it") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "run.12");
    Claims mine(folder.path());
    CHECK(mine.held("run"));  // the claim has no owner file yet, so its process may be about to write the file
    std::ofstream(folder.path() / "run.12" / "owner") << "another host\n1 1\n";
    CHECK(mine.held("run"));
    CHECK_FALSE(mine.take("run"));
    ClaimRules impatient;
    impatient.patience = std::chrono::seconds(0);
    const auto claim = Claims(folder.path(), impatient).take("run");
    REQUIRE(claim);
    CHECK(claim->generation == 13);
}

TEST_CASE("another host's claim is valid as long as it is refreshed") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "run.1");
    std::ofstream(folder.path() / "run.1" / "owner") << "another host\n1 1\n";
    ClaimRules patient;
    CHECK(Claims(folder.path(), patient).held("run"));
    ClaimRules impatient;
    impatient.patience = std::chrono::seconds(0);
    Claims mine(folder.path(), impatient);
    CHECK_FALSE(mine.held("run"));
    CHECK(mine.take("run"));
}
