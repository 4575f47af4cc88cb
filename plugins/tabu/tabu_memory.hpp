// SPDX-License-Identifier: Apache-2.0
// Tabu memory of robust tabu search (Taillard 1991; section 4.2 of the 2011 cAS paper) in the form for the capability
// "qapfw.problem.swap_neighbourhood/1". It has one expiry per pair of positions, updated in O(n) per swap of two
// elements, and one per bay bit if solutions have bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plugins/tabu/device/layout_moves.hpp"
#include "qapfw/sdk/zeroed_memory.hpp"

namespace qapfw::tabu {

/// E[i][v] is the iteration from which value v may return to position i. A pair (i, j), i < j, is tabu while neither
/// return is allowed: pair_expiry = min(E[i][p(j)], E[j][p(i)]). Bit b may be inverted again from iteration B[b] on.
/// Iterations are relative to a base that `rebase` moves.
class TabuMemory {
  public:
    explicit TabuMemory(uint32_t n, uint32_t bits = 0)
        : n_(n),
          stride_((n + 15) / 16 * 16),
          by_position_(n, stride_),
          by_value_(n, stride_),
          pair_expiry_(n, stride_),
          bit_expiry_(bits),
          p_(n) {}

    /// Returns the number of entries that a buffer for `save` must have. `positions`: number of positions to save.
    static size_t saved_size(size_t positions, size_t n, bool has_bits) {
        return (std::max<size_t>(1, positions) + (has_bits ? 1 : 0)) * n;  // device code always has at least one row
    }

    /// Sets the expiries with which a search starts at solution p (kernels::tabu_first_expiry).
    void reset(const uint16_t* p) {
        for (uint32_t row = 0; row < n_; ++row) {
            for (uint32_t k = 0; k < n_; ++k) {
                by_position_.row(row)[k] = kernels::tabu_first_expiry(n_, row, k);
                by_value_.row(row)[k] = kernels::tabu_first_expiry(n_, k, row);
            }
        }
        for (uint32_t b = 0; b < bit_expiry_.size(); ++b) bit_expiry_[b] = first_bit_expiry(n_, b);
        place(p);
    }

    /// Computes all pair expiries again for p, after p was changed by other means than record_swap. Does not change E.
    /// O(n^2).
    void place(const uint16_t* p) {
        std::copy_n(p, n_, p_.begin());
        for (uint32_t i = 0; i + 1 < n_; ++i) {
            const int32_t *from = by_position_.row(i), *to = by_value_.row(p_[i]);
            int32_t* const pairs = pair_expiry_.row(i);
            for (uint32_t j = i + 1; j < n_; ++j) pairs[j] = std::min(from[p_[j]], to[j]);
        }
    }

    /// Records a swap of the elements at positions r < s: neither may return to its old position before its expiry.
    /// O(n).
    void record_swap(uint32_t r, uint32_t s, int32_t expiry_r, int32_t expiry_s) {
        const uint16_t left_r = p_[r], left_s = p_[s];
        p_[r] = left_s;
        p_[s] = left_r;
        set_expiry(r, left_r, expiry_r);
        set_expiry(s, left_s, expiry_s);
        // Only the expiries of pairs with r or s change. For all u, E[u][p(r)] is a row of by_value_; E[r][p(u)] is
        // gathered from a row of by_position_.
        update_pairs(r, s, left_s, left_r);
    }

    /// Records that bits b and c have just been inverted. If b = c, only one bit was inverted. O(1).
    void record_bits(uint32_t b, uint32_t c, int32_t expiry_b, int32_t expiry_c) {
        bit_expiry_[b] = expiry_b;
        if (c != b) bit_expiry_[c] = expiry_c;
    }
    /// The first iteration in which a move that inverts bits b and c is not tabu: from then on, one of them may be
    /// inverted again.
    int32_t bits_expiry(uint32_t b, uint32_t c) const { return std::min(bit_expiry_[b], bit_expiry_[c]); }
    /// Records a swap of two neighbouring bays: sets the expiry of each bay's first element at its old position. Call
    /// `place` afterwards. O(1).
    void record_bays(const TwoBays& bays, int32_t expiry_first, int32_t expiry_second) {
        set_expiry(bays.begin, p_[bays.begin], expiry_first);
        set_expiry(bays.middle, p_[bays.middle], expiry_second);
    }
    /// The first iteration in which a swap of two bays is not tabu. From then on, the first element of at least one of
    /// the bays may go to its new position.
    int32_t bays_expiry(const TwoBays& bays) const {
        return std::min(by_position_.row(bays.begin)[p_[bays.middle]], by_position_.row(bays.joint())[p_[bays.begin]]);
    }

    /// Moves the base, from which iterations are counted, up by `shift` iterations (kernels::tabu_rebased).
    void rebase(int64_t shift) {
        for (Table* t : {&by_position_, &by_value_, &pair_expiry_}) t->rebase(shift);
        for (int32_t& expiry : bit_expiry_) expiry = kernels::tabu_rebased(expiry, shift);
    }

    /// Writes the expiries E of the given positions (n numbers each), then those of bits (B), for checkpoints.
    void save(const std::vector<uint16_t>& positions, int32_t* to) const {
        for (size_t k = 0; k < positions.size(); ++k) std::copy_n(by_position_.row(positions[k]), n_, to + k * n_);
        std::copy(bit_expiry_.begin(), bit_expiry_.end(), to + positions.size() * n_);
    }
    /// Reads what `save` wrote. `p`: the present solution. Expiries of positions that were not saved must not be used.
    void restore(const std::vector<uint16_t>& positions, const int32_t* from, const uint16_t* p) {
        for (size_t k = 0; k < positions.size(); ++k) {
            for (uint32_t value = 0; value < n_; ++value) set_expiry(positions[k], value, from[k * n_ + value]);
        }
        std::copy_n(from + positions.size() * n_, bit_expiry_.size(), bit_expiry_.begin());
        place(p);
    }

    const int32_t* pair_expiry() const { return pair_expiry_.row(0); }
    uint32_t stride() const { return stride_; }

  private:
    /// Rows of `stride` entries, at 64-byte boundaries.
    class Table {
      public:
        Table(uint32_t rows, uint32_t stride)
            : size_(size_t{rows} * stride), stride_(stride), memory_(std::max<size_t>(size_, 1) * sizeof(int32_t)) {}
        int32_t* row(uint32_t i) { return first() + size_t{i} * stride_; }
        const int32_t* row(uint32_t i) const { return first() + size_t{i} * stride_; }
        void rebase(int64_t shift) {
            for (size_t k = 0; k < size_; ++k) first()[k] = kernels::tabu_rebased(first()[k], shift);
        }

      private:
        int32_t* first() const { return reinterpret_cast<int32_t*>(memory_.data()); }
        size_t size_;
        uint32_t stride_;
        sdk::ZeroedMemory memory_;
    };

    void set_expiry(uint32_t position, uint32_t value, int32_t expiry) {
        by_position_.row(position)[value] = by_value_.row(value)[position] = expiry;
    }

    void update_pairs(uint32_t r, uint32_t s, uint16_t at_r, uint16_t at_s) {
        update_range<true, true>(0, r, r, s, at_r, at_s);
        update_range<false, true>(r + 1, s, r, s, at_r, at_s);
        update_range<false, false>(s + 1, n_, r, s, at_r, at_s);
        set_pair(r, s, by_value_.row(at_s)[r], by_position_.row(s)[at_r]);
    }

    /// Updates the pairs (u, r) and (u, s) for each u in [from, to). kAboveR: all these u are less than r; kAboveS: all
    /// are less than s.
    template <bool kAboveR, bool kAboveS>
    void update_range(uint32_t from, uint32_t to, uint32_t r, uint32_t s, uint16_t at_r, uint16_t at_s) {
        const int32_t *to_r = by_value_.row(at_r), *to_s = by_value_.row(at_s);
        const int32_t *from_r = by_position_.row(r), *from_s = by_position_.row(s);
        const uint16_t* p = p_.data();
        for (uint32_t u = from; u < to; ++u) {
            set_pair(kAboveR ? u : r, kAboveR ? r : u, to_r[u], from_r[p[u]]);
            set_pair(kAboveS ? u : s, kAboveS ? s : u, to_s[u], from_s[p[u]]);
        }
    }

    void set_pair(uint32_t i, uint32_t j, int32_t one, int32_t other) { pair_expiry_.row(i)[j] = std::min(one, other); }

    uint32_t n_, stride_;
    Table by_position_, by_value_;  ///< E is kept in both orders: [position][value] and [value][position]
    Table pair_expiry_;
    std::vector<int32_t> bit_expiry_;  ///< B: the iteration from which each bit may be inverted again
    std::vector<uint16_t> p_;
};

}  // namespace qapfw::tabu
