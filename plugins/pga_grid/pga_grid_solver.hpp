// SPDX-License-Identifier: Apache-2.0
// Solver "pga_grid": a fine-grained genetic algorithm on a toroidal grid with a local search on every individual, in
// one or several grids. Source: "PGAGrid", PhD thesis, 2018, chapter 3, algorithm 18.
#pragma once

#include "plugins/pga_grid/grids.hpp"
#include "plugins/pga_grid/pga_grid_parameters.hpp"

namespace qapfw::pga_grid {

class PgaGridSolver {
  public:
    static constexpr auto& kParameters = pga_grid::kParameters;

    explicit PgaGridSolver(const sdk::SolverContext& context);
    void run(sdk::Run& run);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  private:
    void settle(const sdk::Run& run);
    std::uint64_t round_wanted() const;
    bool advance(std::uint64_t generations, const sdk::Run& run);
    bool populate(const sdk::Run& run);
    bool evolve(std::uint64_t generation, const sdk::Run& run);
    void exchange_if_due(const sdk::Run& run);
    Champion swap_with_processes(const sdk::Run& run, const Champion& emigrant) const;
    void report(sdk::Run& run, std::uint64_t generations, const Champion& best, bool complete);

    sdk::Host host_;
    sdk::ProblemRef problem_;
    const qapfw_improver_ref* improver_;
    GridOptions options_;
    std::unique_ptr<Grids> grids_;  ///< from the run's beginning
    GridState saved_;               ///< given to load, until the grids exist
    std::uint64_t exchange_every_;
    std::uint64_t round_length_;
    std::uint64_t reported_ = 0;  ///< evaluations already counted in reports
};

}  // namespace qapfw::pga_grid
