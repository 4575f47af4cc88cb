// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/cost.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "qapfw/error.hpp"

using namespace qapfw::framework;

namespace {

qapfw_cost integer(std::int64_t value) {
    qapfw_cost cost{};
    cost.i = value;
    return cost;
}
qapfw_cost real(double value) {
    qapfw_cost cost{};
    cost.f = value;
    return cost;
}

qapfw_problem_info info_of(std::uint32_t kind, std::int32_t sense, std::int64_t divisor, bool known, qapfw_cost best) {
    qapfw_problem_info info{};
    info.cost_kind = kind;
    info.sense = sense;
    info.display_divisor = divisor;
    info.instance = "x";
    info.has_best_known = known ? 1 : 0;
    info.best_known = best;
    return info;
}

}  // namespace

TEST_CASE("costs are shown with sense and divisor, exactly where they are whole") {
    const CostSpace plain;
    CHECK(plain.shown_text(integer(9007199254740993)) == "9007199254740993");
    const CostSpace maximised{QAPFW_COST_INT64, -1, 1};
    CHECK(maximised.shown_text(integer(-3695)) == "3695");
    const CostSpace scaled{QAPFW_COST_INT64, 1, 100};
    CHECK(scaled.shown_text(integer(12300)) == "123");
    CHECK(scaled.shown_text(integer(12345)) == "123.45");
    const CostSpace reals{QAPFW_COST_FLOAT64, 1, 1};
    CHECK(reals.shown_text(real(0.1)) == "0.1");
}

TEST_CASE("raw costs survive their text") {
    const CostSpace integers, reals{QAPFW_COST_FLOAT64, 1, 1};
    for (const std::int64_t value : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, INT64_MAX}) {
        CHECK(integers.parse_raw(integers.raw_text(integer(value))).i == value);
    }
    for (const double value : {0.1, -1e300, 1.0 / 3, 5e-324}) {
        CHECK(reals.parse_raw(reals.raw_text(real(value))).f == value);
    }
    CHECK_THROWS_AS(integers.parse_raw("12x"), qapfw::Error);
    CHECK_THROWS_AS(integers.parse_raw("9223372036854775808"), qapfw::Error);
}

TEST_CASE("gaps are relative to the absolute value and positive where the cost is worse") {
    const CostSpace plain, maximised{QAPFW_COST_INT64, -1, 1};
    CHECK(*plain.gap(integer(101), integer(100)) == doctest::Approx(0.01));
    CHECK(*maximised.gap(integer(-99), integer(-100)) == doctest::Approx(0.01));
    CHECK(*plain.gap(integer(-99), integer(-100)) == doctest::Approx(0.01));
    CHECK_FALSE(plain.gap(integer(5), integer(0)));
    CHECK(plain.excess(integer(5), integer(0)) == 5);
}

TEST_CASE("integers agree exactly, reals within the tolerance, NaN with nothing") {
    const CostSpace integers, reals{QAPFW_COST_FLOAT64, 1, 1};
    CHECK_FALSE(integers.agree(integer(1000000000001), integer(1000000000000)));
    CHECK(reals.agree(real(1e6 + 1e-5), real(1e6)));
    CHECK_FALSE(reals.agree(real(1e6 + 1), real(1e6)));
    CHECK_FALSE(reals.agree(real(NAN), real(1)));
    CHECK_FALSE(reals.is_number(real(NAN)));
}

TEST_CASE("a target is best-known, a percentage above it, or a cost as shown") {
    const auto info = info_of(QAPFW_COST_INT64, 1, 1, true, integer(7205962));
    CHECK(parse_target("best-known", info).i == 7205962);
    CHECK(parse_target("best-known+0.5%", info).i == 7241991);  // 7205962 * 1.005 = 7241991.81
    CHECK(parse_target("best-known+0%", info).i == 7205962);
    CHECK(parse_target("7210000", info).i == 7210000);
    CHECK(parse_target("7210000.9", info).i == 7210000);
    CHECK(parse_target("1e3", info).i == 1000);
}

TEST_CASE("targets of maximisations and scaled costs never accept too little") {
    const auto maximised = info_of(QAPFW_COST_INT64, -1, 1, true, integer(-1000));
    CHECK(parse_target("990", maximised).i == -990);
    CHECK(parse_target("990.5", maximised).i == -991);
    CHECK(parse_target("best-known+1%", maximised).i == -990);
    const auto scaled = info_of(QAPFW_COST_INT64, 1, 100, false, {});
    CHECK(parse_target("123.45", scaled).i == 12345);
    CHECK(parse_target("123", scaled).i == 12300);
    const auto reals = info_of(QAPFW_COST_FLOAT64, 1, 1, true, real(10.5));
    CHECK(parse_target("best-known+10%", reals).f == doctest::Approx(11.55));
}

TEST_CASE("targets that cannot be met by anything are refused with a message") {
    const auto unknown = info_of(QAPFW_COST_INT64, 1, 1, false, {});
    CHECK_THROWS_WITH_AS(parse_target("best-known", unknown),
                         "run.target = \"best-known\": instance x has no best-known value; give a cost instead",
                         qapfw::Error);
    for (const char* text : {"", "best", "nan", "inf", "best-known+", "best-known-1%", "best-known+x%", "1e40"}) {
        CHECK_THROWS_AS(parse_target(text, info_of(QAPFW_COST_INT64, 1, 1, true, integer(5))), qapfw::Error);
    }
}
