// SPDX-License-Identifier: Apache-2.0
// Graphs in the memory of the program that uses the engine, as compressed rows (like SciPy's CSR).
#pragma once

#include <string>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sparse {

/// Reads the arrays "offsets", "columns", "weights" and "vertex_names" of the host. The last two may be missing. `name`
/// is the instance's name, for messages. Throws Error(kInput).
Graph read_memory_graph(const sdk::Host& host, const std::string& name);

}  // namespace qapfw::sparse
