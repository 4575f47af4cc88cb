// SPDX-License-Identifier: Apache-2.0
// Single-row facility layout: puts departments into a row. The sum of flow times distance of centres must be least.
#include <cstdlib>

#include "qapfw/sdk/permutation_problem.hpp"
#include "qapfw/sdk/plugin.hpp"

using namespace qapfw;
struct Srflp : sdk::PermutationProblem<Srflp> {
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("size", 9).range(2, 200).summary("Number of departments to generate.")};

    Srflp(const sdk::Host&, const sdk::Parameters& parameters)
        : PermutationProblem({.n = static_cast<std::uint64_t>(parameters.integer("size")), .instance = "row"}) {
        for (std::uint32_t k = 0; k < n(); ++k) lengths.push_back(1 + k * 7 % 11);
        for (std::uint32_t k = 0; k < n() * n(); ++k) flows.push_back((k / n() + k % n()) * 5 % 9);
    }
    /// The centres of the departments by position, doubled so that halves of lengths are whole numbers.
    std::vector<std::int64_t> centres(const std::uint16_t* order) const {
        std::vector<std::int64_t> doubled(n());
        std::int64_t end = 0;
        for (std::uint32_t k = 0; k < n(); end += lengths[order[k++]]) doubled[k] = 2 * end + lengths[order[k]];
        return doubled;
    }
    std::int64_t cost(const std::uint16_t* order) const { return part(order, 0, n()); }
    /// The cost of the pairs that have a department at positions first .. last - 1.
    std::int64_t part(const std::uint16_t* order, std::uint32_t first, std::uint32_t last) const {
        const std::vector<std::int64_t> at = centres(order);
        std::int64_t sum = 0;
        for (std::uint32_t i = first; i < last; ++i) {
            for (std::uint32_t j = 0; j < n(); ++j) {
                if (j >= first && j <= i) continue;
                sum += flows[std::size_t{order[i]} * n() + order[j]] * std::abs(at[i] - at[j]);
            }
        }
        return sum;
    }
    /// A swap moves only the departments at its two positions and between them.
    struct Moves {
        explicit Moves(const Srflp& of) : problem(of), order(of.n()) {}
        qapfw_cost reset(const void* solution) {
            order.assign(sdk::permutation_of(solution), sdk::permutation_of(solution) + problem.n());
            return {.i = problem.cost(order.data())};
        }
        qapfw_cost delta(const qapfw_move& move) {
            const std::int64_t before = problem.part(order.data(), move.i, move.to + 1);
            std::vector<std::uint16_t> changed = order;
            std::swap(changed[move.i], changed[move.to]);
            return {.i = problem.part(changed.data(), move.i, move.to + 1) - before};
        }
        void apply(const qapfw_move& move) { std::swap(order[move.i], order[move.to]); }
        const Srflp& problem;
        std::vector<std::uint16_t> order;
    };
    std::vector<std::int64_t> lengths, flows;
};

constexpr qapfw_component kSrflp =
    sdk::problem_component<Srflp>({.id = "srflp", .version = "1.0.0", .summary = "Single-row facility layout."});
QAPFW_PLUGIN("org.example.srflp", "1.0.0", "Apache-2.0", &kSrflp)
