// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/launch_length.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <limits>
#include <thread>

namespace {

using qapfw::sdk::LaunchLength;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max() / 2;

TEST_CASE("launches grow to a fiftieth of a second, at most twofold at a time") {
    LaunchLength length(64, kNoLimit);
    CHECK(length.value() == 64);
    length.took(64, 64 * 1e-5);
    CHECK(length.value() == 128);
    for (int k = 0; k < 10; ++k) length.took(length.value(), static_cast<double>(length.value()) * 1e-5);
    CHECK(length.value() == doctest::Approx(2000).epsilon(0.01));
}

TEST_CASE("launches shrink at once where the work is expensive, to one at the least") {
    LaunchLength length(1000, kNoLimit);
    length.took(1000, 2.0);
    CHECK(length.value() == 10);
    length.took(3, 0.6);  // this launch did less work than the 10 that were allowed
    CHECK(length.value() == 1);
    length.took(1, 5);
    CHECK(length.value() == 1);
    length.took(1, 0);
    CHECK(length.value() == 2);
}

TEST_CASE("no launch is longer than the most that is allowed") {
    LaunchLength length(4, 6);
    for (int k = 0; k < 3; ++k) length.took(length.value(), 1e-6);
    CHECK(length.value() == 6);
    CHECK(LaunchLength(4, 1).value() == 1);
}

TEST_CASE("launches are as long as asked for") {
    LaunchLength length(64, kNoLimit, 0.1);
    for (int k = 0; k < 10; ++k) length.took(length.value(), static_cast<double>(length.value()) * 1e-5);
    CHECK(length.value() == doctest::Approx(10'000).epsilon(0.01));
}

TEST_CASE("the time between start and finish counts") {
    LaunchLength length(8, kNoLimit);
    length.start();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    length.finish(8);
    CHECK(length.value() <= 3);
}

}  // namespace
