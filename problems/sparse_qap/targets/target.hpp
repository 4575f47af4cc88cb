// SPDX-License-Identifier: Apache-2.0
// Targets: the locations to which vertices are mapped, with distances by a formula or by a table. Each location has a
// code of 8 bytes. The distance between two locations is computed from their codes and a DistanceData.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qapfw::sparse {

/// How the distance of two locations follows from their codes. A code is read as 8 bytes, four 16-bit numbers or two
/// 32-bit numbers. Number k of one code is compared with number k of the other code.
enum class Metric : std::uint8_t {
    kGridBytes,   ///< sum of |differences| of the 8 bytes
    kGridWords,   ///< sum of |differences| of the four 16-bit numbers, each at most 32767
    kTorusBytes,  ///< sum of min(d, side - d) over the 8 bytes, with d = |difference|; `sides` has each byte's side
    kTorusWords,
    kHamming,    ///< number of bits that differ
    kTree,       ///< the entry of `level_costs` for the highest byte that differs
    kManhattan,  ///< sum of |differences| of the two 32-bit numbers
    kEuclid,     ///< square root of the sum of the squared differences of the two 32-bit numbers, rounded
    kTable,      ///< an entry of `table`; its row and column are the two codes, which are the locations' numbers
};

/// Data of a target. A distance is computed from these data and from the codes of the two locations.
struct DistanceData {
    Metric metric = Metric::kGridBytes;
    std::uint64_t sides = 0;  ///< the sides of a grid or torus as bytes or words; a byte 0 stands for 256
    /// Distances in a tree. Entry k > 0 is for two codes whose highest differing byte is byte k - 1. Entry 0, for equal
    /// codes, is 0.
    std::int64_t level_costs[9] = {};
    const std::int32_t* table = nullptr;  ///< for kTable: the distances, a row for each location
    std::uint32_t levels = 0;             ///< number of levels of a tree
    std::uint32_t n = 0;                  ///< number of locations
    std::uint32_t stride = 0;             ///< for kTable: entries in a row
};

/// A target: all locations and their distances. `parse` makes it from a specification.
class Target {
  public:
    /// Understands "grid:64x64", "torus:10x10x10", "hypercube:10", "tree:4:8:8/1:10:100", "points:FILE.csv,l1[,scale]",
    /// "dense:FILE", "graph:FILE", "hwloc:FILE" and "slurm:FILE". A "*4" at the end gives each location room for four
    /// vertices. `find` returns the path of a file. Throws Error(kInput) that names the part that is wrong.
    static Target parse(const std::string& spec, const std::function<std::filesystem::path(const std::string&)>& find);

    std::uint32_t n() const { return data_.n; }
    const std::string& spec() const { return spec_; }
    const DistanceData& data() const { return data_; }
    std::uint64_t code(std::uint32_t location) const { return codes_[location]; }
    const std::vector<std::uint64_t>& codes() const { return codes_; }
    const std::vector<std::string>& names() const { return names_; }  ///< names of locations; empty: they have none
    /// Table of distances; empty if distances have a formula.
    const std::vector<std::int32_t>& table() const { return table_; }
    std::int64_t distance(std::uint32_t a, std::uint32_t b) const;
    std::int64_t largest_distance() const { return largest_; }  ///< upper bound of all distances
    bool is_tree() const { return data_.metric == Metric::kTree; }

    /// Number of nearby locations that `near` lists for each location; 0 for a tree.
    std::uint32_t near_count() const { return near_count_; }
    /// Lists the nearby locations of location 0, then of location 1, and so on. Empty for a tree.
    const std::vector<std::uint32_t>& near() const { return near_; }
    /// Number of locations in one group, for each level of a tree, the innermost level first.
    const std::vector<std::uint32_t>& groups() const { return groups_; }

    /// Number of coordinates of a location; 0: locations have no coordinates (in trees and tables).
    std::uint32_t dimensions() const { return static_cast<std::uint32_t>(sides_.size()); }
    float coordinate(std::uint32_t location, std::uint32_t d) const {
        return coordinates_[std::size_t{location} * dimensions() + d];
    }
    std::uint32_t side(std::uint32_t d) const { return sides_[d]; }  ///< length of a side of a grid or torus
    /// The length of a torus in dimension `d`; 0 if the target is no torus.
    float ring(std::uint32_t d) const { return is_torus() ? static_cast<float>(sides_[d]) : 0.0f; }
    bool is_torus() const { return data_.metric == Metric::kTorusBytes || data_.metric == Metric::kTorusWords; }

    /// A hash of all data that distances depend on.
    std::uint64_t fingerprint() const;

  private:
    void make_box(bool torus, std::string_view sides);
    void make_hypercube(std::string_view dimension);
    void make_tree(std::string_view text);
    void make_points(std::string_view text, const std::function<std::filesystem::path(const std::string&)>& find);
    void make_table(std::vector<std::int64_t> entries, std::uint32_t n, const std::string& source);
    void make_dense(const std::filesystem::path& file);
    void make_graph(const std::filesystem::path& file);
    void make_machine(std::string_view text, const std::function<std::filesystem::path(const std::string&)>& find);
    void make_uneven_machine(const std::vector<std::vector<std::uint32_t>>& paths,
                             const std::vector<std::int64_t>& costs);
    void copy_locations(std::uint32_t copies);
    void near_in_box(bool torus);
    void near_by_search();
    void near_among_points();
    [[noreturn]] void fail(const std::string& what) const;

    std::string spec_;
    DistanceData data_;
    std::vector<std::uint64_t> codes_;
    std::vector<std::int32_t> table_;
    std::vector<std::string> names_;
    std::vector<std::uint32_t> near_;
    std::uint32_t near_count_ = 0;
    std::vector<std::uint32_t> groups_;
    std::vector<std::uint32_t> sides_;
    std::vector<float> coordinates_;
    std::int64_t largest_ = 0;
};

}  // namespace qapfw::sparse
