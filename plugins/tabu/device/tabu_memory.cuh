// SPDX-License-Identifier: Apache-2.0
// The tabu memory of one search: E[position][value] is the iteration before which the position may not get the value
// back. TABU_EXPIRY chooses where the table lies, at compile time. 0: device memory; 1: shared memory; 2: shared memory
// with 16 bits, which needs tenures below 2^14 and no long-term aspiration.
#include "plugins/tabu/device/tabu_rules.hpp"
#include "qapfw/kernels/device_team.hpp"

namespace qapfw::tabu {

constexpr int kExpiryInGlobal = 0;
constexpr int kExpiryInShared = 1;
constexpr int kExpiryInShared16 = 2;

/// The table E of one search, with `kRows` positions and `kColumns` values. Its words are iterations, counted from the
/// base iteration of the launch.
template <int kPlace, int kRows, int kColumns>
struct TabuMemory {
    using Word = int32_t;
    /// Number of words in a row. In shared memory the number is odd, so that accesses to a column use all memory banks.
    static constexpr int kStride = kPlace == kExpiryInGlobal ? kColumns : kColumns | 1;
    static constexpr int kSharedBytes = kPlace == kExpiryInGlobal ? 0 : kRows * kStride * 4;

    QAPFW_DEVICE TabuMemory(int32_t* global, void* shared)
        : words_(kPlace == kExpiryInGlobal ? global : static_cast<int32_t*>(shared)) {}
    QAPFW_DEVICE int32_t get(int position, int value) const { return words_[position * kStride + value]; }
    QAPFW_DEVICE void set(int position, int value, int32_t expiry) { words_[position * kStride + value] = expiry; }
    template <class Group>
    QAPFW_DEVICE void advance(Group, int32_t) {}
    /// Sets every entry to expiry_of(position, value). Called before iteration 0.
    template <class Group, class F>
    QAPFW_DEVICE void fill(Group group, F expiry_of) {
        for (int cell = group.rank(); cell < kRows * kColumns; cell += group.size())
            set(cell / kColumns, cell % kColumns, expiry_of(cell / kColumns, cell % kColumns));
    }
    /// If this search's memory lies in shared memory, copies the table into it from device memory, where a row has
    /// kColumns words. `save` copies the other way.
    template <class Group>
    QAPFW_DEVICE void load(Group group, const int32_t* table, int32_t /*now*/) {
        if constexpr (kPlace == kExpiryInShared)
#pragma unroll 1
            for (int cell = group.rank(); cell < kRows * kColumns; cell += group.size())
                set(cell / kColumns, cell % kColumns, table[cell]);
    }
    /// Calls f(position, value, expiry) for every entry; the threads split the entries.
    template <class Group, class F>
    QAPFW_DEVICE void each_cell(Group group, F f) const {
        for (int cell = group.rank(); cell < kRows * kColumns; cell += group.size())
            f(cell / kColumns, cell % kColumns, get(cell / kColumns, cell % kColumns));
    }
    template <class Group>
    QAPFW_DEVICE void save(Group group, int32_t* table) {
        if constexpr (kPlace == kExpiryInShared)
#pragma unroll 1
            for (int cell = group.rank(); cell < kRows * kColumns; cell += group.size())
                table[cell] = get(cell / kColumns, cell % kColumns);
    }

  private:
    int32_t* words_;
};

/// The table of expiries in 16-bit words. A word is an expiry minus `base_`, which rises with the search's iterations.
/// Words of expired entries may be clamped.
template <int kRows, int kColumns>
struct TabuMemory<kExpiryInShared16, kRows, kColumns> {
    static constexpr int kStride = ((kColumns + 1) / 2 | 1) * 2;  ///< 16-bit words of a row: an odd number of banks
    static constexpr int kSharedBytes = (kRows * kStride * 2 + 15) / 16 * 16;
    static constexpr int32_t kPeriod = 1 << 13;

    QAPFW_DEVICE TabuMemory(int32_t*, void* shared) : words_(static_cast<int16_t*>(shared)) {}
    QAPFW_DEVICE int32_t get(int position, int value) const { return words_[position * kStride + value] + base_; }
    QAPFW_DEVICE void set(int position, int value, int32_t expiry) {
        words_[position * kStride + value] = clamped(expiry - base_);
    }
    /// Moves the base up to `now` if `now` is at least kPeriod iterations beyond the base. All threads of the team call
    /// this function together.
    template <class Group>
    QAPFW_DEVICE void advance(Group group, int32_t now) {
        const int32_t shift = now - base_;
        if (shift < kPeriod) return;
        group.sync();
        for (int cell = group.rank(); cell < kRows * kStride; cell += group.size())
            words_[cell] = clamped(words_[cell] - shift);
        base_ = now;
        group.sync();
    }
    template <class Group, class F>
    QAPFW_DEVICE void fill(Group group, F expiry_of) {
        for (int cell = group.rank(); cell < kRows * kColumns; cell += group.size())
            set(cell / kColumns, cell % kColumns, expiry_of(cell / kColumns, cell % kColumns));
    }
    template <class Group>
    QAPFW_DEVICE void load(Group group, const int32_t* table, int32_t now) {
        base_ = now;
#pragma unroll 1
        for (int cell = group.rank(); cell < kRows * kColumns; cell += group.size())
            set(cell / kColumns, cell % kColumns, table[cell]);
    }
    /// Calls f(position, value, expiry) for every entry; the threads split the entries and load two at once.
    template <class Group, class F>
    QAPFW_DEVICE void each_cell(Group group, F f) const {
        const uint32_t* const pairs = reinterpret_cast<const uint32_t*>(words_);
        for (int pair = group.rank(); pair < kRows * kStride / 2; pair += group.size()) {
            const uint32_t both = pairs[pair];
            const int position = pair / (kStride / 2), value = pair % (kStride / 2) * 2;
            if (value < kColumns) f(position, value, static_cast<int16_t>(both & 0xFFFFu) + base_);
            if (value + 1 < kColumns) f(position, value + 1, static_cast<int16_t>(both >> 16) + base_);
        }
    }
    template <class Group>
    QAPFW_DEVICE void save(Group group, int32_t* table) {
#pragma unroll 1
        for (int cell = group.rank(); cell < kRows * kColumns; cell += group.size())
            table[cell] = get(cell / kColumns, cell % kColumns);
    }

  private:
    static QAPFW_DEVICE int16_t clamped(int32_t word) {
        return static_cast<int16_t>(word < -32768 ? -32768 : word);
    }

    int16_t* words_;
    int32_t base_ = 0;
};

}  // namespace qapfw::tabu
