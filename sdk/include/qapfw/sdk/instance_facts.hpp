// SPDX-License-Identifier: Apache-2.0
// Further facts about an instance, for classes derived from PermutationProblem, AssignmentProblem or BinaryProblem:
//
//     Mine(...) : PermutationProblem({.n = 12, .instance = "mine",
//                                     .facts = {.best_known = 578, .best_known_source = "Smith 2020", .fixed = fixed}})
//                                     {}
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qapfw/abi/problem.h"
#include "qapfw/error.hpp"
#include "qapfw/sdk/encoding.hpp"

namespace qapfw::sdk {

/// A cost that is known beforehand: an integer, or a real number if the problem's costs are real.
class KnownCost {
  public:
    /// @{
    /// Makes a known cost from a number.
    template <std::integral Number>
    KnownCost(Number cost) : integer_(cost), real_(static_cast<double>(cost)) {}  // NOLINT: implicit
    KnownCost(double cost) : real_(cost), is_real_(true) {}                       // NOLINT
    /// @}
    /// Returns the cost in the form that `kind` says (QAPFW_COST_...). Throws Error(kInput) if the cost was made from a
    /// `double` and `kind` says that costs are integers.
    qapfw_cost as(std::uint32_t kind) const {
        qapfw_cost cost{};
        if (kind == QAPFW_COST_FLOAT64) {
            cost.f = real_;
        } else if (is_real_) {
            throw Error(ErrorKind::kInput, "a known cost is " + std::to_string(real_) + "; an integer was wanted");
        } else {
            cost.i = integer_;
        }
        return cost;
    }

  private:
    std::int64_t integer_ = 0;
    double real_ = 0;
    bool is_real_ = false;
};

/// Facts about an instance, except its size and name. Fields as in qapfw_problem_info.
struct InstanceFacts {
    std::int64_t display_divisor = 1;           ///< at least 1; a cost is divided by this number for display
    std::optional<KnownCost> best_known = {};   ///< least known cost, as computed, not as displayed
    std::string best_known_source = {};         ///< publication or file of best_known, with date
    bool best_known_is_optimal = false;         ///< no solution costs less than best_known
    std::optional<KnownCost> lower_bound = {};  ///< no solution costs less
    std::vector<std::int64_t> fixed = {};       ///< value of each element, -1 if it is free; empty: all are free
};

/// Owns the data that a problem's info points to.
class KeptFacts {
  public:
    /// Copies the facts.
    explicit KeptFacts(InstanceFacts facts) : facts_(std::move(facts)) {}
    KeptFacts(const KeptFacts&) = delete;
    KeptFacts& operator=(const KeptFacts&) = delete;

    /// Writes the facts into the info of a problem with one segment. Throws Error(kInput) if no solution can have the
    /// fixed values, or if costs are integers and a known cost was made from a `double`.
    void tell(qapfw_problem_info& info) {
        info.display_divisor = facts_.display_divisor;
        if (facts_.best_known) {
            info.has_best_known = 1;
            info.best_known = facts_.best_known->as(info.cost_kind);
            info.best_known_source = facts_.best_known_source.empty() ? nullptr : facts_.best_known_source.c_str();
            info.best_known_is_optimal = facts_.best_known_is_optimal ? 1 : 0;
        }
        if (facts_.lower_bound) {
            info.has_lower_bound = 1;
            info.lower_bound = facts_.lower_bound->as(info.cost_kind);
        }
        if (!facts_.fixed.empty()) fix(info.encoding);
    }

  private:
    [[noreturn]] static void refuse(const std::string& what) { throw Error(ErrorKind::kInput, "fixed: " + what); }

    void fix(qapfw_encoding& encoding) {
        const qapfw_segment& segment = encoding.segments[0];
        if (facts_.fixed.size() != segment.length) {
            refuse("wanted " + std::to_string(segment.length) + " entries, found " +
                   std::to_string(facts_.fixed.size()));
        }
        std::vector<std::uint32_t> left = room_of(segment);
        flags_.assign(segment.length, 0);
        solution_.assign(encoding.solution_bytes / sizeof(std::uint64_t), 0);
        for (std::uint32_t k = 0; k < segment.length; ++k) {
            if (facts_.fixed[k] == -1) continue;
            const std::string at = std::to_string(facts_.fixed[k]) + " at element " + std::to_string(k);
            if (facts_.fixed[k] < 0 || facts_.fixed[k] >= bound_at(segment, k))
                refuse(at + " is no value that this element can have");
            const auto value = static_cast<std::uint32_t>(facts_.fixed[k]);
            if (!left.empty() && left[value]-- == 0) refuse(at + " comes too often");
            flags_[k] = 1;
            set_element(segment, solution_.data(), k, value);
        }
        fill_free(segment, left);
        encoding.fixed = flags_.data();
        encoding.fixed_solution = solution_.data();
    }
    /// How often each value may occur; empty: any number of times.
    static std::vector<std::uint32_t> room_of(const qapfw_segment& segment) {
        if (segment.kind == QAPFW_SEGMENT_PERMUTATION) return std::vector<std::uint32_t>(segment.length, 1);
        if (segment.counts == nullptr) return {};
        return {segment.counts, segment.counts + (segment.kind == QAPFW_SEGMENT_VALUES ? segment.bound : 2)};
    }
    /// Gives the free elements the remaining values in ascending order, so that the solution is valid.
    void fill_free(const qapfw_segment& segment, std::vector<std::uint32_t>& left) {
        std::uint32_t value = 0;
        for (std::uint32_t k = 0; k < segment.length && !left.empty(); ++k) {
            if (flags_[k] != 0) continue;
            while (left[value] == 0) ++value;
            --left[value];
            set_element(segment, solution_.data(), k, value);
        }
    }

    InstanceFacts facts_;
    std::vector<std::uint8_t> flags_;
    std::vector<std::uint64_t> solution_;  ///< 64-bit words, so that the solution is aligned
};

}  // namespace qapfw::sdk
