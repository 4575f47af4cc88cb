// SPDX-License-Identifier: Apache-2.0
// Data of the UA-FLP tests: the published data (found through QAPFW_DATA), small instances, random solutions.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "problems/uaflp/instance.hpp"
#include "qapfw/error.hpp"
#include "qapfw/kernels/fbs_operators.hpp"

namespace qapfw::uaflp::test {

/// The folder of the published instances. If QAPFW_DATA names no folder with uaflp/, prints a message
/// and returns an empty text.
inline std::string published_data() {
    const char* root = std::getenv("QAPFW_DATA");
    if (root == nullptr || !std::filesystem::is_directory(std::string(root) + "/uaflp")) {
        MESSAGE("SKIPPED: QAPFW_DATA names no folder with uaflp/");
        return {};
    }
    return std::string(root) + "/uaflp";
}

inline std::string read_text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Returns the names of the published instances. `folder`: what published_data() returned.
inline std::vector<std::string> published_names(const std::string& folder) {
    return list_instances({std::filesystem::path(folder).parent_path().string()});
}

struct Solution {
    std::vector<std::uint16_t> perm;
    std::vector<std::uint8_t> bits;
};

inline Solution random_solution(size_t n, std::uint64_t seed) {
    Solution s{std::vector<std::uint16_t>(n), std::vector<std::uint8_t>(n - 1)};
    kernels::fbs_randomize(kernels::fbs_solution(s.perm.data(), s.bits.data()), static_cast<std::uint32_t>(n), 0, seed,
                           0, 0, 1);
    return s;
}

/// The message of the Error that `body` throws. The test fails if it throws none.
template <class Body>
std::string message_of(Body body) {
    try {
        body();
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::kInput);
        return error.what();
    }
    FAIL_CHECK("no Error was thrown");
    return {};
}

}  // namespace qapfw::uaflp::test
