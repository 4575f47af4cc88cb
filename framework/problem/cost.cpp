// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/cost.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

[[noreturn]] void bad_target(const std::string& text) {
    throw Error(ErrorKind::kUsage, fmt::format("run.target: wanted \"best-known\", \"best-known+0.5%\" or a cost (if "
                                               "costs are whole numbers: below 9.2e18), found \"{}\"",
                                               text));
}

/// The value of `text`; nothing unless the whole text is a T.
template <class T>
std::optional<T> parse_whole(const std::string& text) {
    T value{};
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
    return value;
}

/// The largest integer cost not above `bound`; if costs are real, the double nearest to `bound`. An integer target is
/// never rounded up, because the framework minimises and must not accept a cost above the target. Throws if `bound` is
/// too large for an integer cost; `text` is for the message.
qapfw_cost cost_at_most(const CostSpace& space, long double bound, const std::string& text) {
    qapfw_cost cost{};
    if (space.kind == QAPFW_COST_FLOAT64) {
        cost.f = static_cast<double>(bound);
        return cost;
    }
    const long double floored = std::floor(bound);
    if (!(std::fabs(floored) < 9.2e18L)) bad_target(text);
    cost.i = static_cast<std::int64_t>(floored);
    return cost;
}

long double as_real(const CostSpace& space, qapfw_cost cost) {
    return space.kind == QAPFW_COST_FLOAT64 ? static_cast<long double>(cost.f) : static_cast<long double>(cost.i);
}

qapfw_cost relative_target(const std::string& text, const std::string& suffix, const qapfw_problem_info& info) {
    const CostSpace space = CostSpace::of(info);
    if (info.has_best_known == 0) {
        throw Error(ErrorKind::kUsage, fmt::format("run.target = \"{}\": instance {} has no best-known value; give a "
                                                   "cost instead",
                                                   text, info.instance));
    }
    if (suffix.empty()) return info.best_known;
    if (suffix.size() < 3 || suffix.front() != '+' || suffix.back() != '%') bad_target(text);
    const auto percent = parse_whole<double>(suffix.substr(1, suffix.size() - 2));
    if (!percent || !(*percent >= 0)) bad_target(text);
    const long double known = as_real(space, info.best_known);
    return cost_at_most(space, known + std::fabs(known) * static_cast<long double>(*percent) / 100, text);
}

}  // namespace

std::string CostSpace::defect() const {
    if (kind != QAPFW_COST_INT64 && kind != QAPFW_COST_FLOAT64)
        return fmt::format("the kind of costs must be QAPFW_COST_INT64 or QAPFW_COST_FLOAT64, found {}", kind);
    if (sense != 1 && sense != -1) return fmt::format("the sense of costs must be 1 or -1, found {}", sense);
    if (divisor < 1) return fmt::format("the divisor of costs must be at least 1, found {}", divisor);
    return {};
}

bool CostSpace::agree(qapfw_cost reported, qapfw_cost recomputed, double tolerance) const {
    if (kind != QAPFW_COST_FLOAT64) return reported.i == recomputed.i;
    if (reported.f == recomputed.f) return true;
    return std::fabs(reported.f - recomputed.f) <= tolerance * std::fmax(1.0, std::fabs(recomputed.f));
}

double CostSpace::shown(qapfw_cost cost) const {
    return static_cast<double>(sense * as_real(*this, cost) / static_cast<long double>(divisor));
}

std::string CostSpace::shown_text(qapfw_cost cost) const {
    if (kind == QAPFW_COST_FLOAT64) return fmt::format("{}", shown(cost));
    if (divisor == 1 && cost.i != INT64_MIN) return fmt::format("{}", sense * cost.i);
    if (cost.i != INT64_MIN && cost.i % divisor == 0) return fmt::format("{}", sense * (cost.i / divisor));
    return fmt::format("{}", shown(cost));
}

std::string CostSpace::raw_text(qapfw_cost cost) const {
    return kind == QAPFW_COST_FLOAT64 ? fmt::format("{:.17g}", cost.f) : fmt::format("{}", cost.i);
}

qapfw_cost CostSpace::parse_raw(const std::string& text) const {
    qapfw_cost cost{};
    if (kind == QAPFW_COST_FLOAT64) {
        if (const auto value = parse_whole<double>(text)) {
            cost.f = *value;
            return cost;
        }
    } else if (const auto value = parse_whole<std::int64_t>(text)) {
        cost.i = *value;
        return cost;
    }
    throw Error(ErrorKind::kInput, fmt::format("wanted a cost, found \"{}\"", text));
}

double CostSpace::excess(qapfw_cost cost, qapfw_cost reference) const {
    return static_cast<double>((as_real(*this, cost) - as_real(*this, reference)) / static_cast<long double>(divisor));
}

std::optional<double> CostSpace::gap(qapfw_cost cost, qapfw_cost reference) const {
    const long double base = as_real(*this, reference);
    if (base == 0) return std::nullopt;
    return static_cast<double>((as_real(*this, cost) - base) / std::fabs(base));
}

qapfw_cost parse_target(const std::string& text, const qapfw_problem_info& info) {
    const CostSpace space = CostSpace::of(info);
    constexpr const char* kBestKnown = "best-known";
    if (text.rfind(kBestKnown, 0) == 0) return relative_target(text, text.substr(10), info);
    if (space.kind == QAPFW_COST_INT64) {
        qapfw_cost cost{};
        const auto whole = parse_whole<std::int64_t>(text);
        if (whole && !__builtin_mul_overflow(*whole, space.divisor * space.sense, &cost.i)) return cost;
    }
    const auto value = parse_whole<double>(text);
    if (!value || !std::isfinite(*value)) bad_target(text);
    const long double scaled = static_cast<long double>(*value) * space.sense * static_cast<long double>(space.divisor);
    return cost_at_most(space, scaled, text);
}

}  // namespace qapfw::framework
