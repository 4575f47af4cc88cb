// SPDX-License-Identifier: Apache-2.0
// Reads tokens line by line, see line_scanner.hpp.
#include "problems/qap/reductions/line_scanner.hpp"

#include <fmt/format.h>

#include "problems/qap/instances/scaled_number.hpp"

namespace qapfw::qap {

std::optional<Token> LineScanner::next() {
    const std::optional<Token> token = ahead_;
    if (ahead_) ahead_ = scanner_.next();
    return token;
}

std::vector<Token> LineScanner::rest_of_line(const Token& token) {
    std::vector<Token> out;
    while (ahead_ && ahead_->at.line == token.at.line) out.push_back(*next());
    return out;
}

int64_t parse_whole(const Token& token, const std::string& source, const std::string& what, int64_t least,
                    int64_t greatest) {
    const ScaledNumber number = parse_scaled_number(token.text);
    if (number.fault == NumberFault::kNotANumber || number.fault == NumberFault::kNotIntegral) {
        fail_at(source, token.at,
                fmt::format("{} was wanted here, but {} {}", what, quote_token(token.text),
                            describe_fault(number.fault, 1)));
    }
    if (number.fault == NumberFault::kTooLarge || number.value < least || number.value > greatest) {
        fail_at(source, token.at,
                fmt::format("{} is {}, it must be from {} to {}", what, quote_token(token.text), least, greatest));
    }
    return number.value;
}

}  // namespace qapfw::qap
