// SPDX-License-Identifier: Apache-2.0
#include "framework/device/device_problem.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "framework/host/last_error.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/encoding.hpp"

namespace qapfw::framework {

namespace {

/// False for permutations, with or without bays, and for an encoding without segments. True for all other encodings.
bool has_segments(const qapfw_encoding& encoding) {
    return encoding.segment_count > 0 && !sdk::is_permutation_16(encoding);
}

std::optional<std::string> movable_positions(const qapfw_encoding& encoding) {
    if (encoding.fixed == nullptr || has_segments(encoding)) return std::nullopt;
    std::string positions;
    for (std::uint64_t k = 0; k < encoding.segments[0].length; ++k) {
        if (encoding.fixed[k] == 0) positions += fmt::format("{},", k);
    }
    return positions;
}

std::optional<std::string> segments_of(const qapfw_encoding& encoding) {
    if (!has_segments(encoding)) return std::nullopt;
    std::string segments;
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        const qapfw_segment& segment = encoding.segments[s];
        segments += fmt::format("{{{},{},{}}},", segment.length, segment.element_bytes, segment.offset);
    }
    return segments;
}

}  // namespace

std::optional<DeviceProblem> describe_device_problem(const qapfw_problem_ref* problem) {
    if (problem == nullptr || problem->get_capability == nullptr) return std::nullopt;
    const auto* capability = static_cast<const qapfw_problem_device*>(problem->get_capability(QAPFW_PROBLEM_DEVICE));
    if (capability == nullptr || capability->describe == nullptr) return std::nullopt;
    take_last_error();
    const qapfw_device_problem* description = capability->describe(problem->problem);
    if (const std::string refusal = take_last_error(); description == nullptr && !refusal.empty()) {
        throw Error(ErrorKind::kUnsupported, fmt::format("problem '{}': {}", problem->id, refusal));
    }
    if (description == nullptr) return std::nullopt;
    const auto bad = [&](const char* what) {
        throw Error(ErrorKind::kPlugin, fmt::format("the device code of problem '{}' {}", problem->id, what));
    };
    if (description->struct_size < sizeof(qapfw_device_problem)) bad("was built for an older plugin interface");
    if (description->text_count == 0 || description->texts == nullptr) bad("has no texts");
    if (description->view_size == 0 || description->view == nullptr) bad("has no view");
    if (description->buffer_count > 0 && description->buffers == nullptr)
        bad("states buffer_count above 0, but `buffers` is null");
    const qapfw_encoding& encoding = problem->table->info(problem->problem)->encoding;
    return DeviceProblem{description, movable_positions(encoding), segments_of(encoding)};
}

std::vector<std::byte> build_view(const qapfw_device_problem& problem, const PlaceBuffer& place) {
    std::vector<std::byte> view(problem.view_size);
    std::memcpy(view.data(), problem.view, view.size());
    for (std::uint64_t i = 0; i < problem.buffer_count; ++i) {
        const qapfw_view_buffer& buffer = problem.buffers[i];
        if (view.size() < sizeof(std::uint64_t) || buffer.view_offset > view.size() - sizeof(std::uint64_t)) {
            throw Error(
                ErrorKind::kPlugin,
                fmt::format(
                    "buffer {} of the problem's device code has its address at byte {}, outside the view of {} bytes",
                    i, buffer.view_offset, view.size()));
        }
        const std::uint64_t address = buffer.size == 0 ? 0 : place(buffer.bytes, buffer.size);
        std::memcpy(view.data() + buffer.view_offset, &address, sizeof(address));
    }
    return view;
}

}  // namespace qapfw::framework
