// SPDX-License-Identifier: Apache-2.0
// A QAP instance for the device: the matrices in the narrowest exact form, the macros for compiling the device texts,
// and the view that kernels get. The head of qap_problem.cuh defines the form of the matrices.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "problems/qap/costs/interchangeable.hpp"
#include "problems/qap/costs/normal_form.hpp"
#include "problems/qap/device/qap_device_plan.hpp"
#include "problems/qap/instances/fixed_assignments.hpp"
#include "problems/qap/matrices.hpp"
#include "qapfw/abi/device.h"
#include "qapfw/abi/problem.h"

namespace qapfw::qap {

/// The matrices in the form of the device. cost(p) = (halves ? sum / 2 : sum) * delta_scale + cost_offset + linear
/// costs, where sum = sum_ij a_ij b_p(i)p(j) over the entries of this form. The constructor takes O(n^3) at most.
struct DeviceForm {
    DeviceForm(const QapMatrices& matrices, const FixedAssignments& fixed);

    std::uint32_t n = 0, movable = 0;
    bool symmetric = false;        ///< true if both matrices are symmetric
    bool diagonal = false;         ///< true if costs depend on the diagonals
    bool linear = false;           ///< true if facilities have linear costs; delta_scale is 1 then
    bool forbidden = false;        ///< true if linear costs include the penalties of forbidden pairs
    bool whole = false;            ///< true if deltas are not halved, because linear costs may be odd
    std::int64_t delta_scale = 1;  ///< change of the cost for an internal delta of 1
    std::int64_t cost_offset = 0;
    std::int64_t greatest_a = 0, greatest_b = 0;  ///< largest entries; no entry is negative
    std::uint64_t delta_bound = 0;                ///< bound of every |internal delta| and of its change by a swap
    std::vector<std::int64_t> a;                  ///< matrix a, with rows and columns in the order of `order`
    std::vector<std::int64_t> b;
    std::vector<std::uint16_t> order;        ///< original number of each position: free ones first
    std::vector<std::int64_t> linear_costs;  ///< n costs for each position in the order of `order`, or empty
    std::vector<std::int64_t> linear_rows;   ///< linear_costs minus the least one of each position
    std::uint64_t linear_range = 0;          ///< largest entry of linear_rows

    bool halves() const { return symmetric && !diagonal && !whole; }
    InstanceTraits traits() const;

  private:
    void take(const NormalForm& form, const QapMatrices& matrices);
    void make_nonnegative(std::vector<std::int64_t>& shifted, const std::vector<std::int64_t>& other);
    void double_one();
    void bound_deltas();
    void take_linear(const QapMatrices& matrices);
};

/// Owns the data that qapfw_device_problem points to. The constructor throws Error(kInput) if an entry of DeviceForm
/// needs more than 32 bits.
class DeviceProblem {
  public:
    DeviceProblem(const QapMatrices& matrices, const FixedAssignments& fixed, const Interchangeable& equals = {});
    const qapfw_device_problem& describe() const { return problem_; }
    /// Number of searches that one multiprocessor of `device` runs at the same time; 0 (unknown) with forbidden pairs.
    std::uint32_t searches_on(const qapfw_device& device) const;

  private:
    struct View {  // the same layout as View in qap_problem.cuh, with addresses as integers
        std::uint64_t a, b, order;
        std::int64_t cost_offset;
        std::uint64_t linear;
        std::int64_t limit;
        std::uint64_t linear_rows;
    };
    InstanceTraits traits_{};
    std::string macros_;
    std::vector<qapfw_text> texts_;
    std::vector<unsigned char> a_, b_;
    std::vector<std::uint16_t> order_;
    std::vector<std::int64_t> linear_;
    std::vector<unsigned char> linear_rows_;
    View view_{};
    std::vector<qapfw_view_buffer> buffers_;
    qapfw_device_problem problem_{};
};

}  // namespace qapfw::qap
