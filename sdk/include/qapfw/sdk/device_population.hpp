// SPDX-License-Identifier: Apache-2.0
// A population of permutations in device memory as most solvers hold it: solutions, their costs, when each was found,
// and which positions move. Everything is in stream order; host memory must stay until the stream is synchronised.
#pragma once

#include <algorithm>

#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::sdk {

/// The buffer as a kernel's struct holds it.
template <class T>
T* pointer_to(const DeviceBuffer<T>& buffer) {
    return reinterpret_cast<T*>(buffer.address());
}

/// Elements first..first+count-1 of an array on the host.
template <class T>
std::span<T> part_of(std::vector<T>& all, std::uint64_t first, std::uint64_t count) {
    return {all.data() + first, count};
}
template <class T>
std::span<const T> part_of(const std::vector<T>& all, std::uint64_t first, std::uint64_t count) {
    return {all.data() + first, count};
}

/// What device code knows of the positions of a problem.
struct DevicePositions {
    DevicePositions(Stream& stream, const ProblemRef& problem)
        : free(stream.device(), free_positions(problem).size()),
          order(stream.device(), problem.length()),
          base(stream.device(), problem.solution_bytes() / sizeof(std::uint16_t)) {
        const std::vector<std::uint16_t> movable = free_positions(problem), numbers = kernel_order(problem);
        std::vector<std::uint16_t> solution(base.size());
        base_solution(problem, solution.data());
        free.upload(stream, movable);
        order.upload(stream, numbers);
        base.upload(stream, solution);
        stream.synchronize();
    }
    DeviceBuffer<std::uint16_t> free;   ///< movable positions
    DeviceBuffer<std::uint16_t> order;  ///< movable positions, then the fixed ones
    DeviceBuffer<std::uint16_t> base;   ///< the fixed solution, or the identity
};

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

/// A `Header` and the solution that follows it in device memory, as a kernel writes them.
template <class Header>
class DeviceReport {
  public:
    DeviceReport(const qapfw_device& device, std::uint64_t solution_bytes)
        : there_(device, sizeof(Header) + solution_bytes), here_(there_.size()) {}

    void clear(Stream& stream) { there_.fill(stream, 0); }
    void download(Stream& stream) { there_.download(stream, here_); }
    /// Both after synchronize.
    Header header() const {
        Header header;
        std::memcpy(&header, here_.data(), sizeof header);
        return header;
    }
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

/// The first ones of `solutions`, `stride` elements each, become those of `warm` (see warm_starts) from number `first`
/// on. Returns how many; waits for them.
inline std::uint32_t upload_warm_starts(Stream& stream, DeviceBuffer<std::uint16_t>& solutions, std::uint64_t stride,
                                        const std::vector<unsigned char>& warm, std::uint64_t first) {
    const std::span<const std::uint16_t> all{reinterpret_cast<const std::uint16_t*>(warm.data()),
                                             warm.size() / sizeof(std::uint16_t)};
    if (all.size() <= first * stride) return 0;
    const auto here = all.subspan(first * stride).first(std::min(all.size() - first * stride, solutions.size()));
    solutions.upload(stream, here);
    stream.synchronize();
    return static_cast<std::uint32_t>(here.size() / stride);
}

}  // namespace qapfw::sdk
