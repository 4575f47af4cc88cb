// SPDX-License-Identifier: Apache-2.0
// Problem "uaflp": unequal-area facility layout, in flexible bays or by slicing trees. A solution is a permutation of
// the departments with n - 1 bay bits, or with n - 1 genes of a tree. Solvers minimise the cost with its penalty (a
// double). Files and drawings show the cost without the penalty, and which departments are infeasible.
#pragma once

#include <memory>
#include <string>

#include "problems/uaflp/device_problem.hpp"
#include "problems/uaflp/evaluator.hpp"
#include "problems/uaflp/instance.hpp"
#include "problems/uaflp/layout.hpp"
#include "problems/uaflp/neighbour_bounds.hpp"
#include "problems/uaflp/slicing_evaluator.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::uaflp {

class UaflpProblem {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::text("instance")
            .required()
            .path()
            .summary("The instance to solve: a TOML, JSON or CSV file, or the name of an instance in the data folders. "
                     "For a name such as F60 or F60-s7 the program generates an instance with 60 departments; s7 "
                     "means seed 7."),
        sdk::choice("structure", "auto", "bays|slicing")
            .or_auto()
            .summary("Form of the layouts. bays: departments are stacked in bays (strips) that lie side by side. "
                     "slicing: a straight cut divides the plant in two, further cuts divide each part in two, and so "
                     "on; layouts in bays are a special case. auto: slicing if the run names slicing_local_search or "
                     "no algorithm, or if the instance demands something that bays do not support; otherwise bays."),
        sdk::choice("penalty", "feasible_first", "adaptive|power|feasible_first")
            .summary("How a layout in which D departments break shape rules is penalised. feasible_first: its cost is "
                     "above that of every layout with fewer such departments. power: cost (1 + D^k). adaptive: cost + "
                     "D^k (V_feas - V_all), where V_feas and V_all are the least costs of feasible and of all layouts "
                     "in a random sample. k is `exponent`."),
        sdk::real("exponent", 3)
            .range(0, 16)
            .symbol("k")
            .summary("Exponent k of the number of departments that break shape rules, with penalty = \"adaptive\" or "
                     "\"power\". With a larger exponent the penalty grows faster with this number."),
        sdk::choice("orientation", "both", "both|first|second")
            .summary("Direction in which bays (strips of departments) lie side by side. first: along the plant's "
                     "width. second: along its height. both: the better of the two. Slicing trees use this setting "
                     "only if the departments do not fill the plant and have no rules besides shapes: the layout then "
                     "spans the plant's whole height (first) or its whole width (second); both takes the better one."),
        sdk::real("tolerance", 1e-6)
            .range(0, 0.1)
            .summary("How far a department may exceed a shape rule and still count as correct, as a fraction of the "
                     "rule's limit. 0.01 allows 1 %."),
        sdk::choice("precision", "double", "double|float")
            .summary("Type of number with which GPUs compute costs of layouts in bays. float is faster, but searches "
                     "then differ from those on the CPU. Costs that are reported are always computed in double.")};

    UaflpProblem(const sdk::Host& host, const sdk::Parameters& parameters);
    UaflpProblem(const UaflpProblem&) = delete;  // info() points into this object
    UaflpProblem& operator=(const UaflpProblem&) = delete;

    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const;
    void read_solution(std::string_view text, void* solution) const;
    void write_artefacts(const void* solution, qapfw_cost cost, const sdk::Emit& emit) const;
    void draw(const void* solution, const sdk::Emit& emit) const;
    std::string infeasibility(const void* solution) const { return describe_faults(layout(solution)); }
    const qapfw_device_problem& device() const;
    bool has_approximate_device() const { return float_evaluator_ != nullptr; }

    /// Data for searches over slicing trees; null for bays.
    const qapfw_slicing* slicing() const { return slicing_ ? &slicing_data_ : nullptr; }
    double slicing_flow_cost(const double* x, const double* y) const {
        return slicing_->flow_function()(slicing_->view(), x, y);
    }
    const char* preferred_solver() const { return slicing_ ? "slicing_local_search" : nullptr; }

    static void list_instances(const sdk::Host& host, const sdk::Emit& emit);
    void write_instance(const sdk::Emit& emit) const;
    static void recognise(const sdk::Host& host, const std::string& reference, const sdk::Emit& emit);

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
    void set_best_known(double cost, std::string source);
    std::uint64_t fingerprint() const;
    bool tries(unsigned orientation) const { return (evaluator_.view().orientations >> orientation & 1u) != 0; }
    std::span<const std::uint16_t> permutation(const void* solution) const;
    std::span<const std::uint8_t> bits(const void* solution) const;
    SlicingCode code(const void* solution) const;
    void write_code(const SlicingCode& code, void* solution) const;
    void evaluate_trees(const qapfw_batch& batch) const;
    void describe_slicing();
    void describe_practice();
    Layout layout(const void* solution) const;

    UaflpInstance instance_;
    EvaluationOptions options_;
    Evaluator evaluator_;
    /// The evaluator that computes in float, used on GPUs. Null: GPUs use evaluator_.
    std::unique_ptr<FloatEvaluator> float_evaluator_;
    FlowRows flow_rows_;
    std::unique_ptr<SlicingEvaluator> slicing_;  ///< null: layouts are in bays
    qapfw_slicing slicing_data_{};
    std::vector<qapfw_slicing_rule> slicing_rules_;
    sdk::Encoding encoding_;
    mutable std::unique_ptr<DeviceProblem> device_;  ///< made at the first request
    std::string summary_, best_known_source_;
    qapfw_problem_info info_{};
};

}  // namespace qapfw::uaflp
