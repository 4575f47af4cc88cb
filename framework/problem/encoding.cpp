// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/encoding.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "qapfw/error.hpp"
#include "qapfw/sdk/encoding.hpp"

namespace qapfw::framework {
namespace {

const char* segment_name(const qapfw_segment& segment) {
    const bool counted = segment.counts != nullptr;
    switch (segment.kind) {
        case QAPFW_SEGMENT_PERMUTATION:
            return segment.element_bytes == 4 ? "permutation32" : "permutation";
        case QAPFW_SEGMENT_BITS:
            return counted ? "counted_bits" : "bits";
        case QAPFW_SEGMENT_VALUES:
            return counted ? "counted_values" : "values";
        case QAPFW_SEGMENT_BAYS:
            return "bays";
        default:
            return "unknown";
    }
}

std::string permutation_defect(const qapfw_segment& segment, const void* solution) {
    std::vector<bool> seen(segment.length, false);
    for (std::uint32_t k = 0; k < segment.length; ++k) {
        const std::uint32_t value = sdk::element_at(segment, solution, k);
        if (value >= segment.length)
            return fmt::format("position {} holds {}, which must be below {}", k, value, segment.length);
        if (seen[value]) return fmt::format("{} appears twice, the second time at position {}", value, k);
        seen[value] = true;
    }
    return {};
}

std::string values_defect(const qapfw_segment& segment, const void* solution) {
    std::vector<std::uint32_t> held(segment.counts != nullptr ? std::max(segment.bound, 2u) : 0);
    for (std::uint32_t k = 0; k < segment.length; ++k) {
        const std::uint32_t value = sdk::element_at(segment, solution, k), bound = sdk::bound_at(segment, k);
        if (value >= bound && segment.kind != QAPFW_SEGMENT_VALUES)
            return fmt::format("bit {} is {}, wanted 0 or 1", k, value);
        if (value >= bound) return fmt::format("position {} holds {}, which must be below {}", k, value, bound);
        if (!held.empty()) ++held[value];
    }
    for (std::size_t v = 0; v < held.size(); ++v) {
        if (held[v] != segment.counts[v]) {
            return fmt::format("{} positions hold value {}, wanted {} positions", held[v], v, segment.counts[v]);
        }
    }
    return {};
}

std::string fixed_defect(const qapfw_encoding& encoding, const void* solution) {
    const std::uint8_t* fixed = encoding.fixed;
    for (std::uint32_t s = 0; s < encoding.segment_count; fixed += encoding.segments[s++].length) {
        const qapfw_segment& segment = encoding.segments[s];
        for (std::uint32_t k = 0; k < segment.length; ++k) {
            if (fixed[k] == 0) continue;
            const std::uint32_t wanted = sdk::element_at(segment, encoding.fixed_solution, k);
            const std::uint32_t found = sdk::element_at(segment, solution, k);
            if (wanted == found) continue;
            const std::string where = s == 0 ? std::string() : fmt::format("{} {}: ", segment_name(segment), s);
            return fmt::format("{}position {} is fixed to {}, found {}", where, k, wanted, found);
        }
    }
    return {};
}

std::string bounds_defect(const qapfw_segment& segment) {
    if (segment.kind != QAPFW_SEGMENT_VALUES) {
        return segment.bound != 0 || segment.bounds != nullptr ? "only a segment of values can have bounds" : "";
    }
    if ((segment.bound != 0) == (segment.bounds != nullptr)) {
        return segment.bound != 0 ? "has both `bound` and `bounds`, but only one of them was wanted" : "`bound` is 0";
    }
    for (std::uint32_t k = 0; k < segment.length; ++k) {
        const std::uint32_t bound = sdk::bound_at(segment, k);
        if (bound == 0) return fmt::format("the bound of position {} is 0", k);
        if (segment.element_bytes < 4 && bound > 1u << (8 * segment.element_bytes)) {
            return fmt::format("the bound of position {} is {}, too large for elements of {} bytes", k, bound,
                               segment.element_bytes);
        }
        if (segment.bounds == nullptr) break;
    }
    return {};
}

std::string counts_defect(const qapfw_segment& segment) {
    if (segment.counts == nullptr) return {};
    const bool bits = segment.kind == QAPFW_SEGMENT_BITS;
    if (!bits && segment.bound == 0) return "only bits, or values that all have the same bound, can have counts";
    std::uint64_t sum = 0;
    for (std::uint32_t v = 0; v < (bits ? 2 : segment.bound); ++v) sum += segment.counts[v];
    if (sum != segment.length)
        return fmt::format("its counts sum up to {}, but must sum up to its length {}", sum, segment.length);
    return {};
}

/// The defect of a segment's weights and capacities; empty: none found. Only single weights and the sums are tested, so
/// an empty text does not prove that an assignment can keep the capacities.
std::string capacities_defect(const qapfw_segment& segment) {
    if (segment.weights == nullptr && segment.capacities == nullptr) return {};
    if (segment.weights == nullptr || segment.capacities == nullptr) return "weights and capacities must come together";
    if (segment.kind != QAPFW_SEGMENT_VALUES || segment.bound == 0)
        return "only values that all have the same bound can have capacities";
    long double room = 0, weight = 0;
    std::int64_t greatest = 0;
    for (std::uint32_t v = 0; v < segment.bound; ++v) {
        if (segment.capacities[v] < 0)
            return fmt::format("the capacity of value {} is {}, wanted 0 or more", v, segment.capacities[v]);
        room += static_cast<long double>(segment.capacities[v]);
        greatest = std::max(greatest, segment.capacities[v]);
    }
    for (std::uint32_t k = 0; k < segment.length; ++k) {
        if (segment.weights[k] < 0)
            return fmt::format("the weight of position {} is {}, wanted 0 or more", k, segment.weights[k]);
        if (segment.weights[k] > greatest) {
            return fmt::format("the weight of position {} is {}, above the greatest capacity {}", k, segment.weights[k],
                               greatest);
        }
        weight += static_cast<long double>(segment.weights[k]);
    }
    if (weight <= room) return {};
    return fmt::format("the weights sum up to {:.0f}, more than the capacities, which sum up to {:.0f}", weight, room);
}

std::string size_defect(const qapfw_segment& segment) {
    const std::uint32_t bytes = segment.element_bytes;
    switch (segment.kind) {
        case QAPFW_SEGMENT_PERMUTATION:
            if (bytes != 2 && bytes != 4) return fmt::format("{}-byte elements, wanted 2 or 4", bytes);
            if (bytes == 2 && segment.length > 65536) {
                return fmt::format("length {} is above 65536, so elements of 4 bytes were wanted", segment.length);
            }
            return {};
        case QAPFW_SEGMENT_BITS:
        case QAPFW_SEGMENT_BAYS:
            return bytes == 1 ? std::string() : fmt::format("{}-byte elements, wanted 1", bytes);
        case QAPFW_SEGMENT_VALUES:
            return bytes == 1 || bytes == 2 || bytes == 4 ? std::string()
                                                          : fmt::format("{}-byte elements, wanted 1, 2 or 4", bytes);
        default:
            return fmt::format("unknown kind {}", segment.kind);
    }
}

/// Says what is wrong with a segment. Returns an empty text if the segment is valid. `begin`: the byte offset at which
/// the segment must start.
std::string segment_defect(const qapfw_segment& segment, std::uint64_t begin, std::uint64_t solution_bytes) {
    if (std::string defect = size_defect(segment); !defect.empty()) return defect;
    if (segment.offset != begin) {
        return fmt::format("starts at byte {}, wanted {}: segments follow each other at multiples of 16",
                           segment.offset, begin);
    }
    if (segment.offset + std::uint64_t{segment.length} * segment.element_bytes > solution_bytes) {
        return fmt::format("ends beyond the solution's {} bytes", solution_bytes);
    }
    for (const auto defect_of : {bounds_defect, counts_defect, capacities_defect}) {
        if (std::string defect = defect_of(segment); !defect.empty()) return defect;
    }
    return {};
}

bool has_misplaced_bays(const qapfw_encoding& encoding) {
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        if (encoding.segments[s].kind != QAPFW_SEGMENT_BAYS) continue;
        const qapfw_segment& first = encoding.segments[0];
        if (s != 1 || encoding.segment_count != 2 || first.kind != QAPFW_SEGMENT_PERMUTATION ||
            first.element_bytes != 2 || encoding.segments[1].length + 1 != first.length) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::string encoding_pattern(const qapfw_encoding& encoding) {
    std::string pattern;
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        if (s > 0) pattern += '+';
        pattern += segment_name(encoding.segments[s]);
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
        return fmt::format("a solution has {} bytes, wanted a multiple of 16 above 0", encoding.solution_bytes);
    }
    std::uint64_t end = 0;
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        const qapfw_segment& segment = encoding.segments[s];
        const std::string defect = segment_defect(segment, end, encoding.solution_bytes);
        if (!defect.empty()) return fmt::format("segment {}: {}", s, defect);
        end += (std::uint64_t{segment.length} * segment.element_bytes + 15) / 16 * 16;
    }
    if (end != encoding.solution_bytes) {
        return fmt::format("a solution has {} bytes, but its segments end at byte {}", encoding.solution_bytes, end);
    }
    if (has_misplaced_bays(encoding)) {
        return "bays need exactly two segments: a permutation of n elements of 2 bytes, then n - 1 bay bits";
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
        const std::string defect =
            permutation ? permutation_defect(segment, solution) : values_defect(segment, solution);
        if (!defect.empty()) return fmt::format("not a valid solution: {} {}: {}", segment_name(segment), s, defect);
    }
    return encoding.fixed == nullptr ? std::string() : fixed_defect(encoding, solution);
}

SolutionValues solution_values(const qapfw_encoding& encoding, const void* solution) {
    SolutionValues values;
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        std::vector<std::uint32_t>& segment = values.emplace_back();
        segment.reserve(encoding.segments[s].length);
        for (std::uint32_t k = 0; k < encoding.segments[s].length; ++k) {
            segment.push_back(sdk::element_at(encoding.segments[s], solution, k));
        }
    }
    return values;
}

void store_values(const qapfw_encoding& encoding, const SolutionValues& values, void* solution) {
    if (values.size() != encoding.segment_count) {
        throw Error(ErrorKind::kInput,
                    fmt::format("a solution has {} segments, wanted {}", values.size(), encoding.segment_count));
    }
    std::memset(solution, 0, encoding.solution_bytes);
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s) {
        const qapfw_segment& segment = encoding.segments[s];
        if (values[s].size() != segment.length) {
            throw Error(ErrorKind::kInput, fmt::format("segment {} of a solution has {} elements, wanted {}", s,
                                                       values[s].size(), segment.length));
        }
        for (std::uint32_t k = 0; k < segment.length; ++k) {
            const std::uint32_t value = values[s][k];
            if (segment.element_bytes < 4 && value >> (8 * segment.element_bytes) != 0) {
                throw Error(ErrorKind::kInput,
                            fmt::format("position {} of segment {} holds {}, too large for the segment's elements", k,
                                        s, value));
            }
            sdk::set_element(segment, solution, k, value);
        }
    }
}

SolutionBuffer solution_of(const qapfw_encoding& encoding, const SolutionValues& values) {
    SolutionBuffer solution(encoding.solution_bytes);
    store_values(encoding, values, solution.data());
    return solution;
}

std::uint32_t free_count(const qapfw_encoding& encoding) {
    const std::uint32_t length = encoding.segments[0].length;
    if (encoding.fixed == nullptr) return length;
    return static_cast<std::uint32_t>(std::count(encoding.fixed, encoding.fixed + length, std::uint8_t{0}));
}

bool has_one_solution(const qapfw_encoding& encoding) {
    const bool is_permutation = encoding.segments[0].kind == QAPFW_SEGMENT_PERMUTATION;
    return encoding.segment_count == 1 && is_permutation && free_count(encoding) <= 1;
}

}  // namespace qapfw::framework
