// SPDX-License-Identifier: Apache-2.0
// Tools of the library's tests: times, a random instance, short settings.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <ctime>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "qapfw/qapfw.h"
#include "qapfw/qapfw.hpp"

namespace qapfw::test {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// CPU seconds of all threads of this process.
inline double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A random instance with integer entries from 0 to 9, both matrices symmetric.
struct Instance {
    explicit Instance(std::uint32_t size, unsigned seed = 1) : n(size), flow(n * n), distance(n * n) {
        std::mt19937 random(seed);
        for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t j = 0; j < i; ++j) {
                flow[i * n + j] = flow[j * n + i] = static_cast<double>(random() % 10);
                distance[i * n + j] = distance[j * n + i] = static_cast<double>(random() % 10);
            }
        }
    }
    qapfw_qap view() const {
        qapfw_qap qap{};
        qap.struct_size = sizeof qap;
        qap.flow = matrix(flow);
        qap.distance = matrix(distance);
        return qap;
    }
    qapfw_matrix matrix(const std::vector<double>& entries) const {
        const auto row = static_cast<std::int64_t>(n * sizeof(double));
        return {entries.data(), QAPFW_TYPE_FLOAT64, 0, n, n, row, sizeof(double)};
    }
    double cost(const std::vector<std::int64_t>& p) const {
        double sum = 0;
        for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t j = 0; j < n; ++j) {
                sum += flow[i * n + j] * distance[static_cast<std::size_t>(p[i]) * n + static_cast<std::size_t>(p[j])];
            }
        }
        return sum;
    }
    std::uint32_t n;
    std::vector<double> flow, distance;
};

inline bool is_permutation(const std::vector<std::int64_t>& p) {
    const std::set<std::int64_t> seen(p.begin(), p.end());
    return seen.size() == p.size() && *seen.begin() == 0 && *seen.rbegin() == static_cast<std::int64_t>(p.size()) - 1;
}

inline std::string sentence_of(qapfw_call_status status, qapfw_call_status wanted) {
    CHECK(status == wanted);
    return qapfw_last_error();
}

/// The number at `key` in the outermost object of result.json's text.
inline double number_in(const std::string& json, const std::string& key) {
    const std::string begin = "\n  \"" + key + "\": ";
    const std::size_t found = json.find(begin);
    REQUIRE_MESSAGE(found != std::string::npos, json);
    return std::stod(json.substr(found + begin.size()));
}

inline const qapfw::Model::Settings kShort{
    {"run.iterations", "300"}, {"run.threads", "1"}, {"device.backend", "cpu"}, {"algorithm.plugin", "tabu"}};

}  // namespace qapfw::test
