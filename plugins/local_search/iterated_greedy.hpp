// SPDX-License-Identifier: Apache-2.0
// Improver "iterated_greedy": takes some elements out of the order and puts them back one by one, each at its best
// position. Source: Ruiz and Stuetzle, European Journal of Operational Research 177 (2007). This improver is for
// problems that compute costs but no deltas, and whose costs depend on the order of elements more than on positions.
#pragma once

#include <cstdint>
#include <vector>

#include "qapfw/sdk/improver.hpp"

namespace qapfw::local_search {

/// The improver. While elements wait to be put back, they stand at the end of the order. So each candidate is a whole
/// solution. The new order is kept unless it is worse. If several positions for an element are equally good, one of
/// them is drawn.
class IteratedGreedy {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::size("iterations", "4n")
            .range(1, 1e12)
            .unit("iterations")
            .summary("Number of iterations on a solution. Each takes some elements out of the order and puts them back "
                     "at their best positions. More iterations take longer and usually find a better order."),
        sdk::integer("removed", 4)
            .range(1, 1000)
            .summary("Number of elements that an iteration takes out of the order and puts back. A larger number "
                     "changes the order more."),
        sdk::flag("rebuild", false)
            .summary("Whether the search starts by taking out all elements of the order and putting them back one by "
                     "one. This helps if the order is random and the search is long.")};

    /// A solution of the problem must be a permutation of 16-bit elements, alone or with bay bits. Otherwise throws
    /// Error(kUnsupported).
    IteratedGreedy(const sdk::Host& host, const sdk::Parameters& parameters, const sdk::ProblemRef& problem);

    class Workspace {
      public:
        explicit Workspace(const IteratedGreedy& improver);
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request);

      private:
        /// Elements at the free positions.
        using Order = std::vector<std::uint16_t>;
        bool iterate(std::size_t out, const qapfw_improve_request& request);
        bool put_back(std::size_t next, const qapfw_improve_request& request);
        void evaluate(std::size_t first, std::size_t count, std::size_t next);
        std::uint32_t below(std::uint32_t bound);

        const IteratedGreedy& improver_;
        Order present_, candidate_, removed_;
        qapfw_cost present_cost_{}, candidate_cost_{};
        std::vector<unsigned char> children_;  ///< candidates that are evaluated together
        std::vector<qapfw_cost> costs_;
        std::uint64_t state_ = 0;  ///< state of the random numbers
        std::uint64_t evaluations_ = 0;
    };

  private:
    sdk::ProblemRef problem_;
    std::vector<std::uint16_t> free_;
    std::uint64_t iterations_;
    std::size_t removed_;
    bool rebuilds_;
};

}  // namespace qapfw::local_search
