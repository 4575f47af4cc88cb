// SPDX-License-Identifier: Apache-2.0
// The steps of PGAGrid on GPUs.
#include <cstddef>

#include "embedded/pga_grid_texts.hpp"
#include "plugins/pga_grid/pga_grid.hpp"
#include "qapfw/kernels/ga_base.hpp"

namespace qapfw::pga_grid {
namespace {

constexpr std::uint32_t kThreads = kernels::kGaThreads;
/// A grid with at most this number of cells keeps the opponents of its cells in shared memory. These need 4 bytes for
/// each cell, so at most 32 KiB.
constexpr std::uint32_t kCellsInShared = 8192;

/// Number of CUDA blocks that work on all cells.
std::uint32_t tiles(PgaGrid::Device& place) {
    return kernels::ga_blocks_for(place.shard().individuals(), place.device().multiprocessors);
}

}  // namespace

void PgaGrid::prepare_scratch(Device& place) const {
    place.view().opponents_in_shared = rules_.cells <= kCellsInShared ? 1 : 0;
    place.view().evaluations = reinterpret_cast<unsigned long long*>(
        place.report_buffer().address(offsetof(sdk::PopulationReport, evaluations)));
}

sdk::KernelRequest PgaGrid::kernel_request(const sdk::KernelName& name, const qapfw_device&, const sdk::Shard&) const {
    return sdk::ga_kernel(device::kTexts, name.entry, rules_.n, rules_.values,
                          sdk::operator_defines<kernels::PgaPaperOperators>(rules_.kind, rules_.move, rules_.shape));
}

std::vector<sdk::KernelName> PgaGrid::kernels() const {
    return {kPopulate, kSelect, kCross, kRemember, kChange, kKeepBest, kEmigrate, kImmigrate, kReport, kDigest};
}

void PgaGrid::start(Device& place) {
    const std::uint32_t given = place.upload_warm_starts(place.view().solutions);
    place.launch(kPopulate, tiles(place), kThreads, 0, place.view(), place.problem_view(), given);
    keep_best(place, 0);
}

void PgaGrid::select(Device& place, std::uint64_t t) {
    const std::uint32_t shared = place.view().opponents_in_shared != 0 ? rules_.cells * 4 : 0;
    place.launch(kSelect, place.shard().groups, kThreads, shared, place.view(), t);
}

void PgaGrid::cross(Device& place, std::uint64_t t) {
    place.launch(kCross, tiles(place), kThreads, 0, place.view(), place.problem_view(), t);
}

void PgaGrid::mutate_and_transpose(Device& place, std::uint64_t t) {
    place.launch(kChange, tiles(place), kThreads, 0, place.view(), place.problem_view(), t);
}

void PgaGrid::immigrate(Device& place) {
    place.launch(kImmigrate, place.shard().groups, kThreads, 0, place.view());
}

void PgaGrid::report(Device& place, std::uint64_t, bool) {
    place.launch(kReport, 1, 32, 0, place.view(), place.shard().groups, place.report_buffer());
}

void PgaGrid::digest(Device& place, std::uint64_t t, qapfw_cost best) {
    const std::uint32_t blocks = (place.shard().individuals() + kThreads / 32 - 1) / (kThreads / 32);
    place.launch(kDigest, blocks, kThreads, 0, place.view(), best.i, t, place.report_buffer());
}

PgaGrid::ChildCounts PgaGrid::children_of(OnDevices& population) const {
    ChildCounts counts{};
    for (const auto& place : population.places()) {
        for (std::size_t k = 0; k < kChildCounts; ++k) counts[k] += place->report().told[k];
    }
    return counts;
}

}  // namespace qapfw::pga_grid
