// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/claims.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>
#include <vector>

#include "framework/record/folder.hpp"
#include "framework/record/process_identity.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

namespace fs = std::filesystem;

std::string this_place() {
    return fmt::format("{} {} {}", host_name(), boot_of_machine(), namespace_of_processes());
}

constexpr std::size_t kLongestOwner = 4096;  // largest size of an owner's file, in bytes

double seconds_of(const timespec& time) {
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The time at which the file was last changed. The disk's clock tells this time, so it is the same for all hosts.
std::optional<double> modified(const fs::path& path) {
    struct stat info {};
    if (lstat(path.c_str(), &info) != 0) return std::nullopt;
    return seconds_of(info.st_mtim);
}

void touch(const fs::path& path) {
    utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

/// Opens the file that disk_time() touches to read the disk's clock. Makes the file if it is missing. If a link or
/// something else has this name, removes that first.
Descriptor open_clock(const Folder& folder, const std::string& name) {
    try {
        return folder.open_to_grow(name);
    } catch (const Error&) {
        unlinkat(folder.descriptor(), name.c_str(), 0);
    }
    return folder.open_to_grow(name);
}

/// The present time by the disk's clock, or by this host's clock if the folder cannot be written. Leaves one file per
/// user, ".clock-UID", in the folder.
double disk_time(const fs::path& path) {
    try {
        const Folder folder(path);
        const Descriptor clock = open_clock(folder, fmt::format(".clock-{}", geteuid()));
        struct stat info {};
        if (futimens(clock.get(), nullptr) == 0 && fstat(clock.get(), &info) == 0) return seconds_of(info.st_mtim);
    } catch (const Error&) {
        // The folder cannot be written.
    }
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    return seconds_of(now);
}

/// Text of the owner's file; empty if the file is missing, is no regular file (such as a link), or cannot be read.
std::string owner_text(const fs::path& claim) {
    try {
        return Folder(claim).read_own("owner", kLongestOwner);
    } catch (const Error&) {
        return {};
    }
}

/// Splits "<name>.<generation>"; generation 0: the file is no claim.
std::pair<std::string, int> split(const std::string& file) {
    const std::size_t dot = file.rfind('.');
    int generation = 0;
    if (dot == std::string::npos || file.front() == '.') return {file, 0};
    const char* end = file.data() + file.size();
    const auto result = std::from_chars(file.data() + dot + 1, end, generation);
    return {file.substr(0, dot), result.ec == std::errc() && result.ptr == end ? generation : 0};
}

}  // namespace

Claims::Claims(fs::path folder, ClaimRules rules) : folder_(std::move(folder)), rules_(rules), place_(this_place()) {
    self_ = fmt::format("{}\n{} {}\n", place_, getpid(), start_of_process(getpid()));
}

fs::path Claims::path_of(const std::string& name, int generation) const {
    return folder_ / fmt::format("{}.{}", name, generation);
}

int Claims::generation_of(const std::string& name) const {
    const std::map<std::string, int> highest = generations();
    const auto found = highest.find(name);
    return found == highest.end() ? 0 : found->second;
}

bool Claims::alive(const fs::path& claim) const {
    std::istringstream lines(owner_text(claim));
    std::string place, line;
    std::getline(lines, place);
    std::getline(lines, line);
    if (!place.empty() && place == place_) {
        std::istringstream owner_process(line);
        std::int64_t process = 0;
        std::uint64_t started = 0;
        return owner_process >> process >> started && started != 0 && start_of_process(process) == started;
    }
    // The owner's process cannot be looked up here, or the claim was just made and has no owner yet.
    const auto beat = modified(place.empty() ? claim : claim / "owner");
    if (!beat) return false;
    const double patience =
        place.empty() ? static_cast<double>(rules_.heartbeat.count()) : static_cast<double>(rules_.patience.count());
    return disk_time(folder_) - *beat < patience;
}

std::optional<Claim> Claims::take(const std::string& name) {
    const int current = generation_of(name);
    if (current > 0 && alive(path_of(name, current))) return std::nullopt;
    Claim claim{name, path_of(name, current + 1), current + 1};
    if (mkdir(claim.folder.c_str(), 0777) != 0) {
        if (errno == EEXIST) return std::nullopt;  // another process was faster
        throw Error(ErrorKind::kIo,
                    fmt::format("{}: cannot create the folder: {}", claim.folder.string(), std::strerror(errno)));
    }
    try {
        write_atomically(claim.folder / "owner", self_, Durability::kProcess);
    } catch (...) {
        release(claim);
        throw;
    }
    return claim;
}

bool Claims::beat(const Claim& claim) const {
    touch(claim.folder / "owner");
    std::error_code error;
    return fs::exists(claim.folder, error) && !fs::exists(path_of(claim.name, claim.generation + 1), error);
}

void Claims::release(const Claim& claim) const {
    std::error_code ignored;
    for (int generation = 1; generation <= claim.generation; ++generation)
        fs::remove_all(path_of(claim.name, generation), ignored);
}

bool Claims::held(const std::string& name) const {
    const int current = generation_of(name);
    return current > 0 && alive(path_of(name, current));
}

std::map<std::string, int> Claims::generations() const {
    std::map<std::string, int> highest;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
        const auto [name, generation] = split(entry.path().filename().string());
        if (generation > 0) highest[name] = std::max(highest[name], generation);
    }
    return highest;
}

std::vector<std::string> Claims::all_held() const {
    std::vector<std::string> names;
    for (const auto& [name, generation] : generations()) {
        if (alive(path_of(name, generation))) names.push_back(name);
    }
    return names;
}

void Claims::clear_dead(const std::set<std::string>& done) const {
    for (const auto& [name, generation] : generations()) {
        const fs::path claim = path_of(name, generation);
        if (done.count(name) > 0 && !alive(claim)) release({name, claim, generation});
    }
}

}  // namespace qapfw::framework::laboratory
