// SPDX-License-Identifier: Apache-2.0
// Short loops on the framework's threads, thousands a second: threads stay between two loops, as waking them would take
// longer than the work.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>

#include "qapfw/sdk/host.hpp"

namespace qapfw::mapping {

class Team {
  public:
    explicit Team(const sdk::Host& host) : host_(host) {}

    /// Runs `lead` on one thread; meanwhile the others work on the loops that it starts. Where the host has one thread,
    /// or runs bodies one after the other, `lead` does all of the work.
    template <class Lead>
    void gather(Lead&& lead) {
        const std::uint32_t workers = host_.workers();
        ending_.store(false, std::memory_order_relaxed);
        ticket_.store(kClosed, std::memory_order_release);
        host_.parallel_for(workers, [&](std::uint64_t index, std::uint32_t) {
            if (index > 0) {
                help();
                return;
            }
            try {
                lead();
            } catch (...) {
                ending_.store(true, std::memory_order_release);
                throw;
            }
            ending_.store(true, std::memory_order_release);
        });
    }

    /// True if loops may run on several threads.
    bool is_shared() const { return host_.workers() > 1; }
    /// From `lead`: body(index) for all indices; it must not throw.
    template <class Body>
    void loop(std::uint32_t count, Body&& body) {
        if (count <= 1 || host_.workers() == 1) {
            for (std::uint32_t k = 0; k < count; ++k) body(k);
            return;
        }
        user_ = const_cast<void*>(static_cast<const void*>(&body));
        call_ = [](void* user, std::uint32_t index) { (*static_cast<std::remove_reference_t<Body>*>(user))(index); };
        count_.store(count, std::memory_order_relaxed);
        done_.store(0, std::memory_order_relaxed);
        ++number_;
        ticket_.store(std::uint64_t{number_} << 32, std::memory_order_release);
        while (work()) {
        }
        for (std::uint32_t turns = 0; done_.load(std::memory_order_acquire) != count; ++turns) pause(turns);
        ticket_.store((std::uint64_t{number_} << 32) | kClosed, std::memory_order_release);
    }

  private:
    static constexpr std::uint64_t kClosed = 0xffffffffu;  ///< low half of a ticket: nothing to be done

    /// Takes one index; whether there was one.
    bool work() {
        std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
        while (true) {
            const auto index = static_cast<std::uint32_t>(ticket);
            if (index >= count_.load(std::memory_order_relaxed) || index == kClosed) return false;
            // A ticket of an earlier loop cannot be taken: its number differs.
            if (ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) {
                call_(user_, index);
                done_.fetch_add(1, std::memory_order_acq_rel);
                return true;
            }
        }
    }
    void help() {
        for (std::uint32_t turns = 0; !ending_.load(std::memory_order_acquire); ++turns) {
            if (work())
                turns = 0;
            else
                pause(turns);
        }
    }
    static void pause(std::uint32_t turns) {
        constexpr std::uint32_t kSpins = 2000;
        if (turns < kSpins)
            __builtin_ia32_pause();
        else
            std::this_thread::yield();
    }

    sdk::Host host_;
    std::atomic<std::uint64_t> ticket_{kClosed};  ///< number of the loop, next index
    std::atomic<std::uint32_t> count_{0}, done_{0};
    std::atomic<bool> ending_{false};
    std::uint32_t number_ = 0;
    void* user_ = nullptr;
    void (*call_)(void* user, std::uint32_t index) = nullptr;
};

}  // namespace qapfw::mapping
