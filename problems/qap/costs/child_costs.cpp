// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/costs/child_costs.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/costs/normal_form.hpp"

namespace qapfw::qap {
namespace {

template <class Narrow>
bool all_fit(const std::vector<int64_t>& values) {
    return std::all_of(values.begin(), values.end(), [](int64_t v) {
        return v >= std::numeric_limits<Narrow>::min() / 2 && v <= std::numeric_limits<Narrow>::max() / 2;
    });
}

bool is_zero(const std::vector<int32_t>& values) {
    return std::all_of(values.begin(), values.end(), [](int32_t v) { return v == 0; });
}

uint64_t product(int32_t x, int64_t y) {
    return static_cast<uint64_t>(x * y);
}

/// Scratch of this thread, so that computing a cost allocates nothing.
std::vector<uint32_t>& changed_positions() {
    thread_local std::vector<uint32_t> positions;
    positions.clear();
    return positions;
}

const uint16_t* inverse_of(const uint16_t* p, uint32_t n) {
    thread_local std::vector<uint16_t> inverse;
    inverse.resize(n);
    for (uint32_t i = 0; i < n; ++i) inverse[p[i]] = static_cast<uint16_t>(i);
    return inverse.data();
}

}  // namespace

ChildCosts::ChildCosts(const QapMatrices& matrices, Isa isa) : matrices_(&matrices), n_(matrices.n) {
    usable_ = all_fit<int32_t>(matrices.a) && all_fit<int32_t>(matrices.b);
    if (!usable_) return;
    NormalFormOf<int32_t> form(matrices);
    a_ = std::move(form.a);
    b_ = std::move(form.b);
    a_diagonal_ = std::move(form.a_diagonal);
    b_diagonal_ = std::move(form.b_diagonal);
    diagonal_ = !is_zero(a_diagonal_) && !is_zero(b_diagonal_);
    symmetric_ = form.symmetric;
    factor_ = form.was_symmetric ? 2 : 1;
    if (isa != Isa::kPlain) make_narrow();
    worthwhile_ = narrow_.tiles > 0 ? n_ / 12 : symmetric_ ? n_ / 3 : n_ / 6;
}

/// Makes copies of a_ and b_ with 16-bit entries, if the entries fit and a 32-bit lane can hold the sum of the 16
/// products that one tile adds to it (narrow_sum.hpp).
void ChildCosts::make_narrow() {
    int64_t greatest[2] = {1, 1};
    for (const int32_t v : a_) greatest[0] = std::max(greatest[0], std::abs(int64_t{v}));
    for (const int32_t v : b_) greatest[1] = std::max(greatest[1], std::abs(int64_t{v}));
    if (std::max(greatest[0], greatest[1]) > std::numeric_limits<int16_t>::max()) return;
    const int64_t tiles = std::numeric_limits<int32_t>::max() / (kNarrowProducts * greatest[0] * greatest[1]);
    if (tiles == 0) return;
    const uint32_t stride = (n_ + 15) / 16 * 16;
    narrow_a_transposed_.resize(std::size_t{n_} * stride);
    narrow_b_.resize(narrow_a_transposed_.size());
    for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < n_; ++j) {
            // If the matrices are symmetric, a row of a_ is read, because a column takes longer to read.
            const std::size_t transposed = symmetric_ ? i * n_ + j : j * n_ + i;
            narrow_a_transposed_[i * stride + j] = static_cast<int16_t>(a_[transposed]);
            narrow_b_[i * stride + j] = static_cast<int16_t>(b_[i * n_ + j]);
        }
    }
    narrow_ = {narrow_a_transposed_.data(), narrow_b_.data(), n_, stride,
               static_cast<uint32_t>(std::min(tiles, int64_t{1} << 30))};
}

uint64_t ChildCosts::on_diagonal(uint32_t i, const uint16_t* p) const {
    return product(a_diagonal_[i], b_diagonal_[p[i]]);
}

/// Returns the sum of a_ij b_p(i)p(j) over all i < j if both matrices are symmetric, otherwise over all i != j.
uint64_t ChildCosts::sum_of(const uint16_t* p) const {
    if (narrow_.tiles > 0) {
        const int64_t sum = narrow_sum_avx2(narrow_, p, inverse_of(p, n_));
        return static_cast<uint64_t>(symmetric_ ? sum / 2 : sum);
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n_; ++i) {
        const int32_t* const a = a_.data() + std::size_t{i} * n_;
        const int32_t* const b = b_.data() + std::size_t{p[i]} * n_;
        const uint32_t end = symmetric_ ? i : n_;
        for (uint32_t j = 0; j < end; ++j) sum += product(a[j], b[p[j]]);
    }
    return sum;
}

int64_t ChildCosts::of(const uint16_t* p) const {
    if (!usable_) return evaluate(*matrices_, p);
    uint64_t cost = factor_ * sum_of(p);
    for (uint32_t i = 0; diagonal_ && i < n_; ++i) cost += on_diagonal(i, p);
    return static_cast<int64_t>(cost) + linear_cost(*matrices_, p);
}

/// sum_of(child) - sum_of(parent). Only pairs with a changed position contribute. A pair of two changed positions
/// counts once.
uint64_t ChildCosts::change_of(const uint16_t* parent, const uint16_t* child,
                               const std::vector<uint32_t>& changed) const {
    uint64_t change = 0, counted_twice = 0;
    for (const uint32_t i : changed) {
        const int32_t* const a = a_.data() + std::size_t{i} * n_;
        const int32_t* const before = b_.data() + std::size_t{parent[i]} * n_;
        const int32_t* const after = b_.data() + std::size_t{child[i]} * n_;
        const auto in_row = [&](uint32_t j) { return product(a[j], int64_t{after[child[j]]} - before[parent[j]]); };
        const auto in_column = [&](uint32_t j) {
            return product(a_[std::size_t{j} * n_ + i], int64_t{b_[std::size_t{child[j]} * n_ + child[i]]} -
                                                            b_[std::size_t{parent[j]} * n_ + parent[i]]);
        };
        for (uint32_t j = 0; j < n_; ++j) change += in_row(j);
        for (const uint32_t j : changed) {
            if (!symmetric_ || j < i) counted_twice += in_row(j);
        }
        for (uint32_t j = 0; !symmetric_ && j < n_; ++j) change += in_column(j);
    }
    return change - counted_twice;
}

int64_t ChildCosts::after(const uint16_t* parent, int64_t of_parent, const uint16_t* child) const {
    if (!usable_) return evaluate(*matrices_, child);
    std::vector<uint32_t>& changed = changed_positions();
    for (uint32_t i = 0; i < n_; ++i) {
        if (parent[i] == child[i]) continue;
        if (changed.size() == worthwhile_) return of(child);
        changed.push_back(i);
    }
    uint64_t change = factor_ * change_of(parent, child, changed);
    if (diagonal_) {
        for (const uint32_t i : changed) change += on_diagonal(i, child) - on_diagonal(i, parent);
    }
    const std::vector<int64_t>& linear = matrices_->linear;
    for (std::size_t k = 0; !linear.empty() && k < changed.size(); ++k) {
        const uint32_t i = changed[k];
        const std::size_t row = std::size_t{i} * n_;
        change += static_cast<uint64_t>(linear[row + child[i]]) - static_cast<uint64_t>(linear[row + parent[i]]);
    }
    return static_cast<int64_t>(static_cast<uint64_t>(of_parent) + change);
}

}  // namespace qapfw::qap
