// SPDX-License-Identifier: Apache-2.0
// The code that docs/guides/operators.md shows.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "qapfw/kernels/operators/crossover.hpp"
#include "qapfw/kernels/operators/mutation.hpp"
#include "qapfw/sdk/parameter_table.hpp"
#include "tests/unit/kernels/fbs_individual.hpp"

using namespace qapfw;
using namespace qapfw::kernels::test;

namespace {

// [parameter]
constexpr sdk::ParameterTable kParameters{
    sdk::choice("crossover", kernels::name_of(kernels::Crossover::kMox), kernels::kCrossoverChoices.text)
        .summary("How two parents make a child.")};
// [parameter-end]

constexpr std::uint32_t kCrossoverStream = 200, kMutationStream = 201;

// [cross]
void make_child(kernels::Crossover kind, std::uint16_t* child, const std::uint16_t* mother, const std::uint16_t* father,
                std::uint16_t* scratch, std::uint32_t n, std::uint64_t seed, std::uint64_t generation,
                std::uint32_t individual) {
    using kernels::solution_view;
    kernels::cross(kind, solution_view(child), solution_view(mother), solution_view(father), scratch, {n, n},
                   kernels::draw_crossover(seed, generation, individual, kCrossoverStream));
    const kernels::Philox4 words = kernels::draw4(seed, generation, individual, kMutationStream, 0);
    kernels::mutate(kernels::Mutation::kExchange, solution_view(child), n, words.word[0], words.word[1]);
}
// [cross-end]

struct ParentsAndChild {
    std::uint16_t *child, *mother, *father;
    std::uint8_t *child_bits, *mother_bits, *father_bits;
};

// [encodings]
/// Changes only the `count` positions in `positions`. The child must already hold the fixed elements.
void cross_movable(kernels::Crossover kind, const ParentsAndChild& p, const std::uint16_t* positions,
                   std::uint32_t count, std::uint16_t* scratch, std::uint32_t n, const kernels::CrossoverDraws& draws) {
    using kernels::movable_view;
    kernels::cross(kind, movable_view(p.child, positions), movable_view(p.mother, positions),
                   movable_view(p.father, positions), scratch, {count, n}, draws);
}

/// Crosses permutations with bay bits. Then puts the child's fixed elements back at their positions.
void cross_layouts(kernels::Crossover kind, const ParentsAndChild& p, const kernels::FixedElements& fixed,
                   std::uint16_t* scratch, std::uint32_t n, const kernels::CrossoverDraws& draws) {
    const auto child = kernels::solution_view(p.child, p.child_bits);
    kernels::cross(kind, child, kernels::solution_view(p.mother, p.mother_bits),
                   kernels::solution_view(p.father, p.father_bits), scratch, {n, n, kernels::kFbsBitsByDepartment},
                   draws);
    kernels::restore_fixed(fixed, child, scratch, n);
}
// [encodings-end]

}  // namespace

TEST_CASE("the guide's parameter offers every crossover by name") {
    CHECK(std::string(kParameters[0].choices) == "pmx|ox|mox|uniform|cycle|path_relinking");
    CHECK(std::string(kParameters[0].default_text) == "mox");
}

TEST_CASE("the guide's calls make valid children, in which fixed elements stand in their places") {
    const std::vector<std::uint16_t> positions = {0, 1, 4, 5, 6, 8}, fixed_positions = {2, 3, 7};
    for (std::uint32_t kind = 0; kind < kernels::kCrossoverCount; ++kind) {
        const auto crossover = static_cast<kernels::Crossover>(kind);
        Individual mother = random_individual(9, 1), father = mother, child = mother;
        std::swap(father.perm[0], father.perm[5]);
        std::swap(father.perm[4], father.perm[5]);
        std::swap(father.perm[1], father.perm[8]);
        const std::vector<std::uint16_t> fixed = mother.perm;
        std::vector<std::uint16_t> scratch(9);
        const ParentsAndChild pair{child.perm.data(), mother.perm.data(), father.perm.data(),
                                   child.bits.data(), mother.bits.data(), father.bits.data()};
        const kernels::CrossoverDraws draws = kernels::draw_crossover(1, 2, 3, kCrossoverStream);
        const auto fixed_stand = [&] {
            for (const std::uint16_t p : fixed_positions) CHECK(child.perm[p] == fixed[p]);
        };
        make_child(crossover, pair.child, pair.mother, pair.father, scratch.data(), 9, 1, 2, 3);
        CHECK(child.valid());
        child = mother;
        cross_movable(crossover, pair, positions.data(), 6, scratch.data(), 9, draws);
        CHECK(child.valid());
        fixed_stand();
        father = random_individual(9, 2);
        cross_layouts(
            crossover,
            {pair.child, pair.mother, father.perm.data(), pair.child_bits, pair.mother_bits, father.bits.data()},
            {3, fixed_positions.data(), fixed.data()}, scratch.data(), 9, draws);
        CHECK(child.valid());
        fixed_stand();
    }
}
