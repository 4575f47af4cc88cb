// SPDX-License-Identifier: Apache-2.0
// Includes and helper functions for the unit tests of the generalised QAP.
#pragma once

#include <string>
#include <vector>

#include "problems/gqap/generator.hpp"
#include "problems/gqap/readers.hpp"
#include "qapfw/error.hpp"
#include "tests/support/gqap_data.hpp"

namespace qapfw::gqap::test {

/// The cost of `at` in the instance kSmall, computed from the definition of the cost.
inline std::int64_t cost_of_small(const std::vector<std::uint32_t>& at) {
    static const PlainInstance small(kSmall);
    return small.cost(at);
}

/// The message of the exception that `call` throws; empty if it throws none.
template <class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace qapfw::gqap::test
