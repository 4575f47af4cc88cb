// SPDX-License-Identifier: Apache-2.0
#include "plugins/mapping/device_rounds.hpp"

#include "embedded/mapping_texts.hpp"
#include "plugins/mapping/device/round_rules.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::mapping {
namespace {

constexpr std::uint32_t kThreads = 128;  // of a CUDA block

sdk::KernelRequest request(const char* entry) {
    sdk::KernelRequest request;
    request.texts = sdk::with_included(device::kTexts, "mapping_kernels.cuh");
    request.entry = entry;
    return request;
}

std::uint32_t blocks_for(std::uint32_t threads) {
    return (threads + kThreads - 1) / kThreads;
}

}  // namespace

DeviceRounds::DeviceRounds(const qapfw_device& device, std::uint32_t positions, std::uint32_t movers)
    : positions_(positions),
      movers_(movers),
      proposals_((movers + 3) / 4),
      view_(device),
      stream_(device),
      propose_(device, request("qapfw_mapping_propose")),
      exchange_(device, request("qapfw_mapping_exchange")),
      place_(device, request("qapfw_mapping_place")),
      location_of_(device, positions),
      vertex_at_(device, positions),
      partners_(device, proposals_),
      code_of_(device, positions),
      claims_(device, positions),
      logarithms_(device, std::size_t{1} << kLogarithmBits) {
    const NegativeLogarithms table;
    logarithms_.upload(stream_, std::span(table.data(), logarithms_.size()));
    claims_.fill(stream_, 0);
    stream_.synchronize();
}

sdk::ArgumentBytes DeviceRounds::arguments(const RoundOrder& order) const {
    sdk::ArgumentBytes bytes;
    bytes.append_view(view_);
    for (const std::uint64_t address : {location_of_.address(), vertex_at_.address(), code_of_.address(),
                                        claims_.address(), partners_.address(), logarithms_.address()})
        bytes.append(address);
    bytes.append(round_key(order.seed, order.number));
    bytes.append(order.number);
    bytes.append(order.temperature * 0x1p-16);
    for (const std::uint32_t value : {proposals_, movers_, order.exclusive ? 1u : 0u}) bytes.append(value);
    return bytes;
}

void DeviceRounds::reset(const std::vector<std::uint32_t>& location_of) {
    location_of_.upload(stream_, location_of);
    place_.launch(stream_, blocks_for(positions_), kThreads, 0, arguments({}), positions_);
    stream_.synchronize();
}

void DeviceRounds::play(std::span<const RoundOrder> orders) {
    for (const RoundOrder& order : orders) {
        const sdk::ArgumentBytes bytes = arguments(order);
        propose_.launch(stream_, blocks_for(proposals_), kThreads, 0, bytes);
        exchange_.launch(stream_, blocks_for(proposals_), kThreads, 0, bytes);
    }
    stream_.synchronize();
}

std::vector<std::uint32_t> DeviceRounds::solution() {
    std::vector<std::uint32_t> location_of(positions_);
    location_of_.download(stream_, location_of);
    stream_.synchronize();
    return location_of;
}

}  // namespace qapfw::mapping
