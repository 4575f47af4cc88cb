// SPDX-License-Identifier: Apache-2.0
// Tests every instruction set, width and kind of matrix. Compares deltas with differences of full costs, filtered moves
// with those of a plain scan, and whole trajectories with those of the classical scalar tabu search.
#include "problems/qap/neighbourhood/swap_neighbourhood.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <random>

#include "bench/robust_tabu_baseline.hpp"
#include "plugins/tabu/tabu_memory.hpp"
#include "problems/qap/costs/exact_cost.hpp"
#include "qapfw/error.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/unit/problems/qap/equal_elements.hpp"
#include "tests/unit/problems/qap/neighbourhood/swap_test_tools.hpp"

using namespace qapfw;
using namespace qapfw::qap;
using namespace qapfw::qap::swap_test;

namespace {

/// The table of a filter that admits no pair until a test sets the pair's entry of `expiry` to 0.
struct Only {
    Only(uint32_t n) : stride((n + 15) / 16 * 16), expiry(size_t{stride} * n, 1) {}
    qapfw_swap_filter filter(int64_t aspiration = std::numeric_limits<int64_t>::min()) const {
        return qapfw_swap_filter{sizeof(qapfw_swap_filter), stride, expiry.data(), nullptr, 0, 0, {.i = aspiration}};
    }
    uint32_t stride;
    std::vector<int32_t> expiry;
};

/// True if facilities i and j are interchangeable, or if their locations are.
bool are_equals(const Interchangeable& equals, const std::vector<uint16_t>& p, uint32_t i, uint32_t j) {
    const auto same = [](const std::vector<uint16_t>& classes, uint32_t u, uint32_t v) {
        return !classes.empty() && classes[u] == classes[v];
    };
    return same(equals.facilities, i, j) || same(equals.locations, p[i], p[j]);
}

// Most rounds of swaps and checks in a walk, and the step between checked pairs. Under a sanitizer, more rounds and
// pairs would only read the same memory again.
constexpr int kMostMoves = qapfw::kSanitized ? 3 : 6;
constexpr uint32_t kPairStep = qapfw::kSanitized ? 4 : 1;

/// Lets the filter admit one pair at a time, and compares the pair's delta with the difference of two full costs.
void check_deltas(SwapNeighbourhood& swaps, const QapMatrices& m, const std::vector<uint16_t>& p,
                  const std::vector<uint8_t>& fixed, const Interchangeable& equals) {
    Only only(m.n);
    for (uint32_t i = 0; i < m.n; ++i)
        for (uint32_t j = i + 1; j < m.n; j += kPairStep) {
            int32_t& expiry = only.expiry[size_t{i} * only.stride + j];
            expiry = 0;
            qapfw_swap_move move{};
            const bool found = swaps.best_admissible(only.filter(), &move);
            expiry = 1;
            const bool movable = fixed.empty() || (fixed[i] == 0 && fixed[j] == 0);
            REQUIRE(found == (movable && !are_equals(equals, p, i, j) && forbidden_by(m, p, i, j) <= 0));
            if (!found) continue;
            REQUIRE(move.i == i);
            REQUIRE(move.j == j);
            REQUIRE(move.delta.i == full_delta(m, p, i, j));
        }
}

void check_walk(const QapMatrices& m, Isa isa, const std::vector<uint8_t>& fixed, Random random, int moves,
                const Interchangeable& equals = {}) {
    if (kSanitized) moves = (moves + 1) / 2;
    const SwapData data(m, fixed, isa, equals);
    CAPTURE(data.description);
    SwapNeighbourhood swaps(data);
    std::vector<uint16_t> p = random_permutation(m.n, random);
    const std::vector<uint16_t> other = random_permutation(m.n, random);
    REQUIRE(swaps.reset(other.data()) == full_cost(m, other));
    REQUIRE(swaps.reset(p.data()) == full_cost(m, p));
    check_deltas(swaps, m, p, fixed, equals);
    std::vector<uint32_t> movable;
    for (uint32_t i = 0; i < m.n; ++i)
        if (fixed.empty() || fixed[i] == 0) movable.push_back(i);
    if (movable.size() < 2) return;
    for (int k = 0; k < std::min(moves, kMostMoves); ++k) {
        const int applied_before_a_scan = 1 + k % 3;
        for (int t = 0; t < applied_before_a_scan; ++t) {
            std::shuffle(movable.begin(), movable.end(), random);
            swaps.apply(movable[0], movable[1]);
            std::swap(p[movable[0]], p[movable[1]]);
        }
        check_deltas(swaps, m, p, fixed, equals);
    }
}

struct Pair {
    uint32_t i, j;
    int64_t delta;
};

/// The best admissible pair by the filter's definition.
std::optional<Pair> best_by_definition(const QapMatrices& m, const std::vector<uint16_t>& p,
                                       const qapfw_swap_filter& f) {
    std::optional<Pair> best, best_preferred;
    const auto take = [](std::optional<Pair>& to, const Pair& pair) {
        if (!to || pair.delta < to->delta) to = pair;
    };
    for (uint32_t i = 0; i < m.n; ++i)
        for (uint32_t j = i + 1; j < m.n; ++j) {
            const Pair pair{i, j, full_delta(m, p, i, j)};
            const bool tabu = f.pair_expiry != nullptr && f.pair_expiry[size_t{i} * f.stride + j] > f.iteration;
            const bool aspired = pair.delta < f.aspiration.i;
            const bool forced = f.pair_latest != nullptr && f.pair_latest[size_t{i} * f.stride + j] < f.forced_before;
            if (!tabu || aspired) take(best, pair);
            if (aspired || forced) take(best_preferred, pair);
        }
    return f.pair_latest != nullptr && best_preferred ? best_preferred : best;
}

}  // namespace

TEST_CASE("Every delta equals the difference of full costs, for every instruction set and kind of matrix") {
    for (const Kind& kind : kKinds)
        for (const Isa isa : supported())
            for (const uint32_t n : {1u, 2u, 3u, 5u, 16u, 17u, 31u, 34u}) {
                CAPTURE(kind.name);
                CAPTURE(n);
                Random random(n);
                check_walk(random_instance(n, kind, random), isa, {}, random, 6);
            }
}

TEST_CASE("Fixed positions are never admitted and do not disturb the other deltas") {
    for (const Kind& kind : kKinds)
        for (const Isa isa : supported())
            for (const uint32_t n : {4u, 19u, 33u}) {
                Random random(n + 7);
                const QapMatrices m = random_instance(n, kind, random);
                std::vector<uint8_t> fixed(n);
                for (auto& f : fixed) f = random() % 3 == 0 ? 1 : 0;
                CAPTURE(kind.name);
                check_walk(m, isa, fixed, random, 4);
            }
    Random random(1);
    check_walk(random_instance(20, kKinds[0], random), Isa::kPlain, std::vector<uint8_t>(20, 1), random, 1);
}

TEST_CASE("Interchangeable facilities and locations are never exchanged and do not disturb the other deltas") {
    const Kind beyond{"64-bit asymmetric", false, false, true, 0, int64_t{1} << 24, 1};
    std::vector<Kind> kinds(std::begin(kKinds), std::end(kKinds));
    kinds.push_back(beyond);
    for (const Kind& kind : kinds)
        for (const Isa isa : supported())
            for (const uint32_t n : {2u, 5u, 17u, 34u}) {
                Random random(n + 3);
                QapMatrices m = random_instance(n, kind, random);
                // Makes three facilities interchangeable, and two locations; if n > 30, also two further facilities.
                if (n > 2) test::make_equal(m.a, n, {0, 2, n - 1});
                if (n > 2) test::make_equal(m.b, n, {1, n - 1});
                if (n > 30) test::make_equal(m.a, n, {5, 20});
                const Interchangeable equals(m);
                CAPTURE(kind.name);
                if (n > 2) REQUIRE(equals.any());
                check_walk(m, isa, {}, random, 6, equals);
                std::vector<uint8_t> fixed(n);
                for (auto& f : fixed) f = random() % 4 == 0 ? 1 : 0;
                check_walk(m, isa, fixed, random, 4, equals);
            }
}

/// Adds linear costs from `low` to `high`. Forbids about one in `forbids` pairs of facility and location, or none if
/// `forbids` is 0.
void add_linear(QapMatrices& m, int64_t low, int64_t high, uint32_t forbids, Random& random) {
    std::uniform_int_distribution<int64_t> value(low, high);
    m.linear.resize(m.a.size());
    for (int64_t& v : m.linear) v = value(random);
    if (forbids == 0) return;
    const CostBounds bounds = cost_bounds(m, "t");
    m.penalty = 2 * (bounds.upper - bounds.lower) + 1;
    m.forbidden.resize(m.a.size());
    for (size_t k = 0; k < m.a.size(); ++k) {
        m.forbidden[k] = random() % forbids == 0 ? 1 : 0;
        if (m.forbidden[k] != 0) m.linear[k] += m.penalty;
    }
}

TEST_CASE("Linear costs are part of every delta, and exchanges that make forbidden pairs are never admitted") {
    for (const Kind& kind : kKinds)
        for (const Isa isa : supported())
            for (const uint32_t n : {2u, 5u, 19u, 34u})
                for (const uint32_t forbids : {0u, 4u}) {
                    CAPTURE(kind.name);
                    CAPTURE(n);
                    Random random(n + forbids);
                    QapMatrices m = random_instance(n, kind, random);
                    add_linear(m, -5 * kind.step, kind.high * n, forbids, random);
                    check_walk(m, isa, {}, random, 5);
                    std::vector<uint8_t> fixed(n);
                    for (auto& f : fixed) f = random() % 4 == 0 ? 1 : 0;
                    check_walk(m, isa, fixed, random, 3, Interchangeable(m));
                }
}

TEST_CASE("Penalties of forbidden pairs leave the table as narrow as it was") {
    Random random(8);
    QapMatrices m = random_instance(40, kKinds[0], random);
    const SwapWidth without = SwapData(m).width;
    add_linear(m, 0, 1000, 3, random);
    CHECK(m.penalty > int64_t{1} << 22);
    CHECK(SwapData(m).width == without);
}

TEST_CASE("With forbidden pairs the aspiration is that of whole costs") {
    Random random(4);
    QapMatrices m = random_instance(12, kKinds[0], random);
    add_linear(m, 0, 500, 3, random);
    const SwapData data(m, {}, Isa::kPlain);
    SwapNeighbourhood swaps(data);
    const std::vector<uint16_t> p = random_permutation(12, random);
    swaps.reset(p.data());
    std::vector<int64_t> deltas;
    for (uint32_t i = 0; i < 12; ++i)
        for (uint32_t j = i + 1; j < 12; ++j)
            if (forbidden_by(m, p, i, j) <= 0) deltas.push_back(full_delta(m, p, i, j));
    const int64_t least = *std::min_element(deltas.begin(), deltas.end());
    const Only all_tabu(12);
    for (const int64_t delta : deltas)
        for (const int64_t beside : {-1, 0, 1}) {
            qapfw_swap_move move{};
            REQUIRE(swaps.best_admissible(all_tabu.filter(delta + beside), &move) == (least < delta + beside));
            REQUIRE(data.first_at_least(data.delta_of(0)) == 0);
        }
}

TEST_CASE("Where all elements are interchangeable there is no pair to take") {
    for (const Isa isa : supported()) {
        const uint32_t n = 20;
        Random random(2);
        const QapMatrices m{n, std::vector<int64_t>(n * n, 3), random_matrix(n, true, kKinds[0], random)};
        const Interchangeable equals(m);
        const SwapData data(m, {}, isa, equals);
        SwapNeighbourhood swaps(data);
        std::vector<uint16_t> p = random_permutation(n, random);
        swaps.reset(p.data());
        for (int k = 0; k < 3; ++k, swaps.apply(1, 4)) {
            qapfw_swap_move move{};
            CHECK(!swaps.best_admissible(qapfw_swap_filter{}, &move));
            CHECK(!swaps.first_improving(0, 1, &move));
        }
    }
}

TEST_CASE("Large values keep exact deltas in 32-bit tables that wrap and in 64-bit tables") {
    for (const Isa isa : supported()) {
        Random random(3);
        const Kind wide{"", true, true, false, 0, int64_t{1} << 40, 1}, small{"", false, false, true, -9, 9, 1};
        QapMatrices m{21, random_matrix(21, true, wide, random), random_matrix(21, true, small, random)};
        check_walk(m, isa, {}, random, 5);
        m.a = random_matrix(21, false, wide, random), m.b = random_matrix(21, false, small, random);
        check_walk(m, isa, {}, random, 5);
        // Huge entries: deltas fit 32 bits because the other matrix has only entries 0 and 1.
        const Kind bits{"", true, true, false, 0, 1, 1};
        m.a = random_matrix(21, true, Kind{"", true, true, false, 0, 40'000'000, 1}, random);
        m.b = random_matrix(21, true, bits, random);
        check_walk(m, isa, {}, random, 5);
        CHECK(SwapData(m, {}, isa).width == SwapWidth::k32);
        m.a = random_matrix(21, true, Kind{"", true, true, false, 0, 50'000, 1}, random);
        m.b = random_matrix(21, true, Kind{"", true, true, false, 0, 100, 1}, random);
        check_walk(m, isa, {}, random, 5);
        CHECK(SwapData(m, {}, isa).width == SwapWidth::k16Wide);
        m.a = random_matrix(21, false, Kind{"", true, true, false, 0, 40'000, 1}, random);
        m.b = random_matrix(21, false, Kind{"", true, true, false, 0, 100, 1}, random);
        check_walk(m, isa, {}, random, 5);
        CHECK(SwapData(m, {}, isa).width == SwapWidth::k16Wide);
        m.b = random_matrix(21, false, bits, random);
        m.a = random_matrix(21, false, Kind{"", true, true, false, 0, 10'000'000, 1}, random);
        check_walk(m, isa, {}, random, 5);
        CHECK(SwapData(m, {}, isa).width == SwapWidth::k32);
    }
}

TEST_CASE("The narrowest exact form is chosen from the data") {
    Random random(5);
    const auto width = [&](int64_t low, int64_t high, bool a_symmetric, Isa isa) {
        const Kind kind{"", a_symmetric, true, false, low, high, 1};
        return SwapData(random_instance(40, kind, random), {}, isa).width;
    };
    CHECK(width(0, 99, true, Isa::kAvx2) == SwapWidth::k8);
    CHECK(width(0, 255, true, Isa::kAvx2) == SwapWidth::k16);  // pairs of byte products would saturate
    CHECK(width(0, 255, true, Isa::kPlain) == SwapWidth::k8);
    CHECK(width(500, 599, true, Isa::kAvx2) == SwapWidth::k8);
    CHECK(width(0, 1000, true, Isa::kAvx2) == SwapWidth::k16);
    CHECK(width(0, 1000, false, Isa::kAvx2) == SwapWidth::k16);
    CHECK(width(0, 100'000, true, Isa::kAvx2) == SwapWidth::k64Narrow);
    CHECK(width(0, int64_t{1} << 26, true, Isa::kAvx2) == SwapWidth::k64Narrow);
}

TEST_CASE("Costs that could leave exact 64-bit arithmetic are refused") {
    Random random(5);
    const Kind kind{"", true, true, false, 0, int64_t{1} << 31, 1};
    CHECK_THROWS_AS(SwapData(random_instance(40, kind, random)), Error);
    QapMatrices m = random_instance(4, kKinds[0], random);
    m.b.pop_back();
    CHECK_THROWS_AS((SwapData(m)), Error);
}

TEST_CASE("The best admissible pair follows the filter's definition, ties by the smallest pair") {
    for (const Isa isa : supported())
        for (const int64_t high : {3, 99, 60'000, 200'000})
            for (const uint32_t n : {3u, 18u, 36u}) {
                Random random(n);
                const Kind kind{"", true, n != 18, false, 0, high, 1};
                const QapMatrices m = random_instance(n, kind, random);
                const SwapData data(m, {}, isa);
                CAPTURE(data.description);
                SwapNeighbourhood swaps(data);
                std::vector<uint16_t> p = random_permutation(n, random);
                swaps.reset(p.data());
                Only tables(n), latest(n);
                for (int k = 0; k < (qapfw::kSanitized ? 12 : 24); ++k) {
                    // Entries outside i < j hold values that would be chosen if they were read.
                    for (uint32_t i = 0; i < n; ++i)
                        for (uint32_t j = 0; j < tables.stride; ++j) {
                            const bool pair = i < j && j < n;
                            tables.expiry[size_t{i} * tables.stride + j] =
                                pair ? static_cast<int32_t>(random() % 20) : -5;
                            latest.expiry[size_t{i} * tables.stride + j] =
                                pair ? static_cast<int32_t>(random() % 200) : -5;
                        }
                    const int64_t spread = full_delta(m, p, 0, n - 1);
                    qapfw_swap_filter filter = tables.filter(k % 4 == 0   ? -std::abs(spread)
                                                             : k % 4 == 1 ? spread / 2
                                                             : k % 4 == 2 ? std::numeric_limits<int64_t>::min()
                                                                          : std::numeric_limits<int64_t>::max());
                    filter.iteration = static_cast<int32_t>(random() % 20) - 1;
                    if (k % 5 == 0) filter.pair_expiry = nullptr;
                    if (k % 3 == 0) filter.pair_latest = latest.expiry.data(), filter.forced_before = k % 7;
                    qapfw_swap_move move{};
                    const bool found = swaps.best_admissible(filter, &move);
                    const std::optional<Pair> wanted = best_by_definition(m, p, filter);
                    REQUIRE(found == wanted.has_value());
                    if (!found) continue;
                    REQUIRE(move.delta.i == wanted->delta);
                    REQUIRE(move.i == wanted->i);
                    REQUIRE(move.j == wanted->j);
                    swaps.apply(move.j, move.i);
                    std::swap(p[move.i], p[move.j]);
                }
            }
}

TEST_CASE("First improving scans in row-major order from the given pair") {
    for (const Isa isa : supported())
        for (const int64_t high : {99, 3000, 100'000}) {
            Random random(11);
            const uint32_t n = 35;
            const QapMatrices m = random_instance(n, Kind{"", true, true, false, 0, high, 1}, random);
            const SwapData data(m, {}, isa);
            SwapNeighbourhood swaps(data);
            std::vector<uint16_t> p = random_permutation(n, random);
            swaps.reset(p.data());
            uint32_t from_i = 0, from_j = 1;
            for (int k = 0; k < 30; ++k) {
                std::optional<Pair> wanted;
                for (uint32_t i = from_i; i < n && !wanted; ++i)
                    for (uint32_t j = i == from_i ? std::max(from_j, i + 1) : i + 1; j < n && !wanted; ++j)
                        if (const int64_t delta = full_delta(m, p, i, j); delta < 0) wanted = Pair{i, j, delta};
                qapfw_swap_move move{};
                REQUIRE(swaps.first_improving(from_i, from_j, &move) == wanted.has_value());
                if (!wanted) {
                    from_i = 0, from_j = 1;
                    swaps.apply(3, 20), std::swap(p[3], p[20]);
                    continue;
                }
                REQUIRE(move.i == wanted->i);
                REQUIRE(move.j == wanted->j);
                REQUIRE(move.delta.i == wanted->delta);
                swaps.apply(move.i, move.j), std::swap(p[move.i], p[move.j]);
                from_i = move.i, from_j = move.j + 1;
            }
        }
}

TEST_CASE("A tabu search takes the same moves on every instruction set as the classical scalar one") {
    constexpr int32_t kSteps = qapfw::kSanitized ? 400 : 3000;
    for (const uint32_t n : {7u, 32u, 50u, 129u}) {
        Random random(n);
        const QapMatrices m = random_instance(n, kKinds[0], random);
        const std::vector<uint16_t> start = random_permutation(n, random);
        for (const Isa isa : supported()) {
            CAPTURE(isa_name(isa));
            bench::RobustTabuBaseline baseline(n, {m.a.begin(), m.a.end()}, {m.b.begin(), m.b.end()});
            baseline.start(start);
            const SwapData data(m, {}, isa);
            SwapNeighbourhood swaps(data);
            tabu::TabuMemory memory(n);
            memory.reset(start.data());
            int64_t cost = swaps.reset(start.data()), best = cost;
            REQUIRE(cost == baseline.cost());
            Random tenures(n);
            for (int32_t iteration = 0; iteration < kSteps; ++iteration) {
                const int32_t ti =
                    kernels::tabu_tenure(static_cast<uint32_t>(tenures()), 0, static_cast<int32_t>(8 * n));
                const int32_t tj =
                    kernels::tabu_tenure(static_cast<uint32_t>(tenures()), 0, static_cast<int32_t>(8 * n));
                bench::RobustTabuBaseline::Move wanted{};
                const qapfw_swap_filter filter{
                    sizeof(qapfw_swap_filter), memory.stride(), memory.pair_expiry(), nullptr, iteration, 0,
                    {.i = best - cost}};
                qapfw_swap_move move{};
                const bool found = swaps.best_admissible(filter, &move);
                REQUIRE(found == baseline.step(ti, tj, &wanted));
                if (!found) continue;
                REQUIRE(move.i == wanted.i);
                REQUIRE(move.j == wanted.j);
                REQUIRE(move.delta.i == wanted.delta);
                memory.record_swap(move.i, move.j, iteration + ti, iteration + tj);
                swaps.apply(move.i, move.j);
                cost += move.delta.i, best = std::min(best, cost);
            }
            CHECK(cost == full_cost(m, {swaps.solution(), swaps.solution() + n}));
        }
    }
}

TEST_CASE("Two thousand positions work") {
    const uint32_t n = 2003;
    Random random(1);
    const QapMatrices m = random_instance(n, kKinds[0], random);
    const SwapData data(m);
    SwapNeighbourhood swaps(data);
    std::vector<uint16_t> p = random_permutation(n, random);
    int64_t cost = swaps.reset(p.data());
    for (int k = 0; k < (qapfw::kSanitized ? 4 : 20); ++k) {
        qapfw_swap_move move{};
        REQUIRE(swaps.best_admissible(qapfw_swap_filter{sizeof(qapfw_swap_filter), 0, nullptr, nullptr, 0, 0, {.i = 0}},
                                      &move));
        swaps.apply(move.i, move.j);
        std::swap(p[move.i], p[move.j]);
        cost += move.delta.i;
    }
    CHECK(cost == data.cost(p.data()));
}
