// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/layout.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "uaflp_test_data.hpp"

using namespace qapfw::uaflp;
using test::random_solution;
using test::Solution;

namespace {

bool overlap(const Rectangle& a, const Rectangle& b) {
    const double slack = 1e-9;
    return a.x + slack < b.x + b.width && b.x + slack < a.x + a.width && a.y + slack < b.y + b.height &&
           b.y + slack < a.y + a.height;
}

}  // namespace

TEST_CASE("rectangles have their areas, lie in the plant and never overlap") {
    UaflpInstance instance = generate_f(40, 2);
    instance.height = 50;
    for (const Orientations o : {Orientations::kAcrossWidth, Orientations::kAcrossHeight}) {
        const Solution s = random_solution(40, 8);
        EvaluationOptions options;
        options.orientations = o;
        const Layout layout = make_layout(instance, s.perm, s.bits, options);
        CHECK(layout.across_width() == (o == Orientations::kAcrossWidth));
        CHECK(layout.bay_height == (layout.across_width() ? 50.0 : 45.0));
        for (size_t i = 0; i < 40; ++i) {
            const Rectangle& box = layout.departments[i].box;
            CHECK(box.width * box.height == doctest::Approx(instance.departments[i].area));
            CHECK(box.x >= 0);
            CHECK(box.y >= 0);
            CHECK(box.x + box.width <= 45 * (1 + 1e-9));
            CHECK(box.y + box.height <= 50 * (1 + 1e-9));
            for (size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(box, layout.departments[j].box));
        }
    }
}

TEST_CASE("the cost follows from the drawn rectangles") {
    const UaflpInstance instance = generate_f(25, 5);
    const Solution s = random_solution(25, 3);
    const Layout layout = make_layout(instance, s.perm, s.bits);
    double cost = 0;
    for (size_t i = 0; i < 25; ++i) {
        for (size_t j = 0; j < 25; ++j) {
            const Rectangle& a = layout.departments[i].box;
            const Rectangle& b = layout.departments[j].box;
            cost += instance.flow[i * 25 + j] * (std::abs(a.x + a.width / 2 - b.x - b.width / 2) +
                                                 std::abs(a.y + a.height / 2 - b.y - b.height / 2));
        }
    }
    CHECK(layout.evaluation.cost == doctest::Approx(cost));
}

TEST_CASE("departments marked infeasible are those counted") {
    GeneratorOptions options;
    options.size = 30;
    options.max_aspect_ratio = 3;
    const UaflpInstance instance = generate_instance(options);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Solution s = random_solution(30, seed);
        const Layout layout = make_layout(instance, s.perm, s.bits);
        unsigned bad = 0;
        for (const PlacedDepartment& placed : layout.departments) {
            bad += placed.feasible ? 0u : 1u;
            CHECK(placed.feasible == (placed.aspect_ratio <= 3 * (1 + 1e-6)));
        }
        CHECK(bad == layout.evaluation.violations);
    }
}

TEST_CASE("a layout exactly on its limit is feasible: the optimum of o9") {
    const std::string folder = test::published_data();
    if (folder.empty()) return;
    const UaflpInstance instance = read_instance(folder + "/o9.json");
    const std::vector<std::uint16_t> perm{2, 5, 8, 4, 3, 0, 1, 6, 7};
    const Layout layout = make_layout(instance, perm, std::vector<std::uint8_t>{0, 0, 0, 1, 0, 0, 1, 0});
    CHECK(layout.evaluation.feasible());
    CHECK(layout.evaluation.cost == doctest::Approx(241.0616246));
    double greatest = 0;
    for (const PlacedDepartment& placed : layout.departments) greatest = std::max(greatest, placed.aspect_ratio);
    CHECK(greatest == doctest::Approx(4.0));
    EvaluationOptions strict;
    strict.tolerance = 0;
    CHECK_NOTHROW(make_layout(instance, perm, std::vector<std::uint8_t>{0, 0, 0, 1, 0, 0, 1, 0}, strict));
}
