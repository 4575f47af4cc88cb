// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "problems/qap/bounds/gilmore_lawler.hpp"
#include "problems/qap/bounds/path_bounds.hpp"
#include "problems/qap/instances/instance.hpp"
#include "tests/unit/problems/qap/brute_force.hpp"
#include "tests/unit/problems/qap/support.hpp"

namespace sdk = qapfw::sdk;
using namespace qapfw::qap;
using namespace qapfw::qap::test;

namespace {

constexpr qapfw_cost kNoCutoff{.i = std::numeric_limits<int64_t>::max()};

struct Small {
    QapMatrices matrices;
    FixedAssignments fixed;
    int64_t magnitude, least;
};

Small draw_instance(int round, std::mt19937_64& random, uint32_t most = 7) {
    const MatrixForm& form = kMatrixForms[static_cast<std::size_t>(round) % std::size(kMatrixForms)];
    const auto n = static_cast<uint32_t>(1 + random() % most);
    Small small{draw_small(form, n, round % 3 == 0, random), {}, 0, 0};
    if (round % 4 == 0) small.fixed = draw_fixed(n, static_cast<uint32_t>(random() % n), random);
    small.magnitude = cost_bounds(small.matrices, "small").magnitude;
    small.least = least_cost(small.matrices, small.fixed);
    return small;
}

}  // namespace

TEST_CASE("the bounds of an instance are never above its least cost") {
    std::mt19937_64 random(5);
    int tight = 0;
    for (int round = 0; round < 400; ++round) {
        const Small small = draw_instance(round, random);
        CAPTURE(round);
        const int64_t gilmore_lawler = *gilmore_lawler_bound(BoundTerms(small.matrices, small.fixed));
        CHECK(gilmore_lawler <= small.least);
        const qapfw_instance_bound best = bound_of_instance(small.matrices, small.fixed, small.magnitude, {});
        REQUIRE(best.name != nullptr);
        CHECK(best.bound.i >= gilmore_lawler);
        CHECK(best.bound.i <= small.least);
        if (best.bound.i == small.least) ++tight;
    }
    CHECK(tight > 100);
}

TEST_CASE("the bounds along a path hold for all solutions that the path leaves") {
    std::mt19937_64 random(6);
    for (int round = 0; round < 120; ++round) {
        const Small small = draw_instance(round, random, 6);
        CAPTURE(round);
        const uint32_t n = small.matrices.n;
        const BoundData data(small.matrices, small.fixed, small.magnitude, "small");
        PathBounds bounds(data, n);
        // Half of the instances have a cutoff: only solutions that cost less matter.
        const qapfw_cost cutoff =
            round % 2 == 0 ? kNoCutoff : qapfw_cost{.i = small.least + 1 + static_cast<int64_t>(random() % 100)};
        CHECK(bounds.reset(cutoff).i <= small.least);
        std::vector<uint16_t> path(n, UINT16_MAX), free;
        for (uint16_t i = 0; i < n; ++i) {
            if (small.fixed.count == 0 || !small.fixed.is_fixed(i)) free.push_back(i);
        }
        std::shuffle(free.begin(), free.end(), random);
        for (const uint16_t facility : free) {
            // The least cost of the solutions below each child.
            std::vector<int64_t> least(std::size_t{n} * n, std::numeric_limits<int64_t>::max());
            std::vector<uint16_t> end;
            for_all(small.matrices, small.fixed, [&](const std::vector<uint16_t>& p, int64_t cost) {
                for (uint32_t i = 0; i < n; ++i) {
                    if (path[i] != UINT16_MAX && path[i] != p[i]) return;
                }
                if (end.empty() || random() % 8 == 0) end = p;
                for (uint32_t i = 0; i < n; ++i) {
                    int64_t& of_child = least[i * n + p[i]];
                    of_child = std::min(of_child, cost);
                }
            });
            std::vector<qapfw_cost> children(std::size_t{n} * n);
            std::vector<uint16_t> of_facilities(n), of_locations(n);
            bounds.children(children.data(), of_facilities.data(), of_locations.data());
            for (const uint16_t i : free) {
                if (path[i] != UINT16_MAX) continue;
                for (uint16_t j = 0; j < n; ++j) {
                    const int64_t of_child = least[std::size_t{i} * n + j];
                    if (of_child == std::numeric_limits<int64_t>::max()) continue;  // the location is taken
                    const int64_t bound = children[std::size_t{i} * n + j].i;
                    if (of_child < cutoff.i) CHECK(bound <= of_child);
                    // Children in the same class must have the same least cost.
                    CHECK(least[std::size_t{i} * n + of_locations[j]] == of_child);
                    CHECK(least[std::size_t{of_facilities[i]} * n + j] == of_child);
                }
            }
            path[facility] = end[facility];
            const qapfw_cost bound = bounds.fix(facility, path[facility], cutoff);
            const int64_t left = least[std::size_t{facility} * n + path[facility]];
            if (left < cutoff.i) CHECK(bound.i <= left);
            if (bound.i >= cutoff.i) break;  // a path must not be continued once its bound reaches the cutoff
        }
    }
}

TEST_CASE("a path that is followed a second time has the same bounds") {
    std::mt19937_64 random(8);
    const QapMatrices matrices = draw(kMatrixForms[0], 9, random);
    const BoundData data(matrices, {}, cost_bounds(matrices, "r").magnitude, "r");
    PathBounds one(data, 9), other(data, 9);
    const auto go = [](PathBounds& bounds, uint16_t second) {
        return std::vector<int64_t>{bounds.reset(kNoCutoff).i, bounds.fix(2, 3, kNoCutoff).i,
                                    bounds.fix(4, second, kNoCutoff).i, bounds.fix(0, 7, kNoCutoff).i};
    };
    const std::vector<int64_t> first = go(one, 5);
    CHECK(go(one, 6) != first);
    CHECK(go(one, 5) == first);
    CHECK(go(other, 5) == first);
    one.unfix();
    one.unfix();
    CHECK(one.fix(4, 5, kNoCutoff).i == first[2]);
    CHECK(one.fix(0, 7, {.i = first[3] + 1000}).i >= first[2]);
}

TEST_CASE("bounds of known instances are those of the literature or better") {
    const auto folder = data_folder();
    if (!folder) return;
    struct Known {
        const char* name;
        int64_t gilmore_lawler, best, optimum;
    };
    // The Gilmore-Lawler bounds must be those that QAPLIB lists.
    for (const Known& known :
         {Known{"nug12", 493, 508, 578}, Known{"had12", 1536, 1600, 1652}, Known{"tai12a", 195918, 215000, 224416},
          Known{"scr12", 27858, 28900, 31410}, Known{"chr12a", 7245, 8800, 9552}, Known{"nug15", 963, 998, 1150}}) {
        CAPTURE(known.name);
        const QapInstance instance = load_instance((*folder / "qaplib" / (std::string(known.name) + ".dat")).string());
        CHECK(*gilmore_lawler_bound(BoundTerms(instance.matrices, {})) == known.gilmore_lawler);
        const qapfw_instance_bound best = bound_of_instance(instance.matrices, {}, instance.bounds.magnitude, {});
        CHECK(best.bound.i >= known.best);
        CHECK(best.bound.i <= known.optimum);
        CHECK(std::string(best.name) == "dual ascent bound of Hahn and Grant");
    }
}

TEST_CASE("a bound computation that must stop says that it has no bound") {
    std::mt19937_64 random(9);
    const QapMatrices matrices = draw(kMatrixForms[0], 50, random);
    const sdk::StopQuestion at_once{[](void*) -> std::int32_t { return 1; }, nullptr};
    const int64_t magnitude = cost_bounds(matrices, "r").magnitude;
    CHECK(bound_of_instance(matrices, {}, magnitude, at_once).name == nullptr);
    CHECK(std::string(bound_of_instance(matrices, {}, magnitude, {}).name) == "Gilmore-Lawler bound");
}

TEST_CASE("too many free facilities for a branch and bound are refused") {
    std::mt19937_64 random(10);
    const QapMatrices matrices = draw(kMatrixForms[0], 41, random);
    CHECK_REFUSED(BoundData(matrices, {}, cost_bounds(matrices, "r").magnitude, "mine"),
                  "mine: ", "at most 40 free facilities, found 41");
}
