// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/starts/bisection.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include "problems/sparse_qap/starts/starts.hpp"

namespace qapfw::sparse {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
/// A graph with at most this many vertices is cut without being contracted further.
constexpr std::uint32_t kSmall = 100;
/// The size of a contracted vertex is at most the total size of all vertices divided by this number.
constexpr std::uint32_t kLargestShare = 40;
/// A graph with fewer vertices than this is cut only once, even if CutEffort::repeats is greater. Later steps improve
/// the cut.
constexpr std::uint32_t kWorthRepeats = 200;

/// Improves a cut. In a pass, vertices move to the other side one by one; the pass keeps the moves up to the best cut.
class Mover {
  public:
    Mover(const CutGraph& graph, CutSizes sizes, std::vector<std::uint8_t>& side, const sdk::StopQuestion& stop)
        : graph_(graph),
          sizes_(sizes),
          side_(side),
          stop_(stop),
          is_scanned_(graph.n <= kScanned),
          gain_(graph.n),
          is_moved_(graph.n) {
        const std::uint32_t scanned = (graph.n + kAtOnce - 1) / kAtOnce * kAtOnce;
        for (auto& open : open_gain_) open.assign(is_scanned_ ? scanned : 0, kTaken);
    }

    /// Makes a pass of vertex moves. Returns true if the pass made the cut better: side 0 came nearer to its size
    /// limits, or is as near and the cut is cheaper.
    bool pass();

  private:
    /// With at most this many vertices a scan is quicker than a queue. Then all vertices are candidates from the start.
    static constexpr std::uint32_t kScanned = 96;
    static constexpr double kTaken = -std::numeric_limits<double>::infinity();
    static_assert(kScanned <= 2 * kSmall);
    static constexpr std::uint32_t kAtOnce = 8;      ///< gains that a scan compares at the same time
    using Entry = std::pair<double, std::uint32_t>;  // gain and vertex
    using Queue = std::priority_queue<Entry>;

    double gain_of(std::uint32_t v, bool& at_border) const {
        // A table instead of a branch, which the processor would often predict wrongly.
        constexpr double kSign[2] = {-1, 1};
        const std::uint8_t own = side_[v];
        double gain = own == 0 ? -graph_.pull[v] : graph_.pull[v];
        std::uint8_t any_cut = gain > 0 ? 1 : 0;
        for (std::uint32_t k = graph_.offsets[v]; k < graph_.offsets[v + 1]; ++k) {
            const auto cut = static_cast<std::uint8_t>(side_[graph_.to[k]] ^ own);
            gain += kSign[cut] * graph_.weight[k];
            any_cut |= cut;
        }
        at_border = any_cut != 0;
        return gain;
    }
    std::uint32_t violation(std::uint32_t weight) const {
        return weight < sizes_.least ? sizes_.least - weight : weight > sizes_.most ? weight - sizes_.most : 0;
    }
    /// Returns the vertex on this side whose move gains most; kNone if there is no candidate.
    std::uint32_t top(std::uint8_t side) {
        if (is_scanned_) return scanned(side);
        Queue& queue = queue_[side];
        while (!queue.empty()) {
            const auto [gain, v] = queue.top();
            if (is_moved_[v] == 0 && side_[v] == side && gain == gain_[v]) return v;
            queue.pop();
        }
        return kNone;
    }
    /// Does what `top` does, by a scan. Of vertices with equal gains it takes the one with the largest number.
    std::uint32_t scanned(std::uint8_t side) const {
        const std::vector<double>& open = open_gain_[side];
        double largest[kAtOnce];
        std::fill_n(largest, kAtOnce, kTaken);
        for (std::size_t k = 0; k < open.size(); k += kAtOnce) {
            for (std::size_t j = 0; j < kAtOnce; ++j) largest[j] = open[k + j] > largest[j] ? open[k + j] : largest[j];
        }
        const double most = *std::max_element(largest, largest + kAtOnce);
        if (most == kTaken) return kNone;
        std::uint32_t v = graph_.n - 1;
        while (open[v] != most) --v;
        return v;
    }
    void enter(std::uint32_t v) {
        if (is_scanned_)
            open_gain_[side_[v]][v] = gain_[v];
        else
            queue_[side_[v]].emplace(gain_[v], v);
    }
    void fill(std::uint8_t side) {
        if (is_scanned_) return;
        for (std::uint32_t v = 0; v < graph_.n; ++v) {
            if (side_[v] == side && is_moved_[v] == 0) queue_[side].emplace(gain_[v], v);
        }
    }
    std::uint32_t next();
    void move(std::uint32_t v);
    void undo(std::uint32_t v) {
        weight_ += side_[v] == 0 ? 0u - graph_.size[v] : graph_.size[v];
        side_[v] ^= 1;
    }

    const CutGraph& graph_;
    const CutSizes sizes_;
    std::vector<std::uint8_t>& side_;
    const sdk::StopQuestion stop_;
    const bool is_scanned_;  // the best vertex is found by a scan of all, not by a queue
    std::vector<double> gain_;
    std::vector<std::uint8_t> is_moved_;
    std::vector<double> open_gain_[2];  // gains of the vertices of a side that have not been moved; kTaken for others
    Queue queue_[2];
    std::uint32_t weight_ = 0;  // size of side 0
};

std::uint32_t Mover::next() {
    const bool may_leave_0 = weight_ > sizes_.least, may_leave_1 = weight_ < sizes_.most;
    const bool must_leave_0 = weight_ > sizes_.most, must_leave_1 = weight_ < sizes_.least;
    if (must_leave_0 || must_leave_1) {
        const std::uint8_t from = must_leave_0 ? 0 : 1;
        if (top(from) == kNone) fill(from);
        return top(from);
    }
    // If neither side may lose a vertex, but both have one to move, a vertex is moved nevertheless. The next move then
    // restores the size.
    const std::uint32_t u = top(0), v = top(1);
    if (u == kNone || v == kNone) {
        const std::uint32_t one = u == kNone ? v : u;
        if (one == kNone) return kNone;
        return (side_[one] == 0 ? may_leave_0 : may_leave_1) ? one : kNone;
    }
    if (may_leave_0 != may_leave_1) return may_leave_0 ? u : v;
    return gain_[u] >= gain_[v] ? u : v;
}

void Mover::move(std::uint32_t v) {
    is_moved_[v] = 1;
    if (is_scanned_) open_gain_[side_[v]][v] = kTaken;
    undo(v);  // moves the vertex; a second call moves it back
    for (std::uint32_t k = graph_.offsets[v]; k < graph_.offsets[v + 1]; ++k) {
        const std::uint32_t w = graph_.to[k];
        if (is_moved_[w] != 0) continue;
        gain_[w] += side_[w] == side_[v] ? -2 * graph_.weight[k] : 2 * graph_.weight[k];
        enter(w);
    }
}

bool Mover::pass() {
    queue_[0] = queue_[1] = Queue();
    for (auto& open : open_gain_) std::fill(open.begin(), open.end(), kTaken);
    std::fill(is_moved_.begin(), is_moved_.end(), std::uint8_t{0});
    weight_ = 0;
    for (std::uint32_t v = 0; v < graph_.n; ++v) {
        leave_if_stopped(stop_, v + 1);
        bool at_border = false;
        gain_[v] = gain_of(v, at_border);
        if (at_border || graph_.n <= 2 * kSmall) enter(v);
        if (side_[v] == 0) weight_ += graph_.size[v];
    }
    const std::uint32_t patience = 30 + graph_.n / 50;
    std::vector<std::uint32_t> moves;
    std::uint32_t least_violation = violation(weight_);
    double total = 0, best = 0;
    std::size_t kept = 0;
    while (moves.size() - kept < patience || least_violation > 0) {
        leave_if_stopped(stop_, static_cast<std::uint32_t>(moves.size()) + 1);
        const std::uint32_t v = next();
        if (v == kNone) break;
        total += gain_[v];
        move(v);
        moves.push_back(v);
        const std::uint32_t now = violation(weight_);
        if (now < least_violation || (now == least_violation && total > best + 1e-9)) {
            least_violation = now;
            best = total;
            kept = moves.size();
        }
    }
    while (moves.size() > kept) {
        undo(moves.back());
        moves.pop_back();
    }
    return kept > 0;
}

/// The graph after pairs of vertices were contracted.
struct Coarser {
    CutGraph graph;
    std::vector<std::uint32_t> vertex_of;  // the contracted vertex of each finer vertex
};

Coarser contracted(const CutGraph& fine, std::uint32_t largest, std::uint64_t seed, const sdk::StopQuestion& stop) {
    std::vector<std::uint32_t> order(fine.n), mate(fine.n, kNone);
    std::iota(order.begin(), order.end(), 0u);
    for (std::uint32_t k = fine.n; k > 1; --k) std::swap(order[k - 1], order[(mixed(seed + k) >> 32) * k >> 32]);
    std::vector<double> share(fine.n);
    for (std::uint32_t v = 0; v < fine.n; ++v) share[v] = 1.0 / fine.size[v];
    Coarser coarser;
    coarser.vertex_of.assign(fine.n, kNone);
    CutGraph& coarse = coarser.graph;
    std::vector<std::uint32_t> first;
    for (const std::uint32_t v : order) {
        leave_if_stopped(stop, v + 1);
        if (mate[v] != kNone) continue;
        std::uint32_t best = v;
        double most = -1;
        for (std::uint32_t k = fine.offsets[v]; k < fine.offsets[v + 1]; ++k) {
            const std::uint32_t w = fine.to[k];
            if (mate[w] != kNone || w == v || fine.size[v] + fine.size[w] > largest) continue;
            // Heavy edges to small vertices are preferred, which keeps the sizes similar.
            const double rating = fine.weight[k] * fine.weight[k] * share[w];
            if (rating > most) {
                most = rating;
                best = w;
            }
        }
        mate[v] = best;
        mate[best] = v;
        coarser.vertex_of[v] = coarser.vertex_of[best] = coarse.n++;
        first.push_back(v);
    }
    std::vector<std::uint32_t> place(coarse.n, kNone);
    coarse.offsets.push_back(0);
    coarse.to.reserve(fine.to.size());
    coarse.weight.reserve(fine.to.size());
    for (std::uint32_t c = 0; c < coarse.n; ++c) {
        leave_if_stopped(stop, c + 1);
        const std::uint32_t u = first[c], v = mate[u];
        const auto begin = static_cast<std::uint32_t>(coarse.to.size());
        for (std::uint32_t part = 0; part < (u == v ? 1u : 2u); ++part) {
            const std::uint32_t w = part == 0 ? u : v;
            for (std::uint32_t k = fine.offsets[w]; k < fine.offsets[w + 1]; ++k) {
                const std::uint32_t to = coarser.vertex_of[fine.to[k]];
                if (to == c) continue;
                if (place[to] == kNone || place[to] < begin) {  // values below `begin` belong to earlier rows
                    place[to] = static_cast<std::uint32_t>(coarse.to.size());
                    coarse.to.push_back(to);
                    coarse.weight.push_back(0);
                }
                coarse.weight[place[to]] += fine.weight[k];
            }
        }
        coarse.offsets.push_back(static_cast<std::uint32_t>(coarse.to.size()));
        coarse.size.push_back(fine.size[u] + (u == v ? 0 : fine.size[v]));
        coarse.pull.push_back(fine.pull[u] + (u == v ? 0 : fine.pull[v]));
        coarse.largest = std::max(coarse.largest, coarse.size.back());
    }
    return coarser;
}

double cost_of(const CutGraph& graph, const std::vector<std::uint8_t>& side) {
    double cost = 0;
    for (std::uint32_t v = 0; v < graph.n; ++v) {
        if (side[v] == 1) cost += graph.pull[v];
        for (std::uint32_t k = graph.offsets[v]; side[v] == 1 && k < graph.offsets[v + 1]; ++k) {
            if (side[graph.to[k]] == 0) cost += graph.weight[k];
        }
    }
    return cost;
}

std::uint32_t violation_of(const CutGraph& graph, CutSizes sizes, const std::vector<std::uint8_t>& side) {
    std::uint32_t weight = 0;
    for (std::uint32_t v = 0; v < graph.n; ++v) weight += side[v] == 0 ? graph.size[v] : 0;
    return weight < sizes.least ? sizes.least - weight : weight > sizes.most ? weight - sizes.most : 0;
}

/// Makes a first cut of a large graph that cannot be contracted: side 0 takes vertices in breadth-first order.
std::vector<std::uint8_t> filled(const CutGraph& graph, CutSizes sizes, std::uint32_t start) {
    std::vector<std::uint8_t> side(graph.n, 1), seen(graph.n, 0);
    std::vector<std::uint32_t> queue;
    const std::uint32_t wanted = (sizes.least + sizes.most) / 2;
    std::uint32_t weight = 0, next = 0;
    const auto reach = [&](std::uint32_t v) {
        if (seen[v] == 0) queue.push_back(v);
        seen[v] = 1;
    };
    reach(start);
    for (std::size_t head = 0; weight < wanted; ++head) {
        while (head == queue.size() && next < graph.n) reach(next++);
        if (head == queue.size()) break;
        const std::uint32_t v = queue[head];
        if (weight + graph.size[v] > sizes.most) continue;
        side[v] = 0;
        weight += graph.size[v];
        for (std::uint32_t k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k) reach(graph.to[k]);
    }
    return side;
}

/// Makes a first cut: side 0 grows from vertex `start`, each time by the vertex that lowers the cut's cost most.
std::vector<std::uint8_t> grown(const CutGraph& graph, CutSizes sizes, std::uint32_t start) {
    std::vector<std::uint8_t> side(graph.n, 1);
    std::vector<double> gain(graph.pull);
    for (std::uint32_t v = 0; v < graph.n; ++v) {
        for (std::uint32_t k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k) gain[v] -= graph.weight[k];
    }
    const std::uint32_t wanted = (sizes.least + sizes.most) / 2;
    std::uint32_t weight = 0;
    for (std::uint32_t v = start; v != kNone;) {
        side[v] = 0;
        weight += graph.size[v];
        for (std::uint32_t k = graph.offsets[v]; k < graph.offsets[v + 1]; ++k)
            gain[graph.to[k]] += 2 * graph.weight[k];
        v = kNone;
        for (std::uint32_t w = 0; w < graph.n; ++w) {
            if (side[w] == 1 && weight + graph.size[w] <= std::max(wanted, sizes.least) &&
                (v == kNone || gain[w] > gain[v]))
                v = w;
        }
        if (weight >= wanted) break;
    }
    return side;
}

std::vector<std::uint8_t> cut_small(const CutGraph& graph, CutSizes sizes, std::uint32_t tries, std::uint64_t seed,
                                    const sdk::StopQuestion& stop) {
    // A graph whose vertices all have size 1 was never contracted. There are many such graphs, so they get fewer tries.
    if (graph.largest == 1) tries = std::max(2u, tries / 2);
    std::vector<std::uint8_t> best;
    std::pair<std::uint32_t, double> least{};
    for (std::uint32_t k = 0; k < std::min(tries, 1 + graph.n / 4); ++k) {
        std::uint32_t start = static_cast<std::uint32_t>(mixed(seed ^ k) % graph.n);
        if (k == 0)
            start =
                static_cast<std::uint32_t>(std::max_element(graph.pull.begin(), graph.pull.end()) - graph.pull.begin());
        std::vector<std::uint8_t> side = graph.n > 1000 ? filled(graph, sizes, start) : grown(graph, sizes, start);
        refine_cut(graph, sizes, 4, side, stop);
        const std::pair<std::uint32_t, double> now{violation_of(graph, sizes, side), cost_of(graph, side)};
        if (!best.empty() && !(now < least)) continue;
        least = now;
        best = std::move(side);
    }
    return best;
}

/// Returns looser limits for contracted graphs: side 0 may miss its limits by the size of the largest vertex, but at
/// most by an eighth of the graph's size. The refinement of finer graphs corrects that.
CutSizes loosened(CutSizes sizes, const CutGraph& graph, std::uint32_t total) {
    const std::uint32_t slack = graph.largest == 1 ? 0 : std::min(graph.largest, total / 8);
    return {sizes.least - std::min(slack, sizes.least), std::min(total, sizes.most + slack)};
}

/// Contracts the graph until it is small, cuts it there, and refines the cut on the way back.
class LevelCutter {
  public:
    LevelCutter(CutSizes sizes, std::uint32_t tries, const sdk::StopQuestion& stop)
        : sizes_(sizes), tries_(tries), stop_(stop) {}

    /// Cuts the graph. After the first contraction, `repeats` cuts of the contracted graph are made; the best is taken.
    std::vector<std::uint8_t> cut(const CutGraph& graph, std::uint32_t repeats, std::uint64_t seed) const {
        constexpr std::uint32_t kPasses = 4;
        if (graph.n == 0) return {};
        if (stop_()) throw sdk::Stopped();
        const auto total = std::accumulate(graph.size.begin(), graph.size.end(), std::uint32_t{0});
        const CutSizes loose = loosened(sizes_, graph, total);
        Coarser coarser;
        if (graph.n > kSmall) coarser = contracted(graph, std::max(2u, total / kLargestShare), seed, stop_);
        if (graph.n <= kSmall || coarser.graph.n > graph.n * 9 / 10)
            return cut_small(graph, loose, tries_, seed, stop_);
        const std::vector<std::uint8_t> coarse = cheapest_cut(coarser.graph, total, repeats, seed);
        std::vector<std::uint8_t> side(graph.n);
        for (std::uint32_t v = 0; v < graph.n; ++v) side[v] = coarse[coarser.vertex_of[v]];
        coarser = {};
        refine_cut(graph, loose, kPasses, side, stop_);
        return side;
    }

  private:
    std::vector<std::uint8_t> cheapest_cut(const CutGraph& graph, std::uint32_t total, std::uint32_t repeats,
                                           std::uint64_t seed) const {
        const CutSizes loose = loosened(sizes_, graph, total);
        std::vector<std::uint8_t> best;
        std::pair<std::uint32_t, double> least{};
        for (std::uint32_t k = 0; k < repeats; ++k) {
            std::vector<std::uint8_t> side = cut(graph, 1, mixed(seed + k));
            if (repeats == 1) return side;
            const std::pair<std::uint32_t, double> now{violation_of(graph, loose, side), cost_of(graph, side)};
            if (k > 0 && !(now < least)) continue;
            least = now;
            best = std::move(side);
        }
        return best;
    }

    const CutSizes sizes_;
    const std::uint32_t tries_;
    const sdk::StopQuestion stop_;
};

}  // namespace

void refine_cut(const CutGraph& graph, CutSizes sizes, std::uint32_t passes, std::vector<std::uint8_t>& side,
                const sdk::StopQuestion& stop) {
    Mover mover(graph, sizes, side, stop);
    for (std::uint32_t k = 0; k < passes && mover.pass(); ++k) {
    }
}

std::vector<std::uint8_t> bisect(const CutGraph& graph, CutSizes sizes, CutEffort effort, std::uint64_t seed,
                                 const sdk::StopQuestion& stop) {
    const std::uint32_t repeats = graph.n < kWorthRepeats ? 1 : effort.repeats;
    const LevelCutter cutter(sizes, effort.tries, stop);
    if (effort.contracted) return cutter.cut(graph, repeats, seed);
    std::vector<std::uint8_t> best;
    double least = 0;
    for (std::uint32_t k = 0; k < repeats; ++k) {
        std::vector<std::uint8_t> side = cutter.cut(graph, 1, k == 0 ? seed : mixed(seed + k));
        const double cost = repeats == 1 ? 0 : cost_of(graph, side);
        if (k > 0 && cost >= least) continue;
        least = cost;
        best = std::move(side);
    }
    return best;
}

}  // namespace qapfw::sparse
