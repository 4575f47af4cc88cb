// SPDX-License-Identifier: Apache-2.0
// The problem "linear_ordering" for the framework: parameters, encoding, cost, text form, device code.
#pragma once

#include <string>
#include <string_view>

#include "instance.hpp"
#include "qapfw/sdk/problem.hpp"

namespace linear_ordering {

// [problem-class]
class LinearOrdering {
  public:
    static constexpr qapfw::sdk::ParameterTable kParameters{
        qapfw::sdk::text("instance")
            .required()
            .path()
            .summary("The instance file: n, then the n * n entries row by row."),
        qapfw::sdk::integer("best_known")
            .optional()
            .summary("The best value known, for the gap and for target = \"best-known\".")};

    LinearOrdering(const qapfw::sdk::Host& host, const qapfw::sdk::Parameters& parameters);

    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const;
    std::int64_t delta_insertion(const std::uint16_t* order, std::uint32_t from, std::uint32_t to) const;
    void read_solution(std::string_view text, void* solution) const;
    void write_artefacts(const void* solution, qapfw_cost cost, const qapfw::sdk::Emit& emit) const;
    const qapfw_device_problem& device() const { return device_; }
    // [problem-class-end]

    LinearOrdering(const LinearOrdering&) = delete;  // info_ and device_ point into this object
    LinearOrdering& operator=(const LinearOrdering&) = delete;

  private:
    void describe_instance();
    void describe_device();

    Instance instance_;
    qapfw::sdk::Encoding encoding_;
    std::string summary_;
    qapfw_problem_info info_{};
    const void* device_view_ =
        nullptr;  ///< the View of device/linear_ordering.cuh: one address, filled in on the device
    qapfw_view_buffer device_matrix_{};
    std::string device_size_;  ///< device text that defines kLinearOrderingSize
    qapfw_text device_texts_[2]{};
    qapfw_device_problem device_{};
};

}  // namespace linear_ordering
