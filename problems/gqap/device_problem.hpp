// SPDX-License-Identifier: Apache-2.0
// The parts of the problem that a GPU needs: the texts of the device code, and the arrays of an instance.
#pragma once

#include <string>
#include <vector>

#include "problems/gqap/assignment_cost.hpp"
#include "qapfw/abi/problem.h"

namespace qapfw::gqap {

class DeviceProblem {
  public:
    /// `cost` must outlive this object.
    explicit DeviceProblem(const AssignmentCost& cost);
    DeviceProblem(const DeviceProblem&) = delete;
    DeviceProblem& operator=(const DeviceProblem&) = delete;

    const qapfw_device_problem& get() const { return problem_; }

  private:
    /// Device addresses; see Problem::View in device/gqap_problem.cuh.
    struct View {
        std::uint64_t first, flows, distance, linear, weight, capacity;
    };
    std::string constants_;
    View view_{};
    std::vector<qapfw_text> texts_;
    std::vector<qapfw_view_buffer> buffers_;
    qapfw_device_problem problem_;
};

}  // namespace qapfw::gqap
