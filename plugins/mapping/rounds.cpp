// SPDX-License-Identifier: Apache-2.0
#include "plugins/mapping/rounds.hpp"

#include "plugins/mapping/device/round_rules.hpp"

namespace qapfw::mapping {
Rounds::Rounds(sdk::SampledWalk& walk, std::uint32_t positions, std::uint32_t movers)
    : walk_(walk),
      positions_(positions),
      movers_(movers),
      chunks_((proposals() + kChunk - 1) / kChunk),
      claims_(new std::atomic<std::uint64_t>[positions]()),
      accepted_(std::size_t{chunks_} * kChunk),
      counts_(chunks_),
      sums_(chunks_) {}

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

void Rounds::propose(std::uint32_t chunk, const RoundOrder& order, std::uint64_t key) {
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
    walk_.propose(count, positions, draws, partners, deltas);
    Accepted* const accepted = accepted_.data() + std::size_t{chunk} * kChunk;
    std::uint32_t taken = 0;
    const double scale = order.temperature * 0x1p-16;
    for (std::uint32_t k = 0; k < count; ++k) {
        if (partners[k] == positions[k]) continue;
        if (!is_accepted(deltas[k], draws[k], scale, logarithms_)) continue;
        accepted[taken++] = {positions[k], partners[k], deltas[k]};
        const std::uint64_t priority = priority_of(order.number, key, positions[k]);
        claim(positions[k], priority);
        claim(partners[k], priority);
    }
    counts_[chunk] = taken;
}

bool Rounds::wins(const Accepted& accepted, std::uint64_t priority, bool exclusive) const {
    const auto held = [this](std::uint32_t position) { return claims_[position].load(std::memory_order_relaxed); };
    if (held(accepted.u) != priority || held(accepted.v) != priority) return false;
    if (!exclusive) return true;
    const auto leaves = [&](std::uint32_t neighbour) { return held(neighbour) <= priority; };
    return walk_.all_neighbours(accepted.u, leaves) && walk_.all_neighbours(accepted.v, leaves);
}

std::int64_t Rounds::exchange(std::uint32_t chunk, const RoundOrder& order, std::uint64_t key) {
    const Accepted* const accepted = accepted_.data() + std::size_t{chunk} * kChunk;
    std::int64_t sum = 0;
    for (std::uint32_t k = 0; k < counts_[chunk]; ++k) {
        if (!wins(accepted[k], priority_of(order.number, key, accepted[k].u), order.exclusive)) continue;
        walk_.exchange(accepted[k].u, accepted[k].v);
        sum += accepted[k].delta;
    }
    return sum;
}

std::int64_t Rounds::play(const RoundOrder& order, Team& team) {
    constexpr std::uint32_t kWorthThreads = 512;  // exchanges that take longer than to share them
    const std::uint64_t key = round_key(order.seed, order.number);
    atomic_ = team.is_shared();
    team.loop(chunks_, [&](std::uint32_t chunk) { propose(chunk, order, key); });
    std::uint64_t all = 0;
    for (const std::uint32_t count : counts_) all += count;
    const auto apply = [&](std::uint32_t chunk) { sums_[chunk] = exchange(chunk, order, key); };
    if (all >= kWorthThreads) {
        team.loop(chunks_, apply);
    } else {
        for (std::uint32_t chunk = 0; chunk < chunks_; ++chunk) apply(chunk);
    }
    std::int64_t sum = 0;
    for (const std::int64_t s : sums_) sum += s;
    return sum;
}

}  // namespace qapfw::mapping
