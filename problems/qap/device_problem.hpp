// SPDX-License-Identifier: Apache-2.0
// A QAP instance as the device sees it: the matrices in the narrowest exact form, the macros that problems/qap/device
// is compiled with, and the plain-data view. The forms are defined at the head of device/qap_problem.cuh.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "problems/qap/device/qap_device_plan.hpp"
#include "problems/qap/fixed_assignments.hpp"
#include "problems/qap/formulation.hpp"
#include "problems/qap/matrices.hpp"
#include "qapfw/abi/problem.h"

namespace qapfw::qap {

/// The matrices brought to the device's form, with cost(p) = (halves ? sum / 2 : sum) * delta_scale + cost_offset where
/// sum = sum_ij a_ij b_p(i)p(j) over the new entries. O(n^3) for the bound of the deltas.
struct DeviceForm {
    DeviceForm(const QapMatrices& matrices, const FixedAssignments& fixed);

    std::uint32_t n = 0, movable = 0;
    bool symmetric = false;        ///< both matrices are
    bool diagonal = false;         ///< both diagonals matter
    std::int64_t delta_scale = 1;  ///< cost change of an internal delta
    std::int64_t cost_offset = 0;
    std::int64_t greatest_a = 0, greatest_b = 0;  ///< entries are not negative
    std::uint64_t delta_bound = 0;  ///< no internal delta, and no change of one, exceeds this in absolute value
    std::vector<std::int64_t> a;    ///< rows and columns in the order of `order`
    std::vector<std::int64_t> b;
    std::vector<std::uint16_t> order;  ///< original number of each position: movable ones first

    bool halves() const { return symmetric && !diagonal; }
    InstanceTraits traits() const;

  private:
    void drop_constant_diagonals();
    void make_symmetric();
    void make_nonnegative(std::vector<std::int64_t>& shifted, const std::vector<std::int64_t>& other);
    void bound_deltas();
};

/// Owns what qapfw_device_problem points to. Throws Error(kInput) where entries need more than 32 bits.
class DeviceProblem {
  public:
    DeviceProblem(const QapMatrices& matrices, const FixedAssignments& fixed,
                  Formulation formulation = Formulation::kDirect);
    const qapfw_device_problem& describe() const { return problem_; }

  private:
    struct View {  // as in device/qap_problem.cuh
        std::uint64_t a, b, order;
        std::int64_t cost_offset;
    };
    std::string macros_;
    std::vector<qapfw_text> texts_;
    std::vector<unsigned char> a_, b_;
    std::vector<std::uint16_t> order_;
    View view_{};
    std::vector<qapfw_view_buffer> buffers_;
    qapfw_device_problem problem_{};
};

}  // namespace qapfw::qap
