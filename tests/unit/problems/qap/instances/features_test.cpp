// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/features.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

using namespace qapfw;

namespace {

std::map<std::string, double> told_features(const qap::QapMatrices& matrices) {
    std::map<std::string, double> features;
    qap::tell_features(matrices, {[](void* user, const char* name, double value) {
                                      (*static_cast<std::map<std::string, double>*>(user))[name] = value;
                                  },
                                  &features});
    return features;
}

}  // namespace

TEST_CASE("features of matrices: the sparser one first, without the diagonal") {
    // Off the diagonal, a has 2, 4, 3, 6, 1, 2, and b has zeros and a single 5. With the diagonals, both matrices have
    // rank 2.
    const qap::QapMatrices matrices{.n = 3, .a = {1, 2, 4, 3, 9, 6, 1, 2, 4}, .b = {7, 0, 0, 0, 7, 5, 0, 0, 0}};
    const std::map<std::string, double> features = told_features(matrices);
    CHECK(features.at("sparser density") == doctest::Approx(1.0 / 6));
    CHECK(features.at("sparser skew") == doctest::Approx(std::sqrt(5.0)));
    CHECK(features.at("sparser values") == 2);
    CHECK(features.at("sparser symmetric") == 0);
    CHECK(features.at("sparser rank") == doctest::Approx(2.0 / 3));
    CHECK(features.at("denser density") == 1);
    CHECK(features.at("denser skew") == doctest::Approx(std::sqrt(70.0 / 6 - 9) / 3));
    CHECK(features.at("denser values") == 5);
    CHECK(features.at("denser symmetric") == 0);
    CHECK(features.at("denser rank") == doctest::Approx(2.0 / 3));
}

TEST_CASE("features are the same whichever matrix is the flows, and a symmetric matrix is known") {
    const qap::QapMatrices one{.n = 2, .a = {0, 3, 3, 0}, .b = {0, 1, 0, 0}}, other{.n = 2, .a = one.b, .b = one.a};
    CHECK(told_features(one) == told_features(other));
    CHECK(told_features(one).at("denser symmetric") == 1);
}

TEST_CASE("no features where facilities have costs of their own, and of large instances") {
    CHECK(told_features({.n = 2, .a = {0, 1, 1, 0}, .b = {0, 1, 1, 0}, .linear = {1, 2, 3, 4}}).empty());
    const std::size_t n = 257;
    CHECK(told_features({.n = 257, .a = std::vector<std::int64_t>(n * n), .b = std::vector<std::int64_t>(n * n)})
              .empty());
}
