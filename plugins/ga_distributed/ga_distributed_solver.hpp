// SPDX-License-Identifier: Apache-2.0
// Solver "ga_distributed": subpopulations under the base GA, with an exchange of individuals every G_interval
// generations. Source: S. Tsutsui and N. Fujimoto, "Solving quadratic assignment problems by genetic algorithms with
// GPU computation: a case study", GECCO 2009, section 3.2; GA-1 and GA-2 (section 4.1) are configurations of it.
#pragma once

#include <memory>

#include "plugins/ga_distributed/ga_distributed_parameters.hpp"
#include "plugins/ga_distributed/islands.hpp"

namespace qapfw::ga_distributed {

class GaDistributed {
  public:
    static constexpr auto& kParameters = ga_distributed::kParameters;

    explicit GaDistributed(const sdk::SolverContext& context);
    void run(sdk::Run& run);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  private:
    void settle(const sdk::Run& run);
    bool advance(std::uint64_t generations, const sdk::Run& run);
    std::uint64_t round_wanted() const;
    void exchange_if_due();
    void report(sdk::Run& run, std::uint64_t generations, bool complete);

    sdk::Host host_;
    sdk::ProblemRef problem_;
    const qapfw_improver_ref* improver_;
    IslandOptions options_;
    std::uint64_t exchange_every_;
    std::uint32_t moved_;  ///< individuals that one exchange moves
    std::uint64_t round_length_;
    std::unique_ptr<Islands> islands_;
    std::vector<unsigned char> saved_;  ///< state given to load, until the islands exist
    std::uint64_t generation_ = 0;      ///< complete ones
    bool started_ = false;              ///< the first individuals are there
    std::uint64_t reported_ = 0;        ///< evaluations already counted in reports
};

}  // namespace qapfw::ga_distributed
