// SPDX-License-Identifier: Apache-2.0
// A sparse instance as the device sees it: the macros with which device/sparse_problem.cuh is compiled, and its view
// with its arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "problems/sparse_qap/device/sparse_view.cuh"
#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/row_order.hpp"
#include "problems/sparse_qap/targets/target.hpp"
#include "qapfw/abi/problem.h"

namespace qapfw::sparse {

/// Owns what qapfw_device_problem points to; graph and target must outlive it.
class DeviceProblem {
  public:
    DeviceProblem(const Graph& graph, const Target& target);
    DeviceProblem(const DeviceProblem&) = delete;
    DeviceProblem& operator=(const DeviceProblem&) = delete;
    const qapfw_device_problem& describe() const { return problem_; }

  private:
    void take_order(const Graph& graph, std::uint32_t locations);
    void take_graph(const Graph& graph);
    /// Takes the arcs in as few bytes as their ends and weights need.
    void take_arcs(const Graph& graph);
    void take_rows(const Graph& graph);
    void take_target(const Target& target);

    /// Arcs of a row that are packed.
    std::uint32_t packed_count(std::uint32_t vertex) const;

    std::string macros_;
    std::vector<std::uint32_t> positions_;  ///< of each number; empty: the same
    PackedRows packed_;
    std::vector<std::byte> arcs_;  ///< of the type DeviceArc in device/sparse_rows.cuh
    std::vector<std::byte> rows_;  ///< of the type DeviceRow there; empty: all vertices have the same degree
    std::vector<qapfw_text> texts_;
    DeviceView view_{};
    std::vector<qapfw_view_buffer> buffers_;
    qapfw_device_problem problem_{};
};

}  // namespace qapfw::sparse
