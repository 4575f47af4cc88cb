// SPDX-License-Identifier: Apache-2.0
// Converts one matrix entry, see matrix_entry.hpp.
#include "problems/qap/instances/matrix_entry.hpp"

#include <fmt/format.h>

#include "problems/qap/instances/scaled_number.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {

namespace {

/// The sentence that refuses a real entry and says how to declare a scale.
std::string refuse_real(const Token& token, char matrix, uint32_t decimals) {
    const char parameter = matrix == 'A' ? 'a' : 'b';
    std::string message = fmt::format(
        "the entry {} of matrix {} is not an integer, and costs are exact integers: declare a scale for this matrix",
        quote_token(token.text), matrix);
    constexpr uint32_t kSuggestedDecimals = 9;
    if (decimals > kSuggestedDecimals) return message + fmt::format(" with scale_{}", parameter);
    return message + fmt::format(", for example scale_{} = 1{:0<{}}", parameter, "", decimals);
}

}  // namespace

int64_t parse_entry(const Token& token, const std::string& source, MatrixId id, const EntryScale& scale) {
    const std::optional<int64_t>& declared = id == MatrixId::kA ? scale.a : scale.b;
    const char matrix = id == MatrixId::kA ? 'A' : 'B';
    const ScaledNumber number = parse_scaled_number(token.text, declared.value_or(1));
    if (number.fault == NumberFault::kNone) return number.value;
    if (number.fault == NumberFault::kNotIntegral && !declared) {
        fail_at(source, token.at, refuse_real(token, matrix, number.decimals));
    }
    fail_at(source, token.at,
            fmt::format("the entry {} of matrix {} {}", quote_token(token.text), matrix,
                        describe_fault(number.fault, declared.value_or(1))));
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

void require_valid(const EntryScale& scale) {
    if (scale.a.value_or(1) < 1)
        throw Error(ErrorKind::kUsage, fmt::format("scale_a is {}, it must be at least 1", *scale.a));
    if (scale.b.value_or(1) < 1)
        throw Error(ErrorKind::kUsage, fmt::format("scale_b is {}, it must be at least 1", *scale.b));
}

ReadMatrices zero_matrices(uint32_t facilities, uint32_t locations) {
    const std::size_t entries = std::size_t{locations} * locations;
    ReadMatrices out;
    out.facilities = facilities;
    out.matrices.n = locations;
    out.matrices.a.assign(entries, 0);
    out.matrices.b.assign(entries, 0);
    return out;
}

}  // namespace qapfw::qap
