// SPDX-License-Identifier: Apache-2.0
// The phases of a generation of PGAGrid on CPU threads: one cell per loop index, all grids of the process together.
// Source: PGAGrid thesis (2018), algorithm 18 and sections 3.2 to 3.7.
#pragma once

#include "plugins/pga_grid/topology.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::pga_grid {

struct GridOptions {
    Shape shape;
    Topology topology;
    std::vector<Offset> offsets;
    std::uint32_t grids;
    std::uint32_t crossover, mutation, transposition;  ///< thresholds of 32-bit words
    std::uint64_t seed = 0;
    std::uint32_t first_grid = 0;  ///< number of this process' first grid among all processes

    std::uint32_t cells() const { return shape.cells() * grids; }
    std::uint32_t first_individual() const { return first_grid * shape.cells(); }
};

/// An individual taken out of its cell.
struct Champion {
    std::vector<unsigned char> solution;  ///< empty: none yet
    qapfw_cost cost{};
    std::uint64_t generation = 0;  ///< in which it was found; 0 is the first population
    std::uint64_t cell = 0;        ///< grid by grid
};

/// Everything that a resumed run needs.
struct GridState {
    std::vector<unsigned char> solutions;  ///< grid by grid, row by row
    std::vector<qapfw_cost> costs;
    Champion best;                 ///< of all grids and generations
    std::uint64_t generation = 0;  ///< complete ones
    bool populated = false;

    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader, std::uint64_t cells, std::uint64_t solution_bytes);
};

class Grids {
  public:
    Grids(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
          const GridOptions& options);

    void set_run(std::uint64_t seed, std::uint32_t first_grid);
    const GridOptions& options() const { return options_; }
    GridState& state() { return state_; }
    const GridState& state() const { return state_; }

    /// A random individual in every cell, the `warm` solutions in the first ones.
    void populate(const std::vector<unsigned char>& warm, const sdk::Run& run);
    /// Elitist binary tournament of every cell against a random permutation of its grid.
    void select(std::uint64_t generation);
    /// Every cell with the best of its neighbours; the child replaces the centre where it is not worse.
    void cross(std::uint64_t generation, const sdk::Run& run);
    /// Keeps a copy of the best of every grid.
    void remember_best();
    void mutate(std::uint64_t generation);
    void transpose(std::uint64_t generation);
    /// The remembered ones return to their own cells.
    void reincorporate_best();
    /// Costs of what mutation and transposition changed. A stop leaves the rest without cost.
    void evaluate(const sdk::Run& run);
    void improve(std::uint64_t generation, const sdk::Run& run);
    /// The state's best, if a cell whose cost is known is better.
    void keep_best(std::uint64_t generation);

    Champion best_of(std::uint32_t grid) const;
    /// Takes the place of the grid's worst individual if it is better and the grid does not hold it yet.
    void immigrate(std::uint32_t grid, const Champion& newcomer);

    std::uint64_t digest() const;
    std::uint64_t evaluations() const { return evaluations_; }

  private:
    void* solution(std::vector<unsigned char>& of, std::uint64_t cell) const {
        return sdk::solution_at(of.data(), problem_.solution_bytes(), cell);
    }
    const void* solution(const std::vector<unsigned char>& of, std::uint64_t cell) const {
        return sdk::solution_at(of.data(), problem_.solution_bytes(), cell);
    }
    std::uint32_t best_cell(std::uint32_t grid) const;
    std::uint32_t movable() const { return static_cast<std::uint32_t>(free_.size()); }
    bool find_mate(std::uint32_t cell, std::uint32_t word, std::uint32_t* mate) const;
    void cross_cell(std::uint64_t generation, std::uint32_t cell, std::uint32_t worker);
    void take_costs_of_unknown(const sdk::Run& run);
    template <class Change>
    void change_cells(std::uint64_t generation, std::uint32_t stream, std::uint32_t threshold, const Change& change);

    sdk::Host host_;
    sdk::ProblemRef problem_;
    sdk::ImproverPool improvers_;
    GridOptions options_;
    Neighbours neighbours_;
    std::vector<std::uint16_t> free_;  ///< positions that may move
    std::vector<unsigned char> base_;  ///< the fixed solution, or the identity
    GridState state_;
    std::vector<unsigned char> next_;  ///< the population that a phase builds from the present one
    std::vector<qapfw_cost> next_costs_;
    std::vector<std::uint8_t> known_;   ///< per cell: its cost belongs to its solution
    std::vector<std::uint8_t> tried_;   ///< per cell: a child was evaluated in this generation
    std::vector<Champion> remembered_;  ///< per grid
    std::vector<std::uint8_t> taken_;   ///< per worker: scratch of the crossover
    std::uint64_t evaluations_ = 0;
};

}  // namespace qapfw::pga_grid
