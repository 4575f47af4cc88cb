// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/starts/regroup.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "problems/sparse_qap/starts/bisection.hpp"
#include "problems/sparse_qap/starts/starts.hpp"

namespace qapfw::sparse {
namespace {

constexpr std::uint32_t kOutside = ~std::uint32_t{0};
/// Cuts of a pair in vain, after which it waits for a change of one of its groups.
constexpr std::uint32_t kPatience = 4;
/// A sweep that takes less than this share off the weight between groups is the last one of its level.
constexpr double kWorthASweep = 0.001;

/// Two groups that share edges.
struct Pair {
    std::uint32_t a, b;
    std::uint32_t failed = 0;   ///< cuts in vain since `version`
    std::uint64_t version = 0;  ///< sum of both groups' changes at the last cut
};

class Regrouping {
  public:
    Regrouping(const Graph& graph, const Target& target, std::uint64_t seed, const sdk::StopQuestion& stop,
               std::vector<std::uint32_t>& location_of)
        : graph_(graph),
          target_(target),
          seed_(seed),
          stop_(stop),
          location_of_(location_of),
          vertex_at_(location_of.size()),
          local_(location_of.size(), kOutside) {
        for (std::uint32_t u = 0; u < location_of_.size(); ++u) vertex_at_[location_of_[u]] = u;
    }

    void run(std::uint32_t sweeps) {
        for (std::size_t level = target_.groups().size() - 1; level-- > 0;) {
            size_ = target_.groups()[level];
            parent_ = target_.groups()[level + 1];
            if (size_ < parent_) improve_level(sweeps);
        }
    }

  private:
    void improve_level(std::uint32_t sweeps);
    std::vector<Pair> pairs_of_level() const;
    double recut(const Pair& pair);
    double weight_between_groups() const;
    CutGraph union_of(const Pair& pair);
    void move(const std::vector<std::uint8_t>& side);

    const Graph& graph_;
    const Target& target_;
    std::uint64_t seed_;
    const sdk::StopQuestion& stop_;
    std::vector<std::uint32_t>& location_of_;
    std::vector<std::uint32_t> vertex_at_, local_;
    std::vector<std::uint32_t> union_;     // vertices of the pair at work, those of the first group first
    std::uint32_t size_ = 1, parent_ = 1;  // locations in a group and in its parent
};

/// All pairs of groups of the same parent that share an edge.
std::vector<Pair> Regrouping::pairs_of_level() const {
    std::vector<Pair> pairs;
    std::vector<std::uint32_t> found;
    for (std::uint32_t l = 0; l < vertex_at_.size(); ++l) {
        if (l % size_ == 0) found.clear();
        const std::uint32_t u = vertex_at_[l], group = l / size_;
        for (std::uint64_t k = u < graph_.n ? graph_.offsets[u] : 0; u < graph_.n && k < graph_.offsets[u + 1]; ++k) {
            const std::uint32_t at = location_of_[graph_.arcs[k].to];
            if (at / size_ > group && at / parent_ == l / parent_) found.push_back(at / size_);
        }
        if ((l + 1) % size_ != 0) continue;
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        for (const std::uint32_t other : found) pairs.push_back({group, other});
    }
    return pairs;
}

/// The weight between the groups of this level, inside their parents.
double Regrouping::weight_between_groups() const {
    double sum = 0;
    for (std::uint32_t u = 0; u < graph_.n; ++u) {
        const std::uint32_t own = location_of_[u];
        for (std::uint64_t k = graph_.offsets[u]; k < graph_.offsets[u + 1]; ++k) {
            const std::uint32_t at = location_of_[graph_.arcs[k].to];
            if (at > own && at / size_ != own / size_ && at / parent_ == own / parent_)
                sum += std::abs(static_cast<double>(graph_.weight(k)));
        }
    }
    return sum;
}

void Regrouping::improve_level(std::uint32_t sweeps) {
    std::vector<std::uint64_t> changes(target_.n() / size_, 0);
    std::vector<Pair> pairs = pairs_of_level();
    for (std::uint32_t sweep = 0; sweep < sweeps; ++sweep) {
        for (std::size_t k = pairs.size(); k > 1; --k) std::swap(pairs[k - 1], pairs[mixed(seed_ + k) % k]);
        double gained = 0;
        for (Pair& pair : pairs) {
            const std::uint64_t version = changes[pair.a] + changes[pair.b];
            if (version != pair.version) pair.failed = 0;
            pair.version = version;
            if (pair.failed == kPatience) continue;
            const double gain = recut(pair);
            if (!(gain > 0)) {
                ++pair.failed;
                continue;
            }
            gained += gain;
            pair.version += 2;
            pair.failed = 1;
            ++changes[pair.a];
            ++changes[pair.b];
        }
        if (gained < kWorthASweep * weight_between_groups()) return;
        // Groups have other neighbours now; what is known about a pair stays.
        const auto earlier = [](const Pair& x, const Pair& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); };
        std::vector<Pair> now = pairs_of_level();
        std::sort(pairs.begin(), pairs.end(), earlier);
        for (Pair& pair : now) {
            const auto known = std::lower_bound(pairs.begin(), pairs.end(), pair, earlier);
            if (known != pairs.end() && known->a == pair.a && known->b == pair.b) pair = *known;
        }
        pairs = std::move(now);
    }
}

CutGraph Regrouping::union_of(const Pair& pair) {
    CutGraph cut;
    cut.n = 2 * size_;
    cut.size.assign(cut.n, 1);
    cut.pull.assign(cut.n, 0.0);  // all that is outside is as far from one group as from the other
    cut.offsets.push_back(0);
    union_.resize(cut.n);
    for (std::uint32_t i = 0; i < cut.n; ++i) {
        union_[i] = vertex_at_[i < size_ ? pair.a * size_ + i : pair.b * size_ + (i - size_)];
        local_[union_[i]] = i;
    }
    for (const std::uint32_t u : union_) {
        for (std::uint64_t k = u < graph_.n ? graph_.offsets[u] : 0; u < graph_.n && k < graph_.offsets[u + 1]; ++k) {
            const std::uint32_t j = local_[graph_.arcs[k].to];
            if (j == kOutside) continue;
            cut.to.push_back(j);
            cut.weight.push_back(static_cast<double>(graph_.weight(k)));
        }
        cut.offsets.push_back(static_cast<std::uint32_t>(cut.to.size()));
    }
    for (const std::uint32_t u : union_) local_[u] = kOutside;
    return cut;
}

double weight_between(const CutGraph& cut, const std::vector<std::uint8_t>& side) {
    double sum = 0;
    for (std::uint32_t i = 0; i < cut.n; ++i) {
        for (std::uint32_t k = cut.offsets[i]; side[i] == 0 && k < cut.offsets[i + 1]; ++k)
            sum += side[cut.to[k]] == 1 ? cut.weight[k] : 0;
    }
    return sum;
}

/// Cuts the union of two groups anew; returns by how much that made the cut smaller, 0 where it did not.
double Regrouping::recut(const Pair& pair) {
    if (stop_()) throw sdk::Stopped();
    const CutGraph cut = union_of(pair);
    std::vector<std::uint8_t> before(cut.n, 0);
    std::fill(before.begin() + size_, before.end(), std::uint8_t{1});
    seed_ = mixed(seed_);
    std::vector<std::uint8_t> side = bisect(cut, {size_, size_}, {}, seed_, stop_);
    const double gain = weight_between(cut, before) - weight_between(cut, side);
    if (gain < 1e-6) return 0;
    move(side);
    return gain;
}

/// Vertices that stay in their group keep their location; the others take what has become free.
void Regrouping::move(const std::vector<std::uint8_t>& side) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < side.size(); ++i) kept += (i < size_) == (side[i] == 0) ? 1u : 0u;
    const std::uint8_t first = kept >= size_ ? 0 : 1;
    std::uint32_t back = size_;
    for (std::uint32_t i = 0; i < size_; ++i) {
        if (side[i] == first) continue;
        while (side[back] != first) ++back;
        const std::uint32_t u = union_[i], v = union_[back++];
        std::swap(location_of_[u], location_of_[v]);
        vertex_at_[location_of_[u]] = u;
        vertex_at_[location_of_[v]] = v;
    }
}

}  // namespace

void regroup(const Graph& graph, const Target& target, std::uint64_t seed, std::uint32_t sweeps,
             std::vector<std::uint32_t>& location_of, const sdk::StopQuestion& stop) {
    Regrouping(graph, target, seed, stop, location_of).run(sweeps);
}

}  // namespace qapfw::sparse
