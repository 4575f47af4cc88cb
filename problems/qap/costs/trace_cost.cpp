// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/costs/trace_cost.hpp"

#include <algorithm>
#include <limits>

namespace qapfw::qap {
namespace {

template <class Narrow>
bool all_fit(const QapMatrices& matrices) {
    const auto fits = [](int64_t entry) {
        return entry >= std::numeric_limits<Narrow>::min() && entry <= std::numeric_limits<Narrow>::max();
    };
    return std::ranges::all_of(matrices.a, fits) && std::ranges::all_of(matrices.b, fits);
}

uint32_t rounded_up(uint32_t value, uint32_t to) {
    return (value + to - 1) / to * to;
}

template <class Entry>
TraceMatrices<Entry> padded(const QapMatrices& matrices, Isa isa) {
    TraceMatrices<Entry> m;
    m.n = matrices.n;
    m.rows = rounded_up(m.n, kProductRows);
    m.stride = rounded_up(m.n, kProductBytes / sizeof(Entry));
    m.multiply = isa == Isa::kPlain ? row_product_plain<Entry>() : row_product_avx2<Entry>();
    const auto copy = [&](std::vector<Entry>& to, const std::vector<int64_t>& from) {
        to.resize(std::size_t{m.rows} * m.stride);
        for (std::size_t i = 0; i < m.n; ++i) {
            for (std::size_t j = 0; j < m.n; ++j) to[i * m.stride + j] = static_cast<Entry>(from[i * m.n + j]);
        }
    };
    copy(m.a, matrices.a);
    copy(m.b, matrices.b);
    return m;
}

/// Memory of this thread, so that computing a cost allocates nothing: X, and the current rows of A X and of X B.
template <class Entry>
struct Scratch {
    std::vector<Entry> x, ax, xb;
};

template <class Entry>
Scratch<Entry>& scratch_for(const TraceMatrices<Entry>& m, const uint16_t* p) {
    thread_local Scratch<Entry> scratch;
    scratch.x.assign(std::size_t{m.rows} * m.stride, 0);
    for (std::size_t i = 0; i < m.n; ++i) scratch.x[i * m.stride + p[i]] = 1;
    scratch.ax.resize(std::size_t{kProductRows} * m.stride);
    scratch.xb.resize(scratch.ax.size());
    return scratch;
}

/// Row i of A X times row i of X B has the terms a_ij b_p(i)p(j) of the cost, each once. So the bound of cost_bounds()
/// holds for every partial sum.
template <class Entry>
std::optional<int64_t> trace_of(const TraceMatrices<Entry>& m, const uint16_t* p, const sdk::StopQuestion& stop) {
    constexpr uint32_t kLong = 256;  // from this n on the rows of a group take some microseconds
    Scratch<Entry>& scratch = scratch_for(m, p);
    int64_t trace = 0;
    for (std::size_t row = 0; row < m.rows; row += kProductRows) {
        if (m.n >= kLong && stop()) return std::nullopt;
        m.multiply(m.a.data() + row * m.stride, scratch.x.data(), m.n, m.stride, scratch.ax.data());
        m.multiply(scratch.x.data() + row * m.stride, m.b.data(), m.n, m.stride, scratch.xb.data());
        for (std::size_t cell = 0; cell < scratch.ax.size(); ++cell) {
            trace += int64_t{scratch.ax[cell]} * int64_t{scratch.xb[cell]};
        }
    }
    return trace;
}

}  // namespace

TraceCost::TraceCost(const QapMatrices& matrices, Isa isa) {
    if (all_fit<int16_t>(matrices)) {
        matrices_ = padded<int16_t>(matrices, isa);
    } else if (all_fit<int32_t>(matrices)) {
        matrices_ = padded<int32_t>(matrices, isa);
    } else {
        matrices_ = padded<int64_t>(matrices, isa);
    }
}

std::optional<int64_t> TraceCost::of(const uint16_t* p, const sdk::StopQuestion& stop) const {
    return std::visit([&](const auto& matrices) { return trace_of(matrices, p, stop); }, matrices_);
}

}  // namespace qapfw::qap
