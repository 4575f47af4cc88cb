// SPDX-License-Identifier: Apache-2.0
#include "plugins/fbs_local_search/fbs_local_search.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "qapfw/error.hpp"

namespace qapfw::fbs_local_search {
namespace {

/// Beyond this the number of insertions leaves 32 bits.
constexpr std::uint32_t kMostDepartments = 30000;
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

void require_bay_encoding(const sdk::ProblemRef& problem) {
    const qapfw_encoding& encoding = problem.encoding();
    const bool fits = encoding.segment_count == 2 && encoding.segments[0].kind == QAPFW_SEGMENT_PERMUTATION &&
                      encoding.segments[1].kind == QAPFW_SEGMENT_BITS &&
                      encoding.segments[1].length + 1 == encoding.segments[0].length;
    if (!fits) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("improver fbs_local_search works on a permutation of n departments and n - 1 bay bits; "
                                "the solutions of problem {} are something else",
                                problem.get()->id));
    }
    if (problem.length() > kMostDepartments) {
        throw Error(ErrorKind::kUsage, fmt::format("improver fbs_local_search takes at most {} departments, found {}",
                                                   kMostDepartments, problem.length()));
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
        ranges_.emplace_back(kinds, problem.length());
    } else {
        for (const std::uint32_t& kind : kinds) ranges_.emplace_back(std::span(&kind, 1), problem.length());
    }
}

/// What is left of a call for one solution.
struct FbsLocalSearch::Workspace::Budget {
    std::uint64_t moves;
    std::uint64_t evaluations;
    std::uint64_t used = 0;
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

/// Variable neighbourhood descent (Hansen and Mladenovic 2001): after each improvement back to the first range. With a
/// single range it is a plain descent.
void FbsLocalSearch::Workspace::descend(std::uint32_t individual, const qapfw_improve_request& request,
                                        Budget& budget) {
    std::vector<CyclicOrder> orders;
    for (std::uint32_t r = 0; r < search_.ranges_.size(); ++r) {
        const kernels::Philox4 words =
            kernels::draw4(request.seed, std::uint64_t{request.generation} << 32, individual, request.stream, r);
        orders.push_back(CyclicOrder::random(search_.ranges_[r].size(), words));
    }
    for (std::size_t r = 0; r < search_.ranges_.size() && !budget.is_spent();) {
        const MoveRange& range = search_.ranges_[r];
        const bool improved = search_.improvement_ == Improvement::kFirst ? take_first(range, orders[r], budget)
                                                                          : take_best(range, budget);
        budget.moves -= improved ? 1 : 0;
        r = improved ? 0 : r + 1;
    }
}

/// The next batch of moves that the solution has, from `from` steps ahead on. Returns how far it went.
std::uint64_t FbsLocalSearch::Workspace::collect(const MoveRange& range, const CyclicOrder& order, std::uint64_t from,
                                                 Budget& budget) {
    const std::uint64_t most = std::min<std::uint64_t>(Neighbours::kBatch, budget.evaluations);
    moves_.clear();
    steps_.clear();
    for (; from < range.size() && moves_.size() < most; ++from) {
        const kernels::FbsMove move = range[order.ahead(from)];
        if (!neighbours_.has(move)) continue;
        moves_.push_back(move);
        steps_.push_back(from + 1);
    }
    return from;
}

/// The first move in the order that costs less; the order then goes on behind it. What a batch evaluated beyond that
/// move does not count: it would not have been looked at one by one.
bool FbsLocalSearch::Workspace::take_first(const MoveRange& range, CyclicOrder& order, Budget& budget) {
    const sdk::CostLess less = search_.problem_.less();
    for (std::uint64_t done = 0; done < range.size() && !budget.is_spent();) {
        done = collect(range, order, done, budget);
        const std::span<const qapfw_cost> costs = neighbours_.costs_of(moves_);
        for (std::size_t k = 0; k < costs.size(); ++k) {
            if (!less(costs[k], neighbours_.cost())) continue;
            budget.count(k + 1);
            order.advance(steps_[k]);
            neighbours_.take(k);
            return true;
        }
        budget.count(costs.size());
    }
    return false;
}

/// The move of least cost among those that the budget allows, the first one of equals, where it improves.
bool FbsLocalSearch::Workspace::take_best(const MoveRange& range, Budget& budget) {
    const sdk::CostLess less = search_.problem_.less();
    const CyclicOrder order = CyclicOrder::ascending(range.size());
    bool found = false;
    kernels::FbsMove best{};
    qapfw_cost least = neighbours_.cost();
    std::uint64_t done = 0;
    while (done < range.size() && !budget.is_spent()) {
        done = collect(range, order, done, budget);
        const std::span<const qapfw_cost> costs = neighbours_.costs_of(moves_);
        budget.count(costs.size());
        for (std::size_t k = 0; k < costs.size(); ++k) {
            if (!less(costs[k], least)) continue;
            found = true;
            best = moves_[k];
            least = costs[k];
        }
    }
    if (!found) return false;
    neighbours_.costs_of({&best, 1});
    neighbours_.take(0);
    return true;
}

}  // namespace qapfw::fbs_local_search
