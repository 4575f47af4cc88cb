// SPDX-License-Identifier: Apache-2.0
// Reads fixed assignments, see fixed_assignments.hpp.
#include "problems/qap/instances/fixed_assignments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "problems/qap/instances/matrix_entry.hpp"
#include "problems/qap/instances/scaled_number.hpp"
#include "problems/qap/instances/text_scanner.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {

namespace {

/// Collects assignments and checks each against those before it.
class FixedBuilder {
  public:
    FixedBuilder(uint32_t n, const std::string& source)
        : n_(n), source_(source), mask_(n, 0), facility_at_(n, kFree), location_of_(n, 0) {
        if (n < 1 || n > kMaxSize) throw Error(ErrorKind::kInternal, fmt::format("fixed assignments for n = {}", n));
    }

    void add(std::string_view entry, uint32_t line) {
        const std::size_t arrow = entry.find("->");
        if (arrow == std::string_view::npos) {
            fail_at(source_, place(entry, 0, line),
                    fmt::format("\"facility->location\" was wanted, such as \"3->7\", not {}", quote_token(entry)));
        }
        const TextPosition facility_at = place(entry.substr(0, arrow), 0, line);
        const TextPosition location_at = place(entry.substr(arrow + 2), arrow + 2, line);
        const uint32_t facility = parse_index(entry.substr(0, arrow), facility_at, "facility");
        const uint32_t location = parse_index(entry.substr(arrow + 2), location_at, "location");
        fix(facility, location, facility_at, location_at);
    }

    void fix(uint32_t facility, uint32_t location, TextPosition facility_at, TextPosition location_at) {
        if (mask_[facility] != 0) {
            fail_at(source_, facility_at,
                    fmt::format("facility {} is fixed twice, first at location {}", facility + 1,
                                location_of_[facility] + 1));
        }
        if (facility_at_[location] != kFree) {
            fail_at(
                source_, location_at,
                fmt::format("location {} is already taken by facility {}", location + 1, facility_at_[location] + 1));
        }
        mask_[facility] = 1;
        location_of_[facility] = static_cast<uint16_t>(location);
        facility_at_[location] = facility;
        ++count_;
    }

    FixedAssignments finish() && {
        uint32_t free_location = 0;
        for (uint32_t facility = 0; facility < n_; ++facility) {
            if (mask_[facility] != 0) continue;
            while (facility_at_[free_location] != kFree) ++free_location;
            location_of_[facility] = static_cast<uint16_t>(free_location++);
        }
        return {std::move(mask_), std::move(location_of_), count_};
    }

  private:
    static constexpr uint32_t kFree = ~uint32_t{0};

    /// Returns the position in the text at which `part` begins, after its leading blanks. `offset`: where `part`, with
    /// these blanks, begins in its line.
    static TextPosition place(std::string_view part, std::size_t offset, uint32_t line) {
        const std::size_t blanks = std::min(part.find_first_not_of(kBlanks), part.size());
        return {line, static_cast<uint32_t>(offset + blanks) + 1};
    }

    uint32_t parse_index(std::string_view part, TextPosition at, const char* what) const {
        const std::size_t blanks = std::min(part.find_first_not_of(kBlanks), part.size());
        part.remove_prefix(blanks);
        part = part.substr(0, part.find_last_not_of(kBlanks) + 1);
        const ScaledNumber number = parse_scaled_number(part);
        if (number.fault != NumberFault::kNone || number.value < 1 || number.value > int64_t{n_}) {
            fail_at(source_, at, fmt::format("a {} from 1 to {} was wanted, not {}", what, n_, quote_token(part)));
        }
        return static_cast<uint32_t>(number.value) - 1;
    }

    uint32_t n_;
    const std::string& source_;
    std::vector<uint8_t> mask_;          // for each facility: 1 if it is fixed, else 0
    std::vector<uint32_t> facility_at_;  // for each location: the facility that is fixed there, or kFree
    std::vector<uint16_t> location_of_;  // for each fixed facility: its location; finish() gives all others a location
    uint32_t count_ = 0;
};

}  // namespace

FixedAssignments parse_fixed_assignments(std::span<const std::string> entries, uint32_t n, const std::string& source) {
    FixedBuilder builder(n, source);
    uint32_t line = 0;
    for (const std::string& entry : entries) builder.add(entry, ++line);
    return std::move(builder).finish();
}

FixedAssignments fixed_pairs(std::span<const NamedPair> pairs, uint32_t n, const std::string& source) {
    FixedBuilder builder(n, source);
    for (const NamedPair& pair : pairs) builder.fix(pair.facility, pair.location, pair.facility_at, pair.location_at);
    return std::move(builder).finish();
}

}  // namespace qapfw::qap
