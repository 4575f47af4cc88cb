// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/starts/location_split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace qapfw::sparse {

LocationSplit::LocationSplit(const Target& target) : target_(target), order_(target.n()) {
    std::iota(order_.begin(), order_.end(), 0u);
    if (target.data().metric == Metric::kTable) key_.resize(target.n());
}

LocationSplit::Cut LocationSplit::halve(std::uint32_t begin, std::uint32_t end) {
    if (target_.is_tree()) return {halve_tree(begin, end), 0};
    if (target_.dimensions() == 0) return {halve_table(begin, end), 0};
    return halve_box(begin, end);
}

LocationSplit::Cut LocationSplit::halve_box(std::uint32_t begin, std::uint32_t end) {
    std::uint32_t best = 0;
    float extent = -1, low_of_best = 0;
    for (std::uint32_t d = 0; d < target_.dimensions(); ++d) {
        float low = target_.coordinate(order_[begin], d), high = low;
        for (std::uint32_t k = begin + 1; k < end; ++k) {
            const float x = target_.coordinate(order_[k], d);
            low = std::min(low, x);
            high = std::max(high, x);
        }
        if (high - low <= extent) continue;
        extent = high - low;
        best = d;
        low_of_best = low;
    }
    const auto first = order_.begin() + begin, last = order_.begin() + end;
    const Metric metric = target_.data().metric;
    if (metric != Metric::kManhattan && metric != Metric::kEuclid && extent > 0) {
        const float cut = low_of_best + std::floor((extent + 1) / 2);
        const auto middle = std::stable_partition(
            first, last, [&](std::uint32_t location) { return target_.coordinate(location, best) < cut; });
        return {static_cast<std::uint32_t>(middle - order_.begin()), best};
    }
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(first, order_.begin() + middle, last, [&](std::uint32_t a, std::uint32_t b) {
        const float x = target_.coordinate(a, best), y = target_.coordinate(b, best);
        return x != y ? x < y : a < b;
    });
    return {middle, best};
}

/// Halves a part of a tree's locations. The locations stay in their order, which keeps groups together.
std::uint32_t LocationSplit::halve_tree(std::uint32_t begin, std::uint32_t end) const {
    const auto& groups = target_.groups();
    std::size_t level = 0;  // level of the largest groups that do not hold the whole part
    while (level + 1 < groups.size() && (order_[begin] / groups[level + 1]) != (order_[end - 1] / groups[level + 1]))
        ++level;
    const std::uint32_t group =
        level == 0 && order_[begin] / groups[0] == order_[end - 1] / groups[0] ? 1 : groups[level];
    const std::uint32_t count = (order_[end - 1] - order_[begin]) / group + 1;
    return begin + std::max(1u, count / 2) * group;
}

std::uint32_t LocationSplit::halve_table(std::uint32_t begin, std::uint32_t end) {
    const auto farthest = [&](std::uint32_t from) {
        std::uint32_t far = order_[begin];
        for (std::uint32_t k = begin; k < end; ++k) {
            if (target_.distance(from, order_[k]) > target_.distance(from, far)) far = order_[k];
        }
        return far;
    };
    const std::uint32_t a = farthest(order_[begin]), b = farthest(a), middle = begin + (end - begin) / 2;
    for (std::uint32_t k = begin; k < end; ++k)
        key_[order_[k]] = target_.distance(a, order_[k]) - target_.distance(b, order_[k]);
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t x, std::uint32_t y) { return key_[x] != key_[y] ? key_[x] < key_[y] : x < y; });
    return middle;
}

LocationSplit::Centre LocationSplit::centre(std::uint32_t begin, std::uint32_t end) const {
    Centre centre;
    centre.location = order_[begin + (end - begin) / 2];
    const std::uint32_t dims = target_.dimensions();
    if (dims == 0) return centre;
    std::vector<double> sum(dims, 0.0);
    for (std::uint32_t k = begin; k < end; ++k) {
        for (std::uint32_t d = 0; d < dims; ++d) sum[d] += target_.coordinate(order_[k], d);
    }
    for (const double s : sum) centre.at.push_back(static_cast<float>(s / (end - begin)));
    return centre;
}

double LocationSplit::distance(const Centre& a, const Centre& b) const {
    if (a.at.empty()) return static_cast<double>(target_.distance(a.location, b.location));
    double sum = 0;
    const bool euclid = target_.data().metric == Metric::kEuclid;
    for (std::uint32_t d = 0; d < a.at.size(); ++d) {
        double apart = std::abs(static_cast<double>(a.at[d]) - static_cast<double>(b.at[d]));
        const double ring = target_.ring(d);
        if (ring > 0) apart = std::min(apart, ring - apart);
        sum += euclid ? apart * apart : apart;
    }
    return euclid ? std::sqrt(sum) : sum;
}

}  // namespace qapfw::sparse
