// SPDX-License-Identifier: Apache-2.0
// The components of this library. One library may hold any number of components.
#include "qapfw/sdk/plugin.hpp"
#include "island_ga.hpp"
#include "iterated_swap.hpp"
#include "linear_ordering.hpp"

// [plugin-entry]
namespace {

constexpr qapfw_component kLinearOrdering = qapfw::sdk::problem_component<linear_ordering::LinearOrdering>(
    {.id = "linear_ordering",
     .version = "1.0.0",
     .summary = "Linear ordering: the order of rows and columns with the greatest sum above the diagonal.",
     .reference = "Marti and Reinelt, The Linear Ordering Problem, Springer 2011",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

constexpr qapfw_component kIteratedSwap = qapfw::sdk::solver_component<iterated_swap::IteratedSwap>(
    {.id = "iterated_swap",
     .version = "1.0.0",
     .summary = "Iterated local search: random swaps, then a descent by best swaps.",
     .reference = "Lourenco, Martin, Stutzle, Iterated Local Search, 2003"});

constexpr qapfw_component kIslandGa = qapfw::sdk::solver_component<qapfw::sdk::PopulationSolver<island_ga::IslandGa>>(
    {.id = "island_ga",
     .version = "1.0.0",
     .summary = "Island genetic algorithm with a window crossover; the islands form a ring.",
     .encodings = "permutation permutation+bays",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

}  // namespace

QAPFW_PLUGIN("org.example.linear_ordering", "1.0.0", "Apache-2.0", &kLinearOrdering, &kIteratedSwap, &kIslandGa)
// [plugin-entry-end]
