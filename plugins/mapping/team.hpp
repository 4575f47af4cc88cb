// SPDX-License-Identifier: Apache-2.0
// Short loops on the framework's threads, thousands per second. Threads stay active between two loops, since waking
// them would take longer than the work.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "qapfw/sdk/host.hpp"

namespace qapfw::mapping {

class Team {
  public:
    explicit Team(const sdk::Host& host) : host_(host), parts_(std::max(1u, host.workers())) {}

    /// Runs `lead` on one thread. Meanwhile the other threads work on the loops that `lead` starts. If the host has one
    /// thread, or runs the members of the team one after the other, `lead` does all of the work.
    template <class Lead>
    void gather(Lead&& lead) {
        gather(lead, [this](std::uint32_t member) { help(member); });
    }
    /// Runs `lead` on one thread. The other threads run help(member), which works until ends() is true.
    template <class Lead, class Help>
    void gather(Lead&& lead, Help&& help) {
        ending_.store(false, std::memory_order_relaxed);
        host_.parallel_for(parts_.size(), [&](std::uint64_t member, std::uint32_t) {
            if (member > 0) {
                help(static_cast<std::uint32_t>(member));
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

    std::uint32_t members() const { return static_cast<std::uint32_t>(parts_.size()); }  ///< number of threads
    /// True as soon as `lead` has returned or thrown.
    bool ends() const { return ending_.load(std::memory_order_acquire); }
    /// Lets a waiting thread pause: it spins at first, and yields its processor later. `turns`: number of its pauses so
    /// far.
    static void pause(std::uint32_t turns) {
        constexpr std::uint32_t kSpins = 2000;
        if (turns < kSpins)
            __builtin_ia32_pause();
        else
            std::this_thread::yield();
    }
    /// True if loops may run on several threads.
    bool is_shared() const { return parts_.size() > 1; }
    /// Runs body(index) for all indices below `count`. Called by `lead`. `body` must not throw. In each loop, a thread
    /// begins with the same part of the indices, because this part's data may still be in the thread's cache. Then the
    /// thread helps with other parts.
    template <class Body>
    void loop(std::uint32_t count, Body&& body) {
        if (count <= 1 || !is_shared()) {
            for (std::uint32_t k = 0; k < count; ++k) body(k);
            return;
        }
        user_ = const_cast<void*>(static_cast<const void*>(&body));
        call_ = [](void* user, std::uint32_t index) { (*static_cast<std::remove_reference_t<Body>*>(user))(index); };
        done_.store(0, std::memory_order_relaxed);
        const std::uint64_t members = parts_.size();
        for (std::uint64_t m = members; m-- > 0;) {
            const std::uint64_t begin = count * m / members, end = count * (m + 1) / members;
            parts_[m].ticket.store(end << 32 | begin, std::memory_order_release);
        }
        work(0);
        for (std::uint32_t turns = 0; done_.load(std::memory_order_acquire) != count; ++turns) pause(turns);
    }

  private:
    /// A thread's own share of the indices. Other threads access this cache line only when they help with the share.
    struct alignas(64) Part {
        std::atomic<std::uint64_t> ticket{0};  ///< upper 32 bits: end of the part's indices; lower: next index
    };

    bool has_work(std::uint32_t member) const {
        const std::uint64_t ticket = parts_[member].ticket.load(std::memory_order_relaxed);
        return static_cast<std::uint32_t>(ticket) < ticket >> 32;
    }
    /// Works on the remaining indices of a part, and returns how many it took. loop() stores the body before it gives
    /// out tickets, so a thread that takes an index sees the right body. loop() returns when all indices are done.
    std::uint32_t work_on(Part& part) {
        std::uint32_t taken = 0;
        std::uint64_t ticket = part.ticket.load(std::memory_order_relaxed);
        while (static_cast<std::uint32_t>(ticket) < ticket >> 32) {
            if (!part.ticket.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acquire)) continue;
            call_(user_, static_cast<std::uint32_t>(ticket));
            ++taken;
            ticket = part.ticket.load(std::memory_order_relaxed);
        }
        return taken;
    }
    void work(std::uint32_t member) {
        const auto members = static_cast<std::uint32_t>(parts_.size());
        for (std::uint32_t k = 0; k < members; ++k) {
            const std::uint32_t taken = work_on(parts_[(member + k) % members]);
            if (taken > 0) done_.fetch_add(taken, std::memory_order_release);
        }
    }
    void help(std::uint32_t member) {
        for (std::uint32_t turns = 0; !ends(); ++turns) {
            if (has_work(member)) {
                work(member);
                turns = 0;
            } else {
                pause(turns);
            }
        }
    }

    sdk::Host host_;
    std::vector<Part> parts_;  ///< one for each thread
    alignas(64) std::atomic<std::uint32_t> done_{0};
    alignas(64) std::atomic<bool> ending_{false};
    void* user_ = nullptr;
    void (*call_)(void* user, std::uint32_t index) = nullptr;
};

}  // namespace qapfw::mapping
