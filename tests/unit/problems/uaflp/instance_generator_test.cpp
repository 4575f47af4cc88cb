// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "problems/uaflp/instance.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw::uaflp;

TEST_CASE("generated areas are whole hundredths that fill the plant exactly") {
    for (const unsigned n : {1u, 2u, 40u, 60u, 80u, 100u, 120u, 300u}) {
        const UaflpInstance instance = generate_f(n);
        REQUIRE(instance.size() == n);
        long hundredths = 0;
        for (const Department& d : instance.departments) {
            CHECK(d.area > 0);
            CHECK(d.rule.max_aspect_ratio == 1000.0);
            hundredths += std::lround(d.area * 100);
        }
        CHECK(hundredths == 45 * 45 * 100);
    }
}

TEST_CASE("a generated instance depends on size and seed alone, and seeds differ") {
    CHECK(generate_f(60, 7).flow == generate_f(60, 7).flow);
    CHECK(generate_f(60, 7).flow != generate_f(60, 8).flow);
    CHECK(generate_f(60, 7).departments[3].area == generate_f(60, 7).departments[3].area);
    CHECK(generate_f(60).name == "F60");
    CHECK(generate_f(60, 7).name == "F60-s7");
    // Studies refer to these instances, so the instances must not change.
    CHECK(generate_f(60).departments[0].area == doctest::Approx(37.86).epsilon(1e-12));
}

TEST_CASE("generated flows have the asked density and leave no department aside") {
    GeneratorOptions options;
    options.size = 100;
    options.density = 0.25;
    const UaflpInstance instance = generate_instance(options);
    size_t pairs = 0;
    for (size_t i = 0; i < 100; ++i) {
        bool linked = false;
        for (size_t j = 0; j < 100; ++j) {
            const double flow = instance.flow_between(i, j);
            CHECK((flow == 0 || (flow >= 1 && flow <= 10 && flow == std::floor(flow))));
            linked = linked || flow > 0;
            pairs += j > i && flow > 0 ? 1 : 0;
        }
        CHECK(linked);
    }
    CHECK(pairs > 1100);  // about 1237 of the 4950 pairs should have flow; standard deviation 30
    CHECK(pairs < 1400);
    options.density = 0.001;
    const UaflpInstance sparse = generate_instance(options);
    for (size_t i = 0; i < 100; ++i) {
        double flow = 0;
        for (size_t j = 0; j < 100; ++j) flow += sparse.flow_between(i, j);
        CHECK(flow > 0);
    }
}

TEST_CASE("options of generated instances out of range are refused") {
    GeneratorOptions options;
    options.density = 1.5;
    CHECK_FALSE(test::message_of([&] { generate_instance(options); }).empty());
    options.density = 0.5;
    options.size = 0;
    CHECK_FALSE(test::message_of([&] { generate_instance(options); }).empty());
    options.size = 60;
    options.side = std::nan("");
    CHECK_FALSE(test::message_of([&] { generate_instance(options); }).empty());
}
