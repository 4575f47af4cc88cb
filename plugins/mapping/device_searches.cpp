// SPDX-License-Identifier: Apache-2.0
#include "plugins/mapping/device_searches.hpp"

#include <algorithm>
#include <cstring>

#include "embedded/mapping_texts.hpp"
#include "plugins/mapping/device/round_rules.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::mapping {
namespace {

constexpr std::uint32_t kThreads = 128;           // threads of a CUDA block, if a search needs many blocks
constexpr std::uint32_t kThreadsAtOnce = 1280;    // threads of kernel propose_ that a multiprocessor runs at once
constexpr std::uint32_t kSpanOfThreads = 7;       // movers that a CUDA block examines for every two of its threads
constexpr std::uint32_t kOrdersInALaunch = 4096;  // greatest number of rounds in a launch of block_

sdk::KernelRequest request(const char* text, const char* entry, std::vector<std::string> defines = {}) {
    sdk::KernelRequest request;
    request.texts = sdk::with_included(device::kTexts, text);
    request.entry = entry;
    request.defines = std::move(defines);
    return request;
}

sdk::KernelRequest look_request(const char* entry, bool with_walks) {
    return request("look_kernels.cuh", entry, {with_walks ? "MAPPING_WALKS=1" : "MAPPING_WALKS=0"});
}

sdk::KernelRequest round_request(const char* entry, std::uint32_t threads) {
    return request(
        "mapping_kernels.cuh", entry,
        {"MAPPING_THREADS=" + std::to_string(threads), "MAPPING_BLOCKS=" + std::to_string(kThreadsAtOnce / threads)});
}

/// Returns the number of threads of a CUDA block that makes proposals. In a large CUDA block more threads read the same
/// data. With few positions CUDA blocks must be small, so that every multiprocessor gets one.
std::uint32_t proposing_threads(std::uint64_t positions_of_all) {
    constexpr std::uint64_t kMany = 500'000;
    return positions_of_all < kMany ? kThreads : 2 * kThreads;
}

std::uint32_t blocks_for(std::uint32_t threads) {
    return (threads + kThreads - 1) / kThreads;
}

}  // namespace

/// Returns the shape of a CUDA block that keeps a search in shared memory. Returns nothing if the search does not fit,
/// or if the order of the positions in device code may differ from the problem's order.
std::optional<DevicePart::BlockShape> DevicePart::block_shape(const qapfw_device& device, std::uint32_t positions,
                                                              std::uint32_t proposals) {
    constexpr std::uint32_t kMost = 1024, kWarp = 32;
    // From this number of positions on, device code may number them in another order than the problem.
    constexpr std::uint32_t kOrderedFrom = 0x4000;
    constexpr std::uint64_t kBytesForPosition = 8 + 4 + 2 * 2;  // code, claim, location, and the vertex at a location
    const std::uint64_t bytes = kBytesForPosition * positions;
    if (positions >= kOrderedFrom || bytes > device.shared_bytes_per_block) return std::nullopt;
    const std::uint32_t steps = (proposals + kMost - 1) / kMost;
    const std::uint32_t threads = ((proposals + steps - 1) / steps + kWarp - 1) / kWarp * kWarp;
    return BlockShape{threads, steps, static_cast<std::uint32_t>(bytes)};
}

DevicePart::DevicePart(const qapfw_device& device, std::uint32_t positions, std::uint32_t movers, SearchRange range)
    : range_(range),
      positions_(positions),
      movers_(movers),
      proposals_(proposals_of(movers)),
      shape_(block_shape(device, positions, proposals_)),
      proposing_threads_(proposing_threads(std::uint64_t{positions} * range.count)),
      span_(proposing_threads_ * kSpanOfThreads / 2),
      view_(device),
      stream_(device),
      costs_kernel_(device, look_request("qapfw_mapping_costs", !shape_)),
      choose_(device, look_request("qapfw_mapping_choose", !shape_)),
      keep_(device, look_request("qapfw_mapping_keep", !shape_)),
      digests_kernel_(device, look_request("qapfw_mapping_digests", !shape_)),
      location_of_(device, std::size_t{positions} * range.count),
      best_location_of_(device, positions),
      logarithms_(device, std::size_t{1} << kLogarithmBits),
      sums_(device, range.count),
      digests_(device, range.count),
      costs_(device, range.count),
      best_(device, 1),
      digests_here_(range.count),
      costs_here_(range.count) {
    if (shape_) {
        block_.emplace(device, request("block_kernel.cuh", "qapfw_mapping_block",
                                       {"MAPPING_THREADS=" + std::to_string(shape_->threads),
                                        "MAPPING_STEPS=" + std::to_string(shape_->steps)}));
        orders_ = sdk::DeviceBuffer<DeviceOrder>(device, kOrdersInALaunch);
    } else {
        propose_.emplace(device, round_request("qapfw_mapping_propose", proposing_threads_));
        exchange_.emplace(device, round_request("qapfw_mapping_exchange", kThreads));
        place_.emplace(device, request("place_kernels.cuh", "qapfw_mapping_place"));
        take_.emplace(device, request("place_kernels.cuh", "qapfw_mapping_take"));
        // The problem's device code may number positions differently from a solution. The host does not know, so it
        // allocates memory for both numberings.
        blocks_ = std::max((proposals_ + proposing_threads_ - 1) / proposing_threads_, (movers + span_ - 1) / span_);
        solution_ = sdk::DeviceBuffer<std::uint32_t>(device, positions);
        vertex_at_ = sdk::DeviceBuffer<std::uint32_t>(device, location_of_.size());
        accepted_ = sdk::DeviceBuffer<AcceptedPair>(device, std::size_t{blocks_} * span_ * range.count);
        counts_ = sdk::DeviceBuffer<std::uint32_t>(device, std::size_t{blocks_} * range.count);
        code_of_ = sdk::DeviceBuffer<std::uint64_t>(device, location_of_.size());
        claims_ = sdk::DeviceBuffer<std::uint64_t>(device, location_of_.size());
    }
    const NegativeLogarithms table;
    logarithms_.upload(stream_, std::span(table.data(), logarithms_.size()));
    sums_.fill(stream_, 0);
    stream_.synchronize();
}

void DevicePart::reset(std::span<const std::vector<std::uint32_t>> solutions) {
    for (std::uint32_t k = 0; k < range_.count; ++k) {
        const std::vector<std::uint32_t>& solution = solutions[solutions.size() == 1 ? 0 : k];
        if (shape_) {
            location_of_.upload(stream_, solution, std::size_t{k} * positions_);
            continue;
        }
        solution_.upload(stream_, solution);
        place_->launch(stream_, blocks_for(positions_), kThreads, 0, place_arguments(k));
    }
    if (!shape_) claims_.fill(stream_, 0);
    stream_.synchronize();
}

/// Returns the addresses of the walks' arrays location_of, vertex_at and code_of; 0 for an array that is not there.
std::array<std::uint64_t, 3> DevicePart::walk_addresses() const {
    if (shape_) return {location_of_.address(), 0, 0};
    return {location_of_.address(), vertex_at_.address(), code_of_.address()};
}

/// The arguments of the kernels in place_kernels.cuh. The kernels work on search number `search`, or on the kept best
/// solution if `search` has no value.
sdk::ArgumentBytes DevicePart::place_arguments(std::optional<std::uint32_t> search) const {
    sdk::ArgumentBytes bytes;
    bytes.append_view(view_);
    for (const std::uint64_t address : {(search ? location_of_ : best_location_of_).address(), vertex_at_.address(),
                                        code_of_.address(), solution_.address()})
        bytes.append(address);
    bytes.append(search.value_or(0));
    bytes.append(search ? 0u : 1u);
    return bytes;
}

sdk::ArgumentBytes DevicePart::round_arguments(const RoundOrder& order) const {
    sdk::ArgumentBytes bytes;
    bytes.append_view(view_);
    for (const std::uint64_t address : walk_addresses()) bytes.append(address);
    for (const std::uint64_t address :
         {claims_.address(), accepted_.address(), counts_.address(), logarithms_.address()})
        bytes.append(address);
    bytes.append(order.seed);
    bytes.append(order.number);
    bytes.append(order.temperature * 0x1p-16);
    for (const std::uint32_t value : {proposals_, movers_, order.exclusive ? 1u : 0u, range_.first, span_, 0u})
        bytes.append(value);
    return bytes;
}

void DevicePart::play(std::span<const RoundOrder> orders) {
    if (!shape_) return play_on_all(orders);
    for (; !orders.empty(); orders = orders.subspan(std::min<std::size_t>(orders.size(), kOrdersInALaunch)))
        play_in_blocks(orders.first(std::min<std::size_t>(orders.size(), kOrdersInALaunch)));
}

void DevicePart::play_in_blocks(std::span<const RoundOrder> orders) {
    std::vector<DeviceOrder>& told = told_.emplace_back();
    for (const RoundOrder& order : orders)
        told.push_back({order.number, order.temperature * 0x1p-16, order.exclusive ? 1u : 0u});
    orders_.upload(stream_, told);
    sdk::ArgumentBytes bytes;
    bytes.append_view(view_);
    for (const std::uint64_t address : {location_of_.address(), orders_.address(), logarithms_.address()})
        bytes.append(address);
    bytes.append(orders.front().seed);
    for (const std::uint32_t value : {static_cast<std::uint32_t>(orders.size()), proposals_, movers_, range_.first})
        bytes.append(value);
    block_->launch(stream_, range_.count, shape_->threads, shape_->shared_bytes, bytes);
}

void DevicePart::play_on_all(std::span<const RoundOrder> orders) {
    for (const RoundOrder& order : orders) {
        const sdk::ArgumentBytes bytes = round_arguments(order);
        const sdk::Extent grid(blocks_, range_.count);
        propose_->launch(stream_, grid, proposing_threads_, 0, bytes);
        exchange_->launch(stream_, grid, kThreads, 0, bytes);
    }
}

void DevicePart::set_record(std::int64_t cost) {
    stream_.synchronize();  // an enqueued copy may still use record_
    record_ = {};
    record_.cost = cost;
    record_is_here_ = true;
    best_.upload(stream_, std::span<const DeviceBest>(&record_, 1));
}

sdk::ArgumentBytes DevicePart::look_arguments(std::uint64_t iteration) const {
    sdk::ArgumentBytes bytes;
    bytes.append_view(view_);
    for (const std::uint64_t address : walk_addresses()) bytes.append(address);
    for (const std::uint64_t address :
         {sums_.address(), costs_.address(), digests_.address(), best_.address(), best_location_of_.address()})
        bytes.append(address);
    bytes.append(iteration);
    for (const std::uint32_t value : {range_.count, 0u}) bytes.append(value);
    return bytes;
}

void DevicePart::look(std::uint64_t iteration) {
    const sdk::ArgumentBytes bytes = look_arguments(iteration);
    const std::uint32_t blocks = blocks_for(positions_);
    record_is_here_ = false;
    costs_kernel_.launch(stream_, {blocks, range_.count}, kThreads, 0, bytes);
    choose_.launch(stream_, 1, 1, 0, bytes);
    keep_.launch(stream_, blocks, kThreads, 0, bytes);
}

void DevicePart::begin_states() {
    constexpr std::uint32_t kMostBlocks = 64;
    digests_.fill(stream_, 0);
    digests_kernel_.launch(stream_, {std::min(blocks_for(positions_), kMostBlocks), range_.count}, kThreads, 0,
                           look_arguments(0));
    digests_.download(stream_, digests_here_);
    costs_.download(stream_, costs_here_);
    best_.download(stream_, std::span(&record_, 1));
    record_is_here_ = true;  // record_ is valid after the next wait()
}

void DevicePart::finish_states(std::vector<SearchState>& states) {
    wait();
    for (std::uint32_t k = 0; k < range_.count; ++k) states.push_back({digests_here_[k], costs_here_[k]});
}

bool DevicePart::has_better(Best& best) {
    if (!record_is_here_) {
        best_.download(stream_, std::span(&record_, 1));
        wait();
        record_is_here_ = true;
    }
    const Best own{record_.cost, record_.iteration, range_.first + record_.search};
    if (record_.found == 0 || own >= best) return false;
    best = own;
    return true;
}

std::vector<std::uint32_t> DevicePart::best_solution() {
    std::vector<std::uint32_t> location_of(positions_);
    download({}, location_of);
    wait();
    return location_of;
}

std::vector<std::uint32_t> DevicePart::solution(std::uint32_t search) {
    std::vector<std::uint32_t> location_of(positions_);
    download(search, location_of);
    wait();
    return location_of;
}

/// Reads the solution of search number `search` into `to`, in the order of positions. Without a number, reads the best
/// solution that was kept.
void DevicePart::download(std::optional<std::uint32_t> search, std::vector<std::uint32_t>& to) {
    if (shape_ && search) return location_of_.download(stream_, to, std::size_t{*search} * positions_);
    if (shape_) return best_location_of_.download(stream_, to);
    take_->launch(stream_, blocks_for(positions_), kThreads, 0, place_arguments(search));
    solution_.download(stream_, to);
}

void DevicePart::wait() {
    stream_.synchronize();
    told_.clear();
}

DeviceSearches::DeviceSearches(std::span<const qapfw_device* const> devices, const sdk::ProblemRef& problem,
                               std::uint32_t movers, SearchRange range)
    : problem_(problem), movers_(movers), range_(range) {
    const auto count = static_cast<std::uint32_t>(devices.size());
    std::uint32_t begin = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        const auto end = static_cast<std::uint32_t>(std::uint64_t{range.count} * (k + 1) / count);
        if (end == begin) continue;
        parts_.push_back(std::make_unique<DevicePart>(*devices[k], problem.length(), movers,
                                                      SearchRange{range.first + begin, end - begin}));
        begin = end;
    }
}

std::vector<std::uint32_t> DeviceSearches::decoded(const unsigned char* solution) const {
    const qapfw_segment& segment = problem_.encoding().segments[0];
    std::vector<std::uint32_t> location_of(problem_.length());
    if (segment.element_bytes == sizeof location_of[0]) {  // 32-bit elements
        std::memcpy(location_of.data(), solution + segment.offset, location_of.size() * sizeof location_of[0]);
        return location_of;
    }
    for (std::uint32_t u = 0; u < location_of.size(); ++u) location_of[u] = sdk::element_at(segment, solution, u);
    return location_of;
}

void DeviceSearches::encode(const std::vector<std::uint32_t>& location_of, unsigned char* to) const {
    const qapfw_segment& segment = problem_.encoding().segments[0];
    std::fill_n(to, problem_.solution_bytes(), static_cast<unsigned char>(0));
    if (segment.element_bytes == sizeof location_of[0]) {  // 32-bit elements
        std::memcpy(to + segment.offset, location_of.data(), location_of.size() * sizeof location_of[0]);
        return;
    }
    for (std::uint32_t u = 0; u < location_of.size(); ++u) sdk::set_element(segment, to, u, location_of[u]);
}

void DeviceSearches::reset(std::span<const std::vector<unsigned char>> solutions) {
    std::vector<std::vector<std::uint32_t>> all;
    for (const std::vector<unsigned char>& solution : solutions) all.push_back(decoded(solution.data()));
    for (const auto& part : parts_) {
        const std::uint32_t first = part->range().first - range_.first;
        part->reset(all.size() == 1 ? std::span(all) : std::span(all).subspan(first, part->range().count));
    }
}

/// Plays a round for each order. Between two batches of about kProposals proposals, the host waits for the GPUs and
/// asks whether to stop. Returns the number of rounds played. After a stop, it is less than the number of orders.
std::uint64_t DeviceSearches::play(std::span<const RoundOrder> orders, const sdk::StopQuestion& stop) {
    constexpr std::uint64_t kProposals = std::uint64_t{1} << 27;
    const std::uint64_t in_round = std::uint64_t{proposals_of(movers_)} * std::max(1u, range_.count);
    const std::size_t step = std::max<std::uint64_t>(1, kProposals / in_round);
    std::size_t played = 0;
    while (played < orders.size()) {
        if (played > 0) {
            wait();
            if (stop()) break;
        }
        const std::size_t now = std::min(step, orders.size() - played);
        for (const auto& part : parts_) part->play(orders.subspan(played, now));
        played += now;
    }
    return played;
}

void DeviceSearches::wait() {
    for (const auto& part : parts_) part->wait();
}

void DeviceSearches::set_record(std::int64_t cost) {
    for (const auto& part : parts_) part->set_record(cost);
}

void DeviceSearches::look(std::uint64_t iteration) {
    for (const auto& part : parts_) part->look(iteration);
}

std::vector<SearchState> DeviceSearches::states() {
    std::vector<SearchState> states;
    for (const auto& part : parts_) part->begin_states();
    for (const auto& part : parts_) part->finish_states(states);
    return states;
}

bool DeviceSearches::has_better(Best& best) {
    bool found = false;
    for (const auto& part : parts_) {
        if (!part->has_better(best)) continue;
        holder_ = part.get();
        found = true;
    }
    return found;
}

void DeviceSearches::best_solution(unsigned char* to) {
    encode(holder_->best_solution(), to);
}

void DeviceSearches::solution(std::uint32_t search, unsigned char* to) {
    for (const auto& part : parts_) {
        const std::uint32_t first = part->range().first - range_.first;
        if (search >= first && search < first + part->range().count) encode(part->solution(search - first), to);
    }
}

}  // namespace qapfw::mapping
