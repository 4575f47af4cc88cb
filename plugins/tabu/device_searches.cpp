// SPDX-License-Identifier: Apache-2.0
#include "plugins/tabu/device_searches.hpp"

#include <algorithm>

#include "embedded/tabu_texts.hpp"
#include "plugins/tabu/segment_search.hpp"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/sdk/few_searches.hpp"
#include "qapfw/sdk/neighbourhood_choice.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::tabu {
namespace {

std::vector<std::string> kernel_defines(const kernels::TabuOptions& options, KernelMoves moves) {
    const bool long_term = options.long_term > 0;
    const bool short_tenures = options.min_tenure + options.tenure_range < (1 << 14);
    std::vector<std::string> defines = {std::string("TABU_LONG_TERM=") + (long_term ? "1" : "0"),
                                        std::string("TABU_SHORT_TENURES=") + (short_tenures ? "1" : "0")};
    if (moves == KernelMoves::kLayouts) defines.emplace_back("TABU_MOVES_BITS");
    return defines;
}

sdk::KernelRequest request(const qapfw_device& device, const kernels::TabuOptions& options,
                           const sdk::ThreadAssignment& assignment, std::uint64_t searches, KernelMoves moves,
                           const char* entry) {
    sdk::KernelRequest request;
    request.entry = entry;
    if (moves == KernelMoves::kSegments || moves == KernelMoves::kInsertions) {
        if (moves == KernelMoves::kInsertions) request.defines.emplace_back(sdk::kInsertionsDefine);
        request.texts = sdk::with_included(device::kTexts, "segment_tabu_kernel.cuh");
        return request;
    }
    request.texts = sdk::with_included(device::kTexts, "tabu_kernel.cuh");
    request.defines = kernel_defines(options, moves);
    sdk::define_assignment(request, assignment);
    sdk::define_searches(request, device, searches);
    return request;
}

constexpr const char* kSearchEntry = "qapfw_tabu_search";

}  // namespace

sdk::KernelRequest search_request(const qapfw_device& device, const kernels::TabuOptions& options,
                                  const sdk::ThreadAssignment& assignment, std::uint64_t searches, KernelMoves moves) {
    return request(device, options, assignment, searches, moves, kSearchEntry);
}

KernelMoves kernel_moves(const sdk::ProblemRef& problem, bool moves_bits, bool inserts) {
    if (inserts) return KernelMoves::kInsertions;
    if (sdk::has_segments(problem)) return KernelMoves::kSegments;
    return moves_bits && has_bits(problem) ? KernelMoves::kLayouts : KernelMoves::kExchanges;
}

std::uint32_t gpu_capacity(std::span<const qapfw_device* const> devices, const sdk::ProblemRef& problem,
                           const kernels::TabuOptions& options, const sdk::ThreadAssignment& assignment,
                           KernelMoves moves) {
    const bool has_list = moves == KernelMoves::kSegments || moves == KernelMoves::kInsertions;
    std::uint32_t capacity = 0;
    for (const qapfw_device* device : devices) {
        const std::uint64_t hinted = has_list ? 0 : sdk::hinted_searches(problem, *device, assignment);
        capacity += hinted > 0 ? static_cast<std::uint32_t>(hinted)
                               : TabuKernel(*device, problem, options, assignment, 0, moves).capacity();
    }
    return capacity;
}

TabuKernel::TabuKernel(const qapfw_device& device, const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
                       const sdk::ThreadAssignment& assignment, std::uint64_t searches, KernelMoves moves)
    : view_(device),
      stride_(static_cast<std::uint32_t>(problem.solution_bytes() / sizeof(std::uint16_t))),
      segments_(segments_of(device, problem, moves)),
      layout_kernel_(device, request(device, options, assignment, searches, moves, "qapfw_tabu_write_layout")),
      kernel_(device, search_request(device, options, assignment, searches, moves)) {
    sdk::Stream stream(device);
    sdk::DeviceBuffer<TabuLayout> layout(device, 1);
    layout_kernel_.launch(stream, 1, 1, 0, layout);
    layout.download(stream, std::span(&layout_, 1));
    stream.synchronize();
    const std::uint32_t blocks = kernel_.occupancy(static_cast<std::uint32_t>(layout_.block_threads),
                                                   static_cast<std::uint32_t>(layout_.shared_bytes));
    capacity_ = std::max(blocks, 1u) * device.multiprocessors * static_cast<std::uint32_t>(layout_.block_searches);
}

std::optional<TabuKernel::Segments> TabuKernel::segments_of(const qapfw_device& device, const sdk::ProblemRef& problem,
                                                            KernelMoves moves) {
    const bool inserts = moves == KernelMoves::kInsertions;
    if (!inserts && moves != KernelMoves::kSegments) return std::nullopt;
    const ValueMemory memory(problem);
    const sdk::SegmentArrays arrays = segment_arrays(problem, inserts);
    Segments segments{inserts ? sdk::DeviceMoves::of_insertions(device, problem, arrays)
                              : sdk::DeviceMoves(device, problem.encoding(), arrays),
                      sdk::DeviceBuffer<std::uint64_t>(device, memory.offsets().size()), ValueMemory::size(problem),
                      memory.has_each_value() ? 1u : 0u};
    sdk::Stream stream(device);
    segments.offsets.upload(stream, std::span<const std::uint64_t>(memory.offsets()));
    stream.synchronize();
    return segments;
}

void TabuKernel::launch(sdk::Stream& stream, const Arrays& arrays, const kernels::TabuOptions& options,
                        std::uint64_t iterations) {
    sdk::ArgumentBytes argument;
    argument.append_view(view_);
    argument.append(options);
    argument.append(iterations);
    for (const std::uint64_t address :
         {arrays.current, arrays.best, arrays.expiry, arrays.states, arrays.digests, arrays.workspace, arrays.costs,
          arrays.numbers, arrays.evaluations, arrays.evaluated}) {
        argument.append(address);
    }
    for (const std::uint32_t value : {arrays.count, arrays.first_search, stride_, arrays.flags}) argument.append(value);
    if (segments_) {
        segments_->moves.append_to(argument);
        argument.append(segments_->offsets);
        argument.append(segments_->expiry_words);
        argument.append(segments_->by_value);
    }
    const auto teams = static_cast<std::uint32_t>(layout_.block_searches);
    kernel_.launch(stream, (arrays.count + teams - 1) / teams, static_cast<std::uint32_t>(layout_.block_threads),
                   static_cast<std::uint32_t>(layout_.shared_bytes), argument);
}

DeviceSearches::DeviceSearches(Place& place, const kernels::TabuOptions& options,
                               const sdk::ThreadAssignment& assignment, std::uint64_t searches, KernelMoves moves)
    : options_(options),
      kernel_(place.device(), place.settings().problem, options, assignment, searches, moves),
      device_digests_(place.device(), place.shard().groups),
      workspace_(place.device(), place.shard().groups * kernel_.workspace_bytes()),
      standings_(place.shard().groups),
      digests_(place.shard().groups) {}

void DeviceSearches::enqueue(Place& place, std::uint64_t iterations, std::uint32_t flags, std::uint32_t first,
                             std::uint32_t count) {
    const Searches& all = place.view();
    const std::uint64_t solution = first * place.settings().bytes();
    const auto at = [](const auto* field) { return reinterpret_cast<std::uint64_t>(field); };
    const TabuKernel::Arrays arrays{at(all.current) + solution,
                                    at(all.best) + solution,
                                    at(all.expiry + first * kernel_.expiry_words()),
                                    at(all.standing + first),
                                    device_digests_.address(first),
                                    workspace_.address(first * kernel_.workspace_bytes()),
                                    0,
                                    0,
                                    0,
                                    0,
                                    count,
                                    place.shard().first_group + first,
                                    flags};
    kernel_.launch(place.stream(), arrays, options_, iterations);
    flags_ = TabuKernel::kResume;
}

void DeviceSearches::advance(Place& place, std::uint64_t iterations) {
    enqueue(place, iterations, flags_);
    iteration_ += iterations;
}

void DeviceSearches::look(Place& place) {
    place.fetch(std::span(standings_), place.view().standing);
    device_digests_.download(place.stream(), digests_);
    place.stream().synchronize();
}

std::uint64_t DeviceSearches::digest(const sdk::Shard& shard) const {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < digests_.size(); ++k) {
        sum += kernels::digest_in_round(shard.first_group + k, digests_[k]);
    }
    return sum;
}

const sdk::Leader& DeviceSearches::best_of(Place& place, std::size_t search) {
    const TabuState& standing = standings_[search];
    const std::uint64_t number = place.shard().first_group + search, bytes = place.settings().bytes();
    if (told_.exists() && told_.cost.i == standing.best_cost && told_.found == standing.best_iteration &&
        told_.number == number) {
        return told_;
    }
    told_ = {std::vector<unsigned char>(bytes), best_cost_of(standing), standing.best_iteration, number};
    place.fetch(std::span(told_.solution), reinterpret_cast<const unsigned char*>(place.view().best) + search * bytes);
    return told_;
}

/// Throws if a search was saved on the CPU between a move and the perturbation that is due after it. Only a kernel that
/// goes over a list of moves can continue with a perturbation.
void DeviceSearches::check_perturbations(const sdk::ProblemRef& problem) const {
    if (options_.perturb_after == 0 || kernel_.goes_over_list() || !can_be_perturbed(problem)) return;
    for (const TabuState& one : standings_) {
        if (one.idle < options_.perturb_after) continue;
        throw Error(ErrorKind::kInput,
                    "the run was saved on the CPU just before a perturbation: resume it on the CPU "
                    "(device.backend = \"cpu\")");
    }
}

/// Continues from the saved state. The kernel evaluates each current solution; then the saved costs replace the
/// results. A search adds up deltas, so its real-valued cost differs from an evaluation by rounding errors.
void DeviceSearches::restore(Place& place) {
    look(place);
    const std::vector<TabuState> saved = standings_;
    check_perturbations(place.settings().problem);
    enqueue(place, 0, 0);
    look(place);
    for (std::size_t k = 0; k < saved.size(); ++k) standings_[k].cost = saved[k].cost;
    const auto* bytes = reinterpret_cast<const unsigned char*>(standings_.data());
    place.upload(reinterpret_cast<std::uint64_t>(place.view().standing),
                 {bytes, standings_.size() * sizeof(TabuState)});
    catch_up(place);
}

/// Lets searches that have made fewer iterations than others catch up. The numbers differ if a round on the host was
/// stopped early.
void DeviceSearches::catch_up(Place& place) {
    for (const TabuState& one : standings_) iteration_ = std::max(iteration_, one.iteration);
    for (std::uint32_t k = 0; k < place.shard().groups; ++k) {
        const std::uint64_t behind = iteration_ - standings_[k].iteration;
        if (behind > 0) enqueue(place, behind, TabuKernel::kResume, k, 1);
    }
    place.stream().synchronize();
}

}  // namespace qapfw::tabu
