// SPDX-License-Identifier: Apache-2.0
// Reads and writes solutions, see solution_text.hpp.
#include "problems/qap/instances/solution_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/instances/matrix_entry.hpp"
#include "problems/qap/instances/pair_list.hpp"
#include "problems/qap/instances/text_scanner.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {

namespace {

/// Costs that differ by at most this fraction count as equal, since files state costs with few digits.
constexpr double kSameCost = 1e-6;

std::optional<double> number_of(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

/// Converts the listed numbers to indices from 0. The numbers count from 0 if a 0 is listed, otherwise from 1. Fails
/// unless the indices are different and less than `limit`.
std::vector<uint16_t> to_indices(const TextScanner& scanner, const std::vector<Token>& listed, std::size_t limit) {
    std::vector<int64_t> values;
    for (const Token& token : listed) {
        int64_t value = 0;
        const auto read = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
        if (read.ec != std::errc() || read.ptr != token.text.data() + token.text.size()) {
            scanner.fail(token.at, fmt::format("an element of the permutation was wanted here, but {} is not a number",
                                               quote_token(token.text)));
        }
        values.push_back(value);
    }
    const int64_t base = std::find(values.begin(), values.end(), 0) != values.end() ? 0 : 1;
    const auto count = static_cast<int64_t>(limit);
    std::vector<uint16_t> out;
    std::vector<bool> seen(limit, false);
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (values[k] < base || values[k] >= base + count) {
            scanner.fail(listed[k].at, fmt::format("the permutation contains {}, which is not from {} to {}", values[k],
                                                   base, base + count - 1));
        }
        const auto value = static_cast<std::size_t>(values[k] - base);
        if (seen[value])
            scanner.fail(listed[k].at, fmt::format("the element {} of the permutation is listed twice", values[k]));
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

/// Gives facilities without a location the free locations, in order.
void complete_in_order(std::vector<uint32_t>& location_of) {
    std::vector<bool> taken(location_of.size(), false);
    for (const uint32_t location : location_of) {
        if (location != SolutionFrame::kOpen) taken[location] = true;
    }
    std::size_t next = 0;
    for (uint32_t& location : location_of) {
        if (location != SolutionFrame::kOpen) continue;
        while (taken[next]) ++next;
        location = static_cast<uint32_t>(next++);
    }
}

std::vector<uint16_t> completed(std::vector<uint32_t> location_of, const SolutionFrame& frame) {
    location_of.resize(frame.locations, SolutionFrame::kOpen);
    if (frame.complete) frame.complete(location_of);
    complete_in_order(location_of);
    std::vector<uint16_t> p;
    for (const uint32_t location : location_of) p.push_back(static_cast<uint16_t>(location));
    return p;
}

/// Adds the dummies after the listed facilities.
std::vector<uint16_t> with_dummies(std::vector<uint16_t> p, const SolutionFrame& frame) {
    if (p.size() == frame.locations) return p;
    return completed({p.begin(), p.end()}, frame);
}

/// The words of a solution's text, split into the cost, if the text states one, and the permutations.
struct NumberList {
    std::optional<Token> cost;
    std::vector<std::vector<Token>> permutations;
};

std::vector<Token> all_tokens(TextScanner scanner) {
    std::vector<Token> tokens;
    while (const auto token = scanner.next()) tokens.push_back(*token);
    return tokens;
}

/// True if every line has `count` tokens.
bool lines_hold(const std::vector<Token>& tokens, std::size_t count) {
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const bool starts = k % count == 0;
        if (k > 0 && (tokens[k].at.line != tokens[k - 1].at.line) != starts) return false;
    }
    return tokens.size() % count == 0;
}

NumberList take_apart(const TextScanner& scanner, const std::vector<Token>& tokens, const SolutionFrame& frame) {
    NumberList out;
    const std::size_t n = frame.locations, count = tokens.size();
    const auto is_size = [&](std::size_t size) { return size == n || size == frame.facilities; };
    // Before the permutation there may be its length ("3"), or its length and the cost ("3 62").
    const std::optional<double> first = number_of(tokens.front().text);
    const bool stated = first && *first >= 1 && *first <= kMaxSize && *first == std::floor(*first);
    const auto size = stated ? static_cast<std::size_t>(*first) : 0;
    const bool alone = count < 2 || tokens[1].at.line != tokens[0].at.line;
    const auto rest = [&](std::size_t from) {
        return std::vector<Token>(tokens.begin() + static_cast<std::ptrdiff_t>(from), tokens.end());
    };
    if (stated && is_size(size) && count == size + 2) {
        out.cost = tokens[1];
        out.permutations = {rest(2)};
    } else if (stated && is_size(size) && alone && count == size + 1) {
        out.permutations = {rest(1)};
    } else if (is_size(count)) {
        out.permutations = {tokens};
    } else if (count > n && (lines_hold(tokens, n) || lines_hold(tokens, frame.facilities))) {
        const std::size_t width = lines_hold(tokens, n) ? n : frame.facilities;
        for (std::size_t k = 0; k < count; k += width) {
            const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(k);
            out.permutations.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(width));
        }
    } else if (stated && !is_size(size) && (count == size + 2 || count == size + 1)) {
        scanner.fail(tokens.front().at,
                     fmt::format("the solution has {} elements, but the instance has {} locations", size, n));
    } else if (stated && is_size(size) && count > size + 2) {
        scanner.fail(tokens[size + 2].at,
                     fmt::format("trailing data: {} follows the last of the {} elements of the permutation",
                                 quote_token(tokens[size + 2].text), size));
    } else if (stated && is_size(size)) {
        const std::size_t listed = count < 2 ? 0 : count - 2;
        const Token& last = tokens.back();
        scanner.fail({last.at.line, last.at.column + static_cast<uint32_t>(last.text.size())},
                     fmt::format("the text ends after {} of the {} elements of the permutation", listed, size));
    } else {
        scanner.fail(tokens.front().at,
                     fmt::format("a solution of {} locations was wanted: \"n cost\" and a permutation, a permutation "
                                 "alone, or lines facility,location; found {} numbers",
                                 n, count));
    }
    return out;
}

bool same_cost(double stated, double found) {
    return std::abs(stated - found) <= kSameCost * std::max({1.0, std::abs(stated), std::abs(found)});
}

QapSolution read_numbers(const TextScanner& scanner, const std::vector<Token>& tokens, const SolutionFrame& frame) {
    const NumberList list = take_apart(scanner, tokens, frame);
    QapSolution best;
    for (const std::vector<Token>& listed : list.permutations) {
        std::vector<uint16_t> p = with_dummies(to_indices(scanner, listed, frame.locations), frame);
        const double cost = frame.cost(p.data());
        if (best.p.empty() || (frame.maximises ? cost > best.cost : cost < best.cost))
            best = {std::move(p), cost, SolutionConvention::kAssumed, {}, {}};
    }
    if (list.permutations.size() > 1)
        best.remark = fmt::format("the best of {} solutions is taken", list.permutations.size());
    if (!list.cost) return best;
    const std::optional<double> stated = number_of(list.cost->text);
    if (!stated)
        scanner.fail(list.cost->at, fmt::format("the cost was wanted here, not {}", quote_token(list.cost->text)));
    const auto fits = [&](const std::vector<uint16_t>& p) {
        return same_cost(*stated, frame.cost(p.data())) ||
               (frame.raw_cost && same_cost(*stated, frame.raw_cost(p.data())));
    };
    if (fits(best.p)) {
        best.convention = SolutionConvention::kLocationOfFacility;
        return best;
    }
    std::vector<uint16_t> inverse = inverse_of(best.p);
    const double inverse_cost = frame.cost(inverse.data());
    if (fits(inverse)) {
        return {std::move(inverse),
                inverse_cost,
                SolutionConvention::kFacilityAtLocation,
                "the stated cost shows that the list gives the facility at each location",
                {}};
    }
    best.warning = fmt::format(
        "the stated cost is {}, but the listed permutation costs {:.12g} and its inverse {:.12g}; "
        "the permutation is taken as it is listed",
        list.cost->text, best.cost, inverse_cost);
    return best;
}

}  // namespace

QapSolution read_solution_text(std::string_view text, const std::string& source, const SolutionFrame& frame) {
    if (holds_pairs(text)) {
        const std::vector<NamedPair> pairs = read_pairs(text, source, PairNames::of(frame));
        std::vector<uint32_t> location_of(frame.locations, SolutionFrame::kOpen);
        std::vector<bool> taken(frame.locations, false);
        for (const NamedPair& pair : pairs) {
            if (location_of[pair.facility] != SolutionFrame::kOpen)
                fail_at(source, pair.facility_at,
                        fmt::format("facility {} has a location already", pair.facility_text));
            if (taken[pair.location])
                fail_at(source, pair.location_at, fmt::format("location {} is taken already", pair.location_text));
            location_of[pair.facility] = pair.location;
            taken[pair.location] = true;
        }
        QapSolution out;
        out.p = completed(std::move(location_of), frame);
        out.cost = frame.cost(out.p.data());
        if (pairs.size() < frame.facilities)
            out.remark = fmt::format("{} of {} facilities are listed; the others were given free locations",
                                     pairs.size(), frame.facilities);
        return out;
    }
    const TextScanner scanner(text, source, TextScanner::Commas::kSeparate, TextScanner::Comments::kSkipped);
    const std::vector<Token> tokens = all_tokens(scanner);
    if (tokens.empty()) fail_at(source, {}, "a solution was wanted, but the text is empty");
    return read_numbers(scanner, tokens, frame);
}

QapSolution read_solution_text(std::string_view text, const std::string& source, const QapMatrices& matrices) {
    SolutionFrame frame;
    frame.locations = frame.facilities = matrices.n;
    frame.cost = [&matrices](const uint16_t* p) { return static_cast<double>(evaluate(matrices, p)); };
    return read_solution_text(text, source, frame);
}

std::string to_solution_text(const std::string& cost, const std::vector<uint16_t>& p) {
    std::string out = fmt::format("{} {}\n", p.size(), cost);
    for (std::size_t i = 0; i < p.size(); ++i) {
        fmt::format_to(std::back_inserter(out), "{}{}", p[i] + 1, i + 1 == p.size() ? '\n' : ' ');
    }
    return out;
}

}  // namespace qapfw::qap
