// SPDX-License-Identifier: Apache-2.0
// The report of a trial's child must arrive unchanged. Damaged bytes must not count as a report.
#include "framework/plugin/trial_child.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;

namespace {

const std::vector<TrialResult> kResults{{{{QAPFW_KIND_PROBLEM, "qap"}}, ""},
                                        {},
                                        {{{QAPFW_KIND_SOLVER, "tabu"}, {QAPFW_KIND_IMPROVER, "tabu"}}, "a reason"}};

}  // namespace

TEST_CASE("results read back as they were sent") {
    const auto read = decode_results(encode_results(kResults));
    REQUIRE(read.has_value());
    REQUIRE(read->size() == kResults.size());
    for (std::size_t k = 0; k < kResults.size(); ++k) {
        CHECK((*read)[k].refusal == kResults[k].refusal);
        CHECK((*read)[k].identities == kResults[k].identities);
    }
    CHECK(decode_results(encode_results({}))->empty());
}

TEST_CASE("results that were cut, lengthened or changed in any byte do not count") {
    const std::string bytes = encode_results(kResults);
    for (std::size_t k = 0; k < bytes.size(); ++k) {
        CAPTURE(k);
        CHECK_FALSE(decode_results(bytes.substr(0, k)).has_value());
        std::string changed = bytes;
        changed[k] = static_cast<char>(changed[k] ^ 0x10);
        CHECK_FALSE(decode_results(changed).has_value());
    }
    CHECK_FALSE(decode_results(bytes + "x").has_value());
}
