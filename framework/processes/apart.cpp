// SPDX-License-Identifier: Apache-2.0
// Processes that run apart: messages that nobody waits for.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "framework/host/last_error.hpp"
#include "framework/processes/processes.hpp"

namespace qapfw::framework {
namespace {

/// Which bytes of the whole a solver's message holds.
struct Part {
    std::uint64_t first = 0, size = 0;
};

}  // namespace

void Processes::begin_apart() {
    ++times_apart_;
    exchange_.gather_latest = [](void* context, std::uint32_t channel, void* all, std::uint64_t all_size,
                                 std::uint64_t first, std::uint64_t size) {
        return static_cast<Processes*>(context)->solver_gathers_latest(channel, all, all_size, first, size);
    };
}

void Processes::end_apart() {
    exchange_.gather_latest = nullptr;
    alone_ = false;
}

void Processes::post(std::uint32_t channel, std::string_view bytes) {
    throw_if_ended();
    std::string message(reinterpret_cast<const char*>(&times_apart_), sizeof times_apart_);
    message += bytes;
    if (library_.table->post(channel, message.data(), message.size()) == 0) return;
    throw Error(ErrorKind::kInternal, fmt::format("MPI failed: {}", library_.table->error()));
}

std::string Processes::take(std::uint32_t channel, std::uint32_t rank) {
    throw_if_ended();
    const void* bytes = nullptr;
    std::uint64_t size = 0;
    if (library_.table->take(channel, rank, &bytes, &size) != 0) {
        throw Error(ErrorKind::kInternal, fmt::format("MPI failed: {}", library_.table->error()));
    }
    std::string message(static_cast<const char*>(bytes), size);
    const bool of_this_run =
        message.size() >= sizeof times_apart_ && std::memcmp(message.data(), &times_apart_, sizeof times_apart_) == 0;
    return of_this_run ? message.substr(sizeof times_apart_) : std::string();
}

qapfw_status Processes::solver_gathers(const void* own, std::uint64_t size, void* all, std::uint64_t all_size) {
    ++exchanges_;
    try {
        if (alone_) {
            throw Error(ErrorKind::kUsage,
                        "the solver waits for the other processes in every round: run.exchange = \"synchronous\"");
        }
        gather(own, size, all, all_size);
        return QAPFW_OK;
    } catch (const std::exception& error) {
        set_last_error(error.what());
        return QAPFW_ERROR;
    }
}

qapfw_status Processes::solver_gathers_latest(std::uint32_t channel, void* all, std::uint64_t all_size,
                                              std::uint64_t first, std::uint64_t size) {
    ++exchanges_;
    auto* const bytes = static_cast<char*>(all);
    try {
        const Part own{first, size};
        std::string message(reinterpret_cast<const char*>(&own), sizeof own);
        message.append(bytes + first, size);
        post(kSolverChannels + channel, message);
        for (std::uint32_t p = 0; p < count_; ++p) {
            const std::string arrived = p == rank_ ? std::string() : take(kSolverChannels + channel, p);
            if (arrived.size() < sizeof(Part)) continue;
            Part part;
            std::memcpy(&part, arrived.data(), sizeof part);
            if (arrived.size() - sizeof part != part.size || part.size > all_size ||
                part.first > all_size - part.size) {
                throw Error(ErrorKind::kPlugin, fmt::format("gather_latest: process {} sends {} bytes from {} on, and "
                                                            "all have {}",
                                                            p, part.size, part.first, all_size));
            }
            std::copy(arrived.begin() + sizeof part, arrived.end(), bytes + part.first);
        }
        return QAPFW_OK;
    } catch (const std::exception& error) {
        set_last_error(error.what());
        return QAPFW_ERROR;
    }
}

}  // namespace qapfw::framework
