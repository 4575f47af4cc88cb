// SPDX-License-Identifier: Apache-2.0
// The memory of a swap neighbourhood, its start from a solution, and the calls of the kernels.
#include "problems/qap/neighbourhood/swap_neighbourhood.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

namespace qapfw::qap {
namespace {

const SwapKernels* kernels_for(const SwapData& data) {
    switch (data.isa) {
        case Isa::kAvx512:
            return swap_kernels_avx512(data.width, data.asymmetric);
        case Isa::kAvx512Bw:
            return swap_kernels_avx512bw(data.width, data.asymmetric);
        case Isa::kAvx2:
            return swap_kernels_avx2(data.width, data.asymmetric);
        case Isa::kPlain:
            break;
    }
    return swap_kernels_plain(data.width, data.asymmetric);
}

constexpr size_t round_up(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}

/// Fills `words`, so that element (u, k) is rows[p_k][p_u]. A word of several elements is put together in a register.
template <class Element>
void permute_words(const SwapData& data, const uint16_t* p, const AlignedBytes& rows, void* words) {
    using Bits = std::make_unsigned_t<Element>;
    using Word = std::conditional_t<sizeof(Element) == 8, uint64_t, uint32_t>;
    constexpr uint32_t kElements = sizeof(Word) / sizeof(Element), kBits = 8 * sizeof(Element);
    const Bits* from[kElements];
    for (uint32_t k = 0; k < data.n; k += kElements) {
        const uint32_t count = std::min(kElements, data.n - k);
        for (uint32_t c = 0; c < kElements; ++c) {
            const size_t row = c < count ? p[k + c] : data.n;  // a row of zeros follows the last row
            from[c] = reinterpret_cast<const Bits*>(rows.get()) + row * data.n;
        }
        Word* const out = static_cast<Word*>(words) + size_t{k / kElements} * data.padded;
        for (uint32_t u = 0; u < data.n; ++u) {
            Word word = 0;
            for (uint32_t c = 0; c < kElements; ++c) word |= static_cast<Word>(from[c][p[u]]) << (c * kBits % 64);
            out[u] = word;
        }
    }
}

void permute_words(const SwapData& data, const uint16_t* p, const AlignedBytes& rows, void* words) {
    if (data.width == SwapWidth::k8)
        permute_words<int8_t>(data, p, rows, words);
    else if (data.width <= SwapWidth::k16Wide)
        permute_words<int16_t>(data, p, rows, words);
    else if (data.width <= SwapWidth::k64Narrow)
        permute_words<int32_t>(data, p, rows, words);
    else
        permute_words<int64_t>(data, p, rows, words);
}

/// The sum of h over all positions.
template <class T>
int64_t sum_of(const void* h, uint32_t n) {
    return std::accumulate(static_cast<const T*>(h), static_cast<const T*>(h) + n, int64_t{0});
}

}  // namespace

SwapNeighbourhood::SwapNeighbourhood(const SwapData& data)
    : data_(&data), kernels_(kernels_for(data)), solution_(data.n), view_{} {
    const size_t width = data.table_bytes(), vector = round_up(data.padded * width);
    const size_t words = round_up(size_t{data.groups} * data.padded * data.word_bytes());
    const size_t table = round_up(data.table_entries * width);
    constexpr size_t kVectors = 16;
    memory_ = AlignedBytes(table + words * (data.asymmetric ? 2 : 1) + vector * kVectors +
                           round_up(data.padded * sizeof(uint32_t)));
    std::byte* next = memory_.get();
    const auto take = [&next](size_t bytes) { return static_cast<void*>(std::exchange(next, next + bytes)); };
    view_ = SwapView{.n = data.n,
                     .padded = data.padded,
                     .groups = data.groups,
                     .has_fixed = data.has_fixed,
                     .has_equals = data.has_equals,
                     .diagonal = data.diagonal,
                     .a_diagonal = data.a_diagonal,
                     .b_diagonal = data.b_diagonal,
                     .a = data.a.get(),
                     .a_transposed = data.a_transposed.get(),
                     .b = take(words),
                     .b_transposed = data.asymmetric ? take(words) : nullptr,
                     .table = take(table),
                     .row = data.row.data(),
                     .free = data.free.get(),
                     .diag_a = data.diag_a.get(),
                     .diag_b = take(vector),
                     .linear = data.has_linear ? data.linear.get() : nullptr,
                     .linear_transposed = data.linear_transposed.get(),
                     .place = static_cast<uint32_t*>(take(round_up(data.padded * sizeof(uint32_t)))),
                     .limit = data.limit,
                     .class_a = data.class_a.get(),
                     .class_b = take(vector),
                     .h = take(vector),
                     .x = take(2 * vector),
                     .y = take(2 * vector),
                     .near_a = take(vector),
                     .near_b = take(vector),
                     .skew_x = take(vector),
                     .skew_y = take(vector),
                     .sum = take(vector),
                     .part = take(vector),
                     .old = take(vector),
                     .touched_r = take(vector),
                     .touched_s = take(vector)};
    never_tabu_.assign(data.padded, std::numeric_limits<int32_t>::min());
}

int64_t SwapNeighbourhood::reset(const uint16_t* solution) {
    std::memcpy(solution_.data(), solution, solution_.size() * sizeof(uint16_t));
    if (stop_()) throw sdk::Stopped();
    permute_words(*data_, solution, data_->asymmetric ? data_->b_transposed : data_->b, view_.b);
    if (data_->asymmetric) permute_words(*data_, solution, data_->b, view_.b_transposed);
    const size_t width = data_->table_bytes();
    const auto place = [&](void* to, const AlignedBytes& from) {
        for (uint32_t u = 0; u < data_->n; ++u)
            std::memcpy(static_cast<std::byte*>(to) + u * width, from.get() + solution[u] * width, width);
    };
    place(view_.diag_b, data_->diag_b);
    if (data_->has_equals) place(view_.class_b, data_->class_b);
    std::copy_n(solution, data_->n, view_.place);
    pending_ = false;
    if (!kernels_->build(view_, stop_.should_stop, stop_.context)) throw sdk::Stopped();
    return cost_after_build();
}

/// The cost of the solution that the table was built for. With data_->sums_are_costs, the cost is computed from the sum
/// of all H_uu and from the cost of the first solution. Otherwise it is computed from the definition.
int64_t SwapNeighbourhood::cost_after_build() {
    if (!data_->sums_are_costs) return data_->cost(solution_.data());
    const int64_t sum = data_->table_bytes() == sizeof(int32_t) ? sum_of<int32_t>(view_.h, data_->n)
                                                                : sum_of<int64_t>(view_.h, data_->n);
    if (!first_) first_ = {data_->cost(solution_.data()), sum};
    return first_->cost + data_->factor * ((sum - first_->sum) / 2);
}

bool SwapNeighbourhood::best_admissible(const qapfw_swap_filter& filter, qapfw_swap_move* out) {
    const bool has_expiry = filter.pair_expiry != nullptr;
    const ScanQuery query{.expiry = has_expiry ? filter.pair_expiry : never_tabu_.data(),
                          .latest = filter.pair_latest,
                          .expiry_stride = has_expiry ? filter.stride : 0,
                          .latest_stride = filter.stride,
                          .iteration = filter.iteration,
                          .forced_before = filter.forced_before,
                          .aspiration = data_->first_at_least(filter.aspiration.i)};
    ScanResult best{};
    const bool found = kernels_->scan(view_, query, best);
    if (pending_) {
        pending_ = false;
        std::memset(view_.x, 0, 2 * size_t{data_->padded} * data_->table_bytes());
    }
    if (found) *out = qapfw_swap_move{best.i, best.j, qapfw_cost{.i = data_->delta_of(best.value)}};
    return found;
}

bool SwapNeighbourhood::first_improving(uint32_t i, uint32_t j, qapfw_swap_move* out) {
    flush();
    ScanResult found{};
    if (!kernels_->first_improving(view_, i, j, found)) return false;
    *out = qapfw_swap_move{found.i, found.j, qapfw_cost{.i = data_->delta_of(found.value)}};
    return true;
}

void SwapNeighbourhood::apply(uint32_t i, uint32_t j) {
    assert(i != j && i < data_->n && j < data_->n);
    flush();
    kernels_->apply(view_, i, j);
    std::swap(solution_[i], solution_[j]);
    pending_ = true;
}

void SwapNeighbourhood::flush() {
    if (!pending_) return;
    qapfw_swap_move ignored;
    best_admissible(qapfw_swap_filter{.struct_size = sizeof(qapfw_swap_filter),
                                      .stride = 0,
                                      .pair_expiry = nullptr,
                                      .pair_latest = nullptr,
                                      .iteration = 0,
                                      .forced_before = 0,
                                      .aspiration = {.i = std::numeric_limits<int64_t>::min()}},
                    &ignored);
}

}  // namespace qapfw::qap
