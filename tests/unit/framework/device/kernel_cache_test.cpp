// SPDX-License-Identifier: Apache-2.0
#include "framework/device/kernel_cache.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "tests/unit/framework/device/device_test_tools.hpp"

namespace qapfw::framework {
namespace {

constexpr const char* kKey = "a key of some length\nwith two lines";
constexpr const char* kPayload = "the payload, any bytes";

/// Settings of a cache in `folder`. All tests share one key file.
CacheSettings at(const std::filesystem::path& folder) {
    static const TemporaryFolder place;
    return {true, folder, place.path() / "key"};
}

TEST_CASE("a kernel cache returns what was stored under exactly that key, also from another object") {
    TemporaryFolder folder;
    LogLines log;
    KernelCache cache(at(folder.path() / "a" / "b"), log.function());
    CHECK_FALSE(cache.load(kKey).has_value());
    const std::string binary("\0\1\xff zeros and more\0", 19);
    cache.store(kKey, binary);
    CHECK(KernelCache(at(folder.path() / "a" / "b"), {}).load(kKey) == binary);
    CHECK_FALSE(cache.load("another key").has_value());
    cache.store(kKey, "");
    CHECK(cache.load(kKey) == "");
    CHECK(log.lines.empty());
}

TEST_CASE("a cache entry cut at any byte is deleted with one warning and never returned") {
    TemporaryFolder folder;
    LogLines log;
    KernelCache cache(at(folder.path()), log.function());
    cache.store(kKey, kPayload);
    const auto path = cache.entry_path(kKey);
    const std::string whole = read_bytes(path);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        write_bytes(path, whole.substr(0, size));
        REQUIRE_FALSE(cache.load(kKey).has_value());
        REQUIRE_FALSE(std::filesystem::exists(path));
        REQUIRE(log.lines.size() == size + 1);
    }
    write_bytes(path, whole + "x");
    CHECK_FALSE(cache.load(kKey).has_value());
    cache.store(kKey, kPayload);
    CHECK(cache.load(kKey) == kPayload);
}

TEST_CASE("a cache entry with any byte flipped is deleted and never returned") {
    TemporaryFolder folder;
    LogLines log;
    KernelCache cache(at(folder.path()), log.function());
    cache.store(kKey, kPayload);
    const auto path = cache.entry_path(kKey);
    const std::string whole = read_bytes(path);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const int mask : {0x01, 0x80, 0xff}) {
            std::string changed = whole;
            changed[at] = static_cast<char>(changed[at] ^ mask);
            write_bytes(path, changed);
            REQUIRE_FALSE(cache.load(kKey).has_value());
            REQUIRE_FALSE(std::filesystem::exists(path));
        }
    }
    CHECK(log.count(QAPFW_LOG_WARNING, "compiled again") == 3 * whole.size());
}

TEST_CASE("a sound entry of another key in an entry's place is not used") {
    TemporaryFolder folder;
    LogLines log;
    KernelCache cache(at(folder.path()), log.function());
    for (const std::string other :
         {"b key of some length\nwith two lines", "short", "a much longer key than the first one"}) {
        cache.store(other, "not yours");
        std::filesystem::rename(cache.entry_path(other), cache.entry_path(kKey));
        CHECK_FALSE(cache.load(kKey).has_value());
    }
    CHECK(log.count(QAPFW_LOG_WARNING, "made from other source code") == 3);
}

TEST_CASE("folders, pipes and foreign files in an entry's place neither block nor crash") {
    TemporaryFolder folder;
    LogLines log;
    KernelCache cache(at(folder.path()), log.function());
    const auto path = cache.entry_path(kKey);
    write_bytes(path, std::string(100'000, 'x'));
    CHECK_FALSE(cache.load(kKey).has_value());
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK_FALSE(cache.load(kKey).has_value());
    std::filesystem::create_directory(path);
    CHECK_FALSE(cache.load(kKey).has_value());
    cache.store(kKey, kPayload);
    CHECK(log.count(QAPFW_LOG_WARNING, "in memory only") == 1);
}

TEST_CASE("a folder that cannot be written costs one warning, however often it is tried") {
    TemporaryFolder folder;
    write_bytes(folder.path() / "file", "");
    LogLines log;
    KernelCache cache(at(folder.path() / "file" / "kernels"), log.function());
    for (int i = 0; i < 5; ++i) {
        CHECK_FALSE(cache.load(kKey).has_value());
        cache.store(kKey, kPayload);
    }
    CHECK(log.lines.size() == 1);
    CHECK(log.count(QAPFW_LOG_WARNING, "in memory only") == 1);
    CHECK_FALSE(why_not_usable(at(folder.path() / "file" / "kernels")).empty());
    CHECK(why_not_usable(at(folder.path() / "kernels")).empty());
    CHECK(std::filesystem::is_empty(folder.path() / "kernels"));
}

TEST_CASE("a full disk leaves no temporary file behind") {
    // A disk cannot be filled without privileges. A limit on the size of files makes the same write fail.
    TemporaryFolder folder;
    at(folder.path());  // makes the key file's folder in this process; the child would not delete the folder
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{64, 64};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        int warnings = 0;
        KernelCache cache(at(folder.path()), [&](std::int32_t, const std::string&) { ++warnings; });
        cache.store(kKey, std::string(1000, 'p'));
        ::_exit(warnings == 1 && std::filesystem::is_empty(folder.path()) ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

TEST_CASE("without a home folder the cache is in memory, with one warning") {
    const EnvironmentVariable home("HOME", std::nullopt);
    const EnvironmentVariable cache_home("XDG_CACHE_HOME", "relative/path");
    CHECK(default_kernel_cache_folder().empty());
    LogLines log;
    KernelCache cache({}, log.function());
    cache.store(kKey, kPayload);
    CHECK_FALSE(cache.load(kKey).has_value());
    CHECK(log.count(QAPFW_LOG_WARNING, "HOME") == 1);
    KernelCache switched_off({false, {}}, log.function());
    switched_off.store(kKey, kPayload);
    CHECK(log.lines.size() == 1);
}

TEST_CASE("a folder or an entry that others may write, or that another user owns, is not used") {
    TemporaryFolder folder;
    const auto kernels = folder.path() / "kernels";
    KernelCache(at(kernels), {}).store(kKey, kPayload);
    std::filesystem::permissions(kernels, std::filesystem::perms(0777));
    LogLines log;
    KernelCache open(at(kernels), log.function());
    CHECK_FALSE(open.load(kKey).has_value());
    CHECK(log.count(QAPFW_LOG_WARNING, "must not be writable by others, found permissions 777") == 1);
    CHECK(why_not_usable(at(kernels)).find("is not used: it must not be writable") != std::string::npos);
    std::filesystem::permissions(kernels, std::filesystem::perms(0755));
    CHECK(KernelCache(at(kernels), {}).load(kKey) == kPayload);

    KernelCache cache(at(kernels), log.function());
    std::filesystem::permissions(cache.entry_path(kKey), std::filesystem::perms(0666));
    CHECK_FALSE(cache.load(kKey).has_value());
    CHECK(log.count(QAPFW_LOG_WARNING, "is ignored and compiled again: it must not be writable") == 1);
    if (::geteuid() != 0) return;
    cache.store(kKey, kPayload);
    REQUIRE(::chown(cache.entry_path(kKey).c_str(), 12345, 0) == 0);
    CHECK_FALSE(cache.load(kKey).has_value());
    REQUIRE(::chown(kernels.c_str(), 12345, 0) == 0);
    CHECK(why_not_usable(at(kernels)).find("it must belong to user 0, found user 12345") != std::string::npos);
}

TEST_CASE("an entry made with another key is not used") {
    TemporaryFolder folder;
    const auto kernels = folder.path() / "kernels";
    KernelCache(CacheSettings{true, kernels, folder.path() / "theirs"}, {}).store(kKey, "an evil kernel");
    LogLines log;
    CHECK_FALSE(KernelCache(CacheSettings{true, kernels, folder.path() / "mine"}, log.function()).load(kKey));
    CHECK(log.count(QAPFW_LOG_WARNING, "its checksum is wrong") == 1);
    struct stat info {};
    REQUIRE(::stat((folder.path() / "mine").c_str(), &info) == 0);
    CHECK((info.st_mode & 0777u) == 0600u);
}

TEST_CASE("XDG_CACHE_HOME comes before HOME") {
    const EnvironmentVariable home("HOME", "/home/someone");
    EnvironmentVariable cache_home("XDG_CACHE_HOME", "/elsewhere");
    CHECK(default_kernel_cache_folder() == "/elsewhere/qapfw/kernels");
    cache_home.set(std::nullopt);
    CHECK(default_kernel_cache_folder() == "/home/someone/.cache/qapfw/kernels");
}

/// The work of one of many processes: loads and stores entries in a loop. Returns false if a loaded entry differs from
/// what the processes store under its key, or if the entry of "one" is missing at the end.
bool store_and_load(const std::filesystem::path& folder) {
    const std::string payload(50'000, 'k');
    KernelCache cache(at(folder), {});
    for (int round = 0; round < 20; ++round) {
        for (const char* key : {"one", "two", "three"}) {
            const auto found = cache.load(key);
            if (found && *found != payload + key) return false;
            if (!found || round % 5 == 0) cache.store(key, payload + key);
        }
    }
    return cache.load("one") == payload + "one";
}

/// Forks `count` processes that run `body` at the same time. Each must report success.
template <class Body>
void in_processes(int count, const Body& body) {
    std::vector<pid_t> children;
    for (int i = 0; i < count; ++i) {
        const pid_t child = ::fork();
        if (child == 0) ::_exit(body() ? 0 : 1);
        REQUIRE(child > 0);
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
}

std::size_t entries_in(const std::filesystem::path& folder) {
    std::size_t entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) entries += entry.exists() ? 1u : 0u;
    return entries;
}

TEST_CASE("16 processes that start at once on one cold folder all get whole entries and leave nothing else") {
    TemporaryFolder folder;
    at(folder.path());  // makes the key file's folder before the forks, because all processes share this folder
    in_processes(16, [&] { return store_and_load(folder.path() / "kernels"); });
    CHECK(entries_in(folder.path() / "kernels") == 3);
}

/// Works like a compiler that uses the cache. A compilation takes 50 ms and adds a line to the file `compiled`. Returns
/// false if this call compiled without a lock.
bool find_or_make(const std::filesystem::path& folder, const std::filesystem::path& compiled) {
    KernelCache cache(at(folder), {});
    if (cache.load("one")) return true;
    const auto lock = cache.lock("one");
    if (cache.load("one")) return true;
    std::ofstream(compiled, std::ios::app) << "compiled\n" << std::flush;
    ::usleep(50'000);
    cache.store("one", kPayload);
    return lock != nullptr;
}

TEST_CASE("of 8 processes that want one kernel at once one compiles it and the others wait") {
    TemporaryFolder folder;
    at(folder.path());
    in_processes(8, [&] { return find_or_make(folder.path() / "kernels", folder.path() / "compiled"); });
    CHECK(read_bytes(folder.path() / "compiled") == "compiled\n");
    CHECK(entries_in(folder.path() / "kernels") == 1);  // only the entry is left, and no lock
}

TEST_CASE("a process that dies while it compiles leaves the kernel to the next one") {
    TemporaryFolder folder;
    at(folder.path());
    const pid_t child = ::fork();
    if (child == 0) {
        KernelCache cache(at(folder.path() / "kernels"), {});
        const auto lock = cache.lock("one");
        ::_exit(lock ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
    CHECK(find_or_make(folder.path() / "kernels", folder.path() / "compiled"));
    CHECK(read_bytes(folder.path() / "compiled") == "compiled\n");
}

}  // namespace
}  // namespace qapfw::framework
