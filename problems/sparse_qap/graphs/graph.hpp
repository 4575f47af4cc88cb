// SPDX-License-Identifier: Apache-2.0
// The type of the flows: the sparse graph that other problems use too.
#pragma once

#include "common/sparse_graph.hpp"

namespace qapfw::sparse {

using common::Arc;
using common::breadth_first;
using common::Flow;
using common::Graph;
using common::make_graph;
using common::raw_graph;
using common::RawGraph;

}  // namespace qapfw::sparse
