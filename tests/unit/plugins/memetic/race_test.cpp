// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/race.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace {

using namespace qapfw;
using memetic::arms_after;
using memetic::EraResult;
using memetic::NextArm;
using memetic::ranked_arms;
using memetic::rung_at;

EraResult result(std::uint32_t arm, std::int64_t cost, std::uint64_t work = 1, bool has_child = true) {
    EraResult result{};
    result.cost.i = cost;
    result.work = work;
    result.arm = arm;
    result.has_child = has_child ? 1 : 0;
    return result;
}

using Arms = std::vector<std::uint32_t>;
const sdk::CostLess kLess{};

Arms next_arms(const std::vector<EraResult>& results, const Arms& ranked, std::uint32_t leaders, std::uint64_t rung,
               std::uint32_t one_in = 12, std::uint64_t turn = 1) {
    Arms arms;
    for (const NextArm& next : memetic::next_arms(results, ranked, {rung, leaders, one_in, turn}, kLess)) {
        arms.push_back(next.arm);
    }
    return arms;
}

/// The result of an island in an era: its best elite at the era's beginning (if the island existed then), and its best
/// child.
EraResult in_era(std::uint32_t arm, std::int64_t before, std::int64_t cost, bool was_there = true) {
    EraResult era = result(arm, cost);
    era.before.i = before;
    era.was_there = was_there ? 1 : 0;
    return era;
}

std::vector<NextArm> after_era(const std::vector<EraResult>& results, const Arms& elites) {
    std::vector<NextArm> next;
    for (const EraResult& result : results) next.push_back({.arm = result.arm});
    memetic::end_era(next, results, elites, 77, kLess);
    return next;
}

}  // namespace

TEST_CASE("eras last twice as long each: they end with rungs 1, 2, 4, 8, ...") {
    Arms ends;
    for (std::uint32_t rung = 1; rung <= 20; ++rung) {
        if (memetic::is_era_end(rung)) ends.push_back(rung);
    }
    CHECK(ends == Arms{1, 2, 4, 8, 16});
}

TEST_CASE("an arm without a gaining island in an era begins anew on all its islands, larger and together") {
    const std::vector<EraResult> results{in_era(0, 10, 12), in_era(1, 20, 19), in_era(0, 15, 15), in_era(2, 5, 6)};
    const std::vector<NextArm> next = after_era(results, {30, 30, 0});
    for (const std::size_t island : {0u, 2u}) {
        CHECK(next[island].arm == 0);
        CHECK(next[island].anew == 1);
        CHECK(next[island].elites == 30);
        CHECK(next[island].born == 77);
    }
    for (const std::size_t island : {1u, 3u}) {  // island 1 gained; elites[2] is 0, so island 3 does not restart
        CHECK(next[island].anew == 0);
        CHECK(next[island].elites == 0);
        CHECK(next[island].born == 0);
    }
    for (const NextArm& island : next) CHECK(island.is_era == 1);
}

TEST_CASE("one island in eight that gains keeps its arm going, though another of the arm had less from the beginning") {
    for (const bool one_in_eight : {true, false}) {
        std::vector<EraResult> results(one_in_eight ? 8 : 9, in_era(0, 10, 12));
        results[3] = in_era(0, 30, 20);
        for (const NextArm& island : after_era(results, {30})) CHECK(island.anew == (one_in_eight ? 0 : 1));
    }
}

TEST_CASE("islands that began anew in an era have one more, and an arm's gain is that of islands that were there") {
    CHECK(after_era({in_era(0, 10, 12, false), in_era(0, 9, 9, false)}, {30})[0].anew == 0);
    CHECK(after_era({in_era(0, 10, 12), in_era(0, 30, 9, false)}, {30})[0].anew == 1);
    CHECK(after_era({in_era(0, 10, 12), in_era(0, 30, 9)}, {30})[0].anew == 0);
}

TEST_CASE("rungs end after one, three, five, seven times the rounds of the first") {
    Arms ends;
    for (std::uint32_t t = 0; t <= 35; ++t) {
        if (rung_at(t, 4) == 0) continue;
        ends.push_back(t);
        CHECK(rung_at(t, 4) == ends.size());
    }
    CHECK(ends == Arms{4, 12, 20, 28});
    CHECK(rung_at(7, 0) == 0);
}

TEST_CASE("the arms that share islands are halved down to two") {
    CHECK(arms_after(1, 7) == 4);
    CHECK(arms_after(2, 7) == 2);
    CHECK(arms_after(3, 7) == 2);
    CHECK(arms_after(1, 1) == 1);
    CHECK(arms_after(1000, 16) == 2);
}

TEST_CASE("without turns the best four islands of an arm count") {
    const auto ranked = [](std::uint32_t many, bool has_turns) {
        std::vector<EraResult> results{result(1 - many, 20)};
        for (const std::int64_t cost : {60, 15, 40, 10, 30, 50}) results.push_back(result(many, cost));
        return ranked_arms(results, 2, kLess, has_turns);
    };
    // One arm has a single island, and this island has rank 2. The best four islands of arm `many` have ranks 0, 1, 3
    // and 4. Both arms have mean rank 2, so the arm with the lower number comes first. If three islands counted, the
    // mean of arm `many` would be below 2; if five counted, it would be above 2. With turns, all six islands count.
    CHECK(ranked(0, false) == Arms{0, 1});
    CHECK(ranked(1, false) == Arms{0, 1});
    CHECK(ranked(0, true) == Arms{1, 0});
    CHECK(ranked(1, true) == Arms{0, 1});
}

TEST_CASE("arms rank by the mean rank of their islands, whatever the number of islands") {
    const std::vector<EraResult> results{result(0, 50), result(1, 10), result(1, 90), result(2, 20), result(0, 60)};
    // Ranks: arm 1 has 0 and 4, arm 2 has 1, arm 0 has 2 and 3.
    CHECK(ranked_arms(results, 3, kLess) == Arms{2, 1, 0});
}

TEST_CASE("of equal costs the one found with less work ranks first, and islands without a child rank last") {
    CHECK(ranked_arms(std::vector{result(0, 5, 90), result(1, 5, 80)}, 2, kLess) == Arms{1, 0});
    CHECK(ranked_arms(std::vector{result(0, 5, 9, false), result(1, 100)}, 2, kLess) == Arms{1, 0});
    CHECK(ranked_arms(std::vector{result(0, 5), result(1, 5)}, 2, kLess) == Arms{0, 1});
}

TEST_CASE("leaders share the islands, the others take turns on one, and the islands that rank last move") {
    std::vector<EraResult> results;
    for (std::uint32_t k = 0; k < 9; ++k) results.push_back(result(k % 3, 100 + k));
    const Arms ranked = ranked_arms(results, 3, kLess);
    CHECK(ranked == Arms{0, 1, 2});
    for (const std::uint64_t rung : {1u, 2u, 3u, 4u}) {
        const std::uint32_t explorer = rung % 2 == 0 ? 1 : 2;
        const Arms next = next_arms(results, ranked, 1, rung);
        CHECK(std::count(next.begin(), next.end(), 0u) == 8);
        CHECK(std::count(next.begin(), next.end(), explorer) == 1);
        CHECK(next[explorer] == explorer);  // the arm keeps its best island
    }
    const Arms two = next_arms(results, ranked, 2, 1);
    CHECK(std::count(two.begin(), two.end(), 0u) == 4);
    CHECK(std::count(two.begin(), two.end(), 1u) == 4);
    CHECK(std::count(two.begin(), two.end(), 2u) == 1);
}

TEST_CASE("of many islands one in twelve goes to arms that do not lead") {
    std::vector<EraResult> results;
    for (std::uint32_t k = 0; k < 40; ++k) results.push_back(result(k % 5, 100 + k % 5));
    const Arms ranked = ranked_arms(results, 5, kLess);
    for (std::uint64_t rung = 1; rung < 6; ++rung) {
        const Arms next = next_arms(results, ranked, 2, rung);
        for (const std::uint32_t arm : {0u, 1u}) CHECK(std::count(next.begin(), next.end(), arm) >= 18);
        for (const std::uint32_t arm : {2u, 3u, 4u}) CHECK(std::count(next.begin(), next.end(), arm) <= 1);
        CHECK(std::count_if(next.begin(), next.end(), [](std::uint32_t arm) { return arm > 1; }) == 3);
    }
    results.resize(36, result(0, 1));
    const Arms alone = next_arms(results, Arms{0, 1, 2, 3, 4}, 4, 1);
    CHECK(std::count(alone.begin(), alone.end(), 4u) == 3);
}

TEST_CASE("a fixed fraction of islands is for arms that do not lead, and a turn lasts a fixed number of rungs") {
    std::vector<EraResult> results;
    for (std::uint32_t k = 0; k < 18; ++k) results.push_back(result(k % 7, 100 + k % 7));
    const Arms ranked = ranked_arms(results, 7, kLess);
    const auto explorers = [&](std::uint64_t rung) {
        Arms arms = next_arms(results, ranked, 2, rung, 6, 2);
        CHECK(std::count(arms.begin(), arms.end(), 0u) == 8);
        CHECK(std::count(arms.begin(), arms.end(), 1u) == 7);
        std::erase_if(arms, [](std::uint32_t arm) { return arm < 2; });
        std::sort(arms.begin(), arms.end());
        return arms;
    };
    CHECK(explorers(4) == explorers(5));
    CHECK(explorers(5) != explorers(6));
}

TEST_CASE("without turns each arm that does not lead keeps its best islands, one at least, and they go on") {
    std::vector<EraResult> results;
    for (std::uint32_t k = 0; k < 33; ++k) results.push_back(result(k % 7, 100 + k));
    const Arms ranked{0, 1, 2, 3, 4, 5, 6};
    for (const std::uint32_t one_in : {4u, 33u}) {
        const std::vector<NextArm> next = memetic::next_arms(results, ranked, {9, 2, one_in, 0}, kLess);
        std::size_t explorers = 0;
        for (std::uint32_t island = 0; island < 33; ++island) {
            CHECK(next[island].anew == (next[island].arm == island % 7 ? 0u : 1u));
            if (next[island].arm > 1) ++explorers;
        }
        CHECK(explorers == (one_in == 4 ? 8 : 5));
        for (std::uint32_t arm = 2; arm < 7; ++arm) CHECK(next[arm].arm == arm);  // each arm keeps its best island
    }
}

TEST_CASE("the lead doubles with the rung `from`, twice that rung, four times that rung ..., up to the most") {
    const auto leads = [](std::uint64_t from, const Arms& rungs) {
        Arms all;
        for (const std::uint32_t rung : rungs) all.push_back(memetic::lead_after(rung, 6, from));
        return all;
    };
    CHECK(leads(4, {1, 3, 4, 7, 8, 15, 16, 32}) == Arms{1, 1, 2, 2, 4, 4, 6, 6});
    CHECK(leads(2, {1, 2, 3, 4, 7, 8, 16}) == Arms{1, 2, 2, 4, 4, 6, 6});
    CHECK(leads(3, {2, 3, 5, 6, 11, 12}) == Arms{1, 2, 2, 4, 4, 6});
    CHECK(leads(1, {1, 2, 4}) == Arms{2, 4, 6});
    CHECK(memetic::lead_after(1'000'000'000'000, 1, 4) == 1);
    CHECK(memetic::lead_after(std::uint64_t{1} << 63, 1024, 4) == 1024);
    CHECK(memetic::lead_after(std::uint64_t{1} << 63, 1024, 1'000'000) == 1024);
}

TEST_CASE("an arm with short searches gets no lead before the fourth rung") {
    CHECK(memetic::lead_start(2, 1001, 1000) == 2);
    CHECK(memetic::lead_start(2, 1000, 1000) == 4);
    CHECK(memetic::lead_start(2, 0, 0) == 4);  // the length of a search is unknown
    CHECK(memetic::lead_start(5, 1000, 1000) == 5);
}

TEST_CASE("only leaders whose searches are longer than the work of making a child use their lead for more work") {
    CHECK(memetic::pace_of(4, 1001, 1000) == 4);
    CHECK(memetic::pace_of(4, 1000, 1000) == 1);
    CHECK(memetic::pace_of(4, 0, 0) == 1);  // the length of a search is unknown
}

TEST_CASE("with a lead the first arm gets more islands of both, the second leader's and the other arms'") {
    std::vector<EraResult> results;
    for (std::uint32_t k = 0; k < 36; ++k) results.push_back(result(k % 4, 100 + k));
    const Arms ranked{3, 1, 0, 2};
    Arms of_first, of_second;
    for (const std::uint32_t lead : {1u, 2u, 4u}) {
        const std::vector<NextArm> next = memetic::next_arms(results, ranked, {9, 2, 4, 0, lead}, kLess);
        Arms islands(4);
        for (const NextArm& island : next) ++islands[island.arm];
        of_first.push_back(islands[3]);
        of_second.push_back(islands[1]);
        CHECK(islands[0] + islands[2] == std::max(2u, 9 / lead));
    }
    CHECK(of_first == Arms{18, 26, 31});
    CHECK(of_second == Arms{9, 6, 3});
}

TEST_CASE("without turns the first has twice the islands of each other leader, and nothing changes where all lead") {
    std::vector<EraResult> results;
    for (std::uint32_t k = 0; k < 32; ++k) results.push_back(result(k % 4, 100 + k));
    const auto islands = [&](std::uint32_t leaders, std::uint64_t turn) {
        std::vector<std::ptrdiff_t> of_arms;
        const std::vector<NextArm> next = memetic::next_arms(results, Arms{3, 1, 0, 2}, {2, leaders, 4, turn}, kLess);
        for (const std::uint32_t arm : {3u, 1u, 0u, 2u}) {
            of_arms.push_back(
                std::count_if(next.begin(), next.end(), [arm](const NextArm& a) { return a.arm == arm; }));
        }
        return of_arms;
    };
    CHECK(islands(2, 1) == std::vector<std::ptrdiff_t>{12, 12, 4, 4});
    CHECK(islands(2, 0) == std::vector<std::ptrdiff_t>{16, 8, 4, 4});
    CHECK(islands(3, 0) == std::vector<std::ptrdiff_t>{12, 6, 6, 8});
    CHECK(islands(4, 0) == std::vector<std::ptrdiff_t>{8, 8, 8, 8});
}

TEST_CASE("an island that comes to an arm that leads begins anew, one that stays or leaves the race does not") {
    const std::vector<EraResult> results{result(0, 1), result(0, 2), result(1, 8), result(1, 9)};
    const std::vector<NextArm> next = memetic::next_arms(results, Arms{0, 1}, {1, 1, 12, 1}, kLess);
    CHECK(next[0].anew == 0);
    CHECK(next[2].arm == 1);
    CHECK(next[2].anew == 0);
    CHECK(next[3].arm == 0);
    CHECK(next[3].anew == 1);
    const std::vector<EraResult> turned{result(0, 1), result(0, 2), result(0, 3), result(1, 4)};
    const std::vector<NextArm> out = memetic::next_arms(turned, Arms{0, 2, 1}, {1, 1, 12, 1}, kLess);
    const auto explorer = std::find_if(out.begin(), out.end(), [](const NextArm& arm) { return arm.arm != 0; });
    CHECK(explorer->anew == 0);
}

TEST_CASE("an arm without an island ranks last") {
    CHECK(ranked_arms(std::vector{result(2, 50), result(1, 10)}, 3, kLess) == Arms{1, 2, 0});
}

TEST_CASE("an arm that is out comes back when its one island does best") {
    const std::vector<EraResult> results{result(0, 9), result(0, 8), result(0, 7), result(1, 1)};
    const Arms ranked = ranked_arms(results, 2, kLess);
    CHECK(ranked == Arms{1, 0});
    CHECK(next_arms(results, ranked, 1, 1) == Arms{1, 1, 0, 1});
}

TEST_CASE("with fewer islands than arms all stay with their arms") {
    const std::vector<EraResult> results{result(0, 9), result(2, 1)};
    CHECK(next_arms(results, ranked_arms(results, 3, kLess), 1, 1) == Arms{0, 2});
}
