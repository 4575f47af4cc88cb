// SPDX-License-Identifier: Apache-2.0
// The steps of the island model GA as kernels on a GPU.
#include <fmt/format.h>

#include <cstddef>

#include "embedded/imga_texts.hpp"
#include "plugins/imga/imga.hpp"
#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::imga {
namespace {

constexpr sdk::KernelName kDraw{"qapfw_imga_draw", "population_kernels.cuh"},
    kBegin{"qapfw_imga_begin", "population_kernels.cuh"}, kBreed{"qapfw_imga_breed", "breeding_kernels.cuh"},
    kChoose{"qapfw_imga_choose", "improvement_kernels.cuh"},
    kTakeImproved{"qapfw_imga_take_improved", "improvement_kernels.cuh"},
    kReplace{"qapfw_imga_replace", "replacement_kernels.cuh"},
    kEmigrate{"qapfw_imga_emigrate", "migration_kernels.cuh"},
    kImmigrate{"qapfw_imga_immigrate", "migration_kernels.cuh"}, kReport{"qapfw_imga_report", "report_kernels.cuh"},
    kDigest{"qapfw_imga_digest", "report_kernels.cuh"};

constexpr std::uint32_t kWarps = kThreads / 32;
constexpr std::uint32_t kBlocksAtATime = 16;  ///< CUDA blocks wanted for each multiprocessor

/// The largest dynamic shared memory of a CUDA block of qapfw_imga_breed, in bytes.
constexpr std::uint32_t kMostShared = 64 * 1024;

std::uint32_t blocks_for(std::uint64_t items, std::uint32_t of_block) {
    return static_cast<std::uint32_t>((items + of_block - 1) / of_block);
}

/// Number of CUDA blocks that make an island's children. Each CUDA block makes kThreads children, or fewer if
/// multiprocessors would be idle otherwise.
std::uint32_t blocks_of_island(const sdk::Shard& shard, std::uint32_t multiprocessors) {
    std::uint32_t part = kThreads;
    const auto blocks = [&] { return blocks_for(shard.size, part); };
    while (part > kWarps && shard.groups * blocks() < kBlocksAtATime * multiprocessors) part /= 2;
    return blocks();
}

}  // namespace

/// Bytes of shared memory that one warp needs for a child, its parents, a mirror image, and a number per position. The
/// warps of a CUDA block may use at most kMostShared bytes, and at most half of the block's shared memory, because the
/// cost needs the rest. Returns 0 if the warps need more than they may use.
std::uint32_t Imga::work_bytes(const qapfw_device& gpu) const {
    const std::uint64_t wanted =
        4 * context_.problem.solution_bytes() + (2 * std::uint64_t{options_.rules.n} + 15) / 16 * 16;
    const std::uint64_t room = std::min<std::uint64_t>(kMostShared, gpu.shared_bytes_per_block / 2);
    return kWarps * wanted <= room ? static_cast<std::uint32_t>(wanted) : 0;
}

/// Number of places on one GPU: several if the improver's searches differ in length. While one place waits, the GPU
/// works for the others.
std::uint32_t Imga::places_on_gpu() const {
    const qapfw_improver_ref* const improver = context_.improver;
    const bool waits = improver != nullptr && !sdk::counts_enqueued(*improver);
    return waits ? kPlacesWithImprover : 1;
}

sdk::KernelRequest Imga::kernel_request(const sdk::KernelName& name, const qapfw_device& gpu, const sdk::Shard&) const {
    return {sdk::with_included(device::kTexts, name.file),
            name.entry,
            {work_bytes(gpu) > 0 ? "IMGA_IN_SHARED=1" : "IMGA_IN_SHARED=0",
             options_.bits_offset > 0 ? "IMGA_HAS_BITS=1" : "IMGA_HAS_BITS=0",
             fmt::format("IMGA_CROSSOVERS={}", 1u << options_.rules.crossover)},
            true};
}

/// Each file of kernels is compiled separately, in parallel with the others and with later work on the host. The
/// slowest compilations come first.
std::vector<sdk::KernelName> Imga::kernels() const {
    return {kBreed, kDraw, kBegin, kImmigrate, kEmigrate, kReplace, kReport, kDigest, kChoose, kTakeImproved};
}

void Imga::prepare(Device& place) const {
    set_values(place.view(), place.shard());
    place.view().evaluations = reinterpret_cast<unsigned long long*>(
        place.report_buffer().address(offsetof(sdk::PopulationReport, evaluations)));
}

void Imga::draw(Device& place, std::uint64_t t) {
    const unsigned char* const warm = t == 0 ? place.warm_starts() : nullptr;
    const std::uint64_t warm_count = t == 0 ? place.settings().warm_count() : 0;
    place.change_in_place();
    place.launch(kDraw, place.shard().groups * blocks_for(place.shard().size, kThreads), kThreads, 0, place.view(),
                 place.problem_view(), warm, warm_count, t);
}

void Imga::improve_drawn(Device& place, std::uint64_t t) {
    place.improve(place.view().parents, place.view().costs, 0, place.shard().individuals(), t, kStartImproverStream);
}

void Imga::begin(Device& place, std::uint64_t t) {
    place.launch(kBegin, place.shard().groups, 32, 0, place.view(), t);
}

void Imga::breed(Device& place, std::uint64_t t) {
    const std::uint32_t bytes = work_bytes(place.device());
    const std::uint32_t blocks = blocks_of_island(place.shard(), place.device().multiprocessors);
    place.launch(kBreed, place.shard().groups * blocks, kThreads, kWarps * bytes, place.view(), place.problem_view(), t,
                 bytes);
}

/// Improves each child with probability improve_rate, but never a child that equals a parent.
void Imga::improve(Device& place, std::uint64_t t) {
    if (!place.improves()) return;
    const View& all = place.view();
    std::uint32_t count = 0;
    place.fill(count_of_chosen_, 0);
    place.launch(kChoose, blocks_for(place.shard().individuals(), kWarps), kThreads, 0, all, t);
    place.fetch(std::span(&count, 1), all.chosen.count);
    if (count == 0) return;
    place.improve_numbered(all.chosen.solutions, all.chosen.costs, all.chosen.numbers, count, t, kImproverStream);
    place.launch(kTakeImproved, blocks_for(count, kWarps), kThreads, 0, all, count);
}

/// Chooses the next population. Without `distinct` the kernel leaves it in the children's arrays. The arrays of parents
/// and children are then swapped, so that nothing is copied.
void Imga::replace(Device& place, std::uint64_t t) {
    if (options_.distinct) place.change_in_place();
    place.launch(kReplace, place.shard().groups, kThreads, 0, place.view(), t);
    if (options_.distinct) return;
    place.swap(parents_, children_);
    place.swap(costs_, child_costs_);
}

void Imga::show_emigrants(Device& place) {
    place.launch(kEmigrate, place.shard().groups, 32, 0, place.view());
}

void Imga::take_immigrants(Device& place, std::uint64_t t) {
    place.change_in_place();
    place.launch(kImmigrate, place.shard().groups, 32, 0, place.view(), t);
}

void Imga::report(Device& place, std::uint64_t t, bool complete) {
    place.launch(kReport, 1, kReportThreads, 0, place.view(), place.report_buffer());
    if (!complete) return;
    const std::uint32_t individuals = place.shard().individuals();
    const std::uint32_t of_warp = kernels::ga_digested_by_warp(individuals, place.device().multiprocessors);
    place.launch(kDigest, blocks_for(individuals, kWarps * of_warp), kThreads, 0, place.view(), place.report_buffer(),
                 t, of_warp);
}

}  // namespace qapfw::imga
