// SPDX-License-Identifier: Apache-2.0
// Converts matrix entries, see matrix_entry.hpp. A decimal of at most 15 digits is determined by its nearest double and
// its number of decimal places. So only doubles are stored, except for matrices with integers beyond 2^53.
#include "problems/qap/instances/matrix_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "problems/qap/instances/scaled_number.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {
namespace {

constexpr double kExactIntegers = 0x1p53;
constexpr uint32_t kMostDecimals = 18;

constexpr int64_t power_of_ten(uint32_t k) {
    int64_t power = 1;
    for (; k > 0; --k) power *= 10;
    return power;
}

/// The nearest double; nothing if the text is no decimal number. Beyond the largest double, the result is infinite.
std::optional<double> nearest_double(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ptr != end || result.ec == std::errc::invalid_argument) return std::nullopt;
    if (result.ec != std::errc::result_out_of_range) return value;
    // For a number out of range from_chars sets no value. strtod returns infinity or, for tiny numbers, 0.
    const std::string copy(text);
    return std::strtod(copy.c_str(), nullptr);
}

}  // namespace

const char* matrix_name(MatrixId id) {
    static constexpr const char* kNames[] = {"matrix A", "matrix B", "the table of linear costs",
                                             "the table of forbidden pairs"};
    return kNames[static_cast<int>(id)];
}

NumberMatrix::NumberMatrix(uint32_t rows, uint32_t columns)
    : rows_(rows), columns_(columns), values_(std::size_t{rows} * columns, 0.0) {}

NumberMatrix::NumberMatrix(uint32_t rows, uint32_t columns, const std::vector<int64_t>& entries)
    : NumberMatrix(rows, columns) {
    std::transform(entries.begin(), entries.end(), values_.begin(), [](int64_t v) { return static_cast<double>(v); });
    if (greatest_magnitude() >= kExactIntegers) integers_ = entries;
}

/// Stores integers in addition to the doubles from now on. Call this function while all entries are still integers
/// below 2^53.
void NumberMatrix::hold_exactly() {
    integers_.resize(values_.size());
    std::transform(values_.begin(), values_.end(), integers_.begin(), [](double v) { return static_cast<int64_t>(v); });
}

void NumberMatrix::set(uint32_t row, uint32_t column, const Token& token, const std::string& source, MatrixId id) {
    const auto refuse = [&](const char* what) {
        fail_at(source, token.at, fmt::format("the entry {} of {} {}", quote_token(token.text), matrix_name(id), what));
    };
    const ScaledNumber number = parse_scaled_number(token.text);
    const std::optional<double> value = nearest_double(token.text);
    if (value && std::isinf(*value)) {
        refuse(number.fault == NumberFault::kNotANumber ? "is infinite; a finite number was wanted"
                                                        : "is beyond the largest number that is read, 1.8e308");
    }
    if (number.fault == NumberFault::kNotANumber || !value) refuse("is not a number");
    const std::size_t cell = std::size_t{row} * columns_ + column;
    const bool is_integer = is_decimal_ && number.fault == NumberFault::kNone;
    if (is_integer && integers_.empty() && std::abs(*value) >= kExactIntegers) {
        is_decimal_ = decimals_ == 0;
        if (is_decimal_) hold_exactly();
    }
    values_[cell] = *value;
    if (is_integer && !integers_.empty()) integers_[cell] = number.value;
    if (is_integer || !is_decimal_) return;
    decimals_ = std::max(decimals_, number.decimals);
    is_decimal_ = number.fault == NumberFault::kNotIntegral && decimals_ <= kMostDecimals && integers_.empty() &&
                  std::abs(*value) * static_cast<double>(power_of_ten(number.decimals)) < 1e15;
}

void NumberMatrix::set(uint32_t row, uint32_t column, double value) {
    const std::size_t cell = std::size_t{row} * columns_ + column;
    values_[cell] = value;
    if (value != std::nearbyint(value) || std::abs(value) >= kExactIntegers) is_decimal_ = false;
    if (is_decimal_ && !integers_.empty()) integers_[cell] = static_cast<int64_t>(value);
}

void NumberMatrix::set_row(uint32_t row, const double* entries) {
    // Numbers with at most this many digits behind the point count as decimals. Computed numbers have more digits.
    constexpr uint32_t kFewDigits = 9;
    std::copy_n(entries, columns_, values_.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * columns_));
    const auto is_nearest = [](double value, double power) {
        const double scaled = std::nearbyint(value * power);
        return std::abs(scaled) < 1e15 && scaled / power == value;
    };
    for (uint32_t j = 0; j < columns_ && is_decimal_; ++j) {
        const double value = entries[j];
        if (value == std::nearbyint(value) && std::abs(value) < kExactIntegers) continue;
        while (is_decimal_ && !is_nearest(value, static_cast<double>(power_of_ten(decimals_)))) {
            is_decimal_ = ++decimals_ <= kFewDigits;
        }
    }
}

double NumberMatrix::greatest_magnitude() const {
    double greatest = 0;
    for (const double v : values_) greatest = std::max(greatest, std::abs(v));
    return greatest;
}

std::optional<uint32_t> NumberMatrix::decimals() const {
    if (!is_decimal_) return std::nullopt;
    if (!integers_.empty()) return 0;
    if (greatest_magnitude() * static_cast<double>(power_of_ten(decimals_)) >= 1e15 && decimals_ > 0) {
        return std::nullopt;
    }
    return decimals_;
}

std::vector<int64_t> NumberMatrix::times_power_of_ten(uint32_t k) const {
    std::vector<int64_t> out(values_.size());
    const int64_t rest = power_of_ten(k - decimals_);
    if (!integers_.empty()) {
        std::transform(integers_.begin(), integers_.end(), out.begin(), [&](int64_t v) { return v * rest; });
        return out;
    }
    const auto power = static_cast<double>(power_of_ten(decimals_));
    std::transform(values_.begin(), values_.end(), out.begin(),
                   [&](double v) { return static_cast<int64_t>(std::llround(v * power)) * rest; });
    return out;
}

uint32_t parse_size(const Token& token, const std::string& source, const std::string& what) {
    const ScaledNumber number = parse_scaled_number(token.text);
    if (number.fault == NumberFault::kNotANumber || number.fault == NumberFault::kNotIntegral) {
        fail_at(source, token.at,
                fmt::format("{} was wanted here, but {} {}", what, quote_token(token.text),
                            describe_fault(number.fault, 1)));
    }
    if (number.fault == NumberFault::kTooLarge || number.value < 1 || number.value > int64_t{kMaxSize}) {
        fail_at(source, token.at,
                fmt::format("{} is {}, it must be from 1 to {}", what, quote_token(token.text), kMaxSize));
    }
    return static_cast<uint32_t>(number.value);
}

}  // namespace qapfw::qap
