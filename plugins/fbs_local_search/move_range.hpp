// SPDX-License-Identifier: Apache-2.0
// A set of move indices, all those of one or several kinds, and a random order over it that costs nothing to set up:
// start + k * stride modulo the size, with a stride that has no divisor in common with it.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "qapfw/kernels/fbs_neighbourhood.hpp"
#include "qapfw/kernels/philox.hpp"

namespace qapfw::fbs_local_search {

class MoveRange {
  public:
    MoveRange(std::span<const std::uint32_t> kinds, std::uint32_t n) : n_(n) {
        for (const std::uint32_t kind : kinds) {
            size_ += kernels::fbs_move_count(kind, n);
            parts_.push_back({kind, size_});
        }
    }
    std::uint64_t size() const { return size_; }

    kernels::FbsMove operator[](std::uint64_t index) const {
        std::uint64_t begin = 0;
        for (const Part& part : parts_) {
            if (index < part.end) return kernels::fbs_move_at(part.kind, static_cast<std::uint32_t>(index - begin), n_);
            begin = part.end;
        }
        return {};
    }

  private:
    struct Part {
        std::uint32_t kind;
        std::uint64_t end;
    };
    std::uint32_t n_;
    std::uint64_t size_ = 0;
    std::vector<Part> parts_;
};

/// A walk over 0..size-1, again and again in the same order.
class CyclicOrder {
  public:
    CyclicOrder() = default;
    static CyclicOrder ascending(std::uint64_t size) { return {size, 0, 1}; }
    /// `words`: two random ones.
    static CyclicOrder random(std::uint64_t size, const kernels::Philox4& words) {
        if (size < 3) return ascending(size);
        const auto range = static_cast<std::uint32_t>(size);
        std::uint64_t stride = 1 + kernels::below(words.word[1], range - 1);
        while (std::gcd(stride, size) != 1) ++stride;
        return {size, kernels::below(words.word[0], range), stride % size};
    }
    /// The index that comes next.
    std::uint64_t at() const { return at_; }
    void advance() {
        at_ += stride_;
        if (at_ >= size_) at_ -= size_;
    }

  private:
    CyclicOrder(std::uint64_t size, std::uint64_t at, std::uint64_t stride) : size_(size), at_(at), stride_(stride) {}
    std::uint64_t size_ = 0, at_ = 0, stride_ = 0;
};

}  // namespace qapfw::fbs_local_search
