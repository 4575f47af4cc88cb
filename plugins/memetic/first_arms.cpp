// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/first_arms.hpp"

#include <algorithm>

namespace qapfw::memetic {
namespace {

/// A range of a feature, inclusive.
struct Range {
    const char* feature;
    double least, most;
};

struct Class {
    std::vector<Range> ranges;
    std::vector<std::string> arms;
};

/// The classes of instances. An instance belongs to the first class all of whose ranges contain the instance's values.
/// Features without a range do not matter. The class names the arms that start with more islands. The ranges were set
/// by hand and are wider than those of the measured instances. A class is listed only if its arms helped in the study
/// of docs/decisions/0044-first-arms.md.
const std::vector<Class>& classes() {
    static const std::vector<Class> all = {
        // The study calls this class "terminals".
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

void mark_first(const std::vector<std::string>& first, bool are_given, const std::vector<std::string>& usual,
                std::vector<Arm>& arms) {
    for (const std::string& name : first) {
        if (!are_given && std::ranges::find(arms, name, &Arm::name) == arms.end()) continue;
        Arm& arm = arm_named(name, "first_arms", arms);
        ++arm.ahead;
        arm.is_added = !usual.empty() && std::ranges::find(usual, name) == usual.end();
    }
}

std::vector<std::uint32_t> dealt_arms(const std::vector<Arm>& arms) {
    constexpr std::uint32_t kMore = 2;
    std::vector<std::uint32_t> dealt(arms.size());
    std::uint32_t most = 0;
    for (std::uint32_t arm = 0; arm < arms.size(); ++arm) {
        dealt[arm] = arm;
        most = std::max(most, kMore * arms[arm].ahead);
    }
    for (std::uint32_t k = 0; k < most; ++k) {
        for (std::uint32_t arm = 0; arm < arms.size(); ++arm) {
            if (k < kMore * arms[arm].ahead) dealt.push_back(arm);
        }
    }
    return dealt;
}

}  // namespace qapfw::memetic
