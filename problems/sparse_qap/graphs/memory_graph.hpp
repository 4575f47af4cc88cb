// SPDX-License-Identifier: Apache-2.0
// Graphs in the memory of the program around the engine: compressed rows, as SciPy's CSR has them.
#pragma once

#include <string>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sparse {

/// Reads the arrays "offsets", "columns", "weights" and "vertex_names" of the host, of which the last two may be
/// missing. `name` is that of the instance, for messages. Throws Error(kInput).
Graph read_memory_graph(const sdk::Host& host, const std::string& name);

}  // namespace qapfw::sparse
