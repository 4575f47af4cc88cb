// SPDX-License-Identifier: Apache-2.0
#include "plugins/local_search/iterated_greedy.hpp"

#include <algorithm>
#include <string>

#include "qapfw/kernels/philox.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::local_search {
namespace {

constexpr std::size_t kTogether = 64;  ///< number of candidates evaluated between two calls of should_stop

}  // namespace

IteratedGreedy::IteratedGreedy(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& problem)
    : problem_(problem),
      iterations_(static_cast<std::uint64_t>(parameters.integer("iterations"))),
      removed_(0),
      rebuilds_(parameters.boolean("rebuild")) {
    if (!sdk::is_permutation_16(problem.encoding())) {
        throw Error(ErrorKind::kUnsupported, std::string("improver iterated_greedy works on a permutation of 16-bit "
                                                         "elements, alone or with bays; the solutions of problem ") +
                                                 problem.get()->id + " have another form");
    }
    free_ = sdk::free_positions(problem);
    removed_ = std::min(static_cast<std::size_t>(parameters.integer("removed")), free_.size());
}

IteratedGreedy::Workspace::Workspace(const IteratedGreedy& improver)
    : improver_(improver), children_(kTogether * improver.problem_.solution_bytes()), costs_(kTogether) {}

std::uint64_t IteratedGreedy::Workspace::improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
    const sdk::ProblemRef& problem = improver_.problem_;
    const std::uint64_t before = evaluations_, bytes = problem.solution_bytes();
    const std::uint64_t limit = request.iterations > 0 ? request.iterations : improver_.iterations_;
    for (std::uint64_t k = 0; k < batch.count && improver_.free_.size() > 1; ++k) {
        auto* const solution = static_cast<unsigned char*>(sdk::solution_at(batch.solutions, bytes, k));
        const kernels::Philox4 words =
            kernels::draw4(request.seed, std::uint64_t{request.generation} << 32,
                           request.first_individual + static_cast<std::uint32_t>(k), request.stream, 0);
        state_ = std::uint64_t{words.word[0]} << 32 | words.word[1];
        // Everything in a candidate except the order is copied from the solution.
        for (std::size_t c = 0; c < kTogether; ++c) std::copy_n(solution, bytes, children_.data() + c * bytes);
        present_.clear();
        for (const std::uint16_t position : improver_.free_) {
            present_.push_back(sdk::permutation_of(solution)[position]);
        }
        present_cost_ = batch.costs[k];
        bool goes_on = !improver_.rebuilds_ || iterate(present_.size(), request);
        for (std::uint64_t done = 0; done < limit && goes_on; ++done) goes_on = iterate(improver_.removed_, request);
        for (std::size_t at = 0; at < present_.size(); ++at) {
            sdk::permutation_of(solution)[improver_.free_[at]] = present_[at];
        }
        batch.costs[k] = present_cost_;
    }
    return evaluations_ - before;
}

/// Removes `out` random elements from the order and puts each back at its best position. Keeps the new order unless it
/// is worse. Returns false if the caller wants to stop; the order is then unchanged.
bool IteratedGreedy::Workspace::iterate(std::size_t out, const qapfw_improve_request& request) {
    candidate_ = present_;
    removed_.clear();
    for (std::size_t k = 0; k < out; ++k) {
        const auto at = candidate_.begin() + below(static_cast<std::uint32_t>(candidate_.size()));
        removed_.push_back(*at);
        candidate_.erase(at);
    }
    for (std::size_t next = 0; next < removed_.size(); ++next) {
        if (!put_back(next, request)) return false;
    }
    if (improver_.problem_.less()(present_cost_, candidate_cost_)) return true;
    present_.swap(candidate_);
    present_cost_ = candidate_cost_;
    return true;
}

/// Puts the element removed_[next] at its best position in the candidate. Returns false if `request` asks to stop.
bool IteratedGreedy::Workspace::put_back(std::size_t next, const qapfw_improve_request& request) {
    const sdk::CostLess less = improver_.problem_.less();
    const std::size_t places = candidate_.size() + 1;
    std::size_t best = 0;
    std::uint32_t equals = 0;
    for (std::size_t first = 0; first < places; first += kTogether) {
        if (request.should_stop != nullptr && request.should_stop(request.stop_context) != 0) return false;
        const std::size_t count = std::min(kTogether, places - first);
        evaluate(first, count, next);
        for (std::size_t c = 0; c < count; ++c) {
            if (equals > 0 && less(candidate_cost_, costs_[c])) continue;
            equals = equals == 0 || less(costs_[c], candidate_cost_) ? 1 : equals + 1;
            if (equals > 1 && below(equals) != 0) continue;
            best = first + c;
            candidate_cost_ = costs_[c];
        }
    }
    candidate_.insert(candidate_.begin() + static_cast<std::ptrdiff_t>(best), removed_[next]);
    return true;
}

/// Computes costs_, the costs of the candidate with removed_[next] at each of `count` positions from `first` on. The
/// elements that are put back later stand at the end of the order meanwhile.
void IteratedGreedy::Workspace::evaluate(std::size_t first, std::size_t count, std::size_t next) {
    const std::uint64_t bytes = improver_.problem_.solution_bytes();
    const std::vector<std::uint16_t>& free = improver_.free_;
    for (std::size_t c = 0; c < count; ++c) {
        std::uint16_t* const order = sdk::permutation_of(children_.data() + c * bytes);
        const std::size_t place = first + c;
        for (std::size_t at = 0; at < place; ++at) order[free[at]] = candidate_[at];
        order[free[place]] = removed_[next];
        for (std::size_t at = place; at < candidate_.size(); ++at) order[free[at + 1]] = candidate_[at];
        for (std::size_t out = next + 1; out < removed_.size(); ++out) {
            order[free[candidate_.size() + out - next]] = removed_[out];
        }
    }
    improver_.problem_.evaluate({children_.data(), costs_.data(), count});
    evaluations_ += count;
}

std::uint32_t IteratedGreedy::Workspace::below(std::uint32_t bound) {  // SplitMix64
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return static_cast<std::uint32_t>(((z ^ z >> 31) >> 32) * bound >> 32);
}

}  // namespace qapfw::local_search
