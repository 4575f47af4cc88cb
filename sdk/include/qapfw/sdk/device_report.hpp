// SPDX-License-Identifier: Apache-2.0
// A report that kernels write for the host at the end of a round: a header and a solution. All calls are in stream
// order.
#pragma once

#include <cstring>
#include <vector>

#include "qapfw/sdk/device.hpp"

namespace qapfw::sdk {

/// A `Header` and the solution that follows it in device memory, written by a kernel.
template <class Header>
class DeviceReport {
  public:
    /// Allocates memory on the device and on the host for a header and a solution of `solution_bytes` bytes. Throws
    /// StatusError if the device has too little memory.
    DeviceReport(const qapfw_device& device, std::uint64_t solution_bytes)
        : there_(device, sizeof(Header) + solution_bytes), here_(there_.size()) {}

    void clear(Stream& stream) { there_.fill(stream, 0); }  ///< sets the whole report on the device to zero
    /// Downloads the report. It has arrived when the stream's synchronize has returned.
    void download(Stream& stream) { there_.download(stream, here_); }
    /// The downloaded header; valid after the stream's synchronize.
    Header header() const {
        Header header;
        std::memcpy(&header, here_.data(), sizeof header);
        return header;
    }
    /// The downloaded solution as elements of this type; valid after the stream's synchronize.
    template <class Element>
    std::vector<Element> solution() const {
        std::vector<Element> solution((here_.size() - sizeof(Header)) / sizeof(Element));
        std::memcpy(solution.data(), here_.data() + sizeof(Header), solution.size() * sizeof(Element));
        return solution;
    }
    /// The device memory of the report, as an argument for a kernel's parameter of type Header*.
    const DeviceBuffer<unsigned char>& buffer() const { return there_; }

  private:
    DeviceBuffer<unsigned char> there_;
    std::vector<unsigned char> here_;
};

}  // namespace qapfw::sdk
