// SPDX-License-Identifier: Apache-2.0
#include "plugins/pga_grid/pga_grid_solver.hpp"

#include <algorithm>
#include <utility>

#include "qapfw/kernels/permutation_operators.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::pga_grid {
namespace {

/// A shuffle draws four numbers from each of 2^16 slots.
constexpr std::uint64_t kMaxCellsOfGrid = 262'144;
constexpr std::uint64_t kMaxCells = 100'000'000;

std::vector<Offset> read_offsets(const sdk::Parameters& parameters, Topology topology) {
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

GridOptions read_options(const sdk::Parameters& p) {
    GridOptions options{};
    options.shape = {static_cast<std::uint32_t>(p.integer("rows")), static_cast<std::uint32_t>(p.integer("columns"))};
    options.grids = static_cast<std::uint32_t>(p.integer("grids"));
    options.topology = static_cast<Topology>(p.choice("topology"));
    options.offsets = read_offsets(p, options.topology);
    options.crossover = kernels::probability_threshold(p.real("crossover_rate"));
    options.mutation = kernels::probability_threshold(p.real("mutation_rate"));
    options.transposition = kernels::probability_threshold(p.real("transposition_rate"));
    if (options.shape.cells() > kMaxCellsOfGrid) {
        throw Error(ErrorKind::kUsage, "rows * columns must be at most " + std::to_string(kMaxCellsOfGrid) +
                                           ", found " + std::to_string(options.shape.cells()));
    }
    if (std::uint64_t{options.shape.cells()} * options.grids > kMaxCells) {
        throw Error(ErrorKind::kUsage, "rows * columns * grids must be at most " + std::to_string(kMaxCells) +
                                           ", found " + std::to_string(options.shape.cells()) + " * " +
                                           std::to_string(options.grids));
    }
    return options;
}

std::uint32_t processes(const sdk::Run& run) {
    return run.exchange() == nullptr ? 1 : run.exchange()->size;
}

}  // namespace

PgaGridSolver::PgaGridSolver(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      improver_(context.improver),
      options_(read_options(context.parameters)),
      exchange_every_(static_cast<std::uint64_t>(context.parameters.integer("exchange_every"))),
      round_length_(static_cast<std::uint64_t>(context.parameters.integer("round"))) {
    if (options_.shape.cells() == 1 && context.improver == nullptr) {
        context.host.warn(
            "pga_grid: the best of a grid stays as it is, so a grid of one cell needs an improver to move");
    }
}

void PgaGridSolver::run(sdk::Run& run) {
    settle(run);
    while (const std::uint64_t generations = run.begin_round(round_wanted())) {
        grids_->mark();
        if (advance(generations, run)) {
            exchange_if_due(run);
            report(run, generations, grids_->best(), true);
        } else {
            const Champion best = grids_->best();
            grids_->revert();  // a round cut short tells the best that it found, but leaves no trace in the state
            report(run, 0, best, false);
        }
    }
}

bool PgaGridSolver::advance(std::uint64_t generations, const sdk::Run& run) {
    if (!grids_->populated() && !populate(run)) return false;
    for (std::uint64_t k = 0; k < generations; ++k) {
        if (!evolve(grids_->generation() + 1, run)) return false;
    }
    return true;
}

bool PgaGridSolver::populate(const sdk::Run& run) {
    grids_->populate(sdk::warm_starts(run, problem_, options_.cells()), run);
    grids_->keep_best(0);
    return !run.should_stop();
}

/// The body of the loop of algorithm 18; false if it was cut short.
bool PgaGridSolver::evolve(std::uint64_t generation, const sdk::Run& run) {
    grids_->select(generation);
    grids_->cross(generation, run);
    grids_->remember_best();
    grids_->mutate(generation);
    grids_->transpose(generation);
    grids_->reincorporate_best();
    grids_->evaluate(run);
    grids_->improve(generation, run);
    grids_->keep_best(generation);
    if (run.should_stop()) return false;
    grids_->complete(generation);
    return true;
}

void PgaGridSolver::settle(const sdk::Run& run) {
    const std::uint32_t rank = run.exchange() == nullptr ? 0 : run.exchange()->rank;
    options_.seed = run.seed();
    options_.first_grid = rank * options_.grids;
    const GridState state = std::exchange(saved_, {});
    grids_ = run.devices().empty() ? make_cpu_grids(host_, problem_, improver_, options_, state)
                                   : make_device_grids(host_, problem_, improver_, options_, state, run.devices());
}

/// Rounds end at multiples of the round length and of the exchange period, also after a resume.
std::uint64_t PgaGridSolver::round_wanted() const {
    const std::uint64_t generation = grids_->generation();
    const std::uint64_t to_round = round_length_ - generation % round_length_;
    return exchange_every_ == 0 ? to_round : std::min(to_round, exchange_every_ - generation % exchange_every_);
}

void PgaGridSolver::exchange_if_due(const sdk::Run& run) {
    const std::uint32_t grids = options_.grids;
    if (exchange_every_ == 0 || grids_->generation() % exchange_every_ != 0) return;
    if (grids == 1 && processes(run) == 1) return;
    grids_->migrate([&](const Champion& emigrant) { return swap_with_processes(run, emigrant); });
    grids_->keep_best(grids_->generation());
}

/// The best of the last grid of the process before this one on the ring; alone, it is our own last grid's.
Champion PgaGridSolver::swap_with_processes(const sdk::Run& run, const Champion& emigrant) const {
    if (processes(run) == 1) return emigrant;
    Champion leaving = emigrant, newcomer = emigrant;
    const qapfw_batch out{leaving.solution.data(), &leaving.cost, 1};
    qapfw_batch in{newcomer.solution.data(), &newcomer.cost, 1};
    sdk::check(run.exchange()->ring(run.exchange()->context, &out, &in), "exchange: ring");
    return newcomer;
}

void PgaGridSolver::report(sdk::Run& run, std::uint64_t generations, const Champion& best, bool complete) {
    const std::uint64_t evaluations = grids_->evaluations();
    const qapfw_round round{sizeof(qapfw_round),
                            complete ? 1u : 0u,
                            generations,
                            evaluations - std::exchange(reported_, evaluations),
                            complete ? grids_->digest() : 0,
                            best.solution.data(),
                            best.cost,
                            best.generation,
                            best.cell};
    run.end_round(round);
}

void PgaGridSolver::save(sdk::Writer& writer) const {
    grids_ ? grids_->save(writer) : saved_.save(writer);
}

void PgaGridSolver::load(sdk::Reader& reader) {
    saved_.load(reader, options_.cells(), problem_.solution_bytes());
}

}  // namespace qapfw::pga_grid
