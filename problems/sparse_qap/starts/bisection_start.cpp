// SPDX-License-Identifier: Apache-2.0
// Recursive bisection of graph and locations together. A vertex is pulled to the half that is nearer to the regions of
// its neighbours outside (terminal propagation).
#include <algorithm>
#include <numeric>

#include "problems/sparse_qap/starts/bisection.hpp"
#include "problems/sparse_qap/starts/location_split.hpp"
#include "problems/sparse_qap/starts/regroup.hpp"
#include "problems/sparse_qap/starts/starts.hpp"

namespace qapfw::sparse {
namespace {

/// Number of sweeps over pairs of a tree's groups after a bisection. kFewSweeps is for the start kBisection, kSweeps
/// for the longer starts.
constexpr std::uint32_t kFewSweeps = 2, kSweeps = 24;

/// A region with at most this many locations is not cut: its vertices are placed in any order. Later swaps improve this
/// order in less time than cuts would.
constexpr std::uint32_t kFilled = 8;
/// In graphs with more vertices than this, regions of at most kFilled locations are cut too: later swaps have too
/// little time to improve an arbitrary order.
constexpr std::uint32_t kMostFilled = 100'000;

/// Vertices and the locations on which they are to be placed. There are at least as many locations as vertices.
struct Region {
    std::uint32_t v_begin, v_end;  ///< the vertices at indices [v_begin, v_end) of Bisector::vertices_
    std::uint32_t l_begin, l_end;  ///< the locations at indices [l_begin, l_end) of LocationSplit::order()
    LocationSplit::Centre centre;
};

class Bisector {
  public:
    Bisector(const Graph& graph, const Target& target, CutEffort effort, std::uint64_t seed,
             const sdk::StopQuestion& stop)
        : graph_(graph),
          target_(target),
          effort_(effort),
          split_(target),
          seed_(seed),
          stop_(stop),
          vertices_(graph.n),
          region_of_(graph.n, 0),
          local_(graph.n),
          filled_(target.dimensions() > 0 && graph.n <= kMostFilled ? kFilled : 1) {
        std::iota(vertices_.begin(), vertices_.end(), 0u);
    }

    std::vector<std::uint32_t> run() {
        regions_.push_back({0, graph_.n, 0, target_.n(), split_.centre(0, target_.n())});
        for (std::uint32_t begin = 0, end = 1; begin < end; begin = end, end = count()) {
            for (std::uint32_t r = begin; r < end; ++r) {
                if (r % 64 == 0 && stop_()) throw sdk::Stopped();
                if (regions_[r].l_end - regions_[r].l_begin > filled_ && regions_[r].v_end > regions_[r].v_begin)
                    cut(r);
            }
            // When a region was cut, later regions of this level were still whole. Now that all are cut, the halves of
            // each region are refined. For a tree this would change nothing.
            if (target_.is_tree()) continue;
            for (std::uint32_t r = end; r + 1 < count(); r += 2) refine(r, r + 1);
        }
        return placed();
    }

  private:
    std::uint32_t count() const { return static_cast<std::uint32_t>(regions_.size()); }
    void cut(std::uint32_t r);
    void refine(std::uint32_t first, std::uint32_t second);
    /// Returns the subgraph of the vertices at indices [begin, end) of vertices_. is_inside(r) says whether region r
    /// lies in the subgraph. An edge to another region adds to the pull of its end in the subgraph.
    template <class IsInside>
    CutGraph cut_graph(std::uint32_t begin, std::uint32_t end, const LocationSplit::Centre& first,
                       const LocationSplit::Centre& second, IsInside is_inside);
    void divide(std::uint32_t begin, const std::vector<std::uint8_t>& side, std::uint32_t first, std::uint32_t second);
    std::vector<std::uint32_t> placed() const;

    const Graph& graph_;
    const Target& target_;
    const CutEffort effort_;
    LocationSplit split_;
    std::uint64_t seed_;
    sdk::StopQuestion stop_;
    std::vector<Region> regions_;
    std::vector<std::uint32_t> vertices_, region_of_, local_;
    const std::uint32_t filled_;  // a region with at most this many locations is not cut
};

template <class IsInside>
CutGraph Bisector::cut_graph(std::uint32_t begin, std::uint32_t end, const LocationSplit::Centre& first,
                             const LocationSplit::Centre& second, IsInside is_inside) {
    CutGraph cut;
    cut.n = end - begin;
    cut.size.assign(cut.n, 1);
    cut.pull.assign(cut.n, 0.0);
    cut.offsets.push_back(0);
    const double between = std::max(split_.distance(first, second), 1e-3);
    for (std::uint32_t k = begin; k < end; ++k) local_[vertices_[k]] = k - begin;
    for (std::uint32_t i = 0; i < cut.n; ++i) {
        leave_if_stopped(stop_, i + 1);
        const std::uint32_t u = vertices_[begin + i];
        for (std::uint64_t k = graph_.offsets[u]; k < graph_.offsets[u + 1]; ++k) {
            const std::uint32_t v = graph_.arcs[k].to;
            const auto weight = static_cast<double>(graph_.weight(k));
            if (is_inside(region_of_[v])) {
                cut.to.push_back(local_[v]);
                cut.weight.push_back(weight * between);
            } else {
                const LocationSplit::Centre& other = regions_[region_of_[v]].centre;
                cut.pull[i] += weight * (split_.distance(other, second) - split_.distance(other, first));
            }
        }
        cut.offsets.push_back(static_cast<std::uint32_t>(cut.to.size()));
    }
    return cut;
}

/// Sorts the vertices from index `begin` of vertices_ on: those of side 0 come before those of side 1. Assigns the
/// vertices of side 0 to the region `first`, and those of side 1 to the region `second`.
void Bisector::divide(std::uint32_t begin, const std::vector<std::uint8_t>& side, std::uint32_t first,
                      std::uint32_t second) {
    std::vector<std::uint32_t> ordered;
    ordered.reserve(side.size());
    for (std::uint8_t s = 0; s < 2; ++s) {
        for (std::uint32_t i = 0; i < side.size(); ++i) {
            if (side[i] != s) continue;
            ordered.push_back(vertices_[begin + i]);
            region_of_[ordered.back()] = s == 0 ? first : second;
        }
    }
    std::copy(ordered.begin(), ordered.end(), vertices_.begin() + begin);
}

void Bisector::cut(std::uint32_t r) {
    const Region region = regions_[r];
    const std::uint32_t middle = split_.halve(region.l_begin, region.l_end).middle;
    const LocationSplit::Centre first = split_.centre(region.l_begin, middle),
                                second = split_.centre(middle, region.l_end);
    const CutGraph graph =
        cut_graph(region.v_begin, region.v_end, first, second, [r](std::uint32_t other) { return other == r; });
    const std::uint32_t l_first = middle - region.l_begin, l_second = region.l_end - middle;
    const CutSizes sizes{graph.n > l_second ? graph.n - l_second : 0, std::min(graph.n, l_first)};
    const std::vector<std::uint8_t> side = bisect(graph, sizes, effort_, mixed(seed_ ^ r), stop_);
    // The number of vertices on side 0 is within the limits `sizes`. The refinement's pass() moves vertices until this
    // is true.
    const auto in_first = static_cast<std::uint32_t>(std::count(side.begin(), side.end(), std::uint8_t{0}));
    divide(region.v_begin, side, count(), count() + 1);
    regions_.push_back({region.v_begin, region.v_begin + in_first, region.l_begin, middle, first});
    regions_.push_back({region.v_begin + in_first, region.v_end, middle, region.l_end, second});
}

/// Improves the cut between the two halves of a region by moving vertices. At the end, each half has as many vertices
/// as before.
void Bisector::refine(std::uint32_t first, std::uint32_t second) {
    constexpr std::uint32_t kPasses = 2;
    if (first % 64 < 2 && stop_()) throw sdk::Stopped();
    const Region a = regions_[first], b = regions_[second];
    const std::uint32_t in_first = a.v_end - a.v_begin;
    if (in_first == 0 || b.v_begin == b.v_end) return;
    const CutGraph graph = cut_graph(a.v_begin, b.v_end, a.centre, b.centre,
                                     [&](std::uint32_t other) { return other == first || other == second; });
    std::vector<std::uint8_t> side(graph.n, 1);
    std::fill_n(side.begin(), in_first, std::uint8_t{0});
    refine_cut(graph, {in_first, in_first}, kPasses, side, stop_);
    divide(a.v_begin, side, first, second);
}

std::vector<std::uint32_t> Bisector::placed() const {
    std::vector<std::uint32_t> location_of(target_.n());
    std::vector<bool> taken(target_.n(), false);
    for (const Region& region : regions_) {
        if (region.l_end - region.l_begin > filled_) continue;
        for (std::uint32_t k = 0; k < region.v_end - region.v_begin; ++k) {
            const std::uint32_t location = split_.order()[region.l_begin + k];
            location_of[vertices_[region.v_begin + k]] = location;
            taken[location] = true;
        }
    }
    std::uint32_t free = 0;
    for (std::uint32_t u = graph_.n; u < target_.n(); ++u, ++free) {
        while (taken[free]) ++free;
        location_of[u] = free;
    }
    return location_of;
}

}  // namespace

std::vector<std::uint32_t> bisection_start(const Graph& graph, const Target& target, CutEffort effort,
                                           std::uint64_t seed, const sdk::StopQuestion& stop) {
    return Bisector(graph, target, effort, seed, stop).run();
}

std::vector<std::uint32_t> quick_start(const Graph& graph, const Target& target, const sdk::StopQuestion& stop) {
    LocationSplit split(target);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, target.n()}};
    while (!open.empty()) {
        const auto [begin, end] = open.back();
        open.pop_back();
        if (end - begin < 2) continue;
        if (end - begin >= kAskEvery && stop()) throw sdk::Stopped();
        const std::uint32_t middle = split.halve(begin, end).middle;
        open.emplace_back(begin, middle);
        open.emplace_back(middle, end);
    }
    const std::vector<std::uint32_t> order = breadth_first(graph, [&stop] {
        if (stop()) throw sdk::Stopped();
    });
    std::vector<std::uint32_t> location_of(target.n());
    for (std::uint32_t k = 0; k < target.n(); ++k) location_of[k < graph.n ? order[k] : k] = split.order()[k];
    return location_of;
}

/// Returns the effort of a bisection. A graph of more than kRepeated vertices is cut only once, since the cuts of its
/// largest regions take most of the time. Smaller graphs are cut several times. If the start is a longer one or the
/// target is a tree, each cut contracts the graph again. Later swaps cannot correct bad cuts of a tree.
static CutEffort effort_for(const Graph& graph, const Target& target, bool longer) {
    constexpr std::uint32_t kRepeated = 100'000;
    if (graph.n > kRepeated) return {1, 4};
    return longer ? CutEffort{4, 8} : CutEffort{3, 4, !target.is_tree()};
}

std::vector<StartKind> starts_for(const Graph& graph, const Target& target) {
    // Number of vertices above which kEmbedding takes less time than kBisection.
    constexpr std::uint32_t kDrawnFirst = 200'000;
    if (target.is_tree())
        return {StartKind::kQuick, StartKind::kBisection, StartKind::kEmbedding, StartKind::kTogether};
    std::vector<StartKind> kinds{StartKind::kQuick, StartKind::kBisection, StartKind::kEmbedding};
    if (graph.n > kDrawnFirst && target.dimensions() > 0) std::swap(kinds[1], kinds[2]);
    // kSheet spreads the graph over all locations, so it suits only a graph that needs most of them.
    const bool is_full = std::uint64_t{graph.n} * 4 >= std::uint64_t{target.n()} * 3;
    if (is_full && suits_sheets(target) && is_flat(graph)) kinds.insert(kinds.begin() + 1, StartKind::kSheet);
    return kinds;
}

std::vector<std::uint32_t> make_start(const Graph& graph, const Target& target, StartKind kind, std::uint64_t seed,
                                      const sdk::StopQuestion& stop) {
    std::vector<std::uint32_t> start;
    if (kind == StartKind::kSheet) start = sheet_start(graph, target, seed, stop);
    if (kind == StartKind::kEmbedding) start = embedding_start(graph, target, seed, stop);
    const std::uint32_t longer = kind == StartKind::kTogether ? 2 : kind == StartKind::kEmbedding ? 1 : 0;
    if (kind != StartKind::kQuick && start.empty()) {
        start = bisection_start(graph, target, effort_for(graph, target, longer > 0), seed + longer, stop);
        const RegroupEffort effort{longer > 0 ? kSweeps : kFewSweeps, kind == StartKind::kTogether};
        if (target.is_tree()) regroup(graph, target, seed, effort, start, stop);
    }
    if (start.empty()) start = quick_start(graph, target, stop);
    return start;
}

}  // namespace qapfw::sparse
