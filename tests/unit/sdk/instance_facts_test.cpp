// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/instance_facts.hpp"

#include <doctest/doctest.h>

#include <string>

#include "qapfw/sdk/one_segment_problem.hpp"
#include "qapfw/sdk/permutation_problem.hpp"

using namespace qapfw;

namespace {

class FactsOfOrder : public sdk::PermutationProblem<FactsOfOrder> {
  public:
    explicit FactsOfOrder(const sdk::InstanceFacts& facts)
        : PermutationProblem({.n = 4, .instance = "order", .facts = facts}) {}
    std::int64_t cost(const std::uint16_t* order) const { return order[0]; }
};
class FactsOfBits : public sdk::BinaryProblem<FactsOfBits> {
  public:
    explicit FactsOfBits(const sdk::InstanceFacts& facts)
        : BinaryProblem({.n = 4, .instance = "bits", .ones = 2, .facts = facts}) {}
    double cost(const std::uint8_t* bits) const { return bits[0]; }
};
class FactsOfValues : public sdk::AssignmentProblem<FactsOfValues> {
  public:
    explicit FactsOfValues(const sdk::InstanceFacts& facts)
        : AssignmentProblem({.items = 3, .values = 5, .instance = "values", .facts = facts}) {}
    std::int64_t cost(const std::uint16_t* values) const { return values[0]; }
};

std::string values_of(const qapfw_problem_info& info) {
    std::string text;
    for (std::uint32_t k = 0; k < info.n; ++k)
        text += std::to_string(sdk::element_at(info.encoding.segments[0], info.encoding.fixed_solution, k)) +
                (info.encoding.fixed[k] != 0 ? "! " : " ");
    return text;
}
template <class Problem>
std::string refused(const sdk::InstanceFacts& facts) {
    try {
        const Problem problem(facts);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("bounds, best known costs and a divisor reach the problem's info") {
    const FactsOfOrder order({.display_divisor = 100,
                              .best_known = 7,
                              .best_known_source = "a table",
                              .best_known_is_optimal = true,
                              .lower_bound = -3});
    const qapfw_problem_info& info = order.info();
    CHECK(info.display_divisor == 100);
    CHECK((info.has_best_known == 1 && info.best_known.i == 7 && info.best_known_is_optimal == 1));
    CHECK(std::string(info.best_known_source) == "a table");
    CHECK((info.has_lower_bound == 1 && info.lower_bound.i == -3));
    CHECK(info.encoding.fixed == nullptr);
    CHECK(FactsOfBits({.best_known = 1.5}).info().best_known.f == 1.5);
    CHECK(FactsOfBits({.lower_bound = 2}).info().lower_bound.f == 2.0);
    CHECK((FactsOfOrder({}).info().has_best_known == 0 && FactsOfOrder({}).info().display_divisor == 1));
    CHECK(refused<FactsOfOrder>({.lower_bound = 1.5}).find("an integer was wanted") != std::string::npos);
}

TEST_CASE("fixed elements stand in a solution that is valid") {
    CHECK(values_of(FactsOfOrder({.fixed = {-1, 0, -1, 3}}).info()) == "1 0! 2 3! ");
    CHECK(values_of(FactsOfBits({.fixed = {1, -1, -1, -1}}).info()) == "1! 0 0 1 ");
    CHECK(values_of(FactsOfValues({.fixed = {-1, 4, -1}}).info()) == "0 4! 0 ");
    CHECK(refused<FactsOfOrder>({.fixed = {-1, 0, -1}}) == "fixed: wanted 4 entries, found 3");
    CHECK(refused<FactsOfOrder>({.fixed = {0, 0, -1, -1}}) == "fixed: 0 at element 1 comes too often");
    CHECK(refused<FactsOfOrder>({.fixed = {-2, -1, -1, -1}}) ==
          "fixed: -2 at element 0 is no value that this element can have");
    CHECK(refused<FactsOfValues>({.fixed = {-1, 5, -1}}) ==
          "fixed: 5 at element 1 is no value that this element can have");
    CHECK(refused<FactsOfBits>({.fixed = {1, 1, 1, -1}}) == "fixed: 1 at element 2 comes too often");
}
