// SPDX-License-Identifier: Apache-2.0
// A sparse instance for the device: the macros with which device/sparse_problem.cuh is compiled, and the DeviceView
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

/// Holds a qapfw_device_problem and some of the arrays that it points to. The other arrays belong to the graph and the
/// target, which must outlive this object.
class DeviceProblem {
  public:
    DeviceProblem(const Graph& graph, const Target& target);
    DeviceProblem(const DeviceProblem&) = delete;
    DeviceProblem& operator=(const DeviceProblem&) = delete;
    const qapfw_device_problem& describe() const { return problem_; }

  private:
    void take_order(const Graph& graph, std::uint32_t locations);
    void take_graph(const Graph& graph);
    /// Stores the arcs in as few bytes as their ends and weights need.
    void take_arcs(const Graph& graph);
    void take_rows(const Graph& graph);
    void take_target(const Target& target);

    /// Returns how many arcs of a row are packed.
    std::uint32_t packed_count(std::uint32_t vertex) const;

    std::string macros_;
    /// For each row its position in the solution; empty: row k belongs to position k.
    std::vector<std::uint32_t> positions_;
    PackedRows packed_;
    std::vector<std::byte> arcs_;  ///< elements of type DeviceArc (device/sparse_rows.cuh)
    /// Elements of type DeviceRow (in sparse_rows.cuh); empty: all vertices have the same degree, or all arcs are
    /// packed.
    std::vector<std::byte> rows_;
    std::vector<qapfw_text> texts_;
    DeviceView view_{};
    std::vector<qapfw_view_buffer> buffers_;
    qapfw_device_problem problem_{};
};

}  // namespace qapfw::sparse
