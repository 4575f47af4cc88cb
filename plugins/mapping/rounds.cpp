// SPDX-License-Identifier: Apache-2.0
#include "plugins/mapping/rounds.hpp"

#include <algorithm>

namespace qapfw::mapping {
Rounds::Rounds(sdk::SampledWalk& walk, std::uint32_t positions, std::uint32_t movers)
    : walk_(walk),
      positions_(positions),
      movers_(movers),
      chunks_((proposals() + kChunk - 1) / kChunk),
      claims_(new std::atomic<std::uint64_t>[positions]()),
      accepted_(chunks_) {}

void Rounds::forget_claims() {
    for (std::uint32_t k = 0; k < positions_; ++k) claims_[k].store(0, std::memory_order_relaxed);
}

void Rounds::claim(std::uint32_t position, std::uint64_t priority) {
    std::atomic<std::uint64_t>& held = claims_[position];
    std::uint64_t now = held.load(std::memory_order_relaxed);
    while (now < priority) {
        if (!atomic_) {
            held.store(priority, std::memory_order_relaxed);
            return;
        }
        if (held.compare_exchange_weak(now, priority, std::memory_order_relaxed)) return;
    }
}

void Rounds::propose(const sdk::SampledWalk& walk, std::uint32_t chunk, const RoundOrder& order, std::uint64_t key) {
    std::uint32_t positions[kChunk] = {}, partners[kChunk];
    std::uint64_t draws[kChunk] = {};
    std::int64_t deltas[kChunk];
    const std::uint32_t begin = chunk * kChunk, end = std::min(begin + kChunk, proposals());
    std::uint32_t count = 0;
    for (std::uint32_t k = begin; k < end; ++k) {
        const std::uint32_t u = proposing_position(key, k);
        if (u >= movers_) continue;
        positions[count] = u;
        draws[count++] = draw_of(key, u);
    }
    walk.propose(count, positions, draws, partners, deltas);
    Chunk& own = accepted_[chunk];
    std::uint32_t taken = 0;
    const double scale = order.temperature * 0x1p-16;
    for (std::uint32_t k = 0; k < count; ++k) {
        if (partners[k] == positions[k]) continue;
        if (!is_accepted(deltas[k], draws[k], scale, logarithms_)) continue;
        own.accepted[taken++] = {positions[k], partners[k], deltas[k]};
    }
    own.count = taken;
}

void Rounds::claim_all(std::uint32_t chunk, const RoundOrder& order, std::uint64_t key) {
    const Chunk& own = accepted_[chunk];
    for (std::uint32_t k = 0; k < own.count; ++k) {
        const std::uint64_t priority = priority_of(order.number, key, own.accepted[k].u);
        claim(own.accepted[k].u, priority);
        claim(own.accepted[k].v, priority);
    }
}

bool Rounds::wins(const Accepted& accepted, std::uint64_t priority, bool exclusive) const {
    const auto held = [this](std::uint32_t position) { return claims_[position].load(std::memory_order_relaxed); };
    if (held(accepted.u) != priority || held(accepted.v) != priority) return false;
    if (!exclusive) return true;
    const auto leaves = [&](std::uint32_t neighbour) { return held(neighbour) <= priority; };
    return walk_.all_neighbours(accepted.u, leaves) && walk_.all_neighbours(accepted.v, leaves);
}

std::int64_t Rounds::play(const RoundOrder& order, Team& team) {
    constexpr std::uint32_t kWorthThreads = 512;  // with this many swaps it is quicker to divide them among threads
    const std::uint64_t key = round_key(order.seed, order.number);
    atomic_ = team.is_shared();
    team.loop(chunks_, [&](std::uint32_t chunk) {
        propose(walk_, chunk, order, key);
        claim_all(chunk, order, key);
    });
    std::uint64_t all = 0;
    for (const Chunk& chunk : accepted_) all += chunk.count;
    const auto apply = [&](std::uint32_t chunk) { exchange(chunk, order, key, [](std::uint32_t, std::uint32_t) {}); };
    if (all >= kWorthThreads) {
        team.loop(chunks_, apply);
    } else {
        for (std::uint32_t chunk = 0; chunk < chunks_; ++chunk) apply(chunk);
    }
    std::int64_t sum = 0;
    for (const Chunk& chunk : accepted_) sum += chunk.sum;
    return sum;
}

}  // namespace qapfw::mapping
