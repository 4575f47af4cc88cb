// SPDX-License-Identifier: Apache-2.0
// A layout instance for the device: the macros for device/uaflp_problem.cuh or device/slicing_problem.cuh, and the
// evaluator's view with its arrays.
#pragma once

#include <string>
#include <vector>

#include "problems/uaflp/slicing_evaluator.hpp"
#include "qapfw/abi/problem.h"

namespace qapfw::uaflp {

/// Owns what qapfw_device_problem points to.
class DeviceProblem {
  public:
    /// The largest number of departments on a GPU. Each thread keeps the centroids in its own memory, so more
    /// departments would fill the GPU's memory.
    static constexpr std::size_t kMostDepartments = 1024;

    /// The device form for layouts in bays. `bits_offset`: offset of the bits in a solution, in bytes. `evaluator` must
    /// outlive this object. Throws qapfw::Error (kInput) if there are more than kMostDepartments departments.
    template <class Real>
    DeviceProblem(const BasicEvaluator<Real>& evaluator, std::size_t bits_offset);
    /// The device form for slicing trees. `evaluator` must outlive this object.
    explicit DeviceProblem(const SlicingEvaluator& evaluator);
    DeviceProblem(const DeviceProblem&) = delete;
    DeviceProblem& operator=(const DeviceProblem&) = delete;
    const qapfw_device_problem& describe() const { return problem_; }

  private:
    template <class Evaluator>
    void set(const Evaluator& evaluator, const char* text);

    std::string macros_;
    std::vector<qapfw_text> texts_;
    std::vector<std::byte> view_;
    std::vector<qapfw_view_buffer> buffers_;
    qapfw_device_problem problem_{};
};

extern template DeviceProblem::DeviceProblem(const BasicEvaluator<double>&, std::size_t);
extern template DeviceProblem::DeviceProblem(const BasicEvaluator<float>&, std::size_t);

}  // namespace qapfw::uaflp
