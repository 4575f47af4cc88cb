// SPDX-License-Identifier: Apache-2.0
#include "plugins/mapping/rounds_on_copies.hpp"

#include <algorithm>

#include "plugins/mapping/device/round_rules.hpp"

namespace qapfw::mapping {

RoundsOnCopies::RoundsOnCopies(const sdk::ProblemRef& problem, Rounds& rounds, sdk::SampledWalk& walk,
                               std::uint32_t members)
    : rounds_(rounds), walk_(walk), members_(members), solution_(problem.solution_bytes()) {
    for (std::uint32_t m = 1; m < members; ++m) members_[m].walk = std::make_unique<sdk::SampledWalk>(problem);
    for (Made& made : made_) made.pairs.reset(new std::atomic<std::uint64_t>[rounds.proposals()]());
}

std::uint32_t RoundsOnCopies::members_for(const Rounds& rounds, std::uint32_t threads) {
    return std::clamp(rounds.chunks() / 2, 1u, std::min(threads, kMostMembers));
}

void RoundsOnCopies::forget_copies() {
    for (Member& member : members_) member.is_right = false;
}

void RoundsOnCopies::begin() {
    for (Member& member : members_) member.wants.store(false, std::memory_order_relaxed);
    waiting_.store(0, std::memory_order_relaxed);
}

/// Makes a new copy of the walk for each member that waits for a copy. While a member waits, it does not touch its
/// copy.
void RoundsOnCopies::admit() {
    walk_.solution(solution_.data());
    const std::uint64_t played = played_.load(std::memory_order_relaxed);
    for (Member& member : members_) {
        if (!member.wants.load(std::memory_order_acquire)) continue;
        member.walk->reset(solution_.data());
        member.current = played;
        member.is_right = true;
        waiting_.fetch_sub(1, std::memory_order_relaxed);
        member.wants.store(false, std::memory_order_release);
    }
}

void RoundsOnCopies::ask_for_copy(Member& own) {
    own.is_right = false;
    own.wants.store(true, std::memory_order_release);
    waiting_.fetch_add(1, std::memory_order_relaxed);
}

void RoundsOnCopies::play(const RoundOrder& order) {
    const std::uint64_t number = played_.load(std::memory_order_relaxed), members = members_.size();
    const std::uint32_t chunks = rounds_.chunks();
    if (waiting_.load(std::memory_order_relaxed) > 0) admit();
    order_ = order;
    key_ = round_key(order.seed, order.number);
    done_.store(0, std::memory_order_relaxed);
    for (std::uint64_t m = members; m-- > 0;) {
        const std::uint64_t begin = chunks * m / members, end = chunks * (m + 1) / members;
        members_[m].ticket.store(number << 32 | end << 16 | begin, std::memory_order_release);
    }
    work(0, walk_, number);
    for (std::uint32_t turns = 0; done_.load(std::memory_order_acquire) != chunks; ++turns) Team::pause(turns);
    Made& made = made_[number % kKept];
    std::uint32_t count = 0;
    rounds_.make_exchanges(order_, key_, [&](std::uint32_t u, std::uint32_t v) {
        made.pairs[count++].store(std::uint64_t{u} << 32 | v, std::memory_order_release);
    });
    made.count.store(count, std::memory_order_release);
    played_.store(number + 1, std::memory_order_release);
}

/// Repeats in a member's copy the swaps that the lead has listed since the last update. Returns false if the lead
/// may have overwritten the swaps while they were read. Then the copy is useless.
bool RoundsOnCopies::catch_up(Member& own) {
    const std::uint64_t played = played_.load(std::memory_order_acquire);
    if (played - own.current >= kKept) return false;
    for (; own.current < played; ++own.current) {
        const Made& made = made_[own.current % kKept];
        const std::uint32_t count = made.count.load(std::memory_order_acquire);
        for (std::uint32_t k = 0; k < count; k += 8) __builtin_prefetch(&made.pairs[k]);
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint64_t pair = made.pairs[k].load(std::memory_order_acquire);
            own.walk->exchange(static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair));
        }
        if (played_.load(std::memory_order_acquire) - own.current >= kKept) return false;
    }
    return true;
}

/// Works on the chunks of one part as long as the part's ticket has this round's number. Returns true if it took a
/// chunk.
bool RoundsOnCopies::work_on(Member& part, const sdk::SampledWalk& walk, std::uint32_t number) {
    std::uint32_t taken = 0;
    std::uint64_t ticket = part.ticket.load(std::memory_order_relaxed);
    while (has_work(ticket) && ticket >> 32 == number) {
        if (!part.ticket.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acquire)) continue;
        rounds_.propose(walk, static_cast<std::uint32_t>(ticket & 0xffff), order_, key_);
        ++taken;
        ticket = part.ticket.load(std::memory_order_relaxed);
    }
    if (taken > 0) done_.fetch_add(taken, std::memory_order_release);
    return taken > 0;
}

/// Works on the chunks of the member's own part first, then on those of the other parts. Returns true if it took a
/// chunk.
bool RoundsOnCopies::work(std::uint32_t member, const sdk::SampledWalk& walk, std::uint64_t number) {
    const auto members = static_cast<std::uint32_t>(members_.size());
    bool any = false;
    for (std::uint32_t k = 0; k < members; ++k)
        any = work_on(members_[(member + k) % members], walk, static_cast<std::uint32_t>(number)) || any;
    return any;
}

void RoundsOnCopies::help(std::uint32_t member, const Team& team) {
    if (member >= members_.size()) return;
    Member& own = members_[member];
    if (!own.is_right) ask_for_copy(own);
    for (std::uint32_t turns = 0; !team.ends(); ++turns) {
        if (own.wants.load(std::memory_order_acquire)) {
            Team::pause(turns);
        } else if (!catch_up(own)) {
            ask_for_copy(own);
        } else if (work(member, *own.walk, own.current)) {
            turns = 0;
        } else {
            Team::pause(turns);
        }
    }
}

}  // namespace qapfw::mapping
