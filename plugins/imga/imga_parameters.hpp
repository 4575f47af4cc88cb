// SPDX-License-Identifier: Apache-2.0
// Parameters of the island model GA, with the symbols and values of the 2019 paper (Tables 3 and 4).
#pragma once

#include "qapfw/sdk/parameters.hpp"

namespace qapfw::imga {

constexpr qapfw_parameter integer(const char* name, const char* value, double minimum, double maximum, const char* unit,
                                  const char* symbol, const char* summary) {
    return {.name = name,
            .type = QAPFW_PARAMETER_INTEGER,
            .flags = 0,
            .default_text = value,
            .minimum = minimum,
            .maximum = maximum,
            .choices = nullptr,
            .unit = unit,
            .symbol = symbol,
            .summary = summary};
}

constexpr qapfw_parameter rate(const char* name, const char* value, const char* symbol, const char* summary) {
    qapfw_parameter parameter = integer(name, value, 0, 1, nullptr, symbol, summary);
    parameter.type = QAPFW_PARAMETER_REAL;
    return parameter;
}

constexpr qapfw_parameter choice(const char* name, const char* value, const char* choices, const char* summary) {
    qapfw_parameter parameter = integer(name, value, 0, 0, nullptr, nullptr, summary);
    parameter.type = QAPFW_PARAMETER_CHOICE;
    parameter.choices = choices;
    return parameter;
}

constexpr qapfw_parameter weight(const char* name, const char* value, const char* summary) {
    return integer(name, value, 0, 1'000'000, nullptr, nullptr, summary);
}

constexpr qapfw_parameter automatic(qapfw_parameter parameter) {
    parameter.flags = QAPFW_PARAMETER_AUTO;
    return parameter;
}

inline constexpr qapfw_parameter kParameters[] = {
    integer("islands", "16", 1, 1'000'000, nullptr, "N", "Populations that evolve side by side and exchange migrants."),
    integer("size", "256", 1, 65'536, "individuals", "n", "Individuals of one island."),
    choice("topology", "ring", "ring|bidirectional_ring|torus|complete|random",
           "Whose emigrants an island takes in: of the one before it, of both neighbours, of four on a grid, of all "
           "others, or of one drawn anew each time."),
    integer("migrate_every", "15", 0, 1e9, "generations", "g", "Generations between two migrations; 0: never."),
    integer("migrants", "5", 1, 65'536, "individuals", "m",
            "Best individuals that take the places of the worst of another island in a migration."),
    integer("tournament_rounds", "2", 1, 16, nullptr, nullptr, "Rivals drawn in each tournament for a survivor."),
    choice("tournament_seeding", "counter", "counter|clock_once|clock_per_round|per_thread",
           "Where the tournaments' random numbers come from: draws of their own, or the three methods that the paper "
           "compares, with a clock that the run's seed gives."),
    choice("crossover", "pmx", "pmx|ox", "Partially mapped crossover, or order crossover, of the sequence."),
    rate("crossover_rate", "0.7", "p_c",
         "Probability that a pair of survivors is crossed; else the children are copies."),
    choice("bits", "position", "position|department",
           "Bay bits of a child: exchanged over the same positions as the sequence, or carried along with the "
           "departments."),
    {.name = "align",
     .type = QAPFW_PARAMETER_BOOLEAN,
     .flags = 0,
     .default_text = "false",
     .minimum = 0,
     .maximum = 0,
     .choices = nullptr,
     .unit = nullptr,
     .symbol = nullptr,
     .summary = "Whether a layout is crossed with that mirror image of the other parent which is nearest to it."},
    rate("mutation_rate", "0.01", "p_m", "Probability of a mutation, for each child or for each of its positions."),
    choice("mutation_per", "child", "child|position",
           "Whether the mutation rate is that of a child or of each of its positions."),
    integer("mutation_moves", "1", 1, 1000, nullptr, nullptr,
            "With mutation_per = \"child\": a mutation makes a random number of moves up to this."),
    weight("swap", "35", "Weight of the move that exchanges two elements, in drawing a mutation's moves."),
    weight("insert", "25", "Weight of the move that moves an element to another position."),
    weight("flip_bit", "12", "Weight of the move that splits a bay or joins two."),
    weight("shift_border", "13", "Weight of the move that shifts the border between two bays by one department."),
    weight("reverse_segment", "8", "Weight of the move that reverses a stretch of the sequence."),
    weight("swap_bays", "7", "Weight of the move that exchanges two bays."),
    weight("reverse_bay", "0", "Weight of the move that turns a bay upside down."),
    automatic(integer("bays", "auto", 1, 65'535, nullptr, nullptr,
                      "Bays of a random individual, on average; auto: the root of the number of departments.")),
    choice(
        "replacement", "generational", "generational|distinct",
        "Who lives on: the children and `elites` of their parents, or the best of parents and children together with "
        "no two of equal cost."),
    integer("elites", "1", 0, 65'536, "individuals", nullptr,
            "With replacement = \"generational\": best parents that take the places of the worst children."),
    integer("restart_after", "0", 0, 1e9, "generations", nullptr,
            "All islands are drawn anew when none has found a better solution for so long; 0: never."),
    rate("improve_rate", "1", nullptr, "Probability that the improver, where one is configured, works on a child."),
    integer("improve_every", "1", 1, 1e9, "generations", nullptr, "The improver works in every so many generations."),
    {.name = "round",
     .type = QAPFW_PARAMETER_SIZE,
     .flags = QAPFW_PARAMETER_AUTO,
     .default_text = "auto",
     .minimum = 1,
     .maximum = 1e9,
     .choices = nullptr,
     .unit = "generations",
     .symbol = nullptr,
     .summary = "Generations between two meetings with the framework; does not change the search."}};

}  // namespace qapfw::imga
