// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/neighbour_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "qapfw/kernels/fbs_cost.hpp"

namespace qapfw::uaflp {
namespace {

/// Bounds are lowered by this fraction of the sum of their positive terms, against rounding errors. With at most 2^24
/// terms (n = 4096) the relative rounding error is below 2^-28.
constexpr double kCostMargin = 1e-8;
/// Bounds are also lowered by this fraction of (sum of all flows) * (width + height of the layout). Distances and
/// differences of flows have errors of a few units of 2^-53.
constexpr double kFlowMargin = 1e-12;
constexpr std::size_t kVector = 8;  ///< number of doubles in the widest vector that is used

}  // namespace

FlowRows::FlowRows(const kernels::FbsView<double>& view)
    : stride_((view.departments + kVector - 1) / kVector * kVector), rows_(view.departments * stride_, 0.0) {
    for (std::uint32_t p = 0; p < view.pairs; ++p) {
        const std::size_t i = view.pair[p] & 0xFFFFu, j = view.pair[p] >> 16;
        rows_[i * stride_ + j] = rows_[j * stride_ + i] = view.flow[p];
    }
    for (std::uint32_t d = 0; d < view.departments; ++d) {
        first_partner_.push_back(partners_.size());
        for (std::uint32_t e = 0; e < view.departments; ++e) {
            if ((*this)[d][e] > 0) partners_.push_back({(*this)[d][e], e});
        }
    }
    first_partner_.push_back(partners_.size());
}

NeighbourBounds::NeighbourBounds(const Evaluator& evaluator, const FlowRows& flows, std::size_t bits_offset)
    : view_(evaluator.view()),
      flows_(flows),
      bits_offset_(bits_offset),
      n_(evaluator.size()),
      euclidean_(view_.euclidean != 0),
      perm_(n_),
      bay_of_(n_),
      x_(n_, 0.0),
      y_(flows.stride(), 0.0),
      weight_(flows.stride(), 1.0) {
    for (std::uint32_t p = 0; p < view_.pairs; ++p) all_flow_ += view_.flow[p];
    for (std::size_t d = 0; d < n_; ++d) all_area_ += view_.area[d];
    for (int o = 0; o < 2; ++o) {
        least_area_[o].resize(n_);
        greatest_area_[o].resize(n_);
    }
}

void NeighbourBounds::reset(const void* solution) {
    const auto* perm = static_cast<const std::uint16_t*>(solution);
    const auto* bits = static_cast<const std::uint8_t*>(solution) + bits_offset_;
    perm_.assign(perm, perm + n_);
    bays_.clear();
    bay_area_.clear();
    for (std::vector<std::uint32_t>& violations : violations_) violations.clear();
    all_violations_[0] = all_violations_[1] = 0;
    double start = 0, end = 0;
    for (std::uint32_t k = 0, first = 0; k < n_; ++k) {
        bay_of_[k] = static_cast<std::uint32_t>(bays_.size());
        end += view_.area[perm_[k]];
        if (!kernels::fbs_ends_bay(bits, k, static_cast<std::uint32_t>(n_))) continue;
        std::uint32_t violations[2] = {0, 0};
        kernels::fbs_place_bay(view_, perm_, first, k + 1, start, end, x_, y_, violations);
        bays_.push_back({first, k + 1});
        bay_area_.push_back(end - start);
        for (int o = 0; o < 2; ++o) {
            violations_[o].push_back(violations[o]);
            all_violations_[o] += violations[o];
        }
        first = k + 1;
        start = end;
    }
    new_y_ = y_;
    find_limits();
    if (!euclidean_) sum_pairs();
}

void NeighbourBounds::find_limits() {
    for (int o = 0; o < 2; ++o) {
        for (std::size_t k = 0; k < n_; ++k) {
            least_area_[o][k] = view_.orientation[o].min_bay_area[perm_[k]];
            greatest_area_[o][k] = view_.orientation[o].max_bay_area[perm_[k]];
        }
        bay_least_area_[o].clear();
        bay_greatest_area_[o].clear();
        for (const kernels::FbsSegment& bay : bays_) {
            bay_least_area_[o].push_back(
                *std::max_element(least_area_[o].begin() + bay.begin, least_area_[o].begin() + bay.end));
            bay_greatest_area_[o].push_back(
                *std::min_element(greatest_area_[o].begin() + bay.begin, greatest_area_[o].begin() + bay.end));
        }
    }
}

void NeighbourBounds::sum_pairs() {
    const std::size_t bays = bays_.size();
    std::vector<std::uint32_t> bay_of_department(n_);
    for (std::size_t k = 0; k < n_; ++k) bay_of_department[perm_[k]] = bay_of_[k];
    flow_to_bay_.assign(n_ * bays, 0.0);
    bay_flow_.assign(bays * bays, 0.0);
    bay_along_.assign(bays * bays, 0.0);
    along_of_bay_.assign(bays, 0.0);
    along_ = 0;
    for (std::uint32_t p = 0; p < view_.pairs; ++p) {
        const std::size_t i = view_.pair[p] & 0xFFFFu, j = view_.pair[p] >> 16;
        const std::size_t a = bay_of_department[i], b = bay_of_department[j];
        const double along = view_.flow[p] * std::abs(y_[i] - y_[j]);
        flow_to_bay_[i * bays + b] += view_.flow[p];
        flow_to_bay_[j * bays + a] += view_.flow[p];
        bay_flow_[a * bays + b] += view_.flow[p];
        bay_along_[a * bays + b] += along;
        along_of_bay_[a] += along;
        if (a == b) continue;
        bay_flow_[b * bays + a] += view_.flow[p];
        bay_along_[b * bays + a] += along;
        along_of_bay_[b] += along;
    }
    for (std::size_t a = 0; a < bays; ++a) {
        for (std::size_t b = a; b < bays; ++b) along_ += bay_along_[a * bays + b];
    }
}

std::uint64_t NeighbourBounds::first_promising(std::span<const qapfw_bay_move> moves, qapfw_cost limit) {
    std::uint64_t k = 0;
    while (k < moves.size() && lower_bound(moves[k], limit.f) >= limit.f) ++k;
    return k;
}

double NeighbourBounds::lower_bound(const qapfw_bay_move& move, double limit) {
    change(move);
    count_violations();
    const double by_feasibility = objective(0, 0);
    if (euclidean_ || by_feasibility >= limit) return by_feasibility;
    order_bays(move);
    sum_new_flows();
    const double across = sum_across();
    const double unchanged = sum_along_unchanged();
    const double without_changed = objective(across, unchanged);
    if (new_count_ == 0 || without_changed >= limit) return without_changed;
    return objective(across, unchanged + sum_along_changed());
}

/// Returns a lower bound of the neighbour's objective: the least over the orientations that are tried, minus the
/// margins. `across` and `along`: Sx and Sy (see neighbour_bounds.hpp), or lower bounds of them.
double NeighbourBounds::objective(double across, double along) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t o = 0; o < 2; ++o) {
        if ((view_.orientations >> o & 1u) == 0) continue;
        const kernels::FbsOrientation<double>& side = view_.orientation[o];
        const double sides = all_area_ * side.inverse_bay_height + side.bay_height;
        const double cost = (across * side.inverse_bay_height + along * side.bay_height) * (1 - kCostMargin) -
                            along_ * side.bay_height * kCostMargin - all_flow_ * sides * kFlowMargin;
        least = std::min(least, kernels::fbs_objective(view_, std::max(cost, 0.0), new_violations_[o]));
    }
    return least;
}

void NeighbourBounds::order_bays(const qapfw_bay_move& move) {
    const auto bays = static_cast<std::uint32_t>(bays_.size());
    sequence_.clear();
    const auto place_new = [&](std::uint32_t place) {
        for (std::uint32_t m = 0; m < new_count_; ++m) {
            if (new_bays_[m].place == place && !new_bays_[m].is_empty()) sequence_.push_back(bays + m);
        }
    };
    place_new(0);
    for (std::uint32_t b = 0; b < bays; ++b) {
        if (b != replaced_[0] && b != replaced_[1]) sequence_.push_back(b);
        place_new(2 * b + 1);
        place_new(2 * b + 2);
    }
    if (move.kind == QAPFW_BAY_MOVE_SWAP_BAYS) std::swap(sequence_[move.first], sequence_[move.second]);
}

void NeighbourBounds::sum_new_flows() {
    const std::size_t bays = bays_.size();
    for (std::uint32_t m = 0; m < new_count_; ++m) {
        const NewBay& bay = new_bays_[m];
        std::vector<double>& sum = new_flow_[m];
        sum.assign(bays, 0.0);
        const auto add = [&](const double* row, double sign) {
            for (std::size_t b = 0; b < bays; ++b) sum[b] += sign * row[b];
        };
        if (bay.base != kNone) {
            add(bay_flow_.data() + bay.base * bays, 1);
        } else {
            for (std::uint32_t k = bay.begin; k < bay.end; ++k) add(flow_to_bay_.data() + perm_[k] * bays, 1);
        }
        if (bay.out != kNone) add(flow_to_bay_.data() + bay.out * bays, -1);
        if (bay.in != kNone) add(flow_to_bay_.data() + bay.in * bays, 1);
    }
    new_flow_between_ = new_count_ == 2 ? flow_between_new() : 0;
}

/// The flow between the two new bays, made from bays A and B. Department u moves from A to B, and v from B to A. If
/// f(X, Y) is the flow between X and Y:
/// f(A - u + v, B - v + u) = f(A, B) - f(u, B) - f(v, A) + f(u, A) + f(v, B) + 2 f(u, v).
double NeighbourBounds::flow_between_new() const {
    const NewBay& a = new_bays_[0];
    const NewBay& b = new_bays_[1];
    const std::size_t bays = bays_.size();
    if (a.base == kNone) {  // both new bays are ranges of positions: a border moved, or a bay was split
        double sum = 0;
        for (std::uint32_t k = a.begin; k < a.end; ++k) {
            for (std::uint32_t l = b.begin; l < b.end; ++l) sum += flows_[perm_[k]][perm_[l]];
        }
        return sum;
    }
    const double* u = flow_to_bay_.data() + a.out * bays;
    if (b.base == kNone) return u[a.base];  // the new bay B holds only department u
    double sum = bay_flow_[a.base * bays + b.base] - u[b.base] + u[a.base];
    if (b.out == kNone) return sum;
    const double* v = flow_to_bay_.data() + b.out * bays;
    return sum - v[a.base] + v[b.base] + 2 * flows_[a.out][b.out];
}

double NeighbourBounds::flow_between(std::uint32_t a, std::uint32_t b) const {
    const auto bays = static_cast<std::uint32_t>(bays_.size());
    if (a < bays && b < bays) return bay_flow_[a * bays + b];
    if (a >= bays && b >= bays) return new_flow_between_;
    return a >= bays ? new_flow_[a - bays][b] : new_flow_[b - bays][a];
}

/// Returns the neighbour's Sx (see neighbour_bounds.hpp). Each pair of bays adds the flow between the two bays times
/// the distance of their centres.
double NeighbourBounds::sum_across() {
    const auto bays = static_cast<std::uint32_t>(bays_.size());
    double sum = 0, start = 0;
    centres_.clear();
    for (const std::uint32_t bay : sequence_) {
        const double area = bay < bays ? bay_area_[bay] : new_bays_[bay - bays].area;
        const double centre = start + 0.5 * area;
        for (std::size_t other = 0; other < centres_.size(); ++other) {
            sum += flow_between(sequence_[other], bay) * (centre - centres_[other]);
        }
        centres_.push_back(centre);
        start += area;
    }
    return sum;
}

/// Returns the part of Sy (see neighbour_bounds.hpp) from pairs that have no department in a replaced bay.
double NeighbourBounds::sum_along_unchanged() const {
    double sum = along_;
    for (const std::uint32_t bay : replaced_) sum -= bay == kNone ? 0 : along_of_bay_[bay];
    if (replaced_[1] != kNone) sum += bay_along_[replaced_[0] * bays_.size() + replaced_[1]];
    return sum;
}

/// Returns the part of Sy from pairs that have a department in a new bay. A pair with both departments in new bays is
/// summed twice, with weight one half.
double NeighbourBounds::sum_along_changed() {
    changed_.clear();
    for (std::uint32_t m = 0; m < new_count_; ++m) place_departments(new_bays_[m]);
    const double sum = flows_.are_sparse()
                           ? sum_over_partners()
                           : row_sum_(flows_[0], flows_.stride(), changed_, new_y_.data(), weight_.data());
    for (const std::uint16_t d : changed_) {
        new_y_[d] = y_[d];
        weight_[d] = 1;
    }
    return sum;
}

double NeighbourBounds::sum_over_partners() const {
    double sum = 0;
    for (const std::uint16_t d : changed_) {
        for (const FlowRows::Partner& partner : flows_.partners(d)) {
            sum += partner.flow * std::abs(new_y_[d] - new_y_[partner.department]) * weight_[partner.department];
        }
    }
    return sum;
}

void NeighbourBounds::place_departments(const NewBay& bay) {
    const std::size_t first = changed_.size();
    for (std::uint32_t k = bay.begin; k <= bay.end; ++k) {
        if (k == bay.before) changed_.push_back(static_cast<std::uint16_t>(bay.in));
        if (k < bay.end && perm_[k] != bay.out) changed_.push_back(perm_[k]);
    }
    if (swapped_[0] != kNone) std::swap(changed_[swapped_[0] - bay.begin], changed_[swapped_[1] - bay.begin]);
    const double inverse = 1 / bay.area;
    double before = 0;
    for (std::size_t k = first; k < changed_.size(); ++k) {
        const std::uint16_t d = changed_[k];
        new_y_[d] = kernels::fbs_department_centre(before, view_.area[d], 0.0, inverse);
        weight_[d] = 0.5;
        before += view_.area[d];
    }
}

}  // namespace qapfw::uaflp
