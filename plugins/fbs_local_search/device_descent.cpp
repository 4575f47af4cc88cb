// SPDX-License-Identifier: Apache-2.0
#include "plugins/fbs_local_search/device_descent.hpp"

#include "embedded/fbs_local_search_texts.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/device_improver.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::fbs_local_search {
namespace {

sdk::KernelRequest request_of(const char* entry) {
    sdk::KernelRequest request;
    request.texts = sdk::in_include_order(device::kTexts);
    request.entry = entry;
    return request;
}

const sdk::ProblemRef& without_fixed_positions(const sdk::ProblemRef& problem) {
    if (problem.encoding().fixed != nullptr) {
        throw Error(ErrorKind::kUnsupported,
                    "improver fbs_local_search does not run on GPUs if the problem fixes positions: choose "
                    "device.backend = \"cpu\"");
    }
    return problem;
}

}  // namespace

void DeviceDescent::announce(const qapfw_device& device) {
    const sdk::KernelRequest kernels[] = {request_of("qapfw_fbs_local_search")};
    sdk::prepare(device, kernels);
}

DeviceDescent::DeviceDescent(const qapfw_device& device, const sdk::ProblemRef& problem, std::uint64_t capacity)
    : device_(device),
      view_(device),
      stride_(static_cast<std::uint32_t>(without_fixed_positions(problem).solution_bytes())),
      layout_kernel_(device, request_of("qapfw_fbs_local_search_write_layout")),
      kernel_(device, request_of("qapfw_fbs_local_search")),
      own_stream_(device),
      looked_at_(device, 1),
      unfinished_(device, 1) {
    sdk::DeviceBuffer<std::uint64_t> layout(device, std::size(layout_));
    layout_kernel_.launch(own_stream_, 1, 1, 0, layout);
    layout.download(own_stream_, layout_);
    looked_at_.fill(own_stream_, 0);
    own_stream_.synchronize();
    states_ = sdk::DeviceBuffer<unsigned char>(device, capacity * layout_[1]);
}

void DeviceDescent::enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, const qapfw_improve_request& request,
                            const DescentOptions& options) {
    if (batch.count == 0) return;
    sdk::Stream queue = sdk::Stream::borrow(device_, stream);
    for (std::uint32_t start = 1, unfinished = 1; unfinished > 0; start = 0) {
        const std::uint64_t slice = std::min(options.slice, std::max(slices_.value(), kShortestSlice));
        sdk::ArgumentBytes argument;
        argument.append_view(view_);
        for (const std::uint64_t value :
             {batch.solutions, batch.costs, states_.address(), looked_at_.address(), unfinished_.address(),
              request.seed, std::uint64_t{request.generation} << 32, slice, options.moves, options.evaluations,
              request.individuals, request.evaluations}) {
            argument.append(value);
        }
        for (const std::uint32_t value :
             {static_cast<std::uint32_t>(batch.count), stride_, request.first_individual, request.stream, start,
              options.improvement == Improvement::kBest ? 1u : 0u, static_cast<std::uint32_t>(options.ranges.size())}) {
            argument.append(value);
        }
        kernels::FbsMoveRange ranges[kernels::kFbsMoveKinds] = {};
        std::copy(options.ranges.begin(), options.ranges.end(), ranges);
        for (const kernels::FbsMoveRange& range : ranges) argument.append(range);
        unfinished_.fill(queue, 0);
        slices_.start();
        kernel_.launch(queue, static_cast<std::uint32_t>(batch.count), static_cast<std::uint32_t>(layout_[0]), 0,
                       argument);
        if (options.evaluations <= slice) return;  // all solutions are then finished
        unfinished_.download(queue, {&unfinished, 1});
        queue.synchronize();
        slices_.finish(slice);
        if (request.should_stop != nullptr && request.should_stop(request.stop_context) != 0) return;
    }
}

std::uint64_t DeviceDescent::evaluations() const {
    std::uint64_t looked_at = 0;
    looked_at_.download(own_stream_, {&looked_at, 1});
    own_stream_.synchronize();
    return looked_at;
}

}  // namespace qapfw::fbs_local_search
