// SPDX-License-Identifier: Apache-2.0
// Graphs that need no file, of the families on which mapping tools are compared. A name, which may contain a seed,
// always gives the same graph.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "problems/sparse_qap/graphs/graph.hpp"

namespace qapfw::sparse {

/// True if the name begins like that of a generated graph: "rgg2:", "rgg3:", "regular:", "powerlaw:", "grid:" or
/// "torus:".
bool is_generated(const std::string& name);
/// Generates the graph with this name. Throws Error(kInput) if a number in the name is wrong. Forms of names:
///   rgg2:N[:SEED], rgg3:N[:SEED]   random points in a square or cube, joined if they are near: about 8 neighbours each
///   regular:N:D[:SEED]             D random neighbours for each vertex; in small graphs a few edges may be missing
///   powerlaw:N[:SEED]              each vertex joins 4 earlier ones, more often those with many neighbours
///   grid:AxB..., torus:AxB...      neighbours on a lattice
Graph generate(const std::string& name);
/// Returns the forms of names that `generate` knows, each with a line that explains the form, for lists of instances.
std::vector<std::pair<std::string, std::string>> generated_forms();

}  // namespace qapfw::sparse
