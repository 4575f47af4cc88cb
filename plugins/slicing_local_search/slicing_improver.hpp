// SPDX-License-Identifier: Apache-2.0
// Improver "slicing_local_search": one short annealing of a solution's slicing tree.
#pragma once

#include <vector>

#include "plugins/slicing_local_search/host_team.hpp"
#include "plugins/slicing_local_search/slicing_instance.hpp"
#include "qapfw/sdk/improver.hpp"

namespace qapfw::slicing_local_search {

class SlicingImprover {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::size("steps").or_auto().range(128, 1e12).summary(
            "Number of steps of an annealing; each step tries one change of the layout. More steps take longer and "
            "usually find a better layout. auto: enough for some hundredths of a second, depending on the number of "
            "departments."),
        sdk::real("hot", 0.03)
            .range(1e-6, 1000)
            .summary("Temperature at the start of an annealing. A higher temperature accepts worse layouts more often. "
                     "The unit is the layout's cost divided by the number of fixed points and of departments "
                     "with flow."),
        sdk::real("cold", 0.0018)
            .range(1e-9, 1000)
            .summary("Temperature at the end of an annealing. A lower temperature accepts fewer worse layouts. The "
                     "unit is the layout's cost divided by the number of fixed points and of departments "
                     "with flow."),
        sdk::real("feasible", 0.4)
            .range(0, 1)
            .summary("Fraction of the visited layouts that should keep all shape rules. While fewer layouts "
                     "keep them, the penalty for broken rules rises.")};

    /// Throws qapfw::Error if the problem's solutions are not slicing trees.
    SlicingImprover(const sdk::Host& host, const sdk::Parameters& parameters, const sdk::ProblemRef& problem);

    class Workspace {
      public:
        explicit Workspace(const SlicingImprover& improver);
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request);

      private:
        std::uint64_t anneal(std::uint16_t* solution, qapfw_cost* cost, const sdk::ImproveCall& call);

        const SlicingImprover& improver_;
        HostWorkspace memory_;
        std::vector<std::uint16_t> tree_, best_, candidate_;
    };

  private:
    sdk::ProblemRef problem_;
    const qapfw_slicing& data_;
    SlicingInstance instance_;
    kernels::SlicingAnnealing settings_{};
    std::uint64_t steps_;
    double hot_, log_ratio_;
};

}  // namespace qapfw::slicing_local_search
