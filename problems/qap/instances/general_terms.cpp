// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/general_terms.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problems/qap/instances/scaled_number.hpp"

namespace qapfw::qap {
namespace {

struct Line {
    TextPosition at, end;
    std::vector<Token> fields;
};

std::vector<Token> fields_of(std::string_view content, uint32_t line) {
    constexpr std::string_view kSeparators = ",; \t\r\v\f";
    std::vector<Token> out;
    std::size_t at = 0;
    while ((at = content.find_first_not_of(kSeparators, at)) != std::string_view::npos) {
        const std::size_t end = std::min(content.find_first_of(kSeparators, at), content.size());
        out.push_back({content.substr(at, end - at), {line, static_cast<uint32_t>(at) + 1}});
        at = end;
    }
    return out;
}

std::vector<Line> lines_of(std::string_view text, const std::string& source, const char* wanted) {
    std::vector<Line> out;
    text = without_byte_order_mark(text);
    for (uint32_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::vector<Token> fields = fields_of(text.substr(0, end), number);
        if (!fields.empty() && fields[0].text[0] != '#') {
            const TextPosition at = fields[0].at;
            out.push_back({at, {number, static_cast<uint32_t>(end) + 1}, std::move(fields)});
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (out.empty()) fail_at(source, {}, fmt::format("the text is empty, {} were wanted", wanted));
    return out;
}

/// Counted from 0.
uint32_t index_of(const Token& token, const std::string& source, const char* what, uint32_t count) {
    const ScaledNumber number = parse_scaled_number(token.text);
    if (number.fault == NumberFault::kNone && number.value >= 1 && number.value <= int64_t{count}) {
        return static_cast<uint32_t>(number.value) - 1;
    }
    fail_at(source, token.at,
            fmt::format("a {} from 1 to {} was wanted, not {}", what, count, quote_token(token.text)));
}

bool is_zero_or_one(const Token& token) {
    return token.text == "0" || token.text == "1";
}

/// Whether the lines are a matrix of 0 and 1. Pairs count from 1, so a 0 tells a matrix of two columns from them.
bool is_matrix(const std::vector<Line>& lines, uint32_t facilities, uint32_t locations) {
    bool has_zero = false, fits = lines.size() == facilities;
    for (const Line& line : lines) {
        fits = fits && line.fields.size() == locations && std::ranges::all_of(line.fields, is_zero_or_one);
        has_zero = has_zero || std::ranges::any_of(line.fields, [](const Token& t) { return t.text == "0"; });
    }
    return fits && (locations != 2 || has_zero);
}

}  // namespace

NumberMatrix parse_linear(std::string_view text, const std::string& source, uint32_t facilities, uint32_t locations) {
    const std::vector<Line> lines = lines_of(text, source, "linear costs");
    NumberMatrix out(facilities, locations);
    for (uint32_t i = 0; i < lines.size(); ++i) {
        const Line& line = lines[i];
        if (i == facilities) {
            fail_at(source, line.at,
                    fmt::format("there are {} facilities, but this is row {} of the linear costs", facilities, i + 1));
        }
        for (uint32_t k = 0; k < std::min<std::size_t>(line.fields.size(), locations); ++k) {
            out.set(i, k, line.fields[k], source, MatrixId::kLinear);
        }
        if (line.fields.size() == locations) continue;
        fail_at(source, line.fields.size() > locations ? line.fields[locations].at : line.end,
                fmt::format("this row of the linear costs has {} entries, but there are {} locations",
                            line.fields.size(), locations));
    }
    if (lines.size() == facilities) return out;
    fail_at(source, lines.back().end,
            fmt::format("the linear costs end after {} rows, but there are {} facilities", lines.size(), facilities));
}

NumberMatrix read_linear_file(const std::filesystem::path& path, uint32_t facilities, uint32_t locations) {
    return parse_linear(read_text_file(path), path.string(), facilities, locations);
}

std::vector<uint8_t> parse_forbidden(std::string_view text, const std::string& source, uint32_t facilities,
                                     uint32_t locations) {
    const std::vector<Line> lines = lines_of(text, source, "forbidden pairs");
    std::vector<uint8_t> out(std::size_t{facilities} * locations, 0);
    if (is_matrix(lines, facilities, locations)) {
        for (std::size_t i = 0; i < facilities; ++i) {
            for (std::size_t k = 0; k < locations; ++k) out[i * locations + k] = lines[i].fields[k].text == "1" ? 1 : 0;
        }
        return out;
    }
    for (const Line& line : lines) {
        if (line.fields.size() != 2) {
            fail_at(source, line.at,
                    fmt::format("a line \"facility,location\" was wanted, or {} lines of {} zeros and ones; this line "
                                "has {} entries",
                                facilities, locations, line.fields.size()));
        }
        const uint32_t facility = index_of(line.fields[0], source, "facility", facilities);
        const uint32_t location = index_of(line.fields[1], source, "location", locations);
        out[std::size_t{facility} * locations + location] = 1;
    }
    return out;
}

std::vector<uint8_t> read_forbidden_file(const std::filesystem::path& path, uint32_t facilities, uint32_t locations) {
    return parse_forbidden(read_text_file(path), path.string(), facilities, locations);
}

}  // namespace qapfw::qap
