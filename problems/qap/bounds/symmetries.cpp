// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/bounds/symmetries.hpp"

#include <algorithm>
#include <numeric>

namespace qapfw::qap {
namespace {

/// Limits of the search. Symmetries found before a limit are still valid.
constexpr std::size_t kMostMaps = 1000;
constexpr std::size_t kMostSteps = 200'000;

/// The data that a symmetry must keep: a matrix with an entry for each pair of indices, and each index's linear costs.
/// The indices stand for locations if `of_locations` is true, else for facilities.
struct Structure {
    const BoundTerms& terms;
    const std::vector<int64_t>& matrix;
    bool of_locations;

    int64_t at(std::size_t x, std::size_t y) const { return matrix[x * terms.m + y]; }
    /// True if the indices x and y have the same linear costs.
    bool same_own(std::size_t x, std::size_t y) const {
        const std::size_t m = terms.m;
        for (std::size_t k = 0; k < m; ++k) {
            const bool same = of_locations ? terms.linear[k * m + x] == terms.linear[k * m + y]
                                           : terms.linear[x * m + k] == terms.linear[y * m + k];
            if (!same) return false;
        }
        return true;
    }
    std::vector<int64_t> sorted_row(std::size_t x) const {
        const auto row = matrix.begin() + static_cast<std::ptrdiff_t>(x * terms.m);
        std::vector<int64_t> sorted(row, row + static_cast<std::ptrdiff_t>(terms.m));
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    }
    /// True if swapping x and y alone changes no cost.
    bool interchangeable(std::size_t x, std::size_t y) const {
        if (at(x, y) != at(y, x) || !same_own(x, y)) return false;
        for (std::size_t k = 0; k < terms.m; ++k) {
            if (k != x && k != y && (at(x, k) != at(y, k) || at(k, x) != at(k, y))) return false;
        }
        return true;
    }
};

class Search {
  public:
    Search(const Structure& structure, std::vector<std::vector<uint16_t>>& found)
        : structure_(structure), m_(structure.terms.m), found_(found), map_(m_), used_(m_, 0) {
        std::vector<std::vector<int64_t>> rows;
        for (std::size_t x = 0; x < m_; ++x) rows.push_back(structure.sorted_row(x));
        candidates_.resize(m_);
        for (std::size_t x = 0; x < m_; ++x) {
            for (uint16_t y = 0; y < m_; ++y) {
                if (rows[x] == rows[y] && structure.same_own(x, y)) candidates_[x].push_back(y);
            }
        }
    }
    void extend(std::size_t x) {
        if (x == m_) {
            if (!std::is_sorted(map_.begin(), map_.end())) found_.push_back(map_);
            return;
        }
        for (const uint16_t y : candidates_[x]) {
            if (++steps_ > kMostSteps || found_.size() >= kMostMaps) return;
            if (used_[y] != 0 || !fits(x, y)) continue;
            map_[x] = y;
            used_[y] = 1;
            extend(x + 1);
            used_[y] = 0;
        }
    }

  private:
    bool fits(std::size_t x, std::size_t y) const {
        for (std::size_t k = 0; k < x; ++k) {
            if (structure_.at(x, k) != structure_.at(y, map_[k]) || structure_.at(k, x) != structure_.at(map_[k], y)) {
                return false;
            }
        }
        return true;
    }

    const Structure& structure_;
    const std::size_t m_;
    std::vector<std::vector<uint16_t>>& found_;
    std::vector<uint16_t> map_;
    std::vector<uint8_t> used_;
    std::vector<std::vector<uint16_t>> candidates_;
    std::size_t steps_ = 0;
};

/// The numbers that the instance's owner wrote. Facilities from index `owner.facilities` on are dummies without costs.
struct Owned {
    const OwnerNumbers& owner;
    bool of_locations;

    double at(std::size_t x, std::size_t y) const {
        if (of_locations) return owner.b[x * owner.locations + y];
        const std::size_t n = owner.facilities;
        return x < n && y < n ? owner.a[x * n + y] : 0;
    }
    double own(std::size_t facility, std::size_t location) const {
        if (facility >= owner.facilities || owner.linear.empty()) return 0;
        return owner.linear[facility * owner.locations + location];
    }
    double own_at(std::size_t x, std::size_t other) const { return of_locations ? own(other, x) : own(x, other); }
    /// True if replacing each index x by map[x] changes no cost.
    bool keeps(const std::vector<uint16_t>& map) const {
        for (std::size_t x = 0; x < map.size(); ++x) {
            for (std::size_t y = 0; y < map.size(); ++y) {
                if (at(x, y) != at(map[x], map[y]) || own_at(x, y) != own_at(map[x], y)) return false;
            }
        }
        return true;
    }
};

}  // namespace

void Symmetries::keep_those_of(const OwnerNumbers& owner, const std::vector<uint16_t>& numbers, bool of_locations) {
    const Owned owned{owner, of_locations};
    std::erase_if(maps_, [&](const std::vector<uint16_t>& map) {
        std::vector<uint16_t> of_all(owner.locations);
        std::iota(of_all.begin(), of_all.end(), uint16_t{0});
        for (std::size_t x = 0; x < map.size(); ++x) of_all[numbers[x]] = numbers[map[x]];
        return !owned.keeps(of_all);
    });
}

Symmetries::Symmetries(const BoundTerms& terms, bool of_locations) : m_(terms.m) {
    const Structure structure{terms, of_locations ? terms.b : terms.a, of_locations};
    // If indices are interchangeable, only their swaps are kept, and no search runs. A search would find only a few of
    // their many permutations.
    bool has_exchanges = false;
    for (uint16_t x = 0; x < m_; ++x) {
        for (uint16_t y = static_cast<uint16_t>(x + 1); y < m_; ++y) {
            if (!structure.interchangeable(x, y)) continue;
            std::vector<uint16_t> map(m_);
            std::iota(map.begin(), map.end(), uint16_t{0});
            std::swap(map[x], map[y]);
            maps_.push_back(std::move(map));
            has_exchanges = true;
        }
    }
    if (!has_exchanges) Search(structure, maps_).extend(0);
}

void Symmetries::classes(const std::vector<uint16_t>& used, std::vector<uint16_t>& out) const {
    out.resize(m_);
    std::iota(out.begin(), out.end(), uint16_t{0});
    const auto least = [&](uint16_t x) {
        while (out[x] != x) x = out[x] = out[out[x]];
        return x;
    };
    for (const std::vector<uint16_t>& map : maps_) {
        if (!std::all_of(used.begin(), used.end(), [&](uint16_t x) { return map[x] == x; })) continue;
        for (uint16_t x = 0; x < m_; ++x) {
            const uint16_t one = least(x), other = least(map[x]);
            out[std::max(one, other)] = std::min(one, other);
        }
    }
    for (uint16_t x = 0; x < m_; ++x) out[x] = least(x);
}

}  // namespace qapfw::qap
