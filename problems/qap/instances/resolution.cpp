// SPDX-License-Identifier: Apache-2.0
// Chooses the scales with which the owner's costs become integers, see resolution.hpp.
#include "problems/qap/instances/resolution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "problems/qap/setup.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {
namespace {

constexpr double kWantedError = 1e-6;      ///< error of costs that is small enough, relative to the spread of costs
constexpr int kFewestBits = 8;             ///< number of bits tried first; neighbourhoods store no entry in fewer bits
constexpr int kMostBits = 28;              ///< with more bits per entry, neighbourhoods multiply 64 bits by 64 bits
constexpr double kWidestDecimal = 0x1p31;  ///< decimals that need integers this large are rounded, for faster searches

/// Puts the matrix in the upper left corner of an n x n matrix of zeros.
std::vector<int64_t> padded(const std::vector<int64_t>& m, uint32_t rows, uint32_t columns, uint32_t n) {
    if (rows == n && columns == n) return m;
    std::vector<int64_t> out(std::size_t{n} * n, 0);
    for (std::size_t i = 0; i < rows; ++i)
        std::copy_n(m.begin() + static_cast<std::ptrdiff_t>(i * columns), columns,
                    out.begin() + static_cast<std::ptrdiff_t>(i * n));
    return out;
}

void negate(std::vector<int64_t>& m) {
    for (int64_t& v : m) v = -v;
}

/// Joins the scaled matrices and adds dummies. If costs are maximised, negates a and the linear costs. Penalties are
/// added later by forbid(), since penalties follow from the bounds of all other costs.
QapMatrices join(const OwnerModel& owner, std::vector<int64_t> a, std::vector<int64_t> b, std::vector<int64_t> linear) {
    QapMatrices out;
    const uint32_t facilities = owner.a.rows();
    out.n = owner.b.rows();
    if (owner.maximize) negate(a), negate(linear);
    out.a = padded(a, facilities, facilities, out.n);
    out.b = std::move(b);
    if (!linear.empty()) out.linear = padded(linear, facilities, out.n, out.n);
    return out;
}

/// Adds the penalties of forbidden pairs; returns false if the penalties do not fit 64 bits.
bool forbid(const OwnerModel& owner, const CostBounds& bounds, QapMatrices& out) {
    if (owner.forbidden.empty()) return true;
    const std::size_t n = out.n;
    const int64_t penalty = 2 * (bounds.upper - bounds.lower) + 1;  // more than twice any change of a cost
    if (bounds.upper - bounds.lower > kCostLimit / 2) return false;
    int64_t all = 0;
    if (__builtin_mul_overflow(penalty, static_cast<int64_t>(owner.a.rows()), &all)) return false;
    if (all > kCostLimit - bounds.magnitude) return false;
    out.penalty = penalty;
    out.forbidden.assign(n * n, 0);
    std::copy(owner.forbidden.begin(), owner.forbidden.end(), out.forbidden.begin());
    if (out.linear.empty()) out.linear.assign(n * n, 0);
    for (std::size_t cell = 0; cell < n * n; ++cell) out.linear[cell] += out.forbidden[cell] != 0 ? penalty : 0;
    return true;
}

/// The integer model from `matrices`; nothing if a cost, penalties included, could exceed kCostLimit.
std::optional<IntegerModel> finished(const OwnerModel& owner, QapMatrices matrices, const Resolution& resolution) {
    IntegerModel out;
    const std::optional<CostBounds> bounds = try_cost_bounds(matrices);
    if (!bounds) return std::nullopt;
    out.matrices = std::move(matrices);
    if (out.matrices.has_linear() && std::ranges::count(out.matrices.linear, 0) == std::ssize(out.matrices.linear)) {
        out.matrices.linear.clear();
    }
    out.bounds = *bounds;
    out.resolution = resolution;
    if (!forbid(owner, *bounds, out.matrices)) return std::nullopt;
    return out;
}

int64_t ten_to_the(uint32_t k) {
    int64_t power = 1;
    for (; k > 0; --k) power *= 10;
    return power;
}

/// Makes integers by multiplying each matrix by a power of ten. The power of the linear costs is the product of the
/// other two. Returns nothing if a number is no exact decimal, or if some integer would be too wide.
std::optional<IntegerModel> as_decimals(const OwnerModel& owner) {
    const auto of_a = owner.a.decimals(), of_b = owner.b.decimals();
    const auto of_linear = owner.linear.empty() ? std::optional<uint32_t>(0) : owner.linear.decimals();
    if (!of_a || !of_b || !of_linear) return std::nullopt;
    uint32_t k_a = *of_a;
    const uint32_t k_b = *of_b;
    if (*of_linear > k_a + k_b) k_a = *of_linear - k_b;
    if (k_a + k_b > 18) return std::nullopt;
    const auto fits = [](const NumberMatrix& m, uint32_t k, double most) {
        return k == 0 || m.greatest_magnitude() * std::pow(10.0, k) < most;
    };
    if (!fits(owner.a, k_a, kWidestDecimal) || !fits(owner.b, k_b, kWidestDecimal)) return std::nullopt;
    if (!owner.linear.empty() && !fits(owner.linear, k_a + k_b, 0x1p61)) return std::nullopt;
    Resolution resolution;
    resolution.divisor = ten_to_the(k_a + k_b);
    resolution.decimals_a = k_a;
    resolution.decimals_b = k_b;
    return finished(owner,
                    join(owner, owner.a.times_power_of_ten(k_a), owner.b.times_power_of_ten(k_b),
                         owner.linear.empty() ? std::vector<int64_t>{} : owner.linear.times_power_of_ten(k_a + k_b)),
                    resolution);
}

/// Exponents of the powers of two that multiply a and b. Linear costs are multiplied by both powers.
struct Exponents {
    int a, b;
};

/// Exponents for which the largest entries of a and of b have `bits` bits. If a or b is zero, the linear costs have
/// twice this number of bits.
Exponents exponents_for(const OwnerModel& owner, int bits) {
    const double a = owner.a.greatest_magnitude(), b = owner.b.greatest_magnitude();
    const auto exponent = [](double greatest, int wanted) { return wanted - 1 - std::ilogb(greatest); };
    if (a > 0 && b > 0) return {exponent(a, bits), exponent(b, bits)};
    const double linear = owner.linear.empty() ? 0 : owner.linear.greatest_magnitude();
    return {linear > 0 ? exponent(linear, 2 * bits) : 0, 0};
}

/// Rounds as std::llround does, but inlined.
int64_t rounded(double v) {
    const auto whole = static_cast<int64_t>(v);
    const double rest = v - static_cast<double>(whole);  // this difference is exact
    return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

std::vector<int64_t> times_power_of_two(const NumberMatrix& m, int exponent) {
    std::vector<int64_t> out(m.values().size());
    // Scaling by a power of two is exact, except for subnormal results. Those are rounded to 0.
    if (const double factor = std::scalbn(1.0, exponent); std::isnormal(factor)) {
        std::transform(m.values().begin(), m.values().end(), out.begin(),
                       [&](double v) { return rounded(v * factor); });
    } else {
        std::transform(m.values().begin(), m.values().end(), out.begin(),
                       [&](double v) { return rounded(std::scalbn(v, exponent)); });
    }
    return out;
}

/// Scales the matrices by powers of two and rounds them. The largest entries of a and b then have `bits` bits. Returns
/// nullopt if 64-bit arithmetic could overflow with these matrices.
std::optional<IntegerModel> as_binary(const OwnerModel& owner, int bits) {
    const Exponents e = exponents_for(owner, bits);
    const bool none = owner.a.greatest_magnitude() == 0 || owner.b.greatest_magnitude() == 0;
    if (!owner.linear.empty() && std::scalbn(owner.linear.greatest_magnitude(), e.a + e.b) >= 0x1p61) {
        return std::nullopt;
    }
    Resolution resolution;
    resolution.exact = false;
    resolution.bits = static_cast<uint32_t>(bits);
    resolution.unit = std::scalbn(1.0, -(e.a + e.b));
    const double n = owner.a.rows(), half = 0.5 * std::scalbn(1.0, bits) + 0.25;
    resolution.rounding = none ? n : n * n * 2 * half + n;  // an entry is wrong by at most 1/2
    const std::vector<int64_t> zeros(owner.a.values().size(), 0), zeros_b(owner.b.values().size(), 0);
    return finished(
        owner,
        join(owner, none ? zeros : times_power_of_two(owner.a, e.a), none ? zeros_b : times_power_of_two(owner.b, e.b),
             owner.linear.empty() ? std::vector<int64_t>{} : times_power_of_two(owner.linear, e.a + e.b)),
        resolution);
}

/// Returns 32 pseudo-random permutations; for a large n fewer, but at least 3. They are the same in every run.
std::vector<std::vector<uint16_t>> sample(uint32_t n) {
    constexpr double kWork = 2e7;  // number of products for the whole sample; takes some hundredths of a second
    const auto count = static_cast<std::size_t>(std::clamp(kWork / (double{1} * n * n), 3.0, 32.0));
    std::vector<std::vector<uint16_t>> out(count);
    uint64_t state = 0x9E3779B97F4A7C15u;
    for (std::vector<uint16_t>& p : out) {
        p.resize(n);
        std::iota(p.begin(), p.end(), uint16_t{0});
        for (std::size_t k = n; k > 1; --k) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            std::swap(p[k - 1], p[(state >> 33) % k]);
        }
    }
    return out;
}

/// Measures the error of integer costs on a sample of permutations, relative to the spread of the owner's costs. An
/// error common to all costs does not count. If all costs are equal, their error counts as 0.
class ErrorMeter {
  public:
    explicit ErrorMeter(const OwnerModel& owner, const OwnerNumbers& numbers)
        : sense_(owner.maximize ? -1 : 1), sample_(sample(owner.b.rows())) {
        for (const std::vector<uint16_t>& p : sample_) costs_.push_back(numbers.cost(p.data()));
    }

    double of(const IntegerModel& model) const {
        if (model.matrices.forbidden.empty()) return of(model, model.matrices);
        QapMatrices plain = model.matrices;
        for (std::size_t cell = 0; cell < plain.forbidden.size(); ++cell) {
            if (plain.forbidden[cell] != 0) plain.linear[cell] -= plain.penalty;
        }
        return of(model, plain);
    }

  private:
    double of(const IntegerModel& model, const QapMatrices& plain) const {
        std::vector<double> errors;
        for (std::size_t k = 0; k < sample_.size(); ++k) {
            set_up_row();
            const auto cost = static_cast<double>(sense_ * evaluate(plain, sample_[k].data()));
            errors.push_back(cost * model.resolution.unit - costs_[k]);
        }
        const double spread = range(costs_);
        return spread > 0 ? range(errors) / spread : 0;
    }

    static double range(const std::vector<double>& v) {
        const auto [least, greatest] = std::minmax_element(v.begin(), v.end());
        return *greatest - *least;
    }

    int64_t sense_;
    std::vector<std::vector<uint16_t>> sample_;
    std::vector<double> costs_;
};

/// Returns the least k for which `value` is the double nearest to a decimal with k decimal places. Returns nothing if
/// there is no such k up to 9.
std::optional<uint32_t> decimals_of(double value) {
    constexpr uint32_t kFew = 9;
    for (uint32_t k = 0; k <= kFew; ++k) {
        const auto power = static_cast<double>(ten_to_the(k));
        if (std::abs(value * power) < 0x1p50 && std::nearbyint(value * power) / power == value) return k;
    }
    return std::nullopt;
}

/// Returns the value of OwnerNumbers::decimals. The value is a power of ten only if the sum of all terms' magnitudes,
/// times this power, is below 2^50. A cost in double is then wrong by less than half a unit of its last decimal place.
double power_of_costs(const OwnerModel& owner) {
    const auto of_a = owner.a.decimals(), of_b = owner.b.decimals(), of_constant = decimals_of(owner.constant);
    const auto of_linear = owner.linear.empty() ? std::optional<uint32_t>(0) : owner.linear.decimals();
    if (!of_a || !of_b || !of_linear || !of_constant) return 0;
    const uint32_t decimals = std::max({*of_a + *of_b, *of_linear, *of_constant});
    if (decimals > 15) return 0;
    const double n = owner.a.rows(), power = static_cast<double>(ten_to_the(decimals));
    const double linear = owner.linear.empty() ? 0 : owner.linear.greatest_magnitude();
    const double most = n * n * owner.a.greatest_magnitude() * owner.b.greatest_magnitude() + n * linear;
    return (most + std::abs(owner.constant)) * power < 0x1p50 ? power : 0;
}

OwnerNumbers numbers_of(const OwnerModel& owner) {
    return {owner.a.rows(),        owner.b.rows(), owner.a.values(),     owner.b.values(),
            owner.linear.values(), owner.constant, power_of_costs(owner)};
}

[[noreturn]] void fail_range(const std::string& source, const char* what) {
    throw Error(ErrorKind::kInput, fmt::format("{}: {}", source, what));
}

/// Throws if costs could exceed the largest double, or are so small that products could lose digits.
void require_range(const OwnerModel& owner, const std::string& source) {
    const double a = owner.a.greatest_magnitude(), b = owner.b.greatest_magnitude();
    const double linear = owner.linear.empty() ? 0 : owner.linear.greatest_magnitude();
    const double n = owner.a.rows();
    if (!std::isfinite(n * n * a * b) || !std::isfinite(n * n * a * b + n * linear + std::abs(owner.constant))) {
        fail_range(source,
                   "costs could exceed the largest number that can be stored, 1.8e308; divide all entries of one "
                   "matrix by a large number, and any linear costs by the same number");
    }
    // The product of the greatest entries of a and b must be at least 2^-900. Then two entries that are each 2^60 times
    // smaller still have a product with all digits.
    constexpr double kLeast = 0x1p-900;
    if (a > 0 && b > 0 && (a < kLeast || b < kLeast || std::ilogb(a) + std::ilogb(b) < std::ilogb(kLeast))) {
        fail_range(source,
                   "costs are too close to the smallest number that can be stored, 2.2e-308; multiply all entries of "
                   "one matrix by a large number, and any linear costs by the same number");
    }
    if (linear > 0 && linear < kLeast) {
        fail_range(source,
                   "the linear costs are too close to the smallest number that can be stored, 2.2e-308; multiply all "
                   "linear costs, and all entries of one matrix, by the same large number");
    }
}

/// Returns the model with the fewest bits that is precise enough. It has at least kFewestBits bits, unless a model with
/// so many bits could overflow 64-bit arithmetic. If no model is precise enough, returns the one with the most bits
/// that cannot overflow. Returns nothing if every model could overflow.
std::optional<IntegerModel> narrowest(const OwnerModel& owner, const OwnerNumbers& numbers) {
    const ErrorMeter meter(owner, numbers);
    std::optional<IntegerModel> best;
    int low = 1, high = kMostBits;  // the error decreases with more bits
    for (int bits = kFewestBits; low <= high; bits = (low + high) / 2) {
        std::optional<IntegerModel> model = as_binary(owner, bits);
        if (!model) {
            high = bits - 1;
            continue;
        }
        model->resolution.error = meter.of(*model);
        const bool precise = model->resolution.error <= kWantedError;
        if (precise || !best || best->resolution.error > kWantedError) best = std::move(model);
        if (precise && bits <= kFewestBits) break;
        (precise ? high : low) = precise ? bits - 1 : bits + 1;
    }
    return best;
}

}  // namespace

std::string Resolution::describe() const {
    if (exact) return divisor == 1 ? std::string{} : fmt::format("exact costs in units of 1/{}", divisor);
    return fmt::format(
        "entries rounded to {} bits, costs in units of {:.3g}, measured error of costs: {:.1g} of their spread", bits,
        unit, error);
}

IntegerModel to_integers(const OwnerModel& owner, const std::string& source) {
    require_range(owner, source);
    std::optional<IntegerModel> exact = as_decimals(owner);
    if (exact && owner.constant == 0 && owner.forbidden.empty()) return std::move(*exact);
    OwnerNumbers numbers = numbers_of(owner);
    if (exact) {
        exact->owner = std::make_shared<OwnerNumbers>(std::move(numbers));
        return std::move(*exact);
    }
    std::optional<IntegerModel> rounded = narrowest(owner, numbers);
    if (!rounded) {
        fail_range(source,
                   "the linear costs are too large compared with the other costs to fit into 64 bits; make the linear "
                   "costs smaller");
    }
    rounded->owner = std::make_shared<OwnerNumbers>(std::move(numbers));
    return std::move(*rounded);
}

}  // namespace qapfw::qap
