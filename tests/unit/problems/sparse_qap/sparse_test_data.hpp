// SPDX-License-Identifier: Apache-2.0
// Small sparse instances for tests.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "problems/sparse_qap/graphs/generators.hpp"
#include "problems/sparse_qap/starts/starts.hpp"
#include "problems/sparse_qap/targets/target.hpp"
#include "tests/support/temporary_folder.hpp"

namespace qapfw::sparse::test {

/// The target that `spec` describes. `files`: name and text of each file that `spec` names.
inline Target target_of(const std::string& spec, const std::map<std::string, std::string>& files = {}) {
    static const qapfw::test::TemporaryFolder folder;
    return Target::parse(spec, [&](const std::string& name) {
        std::ofstream(folder / name) << files.at(name);
        return std::filesystem::path(folder / name);
    });
}

/// Targets of every kind, each with at least 60 locations.
inline std::vector<Target> all_targets() {
    std::string points, table;
    for (int k = 0; k < 70; ++k) {
        points += std::to_string((k * 37) % 101 - 50) + "," + std::to_string((k * 53) % 89) + "\n";
        for (int j = 0; j < 70; ++j) table += std::to_string((k - j) * (k - j) % 97) + " ";
        table += "\n";
    }
    std::string ring = "70 70\n";
    for (int k = 0; k < 70; ++k)
        ring += std::to_string((k + 69) % 70 + 1) + " " + std::to_string((k + 1) % 70 + 1) + "\n";
    const std::map<std::string, std::string> files{{"p.csv", points}, {"t.txt", table}, {"r.graph", ring}};
    std::vector<Target> targets;
    for (const char* spec : {"grid:9x8", "grid:300x1", "torus:4x5x4", "torus:2x2x3x3x2", "torus:301x2", "hypercube:6",
                             "tree:4:5:4/0:10:100", "tree:3:3:3:3/1:1:7:9", "points:p.csv,l1", "points:p.csv,l2,3.5",
                             "dense:t.txt", "graph:r.graph"})
        targets.push_back(target_of(spec, files));
    return targets;
}

inline std::vector<std::uint32_t> shuffled(std::uint32_t n, std::uint64_t seed) {
    std::vector<std::uint32_t> p(n);
    std::iota(p.begin(), p.end(), 0u);
    for (std::uint32_t k = n; k > 1; --k) std::swap(p[k - 1], p[mixed(seed + k) % k]);
    return p;
}

}  // namespace qapfw::sparse::test
