// SPDX-License-Identifier: Apache-2.0
#include "plugins/tabu/device_searches.hpp"

#include <algorithm>
#include <limits>

#include "embedded/tabu_texts.hpp"
#include "qapfw/sdk/few_searches.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::tabu {
namespace {

constexpr std::int64_t kForgotten = std::numeric_limits<std::int64_t>::max();  ///< see device/tabu_kernel.cuh

std::vector<std::string> kernel_defines(const kernels::TabuOptions& options) {
    const bool long_term = options.long_term > 0;
    const bool short_tenures = options.min_tenure + options.tenure_range < (1 << 14);
    std::vector<std::string> defines = {std::string("TABU_LONG_TERM=") + (long_term ? "1" : "0"),
                                        std::string("TABU_SHORT_TENURES=") + (short_tenures ? "1" : "0")};
    return defines;
}

sdk::KernelRequest request(const qapfw_device& device, const kernels::TabuOptions& options,
                           const sdk::ThreadAssignment& assignment, std::uint64_t searches, const char* entry) {
    sdk::KernelRequest request;
    request.texts = sdk::with_included(device::kTexts, "tabu_kernel.cuh");
    request.entry = entry;
    request.defines = kernel_defines(options);
    sdk::define_assignment(request, assignment);
    sdk::define_searches(request, device, searches);
    return request;
}

}  // namespace

TabuKernel::TabuKernel(const qapfw_device& device, const sdk::ProblemRef& problem, const kernels::TabuOptions& options,
                       const sdk::ThreadAssignment& assignment, std::uint64_t searches)
    : view_(device),
      stride_(static_cast<std::uint32_t>(problem.solution_bytes() / sizeof(std::uint16_t))),
      layout_kernel_(device, request(device, options, assignment, searches, "qapfw_tabu_write_layout")),
      kernel_(device, request(device, options, assignment, searches, "qapfw_tabu_search")) {
    sdk::Stream stream(device);
    sdk::DeviceBuffer<std::uint64_t> layout(device, std::size(layout_));
    layout_kernel_.launch(stream, 1, 1, 0, layout);
    layout.download(stream, layout_);
    stream.synchronize();
    const std::uint32_t blocks =
        kernel_.occupancy(static_cast<std::uint32_t>(layout_[1]), static_cast<std::uint32_t>(layout_[0]));
    capacity_ = std::max(blocks, 1u) * device.multiprocessors * static_cast<std::uint32_t>(layout_[2]);
}

void TabuKernel::launch(sdk::Stream& stream, const Arrays& arrays, const kernels::TabuOptions& options,
                        std::uint64_t iterations) {
    sdk::ArgumentBytes argument;
    argument.append_view(view_);
    argument.append(options);
    argument.append(iterations);
    for (const std::uint64_t address : {arrays.current, arrays.best, arrays.expiry, arrays.states, arrays.digests,
                                        arrays.workspace, arrays.costs, arrays.numbers}) {
        argument.append(address);
    }
    for (const std::uint32_t value : {arrays.count, arrays.first_search, stride_, arrays.flags}) argument.append(value);
    const auto teams = static_cast<std::uint32_t>(layout_[2]);
    kernel_.launch(stream, (arrays.count + teams - 1) / teams, static_cast<std::uint32_t>(layout_[1]),
                   static_cast<std::uint32_t>(layout_[0]), argument);
}

DeviceSearches::DeviceSearches(const qapfw_device& device, const sdk::ProblemRef& problem,
                               const kernels::TabuOptions& options, const sdk::ThreadAssignment& assignment,
                               std::uint32_t first, std::uint32_t count, bool few)
    : problem_(problem),
      options_(options),
      first_(first),
      count_(count),
      length_(problem.length()),
      stride_(static_cast<std::uint32_t>(problem.solution_bytes() / sizeof(std::uint16_t))),
      kernel_(device, problem, options, assignment, few ? count : 0),
      stream_(device),
      current_(device, std::size_t{count} * stride_),
      best_(device, std::size_t{count} * stride_),
      expiry_(device, std::size_t{count} * kernel_.expiry_words()),
      device_states_(device, count),
      device_digests_(device, count),
      workspace_(device, std::size_t{count} * kernel_.workspace_bytes()),
      states_(count),
      digests_(count) {}

void DeviceSearches::start(std::span<const std::uint16_t> starts) {
    const std::vector<std::uint16_t> solutions = padded(starts);
    current_.upload(stream_, solutions);
    best_.upload(stream_, solutions);
    flags_ = TabuKernel::kStart;
    enqueue(0);
    wait();
}

void DeviceSearches::enqueue(std::uint64_t iterations) {
    const TabuKernel::Arrays arrays{current_.address(),
                                    best_.address(),
                                    expiry_.address(),
                                    device_states_.address(),
                                    device_digests_.address(),
                                    workspace_.address(),
                                    0,
                                    0,
                                    count_,
                                    first_,
                                    flags_};
    kernel_.launch(stream_, arrays, options_, iterations);
    flags_ = TabuKernel::kResume;
}

void DeviceSearches::replace(std::span<const std::uint16_t> solutions, std::span<const std::uint8_t> forget) {
    const std::vector<std::uint16_t> rows = padded(solutions);
    current_.upload(stream_, rows);
    refresh();
    for (std::uint32_t k = 0; k < count_; ++k) {
        if (forget[k] != 0) states_[k].best_cost = kForgotten;
    }
    device_states_.upload(stream_, states_);
    flags_ = TabuKernel::kNewCurrent;
    enqueue(0);
    wait();
}

void DeviceSearches::refresh() {
    device_states_.download(stream_, states_);
    device_digests_.download(stream_, digests_);
    wait();
}

std::vector<std::uint16_t> DeviceSearches::best_solutions(std::uint32_t from, std::uint32_t count) {
    std::vector<std::uint16_t> solutions(std::size_t{count} * stride_);
    best_.download(stream_, solutions, std::size_t{from} * stride_);
    wait();
    return unpadded(solutions);
}

DeviceSearches::Saved DeviceSearches::save() {
    std::vector<std::uint16_t> current(current_.size());
    Saved saved;
    saved.expiry.resize(expiry_.size());
    current_.download(stream_, current);
    expiry_.download(stream_, saved.expiry);
    refresh();
    saved.current = unpadded(current);
    saved.best = best_solutions(0, count_);
    saved.states = states_;
    return saved;
}

void DeviceSearches::load(const Saved& saved) {
    const std::vector<std::uint16_t> current = padded(saved.current), best = padded(saved.best);
    current_.upload(stream_, current);
    best_.upload(stream_, best);
    expiry_.upload(stream_, saved.expiry);
    device_states_.upload(stream_, saved.states);
    flags_ = 0;
    enqueue(0);
    refresh();
}

std::vector<std::uint16_t> DeviceSearches::padded(std::span<const std::uint16_t> solutions) const {
    const std::size_t count = length_ == 0 ? 0 : solutions.size() / length_;
    std::vector<std::uint16_t> rows(count * stride_, 0);
    for (std::size_t k = 0; k < count; ++k) {
        std::copy_n(solutions.begin() + static_cast<std::ptrdiff_t>(k * length_), length_,
                    rows.begin() + static_cast<std::ptrdiff_t>(k * stride_));
    }
    return rows;
}

std::vector<std::uint16_t> DeviceSearches::unpadded(const std::vector<std::uint16_t>& solutions) const {
    const std::size_t count = solutions.size() / stride_;
    std::vector<std::uint16_t> rows(count * length_);
    for (std::size_t k = 0; k < count; ++k) {
        std::copy_n(solutions.begin() + static_cast<std::ptrdiff_t>(k * stride_), length_,
                    rows.begin() + static_cast<std::ptrdiff_t>(k * length_));
    }
    return rows;
}

}  // namespace qapfw::tabu
