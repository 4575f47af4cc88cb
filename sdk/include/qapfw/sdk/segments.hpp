// SPDX-License-Identifier: Apache-2.0
// A problem's segments in the form that the operators of kernels/segments.hpp need. A solver with its own operators for
// one permutation and for layouts of bays uses the operators of kernels/segments.hpp for all other segments.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "qapfw/kernels/segments.hpp"
#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// True if solutions are neither one permutation of 16-bit elements nor a layout of bays.
inline bool has_segments(const ProblemRef& problem) {
    return !is_permutation_16(problem.encoding());
}

/// The arrays of a kernels::SegmentList, on the host.
class SegmentArrays {
  public:
    /// Fills the arrays, unless the solutions are one permutation or a layout: then the arrays stay empty. `crossover`
    /// and `mutation`: numbers as in kernels::SegmentList.
    SegmentArrays(const ProblemRef& problem, std::uint32_t crossover, std::uint32_t mutation) {
        plain_.crossover = crossover;
        plain_.mutation = mutation;
        if (has_segments(problem)) fill(problem.encoding());
    }

    /// Fills the arrays for any problem, even if its solutions are one permutation or a layout.
    static SegmentArrays of_any(const ProblemRef& problem, std::uint32_t crossover = 0, std::uint32_t mutation = 0) {
        SegmentArrays arrays(problem, crossover, mutation);
        if (!arrays) arrays.fill(problem.encoding());
        return arrays;
    }

    /// True if the arrays are not empty.
    explicit operator bool() const { return plain_.count != 0; }
    /// Declares the arrays as constants of a population's fields. kPath leads to the list in a view: &View::segments.
    template <auto... kPath, class Fields>
    void declare(Fields& fields) const {
        fields.template constant<kPath..., &kernels::SegmentList::segments>(segments_);
        fields.template constant<kPath..., &kernels::SegmentList::bounds>(bounds_);
        fields.template constant<kPath..., &kernels::SegmentList::free>(free_);
    }
    /// Sets the numbers in `list` (count, elements, crossover, mutation), but not its pointers.
    void set(kernels::SegmentList& list) const {
        list.count = plain_.count;
        list.elements = plain_.elements;
        list.crossover = plain_.crossover;
        list.mutation = plain_.mutation;
    }
    /// The list over these arrays, which must outlive the list.
    kernels::SegmentList list() const {
        kernels::SegmentList list = plain_;
        list.segments = segments_.data();
        list.bounds = bounds_.data();
        list.free = free_.data();
        return list;
    }
    /// Number of free elements.
    std::uint64_t free_count() const { return free_.size(); }

    /// The arrays of a list in a device's memory. The buffers must outlive the list.
    struct OnDevice {
        DeviceBuffer<kernels::SegmentView> segments;  ///< descriptions of the segments
        DeviceBuffer<std::uint32_t> bounds;           ///< for each element: its value is below this bound
        DeviceBuffer<std::uint32_t> free;             ///< indices of the free elements, each within its segment
        kernels::SegmentList list{};                  ///< the list over these buffers
    };
    /// Copies the arrays to a device, and waits until they are there.
    OnDevice upload(const qapfw_device& device) const {
        Stream stream(device);
        const auto uploaded = [&]<class T>(const std::vector<T>& values) {
            DeviceBuffer<T> buffer(device, std::max<std::size_t>(1, values.size()));
            if (!values.empty()) buffer.upload(stream, std::span<const T>(values));
            return buffer;
        };
        OnDevice copy{uploaded(segments_), uploaded(bounds_), uploaded(free_), plain_};
        stream.synchronize();
        copy.list.segments = reinterpret_cast<const kernels::SegmentView*>(copy.segments.address());
        copy.list.bounds = reinterpret_cast<const std::uint32_t*>(copy.bounds.address());
        copy.list.free = reinterpret_cast<const std::uint32_t*>(copy.free.address());
        return copy;
    }

  private:
    void fill(const qapfw_encoding& encoding) {
        plain_.count = encoding.segment_count;
        for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
            const qapfw_segment& from = encoding.segments[s];
            kernels::SegmentView view{from.kind,
                                      from.length,
                                      from.element_bytes,
                                      from.offset,
                                      plain_.elements,
                                      static_cast<std::uint32_t>(free_.size()),
                                      0,
                                      from.counts != nullptr ? 1u : 0u};
            for (std::uint32_t k = 0; k < from.length; ++k) {
                bounds_.push_back(bound_at(from, k));
                if (encoding.fixed == nullptr || encoding.fixed[plain_.elements + k] == 0) free_.push_back(k);
            }
            view.free_count = static_cast<std::uint32_t>(free_.size()) - view.free_first;
            plain_.elements += from.length;
            segments_.push_back(view);
        }
    }

    kernels::SegmentList plain_{};
    std::vector<kernels::SegmentView> segments_;
    std::vector<std::uint32_t> bounds_, free_;
};

}  // namespace qapfw::sdk
