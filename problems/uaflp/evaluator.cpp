// SPDX-License-Identifier: Apache-2.0
// Prepares an instance for the FBS kernels, and runs them on the host.
#include "problems/uaflp/evaluator.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>

#include "problems/uaflp/evaluation_parts.hpp"
#include "qapfw/error.hpp"
#include "qapfw/kernels/fbs_decode.hpp"

namespace qapfw::uaflp {
namespace {

/// The least and the greatest bay area with which a department keeps its shape rule, for one bay height B. In a bay of
/// area T, a department of area a has the sides w = T / B and h = a / w. An aspect ratio of at most L means
/// B sqrt(a / L) <= T <= B sqrt(a L). A shorter side of at least s means s B <= T <= a B / s.
struct BayAreas {
    double least = 0;
    double greatest = std::numeric_limits<double>::infinity();
};

BayAreas allowed_bay_areas(const Department& department, double bay_height, double tolerance) {
    BayAreas range;
    if (department.rule.max_aspect_ratio > 0) {
        const double limit = department.rule.max_aspect_ratio * (1 + tolerance);
        range.least = bay_height * std::sqrt(department.area / limit);
        range.greatest = bay_height * std::sqrt(department.area * limit);
    }
    if (department.rule.min_side > 0) {
        const double side = department.rule.min_side * (1 - tolerance);
        range.least = std::max(range.least, side * bay_height);
        range.greatest = std::min(range.greatest, department.area * bay_height / side);
    }
    return range;
}

/// The entries of one candidate. The candidates of a group are interleaved in memory: first entry 0 of each candidate,
/// then entry 1 of each candidate, and so on.
template <class Real>
struct Strided {
    Real* first;
    size_t stride;
    Real& operator[](size_t d) const { return first[d * stride]; }
};

}  // namespace

/// Memory for one group of candidates. Their centroids are aligned to cache lines, so that each vector load stays
/// within one cache line.
template <class Real>
struct BasicEvaluator<Real>::Workspace {
    Workspace(size_t n, size_t group_size) : group(group_size), memory(2 * n * group + kLine), violations(2 * group) {
        void* at = memory.data();
        size_t space = memory.size() * sizeof(Real);
        x = static_cast<Real*>(std::align(kLine * sizeof(Real), 2 * n * group * sizeof(Real), at, space));
        y = x + n * group;
    }
    static constexpr size_t kLine = 64 / sizeof(Real);
    size_t group;
    std::vector<Real> memory;
    Real* x;
    Real* y;
    std::vector<std::uint32_t> violations;
    Real sums[2 * candidates_per_call<Real>(VectorLevel::kAvx512)] = {};
    PairSumFunction<Real> function = nullptr;
};

template <class Real>
BasicEvaluator<Real>::BasicEvaluator(const UaflpInstance& instance, const EvaluationOptions& options) {
    check_options(options);
    view_.departments = static_cast<std::uint32_t>(instance.size());
    view_.euclidean = instance.metric == Metric::kEuclidean ? 1 : 0;
    // In a square, the layouts of one orientation are mirror images of those of the other: one orientation is enough.
    const bool square = instance.width == instance.height;
    view_.orientations = options.orientations == Orientations::kAcrossWidth    ? 1u
                         : options.orientations == Orientations::kAcrossHeight ? 2u
                         : square                                              ? 1u
                                                                               : 3u;
    set_areas(instance);
    set_orientation(instance, options.tolerance, 0, instance.height);
    set_orientation(instance, options.tolerance, 1, instance.width);
    set_pairs(instance);
    set_lanes();
    set_penalty(instance, options);
}

template <class Real>
void BasicEvaluator<Real>::set_areas(const UaflpInstance& instance) {
    double total = 0;
    for (const Department& d : instance.departments) total += d.area;
    const double unit = exact_unit(total, std::numeric_limits<Real>::digits);
    for (const Department& d : instance.departments) {
        area_.push_back(static_cast<Real>(std::max(1.0, std::nearbyint(d.area / unit)) * unit));
    }
    view_.area = area_.data();
}

template <class Real>
void BasicEvaluator<Real>::set_orientation(const UaflpInstance& instance, double tolerance, int o, double bay_height) {
    for (const Department& d : instance.departments) {
        const BayAreas range = allowed_bay_areas(d, bay_height, tolerance);
        limits_[o].min_bay_area.push_back(static_cast<Real>(range.least));
        limits_[o].max_bay_area.push_back(static_cast<Real>(range.greatest));
    }
    view_.orientation[o] = {static_cast<Real>(bay_height), static_cast<Real>(1 / bay_height),
                            limits_[o].min_bay_area.data(), limits_[o].max_bay_area.data()};
}

template <class Real>
void BasicEvaluator<Real>::set_pairs(const UaflpInstance& instance) {
    for (std::uint32_t i = 0; i < instance.size(); ++i) {
        for (std::uint32_t j = i + 1; j < instance.size(); ++j) {
            const double flow = instance.flow_between(i, j);
            if (flow == 0) continue;
            pair_.push_back(i | j << 16);
            flow_.push_back(static_cast<Real>(flow));
        }
    }
    view_.pairs = static_cast<std::uint32_t>(pair_.size());
    view_.pair = pair_.data();
    view_.flow = flow_.data();
}

template <class Real>
void BasicEvaluator<Real>::set_lanes() {
    for (std::uint32_t lane = 0; lane < kernels::kFbsLanes; ++lane) {
        lanes_.begin[lane] = static_cast<std::uint32_t>(lane_pair_.size());
        for (size_t p = lane; p < pair_.size(); p += kernels::kFbsLanes) {
            lane_pair_.push_back(pair_[p]);
            lane_flow_.push_back(flow_[p]);
        }
    }
    lanes_.begin[kernels::kFbsLanes] = static_cast<std::uint32_t>(lane_pair_.size());
    lanes_.pair = lane_pair_.data();
    lanes_.flow = lane_flow_.data();
    lanes_.euclidean = view_.euclidean != 0;
    for (int o = 0; o < 2; ++o) {
        lanes_.bay_height[o] = view_.orientation[o].bay_height;
        lanes_.inverse_bay_height[o] = view_.orientation[o].inverse_bay_height;
    }
}

template <class Real>
void BasicEvaluator<Real>::set_penalty(const UaflpInstance& instance, const EvaluationOptions& options) {
    for (size_t d = 0; d <= instance.size(); ++d) {
        penalty_weight_.push_back(static_cast<Real>(d == 0 ? 0.0 : power(static_cast<double>(d), options.exponent)));
    }
    view_.penalty_weight = penalty_weight_.data();
    double flow = 0;
    for (const Real f : flow_) flow += static_cast<double>(f);
    set_penalty_rule(view_, instance, options, flow);
}

template <class Real>
std::vector<ViewArray> BasicEvaluator<Real>::view_arrays() const {
    std::vector<ViewArray> arrays;
    const auto add = [&](const auto& from, const auto& pointer) {
        const auto offset = reinterpret_cast<const std::byte*>(&pointer) - reinterpret_cast<const std::byte*>(&view_);
        arrays.push_back({from.data(), from.size() * sizeof(from[0]), static_cast<size_t>(offset)});
    };
    add(area_, view_.area);
    add(pair_, view_.pair);
    add(flow_, view_.flow);
    add(penalty_weight_, view_.penalty_weight);
    for (int o = 0; o < 2; ++o) {
        add(limits_[o].min_bay_area, view_.orientation[o].min_bay_area);
        add(limits_[o].max_bay_area, view_.orientation[o].max_bay_area);
    }
    return arrays;
}

template <class Real>
void BasicEvaluator<Real>::set_adaptive_gap(double gap) {
    if (view_.penalty == kernels::kFbsPenaltyAdaptive) view_.penalty_scale = static_cast<Real>(gap);
}

template <class Real>
auto BasicEvaluator<Real>::evaluate(std::span<const std::uint16_t> perm, std::span<const std::uint8_t> bits) const
    -> Result {
    std::vector<Real> centroids(2 * size());
    return kernels::fbs_evaluate(view_, kernels::fbs_solution(perm.data(), bits.data()), centroids.data(),
                                 centroids.data() + size());
}

template <class Real>
void BasicEvaluator<Real>::decode(const SolutionBatch& batch, size_t k, size_t lane, Workspace& workspace) const {
    const std::byte* const at = batch.bytes + k * batch.stride;
    const auto* perm = reinterpret_cast<const std::uint16_t*>(at + batch.perm_offset);
    const auto* bits = reinterpret_cast<const std::uint8_t*>(at + batch.bits_offset);
    const Strided<Real> x{workspace.x + lane, workspace.group};
    const Strided<Real> y{workspace.y + lane, workspace.group};
    kernels::fbs_decode(view_, kernels::fbs_solution(perm, bits), x, y, workspace.violations.data() + 2 * lane);
}

/// Evaluates a few candidates one by one. Vectors would be slower, since most of their lanes would be idle.
template <class Real>
void BasicEvaluator<Real>::evaluate_few(const SolutionBatch& batch, size_t first, size_t count, Workspace& workspace,
                                        std::span<Result> results) const {
    for (size_t k = first; k < first + count; ++k) {
        const std::byte* const at = batch.bytes + k * batch.stride;
        const auto* perm = reinterpret_cast<const std::uint16_t*>(at + batch.perm_offset);
        const auto* bits = reinterpret_cast<const std::uint8_t*>(at + batch.bits_offset);
        results[k] = kernels::fbs_evaluate(view_, kernels::fbs_solution(perm, bits), workspace.x, workspace.y);
    }
}

template <class Real>
void BasicEvaluator<Real>::evaluate_group(const SolutionBatch& batch, size_t first, Workspace& workspace,
                                          std::span<Result> results) const {
    const size_t lanes = std::min(workspace.group, batch.count - first);  // idle lanes compute with leftover values
    if (8 * lanes <= workspace.group) return evaluate_few(batch, first, lanes, workspace, results);
    for (size_t lane = 0; lane < lanes; ++lane) decode(batch, first + lane, lane, workspace);
    workspace.function(lanes_, workspace.x, workspace.y, workspace.sums);
    for (size_t lane = 0; lane < lanes; ++lane) {
        const kernels::FbsSums<Real> sums{{workspace.sums[lane], workspace.sums[workspace.group + lane]}};
        results[first + lane] = kernels::fbs_select(view_, sums, workspace.violations.data() + 2 * lane);
    }
}

template <class Real>
void BasicEvaluator<Real>::evaluate_batch(const SolutionBatch& batch, std::span<Result> results,
                                          VectorLevel level) const {
    if (level > best_vector_level()) {
        throw Error(ErrorKind::kUsage, fmt::format("this processor has no {}", vector_level_name(level)));
    }
    Workspace workspace(size(), candidates_per_call<Real>(level));
    workspace.function = pair_sum_function<Real>(level);
    for (size_t first = 0; first < batch.count; first += workspace.group) {
        evaluate_group(batch, first, workspace, results);
    }
}

template class BasicEvaluator<double>;
template class BasicEvaluator<float>;

void check_permutation(size_t n, std::span<const std::uint16_t> perm) {
    if (perm.size() != n) {
        throw Error(ErrorKind::kInput, fmt::format("a solution needs {} departments, found {}", n, perm.size()));
    }
    std::vector<bool> seen(n, false);
    for (size_t k = 0; k < n; ++k) {
        if (perm[k] >= n) {
            throw Error(ErrorKind::kInput, fmt::format("position {} holds department {}, but the last department is {}",
                                                       k + 1, perm[k] + 1, n));
        }
        if (seen[perm[k]]) {
            throw Error(ErrorKind::kInput,
                        fmt::format("department {} is listed twice, again at position {}", perm[k] + 1, k + 1));
        }
        seen[perm[k]] = true;
    }
}

void check_solution(size_t n, std::span<const std::uint16_t> perm, std::span<const std::uint8_t> bits) {
    if (perm.size() != n || bits.size() + 1 != n) {
        throw Error(ErrorKind::kInput, fmt::format("a solution needs {} departments and {} bay bits, found {} and {}",
                                                   n, n - 1, perm.size(), bits.size()));
    }
    check_permutation(n, perm);
    for (size_t k = 0; k < bits.size(); ++k) {
        if (bits[k] > 1)
            throw Error(ErrorKind::kInput, fmt::format("bay bit {} is {}, but it must be 0 or 1", k + 1, bits[k]));
    }
}

Evaluation evaluate(const UaflpInstance& instance, std::span<const std::uint16_t> perm,
                    std::span<const std::uint8_t> bits, const EvaluationOptions& options) {
    check_solution(instance.size(), perm, bits);
    return Evaluator(instance, options).evaluate(perm, bits);
}

void AdaptivePenalty::observe(const Evaluation& found) {
    if (!any_ || found.cost < best_all_) best_all_ = found.cost;
    any_ = true;
    if (!found.feasible()) return;
    if (!any_feasible_ || found.cost < best_feasible_) best_feasible_ = found.cost;
    any_feasible_ = true;
}

double AdaptivePenalty::gap() const {
    return any_feasible_ ? best_feasible_ - best_all_ : best_all_;
}

}  // namespace qapfw::uaflp
