// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/resolution.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "problems/qap/instances/csv_reader.hpp"
#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

OwnerModel model_of(const std::string& a, const std::string& b) {
    ReadMatrices read = read_csv_pair({a, "a"}, {b, "b"});
    return {.a = std::move(read.a), .b = std::move(read.b)};
}

/// Returns a random model. Its flows are random numbers times `times_a`. Its distances are those of random points in
/// the unit square, times `times_b`.
OwnerModel real_valued(uint32_t n, double times_a, double times_b, uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    OwnerModel out{.a = NumberMatrix(n, n), .b = NumberMatrix(n, n)};
    std::vector<double> x(n), y(n);
    for (uint32_t i = 0; i < n; ++i) x[i] = uniform(), y[i] = uniform();
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            out.b.set(i, j, times_b * std::hypot(x[i] - x[j], y[i] - y[j]));
            out.a.set(i, j, i == j ? 0.0 : times_a * uniform());
        }
    }
    return out;
}

std::vector<uint16_t> shuffled(uint32_t n, uint64_t seed) {
    std::vector<uint16_t> p(n);
    std::iota(p.begin(), p.end(), uint16_t{0});
    std::shuffle(p.begin(), p.end(), std::mt19937_64(seed));
    return p;
}

}  // namespace

TEST_CASE("decimals of few digits become exact integers by one power of ten for each matrix") {
    const IntegerModel model = to_integers(model_of("0,0.5\n1.25,0", "0,3,1\n-4.1,5,1\n1,1,1e-1"), "t");
    CHECK(model.resolution.exact);
    CHECK(model.resolution.divisor == 1000);
    CHECK(model.matrices.a == std::vector<int64_t>{0, 50, 0, 125, 0, 0, 0, 0, 0});
    CHECK(model.matrices.b == std::vector<int64_t>{0, 30, 10, -41, 50, 10, 10, 10, 1});
    CHECK(model.owner == nullptr);
    const IntegerModel integers = to_integers(model_of("0,9007199254740993\n1,0", "0,1\n1,0"), "t");
    CHECK(integers.matrices.a[1] == 9007199254740993);
    CHECK(integers.resolution.divisor == 1);
}

TEST_CASE("linear costs set the power of ten where they have more decimals") {
    OwnerModel owner = model_of("0,0.5\n1,0", "0,3\n4,0");
    owner.linear = NumberMatrix(2, 2);
    owner.linear.set(0, 1, Token{"0.125", {}}, "l", MatrixId::kLinear);
    const IntegerModel model = to_integers(owner, "t");
    CHECK(model.resolution.divisor == 1000);
    CHECK(model.matrices.a == std::vector<int64_t>{0, 500, 1000, 0});
    CHECK(model.matrices.linear == std::vector<int64_t>{0, 125, 0, 0});
    owner.maximize = true;
    CHECK(to_integers(owner, "t").matrices.linear == std::vector<int64_t>{0, -125, 0, 0});
    CHECK(to_integers(owner, "t").matrices.b == std::vector<int64_t>{0, 3, 4, 0});
}

TEST_CASE("real numbers of any scale keep the error of costs below a millionth of their spread, in few bits") {
    const double factors[] = {1, 1e-150, 1e150, 0x1p-440};
    for (const double times_a : factors) {
        for (const double times_b : factors) {
            if (times_a * times_b > 1e200 || times_a * times_b < 1e-250) continue;
            CAPTURE(times_a);
            CAPTURE(times_b);
            const OwnerModel owner = real_valued(40, times_a, times_b, 7);
            const IntegerModel model = to_integers(owner, "t");
            REQUIRE(model.owner != nullptr);
            CHECK_FALSE(model.resolution.exact);
            CHECK(model.resolution.error <= 1e-6);
            CHECK(model.resolution.bits <= 24);
            std::vector<double> errors, costs;
            for (uint64_t seed = 0; seed < 100; ++seed) {
                const std::vector<uint16_t> p = shuffled(40, seed);
                costs.push_back(model.owner->cost(p.data()));
                errors.push_back(static_cast<double>(evaluate(model.matrices, p.data())) * model.resolution.unit -
                                 costs.back());
            }
            const auto range = [](const std::vector<double>& v) {
                return *std::max_element(v.begin(), v.end()) - *std::min_element(v.begin(), v.end());
            };
            CHECK(range(errors) < 3e-6 * range(costs));
        }
    }
}

TEST_CASE("costs outside the range of doubles are refused, huge and tiny entries are not") {
    const auto with = [](const char* a, const char* b) { return to_integers(model_of(a, b), "t"); };
    CHECK_REFUSED(with("0,1e200\n1,0", "0,1e200\n1,0"), "t: ", "could exceed the largest number");
    CHECK_REFUSED(with("0,1e-200\n0,0", "0,1e-200\n0,0"), "t: ", "too close to the smallest number");
    CHECK_REFUSED(with("0,4.9e-324\n0,0", "0,1\n0,0"), "t: ", "too close to the smallest number");
    const IntegerModel huge = with("0,1e300\n2e300,0", "0,1\n3,0");
    CHECK(huge.resolution.error <= 1e-6);
    CHECK(huge.owner->cost(std::vector<uint16_t>{0, 1}.data()) == doctest::Approx(7e300));
    CHECK(with("0,4.9e-324\n1,0", "0,1\n3,0").owner->cost(std::vector<uint16_t>{1, 0}.data()) == 1.0);
    const IntegerModel mixed = with("0,1e15\n0.1,0", "0,1\n1,0");
    CHECK(mixed.owner != nullptr);
}

TEST_CASE("penalties of forbidden pairs exceed what costs can differ by") {
    OwnerModel owner = real_valued(12, 1, 1, 3);
    owner.forbidden.assign(144, 0);
    owner.forbidden[5] = 1;
    const IntegerModel model = to_integers(owner, "t");
    CHECK(model.matrices.penalty > model.bounds.upper - model.bounds.lower);
    CHECK(model.matrices.linear[5] == model.matrices.penalty);
    CHECK(std::count(model.matrices.linear.begin(), model.matrices.linear.end(), 0) == 143);
    CHECK(model.resolution.error <= 1e-6);
}
