// SPDX-License-Identifier: Apache-2.0
// Lower bounds of the costs of an FBS layout's neighbours. Only the bays that a move changes are decoded, and only
// pairs whose distance changes are summed again. The order of summation differs from the evaluation's. So a margin far
// above all rounding errors is subtracted. A neighbour whose bound reaches a limit certainly costs at least the limit;
// all other neighbours must be evaluated.
//
// Rectilinear metric: cost = Sx / B + Sy * B, where B is the bay height. Sx sums flow times distance across the bays,
// and Sy sums flow times distance along the bays, both for B = 1. Sx needs only the flows between bays and the bays'
// centres. Sy changes only through pairs with a department in a changed bay. Euclidean metric: the bound only tells
// whether the neighbour can be feasible.
#pragma once

#include <span>
#include <vector>

#include "problems/uaflp/evaluator.hpp"
#include "qapfw/abi/bay_neighbourhood.h"
#include "qapfw/kernels/fbs_crossover.hpp"

namespace qapfw::uaflp {

/// The flows between departments. Each flow is the sum of both directions. The class stores them in two forms: as dense
/// rows, padded with zeros to whole vectors, and as lists. A department's list holds its partners, the departments with
/// which it has flow. O(n^2) memory.
class FlowRows {
  public:
    struct Partner {
        double flow;
        std::uint32_t department;
    };
    explicit FlowRows(const kernels::FbsView<double>& view);
    std::size_t stride() const { return stride_; }
    const double* operator[](std::size_t department) const { return rows_.data() + department * stride_; }
    std::span<const Partner> partners(std::size_t department) const {
        return {partners_.data() + first_partner_[department], partners_.data() + first_partner_[department + 1]};
    }
    /// True if sums over the lists of partners are faster than sums over dense rows by vector instructions.
    bool are_sparse() const { return 10 * partners_.size() < rows_.size(); }

  private:
    std::size_t stride_;
    std::vector<double> rows_;
    std::vector<Partner> partners_;
    /// For each department: index of its first partner in partners_. The last entry is partners_.size().
    std::vector<std::size_t> first_partner_;
};

class NeighbourBounds {
  public:
    /// `evaluator` and `flows` must outlive this object. `bits_offset` is the byte of a solution where its bits begin.
    NeighbourBounds(const Evaluator& evaluator, const FlowRows& flows, std::size_t bits_offset);

    /// Starts at `solution`, which must be valid. O(n + pairs + n * bays).
    void reset(const void* solution);
    /// Index of the first move whose neighbour may cost less than `limit`; moves.size() if there is no such move.
    /// At most O(departments in changed bays * n) for each move.
    std::uint64_t first_promising(std::span<const qapfw_bay_move> moves, qapfw_cost limit);

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
    /// A bay that a move makes: positions [begin, end) of the solution, without department `out`, with department `in`.
    struct NewBay {
        /// The new bay's place in the sequence of bays. 2 b + 1: instead of bay b; 2 b + 2: after bay b; 0: before all.
        std::uint32_t place;
        std::uint32_t begin, end;
        std::uint32_t base;    ///< the bay that has exactly the positions [begin, end) before the move, or kNone
        std::uint32_t out;     ///< the department that the move takes out of these positions, or kNone
        std::uint32_t in;      ///< the department that the move puts into the new bay, or kNone
        std::uint32_t before;  ///< the position before which `in` comes
        double area;
        bool is_empty() const { return in == kNone && begin + (out == kNone ? 0 : 1) >= end; }
    };

    void sum_pairs();
    void find_limits();
    double lower_bound(const qapfw_bay_move& move, double limit);
    void change(const qapfw_bay_move& move);
    void change_by_swap(std::uint32_t first, std::uint32_t second);
    void change_by_insertion(const qapfw_bay_move& move);
    void change_by_shift(const qapfw_bay_move& move);
    void change_by_flip(std::uint32_t position);
    NewBay& add_bay(std::uint32_t place, std::uint32_t begin, std::uint32_t end);
    NewBay& add_changed(std::uint32_t bay, std::uint32_t out = kNone, std::uint32_t in = kNone,
                        std::uint32_t before = kNone);
    double area_of(const NewBay& bay) const;
    void count_violations();
    std::uint32_t violations_of(const NewBay& bay, int o) const;

    double objective(double across, double along) const;
    void order_bays(const qapfw_bay_move& move);
    double sum_across();
    double flow_between(std::uint32_t a, std::uint32_t b) const;
    void sum_new_flows();
    double flow_between_new() const;
    double sum_along_unchanged() const;
    double sum_along_changed();
    double sum_over_partners() const;
    void place_departments(const NewBay& bay);

    const kernels::FbsView<double>& view_;
    const FlowRows& flows_;
    std::size_t bits_offset_, n_;
    bool euclidean_;

    // The current solution.
    std::vector<std::uint16_t> perm_;
    std::vector<std::uint32_t> bay_of_;  ///< bay of each position
    std::vector<kernels::FbsSegment> bays_;
    std::vector<double> bay_area_;
    /// For each orientation and position: the least and greatest area of the bay, by the shape rule of the department
    /// at this position.
    std::vector<double> least_area_[2], greatest_area_[2];
    /// For each orientation and bay: the least and greatest area that the shape rules of all its departments allow.
    std::vector<double> bay_least_area_[2], bay_greatest_area_[2];
    std::vector<std::uint32_t> violations_[2];  ///< for each orientation and bay: number of violations in the bay
    std::uint32_t all_violations_[2] = {0, 0};  ///< for each orientation: number of violations in all bays
    std::vector<double> x_, y_;                 ///< centre of each department; y_ is padded to flows_.stride()
    std::vector<double> flow_to_bay_;           ///< flow between a department and a bay: at department * bays + bay
    /// For each pair of bays (a, b), at index a * bays + b: the sum of the flows, and the sum of flow * |dy|.
    std::vector<double> bay_flow_, bay_along_;
    std::vector<double> along_of_bay_;  ///< for each bay a: the sum of bay_along_ over all pairs (a, b)
    double along_ = 0;                  ///< Sy (see the head of this file) of the current solution
    double all_flow_ = 0, all_area_ = 0;

    // Data of the neighbour whose bound is computed: the members from here to new_y_.
    std::uint32_t replaced_[2] = {kNone, kNone};
    std::uint32_t new_count_ = 0;
    NewBay new_bays_[2]{};
    std::uint32_t swapped_[2] = {kNone, kNone};  ///< positions that are swapped within one bay
    std::uint32_t new_violations_[2] = {0, 0};
    std::vector<std::uint32_t> sequence_;  ///< numbers of the bays from left to right; new bay m: bays_.size() + m
    std::vector<double> new_flow_[2];      ///< flows from new bay m to each old bay
    double new_flow_between_ = 0;
    std::vector<double> centres_;         ///< per bay of sequence_: its centre across the bays, times the bay height
    std::vector<double> weight_;          ///< weight of each department in sums: 1/2 in new bays, else 1; padded like y
    std::vector<std::uint16_t> changed_;  ///< departments of the new bays
    std::vector<double> new_y_;           ///< y of each department in the neighbour
    RowSumFunction row_sum_ = row_sum_function(best_vector_level());
};

}  // namespace qapfw::uaflp
