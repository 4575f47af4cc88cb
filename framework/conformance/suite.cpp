// SPDX-License-Identifier: Apache-2.0
#include "framework/conformance/suite.hpp"

#include <algorithm>

#include "framework/conformance/cases.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::conformance {

const char* name_of(Verdict verdict) {
    static constexpr const char* kNames[]{"pass", "FAIL", "skip", "CRASH", "HANG"};
    return kNames[static_cast<std::size_t>(verdict)];
}

void require(bool good, const std::string& finding) {
    if (!good) throw Error(ErrorKind::kPlugin, finding);
}

bool looks_at_descriptor(const Case& test) {
    const auto cases = component_cases();
    return std::any_of(cases.begin(), cases.end(), [&](const Case& other) { return other.run == test.run; });
}

std::vector<Case> cases_for(std::uint32_t kind) {
    std::vector<Case> cases;
    const auto add = [&cases](std::span<const Case> more) { cases.insert(cases.end(), more.begin(), more.end()); };
    add(component_cases());
    if (kind == QAPFW_KIND_PROBLEM) {
        add(problem_cases());
        add(neighbourhood_cases());
        add(child_cost_cases());
        add(bounds_cases());
        add(device_cases());
    } else {
        add(kind == QAPFW_KIND_SOLVER ? solver_cases() : improver_cases());
    }
    add(silent_cases(kind));
    return cases;
}

}  // namespace qapfw::framework::conformance
