// SPDX-License-Identifier: Apache-2.0
#include "framework/conformance/fixture.hpp"

#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>

#include "framework/config/component_choice.hpp"
#include "framework/host/plugin_call.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "qapfw/sdk/encoding.hpp"

namespace qapfw::framework::conformance {
namespace {

/// The name of the smallest named instance of size 5 or more; empty if there is no such instance.
std::string smallest_instance(const qapfw_component& component, Host& host) {
    const void* table =
        component.get_capability == nullptr ? nullptr : component.get_capability(QAPFW_PROBLEM_INSTANCES);
    if (table == nullptr) return {};
    struct Found {
        std::string name;
        long n = 0;
    } found;
    const HostTable services(host, "problem", {});
    call_plugin("problem", "list", [&] {
        return static_cast<const qapfw_problem_instances*>(table)->list(
            services.table(),
            [](void* user, const char* name, const char*, const void* bytes, std::uint64_t size) {
                auto& best = *static_cast<Found*>(user);
                const long n = std::strtol(std::string(static_cast<const char*>(bytes), size).c_str(), nullptr, 10);
                if (n >= 5 && (best.n == 0 || n < best.n)) best = {name, n};
            },
            &found);
    });
    return found.name;
}

bool is_given(const std::vector<std::pair<std::string, std::string>>& given, const std::string& name) {
    for (const auto& [key, value] : given) {
        if (key == name) return true;
    }
    return false;
}

}  // namespace

Choice small_problem_choice(const SmallProblem& small) {
    return choose_component(small_problem_component(), {{"n", std::to_string(small.n)},
                                                        {"form", small.form},
                                                        {"fixed", small.fixed ? "true" : "false"},
                                                        {"microseconds", std::to_string(small.microseconds)}});
}

Choice complete_choice(const Component& problem, std::vector<std::pair<std::string, std::string>> given, Host& host) {
    const qapfw_component& component = *problem.descriptor;
    for (std::uint32_t k = 0; k < component.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(component, k);
        const bool required = (parameter.flags & QAPFW_PARAMETER_REQUIRED) != 0;
        if (!required || is_given(given, parameter.name)) continue;
        const std::string instance =
            std::string(parameter.name) == "instance" ? smallest_instance(component, host) : std::string();
        if (instance.empty()) {
            throw Skip(std::string("needs a value for the parameter ") + parameter.name + ": give --set " +
                       parameter.name + "=... (a parameter of --problem needs \"problem.\" before its name)");
        }
        given.emplace_back("instance", instance);
    }
    return choose_component(problem, given);
}

Choice subject_choice(const Subject& subject, Host& host) {
    return complete_choice(subject.component, subject.parameters, host);
}

SolutionBuffer random_solution(const qapfw_encoding& encoding, std::uint64_t seed, std::uint32_t index) {
    std::mt19937_64 random(seed * 1000003 + index);
    SolutionValues values;
    SolutionBuffer base(encoding.solution_bytes);
    sdk::base_solution(encoding, base.data());
    std::size_t first = 0;  // index of the segment's first element among all elements
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        const qapfw_segment& segment = encoding.segments[s];
        std::vector<std::uint32_t>& elements = values.emplace_back(segment.length);
        const bool shuffled = segment.kind == QAPFW_SEGMENT_PERMUTATION || segment.counts != nullptr;
        std::vector<std::uint32_t> free_positions;
        for (std::uint32_t k = 0; k < segment.length; ++k) {
            const bool fixed = encoding.fixed != nullptr && encoding.fixed[first + k] != 0;
            elements[k] = sdk::element_at(segment, base.data(), k);
            if (!fixed && shuffled) free_positions.push_back(k);
            if (!fixed && !shuffled) elements[k] = static_cast<std::uint32_t>(random() % sdk::bound_at(segment, k));
        }
        first += segment.length;
        for (std::size_t k = free_positions.size(); k > 1; --k) {
            std::swap(elements[free_positions[k - 1]], elements[free_positions[random() % k]]);
        }
    }
    SolutionBuffer solution(encoding.solution_bytes);
    store_values(encoding, values, solution.data());
    return solution;
}

Batch::Batch(const Problem& problem, std::uint32_t count, std::uint64_t seed)
    : solutions(problem.info().encoding.solution_bytes * count),
      costs(count),
      stride(problem.info().encoding.solution_bytes) {
    for (std::uint32_t k = 0; k < count; ++k) {
        const SolutionBuffer solution = random_solution(problem.info().encoding, seed, k);
        std::memcpy(at(k), solution.data(), stride);
        costs[k] = problem.evaluate(at(k));
    }
}

std::vector<SmallProblem> small_problems_for(const qapfw_component& component) {
    // A component that takes all encodings is tried with only a few encodings. These together have all kinds of
    // segments.
    struct Candidate {
        SmallProblem problem;
        bool stands_for_all;
    };
    const Candidate candidates[] = {{{11, "permutation", false}, true},
                                    {{11, "permutation", true}, true},
                                    {{7, "values", true}, false},
                                    {{7, "bits", false}, false},
                                    {{7, "counted_bits", true}, false},
                                    {{7, "counted_values", false}, false},
                                    {{7, "permutation32", true}, false},
                                    {{7, "permutation+values", true}, true},
                                    {{7, "permutation+bits", false}, false},
                                    {{7, "counted_bits+permutation32+values", false}, true},
                                    {{11, "permutation+bays", false}, true},
                                    {{11, "permutation+bays", true}, true}};
    std::vector<SmallProblem> problems;
    for (const Candidate& candidate : candidates) {
        const bool wanted = component.encodings != nullptr || candidate.stands_for_all;
        if (wanted && accepts_encoding(component.encodings, candidate.problem.form)) {
            problems.push_back(candidate.problem);
        }
    }
    if (problems.empty()) throw Skip("the suite has no problem with an encoding that this component supports");
    return problems;
}

}  // namespace qapfw::framework::conformance
