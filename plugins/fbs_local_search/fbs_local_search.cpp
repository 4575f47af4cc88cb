// SPDX-License-Identifier: Apache-2.0
#include "plugins/fbs_local_search/fbs_local_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "qapfw/error.hpp"

namespace qapfw::fbs_local_search {
namespace {

/// The largest number of departments that the improver takes. The number of insertions must fit in 32 bits.
constexpr std::uint32_t kMostDepartments = 30000;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

void require_bay_encoding(const sdk::ProblemRef& problem) {
    const qapfw_encoding& encoding = problem.encoding();
    const bool fits = encoding.segment_count == 2 && encoding.segments[0].kind == QAPFW_SEGMENT_PERMUTATION &&
                      encoding.segments[1].kind == QAPFW_SEGMENT_BAYS &&
                      encoding.segments[1].length + 1 == encoding.segments[0].length;
    if (!fits) {
        throw Error(ErrorKind::kUnsupported,
                    fmt::format("improver fbs_local_search works on a permutation of n departments and n - 1 bay bits; "
                                "the solutions of problem {} have another form",
                                problem.get()->id));
    }
    if (problem.length() > kMostDepartments) {
        throw Error(ErrorKind::kUnsupported,
                    fmt::format("improver fbs_local_search takes at most {} departments, found {}", kMostDepartments,
                                problem.length()));
    }
}

std::vector<std::uint32_t> chosen_kinds(const sdk::Parameters& parameters) {
    constexpr std::pair<const char*, std::uint32_t> kKinds[] = {{"swap", kernels::kFbsMoveSwap},
                                                                {"insert", kernels::kFbsMoveInsert},
                                                                {"shift_border", kernels::kFbsMoveShiftBorder},
                                                                {"flip_bit", kernels::kFbsMoveFlipBit},
                                                                {"swap_bays", kernels::kFbsMoveSwapBays}};
    std::vector<std::uint32_t> kinds;
    for (const auto& [name, kind] : kKinds) {
        if (parameters.boolean(name)) kinds.push_back(kind);
    }
    if (kinds.empty()) {
        throw Error(ErrorKind::kUsage,
                    "improver fbs_local_search needs a neighbourhood: at least one of swap, insert, shift_border, "
                    "flip_bit and swap_bays must be true");
    }
    return kinds;
}

kernels::FbsMoveRange range_of(std::span<const std::uint32_t> kinds, std::uint32_t n) {
    kernels::FbsMoveRange range{n, static_cast<std::uint32_t>(kinds.size()), {}};
    std::copy(kinds.begin(), kinds.end(), range.kinds);
    return range;
}

std::uint64_t limit(std::int64_t asked) {
    return asked > 0 ? static_cast<std::uint64_t>(asked) : kNoLimit;
}

}  // namespace

FbsLocalSearch::FbsLocalSearch(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& problem)
    : problem_(problem),
      improvement_(static_cast<Improvement>(parameters.choice("improvement"))),
      iterations_(limit(parameters.integer("iterations"))),
      evaluations_(limit(parameters.integer("evaluations"))) {
    require_bay_encoding(problem);
    const std::vector<std::uint32_t> kinds = chosen_kinds(parameters);
    if (static_cast<Order>(parameters.choice("order")) == Order::kMixed) {
        ranges_.push_back(range_of(kinds, problem.length()));
    } else {
        for (const std::uint32_t& kind : kinds) ranges_.push_back(range_of({&kind, 1}, problem.length()));
    }
}

/// The work that the improvement of one solution may still do.
struct FbsLocalSearch::Workspace::Budget {
    std::uint64_t moves;        ///< number of moves that may still be made
    std::uint64_t evaluations;  ///< number of evaluations that may still be made
    std::uint64_t used = 0;     ///< number of evaluations made
    const qapfw_improve_request& request;

    void count(std::uint64_t looked_at) {
        used += looked_at;
        evaluations -= looked_at;
    }
    bool is_spent() const {
        return moves == 0 || evaluations == 0 ||
               (request.should_stop != nullptr && request.should_stop(request.stop_context) != 0);
    }
};

std::uint64_t FbsLocalSearch::Workspace::improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
    std::uint64_t evaluations = 0;
    for (std::uint64_t k = 0; k < batch.count; ++k) {
        Budget budget{request.iterations > 0 ? request.iterations : search_.iterations_, search_.evaluations_, 0,
                      request};
        neighbours_.start_from(sdk::solution_at(batch.solutions, search_.problem_.solution_bytes(), k), batch.costs[k]);
        descend(request.first_individual + static_cast<std::uint32_t>(k), request, budget);
        batch.costs[k] = neighbours_.cost();
        evaluations += budget.used;
    }
    return evaluations;
}

/// Variable neighbourhood descent (Hansen and Mladenovic 2001). Each range of moves is a neighbourhood. After each
/// improvement the descent goes back to the first range. With a single range it is a plain descent.
void FbsLocalSearch::Workspace::descend(std::uint32_t individual, const qapfw_improve_request& request,
                                        Budget& budget) {
    std::vector<kernels::FbsCyclicOrder> orders;
    for (std::uint32_t r = 0; r < search_.ranges_.size(); ++r) {
        const kernels::Philox4 words =
            kernels::draw4(request.seed, std::uint64_t{request.generation} << 32, individual, request.stream, r);
        orders.push_back(kernels::fbs_random_order(kernels::fbs_range_size(search_.ranges_[r]), words));
    }
    for (std::size_t r = 0; r < search_.ranges_.size() && !budget.is_spent();) {
        const kernels::FbsMoveRange& range = search_.ranges_[r];
        const bool improved = search_.improvement_ == Improvement::kFirst ? take_first(range, orders[r], budget)
                                                                          : take_best(range, budget);
        budget.moves -= improved ? 1 : 0;
        r = improved ? 0 : r + 1;
    }
}

/// Collects in moves_ the next moves in `order` that are possible in the solution. Looks at no more than `most_steps`
/// moves, and returns how many it looked at.
std::uint64_t FbsLocalSearch::Workspace::collect(const kernels::FbsMoveRange& range, kernels::FbsCyclicOrder& order,
                                                 std::uint64_t most_steps, Budget& budget) {
    const std::uint64_t most = std::min<std::uint64_t>(Neighbours::kBatch, budget.evaluations);
    moves_.clear();
    behind_.clear();
    std::uint64_t steps = 0;
    while (steps < most_steps && moves_.size() < most) {
        const kernels::FbsMove move = kernels::fbs_range_move(range, order.at);
        order.advance();
        ++steps;
        if (!neighbours_.has(move)) continue;
        moves_.push_back(move);
        behind_.push_back(order);
    }
    return steps;
}

/// Calls visit(index in moves_, cost, number for Neighbours::take) for each move that may cost less than `limit`, until
/// visit returns true. Evaluates batches of `width` moves, and doubles `width` after each batch without success. If
/// bounds are good, the first move is usually a success; if bounds are weak, large batches are cheaper.
template <class Visit>
bool FbsLocalSearch::Workspace::visit_promising(const qapfw_cost& limit, std::size_t& width, Visit visit) {
    const std::span<const kernels::FbsMove> moves(moves_);
    for (std::size_t next = 0; next < moves.size();) {
        promising_.clear();
        evaluated_.clear();
        while (promising_.size() < width) {
            next += neighbours_.first_promising(moves.subspan(next), limit);
            if (next >= moves.size()) break;
            promising_.push_back(next);
            evaluated_.push_back(moves[next++]);
        }
        if (evaluated_.empty()) break;
        const std::span<const qapfw_cost> costs = neighbours_.costs_of(evaluated_);
        for (std::size_t k = 0; k < costs.size(); ++k) {
            if (visit(promising_[k], costs[k], k)) return true;
        }
        width = std::min(2 * width, Neighbours::kBatch);
    }
    return false;
}

/// Goes through the moves in the given order and makes the first one that lowers the cost. `order` then continues
/// behind that move. Returns false if no move within the budget lowers the cost. Later moves of the same batch do not
/// count against the budget, even if they were evaluated.
bool FbsLocalSearch::Workspace::take_first(const kernels::FbsMoveRange& range, kernels::FbsCyclicOrder& order,
                                           Budget& budget) {
    const sdk::CostLess less = search_.problem_.less();
    const std::uint64_t size = kernels::fbs_range_size(range);
    std::size_t width = neighbours_.has_bounds() ? 1 : Neighbours::kBatch;
    for (std::uint64_t done = 0; done < size && !budget.is_spent();) {
        done += collect(range, order, size - done, budget);
        const qapfw_cost limit = neighbours_.cost();
        const bool taken = visit_promising(limit, width, [&](std::size_t index, qapfw_cost cost, std::size_t k) {
            if (!less(cost, neighbours_.cost())) return false;
            budget.count(index + 1);
            order = behind_[index];
            neighbours_.take(k);
            return true;
        });
        if (taken) return true;
        budget.count(moves_.size());
    }
    return false;
}

/// Makes the move of least cost within the budget (the first of equal ones), if it lowers the cost. Returns whether it
/// made a move.
bool FbsLocalSearch::Workspace::take_best(const kernels::FbsMoveRange& range, Budget& budget) {
    const sdk::CostLess less = search_.problem_.less();
    const std::uint64_t size = kernels::fbs_range_size(range);
    kernels::FbsCyclicOrder order = kernels::fbs_ascending_order(size);
    bool found = false;
    kernels::FbsMove best{};
    qapfw_cost least = neighbours_.cost();
    std::size_t width = Neighbours::kBatch;
    for (std::uint64_t done = 0; done < size && !budget.is_spent();) {
        done += collect(range, order, size - done, budget);
        budget.count(moves_.size());
        visit_promising(least, width, [&](std::size_t index, qapfw_cost cost, std::size_t) {
            if (!less(cost, least)) return false;
            found = true;
            best = moves_[index];
            least = cost;
            return false;
        });
    }
    if (!found) return false;
    neighbours_.costs_of({&best, 1});
    neighbours_.take(0);
    return true;
}

}  // namespace qapfw::fbs_local_search
