// SPDX-License-Identifier: Apache-2.0
// The meaning of a problem's 8-byte cost: its order, its displayed form (sense and divisor), gaps to a known value,
// targets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "qapfw/abi/problem.h"

namespace qapfw::framework {

/// Says how costs of one problem are compared and displayed. The framework minimises the cost, and displays
/// sense * cost / divisor.
struct CostSpace {
    std::uint32_t kind = QAPFW_COST_INT64;
    std::int32_t sense = 1;
    std::int64_t divisor = 1;

    /// The defect of a cost space that was read from a file; empty: none.
    std::string defect() const;
    static CostSpace of(const qapfw_problem_info& info) { return {info.cost_kind, info.sense, info.display_divisor}; }

    bool less(qapfw_cost a, qapfw_cost b) const { return kind == QAPFW_COST_FLOAT64 ? a.f < b.f : a.i < b.i; }
    bool at_most(qapfw_cost a, qapfw_cost b) const { return !less(b, a); }
    /// True if a reported cost agrees with the recomputed one: integers exactly, reals up to the relative tolerance.
    bool agree(qapfw_cost reported, qapfw_cost recomputed, double tolerance = kRealTolerance) const;
    /// True if the cost is the known optimum. A lower integer cost does not count: it shows that `optimum` belongs to
    /// another instance. A lower real cost counts, since rounding may have lowered it.
    bool is_optimum(qapfw_cost cost, qapfw_cost optimum) const {
        return kind == QAPFW_COST_FLOAT64 ? at_most(cost, optimum) : cost.i == optimum.i;
    }
    /// False if the cost is NaN.
    bool is_number(qapfw_cost cost) const { return kind != QAPFW_COST_FLOAT64 || cost.f == cost.f; }

    /// The cost in the displayed form.
    double shown(qapfw_cost cost) const;
    std::string shown_text(qapfw_cost cost) const;
    /// The raw value, exactly: decimal for integers, 17 digits for reals; `parse_raw` reads it back.
    std::string raw_text(qapfw_cost cost) const;
    qapfw_cost parse_raw(const std::string& text) const;

    /// (cost - reference) / divisor, positive if the cost is worse.
    double excess(qapfw_cost cost, qapfw_cost reference) const;
    /// (cost - reference) / |reference|; nothing if the reference is 0.
    std::optional<double> gap(qapfw_cost cost, qapfw_cost reference) const;

    /// Default tolerance for real costs: how far a reported cost may be from the recomputed cost, relative to
    /// max(1, |recomputed cost|).
    static constexpr double kRealTolerance = 1e-9;
    /// Tolerance for costs that a GPU computed in float, also relative. Rounding alone causes deviations of about 1e-5.
    static constexpr double kDeviceTolerance = 1e-3;
};

/// The target cost that `text` names: "best-known", "best-known+0.5%" or a displayed cost ("7205962"). Throws
/// Error(kUsage) for another text, or if `text` needs the best-known cost of an instance that has none.
qapfw_cost parse_target(const std::string& text, const qapfw_problem_info& info);

}  // namespace qapfw::framework
