// SPDX-License-Identifier: Apache-2.0
#include "framework/record/folder_lock.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <vector>

#include "framework/record/lock_owner.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"

using namespace qapfw::framework;
using qapfw::framework::testing::TemporaryFolder;

namespace {

std::string refusal_of(const Folder& folder) {
    try {
        const FolderLock lock(folder);
    } catch (const FolderInUse& error) {
        return error.what();
    }
    return "no refusal";
}

/// The owner of a lock: a process of this machine that has ended.
LockOwner dead_owner() {
    LockOwner owner = LockOwner::self();
    const pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, nullptr, 0);
    owner.process = child;
    return owner;
}

/// Sets the file's time to `seconds` ago.
void make_older(const std::filesystem::path& file, int seconds) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    const timespec times[2] = {{now.tv_sec - seconds, 0}, {now.tv_sec - seconds, 0}};
    REQUIRE(::utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
}

}  // namespace

TEST_CASE("a folder has one lock, and a message names the process and machine that hold it") {
    const TemporaryFolder place;
    const Folder folder(place.path());
    {
        const FolderLock lock(folder);
        CHECK(lock.is_held());
        const std::string text = refusal_of(folder);
        CHECK(text.find(place.path().string() + ": in use by process " + std::to_string(getpid())) == 0);
        CHECK(text.find(" on " + LockOwner::self().host) != std::string::npos);
        CHECK(holder_of(folder)->find("process ") == 0);
    }
    CHECK_FALSE(holder_of(folder));
    CHECK(std::filesystem::is_empty(place.path()));
    CHECK(refusal_of(folder) == "no refusal");
}

TEST_CASE("the lock of a process that is gone, or whose number another one has now, is taken over") {
    const TemporaryFolder place;
    const Folder folder(place.path());
    LockOwner reused = LockOwner::self();
    reused.started += 1;
    for (const LockOwner& owner : {dead_owner(), reused}) {
        place.write("lock", owner.text());
        CHECK_FALSE(holder_of(folder));
        const FolderLock lock(folder);
        CHECK(lock.is_held());
        CHECK(LockOwner::parse(folder.read("lock")).process == getpid());
    }
}

TEST_CASE("a lock with impossible process numbers has an unknown owner") {
    const std::string text = LockOwner::self().text();
    REQUIRE(LockOwner::parse(text).process == getpid());
    const auto owner_with = [&](const char* key, const std::string& number) {
        const std::size_t at = text.find(key) + std::strlen(key), end = text.find(',', at);
        return LockOwner::parse(text.substr(0, at) + number + text.substr(end));
    };
    CHECK(owner_with("\"process\":", "7").process == 7);
    for (const char* key : {"\"process\":", "\"started\":"}) {
        for (const char* number : {"1e91", "-1e91", "1.5", "18446744073709551616", "true", "\"7\"", "null", "[7]"}) {
            CAPTURE(key);
            CAPTURE(number);
            CHECK(owner_with(key, number).name() == "an unknown process");
        }
    }
    CHECK(owner_with("\"started\":", "-1").name() == "an unknown process");
}

TEST_CASE("a lock of another machine is valid as long as it is refreshed") {
    const TemporaryFolder place;
    const Folder folder(place.path());
    LockOwner far = LockOwner::self();
    far.host = "far\x1b[31m";
    far.boot = "another";
    for (const std::string& text : {far.text(), std::string("garbage"), std::string()}) {
        place.write("lock", text);
        CHECK(refusal_of(folder).find(": in use by ") != std::string::npos);
        make_older(place.path() / "lock", 30);
        CHECK(refusal_of(folder).find(": in use by ") != std::string::npos);
        CHECK(refusal_of(folder).find('\x1b') == std::string::npos);
        make_older(place.path() / "lock", 90);
        CHECK(refusal_of(folder) == "no refusal");
    }
}

TEST_CASE("a process that lost its lock gets a message, and does not remove the other's lock") {
    const TemporaryFolder place;
    const Folder folder(place.path());
    auto slept = std::make_unique<FolderLock>(folder);
    std::filesystem::remove(place.path() / "lock");
    const FolderLock other(folder);
    CHECK_FALSE(slept->is_held());
    slept.reset();
    CHECK(other.is_held());
}

TEST_CASE("of many that want a dead process's lock at the same time one gets it") {
    const TemporaryFolder place;
    const std::string dead = dead_owner().text();
    for (int round = 0; round < 20; ++round) {
        place.write("lock", dead);
        std::atomic<int> winners{0}, losers{0};
        {
            std::vector<std::unique_ptr<FolderLock>> locks(8);
            std::vector<std::jthread> threads;
            for (auto& lock : locks) {
                threads.emplace_back([&] {
                    try {
                        lock = std::make_unique<FolderLock>(Folder(place.path()));
                        ++winners;
                    } catch (const FolderInUse&) {
                        ++losers;
                    }
                });
            }
            threads.clear();
        }
        CHECK(winners == 1);
        CHECK(losers == 7);
    }
}
