// SPDX-License-Identifier: Apache-2.0
#include "plugins/pga_grid/device_share.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "embedded/pga_grid_texts.hpp"
#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/sdk/ga_kernels.hpp"

namespace qapfw::pga_grid {
namespace {

constexpr std::uint32_t kBlockThreads = kernels::kGaThreads;
constexpr std::uint32_t kCellsInShared = 8192;  ///< opponents of one grid: 32 KiB
constexpr std::uint64_t kNone = ~std::uint64_t{0};

sdk::KernelRequest request_of(const sdk::ProblemRef& problem, const char* entry) {
    return sdk::ga_kernel(device::kTexts, entry, sdk::free_positions(problem).size(), problem.length());
}

/// All entries come from one compilation, which begins now, beside the improver's.
const qapfw_device& announce_kernels(const qapfw_device& device, const sdk::ProblemRef& problem) {
    sdk::prepare(device, std::array{request_of(problem, "qapfw_pga_grid_cross")});
    return device;
}

sdk::Kernel make_kernel(const qapfw_device& device, const sdk::ProblemRef& problem, const char* entry) {
    return sdk::Kernel(device, request_of(problem, entry));
}

GridOptions share_of(const GridOptions& options, std::uint32_t first, std::uint32_t grids) {
    GridOptions share = options;
    share.grids = grids;
    share.first_grid += first;
    return share;
}

std::uint32_t blocks_for(std::uint32_t items, std::uint32_t of_block) {
    return (items + of_block - 1) / of_block;
}

/// `count` whole solutions as their elements.
std::span<std::uint16_t> elements(std::vector<unsigned char>& solutions, std::uint64_t first, std::uint64_t count) {
    return {reinterpret_cast<std::uint16_t*>(solutions.data()) + first, count};
}
std::span<const std::uint16_t> elements(const std::vector<unsigned char>& solutions, std::uint64_t first,
                                        std::uint64_t count) {
    return {reinterpret_cast<const std::uint16_t*>(solutions.data()) + first, count};
}

}  // namespace

DeviceShare::State::State(const qapfw_device& device, std::uint64_t cells, std::uint64_t grids, std::uint64_t stride)
    : solutions(device, cells * stride),
      best_solutions(device, grids * stride),
      costs(device, cells),
      best_costs(device, grids),
      best_generations(device, grids),
      best_cells(device, grids) {}

void DeviceShare::State::copy_from(sdk::Stream& stream, const State& other) {
    solutions.copy_from(stream, other.solutions, solutions.size());
    best_solutions.copy_from(stream, other.best_solutions, best_solutions.size());
    costs.copy_from(stream, other.costs, costs.size());
    best_costs.copy_from(stream, other.best_costs, best_costs.size());
    best_generations.copy_from(stream, other.best_generations, best_generations.size());
    best_cells.copy_from(stream, other.best_cells, best_cells.size());
}

DeviceShare::DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                         const GridOptions& options, std::uint32_t first, std::uint32_t grids)
    : stream_(announce_kernels(device, problem)),
      options_(share_of(options, first, grids)),
      stride_(problem.solution_bytes() / sizeof(std::uint16_t)),
      first_here_(first * options.shape.cells()),
      now_(device, options_.cells(), grids, stride_),
      marked_(device, options_.cells(), grids, stride_),
      selected_(device, options_.cells() * stride_),
      scratch_(device, options_.cells() * stride_),
      emigrants_(device, (grids + 1) * stride_),
      selected_costs_(device, options_.cells()),
      emigrant_costs_(device, grids + 1),
      opponents_(device, options.shape.cells() <= kCellsInShared ? 0 : options_.cells()),
      remembered_(device, grids),
      evaluations_(device, 1),
      digest_sum_(device, 1),
      positions_(stream_, problem),
      problem_view_(device),
      improver_(improver, device, options_.cells()),
      populate_(make_kernel(device, problem, "qapfw_pga_grid_populate")),
      select_(make_kernel(device, problem, "qapfw_pga_grid_select")),
      cross_(make_kernel(device, problem, "qapfw_pga_grid_cross")),
      remember_(make_kernel(device, problem, "qapfw_pga_grid_remember")),
      change_(make_kernel(device, problem, "qapfw_pga_grid_change")),
      keep_best_(make_kernel(device, problem, "qapfw_pga_grid_keep_best")),
      emigrate_(make_kernel(device, problem, "qapfw_pga_grid_emigrate")),
      immigrate_(make_kernel(device, problem, "qapfw_pga_grid_immigrate")),
      digest_kernel_(make_kernel(device, problem, "qapfw_pga_grid_digest")),
      best_costs_(grids),
      best_generations_(grids),
      best_cells_(grids) {
    const Neighbours around(options.shape, options.offsets);
    first_neighbour_ = sdk::DeviceBuffer<std::uint64_t>(stream_, around.firsts());
    neighbours_ = sdk::DeviceBuffer<std::uint32_t>(stream_, around.cells());
    view_ = make_view(problem);
    now_.solutions.fill(stream_, 0);
    now_.costs.fill(stream_, 0);
    now_.best_generations.fill(stream_, 0xFF);  // none yet
    now_.best_solutions.fill(stream_, 0);
    now_.best_costs.fill(stream_, 0);
    now_.best_cells.fill(stream_, 0);
    emigrants_.fill(stream_, 0);
    evaluations_.fill(stream_, 0);
    stream_.synchronize();
}

DeviceView DeviceShare::make_view(const sdk::ProblemRef& problem) const {
    return {options_.rules(problem),
            first_neighbour_.address(),
            neighbours_.address(),
            positions_.free.address(),
            positions_.order.address(),
            positions_.base.address(),
            now_.solutions.address(),
            now_.costs.address(),
            selected_.address(),
            selected_costs_.address(),
            scratch_.address(),
            opponents_.address(),
            remembered_.address(),
            now_.best_solutions.address(),
            now_.best_costs.address(),
            now_.best_generations.address(),
            now_.best_cells.address(),
            emigrants_.address(),
            emigrant_costs_.address(),
            evaluations_.address(),
            stride_,
            options_.cells(),
            first_here_,
            options_.first_grid,
            opponents_.size() == 0 ? 1u : 0u};
}

std::uint32_t DeviceShare::blocks_of_tiles() const {
    return kernels::ga_blocks_for(options_.cells(), stream_.device().multiprocessors);
}

void DeviceShare::populate(const std::vector<unsigned char>& warm) {
    const std::uint32_t given = sdk::upload_warm_starts(stream_, now_.solutions, stride_, warm, first_here_);
    populate_.launch(stream_, blocks_of_tiles(), kBlockThreads, 0, view_, problem_view_, given);
}

void DeviceShare::select(std::uint64_t generation) {
    const std::uint32_t shared = opponents_.size() == 0 ? options_.shape.cells() * 4 : 0;
    select_.launch(stream_, options_.grids, kBlockThreads, shared, view_, generation);
}

void DeviceShare::cross(std::uint64_t generation) {
    cross_.launch(stream_, blocks_of_tiles(), kBlockThreads, 0, view_, problem_view_, generation);
}

void DeviceShare::remember_best() {
    remember_.launch(stream_, options_.grids, 32, 0, view_);
}

void DeviceShare::change(std::uint64_t generation) {
    change_.launch(stream_, blocks_of_tiles(), kBlockThreads, 0, view_, problem_view_, generation);
}

void DeviceShare::improve(std::uint64_t generation, const sdk::Run& run) {
    if (!improver_ || run.should_stop()) return;
    qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), kImproverStream);
    request.first_individual = options_.first_individual();
    improver_.enqueue(stream_, {now_.solutions.address(), now_.costs.address(), options_.cells()}, request);
}

void DeviceShare::keep_best(std::uint64_t generation) {
    keep_best_.launch(stream_, options_.grids, 32, 0, view_, generation);
}

void DeviceShare::emigrate(Champion& emigrant) {
    emigrate_.launch(stream_, options_.grids, 32, 0, view_);
    emigrant.solution.resize(stride_ * sizeof(std::uint16_t));
    emigrants_.download(stream_, elements(emigrant.solution, 0, stride_), options_.grids * stride_);
    emigrant_costs_.download(stream_, {&emigrant.cost, 1}, options_.grids);
}

void DeviceShare::immigrate(const Champion& newcomer) {
    emigrants_.upload(stream_, elements(newcomer.solution, 0, stride_));
    emigrant_costs_.upload(stream_, {&newcomer.cost, 1});
    immigrate_.launch(stream_, options_.grids, kBlockThreads, 0, view_);
}

void DeviceShare::mark() {
    marked_.copy_from(stream_, now_);
}

void DeviceShare::revert() {
    now_.copy_from(stream_, marked_);
}

void DeviceShare::start_bests() {
    now_.best_costs.download(stream_, best_costs_);
    now_.best_generations.download(stream_, best_generations_);
    now_.best_cells.download(stream_, best_cells_);
    evaluations_.download(stream_, {&evaluated_, 1});
}

void DeviceShare::merge_bests(const sdk::CostLess& less, Champion& best) {
    for (std::uint32_t grid = 0; grid < options_.grids; ++grid) {
        if (best_generations_[grid] == kNone) continue;
        if (!best.solution.empty()) {
            if (less(best.cost, best_costs_[grid])) continue;
            const auto own = std::tuple(best_generations_[grid], std::uint64_t{best_cells_[grid]});
            if (!less(best_costs_[grid], best.cost) && own >= std::tuple(best.generation, best.cell)) continue;
        }
        best.solution.resize(stride_ * sizeof(std::uint16_t));
        best.cost = best_costs_[grid];
        best.generation = best_generations_[grid];
        best.cell = best_cells_[grid];
        now_.best_solutions.download(stream_, elements(best.solution, 0, stride_), grid * stride_);
    }
    stream_.synchronize();
}

void DeviceShare::start_digest(qapfw_cost best, std::uint64_t generation) {
    digest_sum_.fill(stream_, 0);
    digest_kernel_.launch(stream_, blocks_for(options_.cells(), kBlockThreads / 32), kBlockThreads, 0, view_, best.i,
                          generation, digest_sum_);
    digest_sum_.download(stream_, {&digest_, 1});
}

void DeviceShare::upload(const GridState& state) {
    now_.solutions.upload(stream_, elements(state.solutions, first_here_ * stride_, now_.solutions.size()));
    now_.costs.upload(stream_, sdk::part_of(state.costs, first_here_, now_.costs.size()));
}

void DeviceShare::download(GridState& state) {
    now_.solutions.download(stream_, elements(state.solutions, first_here_ * stride_, now_.solutions.size()));
    now_.costs.download(stream_, sdk::part_of(state.costs, first_here_, now_.costs.size()));
}

}  // namespace qapfw::pga_grid
