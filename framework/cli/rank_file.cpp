// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/rank_file.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

struct RankSlot {
    std::string host, number;  ///< the number is empty if the name has none
};

/// Splits a name such as "host:3" into host and number. Returns nullopt if the name does not have this form.
std::optional<RankSlot> without_number(const std::string& name) {
    const std::size_t colon = name.rfind(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == name.size() ||
        name.find_first_not_of("0123456789", colon + 1) != std::string::npos)
        return std::nullopt;
    return RankSlot{name.substr(0, colon), name.substr(colon + 1)};
}

/// Returns the host and the first number of "host", "host:core", "host:slot" or "host:core:slot". The last form is for
/// several ranks on one core.
RankSlot slot_of(const std::string& name) {
    const auto place = without_number(name);
    if (!place) return {name, {}};
    return without_number(place->host).value_or(*place);
}

}  // namespace

std::string rank_file_text(const std::vector<AssignedPair>& assignment, const std::string& file) {
    const bool slurm = file.ends_with(".hosts");
    std::map<std::string, std::uint32_t> used;  // by host: next slot for a location whose name has no slot number
    std::string text;
    for (const AssignedPair& pair : assignment) {
        if (pair.location_name.empty()) {
            throw Error(
                ErrorKind::kUsage,
                "--rankfile: the locations have no names of hosts; use a distance with hosts, such as --distance "
                "slurm:topology.conf*32 or hwloc:machine.xml");
        }
        RankSlot slot = slot_of(pair.location_name.text());
        if (slot.number.empty()) slot.number = std::to_string(used[slot.host]++);
        text += slurm ? slot.host + "\n" : fmt::format("rank {}={} slot={}\n", pair.facility, slot.host, slot.number);
    }
    if (assignment.empty()) throw Error(ErrorKind::kUsage, "--rankfile: the answer does not assign ranks to locations");
    return text;
}

}  // namespace qapfw::framework
