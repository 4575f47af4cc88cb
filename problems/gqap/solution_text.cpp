// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/solution_text.hpp"

#include <fmt/format.h>

#include "problems/gqap/pair_lines.hpp"
#include "problems/gqap/readers.hpp"
#include "problems/gqap/token_reader.hpp"
#include "qapfw/error.hpp"

namespace qapfw::gqap {
namespace {

std::vector<std::uint32_t> read_pairs(std::string_view text, const Instance& instance) {
    Instance pairs;
    pairs.items = instance.items;
    pairs.locations = instance.locations;
    pairs.item_names = instance.item_names;
    pairs.location_names = instance.location_names;
    read_fixed(pairs, text, "the assignment");
    for (std::uint32_t i = 0; i < pairs.items; ++i) {
        if (pairs.is_fixed(i)) continue;
        throw Error(ErrorKind::kInput, fmt::format("the assignment: item {} has no location", pairs.item_name(i)));
    }
    return pairs.fixed;
}

}  // namespace

std::vector<std::uint32_t> read_assignment(std::string_view text, const Instance& instance) {
    if (holds_pairs(text)) return read_pairs(text, instance);
    TokenReader words(text, "the assignment");
    std::vector<std::uint32_t> location_of;
    for (std::uint32_t i = 0; i < instance.items; ++i) {
        location_of.push_back(
            static_cast<std::uint32_t>(words.integer("a location's number", 0, instance.locations - 1)));
    }
    if (words.word().empty()) return location_of;
    words.fail(fmt::format("wanted {} locations, found more text after them", instance.items));
}

}  // namespace qapfw::gqap
