// SPDX-License-Identifier: Apache-2.0
// Names near a mistyped one, for "did you mean".
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qapfw::common {

/// The optimal string alignment distance: the least number of edits that turn `a` into `b`. An edit inserts, deletes or
/// replaces a letter, or swaps two neighbouring letters. O(|a| |b|).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
            const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

/// Returns at most three of the candidates that are near to `name`, the nearest first. A candidate is near if its
/// edit_distance is at most a third of the length of `name` (rounded, at least 1). If `name` has at least three bytes,
/// a candidate that begins with `name` is near too ("iter" for "iterations"). If `name` has more than 200 bytes, no
/// candidate is near. No candidate of more than 200 bytes is near.
template <class Names = std::vector<std::string>>
std::vector<std::string> nearest_names(std::string_view name, const Names& candidates) {
    constexpr std::size_t kLongestName = 200;
    if (name.size() > kLongestName) return {};
    const std::size_t limit = std::max<std::size_t>(1, (name.size() + 1) / 3);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string_view candidate : candidates) {
        if (candidate.size() > kLongestName) continue;
        const std::size_t distance = edit_distance(name, candidate);
        const bool begins = name.size() >= 3 && candidate.starts_with(name);
        if (distance <= limit || begins) near.emplace_back(distance, candidate);
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::vector<std::string> names;
    for (std::size_t k = 0; k < near.size() && k < 3; ++k) names.push_back(near[k].second);
    return names;
}

}  // namespace qapfw::common
