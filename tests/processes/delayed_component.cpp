// SPDX-License-Identifier: Apache-2.0
// An MPI component (framework/processes/component.h) whose messages take QAPFW_DELAY_MS longer to arrive than those of
// the component QAPFW_DELAYED_COMPONENT, which does the work. For tests and measurements, as QAPFW_MPI_COMPONENT.
#include <dlfcn.h>

#include <chrono>
#include <cstdlib>
#include <deque>
#include <string>
#include <thread>
#include <vector>

#include "framework/processes/component.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Delayed {
    Clock::time_point due;
    std::uint32_t channel;
    std::vector<unsigned char> bytes;
};

std::string error_text;
std::deque<Delayed> on_their_way;

const char* setting(const char* name, const char* otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? text : otherwise;
}

const qapfw_mpi_component* real() {
    static const auto* const table = [] {
        void* const handle = dlopen(setting("QAPFW_DELAYED_COMPONENT", ""), RTLD_NOW | RTLD_GLOBAL);
        void* const symbol = handle != nullptr ? dlsym(handle, QAPFW_MPI_COMPONENT_SYMBOL) : nullptr;
        return static_cast<const qapfw_mpi_component*>(symbol);
    }();
    return table;
}

Clock::duration delay() {
    static const std::chrono::milliseconds time(std::atoi(setting("QAPFW_DELAY_MS", "0")));
    return time;
}

std::int32_t let_arrive(Clock::time_point now) {
    while (!on_their_way.empty() && on_their_way.front().due <= now) {
        const Delayed message = std::move(on_their_way.front());
        on_their_way.pop_front();
        if (real()->post(message.channel, message.bytes.data(), message.bytes.size()) != 0) return 1;
    }
    return 0;
}

const char* description() {
    return real() != nullptr ? real()->description() : "QAPFW_DELAYED_COMPONENT names no component";
}

std::int32_t open(std::uint32_t* rank, std::uint32_t* count) {
    if (real() != nullptr) return real()->open(rank, count);
    error_text = description();
    return 1;
}

struct Patience {
    std::int32_t (*go_on)(void*);
    void* context;
};

/// What the last process says arrives everywhere after the delay, but not before. Meanwhile messages arrive.
std::int32_t all_gather(const void* own, std::uint64_t size, void* all, std::uint64_t all_size,
                        std::int32_t (*go_on)(void*), void* context) {
    Patience patience{go_on, context};
    const auto look = [](void* at) -> std::int32_t {
        const auto* const asked = static_cast<const Patience*>(at);
        return let_arrive(Clock::now()) == 0 ? asked->go_on(asked->context) : 0;
    };
    const std::int32_t result = real()->all_gather(own, size, all, all_size, look, &patience);
    if (result == 0) std::this_thread::sleep_for(delay());
    return result;
}

std::int32_t post(std::uint32_t channel, const void* bytes, std::uint64_t size) {
    const auto* const first = static_cast<const unsigned char*>(bytes);
    const Clock::time_point now = Clock::now();
    on_their_way.push_back({now + delay(), channel, {first, first + size}});
    return let_arrive(now);
}

std::int32_t take(std::uint32_t channel, std::uint32_t rank, const void** bytes, std::uint64_t* size) {
    if (let_arrive(Clock::now()) != 0) return 1;
    return real()->take(channel, rank, bytes, size);
}

std::int32_t close() {
    return real()->close();
}

const char* error() {
    return real() != nullptr ? real()->error() : error_text.c_str();
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) extern const qapfw_mpi_component qapfw_mpi_component_v1;
const qapfw_mpi_component qapfw_mpi_component_v1 = {
    sizeof(qapfw_mpi_component), description, open, all_gather, post, take, close, error,
};
}
