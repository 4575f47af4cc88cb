// SPDX-License-Identifier: Apache-2.0
// Computes proposals: the partner that a draw chooses for a swap, and the change of the cost. `Rows` sums over the arcs
// of a vertex; each instruction set has its own `Rows`. All decisions use integers, so all instruction sets give the
// same result.
#pragma once

#include <cstdint>

#include "problems/sparse_qap/device/sparse_view.cuh"
#include "problems/sparse_qap/walk/walk_view.hpp"

namespace qapfw::sparse {

namespace {  // this file is compiled for several instruction sets, whose object files must not share functions

template <class Rows>
void propose_block(const WalkView& view, const Rows& rows, std::uint64_t count, const std::uint32_t* positions,
                   const std::uint64_t* draws, std::uint32_t* partners, std::int64_t* deltas) {
    const bool tree = view.near == nullptr;
    // Each step is made for all `count` proposals before the next step begins. So if one proposal waits for memory, the
    // others need not wait.
    for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint32_t u = positions[k];
        const std::uint64_t begin = view.offsets[u];
        const auto degree = static_cast<std::uint32_t>(view.offsets[u + 1] - begin);
        const std::uint32_t arc = sparse_chosen_arc(tree, degree, draws[k]);
        partners[k] = arc < degree ? view.arcs[begin + arc].to : u;
    }
    for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint32_t base = view.location_of[partners[k]];
        partners[k] = sparse_near_location(view, base, draws[k] >> 24);
    }
    for (std::uint64_t k = 0; k < count; ++k) {
        partners[k] = view.vertex_at[partners[k]];
        __builtin_prefetch(view.offsets + (partners[k] < view.vertices ? partners[k] : view.vertices));
    }
    for (std::uint64_t k = 0; k < count; ++k) {
        const std::uint32_t u = positions[k], v = partners[k];
        const std::uint64_t a = view.code_of[u], b = view.code_of[v];
        const bool real = v < view.vertices;
        const std::uint64_t v_begin = real ? view.offsets[v] : 0, v_end = real ? view.offsets[v + 1] : 0;
        deltas[k] = u == v ? 0 : rows.delta(view.offsets[u], view.offsets[u + 1], v, v_begin, v_end, u, a, b);
    }
}

template <class Rows>
void propose_blocks(const WalkView& view, std::uint64_t count, const std::uint32_t* positions,
                    const std::uint64_t* draws, std::uint32_t* partners, std::int64_t* deltas) {
    constexpr std::uint64_t kBlock = 64;
    const Rows rows(view);
    for (std::uint64_t k = 0; k < count; k += kBlock)
        propose_block(view, rows, count - k < kBlock ? count - k : kBlock, positions + k, draws + k, partners + k,
                      deltas + k);
}

}  // namespace

}  // namespace qapfw::sparse
