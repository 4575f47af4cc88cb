// SPDX-License-Identifier: Apache-2.0
// Parameters of the island model GA, with the symbols and values of the 2019 paper (Tables 3 and 4).
#pragma once

#include "qapfw/kernels/operators/crossover.hpp"
#include "qapfw/sdk/parameters.hpp"

namespace qapfw::imga {

/// Weight of a move in the draws of a mutation, relative to the other moves.
constexpr sdk::ParameterDeclaration weight(const char* name, std::int64_t value) {
    return sdk::integer(name, value).range(0, 1'000'000);
}

inline constexpr sdk::ParameterTable kParameters{
    sdk::integer("islands", 16)
        .range(1, 1'000'000)
        .symbol("N, ns")
        .summary("Populations that evolve side by side and exchange migrants."),
    sdk::integer("size", 256)
        .range(1, 65'536)
        .unit("individuals")
        .symbol("n, nc")
        .summary("Individuals of one island."),
    sdk::choice("topology", "ring", "ring|bidirectional_ring|torus|complete|random")
        .summary("Where an island's migrants come from: from the island before it, both neighbours, four on a grid, "
                 "all others, or one that is drawn at random each time."),
    sdk::integer("migrate_every", 15)
        .range(0, 1e9)
        .unit("generations")
        .symbol("g")
        .summary("Generations between two migrations; 0: never."),
    sdk::integer("migrants", 5)
        .range(1, 65'536)
        .unit("individuals")
        .symbol("m")
        .summary("Best individuals that replace the worst ones of another island in a migration."),
    sdk::integer("tournament_rounds", 2).range(1, 16).summary("Rivals drawn in each tournament for a survivor."),
    sdk::choice("tournament_seeding", "counter", "counter|clock_once|clock_per_round|per_thread")
        .summary("Where the tournaments' random numbers come from. counter: independent draws. The others are the "
                 "three methods that the paper compares, with the run's seed in place of the clock."),
    sdk::choice("tournament_generator", "philox", "philox|xorwow")
        .summary("With a method of the paper: the generator of these numbers. philox: needs no state. xorwow: "
                 "cuRAND's, as in the paper; at every reading of the clock each thread sets its state up again and "
                 "skips ahead to its offset."),
    sdk::choice("crossover", kernels::name_of(kernels::Crossover::kPmx), kernels::kCrossoverChoices.text)
        .summary("How two survivors make a child: partially mapped, order, modified order, uniform or cycle "
                 "crossover of the sequence, or path relinking."),
    sdk::real("crossover_rate", 0.7)
        .range(0, 1)
        .symbol("p_c")
        .summary("Probability that a pair of survivors is crossed; else the children are copies."),
    sdk::choice("bits", "position", "position|department")
        .summary("Bay bits of a child: exchanged over the same positions as the sequence, or carried along with the "
                 "departments."),
    sdk::flag("align", false)
        .summary("Whether a layout is crossed with the mirror image of the other parent that is nearest to it."),
    sdk::real("mutation_rate", 0.01)
        .range(0, 1)
        .symbol("p_m")
        .summary("Probability of a mutation, for each child or for each of its positions."),
    sdk::choice("mutation_per", "child", "child|position")
        .summary("Whether the mutation rate applies to a child or to each of its positions."),
    sdk::integer("mutation_moves", 1)
        .range(1, 1000)
        .summary("With mutation_per = \"child\": greatest number of moves of a mutation; the number is random."),
    weight("swap", 35).summary("Weight of the move that exchanges two elements, in drawing a mutation's moves."),
    weight("insert", 25).summary("Weight of the move that moves an element to another position."),
    weight("flip_bit", 12).summary("Weight of the move that splits a bay or joins two."),
    weight("shift_border", 13).summary("Weight of the move that shifts the border between two bays by one department."),
    weight("reverse_segment", 8).summary("Weight of the move that reverses a stretch of the sequence."),
    weight("swap_bays", 7).summary("Weight of the move that exchanges two bays."),
    weight("reverse_bay", 0).summary("Weight of the move that turns a bay upside down."),
    sdk::integer("bays").or_auto().range(1, 65'535).summary(
        "Bays of a random individual, on average; auto: the square root of the number of departments."),
    sdk::choice("replacement", "generational", "generational|distinct")
        .summary("How the next generation is chosen. generational: the children and the `elites` best parents. "
                 "distinct: the best of parents and children, no two with the same cost."),
    sdk::integer("elites", 1)
        .range(0, 65'536)
        .unit("individuals")
        .summary("With replacement = \"generational\": number of best parents that replace the worst children."),
    sdk::integer("restart_after", 0)
        .range(0, 1e9)
        .unit("generations")
        .summary("Generations without a better solution on any island after which all islands restart with "
                 "random individuals; 0: never."),
    sdk::real("improve_rate", 1)
        .range(0, 1)
        .summary("Probability that the improver, if one is configured, works on a child."),
    sdk::integer("improve_every", 1)
        .range(1, 1e9)
        .unit("generations")
        .summary("The improver works once in this many generations."),
    sdk::size("round")
        .or_auto()
        .range(1, 1e9)
        .unit("generations")
        .summary("Generations between two reports to the framework, which checks limits and writes checkpoints; does "
                 "not change the search.")};

}  // namespace qapfw::imga
