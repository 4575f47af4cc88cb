// SPDX-License-Identifier: Apache-2.0
// Annealings on the CPU. All threads work together on one search at a time.
#pragma once

#include <memory>
#include <vector>

#include "plugins/mapping/rounds_on_copies.hpp"
#include "plugins/mapping/searches.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::mapping {

class HostSearches final : public Searches {
  public:
    /// Swaps are proposed only for positions below `movers` (see qapfw_sampled_facts).
    HostSearches(const sdk::Host& host, const sdk::ProblemRef& problem, std::uint32_t movers, SearchRange range);

    void reset(std::span<const std::vector<unsigned char>> solutions) override;
    std::uint64_t play(std::span<const RoundOrder> orders, const sdk::StopQuestion& stop) override;
    void wait() override {}
    void set_record(std::int64_t cost) override;
    void look(std::uint64_t iteration) override;
    std::vector<SearchState> states() override;
    bool has_better(Best& best) override;
    void best_solution(unsigned char* to) override;
    void solution(std::uint32_t search, unsigned char* to) override;

  private:
    struct One {
        One(const sdk::ProblemRef& problem, std::uint32_t movers)
            : walk(problem), rounds(walk, problem.length(), movers) {}
        sdk::SampledWalk walk;
        Rounds rounds;
        std::int64_t cost = 0;
    };

    std::uint64_t play_on_copies(std::span<const RoundOrder> orders, const sdk::StopQuestion& stop);
    RoundOrder order_of_search(RoundOrder order, std::uint32_t search) const;

    Team team_;
    const sdk::ProblemRef problem_;
    const SearchRange range_;
    std::vector<std::unique_ptr<One>> ones_;
    std::unique_ptr<RoundsOnCopies> copies_;  ///< if not null: plays the only search, on several threads
    Best best_;
    bool is_new_ = false;  ///< true if `look` has set best_solution_ since the last set_record
    std::vector<unsigned char> best_solution_, scratch_;
};

}  // namespace qapfw::mapping
