// SPDX-License-Identifier: Apache-2.0
// Travelling salesman instances and tours in the file format of TSPLIB (G. Reinelt, TSPLIB 95, 1995).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qapfw::qap {

struct TspInstance {
    uint32_t n = 0;
    bool symmetric = true;
    std::string metric;             ///< the file's EDGE_WEIGHT_TYPE
    int64_t divisor = 1;            ///< `distance` has the file's numbers times this power of ten
    std::vector<int64_t> distance;  ///< n x n: row i has the distances from city i to each city, 0 to itself

    int64_t between(uint32_t from, uint32_t to) const { return distance[std::size_t{from} * n + to]; }
    /// The length of the closed tour, O(n).
    int64_t length(std::span<const uint32_t> tour) const;
};

/// Reads TYPE TSP and ATSP with the edge weight types EUC_2D, EUC_3D, CEIL_2D, MAN_2D, MAN_3D, MAX_2D, MAX_3D, ATT, GEO
/// and EXPLICIT (in the formats FULL_MATRIX and {UPPER,LOWER}[_DIAG]_{ROW,COL}). Ignores distances from a city to
/// itself. Refuses everything else, a wrong count of numbers, cities out of range or listed twice, and an asymmetric
/// matrix of TYPE TSP. The error message names the position in the file. O(n^2).
TspInstance read_tsplib(std::string_view text, const std::string& source);

/// Returns the text of a .tour file. The cities are counted from 1, and city 1 comes first.
std::string to_tsplib_tour(const std::string& name, std::span<const uint32_t> tour, const std::string& length);
inline std::string to_tsplib_tour(const std::string& name, std::span<const uint32_t> tour, int64_t length) {
    return to_tsplib_tour(name, tour, std::to_string(length));
}

}  // namespace qapfw::qap
