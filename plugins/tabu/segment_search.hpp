// SPDX-License-Identifier: Apache-2.0
// Robust tabu search over the moves of any segments: the rules of tabu_reference.hpp with these moves instead of pairs.
// E[e][v] is the iteration from which element e (of any segment) may have value v again. If that table would be too
// large, E[e] is one entry for all values of e. A move is tabu until the least of the entries for its elements' new
// values. A swap makes the old values of its two elements tabu, with the tenures of a pair. A SET (one element gets
// another value) has fewer alternatives, so its tenure is divided by kSetTenure and rounded up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "plugins/tabu/device/segment_rules.hpp"
#include "plugins/tabu/tabu_reference.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"
#include "qapfw/sdk/population/settings.hpp"
#include "qapfw/sdk/segments.hpp"

namespace qapfw::tabu {

/// The crossover of permutations in segments. It mixes the best solutions of two tabu searches.
inline constexpr auto kSegmentCrossover = static_cast<std::uint32_t>(kernels::Crossover::kUniform);

/// The arrays of the segments. Unless `inserts` is true, they are empty for permutations and layouts in bays, whose
/// moves need no such arrays.
inline sdk::SegmentArrays segment_arrays(const sdk::ProblemRef& problem, bool inserts) {
    return inserts ? sdk::SegmentArrays::of_any(problem, kSegmentCrossover, kernels::kAnyOrderMutation)
                   : sdk::SegmentArrays(problem, kSegmentCrossover, kernels::kAnyOrderMutation);
}

/// The tabu expiries: one for each value of each element. If more than kMostWords would be needed, only one for each
/// element.
class ValueMemory {
  public:
    explicit ValueMemory(const sdk::ProblemRef& problem) : by_value_(words_by_value(problem) <= kMostWords) {
        const qapfw_encoding& encoding = problem.encoding();
        std::uint64_t words = 0;
        for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
            first_.push_back(offset_.size());
            for (std::uint32_t k = 0; k < encoding.segments[s].length; ++k) {
                offset_.push_back(words);
                words += by_value_ ? sdk::bound_at(encoding.segments[s], k) : 1;
            }
        }
        expiry_.resize(words);
        reset();
    }

    /// Number of expiries that a ValueMemory for this problem stores.
    static std::uint64_t size(const sdk::ProblemRef& problem) {
        const std::uint64_t words = words_by_value(problem);
        return words <= kMostWords ? words : sdk::element_count(problem.encoding());
    }
    /// Sets the expiries with which a search starts. Each entry expires one iteration earlier than the entry before it:
    /// see tabu_first_expiry.
    void reset() {
        for (std::size_t k = 0; k < expiry_.size(); ++k) expiry_[k] = -static_cast<std::int32_t>(k);
    }
    void rebase(std::int64_t shift) {
        for (std::int32_t& expiry : expiry_) expiry = kernels::tabu_rebased(expiry, shift);
    }
    void save(std::int32_t* to) const { std::copy(expiry_.begin(), expiry_.end(), to); }
    void restore(const std::int32_t* from) { std::copy_n(from, expiry_.size(), expiry_.begin()); }
    std::int32_t& of(std::uint32_t segment, std::uint32_t k, std::uint32_t value) {
        return expiry_[offset_[first_[segment] + k] + (by_value_ ? value : 0)];
    }
    /// The earliest expiry of the elements' new values.
    std::int32_t least(std::uint32_t segment, const sdk::MovedElements& moved) {
        std::int32_t least = of(segment, moved.position[0], moved.after[0]);
        if (moved.count == 2) least = std::min(least, of(segment, moved.position[1], moved.after[1]));
        return least;
    }

    bool has_each_value() const { return by_value_; }
    /// For each element of all segments: the index of its first expiry.
    const std::vector<std::uint64_t>& offsets() const { return offset_; }

  private:
    static constexpr std::uint64_t kMostWords = std::uint64_t{1} << 24;
    static std::uint64_t words_by_value(const sdk::ProblemRef& problem) {
        std::uint64_t words = 0;
        for (std::uint32_t s = 0; s < problem.encoding().segment_count; ++s) {
            const qapfw_segment& segment = problem.encoding().segments[s];
            for (std::uint32_t k = 0; k < segment.length; ++k) words += sdk::bound_at(segment, k);
        }
        return words;
    }

    bool by_value_;
    std::vector<std::size_t> first_;     ///< index in offset_ of each segment's first element
    std::vector<std::uint64_t> offset_;  ///< index in expiry_ of each element's first expiry
    std::vector<std::int32_t> expiry_;
};

/// The moves of all segments: how a search visits them, and forbids their reversal.
struct AllMoves {
    using Neighbourhood = sdk::MoveNeighbourhood;
    using Move = qapfw_move;

    /// Calls visit(move, delta) for all moves in order.
    template <class Visit>
    static void scan(Neighbourhood& neighbourhood, const Visit& visit) {
        sdk::MoveList::Cursor all;
        neighbourhood.scan(all, [&](const Move& move, qapfw_cost delta) {
            visit(move, delta);
            return true;
        });
    }
    /// The earliest expiry of the values that elements have after a move.
    static std::int32_t least(ValueMemory& memory, const Neighbourhood& neighbourhood, const Move& move) {
        return memory.least(move.segment,
                            sdk::moved_elements(neighbourhood.encoding(), neighbourhood.solution(), move));
    }
    /// Makes a move and forbids the elements' old values.
    static void make(Neighbourhood& neighbourhood, ValueMemory& memory, const Move& move, qapfw_cost delta,
                     const kernels::TabuOptions& options, const kernels::Philox4& words, std::int32_t now) {
        const sdk::MovedElements moved = sdk::moved_elements(neighbourhood.encoding(), neighbourhood.solution(), move);
        for (std::uint32_t k = 0; k < moved.count; ++k) {
            memory.of(move.segment, moved.position[k], moved.before[k]) =
                now + segment_tenure(options, words.word[k], move.kind == QAPFW_MOVE_SET);
        }
        neighbourhood.apply(move, delta);
    }
};

/// One search over any segments, with the members of TabuSearch. `Moves` has the members of AllMoves.
template <class Cost, class Moves = AllMoves>
class SegmentSearch {
    using Neighbourhood = typename Moves::Neighbourhood;

  public:
    static constexpr bool kOfSegments = true, kMovesBits = false;

    /// `list`: the problem's segments. `neighbourhood` and the arrays of `list` must outlive the search.
    SegmentSearch(Neighbourhood& neighbourhood, const kernels::TabuOptions& options, std::uint32_t search,
                  const sdk::ProblemRef& problem, const kernels::SegmentList& list)
        : neighbourhood_(neighbourhood),
          options_(options),
          search_(search),
          problem_(problem),
          list_(list),
          memory_(problem) {}

    void start(const std::uint16_t* solution) {
        state_ = {};
        state_.current.assign(solution, solution + stride());
        state_.best = state_.current;
        state_.cost = cost_of<Cost>(neighbourhood_.reset(solution));
        state_.best_cost = state_.cost;
        memory_.reset();
        entered_ = true;
    }
    void restore(SearchState<Cost> state, const std::int32_t* expiries) {
        state_ = std::move(state);
        memory_.restore(expiries);
        neighbourhood_.reset(state_.current.data());
        entered_ = true;
    }
    void go_back(SearchState<Cost> state) {
        state_ = std::move(state);
        entered_ = false;
    }
    void expiries(std::int32_t* to) const { memory_.save(to); }
    void replace_current(const std::uint16_t* solution, bool forget_best) {
        enter({solution, solution + stride()});
        if (forget_best) state_.best_cost = std::numeric_limits<Cost>::max();
        note_best();
    }
    void run(std::uint64_t iterations) {
        if (!entered_) {
            neighbourhood_.reset(state_.current.data());
            entered_ = true;
        }
        for (std::uint64_t done = 0; done < iterations; ++done) iterate();
    }
    const SearchState<Cost>& state() const { return state_; }
    std::uint64_t digest() const {
        return kernels::digest_search(sdk::digest_of_segments(problem_.encoding(), state_.current.data()),
                                      abi_cost(state_.cost).i, abi_cost(state_.best_cost).i, state_.iteration);
    }

  private:
    struct Choice {
        bool found = false, forced = false;
        typename Moves::Move move{};
        qapfw_cost delta{};
    };

    void iterate() {
        const std::uint64_t beyond = state_.iteration - state_.base;
        if (beyond >= static_cast<std::uint64_t>(kernels::kRebasePeriod)) {
            memory_.rebase(static_cast<std::int64_t>(beyond));
            state_.base = state_.iteration;
        }
        // If a perturbation is due already here, a stop interrupted the last call of this function after its move and
        // before its perturbation.
        if (!perturbation_is_due()) {
            const Choice choice = find();
            if (choice.found) make(choice);
            const bool improved = choice.found && note_best();
            state_.idle = improved ? 0 : state_.idle + 1;
        }
        if (perturbation_is_due()) perturb();
        ++state_.iteration;
    }

    /// Returns the best admissible move; of equally good moves, the first. See rule 2 of tabu_reference.hpp.
    Choice find() {
        const sdk::CostLess less = problem_.less();
        const qapfw_cost aspiration = abi_cost<Cost>(state_.best_cost - state_.cost);
        Choice best;
        Moves::scan(neighbourhood_, [&](const typename Moves::Move& move, qapfw_cost delta) {
            const std::int32_t expiry = Moves::least(memory_, neighbourhood_, move);
            const bool aspired = less(delta, aspiration), forced = is_forced(options_, expiry, now(), aspired);
            if (!is_admissible(expiry, now(), aspired, forced) || (best.forced && !forced)) return;
            if (!best.found || (forced && !best.forced) || less(delta, best.delta)) best = {true, forced, move, delta};
        });
        return best;
    }

    void make(const Choice& choice) {
        const kernels::Philox4 words = kernels::tabu_tenure_words(options_, state_.iteration, search_);
        Moves::make(neighbourhood_, memory_, choice.move, choice.delta, options_, words, now());
        std::memcpy(state_.current.data(), neighbourhood_.solution(), problem_.solution_bytes());
        state_.cost = cost_of<Cost>(neighbourhood_.cost());
    }

    bool perturbation_is_due() const { return options_.perturb_after > 0 && state_.idle >= options_.perturb_after; }
    void perturb() {
        std::vector<std::uint16_t> solution = options_.restart_at_best != 0 ? state_.best : state_.current;
        kernels::mutate_segments(list_, reinterpret_cast<std::uint8_t*>(solution.data()),
                                 std::min(options_.perturb_swaps, 65'535u), options_.seed,
                                 options_.random_base + state_.iteration, search_);
        enter(std::move(solution));
        note_best();
    }
    /// Makes `solution` the current one, unless the neighbourhood throws.
    void enter(std::vector<std::uint16_t> solution) {
        entered_ = false;
        state_.cost = cost_of<Cost>(neighbourhood_.reset(solution.data()));
        state_.current = std::move(solution);
        state_.idle = 0;
        entered_ = true;
    }
    bool note_best() {
        if (!(state_.cost < state_.best_cost)) return false;
        state_.best_cost = state_.cost;
        state_.best = state_.current;
        state_.best_iteration = state_.iteration;
        return true;
    }
    std::int32_t now() const { return static_cast<std::int32_t>(state_.iteration - state_.base); }
    std::size_t stride() const { return problem_.solution_bytes() / sizeof(std::uint16_t); }

    Neighbourhood& neighbourhood_;
    kernels::TabuOptions options_;
    std::uint32_t search_;
    sdk::ProblemRef problem_;
    kernels::SegmentList list_;
    ValueMemory memory_;
    SearchState<Cost> state_;
    bool entered_ = false;  ///< the neighbourhood holds the current solution
};

}  // namespace qapfw::tabu
