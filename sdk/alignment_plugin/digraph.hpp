// SPDX-License-Identifier: Apache-2.0
// Weighted directed graphs: rows of arcs, and a hash table with the weights of the arcs between two vertices.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "qapfw/error.hpp"
#include "qapfw/kernels/digest.hpp"

namespace alignment {

constexpr std::uint32_t kMostVertices = 65535;

struct Edge {
    std::uint32_t from, to;
    std::int32_t weight;
};

/// Weights of the arcs from one vertex to another and back; 0: no arc.
struct Weights {
    std::int32_t there = 0, back = 0;
};

/// An entry of a vertex's row: the other vertex, and the weights to it and back.
struct Arc {
    std::uint32_t to;
    Weights weights;
};

class Digraph {
  public:
    /// Key of an empty slot. No pair has this key, because there is no vertex 65535.
    static constexpr std::uint32_t kEmpty = 0xffffffffu;
    /// An entry of the hash table of pairs.
    struct Slot {
        std::uint32_t key = kEmpty;
        Weights weights;
    };

    /// Adds up the weights of parallel edges. Ignores edges from a vertex to itself.
    Digraph(std::uint32_t n, const std::vector<Edge>& edges) : n_(n), first_(n + 1, 0) {
        std::vector<std::pair<std::uint64_t, Weights>> pairs;  // key: the lower vertex, then the higher one
        for (const Edge& e : edges) {
            const std::uint32_t low = std::min(e.from, e.to), high = std::max(e.from, e.to);
            if (low == high) continue;
            const Weights weights = e.from == low ? Weights{e.weight, 0} : Weights{0, e.weight};
            pairs.emplace_back(std::uint64_t{low} << 32 | high, weights);
        }
        std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::size_t kept = 0;
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            if (kept > 0 && pairs[kept - 1].first == pairs[k].first) {
                pairs[kept - 1].second.there += pairs[k].second.there;
                pairs[kept - 1].second.back += pairs[k].second.back;
            } else {
                pairs[kept++] = pairs[k];
            }
        }
        pairs.resize(kept);
        fill_rows(pairs);
        fill_table(pairs);
    }

    std::uint32_t n() const { return n_; }
    const std::vector<std::uint64_t>& first() const { return first_; }
    const std::vector<Arc>& arcs() const { return arcs_; }
    std::uint32_t degree(std::uint32_t u) const { return static_cast<std::uint32_t>(first_[u + 1] - first_[u]); }
    const std::vector<Slot>& table() const { return table_; }  ///< for device code
    std::uint64_t pairs() const { return arcs_.size() / 2; }

    /// Makes a matrix of bits that tells which pairs have an edge. The matrix saves most lookups in the hash table, and
    /// a row of bits is contiguous in memory. It takes n * n bits, so graphs of more than kMostMarked vertices have
    /// none.
    void mark_pairs() {
        constexpr std::uint32_t kMostMarked = 32'768;  // 128 MiB
        if (n_ > kMostMarked) return;
        marks_.assign(std::size_t{n_} * words(), 0);
        for (std::uint32_t u = 0; u < n_; ++u) {
            for (std::uint64_t k = first_[u]; k < first_[u + 1]; ++k)
                marks_[std::size_t{u} * words() + arcs_[k].to / 64] |= std::uint64_t{1} << arcs_[k].to % 64;
        }
    }

    /// The weights of the arcs between a and b: `there` from a to b, `back` from b to a.
    Weights between(std::uint32_t a, std::uint32_t b) const {
        if (!marks_.empty() && (marks_[std::size_t{a} * words() + b / 64] >> b % 64 & 1) == 0) return {};
        const std::uint32_t low = std::min(a, b), key = low << 16 | std::max(a, b);
        for (std::uint32_t at = slot(key);; at = (at + 1) & mask_) {
            const Slot& slot = table_[at];
            if (slot.key == kEmpty) return {};
            if (slot.key == key) return a == low ? slot.weights : Weights{slot.weights.back, slot.weights.there};
        }
    }

  private:
    std::size_t words() const { return (std::size_t{n_} + 63) / 64; }  ///< number of 64-bit words per vertex in marks_
    std::uint32_t slot(std::uint32_t key) const {
        return static_cast<std::uint32_t>((key * 0x9e3779b97f4a7c15ull) >> 32) & mask_;
    }
    void fill_rows(const std::vector<std::pair<std::uint64_t, Weights>>& pairs) {
        for (const auto& [pair, weights] : pairs) {
            ++first_[(pair >> 32) + 1];
            ++first_[(pair & 0xffffffffu) + 1];
        }
        for (std::uint32_t u = 0; u < n_; ++u) first_[u + 1] += first_[u];
        arcs_.resize(first_[n_]);
        std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
        for (const auto& [pair, weights] : pairs) {
            const auto a = static_cast<std::uint32_t>(pair >> 32), b = static_cast<std::uint32_t>(pair);
            arcs_[next[a]++] = {b, weights};
            arcs_[next[b]++] = {a, {weights.back, weights.there}};
        }
    }
    void fill_table(const std::vector<std::pair<std::uint64_t, Weights>>& pairs) {
        table_.resize(std::bit_ceil(2 * pairs.size() + 2));
        mask_ = static_cast<std::uint32_t>(table_.size() - 1);
        for (const auto& [pair, weights] : pairs) {
            const auto key = static_cast<std::uint32_t>(pair >> 32 << 16 | (pair & 0xffffu));
            std::uint32_t at = slot(key);
            while (table_[at].key != kEmpty) at = (at + 1) & mask_;
            table_[at] = {key, weights};
        }
    }

    std::uint32_t n_, mask_ = 0;
    std::vector<std::uint64_t> first_;
    std::vector<Arc> arcs_;  // arcs of vertex 0, of vertex 1, ..., each sorted by the other vertex
    std::vector<Slot> table_;
    std::vector<std::uint64_t> marks_;  // row a, bit b: 1 if an edge joins a and b; empty: no matrix
};

/// Reads lines "from,to,weight" with vertices counted from 1; skips a header. Raises `n` to the largest vertex.
inline std::vector<Edge> read_edges(const std::string& path, std::uint32_t& n) {
    std::ifstream file(path);
    if (!file) throw qapfw::Error(qapfw::ErrorKind::kIo, path + ": the file cannot be opened");
    std::vector<Edge> edges;
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); ++number) {
        if (line.empty() || (number == 1 && line.find_first_of("0123456789") != 0)) continue;
        long long from = 0, to = 0, weight = 0;
        char tail = 0;
        const int read = std::sscanf(line.c_str(), "%lld,%lld,%lld%c", &from, &to, &weight, &tail);
        const bool fits =
            from >= 1 && from <= kMostVertices && to >= 1 && to <= kMostVertices && weight >= 1 && weight <= 1'000'000;
        if ((read != 3 && !(read == 4 && tail == '\r')) || !fits) {
            throw qapfw::Error(qapfw::ErrorKind::kInput,
                               path + ":" + std::to_string(number) +
                                   ": a line from,to,weight was wanted, with vertices from 1 to " +
                                   std::to_string(kMostVertices) + " and a weight from 1 to 1000000; found \"" +
                                   line.substr(0, 60) + "\"");
        }
        edges.push_back({static_cast<std::uint32_t>(from - 1), static_cast<std::uint32_t>(to - 1),
                         static_cast<std::int32_t>(weight)});
        n = std::max({n, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
    }
    if (edges.empty()) throw qapfw::Error(qapfw::ErrorKind::kInput, path + ": wanted edges, the file has none");
    return edges;
}

/// The random number below `count` that belongs to `counter`.
inline std::uint32_t drawn(std::uint64_t counter, std::uint32_t count) {
    return static_cast<std::uint32_t>((qapfw::kernels::mix64(counter) >> 32) * count >> 32);
}

}  // namespace alignment
