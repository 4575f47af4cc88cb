// SPDX-License-Identifier: Apache-2.0
// Reads decimals exactly, see scaled_number.hpp. A value is mantissa * scale / 10^k. Each division by 10 cancels a
// factor 2 and a factor 5 of the mantissa or of the scale.
#include "problems/qap/instances/scaled_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace qapfw::qap {

namespace {

__extension__ using WideUnsigned = unsigned __int128;

constexpr WideUnsigned kMantissaLimit =
    WideUnsigned{1'000'000'000'000'000'000ULL} * WideUnsigned{1'000'000'000'000'000'000ULL};  // 10^36
// A larger exponent in the text is replaced by this limit. This changes no result: no text has enough digits to bring a
// number with such an exponent back into the range of 64 bits.
constexpr int64_t kExponentLimit = 1'000'000'000'000;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// The parts of a number: (-1)^negative * mantissa * 10^exponent. The mantissa has no trailing zero unless it is 0.
struct Decimal {
    bool negative = false;
    WideUnsigned mantissa = 0;
    int64_t exponent = 0;
    NumberFault fault = NumberFault::kNone;
};

class DecimalParser {
  public:
    explicit DecimalParser(std::string_view text) : text_(text) {}

    Decimal parse() {
        out_.negative = take('-');
        if (!out_.negative) take('+');
        std::size_t digits = take_digits(0);
        if (take('.')) digits += take_digits(-1);
        if (digits == 0) return not_a_number();
        if ((take('e') || take('E')) && !take_exponent()) return not_a_number();
        if (!text_.empty()) return not_a_number();
        strip_zeros();
        return out_;
    }

  private:
    Decimal not_a_number() {
        out_.fault = NumberFault::kNotANumber;
        return out_;
    }

    bool take(char c) {
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }

    /// Takes digits from the text and appends them to the mantissa. Each digit adds `step` to the exponent. Zeros are
    /// appended only when a digit other than 0 follows. Returns the number of digits.
    std::size_t take_digits(int64_t step) {
        std::size_t count = 0;
        for (; !text_.empty() && is_digit(text_.front()); text_.remove_prefix(1), ++count)
            append(text_.front() - '0', step);
        return count;
    }

    void append(int digit, int64_t step) {
        out_.exponent += step;
        ++pending_;
        if (digit == 0) return;
        for (; pending_ > 0; --pending_) {
            if (out_.mantissa >= kMantissaLimit) out_.fault = NumberFault::kTooLarge;
            if (out_.mantissa != 0 && out_.fault == NumberFault::kNone) out_.mantissa *= 10;
        }
        if (out_.fault == NumberFault::kNone) out_.mantissa += static_cast<WideUnsigned>(digit);
    }

    bool take_exponent() {
        const bool negative = take('-');
        if (!negative) take('+');
        if (text_.empty()) return false;
        int64_t value = 0;
        for (; !text_.empty() && is_digit(text_.front()); text_.remove_prefix(1)) {
            value = std::min(kExponentLimit, value * 10 + (text_.front() - '0'));
        }
        out_.exponent += negative ? -value : value;
        return text_.empty();
    }

    /// Adds the number of trailing zeros to the exponent; the mantissa does not have these zeros.
    void strip_zeros() {
        if (out_.fault != NumberFault::kNone) return;
        if (out_.mantissa == 0) {
            out_.exponent = 0;
        } else {
            out_.exponent += pending_;
        }
    }

    std::string_view text_;
    int64_t pending_ = 0;  // zeros seen since the last non-zero digit
    Decimal out_;
};

/// Divides one of the two factors by a prime; returns false if neither factor is a multiple of the prime.
bool cancel(WideUnsigned& mantissa, WideUnsigned& scale, unsigned prime) {
    WideUnsigned& factor = mantissa % prime == 0 ? mantissa : scale;
    if (factor % prime != 0) return false;
    factor /= prime;
    return true;
}

NumberFault multiply(const Decimal& number, int64_t scale, int64_t& value) {
    WideUnsigned mantissa = number.mantissa;
    WideUnsigned factor = static_cast<WideUnsigned>(scale);
    if (mantissa == 0) return NumberFault::kNone;
    for (int64_t k = number.exponent; k < 0; ++k) {
        if (!cancel(mantissa, factor, 2) || !cancel(mantissa, factor, 5)) return NumberFault::kNotIntegral;
    }
    constexpr WideUnsigned kLargest = static_cast<WideUnsigned>(std::numeric_limits<int64_t>::max());
    for (int64_t k = number.exponent; k > 0; --k) {
        if (mantissa > kLargest) return NumberFault::kTooLarge;
        mantissa *= 10;
    }
    // Also refuses the least 64-bit integer, because its magnitude is greater than kLargest.
    if (mantissa > kLargest || factor > kLargest || mantissa * factor > kLargest) return NumberFault::kTooLarge;
    const int64_t magnitude = static_cast<int64_t>(mantissa * factor);
    value = number.negative ? -magnitude : magnitude;
    return NumberFault::kNone;
}

}  // namespace

ScaledNumber parse_scaled_number(std::string_view text, int64_t scale) {
    ScaledNumber out;
    const Decimal number = DecimalParser(text).parse();
    out.fault = number.fault;
    if (out.fault != NumberFault::kNone) return out;
    out.decimals = number.exponent < 0 ? static_cast<uint32_t>(std::min<int64_t>(-number.exponent, 1000)) : 0;
    out.fault = multiply(number, scale, out.value);
    return out;
}

std::string describe_fault(NumberFault fault, int64_t scale) {
    switch (fault) {
        case NumberFault::kNotANumber:
            return "is not a number";
        case NumberFault::kNotIntegral:
            return scale == 1 ? "is not an integer"
                              : fmt::format("times the declared scale {} is not an integer", scale);
        case NumberFault::kTooLarge:
            return scale == 1 ? "does not fit 64 bits"
                              : fmt::format("times the declared scale {} does not fit 64 bits", scale);
        case NumberFault::kNone:
            break;
    }
    return {};
}

}  // namespace qapfw::qap
