// SPDX-License-Identifier: Apache-2.0
// Helpers of the QAP tests: the benchmark data, files that vanish with the test, and the message of an expected error.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "qapfw/error.hpp"

namespace qapfw::qap::test {

/// The folder that contains qaplib/, or nothing (said in the test's output) where QAPFW_DATA is unset.
inline std::optional<std::filesystem::path> data_folder() {
    if (const char* folder = std::getenv("QAPFW_DATA")) return folder;
    MESSAGE("skipped: QAPFW_DATA is not set");
    return std::nullopt;
}

/// A fresh folder that is removed with everything in it.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "qapfw-test-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

    std::filesystem::path write(const std::string& name, std::string_view text) const {
        std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return file;
    }

  private:
    std::filesystem::path path_;
};

/// The message of the Error that the action throws; fails the test where it throws none.
inline std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    FAIL("an Error was expected");
    return {};
}

inline bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
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
