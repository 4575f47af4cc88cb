// SPDX-License-Identifier: Apache-2.0
// A population shared out over the run's GPUs in contiguous shares, for solvers that keep it there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "qapfw/abi/device.h"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// A `Share` is what one GPU holds: calls that enqueue, and `synchronize`, which waits for them. It belongs to one
/// thread at a time.
template <class Share>
class DeviceShares {
  public:
    /// Share d is made as Share(device d, arguments..., its first item, its number of items). None is empty: GPUs
    /// beyond the number of `items` have no share. In the calling thread, as kernels and workspaces are to be made.
    template <class... Arguments>
    DeviceShares(const Host& host, std::span<const qapfw_device* const> devices, std::uint32_t items,
                 const Arguments&... arguments)
        : host_(host) {
        const std::uint64_t used = std::min<std::uint64_t>(devices.size(), items);
        const auto begin_of = [&](std::uint64_t d) { return static_cast<std::uint32_t>(items * d / used); };
        for (std::uint64_t d = 0; d < used; ++d) {
            shares_.push_back(
                std::make_unique<Share>(*devices[d], arguments..., begin_of(d), begin_of(d + 1) - begin_of(d)));
        }
    }

    std::size_t size() const { return shares_.size(); }
    auto begin() const { return shares_.begin(); }
    auto end() const { return shares_.end(); }
    Share& operator[](std::size_t d) const { return *shares_[d]; }
    Share& front() const { return *shares_.front(); }
    Share& back() const { return *shares_.back(); }

    /// body(share) in a thread of the host's for each share, as far as there are workers: for calls that may wait for
    /// their GPU, such as an improver's, which would make the GPUs take turns in one thread. Returns when all have; the
    /// failure of the first share that failed is thrown then, and shares whose turn had not come are left out.
    template <class Body>
    void side_by_side(const Body& body) {
        host_.parallel_for(shares_.size(), [&](std::uint64_t d, std::uint32_t) { body(*shares_[d]); });
    }
    void synchronize() {
        for (const auto& share : shares_) share->synchronize();
    }

    /// Of a member function's values, such as the share's digest.
    template <class Value>
    std::uint64_t sum(const Value& value) const {
        std::uint64_t sum = 0;
        for (const auto& share : shares_) sum += std::invoke(value, *share);
        return sum;
    }
    template <class Value>
    std::uint64_t least(const Value& value) const {
        std::uint64_t least = ~std::uint64_t{0};
        for (const auto& share : shares_) least = std::min<std::uint64_t>(least, std::invoke(value, *share));
        return least;
    }

  private:
    Host host_;
    std::vector<std::unique_ptr<Share>> shares_;
};

}  // namespace qapfw::sdk
