// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/scaled_number.hpp"

#include <limits>
#include <string>

#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

int64_t value_of(const std::string& text, int64_t scale = 1) {
    const ScaledNumber number = parse_scaled_number(text, scale);
    CAPTURE(text);
    CHECK(number.fault == NumberFault::kNone);
    return number.value;
}

NumberFault fault_of(const std::string& text, int64_t scale = 1) {
    return parse_scaled_number(text, scale).fault;
}

}  // namespace

TEST_CASE("integers are read exactly to the limits of 64 bits") {
    CHECK(value_of("0") == 0);
    CHECK(value_of("-0") == 0);
    CHECK(value_of("+17") == 17);
    CHECK(value_of("-100") == -100);
    CHECK(value_of("000000000000000000000000000000000000000000007") == 7);
    CHECK(value_of("9223372036854775807") == std::numeric_limits<int64_t>::max());
    CHECK(value_of("-9223372036854775807") == -std::numeric_limits<int64_t>::max());
    CHECK(fault_of("9223372036854775808") == NumberFault::kTooLarge);
    CHECK(fault_of("1e19") == NumberFault::kTooLarge);
    CHECK(fault_of(std::string(400, '9')) == NumberFault::kTooLarge);
}

TEST_CASE("decimals that are integers are integers") {
    CHECK(value_of("5.000") == 5);
    CHECK(value_of("1.5e1") == 15);
    CHECK(value_of("1.000000e+03") == 1000);
    CHECK(value_of("1200e-2") == 12);
    CHECK(value_of(".0") == 0);
    CHECK(value_of("0e999999999999999999999") == 0);
    CHECK(value_of("1" + std::string(18, '0')) == 1'000'000'000'000'000'000);
    CHECK(value_of("0." + std::string(2000, '0') + "1e2001") == 1);
}

TEST_CASE("a scale multiplies exactly") {
    CHECK(value_of("0.5", 10) == 5);
    CHECK(value_of("0.1", 10) == 1);  // no double equals 0.1 exactly
    CHECK(value_of("-2.25", 4) == -9);
    CHECK(value_of("0.3", 1000) == 300);
    CHECK(value_of("7", 3) == 21);
    CHECK(value_of("1e-18", 1'000'000'000'000'000'000) == 1);
}

TEST_CASE("a number that is not an integer after scaling and a text that is not a number have different messages") {
    CHECK(fault_of("0.5") == NumberFault::kNotIntegral);
    CHECK(fault_of("0.25", 10) == NumberFault::kNotIntegral);
    CHECK(fault_of("1e-300", 10) == NumberFault::kNotIntegral);
    CHECK(fault_of("1e-999999999999999999999") == NumberFault::kNotIntegral);
    CHECK(parse_scaled_number("0.125").decimals == 3);
    for (const char* text :
         {"", "-", "+", ".", "e5", "1e", "1e+", "1.2.3", "0x10", "nan", "inf", "12a", "--1", "1,5", "1 2"}) {
        CAPTURE(text);
        CHECK(fault_of(text) == NumberFault::kNotANumber);
    }
    CHECK(fault_of("4611686018427387904", 2) == NumberFault::kTooLarge);
}
