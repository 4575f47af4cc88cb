// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/imga_options.hpp"

#include <fmt/core.h>

#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/sdk/round_length.hpp"

namespace qapfw::imga {
namespace {

constexpr std::uint64_t kMostIndividuals = 100'000'000;

std::uint32_t small(const sdk::Parameters& p, const char* name) {
    return static_cast<std::uint32_t>(p.integer(name));
}

bool has_bay_bits(const sdk::ProblemRef& problem) {
    const qapfw_encoding& encoding = problem.encoding();
    return encoding.segment_count == 2 && encoding.segments[1].kind == QAPFW_SEGMENT_BAYS;
}

/// Reads the weights of the moves. Without bay bits, moves of bits and bays get weight 0.
kernels::FbsMutationWeights read_weights(const sdk::Parameters& p, bool has_bits) {
    kernels::FbsMutationWeights weights{};
    weights.swap = small(p, "swap");
    weights.insert = small(p, "insert");
    weights.reverse_segment = small(p, "reverse_segment");
    weights.flip_bit = has_bits ? small(p, "flip_bit") : 0;
    weights.shift_border = has_bits ? small(p, "shift_border") : 0;
    weights.swap_bays = has_bits ? small(p, "swap_bays") : 0;
    weights.reverse_bay = has_bits ? small(p, "reverse_bay") : 0;
    const std::uint32_t of_bits = weights.flip_bit + weights.shift_border + weights.swap_bays + weights.reverse_bay;
    if (weights.swap + weights.insert + weights.reverse_segment + of_bits > 0) return weights;
    throw Error(ErrorKind::kUsage,
                has_bits ? "imga: at least one of the weights swap, insert, flip_bit, shift_border, "
                           "reverse_segment, swap_bays and reverse_bay must be positive, found 0 for all"
                         : "imga: this problem's solutions have no bays, so at least one of the weights swap, "
                           "insert and reverse_segment must be positive, found 0 for all");
}

kernels::IslandRules read_rules(const sdk::Parameters& p, const sdk::ProblemRef& problem, bool has_bits) {
    kernels::IslandRules rules{};
    rules.tournament.seeding = static_cast<kernels::TournamentSeeding>(p.choice("tournament_seeding"));
    rules.tournament.generator = static_cast<kernels::TournamentGenerator>(p.choice("tournament_generator"));
    rules.tournament.rounds = small(p, "tournament_rounds");
    rules.tournament.size = small(p, "size");
    rules.n = sdk::is_permutation_16(problem.encoding())
                  ? problem.length()
                  : static_cast<std::uint32_t>(sdk::element_count(problem.encoding()));
    rules.crossover = static_cast<std::uint32_t>(p.choice("crossover"));
    rules.crossing = kernels::probability_threshold(p.real("crossover_rate"));
    rules.mutation = kernels::probability_threshold(p.real("mutation_rate"));
    rules.mutates = p.choice("mutation_per") == 0 ? kernels::kIslandByChild : kernels::kIslandByPosition;
    rules.moves = small(p, "mutation_moves");
    rules.bays = p.is_auto("bays") ? 0 : small(p, "bays");
    rules.align = has_bits && p.boolean("align") ? 1 : 0;
    rules.bits = p.choice("bits") == 0 ? kernels::kFbsBitsByPosition : kernels::kFbsBitsByDepartment;
    rules.weights = read_weights(p, has_bits);
    return rules;
}

void require_fits(const char* name, std::uint32_t value, std::uint32_t size) {
    if (value <= size) return;
    throw Error(ErrorKind::kUsage, fmt::format("imga: {} must be at most size = {}, found {}", name, size, value));
}

Migration read_migration(const sdk::Parameters& p, const sdk::PopulationShape& shape) {
    Migration migration{};
    migration.islands = shape.groups;
    migration.topology = static_cast<kernels::IslandTopology>(p.choice("topology"));
    migration.every = static_cast<std::uint64_t>(p.integer("migrate_every"));
    if (migration.every == 0) return migration;
    migration.migrants = small(p, "migrants");
    migration.emigrants = kernels::island_emigrants(migration.topology, shape.groups, migration.migrants);
    require_fits("migrants", migration.migrants, shape.size);
    return migration;
}

}  // namespace

ImgaOptions read_options(const sdk::Parameters& p, const sdk::ProblemRef& problem) {
    ImgaOptions options;
    const bool has_bits = has_bay_bits(problem);
    options.shape = {small(p, "islands"), small(p, "size")};
    options.bits_offset = has_bits ? problem.encoding().segments[1].offset : 0;
    options.rules = read_rules(p, problem, has_bits);
    options.migration = read_migration(p, options.shape);
    options.distinct = p.choice("replacement") == 1;
    options.elites = options.distinct ? 0 : small(p, "elites");
    options.restart_after = static_cast<std::uint64_t>(p.integer("restart_after"));
    options.improve = kernels::probability_threshold(p.real("improve_rate"));
    options.improve_every = static_cast<std::uint64_t>(p.integer("improve_every"));
    require_fits("elites", options.elites, options.shape.size);
    if (std::uint64_t{options.shape.groups} * options.shape.size > kMostIndividuals) {
        throw Error(ErrorKind::kUsage, fmt::format("imga: islands * size must be at most {}, found {} * {}",
                                                   kMostIndividuals, options.shape.groups, options.shape.size));
    }
    return options;
}

void keep_to(std::uint64_t evaluations, const sdk::Parameters& parameters, ImgaOptions& options) {
    options.shape.groups =
        sdk::groups_of_budget(evaluations, std::uint64_t{2} * options.shape.size, options.shape.groups);
    options.migration = read_migration(parameters, options.shape);
}

}  // namespace qapfw::imga
