// SPDX-License-Identifier: Apache-2.0
// The phases of a generation of PGAGrid for all grids of a process together: on CPU threads (cpu_grids) or on GPUs
// (device_grids), with equal results. Source: PGAGrid thesis (2018), algorithm 18 and sections 3.2 to 3.7.
#pragma once

#include <functional>
#include <memory>

#include "plugins/pga_grid/topology.hpp"
#include "qapfw/kernels/pga_rules.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::pga_grid {

constexpr std::uint32_t kImproverStream = 64;  ///< and 65

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
    kernels::PgaRules rules(const sdk::ProblemRef& problem) const;
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

/// Who arrives from the process before this one on the ring in exchange for this one's emigrant.
using SwapWithProcesses = std::function<Champion(const Champion& emigrant)>;

class Grids {
  public:
    virtual ~Grids() = default;

    /// A random individual in every cell, the `warm` solutions in the first ones.
    virtual void populate(const std::vector<unsigned char>& warm, const sdk::Run& run) = 0;
    /// Elitist binary tournament of every cell against a random permutation of its grid.
    virtual void select(std::uint64_t generation) = 0;
    /// Every cell with the best of its neighbours; the child replaces the centre where it is not worse.
    virtual void cross(std::uint64_t generation, const sdk::Run& run) = 0;
    /// Keeps the best of every grid aside.
    virtual void remember_best() = 0;
    virtual void mutate(std::uint64_t generation) = 0;
    virtual void transpose(std::uint64_t generation) = 0;
    /// The remembered ones return to their own cells.
    virtual void reincorporate_best() = 0;
    /// Costs of what mutation and transposition changed. A stop leaves the rest without cost.
    virtual void evaluate(const sdk::Run& run) = 0;
    virtual void improve(std::uint64_t generation, const sdk::Run& run) = 0;
    /// The best of all, if a cell whose cost is known is better.
    virtual void keep_best(std::uint64_t generation) = 0;
    /// Every grid's best goes to the next one, where it takes the worst individual's place if it is better and new.
    virtual void migrate(const SwapWithProcesses& swap_with_processes) = 0;

    /// Remembers the state at the start of a round; `revert` goes back to it.
    virtual void mark() = 0;
    virtual void revert() = 0;
    virtual bool populated() const = 0;
    virtual std::uint64_t generation() const = 0;
    virtual void complete(std::uint64_t generation) = 0;
    virtual const Champion& best() = 0;
    // Both are as of the last look at the best.
    virtual std::uint64_t digest() = 0;
    virtual std::uint64_t evaluations() = 0;
    virtual void save(sdk::Writer& writer) = 0;
};

/// `state`: where a resumed run goes on.
std::unique_ptr<Grids> make_cpu_grids(const sdk::Host& host, const sdk::ProblemRef& problem,
                                      const qapfw_improver_ref* improver, const GridOptions& options,
                                      const GridState& state);

/// The grids are shared out over the run's GPUs; those that would have none stay idle.
std::unique_ptr<Grids> make_device_grids(const sdk::Host& host, const sdk::ProblemRef& problem,
                                         const qapfw_improver_ref* improver, const GridOptions& options,
                                         const GridState& state, std::span<const qapfw_device* const> devices);

}  // namespace qapfw::pga_grid
