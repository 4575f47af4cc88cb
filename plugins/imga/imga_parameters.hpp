// SPDX-License-Identifier: Apache-2.0
// Parameters of the island model GA, with the symbols and values of Sun et al. 2019 (see imga.hpp), Tables 3 and 4.
#pragma once

#include "qapfw/kernels/operators/crossover.hpp"
#include "qapfw/sdk/parameters.hpp"

namespace qapfw::imga {

/// Declares the weight of a kind of moves: how often a mutation draws this kind, relative to the others.
constexpr sdk::ParameterDeclaration weight(const char* name, std::int64_t value) {
    return sdk::integer(name, value).range(0, 1'000'000);
}

inline constexpr sdk::ParameterTable kParameters{
    sdk::integer("islands", 16)
        .range(1, 1'000'000)
        .symbol("N, ns")
        .summary(
            "Number of islands, which are populations that evolve side by side and exchange their best individuals."),
    sdk::integer("size", 256)
        .range(1, 65'536)
        .unit("individuals")
        .symbol("n, nc")
        .summary("Number of individuals (solutions) on an island. A larger number keeps more variety, but a generation "
                 "takes longer."),
    sdk::choice("topology", "ring", "ring|bidirectional_ring|torus|complete|random")
        .summary("Islands from which an island takes in individuals. ring: the island before. bidirectional_ring: both "
                 "neighbours. torus: four neighbours on a grid. complete: all other islands. random: an island drawn "
                 "for each migration."),
    sdk::integer("migrate_every", 15)
        .range(0, 1e9)
        .unit("generations")
        .symbol("g")
        .summary("Generations between two migrations. In a migration islands take in individuals of other islands. 0: "
                 "never."),
    sdk::integer("migrants", 5)
        .range(1, 65'536)
        .unit("individuals")
        .symbol("m")
        .summary("Number of individuals that an island takes in at a migration. The best individuals of other islands "
                 "replace its worst ones."),
    sdk::integer("tournament_rounds", 2)
        .range(1, 16)
        .summary("Number of rivals that are drawn in a tournament; the best one becomes a parent. The larger this "
                 "number, the better the parents."),
    sdk::choice("tournament_seeding", "counter", "counter|clock_once|clock_per_round|per_thread")
        .summary("Where the random numbers of tournaments come from. counter: each is drawn independently. clock_once, "
                 "clock_per_round, per_thread: the three methods that the paper compares, with the run's seed in place "
                 "of the clock."),
    sdk::choice("tournament_generator", "philox", "philox|xorwow")
        .summary("Generator of the tournaments' random numbers, unless tournament_seeding = \"counter\". philox: fast, "
                 "since it has no state. xorwow: cuRAND's generator, as in the paper; slower, since each thread sets "
                 "up a state for each tournament, or for each rival if tournament_seeding = \"clock_per_round\"."),
    sdk::choice("crossover", kernels::name_of(kernels::Crossover::kPmx), kernels::kCrossoverChoices.text)
        .summary("How two parents make a child. pmx: partially mapped crossover. ox: order crossover. mox: modified "
                 "order crossover. uniform, cycle: the crossovers of these names. path_relinking: the child lies on a "
                 "path of swaps from one parent to the other."),
    sdk::real("crossover_rate", 0.7)
        .range(0, 1)
        .symbol("p_c")
        .summary("Probability that two parents are crossed. Otherwise their children are copies of them, "
                 "before mutation."),
    sdk::choice("bits", "position", "position|department")
        .summary("How a child gets its bays (strips of departments) from two parents. position: borders of bays come "
                 "from one parent in the exchanged range of positions, and from the other parent outside this range. "
                 "department: each department brings the border that follows it in its parent."),
    sdk::flag("align", false)
        .summary("Whether one parent is mirrored before a crossover if its mirror image is more like the other parent. "
                 "Mirroring does not change the cost of a layout."),
    sdk::real("mutation_rate", 0.01)
        .range(0, 1)
        .symbol("p_m")
        .summary(
            "Probability of a mutation, for each child or for each position of a child; `mutation_per` says which."),
    sdk::choice("mutation_per", "child", "child|position")
        .summary(
            "What mutates with the probability `mutation_rate`. child: a child. position: each position of a child."),
    sdk::integer("mutation_moves", 1)
        .range(1, 1000)
        .summary("Greatest number of moves that a mutation makes, with mutation_per = \"child\". The number of moves "
                 "is drawn at random from 1 to this value."),
    weight("swap", 35)
        .summary("How often a mutation swaps two elements. The value is a weight: each kind of move is drawn in "
                 "proportion to its weight."),
    weight("insert", 25)
        .summary("How often a mutation moves an element to another position. The value is a weight: each kind of move "
                 "is drawn in proportion to its weight."),
    weight("flip_bit", 12)
        .summary("How often a mutation splits a bay (strip of departments) or joins two. The value is a weight: each "
                 "kind of move is drawn in proportion to its weight."),
    weight("shift_border", 13)
        .summary("How often a mutation shifts the border between two bays by one department. The value is a weight: "
                 "each kind of move is drawn in proportion to its weight."),
    weight("reverse_segment", 8)
        .summary("How often a mutation reverses a stretch of the sequence. The value is a weight: each kind of move is "
                 "drawn in proportion to its weight."),
    weight("swap_bays", 7)
        .summary("How often a mutation swaps two bays (strips of departments). The value is a weight: each kind of "
                 "move is drawn in proportion to its weight."),
    weight("reverse_bay", 0)
        .summary("How often a mutation reverses the departments of a bay. The value is a weight: each kind of move is "
                 "drawn in proportion to its weight."),
    sdk::integer("bays").or_auto().range(1, 65'535).summary(
        "Mean number of bays (strips of departments) in a random layout. auto: the square root of the number of "
        "departments."),
    sdk::choice("replacement", "generational", "generational|distinct")
        .summary("How the next generation is chosen. generational: all children, but the `elites` best parents replace "
                 "the worst of them. distinct: the best of parents and children, no two with the same cost."),
    sdk::integer("elites", 1)
        .range(0, 65'536)
        .unit("individuals")
        .summary(
            "Number of best parents that live on in place of the worst children, with replacement = \"generational\"."),
    sdk::integer("restart_after", 0)
        .range(0, 1e9)
        .unit("generations")
        .summary("All islands restart with random individuals after this many generations without a better solution on "
                 "any island. 0: never. If migrate_every is above 0, islands restart only at migrations."),
    sdk::real("improve_rate", 1)
        .range(0, 1)
        .summary("Probability that the improver (local search) is applied to a child that differs from both parents. "
                 "Without an improver it has no effect."),
    sdk::integer("improve_every", 1)
        .range(1, 1e9)
        .unit("generations")
        .summary("Generations between two uses of the improver (local search). 1: it is used in every generation."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e9)
        .unit("generations")
        .summary(
            "Generations between two checks of the limits; a checkpoint can be written only at a check. The number "
            "does not change the search. auto: chosen by the sizes of problem and population; 1 with an improver.")};

}  // namespace qapfw::imga
