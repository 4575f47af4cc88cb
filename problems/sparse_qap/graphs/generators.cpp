// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/graphs/generators.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "problems/sparse_qap/starts/starts.hpp"
#include "qapfw/error.hpp"

namespace qapfw::sparse {
namespace {

constexpr std::int64_t kMostGenerated = 1 << 24;
constexpr std::array<const char*, 6> kFamilies{"rgg2", "rgg3", "regular", "powerlaw", "grid", "torus"};

class Draws {
  public:
    explicit Draws(std::uint64_t seed) : seed_(mixed(seed)) {}
    std::uint64_t next() { return mixed(seed_ + count_++); }
    std::uint32_t below(std::uint64_t limit) { return static_cast<std::uint32_t>((next() >> 32) * limit >> 32); }

  private:
    std::uint64_t seed_, count_ = 0;
};

/// The numbers in the name of a generated graph. Messages about wrong numbers contain this name.
class Numbers {
  public:
    Numbers(const std::string& name, std::string_view text, char separator) : name_(name) {
        while (true) {
            const std::size_t end = text.find(separator);
            const std::string_view part = text.substr(0, end);
            std::int64_t value = 0;
            const auto read = std::from_chars(part.data(), part.data() + part.size(), value);
            if (part.empty() || read.ec != std::errc() || read.ptr != part.data() + part.size() || value < 0)
                fail(fmt::format("a whole number of at least 0 was wanted, found \"{}\"",
                                 std::string(part.substr(0, 40))));
            all_.push_back(value);
            if (end == text.npos) return;
            text.remove_prefix(end + 1);
        }
    }
    std::size_t count() const { return all_.size(); }
    std::int64_t get(std::size_t index, const char* what, std::int64_t least, std::int64_t most) const {
        if (index >= all_.size()) fail(fmt::format("{} is missing", what));
        if (all_[index] < least || all_[index] > most)
            fail(fmt::format("{} must be from {} to {}, found {}", what, least, most, all_[index]));
        return all_[index];
    }
    /// Returns the seed, which is the number at `index`; 1 if there is no such number. Throws if more numbers follow.
    std::uint64_t seed(std::size_t index) const {
        if (all_.size() > index + 1)
            fail(fmt::format("found {} numbers, but at most {} are possible", all_.size(), index + 1));
        return index < all_.size() ? static_cast<std::uint64_t>(all_[index]) : 1;
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorKind::kInput, fmt::format("the generated graph \"{}\": {}", name_, what));
    }

  private:
    const std::string& name_;
    std::vector<std::int64_t> all_;
};

void join(std::vector<Flow>& flows, std::uint32_t u, std::uint32_t v) {
    flows.push_back({u, v, 1});
    flows.push_back({v, u, 1});
}

/// Draws points whose coordinates have 20 bits. Joins two points if their distance is at most `reach`. A point then has
/// about 8 neighbours.
std::vector<Flow> geometric(std::uint32_t n, int dims, std::uint64_t seed) {
    constexpr double kNeighbours = 8, kSide = 0x1p20;
    const double volume = dims == 2 ? 3.141592653589793 : 4.1887902047863905;
    const double share = kNeighbours / n / volume;
    const double radius = dims == 2 ? std::sqrt(share) : std::cbrt(share);
    const auto reach = static_cast<std::int64_t>(std::min(radius, 1.0) * kSide);
    const auto cells = static_cast<std::int64_t>(std::clamp(kSide / static_cast<double>(reach + 1), 1.0, 1000.0));
    Draws draws(seed);
    std::vector<std::array<std::int64_t, 3>> at(n);
    for (auto& p : at) {
        for (int d = 0; d < 3; ++d)
            p[static_cast<std::size_t>(d)] = d < dims ? static_cast<std::int64_t>(draws.next() >> 44) : 0;
    }
    const auto cell_of = [&](std::int64_t x) { return x * cells >> 20; };
    const auto key = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return static_cast<std::size_t>((z * cells + y) * cells + x);
    };
    std::vector<std::uint32_t> begin(key(0, 0, dims == 3 ? cells : 1) + 1, 0), members(n);
    const auto own_key = [&](std::uint32_t u) { return key(cell_of(at[u][0]), cell_of(at[u][1]), cell_of(at[u][2])); };
    for (std::uint32_t u = 0; u < n; ++u) ++begin[own_key(u) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::uint32_t u = 0; u < n; ++u) members[next[own_key(u)]++] = u;
    std::vector<Flow> flows;
    const auto low = [&](std::int64_t c) { return std::max<std::int64_t>(0, c - 1); };
    const auto high = [&](std::int64_t c) { return std::min(cells - 1, c + 1); };
    for (std::uint32_t u = 0; u < n; ++u) {
        const std::int64_t cx = cell_of(at[u][0]), cy = cell_of(at[u][1]), cz = cell_of(at[u][2]);
        for (std::int64_t z = dims == 3 ? low(cz) : 0; z <= (dims == 3 ? high(cz) : 0); ++z) {
            for (std::int64_t y = low(cy); y <= high(cy); ++y) {
                for (std::int64_t x = low(cx); x <= high(cx); ++x) {
                    for (std::uint32_t k = begin[key(x, y, z)]; k < begin[key(x, y, z) + 1]; ++k) {
                        const std::uint32_t v = members[k];
                        std::int64_t square = 0;
                        for (std::size_t d = 0; d < 3; ++d) square += (at[u][d] - at[v][d]) * (at[u][d] - at[v][d]);
                        if (u < v && square <= reach * reach) join(flows, u, v);
                    }
                }
            }
        }
    }
    return flows;
}

/// Pairs the ends of edges at random. If a pair is a loop or exists already, its second end is swapped with a random
/// later end, at most 1000 times. If that fails, the edge is left out.
std::vector<Flow> regular(std::uint32_t n, std::uint32_t degree, std::uint64_t seed, const Numbers& numbers) {
    if (degree >= n || std::uint64_t{n} * degree % 2 != 0)
        numbers.fail("the degree must be below the number of vertices, and vertices times degree must be even");
    Draws draws(seed);
    std::vector<std::uint32_t> ends(std::size_t{n} * degree);
    for (std::size_t k = 0; k < ends.size(); ++k) ends[k] = static_cast<std::uint32_t>(k / degree);
    for (std::size_t k = ends.size(); k > 1; --k) std::swap(ends[k - 1], ends[draws.below(k)]);
    std::vector<std::vector<std::uint32_t>> rows(n);
    const auto joined = [&](std::uint32_t u, std::uint32_t v) {
        return u == v || std::find(rows[u].begin(), rows[u].end(), v) != rows[u].end();
    };
    std::vector<Flow> flows;
    for (std::size_t k = 0; k + 1 < ends.size(); k += 2) {
        for (int tries = 0; joined(ends[k], ends[k + 1]) && tries < 1000; ++tries)
            std::swap(ends[k + 1], ends[k + 1 + draws.below(ends.size() - k - 1)]);
        const std::uint32_t u = ends[k], v = ends[k + 1];
        if (joined(u, v)) continue;  // no partner was found: happens only at the last few edges of small graphs
        rows[u].push_back(v);
        rows[v].push_back(u);
        join(flows, u, v);
    }
    return flows;
}

std::vector<Flow> power_law(std::uint32_t n, std::uint64_t seed) {
    constexpr std::uint32_t kEach = 4;
    Draws draws(seed);
    std::vector<Flow> flows;
    std::vector<std::uint32_t> ends{0};
    for (std::uint32_t u = 1; u < n; ++u) {
        std::array<std::uint32_t, kEach> chosen{};
        std::uint32_t count = 0;
        for (int tries = 0; count < std::min(kEach, u) && tries < 100; ++tries) {
            const std::uint32_t v = ends[draws.below(ends.size())];
            if (std::find(chosen.begin(), chosen.begin() + count, v) == chosen.begin() + count) chosen[count++] = v;
        }
        for (std::uint32_t k = 0; k < count; ++k) {
            join(flows, u, chosen[k]);
            ends.push_back(chosen[k]);
            ends.push_back(u);
        }
    }
    return flows;
}

std::vector<Flow> lattice(const Numbers& numbers, bool torus, std::uint32_t& n) {
    std::int64_t total = 1;
    std::vector<std::uint32_t> sides;
    for (std::size_t k = 0; k < numbers.count(); ++k) {
        sides.push_back(static_cast<std::uint32_t>(numbers.get(k, "a side", 1, kMostGenerated)));
        total *= sides.back();
        if (total > kMostGenerated) numbers.fail(fmt::format("the sides make more than {} vertices", kMostGenerated));
    }
    n = static_cast<std::uint32_t>(total);
    std::vector<Flow> flows;
    for (std::uint32_t u = 0; u < n; ++u) {
        std::uint32_t stride = 1;
        for (const std::uint32_t side : sides) {
            const std::uint32_t x = u / stride % side;
            if (x + 1 < side) join(flows, u, u + stride);
            if (x + 1 == side && torus && side > 2) join(flows, u, u - x * stride);
            stride *= side;
        }
    }
    return flows;
}

}  // namespace

bool is_generated(const std::string& name) {
    const std::size_t colon = name.find(':');
    const std::string family = name.substr(0, colon);
    return colon != std::string::npos && std::find(kFamilies.begin(), kFamilies.end(), family) != kFamilies.end();
}

Graph generate(const std::string& name) {
    const std::size_t colon = name.find(':');
    const std::string family = name.substr(0, colon);
    const std::string_view rest = std::string_view(name).substr(colon + 1);
    const bool is_lattice = family == "grid" || family == "torus";
    const Numbers numbers(name, rest, is_lattice ? 'x' : ':');
    std::uint32_t n = 0;
    std::vector<Flow> flows;
    if (is_lattice) {
        flows = lattice(numbers, family == "torus", n);
    } else {
        n = static_cast<std::uint32_t>(numbers.get(0, "the number of vertices", 2, kMostGenerated));
        if (family == "regular")
            flows =
                regular(n, static_cast<std::uint32_t>(numbers.get(1, "the degree", 1, 1000)), numbers.seed(2), numbers);
        else if (family == "powerlaw")
            flows = power_law(n, numbers.seed(1));
        else
            flows = geometric(n, family == "rgg2" ? 2 : 3, numbers.seed(1));
    }
    return make_graph(raw_graph(n, flows), name);
}

std::vector<std::pair<std::string, std::string>> generated_forms() {
    return {{"rgg2:8000", "random geometric graph in a square, 8 neighbours on average; with a seed: rgg2:8000:SEED"},
            {"rgg3:8000", "random geometric graph in a cube, 8 neighbours on average; with a seed: rgg3:8000:SEED"},
            {"regular:8000:8", "random graph with 8 neighbours for each vertex; with a seed: regular:8000:8:SEED"},
            {"powerlaw:4096",
             "random graph by preferential attachment, 4 edges for each new vertex; with a seed: powerlaw:4096:SEED"},
            {"grid:64x64", "lattice with these side lengths; edges join neighbours"},
            {"torus:20x20x20", "lattice with these side lengths; edges join neighbours, also across opposite sides"}};
}

}  // namespace qapfw::sparse
