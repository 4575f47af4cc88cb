// SPDX-License-Identifier: Apache-2.0
// Levenshtein distance by rows (Wagner and Fischer, J. ACM 21, 1974).
#include "problems/qap/instances/nearest_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace qapfw::qap {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names,
                                       std::size_t count) {
    constexpr std::size_t kLongestName = 64;  // bounds the work; a longer name is not a misspelt one
    std::vector<std::pair<std::size_t, std::size_t>> order;
    for (std::size_t k = 0; k < names.size() && wanted.size() <= kLongestName; ++k) {
        const std::size_t distance = edit_distance(wanted, names[k]);
        if (2 * distance <= names[k].size()) order.emplace_back(distance, k);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::string> out;
    for (std::size_t k = 0; k < std::min(count, order.size()); ++k) out.push_back(names[order[k].second]);
    return out;
}

}  // namespace qapfw::qap
