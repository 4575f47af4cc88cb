// SPDX-License-Identifier: Apache-2.0
// The report that a trial's child sends: it survives the way, and nothing damaged is taken for one.
#include "framework/plugin/trial_child.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;

namespace {

const TrialResult kResult{{{QAPFW_KIND_SOLVER, "tabu"}, {QAPFW_KIND_IMPROVER, "tabu"}}, "a reason"};

}  // namespace

TEST_CASE("a result reads back as it was sent") {
    const auto read = decode_result(encode_result(kResult));
    REQUIRE(read.has_value());
    CHECK(read->refusal == kResult.refusal);
    CHECK(read->identities == kResult.identities);
    CHECK(decode_result(encode_result({}))->identities.empty());
}

TEST_CASE("a result that was cut, lengthened or changed in any byte is none") {
    const std::string bytes = encode_result(kResult);
    for (std::size_t k = 0; k < bytes.size(); ++k) {
        CAPTURE(k);
        CHECK_FALSE(decode_result(bytes.substr(0, k)).has_value());
        std::string changed = bytes;
        changed[k] = static_cast<char>(changed[k] ^ 0x10);
        CHECK_FALSE(decode_result(changed).has_value());
    }
    CHECK_FALSE(decode_result(bytes + "x").has_value());
}
