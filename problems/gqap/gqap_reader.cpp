// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "problems/gqap/readers.hpp"
#include "problems/gqap/token_reader.hpp"
#include "qapfw/error.hpp"

namespace qapfw::gqap {
namespace {

std::vector<std::int64_t> read_table(TokenReader& text, const char* what, std::size_t count) {
    std::vector<std::int64_t> table;
    table.reserve(std::min(count, text.bytes_left() / 2 + 1));  // what the head promises takes no memory before
    for (std::size_t k = 0; k < count; ++k) table.push_back(text.integer(what));
    return table;
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
        if (name.empty()) text.fail(fmt::format("a name of {} is empty", what));
        if (!seen.insert(name).second) text.fail(fmt::format("two {} are called \"{}\"", what, name));
    }
    return names;
}

/// Puts an item where it has to stay.
void fix(Instance& instance, const TokenReader& text, const std::string& item, const std::string& location) {
    const std::uint32_t i = find_name(instance.item_names, instance.items, item);
    const std::uint32_t k = find_name(instance.location_names, instance.locations, location);
    if (i == Instance::kFree) text.fail(fmt::format("\"{}\" is no item", item));
    if (k == Instance::kFree) text.fail(fmt::format("\"{}\" is no location", location));
    if (instance.fixed.empty()) instance.fixed.assign(instance.items, Instance::kFree);
    if (instance.fixed[i] != Instance::kFree) text.fail(fmt::format("item {} is fixed twice", instance.item_name(i)));
    instance.fixed[i] = k;
}

void read_weights(Instance& instance, TokenReader& text) {
    const std::size_t n = instance.items, m = instance.locations, left = text.numbers_left();
    instance.weight.assign(n * m, 0);
    if (left == 0) return;
    const bool own = left == n * m + m && left != n + m;
    if (!own && left != n + m) {
        text.word();  // so that the message has its line
        text.fail(
            fmt::format("wanted {} weights and {} capacities behind the assignment costs, or nothing, found {} "
                        "numbers",
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
                const std::vector<std::string> sides = split(pair, '=');
                if (sides.size() != 2) text.fail("wanted \"fixed ITEM = LOCATION, ...\"");
                fix(instance, text, sides[0], sides[1]);
            }
        } else {
            text.fail(fmt::format("wanted a line that begins with items, locations or fixed, found \"{}\"",
                                  key.substr(0, 40)));
        }
    }
}

}  // namespace

Instance read_gqap(std::string_view bytes, const std::string& source) {
    TokenReader text(bytes, source);
    Instance instance;
    instance.items = static_cast<std::uint32_t>(text.integer("the number of items", 1, 65535));
    instance.locations = static_cast<std::uint32_t>(text.integer("the number of locations", 1, 65536));
    const std::int64_t unit = text.integer("the cost of a unit of flow");
    const std::size_t n = instance.items, m = instance.locations;
    const std::vector<std::int64_t> flows = read_table(text, "a flow", n * n);
    instance.distance = read_table(text, "a distance", m * m);
    instance.linear = read_table(text, "an assignment cost", n * m);
    read_weights(instance, text);
    read_keys(instance, text);
    std::vector<Triple> triples;
    for (std::size_t k = 0; k < n * n; ++k) {
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
    TokenReader text(bytes, source);
    for (bool first = true; text.next_line(false); first = false) {
        const std::vector<std::string> cells = split(text.rest_of_line(), ',');
        if (cells.size() != 2) text.fail("wanted a line \"item,location\"");
        const bool known = find_name(instance.item_names, instance.items, cells[0]) != Instance::kFree;
        if (first && !known && (cells[0] == "item" || cells[0] == "facility")) continue;
        fix(instance, text, cells[0], cells[1]);
    }
}

}  // namespace qapfw::gqap
