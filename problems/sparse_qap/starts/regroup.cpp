// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/starts/regroup.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "problems/sparse_qap/starts/bisection.hpp"
#include "problems/sparse_qap/starts/starts.hpp"

namespace qapfw::sparse {
namespace {

constexpr std::uint32_t kOutside = ~std::uint32_t{0};
/// After this many cuts without success, a pair is not cut again until one of its two groups changes.
constexpr std::uint32_t kPatience = 4;
/// If a sweep lowers the weight between groups by less than this fraction, it is the last sweep of its level.
constexpr double kWorthASweep = 0.001;
/// Greatest number of groups that are united and then cut again.
constexpr std::uint32_t kTogether = 4;
/// Least and greatest size of the groups that shake_level() joins and cuts anew. Smaller groups are left to later
/// swaps. Larger groups would take too long.
constexpr std::uint32_t kLeastTogether = 16, kMostTogether = 256;
/// A level gets kTriesForGroup tries for each of its groups, but at most kMostTries in total.
constexpr std::uint32_t kTriesForGroup = 6, kMostTries = 384;
/// A try cuts its groups anew, moves single vertices, and then cuts pairs of groups again. If the weight between the
/// groups has risen by more than this fraction before the last step, the last step is left out.
constexpr double kHopeless = 0.3;

/// Two groups with edges between them.
struct Pair {
    std::uint32_t a, b;
    std::uint32_t failed = 0;   ///< failed cuts since `a` or `b` changed; 1 just after a successful cut of this pair
    std::uint64_t version = 0;  ///< number of changes of `a` and `b` until just after this pair's last cut
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

    void run(RegroupEffort effort) {
        bool is_shaken = false;
        for (std::size_t level = target_.groups().size() - 1; level-- > 0;) {
            size_ = target_.groups()[level];
            parent_ = target_.groups()[level + 1];
            if (size_ == parent_) continue;
            if (is_shaken) fill_parents();
            improve_level(effort.sweeps);
            is_shaken = effort.together && size_ >= kLeastTogether && size_ <= kMostTogether;
            if (is_shaken) shake_level();
        }
    }

  private:
    void improve_level(std::uint32_t sweeps);
    std::vector<Pair> pairs_of_level() const;
    double recut(std::uint32_t a, std::uint32_t b, const CutEffort* effort);
    double weight_between_groups() const;
    CutGraph union_of(std::span<const std::uint32_t> groups);
    void move(const std::vector<std::uint8_t>& side);
    void shake_level();
    void fill_parents();
    std::vector<std::uint32_t> beside(std::uint32_t group) const;
    std::vector<std::uint32_t> together(std::uint32_t first) const;
    double weight_among(std::span<const std::uint32_t> groups) const;
    void cut_anew(std::span<const std::uint32_t> groups);
    double mend_around(std::vector<std::uint32_t> groups, const CutEffort* effort);

    const Graph& graph_;
    const Target& target_;
    std::uint64_t seed_;
    const sdk::StopQuestion& stop_;
    std::vector<std::uint32_t>& location_of_;
    std::vector<std::uint32_t> vertex_at_, local_;
    std::vector<std::uint32_t> union_;     // vertices of the groups that are cut again, group by group
    std::uint32_t size_ = 1, parent_ = 1;  // number of locations in a group and in its parent
};

/// Returns all pairs of groups that have the same parent and an edge between them.
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

/// Returns the sum of the absolute weights of all edges that join different groups of the same parent.
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
    constexpr CutEffort kUsual;
    for (std::uint32_t sweep = 0; sweep < sweeps; ++sweep) {
        for (std::size_t k = pairs.size(); k > 1; --k) std::swap(pairs[k - 1], pairs[mixed(seed_ + k) % k]);
        double gained = 0;
        for (Pair& pair : pairs) {
            const std::uint64_t version = changes[pair.a] + changes[pair.b];
            if (version != pair.version) pair.failed = 0;
            pair.version = version;
            if (pair.failed == kPatience) continue;
            const double gain = recut(pair.a, pair.b, &kUsual);
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
        // The cuts have changed which groups have edges between them. Pairs that existed before keep their counts.
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

CutGraph Regrouping::union_of(std::span<const std::uint32_t> groups) {
    CutGraph cut;
    cut.n = static_cast<std::uint32_t>(groups.size()) * size_;
    cut.size.assign(cut.n, 1);
    cut.pull.assign(cut.n, 0.0);  // everything outside is equally far from both groups
    cut.offsets.push_back(0);
    union_.resize(cut.n);
    for (std::uint32_t i = 0; i < cut.n; ++i) {
        union_[i] = vertex_at_[groups[i / size_] * size_ + i % size_];
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

/// Cuts the union of two groups again. If `effort` is null, the present cut is only improved by moving vertices one by
/// one. Returns by how much the weight of the cut has fallen; 0 if it has not.
double Regrouping::recut(std::uint32_t a, std::uint32_t b, const CutEffort* effort) {
    constexpr std::uint32_t kPasses = 4;
    if (stop_()) throw sdk::Stopped();
    const std::uint32_t groups[] = {a, b};
    const CutGraph cut = union_of(groups);
    std::vector<std::uint8_t> before(cut.n);
    for (std::uint32_t i = 0; i < cut.n; ++i) before[i] = i < size_ ? 0 : 1;
    std::vector<std::uint8_t> side = before;
    seed_ = mixed(seed_);
    if (effort != nullptr)
        side = bisect(cut, {size_, size_}, *effort, seed_, stop_);
    else
        refine_cut(cut, {size_, size_}, kPasses, side, stop_);
    const double gain = weight_between(cut, before) - weight_between(cut, side);
    if (gain < 1e-6) return 0;
    move(side);
    return gain;
}

/// Moves vertices to their new groups. Vertices that stay in their group keep their location. The others take the
/// locations that have become free.
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

/// Makes several tries. Each try joins some neighbouring groups, cuts their union anew, and calls mend_around for the
/// new groups. If a try has raised the weight between groups, undoes this try.
void Regrouping::shake_level() {
    const std::uint32_t groups = target_.n() / size_, tries = std::min(kTriesForGroup * groups, kMostTries);
    constexpr CutEffort kQuick{1, 4};
    for (std::uint32_t k = 0; k < tries; ++k) {
        seed_ = mixed(seed_);
        const std::vector<std::uint32_t> chosen = together(static_cast<std::uint32_t>(seed_ % groups));
        if (chosen.size() < 2) continue;
        const std::vector<std::uint32_t> location_of = location_of_, vertex_at = vertex_at_;
        const double before = weight_among(chosen);
        cut_anew(chosen);
        double gain = before - weight_among(chosen);
        gain += mend_around(chosen, nullptr);
        if (gain > -kHopeless * before) gain += mend_around(chosen, &kQuick);
        if (gain >= 0) continue;
        location_of_ = location_of;
        vertex_at_ = vertex_at;
    }
}

/// Cuts every parent into its groups anew. Needed after shake_level() has changed which vertices a parent has.
void Regrouping::fill_parents() {
    std::vector<std::uint32_t> groups(parent_ / size_);
    for (std::uint32_t parent = 0; parent < target_.n() / parent_; ++parent) {
        std::iota(groups.begin(), groups.end(), parent * (parent_ / size_));
        cut_anew(groups);
    }
}

/// Returns the groups of the same parent that have edges to `group`. A group is listed once for each edge.
std::vector<std::uint32_t> Regrouping::beside(std::uint32_t group) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t l = group * size_; l < (group + 1) * size_; ++l) {
        const std::uint32_t u = vertex_at_[l];
        for (std::uint64_t k = u < graph_.n ? graph_.offsets[u] : 0; u < graph_.n && k < graph_.offsets[u + 1]; ++k) {
            const std::uint32_t at = location_of_[graph_.arcs[k].to];
            if (at / size_ != group && at / parent_ == l / parent_) found.push_back(at / size_);
        }
    }
    return found;
}

/// Returns `first` and up to kTogether - 1 more groups. Each has edges to a group that was chosen before. Groups with
/// many such edges are more likely.
std::vector<std::uint32_t> Regrouping::together(std::uint32_t first) const {
    std::vector<std::uint32_t> chosen{first};
    std::vector<std::uint32_t> around;
    while (chosen.size() < kTogether) {
        for (const std::uint32_t other : beside(chosen.back())) around.push_back(other);
        std::erase_if(around, [&](std::uint32_t other) { return std::ranges::find(chosen, other) != chosen.end(); });
        if (around.empty()) break;
        chosen.push_back(around[mixed(seed_ + chosen.size()) % around.size()]);
    }
    return chosen;
}

double Regrouping::weight_among(std::span<const std::uint32_t> groups) const {
    double sum = 0;
    for (const std::uint32_t group : groups) {
        for (std::uint32_t l = group * size_; l < (group + 1) * size_; ++l) {
            const std::uint32_t u = vertex_at_[l];
            for (std::uint64_t k = u < graph_.n ? graph_.offsets[u] : 0; u < graph_.n && k < graph_.offsets[u + 1];
                 ++k) {
                const std::uint32_t other = location_of_[graph_.arcs[k].to] / size_;
                if (other > group && std::ranges::find(groups, other) != groups.end())
                    sum += static_cast<double>(graph_.weight(k));
            }
        }
    }
    return sum;
}

/// Makes new groups of the vertices of `groups`: halves their union again and again. The old groups have no influence.
void Regrouping::cut_anew(std::span<const std::uint32_t> groups) {
    constexpr CutEffort kEffort{1, 4};
    if (groups.size() < 2) return;
    const auto half = static_cast<std::uint32_t>(groups.size() / 2);
    const CutGraph cut = union_of(groups);
    seed_ = mixed(seed_);
    const std::vector<std::uint8_t> side = bisect(cut, {half * size_, half * size_}, kEffort, seed_, stop_);
    std::uint32_t next[] = {0, half * size_};
    for (std::uint32_t i = 0; i < cut.n; ++i) {
        const std::uint32_t place = next[side[i]]++, location = groups[place / size_] * size_ + place % size_;
        vertex_at_[location] = union_[i];
        location_of_[union_[i]] = location;
    }
    cut_anew(groups.first(half));
    cut_anew(groups.subspan(half));
}

/// Pairs each group in `groups` with every group beside it, and calls recut for each pair. Further sweeps do this for
/// the groups that the sweep before changed. Makes at most six sweeps. Returns the total gain.
double Regrouping::mend_around(std::vector<std::uint32_t> groups, const CutEffort* effort) {
    constexpr int kAtMost = 6;
    double gained = 0;
    for (int sweep = 0; sweep < kAtMost && !groups.empty(); ++sweep) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        for (const std::uint32_t group : groups) {
            for (const std::uint32_t other : beside(group)) pairs.emplace_back(std::minmax(group, other));
        }
        std::ranges::sort(pairs);
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        for (std::size_t k = pairs.size(); k > 1; --k) std::swap(pairs[k - 1], pairs[mixed(seed_ + k) % k]);
        groups.clear();
        for (const auto& [a, b] : pairs) {
            const double gain = recut(a, b, effort);
            if (!(gain > 0)) continue;
            gained += gain;
            groups.push_back(a);
            groups.push_back(b);
        }
        std::ranges::sort(groups);
        groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    }
    return gained;
}

}  // namespace

void regroup(const Graph& graph, const Target& target, std::uint64_t seed, RegroupEffort effort,
             std::vector<std::uint32_t>& location_of, const sdk::StopQuestion& stop) {
    Regrouping(graph, target, seed, stop, location_of).run(effort);
}

}  // namespace qapfw::sparse
