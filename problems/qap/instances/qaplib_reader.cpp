// SPDX-License-Identifier: Apache-2.0
// Reads and writes QAPLIB text, see qaplib_reader.hpp.
#include "problems/qap/instances/qaplib_reader.hpp"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "problems/qap/instances/scaled_number.hpp"
#include "problems/qap/instances/table_text.hpp"

namespace qapfw::qap {

namespace {

/// The numbers that a QAPLIB file states before its matrices A and B.
struct Header {
    uint32_t facilities = 0;
    uint32_t locations = 0;
    std::optional<std::string> stated_best = std::nullopt;

    std::size_t a_entries() const { return std::size_t{facilities} * facilities; }
    std::size_t entries() const { return a_entries() + std::size_t{locations} * locations; }
};

bool is_non_finite(std::string_view text) {
    if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
    std::string small;
    for (const char c : text) small += static_cast<char>(c | 0x20);
    return small == "nan" || small == "inf" || small == "infinity";
}

std::size_t square(uint32_t n) {
    return std::size_t{n} * n;
}

/// True if the first line with numbers has exactly two numbers.
bool first_line_holds_two(TextScanner scanner) {
    const auto first = scanner.next();
    const auto second = scanner.next();
    const auto third = scanner.next();
    return first && second && first->at.line == second->at.line && (!third || third->at.line != second->at.line);
}

/// True if `count` is `wanted`, or is larger because a solution follows: a permutation, perhaps after n and a cost.
bool holds(std::size_t count, std::size_t wanted, std::size_t n) {
    return count == wanted || count == wanted + n || count == wanted + n + 2;
}

/// Reads the header, and leaves the scanner at the first entry of A. The number of tokens decides which of the three
/// forms the header has.
Header read_header(TextScanner& scanner) {
    const std::size_t count = scanner.count_remaining();
    const bool two_on_first_line = first_line_holds_two(scanner);
    const auto first = scanner.next();
    if (!first)
        scanner.fail(scanner.position(),
                     "a QAPLIB instance was wanted, which begins with its size n, but the text is empty");
    const uint32_t n = parse_size(*first, scanner.source(), "the size n");
    TextScanner ahead = scanner;
    const auto second = ahead.next();
    if (!second) return {n, n};
    const ScaledNumber number = parse_scaled_number(second->text);
    if (two_on_first_line && holds(count, 2 + 2 * square(n), n) && number.fault != NumberFault::kNotANumber) {
        scanner = ahead;
        return {n, n, std::string(second->text)};
    }
    const bool larger =
        number.fault == NumberFault::kNone && number.value > int64_t{n} && number.value <= int64_t{kMaxSize};
    const auto locations = larger ? static_cast<uint32_t>(number.value) : n;
    if (larger && holds(count, 2 + square(n) + square(locations), locations)) {
        scanner = ahead;
        return {n, locations};
    }
    return {n, n};
}

/// Throws for the first token that is no number. Skips n (the first token), inf and nan, which later checks report.
void check_content(TextScanner scanner) {
    bool is_first = true;
    while (const auto token = scanner.next()) {
        const bool numeric = token->text == "-" || parse_scaled_number(token->text).fault != NumberFault::kNotANumber;
        if (!numeric && !is_first && !is_non_finite(token->text)) {
            const std::string why = why_no_number(token->text);
            scanner.fail(
                token->at,
                why.empty()
                    ? fmt::format("a number was wanted, found {}; a comment begins with # or //, or with the word c at "
                                  "the beginning of a line",
                                  quote_token(token->text))
                    : fmt::format("{} {}", quote_token(token->text), why));
        }
        is_first = false;
    }
}

/// Called for a text with too few entries. Reports the first bad entry or, if all are good, that the text is too short.
[[noreturn]] void fail_truncated(TextScanner& scanner, const Header& header) {
    std::size_t read = 0;
    NumberMatrix one(1, 1);
    for (auto token = scanner.next(); token; token = scanner.next(), ++read) {
        if (token->text == "-") continue;
        one.set(0, 0, *token, scanner.source(), read < header.a_entries() ? MatrixId::kA : MatrixId::kB);
    }
    scanner.fail(scanner.position(),
                 fmt::format("the text ends after {} of the {} entries that two {} x {} matrices have", read,
                             header.entries(), header.locations, header.locations));
}

NumberMatrix read_matrix(TextScanner& scanner, MatrixId id, uint32_t rows) {
    NumberMatrix out(rows, rows);
    for (uint32_t i = 0; i < rows; ++i) {
        for (uint32_t j = 0; j < rows; ++j) {
            // The caller has checked that the text has enough entries, so next() finds one.
            Token token = *scanner.next();
            if (token.text == "-") token.text = "0";
            out.set(i, j, token, scanner.source(), id);
        }
    }
    return out;
}

/// Checks what follows the matrices: nothing, or a solution, which is ignored. A solution is a permutation, perhaps
/// with its size and cost.
void check_tail(TextScanner scanner, const Header& header) {
    const std::size_t n = header.locations;
    const auto extra = TextScanner(scanner).next();
    if (!extra) return;
    const std::size_t count = scanner.count_remaining();
    if (count == n + 2) {
        scanner.next();
        scanner.next();
    }
    std::vector<bool> seen(n + 1, false);
    bool is_permutation = count == n || count == n + 2;
    while (const auto token = scanner.next()) {
        const ScaledNumber number = parse_scaled_number(token->text);
        const bool fits =
            number.fault == NumberFault::kNone && number.value >= 0 && number.value <= static_cast<int64_t>(n);
        is_permutation = is_permutation && fits && !seen[static_cast<std::size_t>(number.value)];
        if (is_permutation) seen[static_cast<std::size_t>(number.value)] = true;
    }
    if (is_permutation) return;
    scanner.fail(extra->at, fmt::format("trailing data: {} follows the last of the {} entries that n = {} asks for",
                                        quote_token(extra->text), header.entries(), header.locations));
}

void append_matrix(std::string& out, const std::vector<int64_t>& matrix, uint32_t n) {
    for (std::size_t k = 0; k < matrix.size(); ++k) {
        fmt::format_to(std::back_inserter(out), "{}{}", matrix[k], (k + 1) % n == 0 ? '\n' : ' ');
    }
}

}  // namespace

ReadMatrices read_qaplib_text(std::string_view text, const std::string& source) {
    TextScanner scanner(text, source, TextScanner::Commas::kPartOfToken, TextScanner::Comments::kSkipped);
    check_content(scanner);
    const Header header = read_header(scanner);
    if (scanner.count_remaining() < header.entries()) fail_truncated(scanner, header);
    ReadMatrices out;
    out.stated_best = header.stated_best;
    out.a = read_matrix(scanner, MatrixId::kA, header.facilities);
    out.b = read_matrix(scanner, MatrixId::kB, header.locations);
    check_tail(scanner, header);
    return out;
}

std::string to_qaplib_text(const QapMatrices& matrices) {
    std::string out = fmt::format("{}\n\n", matrices.n);
    append_matrix(out, matrices.a, matrices.n);
    out += '\n';
    append_matrix(out, matrices.b, matrices.n);
    return out;
}

}  // namespace qapfw::qap
