// SPDX-License-Identifier: Apache-2.0
#include "framework/processes/processes.hpp"

#include <dlfcn.h>
#include <fmt/core.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

#include "framework/host/failure.hpp"
#include "framework/host/last_error.hpp"
#include "framework/host/log.hpp"

namespace qapfw::framework {
namespace {

constexpr std::chrono::milliseconds kLeaveTime{5000};

const qapfw_mpi_component* open_library(const std::filesystem::path& path) {
    // RTLD_GLOBAL: MPI loads further libraries of its own, which need its symbols.
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle == nullptr) {
        const char* const text = dlerror();
        throw Error(ErrorKind::kUsage,
                    fmt::format("the MPI component cannot be loaded: {}", text != nullptr ? text : path.string()));
    }
    const auto* table = static_cast<const qapfw_mpi_component*>(dlsym(handle, QAPFW_MPI_COMPONENT_SYMBOL));
    if (table == nullptr || table->struct_size != sizeof *table) {
        throw Error(ErrorKind::kUsage, fmt::format("{}: not the MPI component of this program", path.string()));
    }
    return table;
}

struct Opened {
    std::uint32_t rank = 0, count = 1;
};

Opened open_mpi(const qapfw_mpi_component& table, std::uint32_t expected) {
    Opened opened;
    if (table.open(&opened.rank, &opened.count) != 0) {
        throw Error(ErrorKind::kUsage, fmt::format("MPI cannot be started: {}", table.error()));
    }
    if (expected != 0 && opened.count != expected) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("the launcher started {} processes, but {} sees {}: the launcher belongs to another "
                                "MPI than the one this program was built with; use the launcher of that MPI",
                                expected, table.description(), opened.count));
    }
    return opened;
}

std::int32_t goes_on(void* context) {
    return static_cast<const Watch*>(context)->has_ended() ? 0 : 1;
}

}  // namespace

MpiLibrary::MpiLibrary(const std::filesystem::path& path) : table(open_library(path)) {}

Processes::Processes() : codes_{}, watch_(Watch::Place{}) {}

Processes::Processes(const std::filesystem::path& library, std::uint32_t expected, ReturnCodes codes)
    : library_(library), codes_(codes), description_(library_.table->description()), watch_([&] {
          const Opened opened = open_mpi(*library_.table, expected);
          rank_ = opened.rank;
          count_ = opened.count;
          return Watch::Place{rank_, count_, codes_.lost};
      }()) {
    exchange_.struct_size = sizeof exchange_;
    exchange_.rank = rank_;
    exchange_.size = count_;
    exchange_.context = this;
    exchange_.all_gather = [](void* context, const void* own, std::uint64_t size, void* all, std::uint64_t all_size) {
        return static_cast<Processes*>(context)->solver_gathers(own, size, all, all_size);
    };
}

qapfw_status Processes::solver_gathers(const void* own, std::uint64_t size, void* all, std::uint64_t all_size) {
    ++exchanges_;
    try {
        gather(own, size, all, all_size);
        return QAPFW_OK;
    } catch (const std::exception& error) {
        set_last_error(error.what());
        return QAPFW_ERROR;
    }
}

void Processes::begin_watch() {
    if (alone()) return;
    const std::string where = share(leads() ? watch_.listen() : std::string());
    const bool connected = leads() || (!where.empty() && watch_.connect(where));
    const auto all = gather_values(static_cast<std::uint8_t>(connected ? 1 : 0));
    for (std::size_t p = 0; p < all.size(); ++p) {
        if (all[p] != 0 || !leads()) continue;
        log_warning(
            "process {0} has no TCP connection to process 0; if process {0} stops, only the launcher can notice", p);
    }
}

void Processes::gather(const void* own, std::uint64_t size, void* all, std::uint64_t all_size) {
    if (alone()) {
        if (size != 0) std::memcpy(all, own, size);
        return;
    }
    throw_if_ended();
    const std::int32_t result = library_.table->all_gather(own, size, all, all_size, goes_on, &watch_);
    if (result == 0) return;
    throw_if_ended();
    throw Error(ErrorKind::kInternal, fmt::format("MPI failed: {}", library_.table->error()));
}

std::vector<std::string> Processes::gather_texts(const std::string& own) {
    const auto sizes = gather_values(static_cast<std::uint64_t>(own.size()));
    std::string all(std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}), '\0');
    gather(own.data(), own.size(), all.data(), all.size());
    std::vector<std::string> texts;
    std::size_t at = 0;
    for (const std::uint64_t size : sizes) {
        texts.push_back(all.substr(at, size));
        at += size;
    }
    return texts;
}

std::string Processes::share(const std::string& own) {
    return gather_texts(leads() ? own : std::string()).front();
}

std::vector<std::string> Processes::share(const std::vector<std::string>& own) {
    std::string packed;
    for (const std::string& text : own) {
        const std::uint64_t size = text.size();
        packed.append(reinterpret_cast<const char*>(&size), sizeof size);
        packed += text;
    }
    packed = share(packed);
    std::vector<std::string> texts;
    for (std::size_t at = 0; at < packed.size();) {
        std::uint64_t size = 0;
        std::memcpy(&size, packed.data() + at, sizeof size);
        texts.push_back(packed.substr(at + sizeof size, size));
        at += sizeof size + size;
    }
    return texts;
}

bool Processes::any_of(bool own) {
    const auto all = gather_values(static_cast<std::uint8_t>(own ? 1 : 0));
    return std::any_of(all.begin(), all.end(), [](std::uint8_t one) { return one != 0; });
}

void Processes::throw_if_ended() {
    if (!watch_.has_ended()) return;
    gave_up_ = true;
    throw EndedTogether(watch_.ending());
}

void Processes::fail(const std::exception_ptr& failure) {
    if (alone()) return;
    watch_.fail(codes_.of(failure), failure_of(failure).text);
}

int Processes::leave(int code) {
    if (alone()) return code;
    watch_.leave_within(kLeaveTime, code);
    if (!watch_.has_ended()) {
        try {
            gather_values(std::uint8_t{1});
        } catch (const Error&) {  // another process failed while it ended; this process is done and ignores the error
        }
    }
    // A launcher ends all processes when a failed one exits. So every process except process 0 waits here until process
    // 0 has reported the failure.
    if (!leads() && watch_.has_ended()) watch_.wait_for_leader(kLeaveTime);
    watch_.wait_for_launcher();
    watch_.say_goodbye();
    if (!watch_.has_ended()) {
        library_.table->close();
        return code;
    }
    // MPI_Finalize would wait for processes that are gone. An ordinary exit would free memory to which pending receives
    // could still write. So the process ends by _exit.
    std::fflush(nullptr);
    watch_.wait_for_goodbye();
    _exit(code);
}

namespace {

struct Seat {
    char host[256];
    cpu_set_t cores;
    char gpus[256];
};

Seat own_seat() {
    Seat seat{};
    gethostname(seat.host, sizeof seat.host - 1);
    if (sched_getaffinity(0, sizeof seat.cores, &seat.cores) != 0) {
        for (std::size_t core = 0; core < CPU_SETSIZE; ++core) CPU_SET(core, &seat.cores);
    }
    const char* const gpus = std::getenv("CUDA_VISIBLE_DEVICES");
    if (gpus != nullptr) std::strncpy(seat.gpus, gpus, sizeof seat.gpus - 1);
    return seat;
}

}  // namespace

LocalPlace find_local_place(Processes& processes) {
    const std::vector<Seat> seats = processes.gather_values(own_seat());
    const Seat& own = seats[processes.rank()];
    LocalPlace place{own.host, 0, 0, 0, false};
    for (std::uint32_t p = 0; p < seats.size(); ++p) {
        const Seat& seat = seats[p];
        if (std::strcmp(seat.host, own.host) != 0) continue;
        ++place.count;
        if (p < processes.rank()) ++place.rank;
        cpu_set_t common;
        CPU_AND(&common, &seat.cores, &own.cores);
        if (CPU_COUNT(&common) > 0) ++place.same_cores;
        if (std::strcmp(seat.gpus, own.gpus) != 0) place.own_gpus = true;
    }
    return place;
}

}  // namespace qapfw::framework
