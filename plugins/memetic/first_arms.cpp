// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/first_arms.hpp"

#include <algorithm>

namespace qapfw::memetic {
namespace {

/// A feature that lies between two numbers, both included.
struct Range {
    const char* feature;
    double least, most;
};

struct Class {
    std::vector<Range> ranges;
    std::vector<std::string> arms;
};

/// The rule: the arms of the first class that fits. docs/decisions/0044-first-arms.md has the study. The ranges were
/// set by hand, wider than what the given instances span. A class in which no order of the arms was better than none
/// is not here.
const std::vector<Class>& classes() {
    static const std::vector<Class> all = {
        // Terminals.
        {{{"sparser density", 0.03, 0.1},
          {"sparser skew", 4, 8},
          {"sparser symmetric", 1, 1},
          {"denser symmetric", 1, 1},
          {"denser skew", 0, 0.3},
          {"denser values", 30, 120}},
         {"break", "2opt"}},
    };
    return all;
}

}  // namespace

std::vector<std::string> arms_by_features(const std::map<std::string, double>& features) {
    for (const Class& one : classes()) {
        const bool fits = std::ranges::all_of(one.ranges, [&](const Range& range) {
            const auto found = features.find(range.feature);
            return found != features.end() && found->second >= range.least && found->second <= range.most;
        });
        if (fits) return one.arms;
    }
    return {};
}

}  // namespace qapfw::memetic
