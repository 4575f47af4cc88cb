// SPDX-License-Identifier: Apache-2.0
// Seeded instances like F40..F120 of Sun, Chou and Wu (Symmetry 2019): a 45 x 45 plant, aspect limit 1000, rectilinear
// distances. The paper gives no areas and flows; here areas fill the plant, and flows are sparse and random. All
// decisions use integers, so every machine makes the same instance.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "problems/uaflp/instance.hpp"
#include "qapfw/error.hpp"
#include "qapfw/kernels/philox.hpp"

namespace qapfw::uaflp {
namespace {

/// The streams of the generator's random numbers.
enum : std::uint32_t { kAreaStream = 1, kFlowStream = 2, kPartnerStream = 3 };

/// Divides `total` into integers in proportion to `weight`. Each integer is rounded down. Then each of the first
/// integers is raised by one, until the sum is `total`.
std::vector<std::uint64_t> apportion(std::uint64_t total, const std::vector<std::uint64_t>& weight) {
    const std::uint64_t sum = std::accumulate(weight.begin(), weight.end(), std::uint64_t{0});
    std::vector<std::uint64_t> part;
    for (const std::uint64_t w : weight) part.push_back(total * w / sum);
    const std::uint64_t given = std::accumulate(part.begin(), part.end(), std::uint64_t{0});
    for (std::uint64_t i = 0; i < total - given; ++i) ++part[i];
    return part;
}

void check(const GeneratorOptions& options) {
    if (options.size < 1 || options.size > kMaxDepartments) {
        throw Error(ErrorKind::kInput,
                    fmt::format("a generated instance has 1 to {} departments, not {}", kMaxDepartments, options.size));
    }
    const double cells = options.side * options.side * 100;
    if (!(options.side > 0) || !(cells >= 100.0 * options.size) || !(cells < 1e15)) {
        throw Error(ErrorKind::kInput, fmt::format("a plant of side {} does not suit {} departments: its area, side * "
                                                   "side, must be at least the number of departments and below 1e13",
                                                   options.side, options.size));
    }
    if (!(options.density >= 0 && options.density <= 1) || options.max_flow < 1 || options.max_flow > 1000000 ||
        options.area_spread < 1 || options.area_spread > 1000 || !(options.max_aspect_ratio >= 1) ||
        !std::isfinite(options.max_aspect_ratio)) {
        throw Error(ErrorKind::kInput,
                    "generator: density must be from 0 to 1, max_flow from 1 to 1000000, area_spread from 1 to 1000, "
                    "max_aspect_ratio at least 1");
    }
}

void add_flows(const GeneratorOptions& options, UaflpInstance& instance) {
    const size_t n = options.size;
    const auto threshold = static_cast<std::uint64_t>(std::ldexp(options.density, 32));
    std::vector<bool> linked(n, false);
    const auto link = [&](size_t i, size_t j, std::uint32_t word) {
        instance.flow[std::min(i, j) * n + std::max(i, j)] = 1.0 + kernels::below(word, options.max_flow);
        linked[i] = linked[j] = true;
    };
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = i + 1; j < n; ++j) {
            const kernels::Philox4 words =
                kernels::draw4(options.seed, i, static_cast<std::uint32_t>(j), kFlowStream, 0);
            if (words.word[0] < threshold) link(i, j, words.word[1]);
        }
    }
    for (size_t i = 0; i < n && n > 1 && threshold > 0; ++i) {  // no department should be without flow
        if (linked[i]) continue;
        const kernels::Philox4 words = kernels::draw4(options.seed, i, 0, kPartnerStream, 0);
        const size_t other = kernels::below(words.word[0], static_cast<std::uint32_t>(n - 1));
        link(i, other < i ? other : other + 1, words.word[1]);
    }
}

}  // namespace

UaflpInstance generate_instance(const GeneratorOptions& options) {
    check(options);
    UaflpInstance instance;
    instance.name = fmt::format("F{}", options.size);
    if (options.seed != 1) instance.name += fmt::format("-s{}", options.seed);
    instance.source = fmt::format("generated: size {}, seed {}, density {}, scheme {}", options.size, options.seed,
                                  options.density, kernels::kRandomSchemeVersion);
    instance.width = instance.height = options.side;
    std::vector<std::uint64_t> weight;
    // Weights are drawn from 100 to 100 * area_spread. From 1 to area_spread there would be too few different areas.
    for (std::uint32_t d = 0; d < options.size; ++d) {
        weight.push_back(100 + kernels::below(kernels::draw(options.seed, 0, d, kAreaStream, 0),
                                              100 * (options.area_spread - 1) + 1));
    }
    const auto hundredths = static_cast<std::uint64_t>(options.side * options.side * 100);
    for (const std::uint64_t part : apportion(hundredths, weight)) {
        Department department;
        department.name = std::to_string(instance.size() + 1);
        department.area = static_cast<double>(part) / 100;
        department.rule.max_aspect_ratio = options.max_aspect_ratio;
        instance.departments.push_back(department);
    }
    instance.flow.assign(instance.size() * instance.size(), 0.0);
    add_flows(options, instance);
    return instance;
}

UaflpInstance generate_f(unsigned n, std::uint64_t seed) {
    GeneratorOptions options;
    options.size = n;
    options.seed = seed;
    return generate_instance(options);
}

}  // namespace qapfw::uaflp
