// SPDX-License-Identifier: Apache-2.0
#include "plugins/local_search/device_segment_descent.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "embedded/local_search_texts.hpp"
#include "qapfw/sdk/few_searches.hpp"
#include "qapfw/sdk/moves_of_segments.hpp"
#include "qapfw/sdk/neighbourhood_choice.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::local_search {
namespace {

constexpr std::uint32_t kWarpsOfBlock = 4;
/// Estimated number of warps that a multiprocessor runs at once. The exact number would need a compiled kernel.
constexpr std::uint64_t kWarpsOfMultiprocessor = 32;

sdk::KernelRequest segment_request(bool inserts) {
    sdk::KernelRequest request;
    if (inserts) request.defines.emplace_back(sdk::kInsertionsDefine);
    request.texts = sdk::with_included(device::kTexts, "segment_descent_kernel.cuh");
    request.entry = "qapfw_segment_descent";
    return request;
}

sdk::DeviceMoves device_moves(const qapfw_device& device, const sdk::ProblemRef& problem, bool inserts) {
    if (inserts) return sdk::DeviceMoves::of_insertions(device, problem, sdk::SegmentArrays::of_any(problem));
    return {device, problem.encoding(), sdk::SegmentArrays(problem, 0, 0)};
}

}  // namespace

void DeviceSegmentDescent::announce(const qapfw_device& device, bool inserts) {
    const sdk::KernelRequest kernels[] = {segment_request(inserts)};
    sdk::prepare(device, kernels);
}

DeviceSegmentDescent::DeviceSegmentDescent(const qapfw_device& device, const sdk::ProblemRef& problem, Descent descent,
                                           std::uint64_t capacity, bool inserts)
    : device_(device),
      view_(device),
      descent_(descent),
      stride_(static_cast<std::uint32_t>(problem.solution_bytes())),
      moves_(inserts ? sdk::insertion_count(problem) : sdk::MoveList(problem).count()),
      kernel_(device, segment_request(inserts)),
      own_stream_(device),
      scans_(device, capacity),
      segments_(device_moves(device, problem, inserts)) {
    if (capacity > 0) scans_.fill(own_stream_, 0);
    own_stream_.synchronize();
}

void DeviceSegmentDescent::enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, std::uint64_t limit,
                                   std::uint64_t evaluations) {
    sdk::Stream queue = sdk::Stream::borrow(device_, stream);
    sdk::ArgumentBytes argument;
    argument.append_view(view_);
    for (const std::uint64_t value : {batch.solutions, batch.costs, scans_.address(), evaluations})
        argument.append(value);
    segments_.append_to(argument);
    argument.append(limit);
    argument.append(moves_);
    const auto count = static_cast<std::uint32_t>(batch.count);
    for (const std::uint32_t value : {count, stride_, static_cast<std::uint32_t>(descent_)}) {
        argument.append(value);
    }
    kernel_.launch(queue, (count + kWarpsOfBlock - 1) / kWarpsOfBlock, 32 * kWarpsOfBlock, 0, argument);
}

std::uint64_t DeviceSegmentDescent::evaluations() const {
    std::vector<std::uint64_t> scans(scans_.size());
    scans_.download(own_stream_, scans);
    own_stream_.synchronize();
    return moves_ * std::accumulate(scans.begin(), scans.end(), std::uint64_t{0});
}

DeviceDescent::DeviceDescent(const qapfw_device& device, const sdk::ProblemRef& problem, Descent descent,
                             std::uint64_t capacity, bool inserts, const sdk::ThreadAssignment& assignment) {
    if (inserts || sdk::has_segments(problem))
        segments_ = std::make_unique<DeviceSegmentDescent>(device, problem, descent, capacity, inserts);
    else
        swaps_ = std::make_unique<DeviceLocalSearch>(device, problem, descent, capacity, assignment);
}

void DeviceDescent::announce(const qapfw_device& device, const sdk::ProblemRef& problem, Descent descent,
                             std::uint64_t capacity, bool inserts, const sdk::ThreadAssignment& assignment) {
    if (inserts || sdk::has_segments(problem))
        DeviceSegmentDescent::announce(device, inserts);
    else
        DeviceLocalSearch::announce(device, descent, capacity, assignment);
}

std::uint64_t DeviceDescent::capacity(const qapfw_device& device, const sdk::ProblemRef& problem, Descent descent,
                                      bool inserts, const sdk::ThreadAssignment& assignment) {
    if (inserts || sdk::has_segments(problem)) return kWarpsOfMultiprocessor * device.multiprocessors;
    const std::uint64_t hinted = sdk::hinted_searches(problem, device, assignment);
    return hinted > 0 ? hinted : DeviceLocalSearch(device, problem, descent, 0, assignment).solutions_at_a_time();
}

void DeviceDescent::enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, std::uint64_t limit,
                            std::uint64_t evaluations) {
    swaps_ ? swaps_->enqueue(stream, batch, limit, evaluations) : segments_->enqueue(stream, batch, limit, evaluations);
}

std::uint64_t DeviceDescent::evaluations() const {
    return swaps_ ? swaps_->evaluations() : segments_->evaluations();
}

}  // namespace qapfw::local_search
