// SPDX-License-Identifier: Apache-2.0
// Conformance cases for a problem's own deltas of swaps, moves and insertions. They are compared with full evaluation.
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "framework/conformance/fixture.hpp"
#include "framework/conformance/interchangeable.hpp"
#include "framework/host/plugin_call.hpp"
#include "qapfw/abi/swap_neighbourhood.h"
#include "qapfw/sdk/insertion_neighbourhood.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"
#include "qapfw/sdk/swap_neighbourhood.hpp"

namespace qapfw::framework::conformance {
namespace {

constexpr std::uint32_t kLargest = 120;  // largest n: checking all pairs by evaluation takes O(n^4)
constexpr int kSteps = 40;

/// A copy of a given filter that also excludes the pairs for which `is_out` is true: they are tabu and never forced.
struct WithoutPairs {
    template <class IsOut>
    WithoutPairs(const qapfw_swap_filter& all, std::uint32_t n, const IsOut& is_out)
        : filter(all), expiry(std::size_t{all.stride} * n, all.iteration), latest(expiry.size(), all.forced_before) {
        if (all.pair_expiry != nullptr) expiry.assign(all.pair_expiry, all.pair_expiry + expiry.size());
        if (all.pair_latest != nullptr) latest.assign(all.pair_latest, all.pair_latest + latest.size());
        for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t j = i + 1; j < n; ++j) {
                if (!is_out(i, j)) continue;
                expiry[std::size_t{i} * all.stride + j] = std::numeric_limits<std::int32_t>::max();
                latest[std::size_t{i} * all.stride + j] = std::numeric_limits<std::int32_t>::max();
            }
        }
        filter.pair_expiry = expiry.data();
        if (all.pair_latest != nullptr) filter.pair_latest = latest.data();
    }
    WithoutPairs(const WithoutPairs&) = delete;
    WithoutPairs& operator=(const WithoutPairs&) = delete;

    qapfw_swap_filter filter;
    std::vector<std::int32_t> expiry, latest;
};

/// Compares the problem's swap neighbourhood with the SDK's generic swap neighbourhood, called the oracle.
class Pair {
  public:
    explicit Pair(const Subject& subject)
        : host_(1, subject.data_paths), choice_(subject_choice(subject, host_)), problem_(host_, choice_) {
        table_ = static_cast<const qapfw_swap_neighbourhood*>(problem_.capability(QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD));
        if (table_ == nullptr) throw Skip("it has no swap neighbourhood of its own");
        require(problem_.info().encoding.segments[0].kind == QAPFW_SEGMENT_PERMUTATION,
                "it has a swap neighbourhood, but segment 0 is no permutation");
        if (length() > kLargest) throw Skip(fmt::format("n = {} is too large to check by brute force", length()));
        call_plugin(problem_.owner(), "neighbourhood create",
                    [&] { return table_->create(problem_.ref()->problem, &handle_); });
        oracle_.emplace(sdk::ProblemRef(problem_.ref()));
    }
    ~Pair() {
        if (handle_ != nullptr) table_->destroy(handle_);
    }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;

    std::uint32_t length() const { return problem_.info().encoding.segments[0].length; }
    const Problem& problem() const { return problem_; }

    void reset(std::uint64_t seed) {
        const SolutionBuffer solution = random_solution(problem_.info().encoding, seed, 0);
        permutation_ = solution_values(problem_.info().encoding, solution.data())[0];
        qapfw_cost cost{};
        call_plugin(problem_.owner(), "reset", [&] { return table_->reset(handle_, solution.data(), &cost); });
        const qapfw_cost expected = oracle_->reset(solution.data());
        require(problem_.costs().agree(cost, expected),
                fmt::format("reset reports cost {}, evaluate computes {}", problem_.costs().raw_text(cost),
                            problem_.costs().raw_text(expected)));
    }

    /// Checks that the neighbourhood under test and the oracle find the same best pair with the same delta. The
    /// neighbourhood under test may leave out interchangeable pairs. Returns true if both find a pair.
    bool same_best(const qapfw_swap_filter& filter, qapfw_swap_move& move) {
        qapfw_swap_move expected{};
        const bool found = table_->best_admissible(handle_, &filter, &move) != 0;
        bool wanted = oracle_->best_admissible(filter, &expected);
        const bool same_pair = found && move.i == expected.i && move.j == expected.j;
        if (wanted && !same_pair && leaves_out(expected)) {
            const WithoutPairs rest(filter, length(), [&](std::uint32_t i, std::uint32_t j) {
                return !(found && move.i == i && move.j == j) && pairs_->contains(permutation_.data(), i, j);
            });
            wanted = oracle_->best_admissible(rest.filter, &expected);
        }
        compare("best_admissible", found, move, wanted, expected);
        return found;
    }
    bool same_first(std::uint32_t i, std::uint32_t j, qapfw_swap_move& move) {
        qapfw_swap_move expected{};
        const bool found = table_->first_improving(handle_, i, j, &move) != 0;
        const bool wanted = oracle_->first_improving(i, j, &expected);
        compare("first_improving", found, move, wanted, expected);
        return found;
    }
    void apply(const qapfw_swap_move& move) {
        table_->apply(handle_, move.i, move.j);
        oracle_->apply(move.i, move.j);
        std::swap(permutation_[move.i], permutation_[move.j]);
    }

  private:
    /// True if the neighbourhood may leave out this pair. Called for a pair that the neighbourhood did not find.
    bool leaves_out(const qapfw_swap_move& move) {
        const CostSpace& costs = problem_.costs();
        if (!costs.agree(move.delta, qapfw_cost{})) return false;
        if (!pairs_) pairs_.emplace(problem_);
        return pairs_->contains(permutation_.data(), move.i, move.j);
    }
    void compare(const char* call, bool found, const qapfw_swap_move& move, bool wanted,
                 const qapfw_swap_move& expected) {
        require(found == wanted, fmt::format("{}: the neighbourhood finds {} pair, but evaluation finds {}", call,
                                             found ? "a" : "no", wanted ? "one" : "none"));
        if (!found) return;
        const CostSpace& costs = problem_.costs();
        const bool same_delta = costs.agree(move.delta, expected.delta);
        // Rounding of real-valued deltas may put pairs with the same delta in another order.
        const bool exact = costs.kind == QAPFW_COST_INT64;
        const bool same_pair = move.i == expected.i && move.j == expected.j;
        require(same_delta && (same_pair || !exact),
                fmt::format("{}: the neighbourhood finds pair ({}, {}) with delta {}, but evaluation finds pair ({}, "
                            "{}) with delta {}",
                            call, move.i, move.j, costs.raw_text(move.delta), expected.i, expected.j,
                            costs.raw_text(expected.delta)));
    }

    Host host_;
    Choice choice_;
    Problem problem_;
    const qapfw_swap_neighbourhood* table_ = nullptr;
    qapfw_neighbourhood* handle_ = nullptr;
    std::optional<sdk::GenericSwapNeighbourhood> oracle_;
    std::vector<std::uint32_t> permutation_;
    std::optional<InterchangeablePairs> pairs_;  ///< computed when first needed
};

/// Random tabu tables for a permutation of `length` elements.
struct Tables {
    Tables(std::uint32_t length, std::uint64_t seed) : stride((length + 15) / 16 * 16) {
        std::mt19937_64 random(seed);
        expiry.resize(std::size_t{stride} * length);
        latest.resize(expiry.size());
        for (auto& value : expiry) value = static_cast<std::int32_t>(random() % 200);
        for (auto& value : latest) value = static_cast<std::int32_t>(random() % 200);
    }
    qapfw_swap_filter filter(bool with_latest, qapfw_cost aspiration) const {
        return {sizeof(qapfw_swap_filter),
                stride,
                expiry.data(),
                with_latest ? latest.data() : nullptr,
                100,
                5,
                aspiration};
    }
    std::uint32_t stride;
    std::vector<std::int32_t> expiry, latest;
};

qapfw_cost cost_of(const CostSpace& costs, double value) {
    qapfw_cost cost{};
    if (costs.kind == QAPFW_COST_FLOAT64) {
        cost.f = value;
    } else {
        cost.i = static_cast<std::int64_t>(value);
    }
    return cost;
}

void unrestricted(const Subject& subject) {
    Pair pair(subject);
    for (std::uint64_t start = 1; start <= 3; ++start) {
        pair.reset(start);
        const std::uint32_t stride = (pair.length() + 15) / 16 * 16;
        qapfw_swap_filter filter{sizeof filter, stride, nullptr, nullptr, 0, 0, cost_of(pair.problem().costs(), -1e18)};
        qapfw_swap_move move{};
        for (int step = 0; step < kSteps && pair.same_best(filter, move); ++step) pair.apply(move);
    }
}

void with_tabu(const Subject& subject) {
    for (const bool with_latest : {false, true}) {
        Pair pair(subject);
        pair.reset(7);
        for (int step = 0; step < kSteps; ++step) {
            const Tables tables(pair.length(), static_cast<std::uint64_t>(step));
            const double aspiration = step % 3 == 0 ? -1e15 : step % 3 == 1 ? 0 : -50;
            qapfw_swap_move move{};
            if (pair.same_best(tables.filter(with_latest, cost_of(pair.problem().costs(), aspiration)), move)) {
                pair.apply(move);
            }
        }
    }
}

void first_improving(const Subject& subject) {
    Pair pair(subject);
    pair.reset(11);
    std::uint32_t i = 0, j = 1;
    qapfw_swap_move move{};
    for (int step = 0; step < kSteps && pair.same_first(i, j, move); ++step) {
        pair.apply(move);
        i = move.i;
        j = move.j;
    }
}

void arbitrary_moves(const Subject& subject) {
    Pair pair(subject);
    if (pair.length() < 2 || pair.problem().info().encoding.fixed != nullptr)
        throw Skip("it has fewer than two positions, or some positions are fixed");
    pair.reset(13);
    std::mt19937_64 random(17);
    qapfw_swap_filter filter{
        sizeof filter, (pair.length() + 15) / 16 * 16, nullptr, nullptr, 0, 0, cost_of(pair.problem().costs(), -1e18)};
    for (int step = 0; step < kSteps; ++step) {
        const auto i = static_cast<std::uint32_t>(random() % (pair.length() - 1));
        const auto j = i + 1 + static_cast<std::uint32_t>(random() % (pair.length() - 1 - i));
        pair.apply({i, j, {}});
        qapfw_swap_move move{};
        pair.same_best(filter, move);
    }
}

/// The cost of a solution after a move, by evaluation.
qapfw_cost cost_after(const Problem& problem, const void* solution, const qapfw_move& move) {
    const qapfw_encoding& encoding = problem.info().encoding;
    SolutionBuffer changed(encoding.solution_bytes);
    std::memcpy(changed.data(), solution, encoding.solution_bytes);
    sdk::make_move(encoding, changed.data(), move);
    return problem.search_cost(changed.data());
}

/// Checks the deltas of the first 2000 moves of a random solution. Then makes one of these moves and checks again,
/// several times.
void moves_of_segments(const Subject& subject) {
    constexpr std::uint32_t kMostMoves = 2000, kMovesMade = 6;
    Host host(1, subject.data_paths);
    Choice choice = subject_choice(subject, host);
    const Problem problem(host, choice, false);
    if (problem.capability(QAPFW_PROBLEM_MOVES) == nullptr) throw Skip("the problem gives no deltas of its moves");
    const CostSpace& costs = problem.costs();
    sdk::MoveNeighbourhood moves{sdk::ProblemRef(problem.ref())};
    const SolutionBuffer solution = random_solution(problem.info().encoding, 19, 0);
    const qapfw_cost first = moves.reset(solution.data());
    require(costs.agree(first, problem.search_cost(solution.data())), "reset gives another cost than evaluate");
    for (std::uint32_t made = 0; made < kMovesMade; ++made) {
        const qapfw_cost before = problem.search_cost(moves.solution());
        std::uint32_t seen = 0;
        qapfw_move last{};
        qapfw_cost delta{};
        sdk::MoveList::Cursor at;
        moves.scan(at, [&](const qapfw_move& move, qapfw_cost told) {
            const qapfw_cost after = sdk::cost_sum(costs.kind, told, before);
            const qapfw_cost expected = cost_after(problem, moves.solution(), move);
            require(costs.agree(after, expected),
                    fmt::format("after {} moves, {} of element {} of segment {}: cost {} by its delta, {} by evaluate",
                                made, move.kind == QAPFW_MOVE_SET ? "setting" : "exchange", move.i, move.segment,
                                costs.raw_text(after), costs.raw_text(expected)));
            if (seen++ % (7 + made) == made) {
                last = move;
                delta = told;
            }
            return seen < kMostMoves;
        });
        if (seen == 0) throw Skip("a solution has no moves");
        if (seen > made) moves.apply(last, delta);
    }
}

/// Compares the deltas of random insertions with full evaluation. Begins with a random solution, then makes a random
/// insertion and compares again, several times.
void insertions_of_order(const Subject& subject) {
    constexpr std::uint32_t kElements = 20, kInsertionsMade = 6;
    Host host(1, subject.data_paths);
    Choice choice = subject_choice(subject, host);
    const Problem problem(host, choice, false);
    if (problem.capability(QAPFW_PROBLEM_INSERTIONS) == nullptr) {
        throw Skip("it gives no deltas of insertions");
    }
    require(sdk::is_permutation_16(problem.info().encoding),
            "it gives deltas of insertions, but segment 0 is no permutation of 16-bit elements");
    const CostSpace& costs = problem.costs();
    sdk::InsertionNeighbourhood insertions{sdk::ProblemRef(problem.ref())};
    const std::vector<std::uint16_t>& free = insertions.free();
    if (free.size() < 2) throw Skip("fewer than two elements are free, so there is no insertion");
    const SolutionBuffer solution = random_solution(problem.info().encoding, 23, 0);
    require(costs.agree(insertions.reset(solution.data()), problem.search_cost(solution.data())),
            "reset gives another cost than evaluate");
    std::mt19937_64 random(29);
    SolutionBuffer changed(problem.info().encoding.solution_bytes);
    for (std::uint32_t made = 0; made < kInsertionsMade; ++made) {
        const qapfw_cost before = problem.search_cost(insertions.solution());
        for (std::uint32_t k = 0; k < kElements; ++k) {
            const std::uint16_t from = free[random() % free.size()], to = free[random() % free.size()];
            const qapfw_cost after = sdk::cost_sum(costs.kind, insertions.deltas(from)[to], before);
            std::memcpy(changed.data(), insertions.solution(), problem.info().encoding.solution_bytes);
            sdk::make_insertion(sdk::permutation_of(static_cast<void*>(changed.data())), free, from, to);
            const qapfw_cost expected = problem.search_cost(changed.data());
            require(
                costs.agree(after, expected),
                fmt::format("after {} insertions, moving the element at {} to {}: cost {} by the delta, {} by evaluate",
                            made, from, to, costs.raw_text(after), costs.raw_text(expected)));
        }
        const std::uint16_t from = free[random() % free.size()], to = free[random() % free.size()];
        insertions.apply(from, to, insertions.delta(from, to));
    }
}

constexpr Case kNeighbourhoodCases[] = {
    {"insertions", "Deltas of insertions of elements agree with full evaluation.", insertions_of_order},
    {"moves", "Deltas of moves of elements agree with full evaluation.", moves_of_segments},
    {"swap-best", "Without a filter the best pair and its delta are those that full evaluation finds.", unrestricted},
    {"swap-tabu", "Tabu, aspiration and forced pairs are honoured as the contract says.", with_tabu},
    {"swap-first", "The first improving pair is the one that full evaluation finds.", first_improving},
    {"swap-any-move", "Deltas stay exact after swaps that the neighbourhood did not propose.", arbitrary_moves},
};

}  // namespace

std::span<const Case> neighbourhood_cases() {
    return kNeighbourhoodCases;
}

}  // namespace qapfw::framework::conformance
