// SPDX-License-Identifier: Apache-2.0
// The practical rules of an instance, prepared for the kernels (kernels/slicing_rules.hpp) and described in messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problems/uaflp/evaluator.hpp"
#include "problems/uaflp/layout.hpp"
#include "qapfw/kernels/slicing_view.hpp"

namespace qapfw::uaflp {

/// The practical rules of an instance: a kernels::SlicingPractice, its arrays, the areas of departments, and the flows
/// between departments and points. All of these are empty if the instance has no practical rules.
class PracticeRules {
  public:
    PracticeRules(const UaflpInstance& instance, const EvaluationOptions& options);

    /// The rules and data as kernels read them, valid while this object exists.
    const kernels::SlicingPractice& view() const { return view_; }
    /// The arrays that view() points to. Each ViewArray::view_offset counts from the start of view().
    std::vector<ViewArray> arrays() const;
    /// The departments' areas, chosen within the tolerances. The sum of the areas fits the plant if the tolerances
    /// allow this.
    const std::vector<double>& areas() const { return areas_; }
    /// The flow between a department and a point.
    struct Flow {
        std::size_t department, point;
        double flow;
    };
    const std::vector<Flow>& flows() const { return flows_; }
    double root_width() const { return root_width_; }

    /// Calls add(number) for each number of the practical rules and of their data, for a fingerprint. Does nothing
    /// without practical rules.
    template <class Add>
    void add_to(const Add& add) const {
        if (rules_.empty()) return;
        for (const kernels::SlicingRule& rule : rules_) {
            for (const double number : {double(rule.kind), double(rule.first), double(rule.second), rule.number[0],
                                        rule.number[1], rule.number[2], rule.number[3]}) {
                add(number);
            }
        }
        for (const auto* numbers : {&areas_, &points_, &anchors_, &lifts_}) {
            for (const double number : *numbers) add(number);
        }
        for (const Flow& flow : flows_) add(flow.flow + static_cast<double>(flow.department));
        add(view_.floor_travel);
    }

    /// The rules that these boxes (four numbers per department) break.
    std::vector<BrokenRule> broken(const std::vector<double>& boxes) const;

  private:
    void set_floors();
    void set_areas();
    void add_rules(std::size_t d, double tolerance);
    void add_pairs();
    void add_points();
    void add(kernels::SlicingRuleKind kind, std::size_t first, std::size_t second, std::vector<double> numbers,
             double tolerance, double scale);
    BrokenRule sentence(const kernels::SlicingRule& rule, double amount, const double* box) const;

    const UaflpInstance& instance_;
    double small_;  ///< largest length that counts as zero
    double root_width_;
    std::vector<kernels::SlicingRule> rules_;
    std::vector<double> areas_, points_, places_, flexible_, anchors_, lifts_;
    std::vector<Flow> flows_;
    kernels::SlicingPractice view_{};
};

/// The x coordinate at which a floor begins, with the floors side by side.
double floor_offset(const UaflpInstance& instance, unsigned floor);

/// The cost of moving the departments from the present layout to `placed`.
double moving_cost(const UaflpInstance& instance, const std::vector<PlacedDepartment>& placed);
/// The flow cost of the present layout. Nothing if there are several floors or no present places, or if a department
/// with flow has neither a present nor a fixed place.
std::optional<double> present_cost(const UaflpInstance& instance);

}  // namespace qapfw::uaflp
