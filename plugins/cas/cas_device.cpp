// SPDX-License-Identifier: Apache-2.0
// The steps of the cunning ant system on GPUs.
#include <algorithm>
#include <string>

#include "embedded/cas_texts.hpp"
#include "plugins/cas/cas.hpp"
#include "plugins/cas/construction_scratch.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::cas {
namespace {

constexpr sdk::KernelName kSample{"qapfw_cas_sample"}, kFirstTrails{"qapfw_cas_lay_first_trails"},
    kUpdateTrail{"qapfw_cas_update_trail"}, kConstruct{"qapfw_cas_construct"}, kSelect{"qapfw_cas_select"},
    kSelectAndExchange{"qapfw_cas_select_and_exchange"}, kShowChampions{"qapfw_cas_show_champions"},
    kImmigrate{"qapfw_cas_immigrate"}, kEndRound{"qapfw_cas_end_round"};
constexpr std::uint32_t kThreads = 128;       ///< threads of a CUDA block, as in device/cas_colonies.cuh
constexpr std::uint32_t kExchangeWarps = 32;  ///< greatest number of warps per CUDA block in kernels that exchange ants
/// A CUDA block sums the deposits of at most this many entries of a trail row at a time. The sums take 32 KiB.
constexpr std::uint32_t kRowChunk = 4096;
constexpr std::uint64_t kDigestBlocks = 1024;  ///< largest number of CUDA blocks for the digest
constexpr std::uint64_t kPieceBytes = 16;      ///< size of a SolutionUnit, for the copy at a round's end

/// Bytes of dynamic shared memory for a construction.
std::uint32_t construction_bytes(const View& view) {
    return view.scratch_in_shared != 0 ? view.scratch_bytes : 0;
}

const Colonies& colonies_of(Cas::Device& place) {
    return place.view();
}

std::uint32_t exchange_threads(const Colonies& colonies) {
    return 32 * std::min(colonies.rules.ants, kExchangeWarps);
}

}  // namespace

sdk::KernelRequest Cas::kernel_request(const sdk::KernelName& name, const qapfw_device&, const sdk::Shard&) const {
    sdk::KernelRequest request{sdk::in_include_order(device::kTexts), name.entry, {}, true};
    if (options_.has_bits()) {
        request.defines.emplace_back("QAPFW_BITS_OFFSET=" + std::to_string(options_.shape.bits_offset));
    }
    return request;
}

std::vector<sdk::KernelName> Cas::kernels() const {
    return {kSample,        kFirstTrails, kUpdateTrail, kConstruct, kSelect, kSelectAndExchange,
            kShowChampions, kImmigrate,   kEndRound};
}

void Cas::prepare_scratch(Device& place) const {
    const ConstructionScratch scratch = construction_scratch(place.device(), options_);
    place.view().scratch_bytes = scratch.bytes;
    place.view().rows_at_a_time = scratch.rows;
    place.view().scratch_in_shared = scratch.in_shared ? 1 : 0;
}

void Cas::sample_randomly(Device& place) {
    const std::uint64_t bytes = place.settings().bytes(), ants = place.shard().individuals();
    std::vector<unsigned char> base(bytes), first;
    sdk::base_solution(context_.problem, base.data());
    first.reserve(ants * bytes);
    for (std::uint64_t k = 0; k < ants; ++k) first.insert(first.end(), base.begin(), base.end());
    place.upload(reinterpret_cast<std::uint64_t>(place.view().children), first);
    place.stream().synchronize();
    const std::uint32_t given = place.upload_warm_starts(place.view().children);
    place.launch(kSample, place.shard().individuals(), kThreads, construction_bytes(place.view()), colonies_of(place),
                 place.problem_view(), given);
    place.count(ants);
}

void Cas::update_trail(Device& place) {
    if (options_.free.empty()) return;
    const std::uint32_t chunk = std::min(options_.most_values, kRowChunk);
    place.launch(kUpdateTrail, {place.view().tables.free_count, place.shard().groups}, kThreads,
                 chunk * static_cast<std::uint32_t>(sizeof(std::uint64_t)), colonies_of(place), chunk);
}

void Cas::construct(Device& place, std::uint64_t iteration) {
    place.launch(kConstruct, place.shard().individuals(), kThreads, construction_bytes(place.view()),
                 colonies_of(place), place.problem_view(), iteration);
    place.count(place.shard().individuals());
}

void Cas::select(Device& place, std::uint64_t iteration) {
    const std::uint32_t blocks = (place.shard().individuals() * 32 + kThreads - 1) / kThreads;
    place.launch(kSelect, blocks, kThreads, 0, colonies_of(place), iteration);
}

/// Selects, and exchanges if an exchange is due and this GPU has all colonies. Iteration 0 only exchanges, because
/// start() has already selected. start() also lays the first trails, from the costs that ants have before any exchange.
void Cas::select_and_maybe_exchange(Device& place, std::uint64_t iteration) {
    if (exchange_is_due(iteration + 1) && exchanges_in_kernel(place)) {
        place.launch(kSelectAndExchange, place.shard().groups, exchange_threads(place.view()), 0, colonies_of(place),
                     iteration, place.view().exchange);
    } else if (iteration > 0) {
        select(place, iteration);
    }
}

void Cas::lay_first_trails(Device& place) {
    place.launch(kFirstTrails, {std::max(place.view().tables.free_count, 1u), place.shard().groups}, kThreads, 0,
                 colonies_of(place), cost_bound(context_.problem.info()));
}

void Cas::show_champions(Device& place) {
    place.launch(kShowChampions, place.shard().groups, exchange_threads(place.view()), 0, colonies_of(place),
                 place.view().exchange);
}

void Cas::immigrate(Device& place) {
    place.launch(kImmigrate, place.shard().groups, exchange_threads(place.view()), 0, colonies_of(place),
                 place.view().exchange, options_.colonies);
}

void Cas::report(Device& place, std::uint64_t t, bool complete) {
    const std::uint64_t threads = std::max<std::uint64_t>(32 * std::uint64_t{place.shard().individuals()},
                                                          options_.trail_size() * place.shard().groups);
    const auto blocks = static_cast<std::uint32_t>(std::min(kDigestBlocks, (threads + kThreads - 1) / kThreads));
    const sdk::StateBytes state = complete ? place.mark_by_kernel() : sdk::StateBytes{};
    const sdk::StateBytes marking{state.now, state.marked, state.bytes / kPieceBytes};
    place.launch(kEndRound, 1 + blocks, kThreads, 0, colonies_of(place), t, place.report_buffer(), marking);
}

}  // namespace qapfw::cas
