// SPDX-License-Identifier: Apache-2.0
// The objects that conformance cases use: those of the component under test, random solutions, and for solvers and
// improvers also a small problem and a simple improver of the suite.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/conformance/cases.hpp"
#include "framework/engine/algorithm.hpp"
#include "framework/problem/problem.hpp"

namespace qapfw::framework::conformance {

/// Parameters of the suite's own problem. A permutation has the cost of a quadratic assignment problem; other segments
/// add weights of their elements.
struct SmallProblem {
    std::uint32_t n = 11;
    std::string form = "permutation";  ///< an encoding's name, as in qapfw_component.encodings
    bool fixed = false;                ///< every third element is fixed
    std::uint32_t microseconds = 0;    ///< delay added to each evaluation
};
const Component& small_problem_component();
/// An improver: first-improvement descent over swaps, with full evaluation.
const Component& small_improver_component();
Choice small_problem_choice(const SmallProblem& small);

/// The problem with the user's parameters. If `instance` is required and not given, takes the smallest named instance
/// of size 5 or more. Throws Skip if there is no such instance, or if another required parameter is missing.
Choice complete_choice(const Component& problem, std::vector<std::pair<std::string, std::string>> given, Host& host);
/// Returns the problem under test, with the parameters that complete_choice() gives it.
Choice subject_choice(const Subject& subject, Host& host);

/// A valid solution drawn from (seed, index); fixed positions hold their elements.
SolutionBuffer random_solution(const qapfw_encoding& encoding, std::uint64_t seed, std::uint32_t index);

/// The problem under test and the objects that it needs.
struct Opened {
    explicit Opened(const Subject& subject)
        : host(3, subject.data_paths), choice(subject_choice(subject, host)), problem(host, choice, false) {}
    Host host;
    Choice choice;
    Problem problem;
};

/// Solutions, one after the other in memory, with their costs.
struct Batch {
    Batch(const Problem& problem, std::uint32_t count, std::uint64_t seed);
    qapfw_batch view() { return {solutions.data(), costs.data(), costs.size()}; }
    void* at(std::size_t index) { return static_cast<std::byte*>(solutions.data()) + stride * index; }
    SolutionBuffer solutions;
    std::vector<qapfw_cost> costs;
    std::uint64_t stride;
};

/// Returns variants of the small problem with encodings that the component supports. The component is a solver or an
/// improver. Throws Skip if there is no such variant.
std::vector<SmallProblem> small_problems_for(const qapfw_component& component);

}  // namespace qapfw::framework::conformance
