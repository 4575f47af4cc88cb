// SPDX-License-Identifier: Apache-2.0
#include "plugins/mapping/host_searches.hpp"

#include <cstring>

#include "plugins/mapping/device/round_rules.hpp"

namespace qapfw::mapping {

HostSearches::HostSearches(const sdk::Host& host, const sdk::ProblemRef& problem, std::uint32_t movers,
                           SearchRange range)
    : team_(host),
      problem_(problem),
      range_(range),
      best_solution_(problem.solution_bytes()),
      scratch_(problem.solution_bytes()) {
    for (std::uint32_t k = 0; k < range.count; ++k) ones_.push_back(std::make_unique<One>(problem, movers));
    if (range.count == 1 && team_.is_shared() && problem.length() <= RoundsOnCopies::kMostPositions)
        copies_ = std::make_unique<RoundsOnCopies>(problem, ones_[0]->rounds, ones_[0]->walk,
                                                   RoundsOnCopies::members_for(ones_[0]->rounds, team_.members()));
}

void HostSearches::reset(std::span<const std::vector<unsigned char>> solutions) {
    for (std::uint32_t k = 0; k < ones_.size(); ++k) {
        ones_[k]->walk.reset(solutions[solutions.size() == 1 ? 0 : k].data());
        ones_[k]->rounds.forget_claims();
    }
    if (copies_) copies_->forget_copies();
}

std::uint64_t HostSearches::play(std::span<const RoundOrder> orders, const sdk::StopQuestion& stop) {
    if (copies_) return play_on_copies(orders, stop);
    std::uint64_t played = 0;
    team_.gather([&] {
        for (; played < orders.size() && !stop(); ++played) {
            for (std::uint32_t k = 0; k < ones_.size(); ++k)
                ones_[k]->rounds.play(order_of_search(orders[played], k), team_);
        }
    });
    return played;
}

std::uint64_t HostSearches::play_on_copies(std::span<const RoundOrder> orders, const sdk::StopQuestion& stop) {
    std::uint64_t played = 0;
    copies_->begin();
    team_.gather(
        [&] {
            for (; played < orders.size() && !stop(); ++played) copies_->play(order_of_search(orders[played], 0));
        },
        [&](std::uint32_t member) { copies_->help(member, team_); });
    return played;
}

RoundOrder HostSearches::order_of_search(RoundOrder order, std::uint32_t search) const {
    order.seed = seed_of_search(order.seed, range_.first + search);
    return order;
}

void HostSearches::set_record(std::int64_t cost) {
    best_.cost = cost;
    is_new_ = false;
}

void HostSearches::look(std::uint64_t iteration) {
    for (std::uint32_t k = 0; k < ones_.size(); ++k) {
        One& one = *ones_[k];
        one.cost = one.walk.cost();
        if (one.cost >= best_.cost) continue;
        best_ = {one.cost, iteration, range_.first + k};
        is_new_ = true;
        one.walk.solution(best_solution_.data());
    }
}

std::vector<SearchState> HostSearches::states() {
    std::vector<SearchState> states;
    for (const auto& one : ones_) {
        one->walk.solution(scratch_.data());
        std::uint64_t digest = 0;
        for (std::uint32_t k = 0; k < problem_.length(); ++k)
            digest += kernels::digest_element(k, sdk::element_at(problem_.encoding().segments[0], scratch_.data(), k));
        states.push_back({digest, one->cost});
    }
    return states;
}

bool HostSearches::has_better(Best& best) {
    if (!is_new_ || best_ >= best) return false;
    best = best_;
    return true;
}

void HostSearches::best_solution(unsigned char* to) {
    std::memcpy(to, best_solution_.data(), best_solution_.size());
}

void HostSearches::solution(std::uint32_t search, unsigned char* to) {
    ones_[search]->walk.solution(to);
}

}  // namespace qapfw::mapping
