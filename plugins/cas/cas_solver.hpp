// SPDX-License-Identifier: Apache-2.0
// Solver "cas": the cunning ant system with an improver, in one or several colonies. Source: S. Tsutsui and N.
// Fujimoto, "ACO with tabu search on a GPU for solving QAPs using move-cost adjusted thread assignment", MEDAL Report
// 2011005, section 3, Fig. 2 and Table 4.
#pragma once

#include <chrono>
#include <memory>

#include "plugins/cas/cas_parameters.hpp"
#include "plugins/cas/colonies.hpp"
#include "plugins/cas/phase_times.hpp"

namespace qapfw::cas {

class CasSolver {
  public:
    static constexpr auto& kParameters = cas::kParameters;

    explicit CasSolver(const sdk::SolverContext& context);
    void run(sdk::Run& run);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  protected:
    using Clock = std::chrono::steady_clock;
    Clock::duration quick_round_ = std::chrono::milliseconds(5);  ///< shorter ones are worth going ahead

  private:
    void settle(const sdk::Run& run);
    std::uint64_t round_wanted() const;
    void settle_round(std::uint64_t iterations);
    bool may_go_ahead(const sdk::Run& run) const;
    void go_ahead(const sdk::Run& run);
    void go_back();
    bool advance(std::uint64_t iterations, const sdk::Run& run);
    void iterate(std::uint64_t iteration, const sdk::Run& run);
    bool exchange_is_due(std::uint64_t iterations, const sdk::Run& run) const;
    void exchange_if_due(const sdk::Run& run);
    Champion swap_with_processes(const sdk::Run& run, const Champion& emigrant) const;
    void report(sdk::Run& run, std::uint64_t iterations, const Champion& best, std::uint64_t digest, bool complete);

    sdk::Host host_;
    sdk::ProblemRef problem_;
    const qapfw_improver_ref* improver_;
    CasOptions options_;
    std::uint64_t exchange_every_;
    std::uint64_t round_length_;
    std::unique_ptr<Colonies> colonies_;
    std::vector<unsigned char> saved_;  ///< state given to load, until the colonies exist
    std::uint64_t iteration_ = 0;       ///< complete ones
    std::uint64_t done_ = 0;            ///< of these, in complete rounds
    std::uint64_t evaluations_ = 0;     ///< of the rounds so far, cut ones too
    std::uint64_t reported_ = 0;        ///< of these, in reports
    std::uint64_t in_vain_ = 0;         ///< evaluations of rounds that were begun and not granted
    Clock::time_point looked_;          ///< when the last round's end was known
    Clock::duration last_round_ = Clock::duration::max();
    PhaseTimes times_;
};

}  // namespace qapfw::cas
