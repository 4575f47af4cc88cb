// SPDX-License-Identifier: Apache-2.0
// The report of kernels to the host at the end of a round, with the solution that it is about. Everything is in stream
// order.
#pragma once

#include <cstring>
#include <vector>

#include "qapfw/sdk/device.hpp"

namespace qapfw::sdk {

/// A `Header` and the solution that follows it in device memory, as a kernel writes them.
template <class Header>
class DeviceReport {
  public:
    /// Memory for a header and a solution of `solution_bytes` bytes, on the device and here. Throws StatusError where
    /// the device has too little.
    DeviceReport(const qapfw_device& device, std::uint64_t solution_bytes)
        : there_(device, sizeof(Header) + solution_bytes), here_(there_.size()) {}

    void clear(Stream& stream) { there_.fill(stream, 0); }  ///< Sets all of it on the device to zero.
    /// Brings it here; it is there after synchronize.
    void download(Stream& stream) { there_.download(stream, here_); }
    /// The header as it was downloaded; after synchronize.
    Header header() const {
        Header header;
        std::memcpy(&header, here_.data(), sizeof header);
        return header;
    }
    /// The solution as it was downloaded, as elements of this type; after synchronize.
    template <class Element>
    std::vector<Element> solution() const {
        std::vector<Element> solution((here_.size() - sizeof(Header)) / sizeof(Element));
        std::memcpy(solution.data(), here_.data() + sizeof(Header), solution.size() * sizeof(Element));
        return solution;
    }
    /// For a kernel that takes a Header*.
    const DeviceBuffer<unsigned char>& buffer() const { return there_; }

  private:
    DeviceBuffer<unsigned char> there_;
    std::vector<unsigned char> here_;
};

}  // namespace qapfw::sdk
