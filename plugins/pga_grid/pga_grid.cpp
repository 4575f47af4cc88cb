// SPDX-License-Identifier: Apache-2.0
#include "plugins/pga_grid/pga_grid.hpp"

#include <atomic>

#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::pga_grid {
namespace {

/// The largest number of cells of a grid. The shuffle that draws the cells' opponents uses a random word for each cell,
/// and a stream has 2^16 slots of four words.
constexpr std::uint64_t kMaxCellsOfGrid = 262'144;
constexpr std::uint64_t kMaxCells = 100'000'000;
constexpr std::uint32_t kBatch = 8;  ///< cells between two calls of should_stop

using All = kernels::AllOperators;

std::vector<Offset> read_offsets(const sdk::Parameters& parameters) {
    const auto topology = static_cast<Topology>(parameters.choice("topology"));
    const std::vector<std::string> texts = parameters.list("offsets");
    if (topology != Topology::kOffsets) {
        if (texts.empty()) return offsets_of(topology);
        throw Error(ErrorKind::kUsage, "offsets are used with topology = \"offsets\" only, found topology = \"" +
                                           parameters.text("topology") + "\"");
    }
    if (texts.empty()) {
        throw Error(ErrorKind::kUsage, "topology = \"offsets\" needs at least one entry in offsets, found none");
    }
    return parse_offsets(texts);
}

Shape read_shape(const sdk::Parameters& p) {
    const Shape shape{static_cast<std::uint32_t>(p.integer("rows")), static_cast<std::uint32_t>(p.integer("columns"))};
    const auto grids = static_cast<std::uint32_t>(p.integer("grids"));
    if (shape.cells() > kMaxCellsOfGrid) {
        throw Error(ErrorKind::kUsage, "rows * columns must be at most " + std::to_string(kMaxCellsOfGrid) +
                                           ", found " + std::to_string(shape.cells()));
    }
    if (std::uint64_t{shape.cells()} * grids > kMaxCells) {
        throw Error(ErrorKind::kUsage, "rows * columns * grids must be at most " + std::to_string(kMaxCells) +
                                           ", found " + std::to_string(shape.cells()) + " * " + std::to_string(grids));
    }
    return shape;
}

/// True if a swap of the mutation "exchange" may draw the same position twice.
bool reads_same_positions(const sdk::Parameters& p) {
    if (p.text("mutation_positions") == "distinct") return false;
    if (p.text("mutation") == "exchange") return true;
    throw Error(ErrorKind::kUsage, "mutation_positions = \"any\" is for mutation = \"exchange\", found \"" +
                                       p.text("mutation") + "\"; leave mutation_positions out");
}

}  // namespace

PgaGrid::PgaGrid(const sdk::SolverContext& context)
    : context_(context),
      shape_(read_shape(context.parameters)),
      grids_(static_cast<std::uint32_t>(context.parameters.integer("grids"))),
      neighbours_(shape_, read_offsets(context.parameters)),
      exchange_every_(static_cast<std::uint64_t>(context.parameters.integer("exchange_every"))),
      round_(static_cast<std::uint64_t>(context.parameters.integer("round"))),
      segments_(context.problem, static_cast<std::uint32_t>(context.parameters.choice("crossover")),
                static_cast<std::uint32_t>(context.parameters.choice("mutation"))) {
    const sdk::Parameters& p = context.parameters;
    rules_.cells = shape_.cells();
    rules_.n = static_cast<std::uint32_t>(sdk::free_positions(context.problem).size());
    rules_.values = segments_ ? static_cast<std::uint32_t>(context.problem.solution_bytes() / sizeof(std::uint16_t))
                              : context.problem.length();
    if (segments_) rules_.n = static_cast<std::uint32_t>(segments_.free_count());
    rules_.crossover = kernels::probability_threshold(p.real("crossover_rate"));
    rules_.mutation = kernels::probability_threshold(p.real("mutation_rate"));
    rules_.transposition = kernels::probability_threshold(p.real("transposition_rate"));
    rules_.kind = static_cast<std::uint32_t>(p.choice("crossover"));
    rules_.move = static_cast<std::uint32_t>(p.choice("mutation"));
    rules_.shape = sdk::solution_shape(context.problem);
    rules_.bay_moves = kernels::probability_threshold(p.real("bay_moves"));
    rules_.same_positions = reads_same_positions(p) ? 1 : 0;
    rules_.random_mates = static_cast<Topology>(p.choice("topology")) == Topology::kRandom ? 1 : 0;
    if (shape_.cells() == 1 && context.improver == nullptr) {
        context.host.warn(
            "pga_grid: the best individual of a grid is never mutated, so a grid of one cell needs an improver");
    }
}

void PgaGrid::declare(sdk::Fields<View>& fields, const sdk::Run& run) {
    using sdk::FieldOf;
    rules_.seed = run.seed();
    const std::uint64_t stride = context_.problem.solution_bytes() / sizeof(std::uint16_t);
    fields.add<&View::solutions>({.count = stride, .is_state = true, .is_solution = true});
    fields.add<&View::costs>({.is_state = true});
    fields.add<&View::selected>({.count = stride});
    fields.add<&View::selected_costs>({});
    fields.add<&View::scratch>({.count = stride, .is_for_device = true});
    fields.add<&View::opponents>({.is_for_device = true});
    fields.add<&View::remembered>({.of = FieldOf::kGroup});
    fields.add<&View::best_solutions>({.of = FieldOf::kGroup, .count = stride, .is_state = true, .is_solution = true});
    fields.add<&View::best_costs>({.of = FieldOf::kGroup, .is_state = true});
    fields.add<&View::best_generations>({.of = FieldOf::kGroup, .is_state = true, .fresh = 0xFF});
    fields.add<&View::best_cells>({.of = FieldOf::kGroup, .is_state = true});
    fields.add<&View::children>({.of = FieldOf::kGroup, .count = kChildCounts, .is_state = true});
    emigrants_ = fields.add<&View::emigrants>({.of = FieldOf::kRun, .count = stride});
    emigrant_costs_ = fields.add<&View::emigrant_costs>({.of = FieldOf::kRun});
    std::vector<std::uint16_t> base(stride);
    sdk::base_solution(context_.problem, base.data());
    fields.constant<&View::positions>(sdk::free_positions(context_.problem));
    fields.constant<&View::order>(sdk::kernel_order(context_.problem));
    fields.constant<&View::base>(base);
    segments_.declare<&View::segments>(fields);
    fields.constant<&View::neighbours, &kernels::PgaNeighbours::first>(neighbours_.firsts());
    fields.constant<&View::neighbours, &kernels::PgaNeighbours::cells>(neighbours_.cells());
}

void PgaGrid::start(Host& steps) {
    const View& view = steps.view();
    steps.individuals(1, [&](std::uint32_t cell, std::uint32_t, std::uint32_t worker) {
        std::uint16_t* const individual = view.row(view.solutions, cell);
        const std::uint64_t number = std::uint64_t{view.rules.first} + cell;
        if (number < steps.settings().warm_count()) {
            std::memcpy(individual, steps.settings().warm_start(number), steps.settings().bytes());
        } else {
            std::copy_n(view.base, view.stride, individual);
            draw_cell<All, Segmented::kAsRun>(view, cell);
        }
        steps.evaluate(worker, {individual, view.costs + cell, 1}, cell, 0);
    });
    keep_best(steps, 0);
}

void PgaGrid::select(Host& steps, std::uint64_t t) {
    const View& view = steps.view();
    on_grids(steps, kSelect, [&](const auto& grids, std::uint32_t grid) {
        std::vector<std::uint32_t> opponents(rules_.cells);
        kernels::pga_opponents(view.rules, opponents.data(), t, view.first_grid + grid);
        const std::uint32_t first = grid * rules_.cells;
        for (std::uint32_t k = 0; k < rules_.cells; ++k) grids.take_winner(first + k, first + opponents[k]);
    });
}

void PgaGrid::cross(Host& steps, std::uint64_t t) {
    steps.individuals(kBatch, [&](std::uint32_t first, std::uint32_t last, std::uint32_t worker) {
        for (std::uint32_t cell = first; cell < last; ++cell) cross_cell(steps, cell, t, worker);
    });
}

void PgaGrid::cross_cell(Host& steps, std::uint32_t cell, std::uint64_t t, std::uint32_t worker) {
    const View& view = steps.view();
    const sdk::CostLess less = context_.problem.less();
    std::uint16_t *const parent = view.row(view.selected, cell), *const child = view.row(view.solutions, cell);
    const auto row = static_cast<std::uint32_t>(view.stride);
    if (!make_child<All, Segmented::kAsRun>(view, less, row, scratch_of(worker), cell, t)) return;
    steps.evaluate_children(worker, {parent, view.selected_costs + cell, 1}, {child, view.costs + cell, 1}, cell, t);
    const bool is_worse = less(view.selected_costs[cell], view.costs[cell]);
    const auto count = [counts = view.children_of(cell)](std::uint32_t which) {
        // Several workers may have cells of the same grid.
        std::atomic_ref(counts[which]).fetch_add(1, std::memory_order_relaxed);
    };
    count(kChildren);
    if (!is_worse) count(kKeptChildren);
    if (less(view.costs[cell], view.selected_costs[cell])) count(kBetterChildren);
    if (!is_worse) return;
    std::copy_n(parent, view.stride, child);
    view.costs[cell] = view.selected_costs[cell];
}

PgaGrid::ChildCounts PgaGrid::children_of(OnHost& population) const {
    ChildCounts counts{};
    const View& view = population.steps().view();
    for (std::uint32_t grid = 0; grid < population.shard().groups; ++grid) {
        for (std::size_t k = 0; k < kChildCounts; ++k) counts[k] += view.children[grid * kChildCounts + k];
    }
    return counts;
}

void PgaGrid::mutate_and_transpose(Host& steps, std::uint64_t t) {
    const View& view = steps.view();
    steps.individuals(kBatch, [&](std::uint32_t first, std::uint32_t last, std::uint32_t worker) {
        for (std::uint32_t cell = first; cell < last; ++cell) {
            if (!change_cell<All, Segmented::kAsRun>(view, scratch_of(worker), cell, t)) continue;
            steps.evaluate(worker, {view.row(view.solutions, cell), view.costs + cell, 1}, cell, t);
        }
    });
}

void PgaGrid::immigrate(Host& steps) {
    const View& view = steps.view();
    on_grids(steps, kImmigrate, [&](const auto& grids, std::uint32_t grid) {
        const std::uint32_t first = grid * rules_.cells;
        const std::uint16_t* const newcomer = view.row(view.emigrants, view.grid_before(grid));
        for (std::uint32_t cell = first; cell < first + rules_.cells; ++cell) {
            if (std::equal(newcomer, newcomer + view.stride, view.row(view.solutions, cell))) return;
        }
        grids.take_newcomer(grid);
    });
}

sdk::Leader PgaGrid::leader(Host& steps) const {
    const View& view = steps.view();
    sdk::Leader best;
    for (std::uint32_t grid = 0; grid < steps.shard().groups; ++grid) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(view.row(view.best_solutions, grid));
        sdk::Leader own{{bytes, bytes + steps.settings().bytes()},
                        view.best_costs[grid],
                        view.best_generations[grid],
                        view.best_cells[grid]};
        if (own.leads(best, context_.problem.less())) best = std::move(own);
    }
    return best;
}

std::uint64_t PgaGrid::digest(Host& steps, std::uint64_t t, qapfw_cost best) const {
    return steps.digest(steps.view().solutions, steps.view().costs, t, [&](std::uint32_t) { return best; });
}

}  // namespace qapfw::pga_grid
