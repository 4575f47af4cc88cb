// SPDX-License-Identifier: Apache-2.0
// Quadratic semi-assignment: each item gets a value. The cost is a sum over the pairs of items with the same value.
#include "qapfw/sdk/one_segment_problem.hpp"
#include "qapfw/sdk/plugin.hpp"

using namespace qapfw;

struct SemiAssignment : sdk::AssignmentProblem<SemiAssignment> {
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("items", 12).range(2, 1000).summary("Number of items to generate."),
        sdk::integer("values", 4).range(2, 100).summary("Number of values to choose from.")};

    SemiAssignment(const sdk::Host&, const sdk::Parameters& parameters)
        : AssignmentProblem({.items = static_cast<std::uint64_t>(parameters.integer("items")),
                             .values = static_cast<std::uint32_t>(parameters.integer("values")),
                             .instance = "semi"}),
          values(static_cast<std::uint32_t>(parameters.integer("values"))) {}
    /// The cost of a pair is 0 for items whose numbers are equal modulo the number of values. So the optimum costs 0.
    std::int64_t pair(std::uint32_t i, std::uint32_t j) const {
        return i % values == j % values ? 0 : 1 + (i * j + i + j) % 13;
    }
    std::int64_t of_item(const std::uint16_t* value, std::uint32_t i, std::uint16_t held) const {
        std::int64_t sum = 0;
        for (std::uint32_t j = 0; j < n(); ++j) {
            if (j != i && value[j] == held) sum += pair(i, j);
        }
        return sum;
    }
    std::int64_t cost(const std::uint16_t* value) const {
        std::int64_t twice = 0;
        for (std::uint32_t i = 0; i < n(); ++i) twice += of_item(value, i, value[i]);
        return twice / 2;
    }
    std::int64_t delta_set(const std::uint16_t* value, std::uint32_t i, std::uint32_t to) const {
        return of_item(value, i, static_cast<std::uint16_t>(to)) - of_item(value, i, value[i]);
    }
    std::uint32_t values;
};

constexpr qapfw_component kSemiAssignment = sdk::problem_component<SemiAssignment>(
    {.id = "semi_assignment", .version = "1.0.0", .summary = "Quadratic semi-assignment."});
QAPFW_PLUGIN("org.example.semi_assignment", "1.0.0", "Apache-2.0", &kSemiAssignment)
