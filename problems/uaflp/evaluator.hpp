// SPDX-License-Identifier: Apache-2.0
// Evaluates layouts in bays (FBS), one at a time or in batches by vector lanes. For that, an evaluator prepares an
// instance for the kernels (kernels/fbs_*.hpp). Results in double have the same bits with every instruction set and on
// a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "problems/uaflp/instance.hpp"
#include "problems/uaflp/pair_lanes.hpp"
#include "qapfw/kernels/fbs_cost.hpp"

namespace qapfw::uaflp {

/// The cost of an infeasible layout in a search; D = number of departments that break their shape rule, k = exponent.
enum class Penalty {
    kNone,          ///< the cost alone, without a penalty
    kPower,         ///< cost * (1 + D^k)
    kAdaptive,      ///< cost + D^k (V_feas - V_all), Coit, Smith and Tate 1996; see AdaptivePenalty
    kFeasibleFirst  ///< least D first, then least cost; this penalty chooses the orientation in files and drawings
};

/// The sides of the plant that are tried as bay height. The better side is used.
enum class Orientations {
    kBoth,
    kAcrossWidth,  ///< bays side by side along the plant's width, bay height = plant height
    kAcrossHeight  ///< bays side by side along the plant's height, bay height = plant width
};

struct EvaluationOptions {
    Penalty penalty = Penalty::kFeasibleFirst;
    double exponent = 3;  ///< the exponent k, at least 0
    Orientations orientations = Orientations::kBoth;
    double tolerance = 1e-6;  ///< relative tolerance of shape rules; optima can lie exactly on a limit
};

/// The result: objective (what a search minimises), cost, violations, feasible(), orientation (0 across width, 1 across
/// height).
using Evaluation = kernels::FbsResult<double>;

/// `count` solutions in one block of memory: solution k starts at bytes + k * stride.
struct SolutionBatch {
    const std::byte* bytes = nullptr;
    size_t count = 0;
    size_t stride = 0;       ///< bytes from one solution to the next
    size_t perm_offset = 0;  ///< byte of a solution where its permutation begins: n uint16_t, aligned to 2
    size_t bits_offset = 0;  ///< byte of a solution where its bay bits begin: n - 1 uint8_t
};

/// An array that a view points to, for copying the view to a device.
struct ViewArray {
    const void* bytes;
    size_t size;
    size_t view_offset;  ///< offset of the array's address in the view
};

/// Evaluates FBS layouts of one instance. Areas are rounded to multiples of a power of two (see exact_unit), so sums of
/// areas are exact in Real. In double, the rounding changes an area by less than 1e-15 of the total area.
template <class Real>
class BasicEvaluator {
  public:
    using Result = kernels::FbsResult<Real>;

    /// Copies all needed data of `instance`. Throws qapfw::Error (kInput) if an option is out of range or costs could
    /// overflow.
    explicit BasicEvaluator(const UaflpInstance& instance, const EvaluationOptions& options = {});
    BasicEvaluator(const BasicEvaluator&) = delete;
    BasicEvaluator& operator=(const BasicEvaluator&) = delete;

    size_t size() const { return view_.departments; }
    /// The view for host code, valid as long as the evaluator exists. O(1).
    const kernels::FbsView<Real>& view() const { return view_; }
    /// The arrays behind view(), for copying to a device.
    std::vector<ViewArray> view_arrays() const;

    /// Sets V_feas - V_all of the adaptive penalty, see AdaptivePenalty. Must not be called while other threads
    /// evaluate.
    void set_adaptive_gap(double gap);

    /// [thread-safe] Evaluates one solution: `perm` has n entries, `bits` n - 1. The solution is not checked (see
    /// check_solution). O(n + pairs).
    Result evaluate(std::span<const std::uint16_t> perm, std::span<const std::uint8_t> bits) const;

    /// [thread-safe] Evaluates many solutions, several at once in vector lanes. `results` has batch.count entries.
    void evaluate_batch(const SolutionBatch& batch, std::span<Result> results,
                        VectorLevel level = best_vector_level()) const;

  private:
    struct OrientationLimits {
        std::vector<Real> min_bay_area;
        std::vector<Real> max_bay_area;
    };
    struct Workspace;

    void set_areas(const UaflpInstance& instance);
    void set_orientation(const UaflpInstance& instance, double tolerance, int o, double bay_height);
    void set_pairs(const UaflpInstance& instance);
    void set_lanes();
    void set_penalty(const UaflpInstance& instance, const EvaluationOptions& options);
    void decode(const SolutionBatch& batch, size_t k, size_t lane, Workspace& workspace) const;
    void evaluate_few(const SolutionBatch& batch, size_t first, size_t count, Workspace& workspace,
                      std::span<Result> results) const;
    void evaluate_group(const SolutionBatch& batch, size_t first, Workspace& workspace,
                        std::span<Result> results) const;

    std::vector<Real> area_;
    OrientationLimits limits_[2];
    std::vector<std::uint32_t> pair_;
    std::vector<Real> flow_;
    std::vector<Real> penalty_weight_;
    kernels::FbsView<Real> view_{};
    std::vector<std::uint32_t> lane_pair_;  ///< pairs, ordered by the partial sum to which they belong
    std::vector<Real> lane_flow_;
    PairLanes<Real> lanes_{};
};

using Evaluator = BasicEvaluator<double>;
/// An evaluator for searches: faster than Evaluator, but less exact. Final costs are recomputed in double.
using FloatEvaluator = BasicEvaluator<float>;

extern template class BasicEvaluator<double>;
extern template class BasicEvaluator<float>;

/// Prepares the instance and evaluates one solution. Throws qapfw::Error (kInput) if perm and bits are no solution of
/// the instance. O(n^2) for the preparation.
Evaluation evaluate(const UaflpInstance& instance, std::span<const std::uint16_t> perm,
                    std::span<const std::uint8_t> bits, const EvaluationOptions& options = {});

/// Throws qapfw::Error (kInput) unless `perm` is a permutation of 0..n-1.
void check_permutation(size_t n, std::span<const std::uint16_t> perm);

/// Throws qapfw::Error (kInput) unless `perm` is a permutation of 0..n-1 and `bits` has n - 1 entries 0 or 1.
void check_solution(size_t n, std::span<const std::uint16_t> perm, std::span<const std::uint8_t> bits);

/// Holds the two values of the adaptive penalty. V_all is the least cost of all layouts given to observe(). V_feas is
/// the least cost of the feasible layouts among these.
class AdaptivePenalty {
  public:
    void observe(const Evaluation& found);
    /// V_feas - V_all; V_all itself (as in Penalty::kPower) as long as no feasible layout is known; 0 before any layout
    /// is known.
    double gap() const;

  private:
    bool any_ = false;
    bool any_feasible_ = false;
    double best_all_ = 0;
    double best_feasible_ = 0;
};

}  // namespace qapfw::uaflp
