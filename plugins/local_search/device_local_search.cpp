// SPDX-License-Identifier: Apache-2.0
#include "plugins/local_search/device_local_search.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "embedded/local_search_texts.hpp"
#include "qapfw/sdk/few_searches.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::local_search {
namespace {

sdk::KernelRequest request(const qapfw_device& device, Descent descent, std::uint64_t solutions,
                           const sdk::ThreadAssignment& assignment, const char* entry) {
    sdk::KernelRequest request;
    request.texts = sdk::with_included(device::kTexts, "local_search_kernel.cuh");
    request.entry = entry;
    sdk::define_searches(request, device, solutions);
    sdk::define_assignment(request, assignment);
    if (descent != Descent::kBestImprovement) request.defines.emplace_back("LOCAL_SEARCH_SWEEPS=1");
    return request;
}

}  // namespace

void DeviceLocalSearch::announce(const qapfw_device& device, Descent descent, std::uint64_t capacity,
                                 const sdk::ThreadAssignment& assignment) {
    const sdk::KernelRequest kernels[] = {request(device, descent, capacity, assignment, "qapfw_local_search")};
    sdk::prepare(device, kernels);
}

DeviceLocalSearch::DeviceLocalSearch(const qapfw_device& device, const sdk::ProblemRef& problem, Descent descent,
                                     std::uint64_t capacity, const sdk::ThreadAssignment& assignment)
    : device_(device),
      view_(device),
      descent_(descent),
      stride_(static_cast<std::uint32_t>(problem.solution_bytes() / sizeof(std::uint16_t))),
      pairs_(sdk::free_pairs(problem)),
      layout_kernel_(device, request(device, descent, capacity, assignment, "qapfw_local_search_write_layout")),
      kernel_(device, request(device, descent, capacity, assignment, "qapfw_local_search")),
      own_stream_(device),
      scans_(device, capacity) {
    sdk::DeviceBuffer<std::uint64_t> layout(device, std::size(layout_));
    layout_kernel_.launch(own_stream_, 1, 1, 0, layout);
    layout.download(own_stream_, layout_);
    if (capacity > 0) scans_.fill(own_stream_, 0);
    own_stream_.synchronize();
    workspace_ = sdk::DeviceBuffer<unsigned char>(device, capacity * layout_[3]);
}

std::uint64_t DeviceLocalSearch::solutions_at_a_time() const {
    const auto threads = static_cast<std::uint32_t>(layout_[1]), shared = static_cast<std::uint32_t>(layout_[0]);
    return std::max(kernel_.occupancy(threads, shared), 1u) * device_.multiprocessors * layout_[2];
}

void DeviceLocalSearch::enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, std::uint64_t limit,
                                std::uint64_t evaluations) {
    sdk::Stream queue = sdk::Stream::borrow(device_, stream);
    sdk::ArgumentBytes argument;
    argument.append_view(view_);
    for (const std::uint64_t value :
         {batch.solutions, batch.costs, scans_.address(), evaluations, workspace_.address(), limit, pairs_}) {
        argument.append(value);
    }
    const auto count = static_cast<std::uint32_t>(batch.count);
    for (const std::uint32_t value : {count, stride_, static_cast<std::uint32_t>(descent_)}) argument.append(value);
    const auto teams = static_cast<std::uint32_t>(layout_[2]);
    kernel_.launch(queue, (count + teams - 1) / teams, static_cast<std::uint32_t>(layout_[1]),
                   static_cast<std::uint32_t>(layout_[0]), argument);
}

std::uint64_t DeviceLocalSearch::evaluations() const {
    std::vector<std::uint64_t> scans(scans_.size());
    scans_.download(own_stream_, scans);
    own_stream_.synchronize();
    return pairs_ * std::accumulate(scans.begin(), scans.end(), std::uint64_t{0});
}

}  // namespace qapfw::local_search
