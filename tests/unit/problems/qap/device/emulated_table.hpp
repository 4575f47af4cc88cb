// SPDX-License-Identifier: Apache-2.0
// Compares the table neighbourhood, compiled for the host, with differences of full costs. The QAP_... macros define
// the instance. Each instance has a separate test file, which renames the namespace qapfw::qap.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "tests/support/emulated_gpu.hpp"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

#define QAP_ROW ((QAP_N + 15) / 16 * 16)
#define QAP_SHARED_BYTES 20000  // less than the longer tables need
#include "problems/qap/device/qap_table_neighbourhood.cuh"

namespace qapfw::qap {

/// A search that gives each pair a 32-bit word. The word encodes the pair's positions and their elements.
struct NamingSearch {
    static int32_t word(int i, int value_i, int j, int value_j) {
        return i < j ? ((i * kN + value_i) * kN + j) * kN + value_j : ((j * kN + value_j) * kN + i) * kN + value_i;
    }
    int32_t payload(int i, int value_i, int j, int value_j) const { return word(i, value_i, j, value_j); }
    int32_t exchanged_payload() const { return -1; }
};

struct TableCase {
    std::vector<Element> a = std::vector<Element>(kN * kN), b = a;
    std::vector<Element> rows_of_a, rows_of_b;  ///< in the layout of the device
    std::vector<Sum> linear;                    ///< linear costs, then their transpose; empty without QAP_LINEAR
    std::vector<int64_t> linear_costs;
    std::vector<uint16_t> p = std::vector<uint16_t>(kN);

    explicit TableCase(uint32_t seed) {
        std::mt19937 random(seed);
        for (std::vector<Element>* m : {&a, &b}) {
            for (int i = 0; i < kN; ++i) {
                for (int j = 0; j < kN; ++j) {
                    const bool kept = i == j ? kDiagonal : !(kSymmetric && j < i);
                    (*m)[i * kN + j] = kept ? random() % 100 : i == j ? 0 : (*m)[j * kN + i];
                }
            }
        }
        linear.resize(kLinear ? 2 * kN * kN : 0);
        for (int i = 0; kLinear && i < kN; ++i) {
            for (int j = 0; j < kN; ++j) linear[i * kN + j] = linear[(kN + j) * kN + i] = random() % 1000;
        }
        linear_costs.assign(linear.begin(), linear.begin() + linear.size() / 2);
        rows_of_a = rows_of(a);
        rows_of_b = rows_of(b);
        for (int i = 0; i < kN; ++i) p[i] = i;
        for (int i = kN - 1; i > 0; --i) std::swap(p[i], p[random() % (i + 1)]);
    }
    static std::vector<Element> rows_of(const std::vector<Element>& m) {
        std::vector<Element> rows(2 * kN * kRow);
        for (int i = 0; i < kN; ++i) {
            for (int j = 0; j < kN; ++j) rows[i * kRow + j] = rows[(kN + j) * kRow + i] = m[i * kN + j];
        }
        return rows;
    }
    int64_t cost() const {
        int64_t sum = 0;
        for (int i = 0; i < kN; ++i) {
            for (int j = 0; j < kN; ++j) sum += int64_t{a[i * kN + j]} * b[p[i] * kN + p[j]];
            if (kLinear) sum += linear_costs[i * kN + p[i]];
        }
        return sum;
    }
    int64_t delta(int i, int j) {
        const int64_t before = cost();
        std::swap(p[i], p[j]);
        const int64_t after = cost();
        std::swap(p[i], p[j]);
        return after - before;
    }
};

/// Checks a table over 25 swaps. All threads of the CUDA block call `work` and use the same members.
template <int kWarps, bool kWords>
class TableCheck {
  public:
    explicit TableCheck(uint32_t seed) : test_(seed), first_(test_.cost()), random_(seed + 1) {}

    void run() {
        test::EmulatedBlock::run_grid({1, 1, 1}, {32 * kWarps, 1, 1}, [&] { work(); });
        CHECK(cost_ == first_ * kDeltaScale / kUnit);
    }

  private:
    using Table = TableNeighbourhood<kWarps, kWords>;
    static constexpr int64_t kUnit = kHalves ? 2 : 1;

    void work() {
        Table table(view_, block_, *team_, workspace_.data());
        table.load(test_.p.data());
        const int64_t cost = table.reset();
        table.refresh(NamingSearch{});
        look(table);
        group_.sync();
        if (group_.rank() == 0) {
            cost_ = cost;
            compare(-1, -1);
        }
        for (int move = 0; move < (kMovable > 1 ? 25 : 0); ++move) exchange(table, move);
    }

    void exchange(Table& table, int move) {
        if (group_.rank() == 0) {
            r_ = random_() % kMovable;
            s_ = (r_ + 1 + random_() % std::max(kMovable - 1, 1)) % kMovable;
            std::swap(test_.p[r_], test_.p[s_]);
        }
        group_.sync();
        table.apply(r_, s_, NamingSearch{});
        if (move % 8 == 5) suspend_and_resume(table);
        look(table);
        group_.sync();
        // `refresh` has not run yet, so the swapped pair's word must still be `exchanged_payload()`.
        if (group_.rank() == 0) compare(std::min(r_, s_), std::max(r_, s_));
        table.refresh(NamingSearch{});
        group_.sync();
    }

    void suspend_and_resume(Table& table) {
        table.suspend();
        group_.sync();
        if (group_.rank() == 0) {
            std::memset(static_cast<void*>(team_.get()), 0x5A, sizeof *team_);
            std::copy(test_.p.begin(), test_.p.end(), table.solution());
        }
        group_.sync();
        table.resume();
    }

    /// Records the deltas and words that this thread holds, by pair.
    void look(const Table& table) {
        for (int slot = 0; slot < Table::kSlots; ++slot) {
            if (table.delta(slot) == kernels::Nothing<Value>::value()) continue;
            const uint32_t pair = table.pair_code(slot);
            const int code = kernels::first_of_pair(pair) * kMovable + kernels::second_of_pair(pair);
            deltas_[code] = static_cast<int64_t>(table.delta(slot)) * kUnit;
            if (kWords) words_[code] = table.word(slot);
            ++owners_[code];
        }
        if constexpr (Table::kKeepsLeast) look_at_least(table);
    }
    /// Compares a thread's least delta, and the pairs that have it, with a scan of all its pairs.
    void look_at_least(const Table& table) {
        const int owner = (group_.warp() * 7 + 3) % 32;
        Value own = kernels::Nothing<Value>::value();
        table.each_pair_of(owner, [&](int, int, Value delta) { own = kernels::least(own, delta); });
        for (int distance = 16; distance > 0; distance /= 2)
            own = kernels::least(own, __shfl_xor_sync(kernels::kAllLanes, own, distance));
        if (static_cast<int>(threadIdx.x % 32) == owner) REQUIRE(own == table.least());
        uint32_t all = 0, found = 0;
        const auto add_to = [&](uint32_t& codes) {
            return [&codes, own](int i, int j, Value delta) { codes += delta == own ? Table::code_of(i, j) : 0; };
        };
        table.each_pair_of(owner, add_to(all));
        table.each_least_pair_of(owner, add_to(found));
        REQUIRE(kernels::WarpGroup{}.sum(all) == kernels::WarpGroup{}.sum(found));
    }

    /// Checks the deltas and words that all threads recorded in look() after the swap of r and s. Before the first
    /// swap, r and s are -1. One thread calls this function.
    void compare(int r, int s) {
        for (int i = 0; i < kMovable; ++i) {
            for (int j = i + 1; j < kMovable; ++j) {
                CAPTURE(i);
                CAPTURE(j);
                const int code = i * kMovable + j;
                REQUIRE(owners_[code] == (2 * (j - i) == kMovable ? 2 : 1));
                REQUIRE(deltas_[code] == test_.delta(i, j));
                if (kWords)
                    REQUIRE(words_[code] == (i == r && j == s ? -1 : NamingSearch::word(i, test_.p[i], j, test_.p[j])));
            }
        }
        std::fill(owners_.begin(), owners_.end(), 0);
    }

    TableCase test_;
    const int64_t first_;  ///< the cost before the first swap
    std::mt19937 random_;
    const View view_{test_.rows_of_a.data(), test_.rows_of_b.data(), nullptr, 0, test_.linear_costs.data(),
                     int64_t{1} << 62,       test_.linear.data()};
    std::vector<char> workspace_ = std::vector<char>(Table::kWorkspaceBytes, char(0xA5));
    typename Table::BlockShared block_;
    const std::unique_ptr<typename Table::TeamShared> team_ = std::make_unique<typename Table::TeamShared>();
    std::vector<int64_t> deltas_ = std::vector<int64_t>(kMovable * kMovable), words_ = deltas_, owners_ = deltas_;
    int64_t cost_ = 0;
    int r_ = -1, s_ = -1;
    const kernels::Team<kWarps> group_{};
};

template <int kWarps>
void check_table(uint32_t seed) {
    TableCheck<kWarps, true>(seed).run();
    TableCheck<kWarps, false>(seed).run();
}

}  // namespace qapfw::qap
