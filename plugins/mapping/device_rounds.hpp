// SPDX-License-Identifier: Apache-2.0
// The rounds on one GPU; the device code is device/mapping_kernels.cuh. They are those of the host, exchange for
// exchange.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plugins/mapping/rounds.hpp"
#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::mapping {

class DeviceRounds {
  public:
    /// `movers` as in qapfw_sampled_facts.
    DeviceRounds(const qapfw_device& device, std::uint32_t positions, std::uint32_t movers);

    /// They go on from this solution: an element for each position. No claims are left.
    void reset(const std::vector<std::uint32_t>& location_of);
    /// Plays the rounds one after the other and waits for the last one.
    void play(std::span<const RoundOrder> orders);
    std::vector<std::uint32_t> solution();

  private:
    sdk::ArgumentBytes arguments(const RoundOrder& order) const;

    const std::uint32_t positions_, movers_, proposals_;
    sdk::ProblemView view_;
    sdk::Stream stream_;
    sdk::Kernel propose_, exchange_, place_;
    sdk::DeviceBuffer<std::uint32_t> location_of_, vertex_at_, partners_;
    sdk::DeviceBuffer<std::uint64_t> code_of_, claims_;
    sdk::DeviceBuffer<std::int32_t> logarithms_;
};

}  // namespace qapfw::mapping
