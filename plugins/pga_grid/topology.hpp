// SPDX-License-Identifier: Apache-2.0
// Neighbours of the cells of a toroidal grid. Source: PGAGrid thesis (2018), section 3.4, figures 3.10 and 3.11.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plugins/pga_grid/device/pga_rules.hpp"

namespace qapfw::pga_grid {

/// The choices of the parameter `topology`, in order. kRandom has no neighbours: a mate may come from anywhere in the
/// grid.
enum class Topology { k4n, k8n, k16n, k20n, kRandom, kOffsets };

struct Shape {
    std::uint32_t rows, columns;
    std::uint32_t cells() const { return rows * columns; }
};

/// The position of a cell's neighbour, relative to the cell.
struct Offset {
    std::int32_t rows, columns;
    auto operator<=>(const Offset&) const = default;
};

/// Returns the offsets of a cell's neighbours. 4n: the four nearest cells; 8n: the eight nearest cells; 16n: the cells
/// at Chebyshev distance two; 20n: the cells of 4n and of 16n. Other topologies have no offsets here.
std::vector<Offset> offsets_of(Topology topology);

/// Reads texts "rows columns", such as "-1 0" for the cell above. Throws Error(kUsage) for any other text.
std::vector<Offset> parse_offsets(const std::vector<std::string>& texts);

/// The neighbours of every cell, ascending. On a small torus, several offsets may lead to the same cell, which counts
/// once. A cell is never its own neighbour.
class Neighbours {
  public:
    Neighbours(const Shape& shape, const std::vector<Offset>& offsets);
    std::span<const std::uint32_t> of(std::uint32_t cell) const {
        return {cells_.data() + first_[cell], first_[cell + 1] - first_[cell]};
    }

    kernels::PgaNeighbours view() const { return {first_.data(), cells_.data()}; }
    const std::vector<std::uint64_t>& firsts() const { return first_; }
    const std::vector<std::uint32_t>& cells() const { return cells_; }

  private:
    /// Entry k is the index of cell k's first neighbour in cells_. The last entry is the size of cells_.
    std::vector<std::uint64_t> first_;
    std::vector<std::uint32_t> cells_;  ///< the neighbours of cell 0, then those of cell 1, and so on
};

}  // namespace qapfw::pga_grid
