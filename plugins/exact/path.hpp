// SPDX-License-Identifier: Apache-2.0
// One worker's path through the search tree: the assigned positions, a lower bound of all solutions below the path's
// end, and the best way to branch.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "qapfw/sdk/bounds.hpp"

namespace qapfw::exact {

/// The assignment of `value` to position `position` of the permutation.
struct Assignment {
    std::uint16_t position, value;
};

/// One branch: an assignment, and a lower bound of the solutions that have this assignment and all assignments of the
/// path.
struct Branch {
    Assignment assignment;
    qapfw_cost bound;
};

/// The least number that a cost of this kind (QAPFW_COST_...) can be.
qapfw_cost least_cost(std::uint32_t kind);

class Path {
  public:
    /// If the problem has no bounds, all assignments are tried. The problem must outlive this object. Throws
    /// StatusError if the problem's instance is too large for bounds.
    explicit Path(const sdk::ProblemRef& problem);

    /// Goes back to the root and returns a lower bound of the costs of all solutions. The bound may ignore solutions
    /// that cost at least `cutoff`.
    qapfw_cost reset(qapfw_cost cutoff);
    /// Adds an assignment. Returns a lower bound of the costs of all solutions with the path's assignments. The bound
    /// may ignore solutions that cost at least `cutoff`.
    qapfw_cost add(Assignment assignment, qapfw_cost cutoff);
    void remove();

    const std::vector<Assignment>& assignments() const { return assignments_; }
    std::size_t free_count() const { return free_positions_.size() - assignments_.size(); }
    /// The branches whose bounds are below `cutoff`, least bounds first. There is a branch for
    /// each value of one position, or for each position of one value. Of equivalent branches, only one is returned.
    std::vector<Branch> branches(qapfw_cost cutoff);
    /// Writes the only solution with the path's assignments: problem.solution_bytes() bytes. At most one position may
    /// be free.
    void complete(void* solution) const;

  private:
    /// A row or column of the assignment: one position with all its possible values, or one value with all its possible
    /// positions.
    struct Line {
        bool of_position;      ///< true: the line of a position; false: the line of a value
        std::uint16_t number;  ///< the position or the value
    };
    std::vector<Branch> branches_of(const Line& line, qapfw_cost cutoff) const;
    double room_of(const std::vector<Branch>& branches, qapfw_cost cutoff) const;
    void look_ahead();
    double distance(qapfw_cost from, qapfw_cost to) const;

    sdk::ProblemRef problem_;
    std::optional<sdk::PathBounds> bounds_;
    std::vector<std::uint16_t> free_positions_,
        free_values_;                  ///< free positions and values before anything was assigned
    std::vector<unsigned char> base_;  ///< a solution with the fixed values
    std::vector<Assignment> assignments_;
    std::vector<std::uint8_t> has_value_, is_taken_;
    std::vector<qapfw_cost> ahead_;                            ///< bound for each next assignment: [position][value]
    std::vector<std::uint16_t> position_class_, value_class_;  ///< equal numbers: equivalent branches
    std::vector<qapfw_cost> bound_;                            ///< bound at each depth of the path
};

}  // namespace qapfw::exact
