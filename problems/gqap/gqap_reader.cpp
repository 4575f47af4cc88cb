// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "problems/gqap/pair_lines.hpp"
#include "problems/gqap/readers.hpp"
#include "problems/gqap/token_reader.hpp"
#include "qapfw/error.hpp"

namespace qapfw::gqap {
namespace {

std::vector<std::int64_t> read_table(TokenReader& text, const char* what, std::size_t count) {
    std::vector<std::int64_t> table;
    table.reserve(std::min(count, text.bytes_left() / 2 + 1));  // no memory for numbers that the text cannot contain
    for (std::size_t k = 0; k < count; ++k) table.push_back(text.integer(what));
    return table;
}

void negate(std::vector<std::int64_t>& values, const TokenReader& text) {
    for (std::int64_t& value : values) {
        if (__builtin_sub_overflow(std::int64_t{0}, value, &value))
            text.fail("a number of a maximised instance is -2^63; the least possible number is -2^63 + 1");
    }
}

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
    return begin == text.npos ? std::string() : text.substr(begin, end - begin + 1);
}

std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(separator, begin), line.size());
        parts.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return parts;
}

std::vector<std::string> read_names(TokenReader& text, const char* what, std::uint32_t count) {
    std::vector<std::string> names = split(text.rest_of_line(), ',');
    if (names.size() != count)
        text.fail(fmt::format("{} names of {} were wanted, found {}", count, what, names.size()));
    std::set<std::string> seen;
    for (const std::string& name : names) {
        if (name.empty()) text.fail(fmt::format("one of the names of {} is empty", what));
        if (!seen.insert(name).second) text.fail(fmt::format("two {} are called \"{}\"", what, name));
    }
    return names;
}

/// Splits "ITEM = LOCATION"; names may contain "=" themselves.
std::array<std::string, 2> sides_of(const Instance& instance, const TokenReader& text, const std::string& pair) {
    std::array<std::string, 2> first;
    std::size_t signs = 0, known = 0;
    for (std::size_t at = pair.find('='); at != pair.npos; at = pair.find('=', at + 1)) {
        const std::array<std::string, 2> sides{trimmed(pair.substr(0, at)), trimmed(pair.substr(at + 1))};
        const bool fits = find_name(instance.item_names, instance.items, sides[0]) != Instance::kFree &&
                          find_name(instance.location_names, instance.locations, sides[1]) != Instance::kFree;
        if (signs++ == 0 || (fits && known == 0)) first = sides;
        known += fits ? 1 : 0;
    }
    if (signs == 0) text.fail("wanted \"fixed ITEM = LOCATION, ...\"");
    if (known > 1) text.fail(fmt::format("\"{}\" can be read in two ways; use numbers instead of names", pair));
    return first;
}

/// Fixes an item at a location.
template <class Fail>
void fix(Instance& instance, const Fail& fail, const std::string& item, const std::string& location) {
    const std::uint32_t i = find_name(instance.item_names, instance.items, item);
    const std::uint32_t k = find_name(instance.location_names, instance.locations, location);
    if (i == Instance::kFree) fail(fmt::format("\"{}\" is no item", item));
    if (k == Instance::kFree) fail(fmt::format("\"{}\" is no location", location));
    if (instance.fixed.empty()) instance.fixed.assign(instance.items, Instance::kFree);
    if (instance.fixed[i] != Instance::kFree) fail(fmt::format("item {} is fixed twice", instance.item_name(i)));
    instance.fixed[i] = k;
}

void read_weights(Instance& instance, TokenReader& text) {
    const std::size_t n = instance.items, m = instance.locations, left = text.numbers_left();
    instance.weight.assign(n * m, 0);
    if (left == 0) return;
    const bool own = left == n * m + m && left != n + m;
    if (!own && left != n + m) {
        text.word();  // reads the first of these numbers, so that the message names its line
        text.fail(fmt::format(
            "after the assignment costs, {} weights (or a weight for each item and location) and {} capacities were "
            "wanted, or no numbers; found {} numbers",
            n, m, left));
    }
    const std::vector<std::int64_t> weights = read_table(text, "a weight", own ? n * m : n);
    for (std::size_t k = 0; k < n * m; ++k) instance.weight[k] = weights[own ? k : k / m];
    instance.capacity = read_table(text, "a capacity", m);
}

void read_keys(Instance& instance, TokenReader& text) {
    for (std::string_view key = text.word(); !key.empty(); key = text.word()) {
        if (key == "items") {
            instance.item_names = read_names(text, "items", instance.items);
        } else if (key == "locations") {
            instance.location_names = read_names(text, "locations", instance.locations);
        } else if (key == "fixed") {
            for (const std::string& pair : split(text.rest_of_line(), ',')) {
                const std::array<std::string, 2> sides = sides_of(instance, text, pair);
                fix(
                    instance, [&](const std::string& what) { text.fail(what); }, sides[0], sides[1]);
            }
        } else if (key == "maximise" && text.at_line_end()) {
            instance.maximise = true;
        } else {
            text.fail(
                fmt::format("wanted a line that begins with items, locations or fixed, or the line \"maximise\"; "
                            "found a line that begins with \"{}\"",
                            key.substr(0, 40)));
        }
    }
}

}  // namespace

Instance read_gqap(std::string_view bytes, const std::string& source, const sdk::StopQuestion& stop) {
    TokenReader text(bytes, source);
    Instance instance;
    instance.stop = stop;
    instance.items = static_cast<std::uint32_t>(text.integer("the number of items", 1, 65535));
    instance.locations = static_cast<std::uint32_t>(text.integer("the number of locations", 1, 65536));
    const std::int64_t unit = text.integer("the cost of a unit of flow");
    const std::size_t n = instance.items, m = instance.locations;
    require_tables(n, m, 8 * n * n, source);
    std::vector<std::int64_t> flows = read_table(text, "a flow", n * n);
    instance.distance = read_table(text, "a distance", m * m);
    instance.linear = read_table(text, "an assignment cost", n * m);
    read_weights(instance, text);
    read_keys(instance, text);
    if (instance.maximise) {
        negate(flows, text);
        negate(instance.linear, text);
    }
    std::vector<Triple> triples;
    for (std::size_t k = 0; k < n * n; ++k) {
        if (k % n == 0) instance.set_up_row();
        std::int64_t value = 0;
        if (__builtin_mul_overflow(flows[k], unit, &value)) text.fail("a flow times its unit cost exceeds 64 bits");
        if (value != 0)
            triples.push_back({static_cast<std::uint32_t>(k / n), static_cast<std::uint32_t>(k % n), value});
    }
    instance.set_flows(std::move(triples));
    return instance;
}

std::string gqap_text(const Instance& instance) {
    const std::size_t n = instance.items, m = instance.locations;
    const std::int64_t sign = instance.maximise ? -1 : 1;
    std::string text = fmt::format("{} {} 1\n", n, m);
    const auto row = [&](const std::int64_t* values, std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) text += fmt::format("{}{}", k == 0 ? "" : " ", values[k]);
        text += '\n';
    };
    std::vector<std::int64_t> flows(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::fill(flows.begin(), flows.end(), 0);
        for (std::uint64_t f = instance.first[i]; f < instance.first[i + 1]; ++f) {
            flows[instance.flows[f].other] = sign * instance.flows[f].out;
        }
        row(flows.data(), n);
    }
    for (std::size_t k = 0; k < m; ++k) row(instance.distance.data() + k * m, m);
    std::vector<std::int64_t> linear(instance.linear);
    for (std::int64_t& cost : linear) cost *= sign;
    for (std::size_t i = 0; i < n; ++i) row(linear.data() + i * m, m);
    if (!instance.capacity.empty()) {
        const bool same = instance.weighs_the_same_everywhere();
        for (std::size_t i = 0; i < n; ++i) row(instance.weight.data() + i * m, same ? 1 : m);
        row(instance.capacity.data(), m);
    }
    if (instance.maximise) text += "maximise\n";
    if (!instance.item_names.empty()) text += fmt::format("items {}\n", fmt::join(instance.item_names, ", "));
    if (!instance.location_names.empty())
        text += fmt::format("locations {}\n", fmt::join(instance.location_names, ", "));
    for (std::uint32_t i = 0; i < instance.items; ++i) {
        if (!instance.is_fixed(i)) continue;
        const auto name = [](const std::vector<std::string>& names, std::uint32_t k) {
            return names.empty() ? std::to_string(k + 1) : names[k];
        };
        text += fmt::format("fixed {} = {}\n", name(instance.item_names, i),
                            name(instance.location_names, instance.fixed[i]));
    }
    return text;
}

void read_fixed(Instance& instance, std::string_view bytes, const std::string& source) {
    bool first = true;
    for (const PairLine& line : pair_lines(bytes, source)) {
        const bool known = find_name(instance.item_names, instance.items, line.item) != Instance::kFree;
        const bool head = first && !known && (line.item == "item" || line.item == "facility");
        first = false;
        if (head) continue;
        fix(
            instance, [&](const std::string& what) { fail_in_line(source, line.number, what); }, line.item,
            line.location);
    }
}

}  // namespace qapfw::gqap
