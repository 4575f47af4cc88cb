// SPDX-License-Identifier: Apache-2.0
// Two problems over segments. ToySegments is small enough for brute force and only evaluates whole solutions.
// ToyAssignment reports the deltas of moves.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "qapfw/kernels/philox.hpp"
#include "qapfw/sdk/one_segment_problem.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::test {

/// A solution has four segments: a permutation of 4 numbers; four values with the bounds 3, 1, 4 and 2; three bits; and
/// five values, of which two are 0, one is 1 and two are 2. Each element has a random cost that depends on its value
/// and on the value before it. Optionally the first element of every segment is fixed.
class ToySegments {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::flag("fixed", false).summary("Whether the first element of every segment keeps its value.")};

    ToySegments(const sdk::Host&, const sdk::Parameters& parameters)
        : encoding_(std::move(
              sdk::Encoding().add_permutation32(4).add_values({3, 1, 4, 2}).add_bits(3).add_counted_values({2, 1, 2}))),
          mask_{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0} {
        base_.resize(encoding_.c_encoding().solution_bytes);
        sdk::base_solution(encoding_.c_encoding(), base_.data());
        const bool fixed = parameters.boolean("fixed");
        info_.struct_size = sizeof info_;
        info_.n = 16;
        info_.encoding = encoding_.c_encoding(fixed ? mask_.data() : nullptr, fixed ? base_.data() : nullptr);
        info_.cost_kind = QAPFW_COST_INT64;
        info_.sense = 1;
        info_.display_divisor = 1;
        info_.instance = "toy";
        info_.summary = "toy segments";
    }
    const qapfw_problem_info& info() const { return info_; }
    std::int64_t cost(const void* solution) const {
        std::int64_t sum = 0;
        std::uint32_t number = 0, before = 0;
        for (std::uint32_t s = 0; s < info_.encoding.segment_count; ++s) {
            const qapfw_segment& segment = info_.encoding.segments[s];
            for (std::uint32_t k = 0; k < segment.length; ++k, ++number) {
                const std::uint32_t value = sdk::element_at(segment, solution, k);
                sum += kernels::below(kernels::draw(5, number, before, 1, value), 1000);
                before = value;
            }
        }
        return sum;
    }
    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            batch.costs[k].i = cost(sdk::solution_at(batch.solutions, info_.encoding.solution_bytes, k));
        }
    }
    void write_artefacts(const void*, qapfw_cost, const sdk::Emit&) const {}

    /// Names the first mistake in a solution: a value not below its bound, a repeated value of a permutation, a changed
    /// fixed element, or wrong counts of values. Returns "" for a valid solution.
    std::string defect(const void* solution) const {
        std::uint32_t number = 0;
        for (std::uint32_t s = 0; s < info_.encoding.segment_count; ++s) {
            const qapfw_segment& segment = info_.encoding.segments[s];
            std::vector<std::uint32_t> held(16);
            for (std::uint32_t k = 0; k < segment.length; ++k, ++number) {
                const std::uint32_t value = sdk::element_at(segment, solution, k);
                if (value >= sdk::bound_at(segment, k)) return "element " + std::to_string(number) + " is too large";
                if (++held[value] > 1 && segment.kind == QAPFW_SEGMENT_PERMUTATION) return "a value comes twice";
                const bool fixed = info_.encoding.fixed != nullptr && mask_[number] != 0;
                if (fixed && value != sdk::element_at(segment, base_.data(), k)) return "a fixed element changed";
            }
            for (std::uint32_t v = 0; segment.counts != nullptr && v < segment.bound; ++v) {
                if (held[v] != segment.counts[v]) return "counts are not kept";
            }
        }
        return {};
    }

    /// The least cost of all valid solutions.
    std::int64_t brute_force() const {
        std::vector<unsigned char> solution(info_.encoding.solution_bytes);
        std::int64_t best = std::numeric_limits<std::int64_t>::max();
        const std::function<void(std::uint32_t, std::uint32_t)> fill = [&](std::uint32_t s, std::uint32_t k) {
            if (s == info_.encoding.segment_count) {
                if (defect(solution.data()).empty()) best = std::min(best, cost(solution.data()));
                return;
            }
            const qapfw_segment& segment = info_.encoding.segments[s];
            if (k == segment.length) return fill(s + 1, 0);
            for (std::uint32_t v = 0; v < sdk::bound_at(segment, k); ++v) {
                std::uint32_t held = 0;
                for (std::uint32_t other = 0; other < k; ++other) {
                    held += sdk::element_at(segment, solution.data(), other) == v ? 1u : 0u;
                }
                if (segment.kind == QAPFW_SEGMENT_PERMUTATION && held > 0) continue;
                if (segment.counts != nullptr && held == segment.counts[v]) continue;
                sdk::set_element(segment, solution.data(), k, v);
                fill(s, k + 1);
            }
        };
        fill(0, 0);
        return best;
    }

  private:
    sdk::Encoding encoding_;
    std::vector<std::uint8_t> mask_;
    std::vector<unsigned char> base_;
    qapfw_problem_info info_{};
};

/// Ten items, each in one of four groups. A pair in the same group costs its weight. The problem reports the delta of
/// moving one item to another group.
class ToyAssignment : public sdk::AssignmentProblem<ToyAssignment> {
  public:
    ToyAssignment(const sdk::Host&, const sdk::Parameters&)
        : AssignmentProblem({.items = 10, .values = 4, .instance = "toy"}) {}
    std::int64_t cost(const std::uint16_t* place) const {
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < n(); ++i) {
            for (std::uint32_t j = i + 1; j < n(); ++j) sum += place[i] == place[j] ? weight(i, j) : 0;
        }
        return sum;
    }
    std::int64_t delta_set(const std::uint16_t* place, std::uint32_t i, std::uint32_t value) const {
        std::int64_t delta = 0;
        for (std::uint32_t j = 0; j < n(); ++j) {
            if (j != i) delta += (place[j] == value ? weight(i, j) : 0) - (place[j] == place[i] ? weight(i, j) : 0);
        }
        return delta;
    }

  private:
    static std::int64_t weight(std::uint32_t i, std::uint32_t j) {
        return static_cast<std::int64_t>(kernels::below(kernels::draw(9, i < j ? i : j, i < j ? j : i, 1, 0), 201)) -
               100;
    }
};

}  // namespace qapfw::test
