// SPDX-License-Identifier: Apache-2.0
// Targets that are machines, described by hwloc or Slurm, and targets whose locations have room for several vertices.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "problems/sparse_qap/graphs/whole_file.hpp"
#include "problems/sparse_qap/targets/machine_tree.hpp"
#include "problems/sparse_qap/targets/target.hpp"
#include "qapfw/error.hpp"

namespace qapfw::sparse {
namespace {

/// Greatest number n of locations of a machine that make_uneven_machine() accepts. It stores the machine's distances in
/// a table of n x n entries.
constexpr std::size_t kMostUneven = 10'000;

/// Reads whole numbers with colons between them. Empty if the text has anything else.
std::vector<std::int64_t> numbers_in(std::string_view text) {
    std::vector<std::int64_t> numbers;
    while (true) {
        const std::string_view part = text.substr(0, text.find(':'));
        std::int64_t value = 0;
        const auto read = std::from_chars(part.data(), part.data() + part.size(), value);
        if (part.empty() || read.ec != std::errc() || read.ptr != part.data() + part.size()) return {};
        numbers.push_back(value);
        if (part.size() == text.size()) return numbers;
        text.remove_prefix(part.size() + 1);
    }
}

/// Returns the number of parts of a group, for each level, the innermost first. The list is empty if groups of a level
/// have different sizes, or leaves have different depths.
std::vector<std::uint32_t> even_sizes(const std::vector<std::vector<std::uint32_t>>& paths) {
    const std::size_t levels = paths.front().size();
    for (const auto& path : paths) {
        if (path.size() != levels) return {};
    }
    std::vector<std::uint32_t> sizes;
    std::size_t inside = 1;  // number of leaves in a group of the level below
    for (std::size_t level = levels; level-- > 0;) {
        std::size_t size = 1;  // number of leaves in a group of this level
        const auto same = [&](std::size_t a, std::size_t b) {
            return level == 0 || paths[a][level - 1] == paths[b][level - 1];
        };
        while (size < paths.size() && same(0, size)) ++size;
        for (std::size_t k = 0; k < paths.size(); k += size) {
            const std::size_t last = k + size - 1;
            if (last >= paths.size() || !same(k, last) || (last + 1 < paths.size() && same(k, last + 1))) return {};
        }
        if (size % inside != 0) return {};
        sizes.push_back(static_cast<std::uint32_t>(size / inside));
        inside = size;
    }
    return sizes;
}

}  // namespace

/// Reads "hwloc:FILE[,1:10:100]" or "slurm:FILE[,2:4:6]". The numbers are a distance for each level, innermost first.
/// Two leaves have the distance of the level of their smallest common group. Without numbers, the distances inside a
/// machine (hwloc) are 1, 2, 4, ...; the distances between nodes (slurm) are the hops 2, 4, 6, ...
void Target::make_machine(std::string_view text, const std::function<std::filesystem::path(const std::string&)>& find) {
    const bool slurm = text.starts_with("slurm:");
    text.remove_prefix(6);
    const std::size_t comma = text.rfind(',');
    std::vector<std::int64_t> costs;
    if (comma != text.npos) costs = numbers_in(text.substr(comma + 1));
    const std::filesystem::path file = find(std::string(costs.empty() ? text : text.substr(0, comma)));
    const std::string content = read_whole_file(file);
    const MachineTree tree = slurm ? read_slurm_topology(content, file.string()) : read_hwloc(content, file.string());
    std::vector<std::vector<std::uint32_t>> paths;
    std::size_t levels = 0;
    for (const MachineTree::Leaf& leaf : tree.leaves()) {
        names_.push_back(leaf.name);
        paths.push_back(leaf.path);
        levels = std::max(levels, leaf.path.size());
    }
    const bool given = !costs.empty();
    for (std::size_t k = 0; !given && k < levels; ++k)
        costs.push_back(slurm ? 2 * static_cast<std::int64_t>(k + 1) : std::int64_t{1} << k);
    if (costs.size() != levels)
        fail(fmt::format("wanted {} distances, one for each level of {}; {} were given", levels, file.string(),
                         costs.size()));
    for (std::size_t k = 0; k < levels; ++k) {
        const std::int64_t least = k > 0 ? costs[k - 1] : 0;
        if (costs[k] < least)
            fail(fmt::format("distance {} must be at least {}, {}; found {}", k + 1, least,
                             k > 0 ? "the distance of the level below" : "since no distance is negative", costs[k]));
    }
    const std::vector<std::uint32_t> sizes = even_sizes(paths);
    if (sizes.empty() || sizes.size() > 7 || *std::max_element(sizes.begin(), sizes.end()) > 256)
        return make_uneven_machine(paths, costs);
    make_tree(fmt::format("{}/{}", fmt::join(sizes, ":"), fmt::join(costs, ":")));
}

/// Makes the target of a machine for which make_machine() does not use the metric kTree. Keeps the distances in a
/// table. Such a machine has more than 7 levels, a group of more than 256 parts, groups of different sizes, or leaves
/// of different depths.
void Target::make_uneven_machine(const std::vector<std::vector<std::uint32_t>>& paths,
                                 const std::vector<std::int64_t>& costs) {
    const std::size_t n = paths.size();
    if (n > kMostUneven)
        fail(fmt::format(
            "the machine has more than 7 levels, groups of different sizes, or a group of more than 256 parts; "
            "such a machine may have at most {} locations, found {}",
            kMostUneven, n));
    std::vector<std::int64_t> entries(n * n, 0);
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
            std::size_t shared = 0;
            while (shared < std::min(paths[a].size(), paths[b].size()) && paths[a][shared] == paths[b][shared])
                ++shared;
            const std::size_t up = std::max(paths[a].size(), paths[b].size()) - shared;
            if (a != b) entries[a * n + b] = costs[up - 1];
        }
    }
    make_table(std::move(entries), static_cast<std::uint32_t>(n), spec_);
}

/// Replaces each location by `copies` locations with distance 0 between them and consecutive numbers.
void Target::copy_locations(std::uint32_t copies) {
    std::vector<std::string> names;
    for (const std::string& name : names_) {
        for (std::uint32_t c = 0; c < copies; ++c) names.push_back(fmt::format("{}:{}", name, c));
    }
    if (is_tree()) {
        std::string sizes = std::to_string(copies), costs = "0";
        for (std::size_t k = 0; k < groups_.size(); ++k) {
            sizes += fmt::format(":{}", groups_[k] / (k > 0 ? groups_[k - 1] : 1));
            costs += fmt::format(":{}", data_.level_costs[k + 1]);
        }
        Target more;
        more.spec_ = spec_;
        more.make_tree(sizes + "/" + costs);
        *this = std::move(more);
        names_ = std::move(names);
        return;
    }
    const std::uint32_t n = data_.n, dims = dimensions(), others = std::min(copies - 1, near_count_);
    std::vector<std::uint64_t> codes;
    std::vector<std::uint32_t> near;
    std::vector<float> coordinates;
    for (std::uint32_t l = 0; l < n; ++l) {
        for (std::uint32_t c = 0; c < copies; ++c) {
            codes.push_back(codes_[l]);
            for (std::uint32_t k = 0; k < near_count_; ++k)
                near.push_back(near_[std::size_t{l} * near_count_ + k] * copies + c);
            for (std::uint32_t k = 0; k < others; ++k) near.push_back(l * copies + (c + k + 1) % copies);
            for (std::uint32_t d = 0; d < dims; ++d) coordinates.push_back(coordinate(l, d));
        }
    }
    data_.n = n * copies;
    near_count_ += others;
    codes_ = std::move(codes);
    near_ = std::move(near);
    coordinates_ = std::move(coordinates);
    names_ = std::move(names);
}

}  // namespace qapfw::sparse
