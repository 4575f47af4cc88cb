// SPDX-License-Identifier: Apache-2.0
// Tests the device's 2-opt over a table of deltas, compiled for the host. The descent looks only at each thread's least
// delta, and must make the same swaps as a scan of all pairs.
#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/emulated_intrinsics.hpp"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

#define __device__
#define __align__(bytes)
#define qap qap_table_descent
#define QAP_N 23
#define QAP_MOVABLE 23
#define QAP_ROW 32
#define QAP_ELEMENT uint8_t
#define QAP_PLANES 1
#define QAP_SYMMETRIC 1
#define QAP_DIAGONAL 0
#define QAP_DELTA_SCALE 2
#define QAP_VALUE float
#define QAP_ASSIGNMENT 1
#define QAP_WARPS 2
#define QAP_SHARED_BYTES 12000
#include "problems/qap/device/qap_device_problem.cuh"

#include "plugins/local_search/device/local_search_kernel.cuh"

extern "C" {
thread_local char memory[16];  // the shared memory that the kernel declares; no test calls the kernel
}

namespace qapfw::local_search {
namespace {

/// A random symmetric instance with few different values, so that many swaps have equal deltas.
struct DescentInstance {
    std::vector<uint8_t> a = std::vector<uint8_t>(QAP_N * QAP_ROW), b = a;

    explicit DescentInstance(uint32_t seed) {
        std::mt19937 random(seed);
        for (std::vector<uint8_t>* m : {&a, &b})
            for (int i = 0; i < QAP_N; ++i)
                for (int j = 0; j < i; ++j) (*m)[i * QAP_ROW + j] = (*m)[j * QAP_ROW + i] = random() % 4;
    }
    int64_t cost(const std::vector<uint16_t>& p) const {
        int64_t sum = 0;
        for (int i = 0; i < QAP_N; ++i)
            for (int j = 0; j < QAP_N; ++j) sum += a[i * QAP_ROW + j] * b[p[i] * QAP_ROW + p[j]];
        return sum;
    }
    /// Makes the best swap. If several swaps are equally good, makes the first of them in row-major order. Returns
    /// false if no swap improves.
    bool improve(std::vector<uint16_t>& p) const {
        const int64_t before = cost(p);
        int64_t best = 0;
        std::pair<int, int> chosen{-1, -1};
        for (int i = 0; i < QAP_N; ++i) {
            for (int j = i + 1; j < QAP_N; ++j) {
                std::swap(p[i], p[j]);
                const int64_t delta = cost(p) - before;
                std::swap(p[i], p[j]);
                if (delta < best) best = delta, chosen = {i, j};
            }
        }
        if (chosen.first >= 0) std::swap(p[chosen.first], p[chosen.second]);
        return chosen.first >= 0;
    }
};

}  // namespace

TEST_CASE("2-opt on the device finds the best swap from the least deltas of its threads") {
    static_assert(Neighbourhood::kKeepsLeast);
    constexpr uint32_t kCount = 4;
    for (const uint64_t limit : {0, 3}) {
        const DescentInstance instance(17 + limit);
        std::vector<uint16_t> solutions;
        std::mt19937 random(5);
        for (uint32_t k = 0; k < kCount * QAP_N; ++k) solutions.push_back(k % QAP_N);
        for (uint32_t k = 0; k < kCount; ++k)
            for (int i = QAP_N - 1; i > 0; --i)
                std::swap(solutions[k * QAP_N + i], solutions[k * QAP_N + random() % (i + 1)]);
        std::vector<uint16_t> expected = solutions;
        std::vector<int64_t> costs(kCount);
        std::vector<uint64_t> scans(kCount);
        std::vector<char> workspace(kCount * Neighbourhood::kWorkspaceBytes);
        LocalSearchLaunch launch{};
        launch.view.a = instance.a.data();
        launch.view.b = instance.b.data();
        launch.solutions = solutions.data();
        launch.costs = costs.data();
        launch.scans = scans.data();
        launch.workspace = workspace.data();
        launch.limit = limit;
        launch.count = kCount;
        launch.stride = QAP_N;
        const auto shared = std::make_unique<BlockMemory>();
        test::EmulatedBlock::run_grid({kCount, 1, 1}, {Neighbourhood::kThreads, 1, 1},
                                      [&] { improve(launch, *shared, blockIdx.x); });
        for (uint32_t k = 0; k < kCount; ++k) {
            const auto from = expected.begin() + k * QAP_N;
            std::vector<uint16_t> p(from, from + QAP_N);
            uint64_t swaps = 0;
            while ((limit == 0 || swaps < limit) && instance.improve(p)) ++swaps;
            CHECK(std::equal(p.begin(), p.end(), solutions.begin() + k * QAP_N));
            CHECK(costs[k] == instance.cost(p));
            CHECK(scans[k] == (limit == 0 ? swaps + 1 : swaps));
        }
    }
}

}  // namespace qapfw::local_search
