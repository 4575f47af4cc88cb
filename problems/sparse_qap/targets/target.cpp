// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/targets/target.hpp"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "problems/sparse_qap/targets/distance.hpp"
#include "qapfw/error.hpp"

namespace qapfw::sparse {
namespace {

/// The greatest number of locations. A torus of this size takes half a gigabyte.
constexpr std::uint64_t kMostLocations = std::uint64_t{1} << 24;
constexpr std::int64_t kMostDistance = std::numeric_limits<std::int32_t>::max() / 2;
constexpr const char* kForms =
    "grid:64x64, torus:10x10x10, hypercube:10, tree:4:8:8/1:10:100, points:FILE.csv,l1, dense:FILE, graph:FILE, "
    "hwloc:FILE "
    "or slurm:FILE";

std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == text.npos) return parts;
        text.remove_prefix(end + 1);
    }
}

}  // namespace

void Target::fail(const std::string& what) const {
    throw Error(ErrorKind::kInput, fmt::format("the distances \"{}\": {}", spec_, what));
}

Target Target::parse(const std::string& spec, const std::function<std::filesystem::path(const std::string&)>& find) {
    Target target;
    target.spec_ = spec;
    const std::size_t star = spec.rfind('*');
    const auto copies = star == std::string::npos ? std::nullopt : number_in(std::string_view(spec).substr(star + 1));
    const std::string one = copies ? spec.substr(0, star) : spec;
    const std::size_t colon = one.find(':');
    const std::string kind = one.substr(0, colon);
    const std::string rest = colon == std::string::npos ? std::string() : one.substr(colon + 1);
    if (rest.empty()) target.fail(fmt::format("a target was wanted, such as {}", kForms));
    if (kind == "grid" || kind == "torus") {
        target.make_box(kind == "torus", rest);
    } else if (kind == "hypercube") {
        target.make_hypercube(rest);
    } else if (kind == "tree") {
        target.make_tree(rest);
    } else if (kind == "points") {
        target.make_points(rest, find);
    } else if (kind == "dense") {
        target.make_dense(find(rest));
    } else if (kind == "graph") {
        target.make_graph(find(rest));
    } else if (kind == "hwloc" || kind == "slurm") {
        target.make_machine(one, find);
    } else {
        target.fail(fmt::format("\"{}\" is no kind of target; known: {}", kind, kForms));
    }
    const std::int64_t many = copies.value_or(1);
    if (many != 1) {
        if (many < 1 || static_cast<std::uint64_t>(many) > kMostLocations / target.n())
            target.fail(fmt::format("each location must have room for at least 1 and at most {} vertices, found {}",
                                    kMostLocations / target.n(), many));
        target.copy_locations(static_cast<std::uint32_t>(many));
    }
    return target;
}

void Target::make_box(bool torus, std::string_view text) {
    std::uint64_t n = 1;
    std::int64_t longest = 0;
    for (const std::string_view part : parts_of(text, 'x')) {
        const auto side = number_in(part);
        if (!side || *side < 1)
            fail(fmt::format("sides such as 10x10x10 were wanted, found \"{}\"", std::string(part.substr(0, 40))));
        if (static_cast<std::uint64_t>(*side) > kMostLocations ||
            n * static_cast<std::uint64_t>(*side) > kMostLocations)
            fail(fmt::format("the sides make more than {} locations", kMostLocations));
        n *= static_cast<std::uint64_t>(*side);
        longest = std::max(longest, *side);
        sides_.push_back(static_cast<std::uint32_t>(*side));
    }
    const bool bytes = longest <= 256;
    const std::size_t most = bytes ? 8 : 4;
    if (sides_.size() > most || longest > 32768) {
        fail(
            fmt::format("at most 8 sides are possible if none is longer than 256, and at most 4 if none is longer than "
                        "32768; found {} sides, the longest {}",
                        sides_.size(), longest));
    }
    data_.metric =
        torus ? (bytes ? Metric::kTorusBytes : Metric::kTorusWords) : (bytes ? Metric::kGridBytes : Metric::kGridWords);
    data_.n = static_cast<std::uint32_t>(n);
    const unsigned bits = bytes ? 8 : 16;
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    for (std::size_t d = 0; d < sides_.size(); ++d) {
        data_.sides |= (sides_[d] & mask) << (bits * d);
        largest_ += torus ? sides_[d] / 2 : sides_[d] - 1;
    }
    codes_.resize(n);
    coordinates_.resize(n * sides_.size());
    std::vector<std::uint32_t> at(sides_.size(), 0);
    for (std::uint64_t location = 0; location < n; ++location) {
        for (std::size_t d = 0; d < sides_.size(); ++d) {
            codes_[location] |= std::uint64_t{at[d]} << (bits * d);
            coordinates_[location * sides_.size() + d] = static_cast<float>(at[d]);
        }
        for (std::size_t d = 0; d < sides_.size() && ++at[d] == sides_[d]; ++d) at[d] = 0;
    }
    near_in_box(torus);
}

/// Lists the neighbours of each location: one step along each side, in both directions. If a step would leave the grid,
/// lists the neighbour in the other direction twice. For a side of length 1, lists the location itself twice.
void Target::near_in_box(bool torus) {
    const std::size_t dims = sides_.size();
    near_count_ = static_cast<std::uint32_t>(2 * dims);
    near_.resize(std::size_t{data_.n} * near_count_);
    std::vector<std::uint32_t> at(dims, 0);
    for (std::uint32_t location = 0; location < data_.n; ++location) {
        std::uint32_t stride = 1;
        for (std::size_t d = 0; d < dims; ++d) {
            const std::uint32_t side = sides_[d], x = at[d];
            std::uint32_t up = x + 1, down = x - 1;
            if (x + 1 == side) up = torus ? 0 : (side > 1 ? x - 1 : x);
            if (x == 0) down = torus ? side - 1 : (side > 1 ? 1 : 0);
            near_[std::size_t{location} * near_count_ + 2 * d] = location + (up - x) * stride;
            near_[std::size_t{location} * near_count_ + 2 * d + 1] = location + (down - x) * stride;
            stride *= side;
        }
        for (std::size_t d = 0; d < dims && ++at[d] == sides_[d]; ++d) at[d] = 0;
    }
}

void Target::make_hypercube(std::string_view text) {
    const auto dimension = number_in(text);
    if (!dimension || *dimension < 1 || *dimension > 20)
        fail(fmt::format("a dimension from 1 to 20 was wanted, found \"{}\"", std::string(text.substr(0, 40))));
    data_.metric = Metric::kHamming;
    data_.n = std::uint32_t{1} << *dimension;
    largest_ = *dimension;
    near_count_ = static_cast<std::uint32_t>(*dimension);
    sides_.assign(near_count_, 2);
    codes_.resize(data_.n);
    near_.resize(std::size_t{data_.n} * near_count_);
    coordinates_.resize(std::size_t{data_.n} * near_count_);
    for (std::uint32_t location = 0; location < data_.n; ++location) {
        codes_[location] = location;
        for (std::uint32_t d = 0; d < near_count_; ++d) {
            near_[std::size_t{location} * near_count_ + d] = location ^ (1u << d);
            coordinates_[std::size_t{location} * near_count_ + d] = static_cast<float>(location >> d & 1);
        }
    }
}

/// Reads "4:8:8/1:10:100": the sizes of the groups, the innermost first, and for each level the distance of two
/// locations in the same group.
void Target::make_tree(std::string_view text) {
    const auto halves = parts_of(text, '/');
    if (halves.size() != 2)
        fail("sizes and costs with \"/\" between them were wanted, such as tree:4:8:8/1:10:100, innermost level first");
    const auto sizes = parts_of(halves[0], ':'), costs = parts_of(halves[1], ':');
    if (sizes.size() != costs.size())
        fail(fmt::format("one cost for each size was wanted, found {} sizes and {} costs", sizes.size(), costs.size()));
    if (sizes.size() > 8) fail(fmt::format("at most 8 levels were wanted, found {}", sizes.size()));
    std::uint64_t n = 1;
    std::vector<std::uint32_t> counts;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        const auto size = number_in(sizes[k]), cost = number_in(costs[k]);
        if (!size || *size < 1 || *size > 256)
            fail(fmt::format("each size must be from 1 to 256, found \"{}\"", std::string(sizes[k].substr(0, 40))));
        if (!cost || *cost < (k > 0 ? data_.level_costs[k] : 0) || *cost > kMostDistance)
            fail(fmt::format("each cost must be at least the cost before it, and must not exceed {}, found \"{}\"",
                             kMostDistance, std::string(costs[k].substr(0, 40))));
        n *= static_cast<std::uint64_t>(*size);
        if (n > kMostLocations) fail(fmt::format("the sizes make more than {} locations", kMostLocations));
        counts.push_back(static_cast<std::uint32_t>(*size));
        groups_.push_back(static_cast<std::uint32_t>(n));
        data_.level_costs[k + 1] = *cost;
    }
    data_.metric = Metric::kTree;
    data_.levels = static_cast<std::uint32_t>(counts.size());
    data_.n = static_cast<std::uint32_t>(n);
    largest_ = data_.level_costs[counts.size()];
    codes_.resize(n);
    for (std::uint64_t location = 0; location < n; ++location) {
        std::uint64_t left = location;
        for (std::size_t k = 0; k < counts.size(); ++k) {
            codes_[location] |= (left % counts[k]) << (8 * k);
            left /= counts[k];
        }
    }
}

void Target::make_table(std::vector<std::int64_t> entries, std::uint32_t n, const std::string& source) {
    const auto wrong = [&](const std::string& what) { throw Error(ErrorKind::kInput, source + ": " + what); };
    data_.metric = Metric::kTable;
    data_.n = data_.stride = n;
    table_.resize(entries.size());
    codes_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        codes_[i] = i;
        if (entries[i * n + i] != 0)
            wrong(fmt::format("the distance of location {} to itself must be 0, found {}", i + 1, entries[i * n + i]));
        for (std::size_t j = 0; j < n; ++j) {
            const std::int64_t distance = entries[i * n + j];
            if (distance < 0 || distance > kMostDistance)
                wrong(fmt::format("the distance of locations {} and {} must be from 0 to {}, found {}", i + 1, j + 1,
                                  kMostDistance, distance));
            if (distance != entries[j * n + i])
                wrong(
                    fmt::format("the distance must be the same both ways, but from location {} to {} it is {}, and "
                                "back it is {}; problem qap takes distances that differ by direction",
                                i + 1, j + 1, distance, entries[j * n + i]));
            table_[i * n + j] = static_cast<std::int32_t>(distance);
            largest_ = std::max(largest_, distance);
        }
    }
    data_.table = table_.data();
    near_by_search();
}

/// Lists up to six nearest locations for each location. To find them, compares all distances of the table.
void Target::near_by_search() {
    near_count_ = std::min(6u, data_.n > 1 ? data_.n - 1 : 1);
    near_.resize(std::size_t{data_.n} * near_count_);
    std::vector<std::uint32_t> order(data_.n);
    for (std::uint32_t location = 0; location < data_.n; ++location) {
        order.resize(data_.n);
        for (std::uint32_t k = 0; k < data_.n; ++k) order[k] = k;
        const std::int32_t* row = table_.data() + std::size_t{location} * data_.n;
        std::erase(order, location);
        if (order.empty()) order.push_back(location);
        std::partial_sort(
            order.begin(), order.begin() + near_count_, order.end(),
            [row](std::uint32_t a, std::uint32_t b) { return row[a] != row[b] ? row[a] < row[b] : a < b; });
        std::copy_n(order.begin(), near_count_, near_.data() + std::size_t{location} * near_count_);
    }
}

std::int64_t Target::distance(std::uint32_t a, std::uint32_t b) const {
    return with_distance(data_, [&](const auto& distance) { return distance(codes_[a], codes_[b]); });
}

std::uint64_t Target::fingerprint() const {
    std::uint64_t hash = XXH3_64bits_withSeed(codes_.data(), codes_.size() * sizeof codes_[0],
                                              static_cast<std::uint64_t>(data_.metric) + 16 * data_.sides);
    hash = XXH3_64bits_withSeed(data_.level_costs, sizeof data_.level_costs, hash);
    return XXH3_64bits_withSeed(table_.data(), table_.size() * sizeof(std::int32_t), hash);
}

}  // namespace qapfw::sparse
