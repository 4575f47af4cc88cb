// SPDX-License-Identifier: Apache-2.0
// Reads and writes QAPLIB solution files, see solution_text.hpp.
#include "problems/qap/instances/solution_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/instances/matrix_entry.hpp"
#include "problems/qap/instances/scaled_number.hpp"
#include "problems/qap/instances/text_scanner.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {

namespace {

struct ListedIndex {
    int64_t value;
    TextPosition at;
};

int64_t parse_integer(const TextScanner& scanner, const Token& token, const char* what) {
    const ScaledNumber number = parse_scaled_number(token.text);
    if (number.fault == NumberFault::kNone) return number.value;
    scanner.fail(token.at, fmt::format("{} was wanted here, but {} {}", what, quote_token(token.text),
                                       describe_fault(number.fault, 1)));
}

/// Reads n indices; fails if the text ends early or goes on.
std::vector<ListedIndex> read_indices(TextScanner& scanner, uint32_t n) {
    std::vector<ListedIndex> out;
    for (auto token = scanner.next(); token; token = scanner.next()) {
        if (out.size() == n) {
            scanner.fail(token->at,
                         fmt::format("trailing data: {} follows the last of the {} elements of the permutation",
                                     quote_token(token->text), n));
        }
        out.push_back({parse_integer(scanner, *token, "an element of the permutation"), token->at});
    }
    if (out.size() < n) {
        scanner.fail(scanner.position(),
                     fmt::format("the text ends after {} of the {} elements of the permutation", out.size(), n));
    }
    return out;
}

/// Subtracts the base (0 if a 0 is listed, else 1) and checks that the result is a permutation.
std::vector<uint16_t> to_permutation(const TextScanner& scanner, const std::vector<ListedIndex>& listed) {
    const auto n = static_cast<int64_t>(listed.size());
    const bool from_zero = std::any_of(listed.begin(), listed.end(), [](const ListedIndex& x) { return x.value == 0; });
    const int64_t base = from_zero ? 0 : 1;
    std::vector<uint16_t> out;
    std::vector<bool> seen(listed.size(), false);
    for (const ListedIndex& index : listed) {
        if (index.value < base || index.value >= base + n) {
            scanner.fail(index.at, fmt::format("the element {} of the permutation is not from {} to {}", index.value,
                                               base, base + n - 1));
        }
        const auto value = static_cast<std::size_t>(index.value - base);
        if (seen[value])
            scanner.fail(index.at, fmt::format("the element {} of the permutation is listed twice", index.value));
        seen[value] = true;
        out.push_back(static_cast<uint16_t>(value));
    }
    return out;
}

std::vector<uint16_t> inverse_of(const std::vector<uint16_t>& p) {
    std::vector<uint16_t> out(p.size());
    for (std::size_t i = 0; i < p.size(); ++i) out[p[i]] = static_cast<uint16_t>(i);
    return out;
}

}  // namespace

SolutionText parse_solution(std::string_view text, const std::string& source) {
    TextScanner scanner(text, source, TextScanner::Commas::kSeparate);
    const auto first = scanner.next();
    if (!first) scanner.fail(scanner.position(), "the text is empty, a solution begins with its size n and its cost");
    const uint32_t n = parse_size(*first, source, "the size n");
    SolutionText out;
    TextScanner ahead = scanner;
    const auto second = ahead.next();
    const bool has_cost = !second || second->at.line == first->at.line || scanner.count_remaining() != n;
    if (has_cost) {
        const auto cost = scanner.next();
        if (!cost)
            scanner.fail(scanner.position(), "the text ends after the size n, a cost and a permutation were wanted");
        out.stated_cost = parse_integer(scanner, *cost, "the cost");
    }
    out.values = to_permutation(scanner, read_indices(scanner, n));
    return out;
}

QapSolution read_solution_text(std::string_view text, const std::string& source, const QapMatrices& matrices) {
    SolutionText parsed = parse_solution(text, source);
    if (parsed.values.size() != matrices.n) {
        fail_at(source, {},
                fmt::format("the solution has {} elements, but the instance has {} locations", parsed.values.size(),
                            matrices.n));
    }
    const int64_t cost = evaluate(matrices, parsed.values.data());
    if (!parsed.stated_cost) return {std::move(parsed.values), cost, SolutionConvention::kAssumed};
    if (cost == *parsed.stated_cost) return {std::move(parsed.values), cost, SolutionConvention::kLocationOfFacility};
    std::vector<uint16_t> inverse = inverse_of(parsed.values);
    const int64_t inverse_cost = evaluate(matrices, inverse.data());
    if (inverse_cost == *parsed.stated_cost)
        return {std::move(inverse), inverse_cost, SolutionConvention::kFacilityAtLocation};
    fail_at(source, {},
            fmt::format("the stated cost is {}, but the listed permutation costs {} and its inverse {}: this is no "
                        "solution of this instance",
                        *parsed.stated_cost, cost, inverse_cost));
}

QapSolution read_solution_file(const std::filesystem::path& path, const QapMatrices& matrices) {
    return read_solution_text(read_text_file(path), path.string(), matrices);
}

std::string to_solution_text(int64_t cost, const std::vector<uint16_t>& p) {
    std::string out = fmt::format("{} {}\n", p.size(), cost);
    for (std::size_t i = 0; i < p.size(); ++i) {
        fmt::format_to(std::back_inserter(out), "{}{}", p[i] + 1, i + 1 == p.size() ? '\n' : ' ');
    }
    return out;
}

}  // namespace qapfw::qap
