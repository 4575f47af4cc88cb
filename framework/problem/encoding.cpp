// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/encoding.hpp"

#include <fmt/core.h>

#include <cstring>
#include <sstream>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

const char* segment_name(std::uint32_t kind) {
    switch (kind) {
        case QAPFW_SEGMENT_PERMUTATION:
            return "permutation";
        case QAPFW_SEGMENT_BITS:
            return "bits";
        default:
            return "unknown";
    }
}

std::uint32_t element_at(const qapfw_segment& segment, const void* solution, std::uint32_t index) {
    const auto* bytes = static_cast<const unsigned char*>(solution) + segment.offset;
    if (segment.element_bytes == 1) return bytes[index];
    std::uint16_t value = 0;
    std::memcpy(&value, bytes + std::size_t{2} * index, 2);
    return value;
}

std::string permutation_defect(const qapfw_segment& segment, const void* solution) {
    std::vector<bool> seen(segment.length, false);
    for (std::uint32_t k = 0; k < segment.length; ++k) {
        const std::uint32_t value = element_at(segment, solution, k);
        if (value >= segment.length) return fmt::format("position {} holds {} of {}", k, value, segment.length);
        if (seen[value]) return fmt::format("{} appears twice, the second time at position {}", value, k);
        seen[value] = true;
    }
    return {};
}

std::string bits_defect(const qapfw_segment& segment, const void* solution) {
    for (std::uint32_t k = 0; k < segment.length; ++k) {
        const std::uint32_t value = element_at(segment, solution, k);
        if (value > 1) return fmt::format("bit {} holds {}", k, value);
    }
    return {};
}

std::string fixed_defect(const qapfw_encoding& encoding, const void* solution) {
    const qapfw_segment& segment = encoding.segments[0];
    for (std::uint32_t k = 0; k < segment.length; ++k) {
        if (encoding.fixed[k] == 0) continue;
        const std::uint32_t wanted = element_at(segment, encoding.fixed_solution, k);
        const std::uint32_t found = element_at(segment, solution, k);
        if (wanted != found) return fmt::format("position {} is fixed to {}, found {}", k, wanted, found);
    }
    return {};
}

std::string segment_defect(const qapfw_segment& segment, std::uint64_t solution_bytes) {
    const bool permutation = segment.kind == QAPFW_SEGMENT_PERMUTATION;
    if (!permutation && segment.kind != QAPFW_SEGMENT_BITS) return fmt::format("unknown kind {}", segment.kind);
    if (segment.element_bytes != (permutation ? 2u : 1u)) return fmt::format("{}-byte elements", segment.element_bytes);
    if (permutation && segment.length > 65536) return fmt::format("length {} above 65536", segment.length);
    if (segment.offset % 16 != 0) return fmt::format("offset {} is not a multiple of 16", segment.offset);
    if (segment.offset + std::uint64_t{segment.length} * segment.element_bytes > solution_bytes) {
        return fmt::format("ends beyond the solution's {} bytes", solution_bytes);
    }
    return {};
}

}  // namespace

std::string encoding_pattern(const qapfw_encoding& encoding) {
    std::string pattern;
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        if (s > 0) pattern += '+';
        pattern += segment_name(encoding.segments[s].kind);
    }
    return pattern;
}

bool accepts_encoding(const char* patterns, const std::string& pattern) {
    if (patterns == nullptr) return true;
    std::istringstream words(patterns);
    for (std::string word; words >> word;) {
        if (word == pattern) return true;
    }
    return false;
}

std::string encoding_defect(const qapfw_encoding& encoding) {
    if (encoding.segment_count == 0 || encoding.segments == nullptr) return "no segments";
    if (encoding.solution_bytes == 0 || encoding.solution_bytes % 16 != 0) {
        return fmt::format("a solution of {} bytes is not a multiple of 16", encoding.solution_bytes);
    }
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        const std::string defect = segment_defect(encoding.segments[s], encoding.solution_bytes);
        if (!defect.empty()) return fmt::format("segment {}: {}", s, defect);
    }
    if ((encoding.fixed == nullptr) != (encoding.fixed_solution == nullptr)) {
        return "the fixed mask and the fixed solution must come together";
    }
    return {};
}

std::string solution_defect(const qapfw_encoding& encoding, const void* solution) {
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        const qapfw_segment& segment = encoding.segments[s];
        const bool permutation = segment.kind == QAPFW_SEGMENT_PERMUTATION;
        const std::string defect = permutation ? permutation_defect(segment, solution) : bits_defect(segment, solution);
        if (!defect.empty())
            return fmt::format("not a valid solution: {} {}: {}", segment_name(segment.kind), s, defect);
    }
    return encoding.fixed == nullptr ? std::string() : fixed_defect(encoding, solution);
}

SolutionValues solution_values(const qapfw_encoding& encoding, const void* solution) {
    SolutionValues values;
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        std::vector<std::uint32_t>& segment = values.emplace_back();
        segment.reserve(encoding.segments[s].length);
        for (std::uint32_t k = 0; k < encoding.segments[s].length; ++k) {
            segment.push_back(element_at(encoding.segments[s], solution, k));
        }
    }
    return values;
}

void store_base_solution(const qapfw_encoding& encoding, void* solution) {
    std::memset(solution, 0, encoding.solution_bytes);
    if (encoding.fixed_solution != nullptr) {
        std::memcpy(solution, encoding.fixed_solution, encoding.solution_bytes);
        return;
    }
    SolutionValues values;
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        std::vector<std::uint32_t>& segment = values.emplace_back(encoding.segments[s].length, 0);
        if (encoding.segments[s].kind != QAPFW_SEGMENT_PERMUTATION) continue;
        for (std::uint32_t k = 0; k < segment.size(); ++k) segment[k] = k;
    }
    store_values(encoding, values, solution);
}

void store_values(const qapfw_encoding& encoding, const SolutionValues& values, void* solution) {
    if (values.size() != encoding.segment_count) {
        throw Error(ErrorKind::kInput,
                    fmt::format("a solution of {} segments, wanted {}", values.size(), encoding.segment_count));
    }
    std::memset(solution, 0, encoding.solution_bytes);
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        const qapfw_segment& segment = encoding.segments[s];
        if (values[s].size() != segment.length) {
            throw Error(ErrorKind::kInput, fmt::format("segment {} of a solution has {} elements, wanted {}", s,
                                                       values[s].size(), segment.length));
        }
        auto* bytes = static_cast<unsigned char*>(solution) + segment.offset;
        for (std::uint32_t k = 0; k < segment.length; ++k) {
            const std::uint32_t value = values[s][k];
            if (value >> (8 * segment.element_bytes) != 0) {
                throw Error(ErrorKind::kInput, fmt::format("element {} of segment {} is {}", k, s, value));
            }
            std::memcpy(bytes + std::size_t{segment.element_bytes} * k, &value, segment.element_bytes);
        }
    }
}

}  // namespace qapfw::framework
