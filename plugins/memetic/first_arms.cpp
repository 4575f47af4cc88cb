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

/// The rule, learnt on the classes of configs/studies/default-classes.toml: the first class that fits. The ranges are
/// wider than what the given instances span, so that each one fits if it is left out.
const std::vector<Class>& classes() {
    constexpr double kAny = 1e300;
    static const std::vector<Class> all = {
        // Satisfiability: a few small flows, and locations that stand for literals.
        {{{"sparser density", 0, 0.1},
          {"sparser values", 2, 6},
          {"sparser symmetric", 0, 0},
          {"denser values", 16, 120},
          {"denser symmetric", 0, 0},
          {"denser skew", 0.75, 1.1}},
         {"walk"}},
        // Flow in trees.
        {{{"sparser density", 0, 0.06},
          {"sparser symmetric", 0, 0},
          {"sparser values", 7, 40},
          {"denser values", 2, 20},
          {"denser symmetric", 0, 0}},
         {"break"}},
        // Evolved flow that has become sparse.
        {{{"sparser density", 0, 0.06},
          {"sparser skew", 7, kAny},
          {"sparser symmetric", 0, 0},
          {"denser values", 200, kAny}},
         {"2opt"}},
        // Terminals.
        {{{"sparser density", 0.03, 0.1},
          {"sparser skew", 4, 8},
          {"sparser symmetric", 1, 1},
          {"denser symmetric", 1, 1},
          {"denser skew", 0, 0.3},
          {"denser values", 30, 120}},
         {"break"}},
        // Grids with an isolated optimum.
        {{{"sparser density", 0, 0.12},
          {"sparser symmetric", 1, 1},
          {"sparser rank", 0.9, 1},
          {"sparser values", 2, 20},
          {"denser values", 2, 20},
          {"denser symmetric", 1, 1},
          {"denser skew", 0.4, 0.6}},
         {"long", "kick"}},
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
