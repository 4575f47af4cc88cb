// SPDX-License-Identifier: Apache-2.0
// Helpers of the QAP tests: benchmark data, temporary folders, and messages of expected errors.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "qapfw/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace qapfw::qap::test {

/// The folder that contains qaplib/. If QAPFW_DATA is unset, prints a message and returns nothing.
inline std::optional<std::filesystem::path> data_folder() {
    if (const char* folder = std::getenv("QAPFW_DATA")) return folder;
    MESSAGE("skipped: QAPFW_DATA is not set");
    return std::nullopt;
}

using qapfw::test::contains;
using qapfw::test::TemporaryFolder;

/// The message of the Error that the action throws. The test fails if the action throws no Error.
inline std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    FAIL("an Error was expected");
    return {};
}

}  // namespace qapfw::qap::test

/// Checks that the expression throws an Error whose message begins with the given place and contains the given words.
#define CHECK_REFUSED(expression, place, words)                                                 \
    do {                                                                                        \
        const std::string refused_ = qapfw::qap::test::message_of([&] { (void)(expression); }); \
        INFO(refused_);                                                                         \
        CHECK(refused_.rfind(place, 0) == 0);                                                   \
        CHECK(qapfw::qap::test::contains(refused_, words));                                     \
    } while (false)
