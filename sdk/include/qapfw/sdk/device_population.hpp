// SPDX-License-Identifier: Apache-2.0
// A population in device memory as most solvers hold it: solutions of one segment, their costs, when each was found.
// Everything is in stream order; host memory must stay until the stream is synchronised.
#pragma once

#include "qapfw/sdk/device.hpp"

namespace qapfw::sdk {

struct DevicePopulation {
    DevicePopulation(const qapfw_device& device, std::uint64_t count, std::uint64_t stride)
        : solutions(device, count * stride), costs(device, count), found(device, count) {}

    void clear(Stream& stream) {
        solutions.fill(stream, 0);
        costs.fill(stream, 0);
        found.fill(stream, 0);
    }
    void copy_from(Stream& stream, const DevicePopulation& other) {
        solutions.copy_from(stream, other.solutions, solutions.size());
        costs.copy_from(stream, other.costs, costs.size());
        found.copy_from(stream, other.found, found.size());
    }
    /// As many as there are here.
    void upload(Stream& stream, const std::uint16_t* from, const qapfw_cost* their_costs, const std::uint64_t* when) {
        solutions.upload(stream, {from, solutions.size()});
        costs.upload(stream, {their_costs, costs.size()});
        found.upload(stream, {when, found.size()});
    }
    void download(Stream& stream, std::uint16_t* to, qapfw_cost* their_costs, std::uint64_t* when) const {
        solutions.download(stream, {to, solutions.size()});
        costs.download(stream, {their_costs, costs.size()});
        found.download(stream, {when, found.size()});
    }

    DeviceBuffer<std::uint16_t> solutions;
    DeviceBuffer<qapfw_cost> costs;
    DeviceBuffer<std::uint64_t> found;
};

}  // namespace qapfw::sdk
