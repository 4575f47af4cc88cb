// SPDX-License-Identifier: Apache-2.0
// Problem "uaflp", unequal-area facility layout in flexible bays: a permutation of the departments and n - 1 bay bits.
// Solvers minimise the cost with its penalty (a double); artefacts and drawings tell the cost without it, and what is
// infeasible.
#pragma once

#include <memory>
#include <string>

#include "problems/uaflp/device_problem.hpp"
#include "problems/uaflp/evaluator.hpp"
#include "problems/uaflp/instance.hpp"
#include "problems/uaflp/layout.hpp"
#include "problems/uaflp/neighbour_bounds.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::uaflp {

class UaflpProblem {
  public:
    static constexpr qapfw_parameter kParameters[] = {
        {.name = "instance",
         .type = QAPFW_PARAMETER_TEXT,
         .flags = QAPFW_PARAMETER_REQUIRED | QAPFW_PARAMETER_PATH,
         .default_text = nullptr,
         .minimum = 0,
         .maximum = 0,
         .choices = nullptr,
         .unit = nullptr,
         .symbol = nullptr,
         .summary = "A TOML or JSON file, a name in the data folders, or a name that is generated (F60, F60-s7)."},
        {.name = "penalty",
         .type = QAPFW_PARAMETER_CHOICE,
         .flags = 0,
         .default_text = "feasible_first",
         .minimum = 0,
         .maximum = 0,
         .choices = "adaptive|power|feasible_first",
         .unit = nullptr,
         .symbol = nullptr,
         .summary = "Of D departments with wrong shapes: cost + D^k (V_feas - V_all), cost (1 + D^k), or above all "
                    "layouts with fewer of them."},
        {.name = "exponent",
         .type = QAPFW_PARAMETER_REAL,
         .flags = 0,
         .default_text = "3",
         .minimum = 0,
         .maximum = 16,
         .choices = nullptr,
         .unit = nullptr,
         .symbol = "k",
         .summary = "Exponent of the adaptive and the power penalty."},
        {.name = "orientation",
         .type = QAPFW_PARAMETER_CHOICE,
         .flags = 0,
         .default_text = "both",
         .minimum = 0,
         .maximum = 0,
         .choices = "both|first|second",
         .unit = nullptr,
         .symbol = nullptr,
         .summary = "Bays side by side along the plant's width (first), along its height, or whichever is better."},
        {.name = "tolerance",
         .type = QAPFW_PARAMETER_REAL,
         .flags = 0,
         .default_text = "1e-6",
         .minimum = 0,
         .maximum = 0.1,
         .choices = nullptr,
         .unit = nullptr,
         .symbol = nullptr,
         .summary = "Relative excess over a shape rule that still counts as feasible."},
        {.name = "precision",
         .type = QAPFW_PARAMETER_CHOICE,
         .flags = 0,
         .default_text = "double",
         .minimum = 0,
         .maximum = 0,
         .choices = "double|float",
         .unit = nullptr,
         .symbol = nullptr,
         .summary =
             "Numbers that GPUs compute costs with. float is faster; its searches are not the CPU's, and what is "
             "reported is computed again in double."}};

    UaflpProblem(const sdk::Host& host, const sdk::Parameters& parameters);
    UaflpProblem(const UaflpProblem&) = delete;  // info() points into this object
    UaflpProblem& operator=(const UaflpProblem&) = delete;

    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const;
    void read_solution(std::string_view text, void* solution) const;
    void write_artefacts(const void* solution, qapfw_cost cost, const sdk::Emit& emit) const;
    void draw(const void* solution, const sdk::Emit& emit) const;
    const qapfw_device_problem& device() const;
    bool has_approximate_device() const { return float_evaluator_ != nullptr; }

    static void list_instances(const sdk::Host& host, const sdk::Emit& emit);
    void write_instance(const sdk::Emit& emit) const;

    /// Bounds for local searches, see sdk/bay_neighbourhood.hpp.
    class BayBounds : public NeighbourBounds {
      public:
        explicit BayBounds(const UaflpProblem& problem)
            : NeighbourBounds(problem.evaluator_, problem.flow_rows_, problem.info_.encoding.segments[1].offset) {}
    };

    const UaflpInstance& instance() const { return instance_; }
    const EvaluationOptions& options() const { return options_; }

  private:
    void fix_adaptive_gap(const sdk::Host& host);
    void fill_info();
    void fill_best_known();
    std::uint64_t fingerprint() const;
    bool tries(unsigned orientation) const { return (evaluator_.view().orientations >> orientation & 1u) != 0; }
    std::span<const std::uint16_t> permutation(const void* solution) const;
    std::span<const std::uint8_t> bits(const void* solution) const;
    Layout layout(const void* solution) const;

    UaflpInstance instance_;
    EvaluationOptions options_;
    Evaluator evaluator_;
    std::unique_ptr<FloatEvaluator> float_evaluator_;  ///< what GPUs compute with; null: the other one
    FlowRows flow_rows_;
    sdk::Encoding encoding_;
    mutable std::unique_ptr<DeviceProblem> device_;  ///< made when first asked for
    std::string summary_, best_known_source_;
    qapfw_problem_info info_{};
};

}  // namespace qapfw::uaflp
