// SPDX-License-Identifier: Apache-2.0
// Robust tabu search on the device: one team of threads per search, over any swap neighbourhood with the interface of
// qapfw/kernels/swap_neighbourhood.hpp. The head of tabu_reference.hpp has the rules step by step; this code has the
// same trajectory bit for bit. Values that change rarely (the best cost, the last reset of the idle count) lie in
// shared memory, because the neighbourhood needs the registers.
#include "plugins/tabu/device/layout_moves.hpp"
#include "plugins/tabu/device/tabu_rules.hpp"
#include "plugins/tabu/device/tabu_standing.cuh"
#include "plugins/tabu/device/tabu_straight_choice.cuh"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/interchangeable.hpp"
#include "qapfw/kernels/swap_neighbourhood.hpp"

namespace qapfw::tabu {

using kernels::TabuOptions;

/// One search over a neighbourhood. `Memory` is a TabuMemory.
template <class Neighbourhood, class Memory, bool kLongTerm>
class TabuSearch {
  public:
    using Value = typename Neighbourhood::Value;
    using Total = typename Neighbourhood::Total;
    using Cost = decltype(Neighbourhood::cost_change(Total{}));
    using Key = decltype(kernels::ordered(Value{}));
    using Group = typename Neighbourhood::Group;
    using Candidate = kernels::Candidate<Key>;
    static constexpr int kGroups = Neighbourhood::kGroups;
    static constexpr int kGroupSize = Neighbourhood::kGroupSize;
    static constexpr int kUnroll = Neighbourhood::kInRegisters ? kGroupSize : 4;
    /// The expiry of a pair whose swap never changes a cost. Such a pair is always tabu, and never aspired, since its
    /// swap cannot give a new best cost.
    static constexpr int32_t kNever = 0x7FFFFFFF;
    static constexpr int kWindow = 64;  ///< number of iterations whose tenures are drawn together
    /// True if the neighbourhood keeps each thread's least delta, but not the expiry of each pair. The search then
    /// looks up the expiries of only those few pairs that could win. Such a neighbourhood can also resume from the
    /// workspace of an earlier launch.
    static constexpr bool kKeepsLeast = requires { requires Neighbourhood::kKeepsLeast; };
    static_assert(!(kKeepsLeast && kLongTerm),
                  "long-term aspiration needs the expiries of all pairs, but the neighbourhood keeps none");
    /// True if the neighbourhood passes the old values of the swapped positions to the search in apply().
    static constexpr bool kHearsOldValues = requires { requires Neighbourhood::kTellsOldValues; };
    /// True if the moves of the neighbourhood also change bits of solutions (see tabu_layout_neighbourhood.cuh).
    static constexpr bool kMovesBits = requires { requires Neighbourhood::kMovesBits; };
    using Stand = Standing<Neighbourhood, Cost>;
    /// True if the search jumps directly to the groups of slots that have the least delta. False: it looks at the
    /// groups one after the other.
    static constexpr bool kJumps = Neighbourhood::kInRegisters;
    /// True if a thread of the neighbourhood has few pairs and unused registers, so that the latency of an iteration
    /// matters.
    static constexpr bool kStraight = requires { requires Neighbourhood::kFewPairs; };
    using OwnChoice = StraightChoice<Neighbourhood, kStraight>;

    struct Shared {
        typename OwnChoice::Shared choices[kLongTerm || kKeepsLeast ? 2 : 1];
        Record<Cost> record;
        uint64_t base;    ///< the iteration that expiries are relative to
        uint16_t* best;   ///< where the best solution is written
        uint32_t search;  ///< the number of the search
        unsigned long long digest;
        int32_t tenures[kWindow][2];
    };

    QAPFW_DEVICE TabuSearch(Neighbourhood& neighbourhood, Memory& memory, Shared& shared, const TabuOptions& options,
                            uint32_t search, uint16_t* best, const TabuState& state)
        : neighbourhood_(neighbourhood),
          memory_(memory),
          shared_(shared),
          options_(options),
          own_choice_(neighbourhood),
          now_(static_cast<int32_t>(state.iteration - state.base)) {
        if (group_.rank() == 0) {
            shared_.record.read(state);
            shared_.base = state.base;
            shared_.best = best;
            shared_.search = search;
        }
        group_.sync();
    }

    /// Begins at the neighbourhood's solution. `start`: the solution is also the best one. `replaced`: the solution was
    /// replaced since the last launch and may be a new best. `forgotten`: the old best does not count. `resumed`: null,
    /// or the solution's cost if the neighbourhood's workspace is unchanged since the last launch.
    QAPFW_DEVICE void enter(bool start, bool replaced, bool forgotten, const Cost* resumed) {
        const Cost cost = enter_neighbourhood(resumed);
        if (start || forgotten) {
            if (group_.rank() == 0) shared_.record.best_cost = cost;
            if (group_.rank() == 0 && forgotten) shared_.record.best_iteration = iteration();
            neighbourhood_.store(shared_.best);
            standing_.set(cost, cost);
        } else {
            take_cost(cost);
        }
        if (replaced) note_reset(now_ - 1);
        group_.sync();
        schedule_perturbation(static_cast<int64_t>(shared_.record.last_reset - shared_.base));
        neighbourhood_.refresh(*this);
    }

    QAPFW_DEVICE void run(uint32_t iterations) {
        const int32_t end = now_ + static_cast<int32_t>(iterations);
        if constexpr (kStraight) {
            while (now_ != end) {
                open_window();
                const int32_t next = now_ - place_in_window() + kWindow;
                run_straight(next < end ? next : end);
            }
        } else {
            for (bool opens = true; now_ != end; ++now_, opens = place_in_window() == 0) {
                if (opens) open_window();
                iterate();
            }
        }
    }

    /// Prepares the neighbourhood for a later launch that resumes.
    QAPFW_DEVICE void leave_neighbourhood() {
        if constexpr (kKeepsLeast) neighbourhood_.suspend();
    }

    /// The first thread always gets the right value. The other threads get it after the team's next barrier.
    QAPFW_DEVICE Cost best_cost() const { return shared_.record.best_cost; }

    /// Called by all threads; one of them writes the state.
    QAPFW_DEVICE void save(TabuState& state) const {
        group_.sync();
        if (group_.rank() == 0) shared_.record.write(state, standing_.cost(shared_.record), iteration(), shared_.base);
        group_.sync();
    }

    QAPFW_DEVICE uint64_t digest(const uint16_t* stored) {
        if (group_.rank() == 0) shared_.digest = 0;
        group_.sync();
        uint64_t sum = 0;
        for (int i = group_.rank(); i < Neighbourhood::kPositions; i += group_.size())
            sum += kernels::digest_element(static_cast<uint32_t>(i), stored[i]);
        if constexpr (kMovesBits)
            for (int k = group_.rank(); k < Neighbourhood::kBits; k += group_.size())
                sum += kernels::digest_element(static_cast<uint32_t>(Neighbourhood::kPositions + k),
                                               static_cast<uint32_t>(neighbourhood_.bit(k)));
        atomicAdd(&shared_.digest, static_cast<unsigned long long>(sum));
        group_.sync();
        return kernels::digest_search(shared_.digest, as_bits(standing_.cost(shared_.record)),
                                      as_bits(shared_.record.best_cost), iteration());
    }

    // The functions that a neighbourhood calls on a search.
    QAPFW_DEVICE int32_t payload(int i, int value_i, int j, int value_j) const {
        if (kernels::are_interchangeable(i, value_i, j, value_j)) return kNever;
        return least_expiry(i, value_i, j, value_j);
    }
    template <class Entry>
    QAPFW_DEVICE int32_t expiry(Entry entry) const {
        return memory_.get(entry.row, entry.column);
    }
    QAPFW_DEVICE int32_t exchanged_payload() const { return exchanged_expiry_; }
    QAPFW_DEVICE void hear_old_values(int i, int value_i, int j, int value_j) const {
        // Notes the expiries of both old values. With kStraight, latency matters: every thread notes one of the two,
        // without a branch. Otherwise thread 0 notes the first, thread 1 the second, and other threads note nothing.
        const bool first = kStraight ? group_.lane() % 2 == 0 : group_.rank() == 0;
        if (kStraight || group_.rank() < 2)
            note_expiry(first ? i : j, first ? value_i : value_j, first ? expiry_i_ : expiry_j_);
    }

  private:
    QAPFW_DEVICE Cost enter_neighbourhood(const Cost* resumed) {
        if constexpr (kKeepsLeast)
            if (resumed != nullptr) {
                neighbourhood_.resume();
                return *resumed;
            }
        return neighbourhood_.reset();
    }

    struct Choice {
        Value delta;
        uint32_t code;
    };

    QAPFW_DEVICE void iterate() {
        if constexpr (kHearsOldValues) draw_expiries();
        const Choice choice = choose();
        if (choice.code != kernels::kNoPair) {
            make(choice);
            follow(choice);
            if (standing_.improved(shared_.record)) note_best();
        } else {
            pass();
        }
        if (now_ >= perturb_at_) perturb();
    }

    /// The loop for kStraight: makes the iterations up to stop - 1. After each iteration, a single test covers all rare
    /// cases: a new best cost, a due perturbation and the last iteration.
    QAPFW_DEVICE void run_straight(int32_t stop) {
        for (; now_ != stop; ++now_) {
            bool found = true;
            while (true) {
                draw_expiries();
                const Choice choice = choose();
                // The delta is known before the code of the pair, so the test uses the delta.
                found = choice.delta < kernels::Nothing<Value>::value();
                if (!found) break;
                make(choice);
                standing_.add(choice.delta);
                const bool asked = standing_.improved(shared_.record) | (now_ >= perturb_at_) | (now_ + 1 == stop);
                if (asked) break;
                ++now_;
            }
            if (!found) pass();
            if (standing_.improved(shared_.record)) note_best();
            if (now_ >= perturb_at_) perturb();
        }
    }

    /// Called in an iteration without an admissible pair: no move is made.
    QAPFW_DEVICE void pass() { group_.sync(); }
    /// Returns the best admissible pair. With kLongTerm, returns the best aspired or forced pair instead, if there is
    /// one. All threads get the same answer.
    QAPFW_DEVICE Choice choose() {
        const Value threshold = standing_.threshold(shared_.record);
        Choice choice = select<false>(threshold);
        if constexpr (kLongTerm) {
            const Choice preferred = select<true>(threshold);
            if (preferred.code != kernels::kNoPair) choice = preferred;
        }
        return choice;
    }

    /// The best pair that is aspired or is not tabu. With kPreferred: the best pair that is aspired or forced.
    template <bool kPreferred>
    QAPFW_DEVICE Choice select(Value threshold) {
        const int32_t limit = kPreferred ? now_ - options_.long_term - 1 : now_;
        typename OwnChoice::Shared& shared = shared_.choices[kPreferred ? 1 : 0];
        Candidate candidate{};
        if constexpr (kStraight)
            candidate = own_choice_.of_team(neighbourhood_, limit, threshold, shared);
        else if constexpr (kKeepsLeast)
            candidate = least_admissible(limit, threshold);
        else
            candidate = kernels::over_warps(group_, least_of_warp(limit, threshold), shared.candidates);
        Choice choice{};
        kernels::unordered(candidate.key, choice.delta);
        choice.code = candidate.code;
        return choice;
    }

    QAPFW_DEVICE Candidate least_of_warp(int32_t limit, Value threshold) const {
        Value least_of_group[kGroups];
        const Value least = scan(limit, threshold, least_of_group);
        const Key own = kernels::ordered(least);
        Candidate candidate{kernels::warp_min(own), kernels::kNoPair};
        if (own == candidate.key && least < kernels::Nothing<Value>::value())
            candidate.code = least_code(least, least_of_group, limit, threshold);
        candidate.code = kernels::warp_min(candidate.code);
        return candidate;
    }

    /// Returns the best admissible pair. Every warp first tries its pair of least delta, which usually is admissible.
    /// If it is not, the warp tries its next pairs, as long as their deltas can be the least of all warps.
    QAPFW_DEVICE Candidate least_admissible(int32_t limit, Value threshold) {
        const Key nothing = kernels::ordered(kernels::Nothing<Value>::value());
        Key own = kernels::ordered(neighbourhood_.least());
        Candidate mine{kernels::warp_min(own), kernels::kNoPair};
        if (mine.key < nothing) mine.code = least_code_with<true>(own, mine.key, limit, threshold);
        const Candidate first = share(mine, shared_.choices[0].candidates);
        const Key bound = kernels::warp_min(first.code != kernels::kNoPair ? first.key : nothing);
        const bool goes_on = first.code == kernels::kNoPair && first.key < bound;
        if (__ballot_sync(kernels::kAllLanes, goes_on) == 0) return least_of_lanes(first);
        if (mine.code == kernels::kNoPair && mine.key < bound)
            mine = next_admissible(own, mine.key, bound, limit, threshold);
        return least_of_lanes(share(mine, shared_.choices[1].candidates));
    }
    /// Lane k gets the candidate of warp k. Lanes with a number above the last warp's get the last warp's candidate.
    /// Contains one barrier.
    QAPFW_DEVICE Candidate share(Candidate mine, Candidate* shared) const {
        constexpr int kWarps = Group::kThreads / 32;
        if (group_.lane() == 0) shared[group_.warp()] = mine;
        group_.sync();
        return shared[group_.lane() < kWarps ? group_.lane() : kWarps - 1];
    }
    static QAPFW_DEVICE Candidate least_of_lanes(Candidate own) {
        const Key key = kernels::warp_min(own.code != kernels::kNoPair ? own.key : ~Key{0});
        return {key, kernels::warp_min(own.key == key ? own.code : kernels::kNoPair)};
    }
    /// The warp's least admissible pair whose key is above `key`, but not above `bound`. `own`: key of the least delta
    /// of this thread's pairs.
    QAPFW_DEVICE Candidate next_admissible(Key own, Key key, Key bound, int32_t limit, Value threshold) const {
        Candidate candidate{key, kernels::kNoPair};
        while (candidate.code == kernels::kNoPair) {
            skip(own, candidate.key);
            candidate.key = kernels::warp_min(own);
            if (candidate.key > bound || !(candidate.key < kernels::ordered(kernels::Nothing<Value>::value()))) break;
            candidate.code = least_code_with<false>(own, candidate.key, limit, threshold);
        }
        return candidate;
    }
    /// The least code of the warp's admissible pairs whose delta has the key `key`; kNoPair if there are none. `own`:
    /// key of this lane's least delta that was not skipped. kFirst: no pair of the warp has a smaller key.
    template <bool kFirst>
    QAPFW_DEVICE uint32_t least_code_with(Key own, Key key, int32_t limit, Value threshold) const {
        Value least{};
        kernels::unordered(key, least);
        uint32_t code = kernels::kNoPair;
        const auto look = [&](int i, int j, Value delta) {
            if (delta == least && (least < threshold || expiry_of(i, j) <= limit))
                code = lesser(code, Neighbourhood::code_of(i, j));
        };
        for (uint32_t left = __ballot_sync(kernels::kAllLanes, own == key); left != 0; left &= left - 1) {
            const int owner = __ffs(static_cast<int>(left)) - 1;
            if constexpr (kFirst)
                kernels::each_least_pair_of(neighbourhood_, owner, look);
            else
                neighbourhood_.each_pair_of(owner, look);
        }
        return kernels::warp_min(code);
    }
    /// Replaces `own` by the key of this lane's next larger delta, in lanes where `own` is equal to `key`.
    QAPFW_DEVICE void skip(Key& own, Key key) const {
        Value least{};
        kernels::unordered(key, least);
        for (uint32_t left = __ballot_sync(kernels::kAllLanes, own == key); left != 0; left &= left - 1) {
            const int owner = __ffs(static_cast<int>(left)) - 1;
            Value next = kernels::Nothing<Value>::value();
            neighbourhood_.each_pair_of(owner, [&](int, int, Value delta) {
                if (delta > least) next = kernels::least(next, delta);
            });
            const Key next_key = kernels::warp_min(kernels::ordered(next));
            if (group_.lane() == owner) own = next_key;
        }
    }
    QAPFW_DEVICE int32_t least_expiry(int i, int value_i, int j, int value_j) const {
        return kernels::least(memory_.get(i, value_j), memory_.get(j, value_i));
    }
    QAPFW_DEVICE int32_t expiry_of(int i, int j) const {
        return least_expiry(i, neighbourhood_.value_at(i), j, neighbourhood_.value_at(j));
    }
    static QAPFW_DEVICE uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

    /// Returns the least delta among this thread's admissible pairs: their expiry is at most `limit`, or their delta is
    /// below `threshold`. `least_of_group` gets the least such delta of each group of slots.
    QAPFW_DEVICE Value scan(int32_t limit, Value threshold, Value (&least_of_group)[kGroups]) const {
        const Value nothing = kernels::Nothing<Value>::value();
        Value any[kGroups], free[kGroups];
#pragma unroll
        for (int group = 0; group < kGroups; ++group) any[group] = free[group] = nothing;
#pragma unroll kUnroll
        for (int member = 0; member < kGroupSize; ++member) {
#pragma unroll
            for (int group = 0; group < kGroups; ++group) {
                const int slot = group * kGroupSize + member;
                const Value delta = neighbourhood_.delta(slot);
                any[group] = kernels::least(any[group], delta);
                if (neighbourhood_.word(slot) <= limit) free[group] = kernels::least(free[group], delta);
            }
        }
        Value least = nothing;
#pragma unroll
        for (int group = 0; group < kGroups; ++group) {
            least_of_group[group] = any[group] < threshold ? any[group] : free[group];
            least = kernels::least(least, least_of_group[group]);
        }
        return least;
    }

    /// True if the pair of this slot has this delta and is admissible.
    QAPFW_DEVICE bool is_candidate(int slot, Value least, int32_t limit, Value threshold) const {
        return neighbourhood_.delta(slot) == least && (neighbourhood_.word(slot) <= limit || least < threshold);
    }

    /// The smallest code among this thread's admissible pairs of the given delta.
    QAPFW_DEVICE uint32_t least_code(Value least, const Value (&least_of_group)[kGroups], int32_t limit,
                                     Value threshold) const {
        uint32_t code = kernels::kNoPair;
        if constexpr (kJumps) {
            static_assert(kGroups <= 16 && kGroupSize <= 32);
            uint32_t groups = 0;
#pragma unroll
            for (int group = 0; group < kGroups; ++group)
                if (least_of_group[group] == least) groups |= 1u << group;
            for (; groups != 0; groups &= groups - 1) {
                const int group = __ffs(static_cast<int>(groups)) - 1;
                uint32_t members = 0;
                kernels::dispatch<kGroups>(group, [&](auto k) {
                    // Without `opaque`, the compiler would test the members of all groups before this dispatch.
                    const Value wanted = kernels::opaque(least);
#pragma unroll
                    for (int member = 0; member < kGroupSize; ++member)
                        if (is_candidate(k.value * kGroupSize + member, wanted, limit, threshold))
                            members |= 1u << member;
                });
                for (; members != 0; members &= members - 1)
                    code = lesser(code, neighbourhood_.pair_code(group, __ffs(static_cast<int>(members)) - 1));
            }
            return code;
        }
#pragma unroll
        for (int group = 0; group < kGroups; ++group) {
            if (least_of_group[group] != least) continue;
#pragma unroll kUnroll
            for (int member = 0; member < kGroupSize; ++member) {
                const int slot = group * kGroupSize + member;
                if (!is_candidate(slot, least, limit, threshold)) continue;
                const uint32_t own = neighbourhood_.pair_code(slot);
                code = own < code ? own : code;
            }
        }
        return code;
    }

    QAPFW_DEVICE void make(const Choice& choice) {
        const int i = kernels::first_of_pair(choice.code), j = kernels::second_of_pair(choice.code);
        if constexpr (!kHearsOldValues) {
            draw_expiries();
            if constexpr (kMovesBits) {
                note_expiries({static_cast<uint32_t>(i), static_cast<uint32_t>(j)});
            } else if (group_.rank() < 2) {
                const int position = group_.rank() == 0 ? i : j;
                note_expiry(position, neighbourhood_.value_at(position), group_.rank() == 0 ? expiry_i_ : expiry_j_);
            }
        }
        exchanged_expiry_ = kernels::least(expiry_i_, expiry_j_);
        neighbourhood_.apply(i, j, *this);
    }
    /// Sets the cost after a move. If solutions have bits and costs are of type double, the cost is that of the new
    /// solution's evaluation. A sum of deltas would gather rounding errors each time the search passes infeasible
    /// solutions, which cost far more.
    QAPFW_DEVICE void follow(const Choice& choice) {
        if constexpr (kMovesBits && Stand::kAsksRecord)
            standing_.set(neighbourhood_.known_cost(), 0);
        else
            standing_.add(choice.delta);
    }
    /// Stores the two expiries of a layout's move. If the move swaps elements or bays, each expiry belongs to an
    /// element and the position that the element leaves. If the move flips bits, each expiry belongs to a bit.
    QAPFW_DEVICE void note_expiries(Move move) const {
        const bool first = group_.rank() == 0;
        if (!first && (group_.rank() > 1 || move.i == move.j && moves_bits(move, Neighbourhood::kPositions))) return;
        const auto entry = neighbourhood_.taken(move, first ? 0 : 1);
        note_expiry(entry.row, entry.column, first ? expiry_i_ : expiry_j_);
    }
    /// Computes two expiries, one for each of the two values (or bits) that this iteration's move changes.
    QAPFW_DEVICE void draw_expiries() {
        const int at = place_in_window();
        expiry_i_ = now_ + shared_.tenures[at][0];
        expiry_j_ = now_ + shared_.tenures[at][1];
    }
    /// Stores that the position may not get the value back before iteration `expiry`.
    QAPFW_DEVICE void note_expiry(int position, int value, int32_t expiry) const {
        memory_.set(position, value, expiry);
    }

    /// Index of this iteration in its window. A window begins where now_ is a multiple of kWindow.
    QAPFW_DEVICE int place_in_window() const {
        return static_cast<int>(static_cast<uint32_t>(now_) % kWindow);
    }

    /// Called at the start of a launch and of each window: draws the tenures of the window and lets the tabu memory
    /// move its base. The team is synchronised when it returns.
    QAPFW_DEVICE void open_window() {
        group_.sync();
        const int32_t first = now_ - place_in_window();
        for (int at = group_.rank(); at < kWindow; at += group_.size()) {
            const uint64_t iteration = shared_.base + static_cast<uint64_t>(static_cast<int64_t>(first + at));
            const kernels::Philox4 words = kernels::tabu_tenure_words(options_, iteration, shared_.search);
            for (int k = 0; k < 2; ++k)
                shared_.tenures[at][k] =
                    kernels::tabu_tenure(words.word[k], options_.min_tenure, options_.tenure_range);
        }
        memory_.advance(group_, now_);
        group_.sync();
    }

    /// Notes the cost of the current solution, computed from scratch. A barrier makes sure that all threads have read
    /// the record before a new best is written to it.
    QAPFW_DEVICE void take_cost(Cost cost) {
        standing_.set(cost, shared_.record.best_cost);
        if (!standing_.improved(shared_.record)) return;
        group_.sync();
        note_best();
    }

    /// Stores the current solution as the best so far. If Stand::kAsksRecord is true, all threads read the record, so
    /// there is a barrier before and after the change. Otherwise only the first thread uses the record until the
    /// caller's next barrier, so note_best() needs no barrier.
    QAPFW_DEVICE void note_best() {
        if constexpr (Stand::kAsksRecord) group_.sync();
        if (leads()) {
            shared_.record.best_cost = standing_.cost(shared_.record);
            shared_.record.best_iteration = iteration();
        }
        neighbourhood_.store(shared_.best);
        note_reset(now_);
        standing_.take_as_best();
        if constexpr (Stand::kAsksRecord) group_.sync();
    }

    /// Restarts the count of idle iterations at the end of iteration `now`; `now` is relative to shared_.base.
    QAPFW_DEVICE void note_reset(int32_t now) {
        if (leads()) shared_.record.last_reset = shared_.base + static_cast<uint64_t>(static_cast<int64_t>(now));
        schedule_perturbation(now);
    }
    QAPFW_DEVICE void schedule_perturbation(int64_t after) {
        const int64_t due = after + static_cast<int64_t>(options_.perturb_after);
        constexpr bool kCannotBePerturbed =
            Neighbourhood::kMovable < 2 && !(kMovesBits && Neighbourhood::kPositions > 2);
        const bool never = options_.perturb_after == 0 || kCannotBePerturbed || due > 0x7FFFFFFF ||
                           options_.perturb_after > 0x7FFFFFFF;
        perturb_at_ = never ? 0x7FFFFFFF : static_cast<int32_t>(due);
    }

    QAPFW_DEVICE void perturb() {
        group_.sync();
        if (options_.restart_at_best != 0) neighbourhood_.load(shared_.best);
        if (group_.rank() == 0) perturb_solution();
        group_.sync();
        note_reset(now_);
        take_cost(neighbourhood_.reset());
        neighbourhood_.refresh(*this);
    }
    QAPFW_DEVICE void perturb_solution() const {
        uint16_t* const solution = neighbourhood_.solution();
        kernels::tabu_perturb(options_, iteration(), shared_.search, static_cast<uint32_t>(Neighbourhood::kMovable),
                              [&](uint32_t k) -> uint16_t& { return solution[k]; });
        if constexpr (kMovesBits) {
            constexpr auto kBits = static_cast<uint32_t>(Neighbourhood::kPositions - 1);
            perturb_bits(options_, iteration(), shared_.search, kBits, neighbourhood_.bits());
        }
    }

    /// True for the one thread that does rare actions. Computed at each use, because a stored answer would occupy a
    /// predicate register in every iteration.
    QAPFW_DEVICE bool leads() const {
        return kernels::opaque(group_.rank()) == 0;
    }
    QAPFW_DEVICE uint64_t iteration() const {
        return shared_.base + static_cast<uint64_t>(static_cast<int64_t>(now_));
    }

    Neighbourhood& neighbourhood_;
    Memory& memory_;
    Shared& shared_;
    const TabuOptions& options_;
    Group group_;
    OwnChoice own_choice_;
    int32_t now_;  ///< number of the present iteration minus shared_.base
    int32_t perturb_at_ = 0x7FFFFFFF;
    int32_t exchanged_expiry_ = 0;
    int32_t expiry_i_ = 0, expiry_j_ = 0;  ///< expiries of the two values or bits that this iteration's move changes
    Stand standing_;
};

}  // namespace qapfw::tabu
