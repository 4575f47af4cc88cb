// SPDX-License-Identifier: Apache-2.0
// Levenshtein distance, O(|a| |b|), on names cut to 64 letters.
#include "problems/uaflp/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace qapfw::uaflp {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& names) {
    constexpr size_t kLetters = 64;
    std::string_view best;
    size_t least = name.size();
    for (const std::string_view other : names) {
        const size_t distance = edit_distance(name.substr(0, kLetters), other.substr(0, kLetters));
        if (distance < least && distance <= std::max<size_t>(1, (other.size() + 2) / 3)) {
            least = distance;
            best = other;
        }
    }
    return best.empty() ? std::string() : fmt::format(", did you mean \"{}\"?", best);
}

}  // namespace qapfw::uaflp
