// SPDX-License-Identifier: Apache-2.0
// Improver "annealing" on one GPU; the device code is device/annealing_kernel.cuh.
#include <algorithm>

#include "embedded/local_search_texts.hpp"
#include "plugins/local_search/annealing.hpp"
#include "qapfw/sdk/device_moves.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::local_search {
namespace {

constexpr std::uint32_t kAnnealingWarps = 4;  ///< warps of a CUDA block, as in the kernel
/// Estimated number of searches that a multiprocessor runs at once. The exact number would need a compiled kernel.
constexpr std::uint64_t kAnnealingsOfMultiprocessor = 32;
/// Number of proposals that all searches together make in the first launch, and planned seconds of each later launch.
constexpr std::uint64_t kFirstProposals = 1u << 18;
constexpr double kLaunchSeconds = 0.1;
/// Bytes of the kernel's struct AnnealingSearch: an AnnealingStanding and two costs.
constexpr std::size_t kSearchBytes = sizeof(AnnealingStanding) + 2 * sizeof(qapfw_cost);
constexpr std::uint32_t kBegin = 1, kEnd = 2;

sdk::KernelRequest annealing_request(bool inserts) {
    sdk::KernelRequest request;
    if (inserts) request.defines.emplace_back(sdk::kInsertionsDefine);
    request.texts = sdk::with_included(device::kTexts, "annealing_kernel.cuh");
    request.entry = "qapfw_annealing";
    return request;
}

/// Returns the kernel's argument, a struct AnnealingLaunch, as bytes.
sdk::ArgumentBytes argument_of(const sdk::ProblemView& view, const AnnealingPlan& plan,
                               const kernels::SegmentList& list, std::initializer_list<std::uint64_t> wide,
                               std::initializer_list<std::uint32_t> narrow) {
    sdk::ArgumentBytes argument;
    argument.append_view(view);
    argument.append(plan);
    argument.append(list);
    for (const std::uint64_t value : wide) argument.append(value);
    for (const std::uint32_t value : narrow) argument.append(value);
    return argument;
}

}  // namespace

std::uint64_t Annealing::DeviceWorkspace::capacity(const Annealing&, const qapfw_device& device) {
    return kAnnealingsOfMultiprocessor * device.multiprocessors;
}

void Annealing::DeviceWorkspace::announce(const Annealing& improver, const qapfw_device& device, std::uint64_t) {
    const sdk::KernelRequest kernels[] = {annealing_request(improver.inserts())};
    sdk::prepare(device, kernels);
}

Annealing::DeviceWorkspace::DeviceWorkspace(const Annealing& improver, const qapfw_device* device,
                                            std::uint64_t capacity)
    : improver_(improver),
      device_(*device),
      view_(*device),
      kernel_(*device, annealing_request(improver.inserts())),
      segments_(improver.segments().upload(*device)),
      current_(*device, capacity * improver.problem().solution_bytes()),
      best_(*device, capacity * improver.problem().solution_bytes()),
      searches_(*device, capacity * kSearchBytes),
      launches_(kFirstProposals, ~std::uint64_t{0} / 2, kLaunchSeconds) {
    sdk::Stream stream(*device);
    if (!sdk::has_segments(improver.problem())) {
        const std::vector<std::uint16_t> order =
            improver.inserts() ? sdk::insertion_positions(improver.problem()) : sdk::kernel_order(improver.problem());
        order_ = sdk::DeviceBuffer<std::uint16_t>(*device, order.size());
        order_.upload(stream, std::span<const std::uint16_t>(order));
        stream.synchronize();
    }
}

void Annealing::DeviceWorkspace::enqueue(qapfw_stream* stream, const qapfw_device_batch& batch,
                                         const qapfw_improve_request& request) {
    const AnnealingPlan plan = improver_.plan(request);
    if (plan.elements == 0 || batch.count == 0) return;
    const qapfw_encoding& encoding = improver_.problem().encoding();
    const bool has_bits = !sdk::has_segments(improver_.problem()) && encoding.segment_count == 2;
    const auto count = static_cast<std::uint32_t>(batch.count);
    sdk::Stream queue = sdk::Stream::borrow(device_, stream);
    std::uint64_t proposals = 0;  // proposals of each search
    bool is_warm = false;
    for (std::uint32_t flags = kBegin; (flags & kEnd) == 0; flags = 0) {
        const bool stop =
            flags == 0 && request.should_stop != nullptr && request.should_stop(request.stop_context) != 0;
        const std::uint64_t before = proposals, most = std::max<std::uint64_t>(1, launches_.value() / count);
        std::uint64_t beats = 0;
        for (; !stop && proposals < plan.limit && proposals - before < most; ++beats) {
            const bool becomes_warm = !is_warm && proposals >= plan.descent;
            is_warm = is_warm || becomes_warm;
            proposals = annealing_after_beat(plan, proposals, becomes_warm);
        }
        if (stop || proposals >= plan.limit) flags |= kEnd;
        const sdk::ArgumentBytes argument = argument_of(
            view_, plan, segments_.list,
            {request.seed, beats, batch.solutions, batch.costs, current_.address(), best_.address(),
             searches_.address(), order_.size() > 0 ? order_.address() : 0, request.individuals, request.evaluations},
            {count, static_cast<std::uint32_t>(improver_.problem().solution_bytes()),
             has_bits ? encoding.segments[1].offset : 0, request.generation, request.first_individual, request.stream,
             flags});
        launches_.start();
        kernel_.launch(queue, (count + kAnnealingWarps - 1) / kAnnealingWarps, 32 * kAnnealingWarps, 0, argument);
        evaluations_ += (proposals - before) * count;
        if ((flags & kEnd) != 0) break;
        queue.synchronize();
        launches_.finish(std::max<std::uint64_t>(1, (proposals - before) * count));
    }
}

}  // namespace qapfw::local_search
