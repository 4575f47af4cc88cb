// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "qapfw/error.hpp"

namespace qapfw::gqap {
namespace {

constexpr std::string_view kPrefix = "gqap:";

/// Random numbers by SplitMix64.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}
    /// A random number from `least` to `most`.
    std::int64_t between(std::int64_t least, std::int64_t most) {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ z >> 27) * 0x94D049BB133111EBull;
        z ^= z >> 31;
        return least + static_cast<std::int64_t>(z % static_cast<std::uint64_t>(most - least + 1));
    }

  private:
    std::uint64_t state_;
};

struct Form {
    std::int64_t items = 0, locations = 0, percent = 65, seed = 1;
};

Form read_form(const std::string& name) {
    Form form;
    const char *at = name.data() + kPrefix.size(), *const end = name.data() + name.size();
    const auto number = [&](std::int64_t& to, char before) {
        if (before != 0 && (at == end || *at++ != before)) return false;
        const auto read = std::from_chars(at, end, to);
        at = read.ptr;
        return read.ec == std::errc();
    };
    bool good = number(form.items, 0) && number(form.locations, 'x');
    if (good && at != end) good = number(form.percent, ':');
    if (good && at != end) good = number(form.seed, ':');
    good = good && at == end && form.items >= 1 && form.items <= 5000 && form.locations >= 1 &&
           form.locations <= 1000 && form.percent >= 1 && form.percent <= 100 && form.seed >= 0;
    if (good) return form;
    throw Error(
        ErrorKind::kInput,
        fmt::format("\"{}\": wanted gqap:ITEMSxLOCATIONS:PERCENT:SEED with 1 to 5000 items, 1 to 1000 locations "
                    "that are filled to 1 to 100 percent, and a seed of at least 0, such as gqap:30x8:65:1",
                    name));
}

/// The square root, rounded to the nearest whole number.
std::int64_t rounded_root(std::int64_t square) {
    std::int64_t root = 0;
    while ((2 * root + 1) * (2 * root + 1) <= 4 * square) ++root;
    return root;
}

void draw_places(Instance& instance, Draws& draws) {
    const std::size_t m = instance.locations;
    std::vector<std::array<std::int64_t, 2>> points(m);
    for (auto& point : points) point = {draws.between(0, 100), draws.between(0, 100)};
    instance.distance.resize(m * m);
    for (std::size_t a = 0; a < m; ++a) {
        for (std::size_t b = 0; b < m; ++b) {
            const std::int64_t x = points[a][0] - points[b][0], y = points[a][1] - points[b][1];
            instance.distance[a * m + b] = rounded_root(x * x + y * y);
        }
    }
}

struct Known {
    std::string_view name;
    std::uint32_t items, locations;
    std::int64_t cost;
};
constexpr std::array kKnown = {
    Known{"20-15-35", 20, 15, 1471896}, Known{"20-15-75", 20, 15, 1953188},  Known{"30-06-95", 30, 6, 5160920},
    Known{"30-07-75", 30, 7, 4383923},  Known{"30-08-55", 30, 8, 3501695},   Known{"30-10-65", 30, 10, 3620959},
    Known{"30-20-35", 30, 20, 3379359}, Known{"30-20-55", 30, 20, 3593105},  Known{"30-20-75", 30, 20, 4050938},
    Known{"30-20-95", 30, 20, 5710645}, Known{"35-15-35", 35, 15, 4456670},  Known{"35-15-55", 35, 15, 4639128},
    Known{"35-15-75", 35, 15, 6301723}, Known{"35-15-95", 35, 15, 6670264},  Known{"40-07-75", 40, 7, 7405793},
    Known{"40-09-95", 40, 9, 7667719},  Known{"50-10-75", 50, 10, 11217503}, Known{"50-10-95", 50, 10, 12845598}};

}  // namespace

bool is_generated(const std::string& name) {
    return name.starts_with(kPrefix);
}

Instance generate(const std::string& name) {
    const Form form = read_form(name);
    Instance instance;
    instance.items = static_cast<std::uint32_t>(form.items);
    instance.locations = static_cast<std::uint32_t>(form.locations);
    instance.name = fmt::format("gqap-{}x{}-{}-{}", form.items, form.locations, form.percent, form.seed);
    const std::size_t n = instance.items, m = instance.locations;
    Draws draws(static_cast<std::uint64_t>(form.seed) * 1000003 + n * 1009 + m * 101 +
                static_cast<std::uint64_t>(form.percent));
    draw_places(instance, draws);
    instance.linear.resize(n * m);
    for (std::int64_t& cost : instance.linear) cost = draws.between(0, 100 * form.items);
    std::vector<std::int64_t> load(m, 0);
    std::int64_t heaviest = 0;
    instance.weight.resize(n * m);
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t weight = draws.between(1, 100);
        std::fill_n(instance.weight.begin() + static_cast<std::ptrdiff_t>(i * m), m, weight);
        load[static_cast<std::size_t>(draws.between(0, form.locations - 1))] += weight;
        heaviest = std::max(heaviest, weight);
    }
    for (const std::int64_t full : load) {
        instance.capacity.push_back(std::max((100 * full + form.percent - 1) / form.percent, std::int64_t{1}));
    }
    std::vector<Triple> flows;
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = i + 1; j < n; ++j) {
            const std::int64_t flow = draws.between(-99, 100);
            if (flow < 1) continue;
            flows.push_back({i, j, flow});
            flows.push_back({j, i, flow});
        }
    }
    instance.set_flows(std::move(flows));
    return instance;
}

std::optional<std::int64_t> best_known(const Instance& instance) {
    for (const Known& known : kKnown) {
        const bool same = known.items == instance.items && known.locations == instance.locations;
        if (same && instance.name == known.name) return known.cost;
    }
    return std::nullopt;
}

}  // namespace qapfw::gqap
