// SPDX-License-Identifier: Apache-2.0
// Regenerates Taillard's instances, see generators.hpp. Uniform and grey-pattern instances use only integers. The
// clustered instances round doubles computed with cos, sin, exp and sqrt. The results equal the published files,
// whether or not the compiler contracts to fused multiply-adds. Only the four distances patched below would differ.
#include "problems/qap/instances/generators.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string_view>

#include "qapfw/error.hpp"

namespace qapfw::qap {

namespace {

/// Lehmer's generator x <- 16807 x mod (2^31 - 1) (Park and Miller, CACM 31, 1988); the state is updated, then used.
class LehmerRandom {
  public:
    explicit LehmerRandom(uint32_t seed) : x_(seed) {}

    /// Takes the next x and returns floor(range * u) with u = x / (2^31 - 1), computed in integers.
    int64_t below(uint32_t range) { return static_cast<int64_t>(step() * range / kModulus); }

    /// Taillard's unif(lo, hi) = lo + u (hi - lo + 1); the 1 is added for real ranges too.
    double uniform(double lo, double hi) {
        const double u = static_cast<double>(step()) / static_cast<double>(kModulus);
        return lo + u * (hi - lo + 1.0);
    }

  private:
    static constexpr uint64_t kModulus = 2147483647;

    uint64_t step() { return x_ = x_ * 16807 % kModulus; }

    uint64_t x_;
};

double round_half_up(double value) {
    return std::floor(value + 0.5);
}

QapMatrices empty_matrices(uint32_t n) {
    const std::size_t entries = std::size_t{n} * n;
    return {n, std::vector<int64_t>(entries, 0), std::vector<int64_t>(entries, 0)};
}

// ---- tai*a ---------------------------------------------------------------------------------------------------------

void fill_symmetric_uniform(LehmerRandom& random, std::size_t n, std::vector<int64_t>& matrix) {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i + 1; j < n; ++j) matrix[i * n + j] = matrix[j * n + i] = random.below(100);
    }
}

/// All sizes have the same seed. The second matrix is drawn first, except for tai50a and tai100a.
QapMatrices uniform_instance(uint32_t n) {
    LehmerRandom random(123456789);
    QapMatrices out = empty_matrices(n);
    const bool a_is_drawn_first = n == 50 || n == 100;
    fill_symmetric_uniform(random, n, a_is_drawn_first ? out.a : out.b);
    fill_symmetric_uniform(random, n, a_is_drawn_first ? out.b : out.a);
    return out;
}

// ---- tai*b ---------------------------------------------------------------------------------------------------------

/// Parameters of one tai*b instance: points in square clusters around random centres, log-uniform flows.
struct ClusteredRecipe {
    uint32_t n;
    uint32_t seed;
    double centre_range;   // centres lie at a distance of unif(0, centre_range) from the origin
    double half_side_low;  // half the side of a cluster is unif(half_side_low, half_side_high)
    double half_side_high;
    bool half_side_is_rounded;  // true: half the side is rounded to a whole number
    double exponent_low;        // flows are exp(unif(exponent_low, exponent_high))
    double exponent_high;
};

constexpr double kLargestCluster = 20;  // a cluster has round(unif(1, kLargestCluster)) points

constexpr std::array<ClusteredRecipe, 13> kClustered{{
    {10, 123456789, 1000, 1, 100, false, -13, 8},
    {12, 27483945, 1000, 0, 100, true, -10, 10},
    {15, 135798642, 10000, 0, 100, true, -10, 10},
    {20, 84765693, 1000, 0, 100, true, -10, 10},
    {25, 872654598, 1000, 0, 100, true, -10, 10},
    {30, 273483245, 1000, 0, 100, true, -10, 10},
    {35, 836492746, 1000, 0, 100, true, -13, 9},
    {40, 174385903, 1000, 0, 100, true, -13, 9},
    {50, 275937295, 1000, 0, 100, true, -13, 8},
    {60, 74628562, 1000, 0, 100, true, -13, 8},
    {80, 28476389, 1000, 0, 100, true, -13, 8},
    {100, 86482646, 1000, 0, 100, true, -13, 8},
    {150, 736354824, 100, 0, 10, false, -13, 8},
}};

/// A distance as the published file of size n has it. The exact distance has a fractional part within 3e-4 of 0.5.
/// The file rounds it one way, and rounded_distance() the other way. i and j count from 1; entry (j, i) is the same.
struct RoundingPatch {
    uint32_t n;
    uint32_t i;
    uint32_t j;
    int64_t distance;
};

constexpr std::array<RoundingPatch, 4> kRoundingPatches{{
    {80, 44, 32, 479},
    {80, 73, 16, 542},
    {100, 79, 43, 554},
    {100, 95, 47, 179},
}};

struct Point {
    double x;
    double y;
};

/// Draws at least n points, in whole clusters. The flows are drawn from the same stream, so the last cluster must also
/// be drawn to its end.
std::vector<Point> draw_clusters(LehmerRandom& random, const ClusteredRecipe& recipe) {
    std::vector<Point> points;
    while (points.size() < recipe.n) {
        const double theta = random.uniform(0.0, 2.0 * std::numbers::pi);
        const double radius = random.uniform(0.0, recipe.centre_range);
        const double count = round_half_up(random.uniform(1.0, kLargestCluster));
        double half_side = random.uniform(recipe.half_side_low, recipe.half_side_high);
        if (recipe.half_side_is_rounded) half_side = round_half_up(half_side);
        for (int k = 0; k < static_cast<int>(count); ++k) {
            const double x = radius * std::cos(theta) + random.uniform(-half_side, half_side);
            const double y = radius * std::sin(theta) + random.uniform(-half_side, half_side);
            points.push_back({x, y});
        }
    }
    return points;
}

int64_t rounded_distance(const Point& p, const Point& q) {
    const double dx = p.x - q.x;
    const double dy = p.y - q.y;
    return static_cast<int64_t>(round_half_up(std::sqrt(dx * dx + dy * dy)));
}

QapMatrices clustered_instance(const ClusteredRecipe& recipe) {
    const std::size_t n = recipe.n;
    LehmerRandom random(recipe.seed);
    QapMatrices out = empty_matrices(recipe.n);
    const std::vector<Point> points = draw_clusters(random, recipe);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) out.a[i * n + j] = rounded_distance(points[i], points[j]);
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            if (i == j) continue;
            const double flow = std::exp(random.uniform(recipe.exponent_low, recipe.exponent_high));
            out.b[i * n + j] = static_cast<int64_t>(round_half_up(flow));
        }
    }
    for (const RoundingPatch& patch : kRoundingPatches) {
        if (patch.n != recipe.n) continue;
        const std::size_t i = patch.i - 1;
        const std::size_t j = patch.j - 1;
        out.a[i * n + j] = out.a[j * n + i] = patch.distance;
    }
    return out;
}

// ---- tai64c, tai256c -----------------------------------------------------------------------------------------------

/// A grey pattern: `dark` of side^2 cells are dark. Two dark cells repel each other with 10^5 / d^2, where d is their
/// distance on a torus.
struct GreyRecipe {
    uint32_t side;
    uint32_t dark;
};

constexpr std::array<GreyRecipe, 2> kGrey{{{8, 13}, {16, 92}}};

int64_t torus_distance(uint32_t i, uint32_t j, uint32_t side) {
    const uint32_t gap = i > j ? i - j : j - i;
    return static_cast<int64_t>(gap < side - gap ? gap : side - gap);
}

/// 100000 / distance_squared, rounded to the nearest integer; ties are rounded to the even one.
int64_t repulsion(int64_t distance_squared) {
    constexpr int64_t kStrength = 100000;
    const int64_t down = kStrength / distance_squared;
    const int64_t twice_rest = 2 * (kStrength % distance_squared);
    const bool up = twice_rest > distance_squared || (twice_rest == distance_squared && down % 2 != 0);
    return down + (up ? 1 : 0);
}

QapMatrices grey_instance(const GreyRecipe& recipe) {
    const uint32_t n = recipe.side * recipe.side;
    QapMatrices out = empty_matrices(n);
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            const std::size_t at = std::size_t{i} * n + j;
            out.a[at] = i < recipe.dark && j < recipe.dark ? 1 : 0;
            if (i == j) continue;
            const int64_t dx = torus_distance(i / recipe.side, j / recipe.side, recipe.side);
            const int64_t dy = torus_distance(i % recipe.side, j % recipe.side, recipe.side);
            out.b[at] = repulsion(dx * dx + dy * dy);
        }
    }
    return out;
}

// ---- names ---------------------------------------------------------------------------------------------------------

struct TaillardName {
    uint32_t n = 0;
    char family = 0;
};

/// Splits a name such as "tai40a". Names with leading zeros, with more than six digits or of another form give nothing.
std::optional<TaillardName> parse_name(std::string_view name) {
    if (name.size() < 5 || name.size() > 10 || name.substr(0, 3) != "tai" || name[3] == '0') return std::nullopt;
    TaillardName out;
    out.family = name.back();
    for (const char c : name.substr(3, name.size() - 4)) {
        if (c < '0' || c > '9') return std::nullopt;
        out.n = out.n * 10 + static_cast<uint32_t>(c - '0');
    }
    return out;
}

const ClusteredRecipe* find_clustered(uint32_t n) {
    for (const ClusteredRecipe& recipe : kClustered) {
        if (recipe.n == n) return &recipe;
    }
    return nullptr;
}

const GreyRecipe* find_grey(uint32_t n) {
    for (const GreyRecipe& recipe : kGrey) {
        if (recipe.side * recipe.side == n) return &recipe;
    }
    return nullptr;
}

}  // namespace

std::optional<uint32_t> generated_size(const std::string& name) {
    const auto parsed = parse_name(name);
    if (!parsed) return std::nullopt;
    const bool known = (parsed->family == 'a' && parsed->n >= kSmallestUniform && parsed->n <= kLargestUniform) ||
                       (parsed->family == 'b' && find_clustered(parsed->n)) ||
                       (parsed->family == 'c' && find_grey(parsed->n));
    return known ? std::optional(parsed->n) : std::nullopt;
}

std::optional<QapMatrices> generate_instance(const std::string& name) {
    const auto parsed = parse_name(name);
    if (!parsed) return std::nullopt;
    if (parsed->family == 'a') {
        if (parsed->n >= kSmallestUniform && parsed->n <= kLargestUniform) return uniform_instance(parsed->n);
        throw Error(ErrorKind::kInput, fmt::format("{}: instances taiNa are made for N from {} to {}, not for N = {}",
                                                   name, kSmallestUniform, kLargestUniform, parsed->n));
    }
    if (parsed->family == 'b') {
        if (const ClusteredRecipe* recipe = find_clustered(parsed->n)) return clustered_instance(*recipe);
    }
    if (parsed->family == 'c') {
        if (const GreyRecipe* recipe = find_grey(parsed->n)) return grey_instance(*recipe);
    }
    return std::nullopt;
}

std::vector<std::string> generated_names() {
    std::vector<std::string> out;
    for (const int n : {10, 12, 15, 17, 20, 25, 30, 35, 40, 50, 60, 80, 100}) out.push_back(fmt::format("tai{}a", n));
    for (const ClusteredRecipe& recipe : kClustered) out.push_back(fmt::format("tai{}b", recipe.n));
    for (const GreyRecipe& recipe : kGrey) out.push_back(fmt::format("tai{}c", recipe.side * recipe.side));
    return out;
}

}  // namespace qapfw::qap
