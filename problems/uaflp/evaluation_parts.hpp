// SPDX-License-Identifier: Apache-2.0
// Code that the evaluators of bays and slicing trees share: options, exact areas, penalties.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "problems/uaflp/evaluator.hpp"
#include "qapfw/error.hpp"

namespace qapfw::uaflp {

/// Throws qapfw::Error (kInput) if an option is out of range.
void check_options(const EvaluationOptions& options);

/// base^exponent. Whole exponents use multiplication, which gives the same bits on every machine.
double power(double base, double exponent);

/// Returns a unit, a power of two. Sums of multiples of half the unit are exact up to `total` in floating-point numbers
/// with `digits` binary digits.
double exact_unit(double total, int digits);

/// Sets the penalty of a view. `flow` is the sum of all flows, or more if ways by lift can be longer than the plant's
/// width plus height. Throws qapfw::Error (kInput) if costs could overflow.
template <class View>
void set_penalty_rule(View& view, const UaflpInstance& instance, const EvaluationOptions& options, double flow) {
    using Real = std::remove_cvref_t<decltype(view.penalty_scale)>;
    static_assert(static_cast<int>(Penalty::kFeasibleFirst) == kernels::kFbsPenaltyFeasibleFirst);
    view.penalty = static_cast<kernels::FbsPenalty>(options.penalty);  // both enumerations have the same numbers
    if (options.penalty == Penalty::kFeasibleFirst) {
        // The scale exceeds every cost of flows, since no such cost exceeds `flow` times the plant's width plus height.
        // The scale is a power of two, so that products with the scale are exact.
        int exponent = 0;
        std::frexp(std::max(flow, 1e-300) * (instance.width + instance.height) * (1 + 1e-6), &exponent);
        view.penalty_scale = static_cast<Real>(std::ldexp(1.0, exponent));
    }
    const double greatest = std::max(1.0, flow) * (instance.width + instance.height) *
                            (1 + power(static_cast<double>(instance.size()), std::max(1.0, options.exponent)));
    if (!(greatest < static_cast<double>(std::numeric_limits<Real>::max()))) {
        throw Error(ErrorKind::kInput,
                    "costs could overflow: scale flows or plant down, lower the penalty's exponent, or, if "
                    "problem.precision is \"float\", set it to \"double\"");
    }
}

}  // namespace qapfw::uaflp
