// SPDX-License-Identifier: Apache-2.0
#include "plugins/exact/path.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::exact {

qapfw_cost least_cost(std::uint32_t kind) {
    qapfw_cost cost{};
    if (kind == QAPFW_COST_FLOAT64) {
        cost.f = -std::numeric_limits<double>::infinity();
    } else {
        cost.i = std::numeric_limits<std::int64_t>::min();
    }
    return cost;
}

Path::Path(const sdk::ProblemRef& problem)
    : problem_(problem),
      free_positions_(sdk::free_positions(problem)),
      base_(problem.solution_bytes()),
      has_value_(problem.length(), 0),
      is_taken_(problem.length(), 0),
      position_class_(problem.length()),
      value_class_(problem.length()) {
    if (sdk::PathBounds::has(problem)) bounds_.emplace(problem);
    sdk::base_solution(problem_, base_.data());
    for (const std::uint16_t position : free_positions_) {
        free_values_.push_back(sdk::permutation_of(base_.data())[position]);
    }
    std::sort(free_values_.begin(), free_values_.end());
    const std::size_t length = problem.length();
    ahead_.assign(length * length, least_cost(problem.info().cost_kind));
    std::iota(position_class_.begin(), position_class_.end(), std::uint16_t{0});
    std::iota(value_class_.begin(), value_class_.end(), std::uint16_t{0});
}

qapfw_cost Path::reset(qapfw_cost cutoff) {
    for (const Assignment& a : assignments_) has_value_[a.position] = is_taken_[a.value] = 0;
    assignments_.clear();
    const qapfw_cost least =
        problem_.info().has_lower_bound != 0 ? problem_.info().lower_bound : least_cost(problem_.info().cost_kind);
    const qapfw_cost bound = bounds_ ? bounds_->reset(cutoff) : least;
    bound_ = {problem_.less()(bound, least) ? least : bound};
    return bound_.back();
}

qapfw_cost Path::add(Assignment assignment, qapfw_cost cutoff) {
    assignments_.push_back(assignment);
    has_value_[assignment.position] = is_taken_[assignment.value] = 1;
    qapfw_cost bound = bound_.back();
    if (bounds_) {
        const qapfw_cost found = bounds_->fix(assignment.position, assignment.value, cutoff);
        if (problem_.less()(bound, found)) bound = found;
    }
    bound_.push_back(bound);
    return bound;
}

void Path::remove() {
    if (bounds_) bounds_->unfix();
    has_value_[assignments_.back().position] = is_taken_[assignments_.back().value] = 0;
    assignments_.pop_back();
    bound_.pop_back();
}

void Path::look_ahead() {
    if (bounds_) bounds_->children(ahead_.data(), position_class_.data(), value_class_.data());
}

double Path::distance(qapfw_cost from, qapfw_cost to) const {
    return problem_.has_integer_costs() ? static_cast<double>(to.i) - static_cast<double>(from.i) : to.f - from.f;
}

std::vector<Branch> Path::branches_of(const Line& line, qapfw_cost cutoff) const {
    std::vector<Branch> branches;
    const std::vector<std::uint16_t>& across = line.of_position ? free_values_ : free_positions_;
    const std::vector<std::uint8_t>& used = line.of_position ? is_taken_ : has_value_;
    const std::vector<std::uint16_t>& classes = line.of_position ? value_class_ : position_class_;
    for (const std::uint16_t other : across) {
        if (used[other] != 0) continue;
        const Assignment assignment =
            line.of_position ? Assignment{line.number, other} : Assignment{other, line.number};
        qapfw_cost bound = ahead_[std::size_t{assignment.position} * problem_.length() + assignment.value];
        if (!problem_.less()(bound, cutoff)) continue;
        const bool is_known = std::any_of(branches.begin(), branches.end(), [&](const Branch& branch) {
            return classes[line.of_position ? branch.assignment.value : branch.assignment.position] == classes[other];
        });
        if (is_known) continue;
        if (problem_.less()(bound, bound_.back())) bound = bound_.back();
        branches.push_back({assignment, bound});
    }
    return branches;
}

/// Returns the sum of the gaps between the bounds of a line's branches and the cutoff. `branches` has only branches
/// whose bound is below the cutoff. (A line: all values of one position, or all positions of one value.)
double Path::room_of(const std::vector<Branch>& branches, qapfw_cost cutoff) const {
    double room = 0;
    for (const Branch& branch : branches) room += distance(branch.bound, cutoff);
    return room;
}

std::vector<Branch> Path::branches(qapfw_cost cutoff) {
    look_ahead();
    std::vector<Branch> best;
    double least_room = std::numeric_limits<double>::infinity();
    const auto consider = [&](const Line& line) {
        std::vector<Branch> branches = branches_of(line, cutoff);
        const double room = room_of(branches, cutoff);
        if (!(room < least_room)) return;
        least_room = room;
        best = std::move(branches);
    };
    if (!bounds_) {  // without bounds no line is better than another: takes the first free position
        for (const std::uint16_t position : free_positions_) {
            if (has_value_[position] == 0) return branches_of({true, position}, cutoff);
        }
    }
    for (const std::uint16_t position : free_positions_) {
        if (has_value_[position] == 0) consider({true, position});
    }
    for (const std::uint16_t value : free_values_) {
        if (is_taken_[value] == 0) consider({false, value});
    }
    std::stable_sort(best.begin(), best.end(),
                     [&](const Branch& a, const Branch& b) { return problem_.less()(a.bound, b.bound); });
    return best;
}

void Path::complete(void* solution) const {
    std::copy(base_.begin(), base_.end(), static_cast<unsigned char*>(solution));
    std::uint16_t* const permutation = sdk::permutation_of(solution);
    for (const Assignment& a : assignments_) permutation[a.position] = a.value;
    for (const std::uint16_t position : free_positions_) {
        if (has_value_[position] != 0) continue;
        for (const std::uint16_t value : free_values_) {
            if (is_taken_[value] == 0) permutation[position] = value;
        }
    }
}

}  // namespace qapfw::exact
