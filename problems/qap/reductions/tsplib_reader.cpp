// SPDX-License-Identifier: Apache-2.0
// Reads TSPLIB instances, see tsplib.hpp: lines "KEYWORD : value", then sections of numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "problems/qap/instances/matrix_entry.hpp"
#include "problems/qap/instances/scaled_number.hpp"
#include "problems/qap/reductions/line_scanner.hpp"
#include "problems/qap/reductions/tsplib.hpp"
#include "problems/qap/reductions/tsplib_distance.hpp"
#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

constexpr int64_t kMaxDistance = int64_t{1} << 53;
/// Bytes for each pair of cities: one entry of each of the QAP's two matrices, and one distance (8 bytes), since the
/// reduction keeps the distances.
constexpr std::size_t kBytesWithDistances = kBytesOfMatrices + 8;
constexpr uint32_t kMostDecimals = 9;

/// The part of the matrix that the numbers of an EDGE_WEIGHT_SECTION fill row by row. A format that lists columns of
/// one triangle is read as rows of the other triangle, since the matrix is symmetric.
struct MatrixFormat {
    std::string_view name;
    enum Part { kFull, kUpper, kLower } part;
    bool diagonal;
};

constexpr MatrixFormat kFormats[] = {
    {"FULL_MATRIX", MatrixFormat::kFull, true},     {"UPPER_ROW", MatrixFormat::kUpper, false},
    {"LOWER_ROW", MatrixFormat::kLower, false},     {"UPPER_DIAG_ROW", MatrixFormat::kUpper, true},
    {"LOWER_DIAG_ROW", MatrixFormat::kLower, true}, {"UPPER_COL", MatrixFormat::kLower, false},
    {"LOWER_COL", MatrixFormat::kUpper, false},     {"UPPER_DIAG_COL", MatrixFormat::kLower, true},
    {"LOWER_DIAG_COL", MatrixFormat::kUpper, true},
};

/// The columns [first, last) that row `i` of a format lists.
std::pair<uint32_t, uint32_t> listed_columns(const MatrixFormat& format, uint32_t i, uint32_t n) {
    switch (format.part) {
        case MatrixFormat::kUpper:
            return {format.diagonal ? i : i + 1, n};
        case MatrixFormat::kLower:
            return {0, format.diagonal ? i + 1 : i};
        default:
            return {0, n};
    }
}

class TsplibReader {
  public:
    TsplibReader(std::string_view text, const std::string& source) : lines_(text, source) {}

    TspInstance read() {
        if (!lines_.peek()) lines_.fail(lines_.position(), "a TSPLIB instance was wanted, but the text is empty");
        while (const std::optional<Token> token = lines_.next()) {
            const TextPosition end = token->at;
            if (token->text.substr(0, token->text.find(':')) == "EOF")
                return finished(end);  // text after EOF is ignored
            read_keyword(*token);
        }
        return finished(lines_.position());
    }

  private:
    TspInstance finished(TextPosition end) {
        finish(end);
        return std::move(instance_);
    }

    void read_keyword(const Token& token) {
        const std::string_view keyword = token.text.substr(0, token.text.find(':'));
        if (keyword.empty()) lines_.fail(token.at, "a keyword was wanted before the colon");
        constexpr std::string_view kSection = "_SECTION";
        const bool is_section =
            keyword.size() > kSection.size() && keyword.substr(keyword.size() - kSection.size()) == kSection;
        if (!seen_.insert(std::string(keyword)).second) {
            lines_.fail(token.at, fmt::format("{} comes a second time", quote_token(keyword)));
        }
        is_section ? read_section(keyword, token.at) : read_value(keyword, token);
    }

    /// The tokens after the colon. The colon may touch the keyword, the value, both or neither.
    std::vector<Token> values_of(std::string_view keyword, const Token& token) {
        std::vector<Token> values = lines_.rest_of_line(token);
        const auto drop = [](Token& t, std::size_t count) {
            t.text.remove_prefix(count);
            t.at.column += static_cast<uint32_t>(count);
        };
        if (keyword.size() < token.text.size()) {
            Token joined = token;
            drop(joined, keyword.size() + 1);
            if (!joined.text.empty()) values.insert(values.begin(), joined);
        } else if (!values.empty() && values.front().text.front() == ':') {
            drop(values.front(), 1);
            if (values.front().text.empty()) values.erase(values.begin());
        } else {
            const bool is_word = std::isalpha(static_cast<unsigned char>(token.text.front())) != 0;
            lines_.fail(token.at,
                        fmt::format("a keyword with a colon and a value, or a section, was wanted{} {}",
                                    is_word ? "; there is no colon after" : ", not", quote_token(token.text)));
        }
        return values;
    }

    void read_value(std::string_view keyword, const Token& token) {
        std::vector<Token> values = values_of(keyword, token);
        // "TSP (somebody)": words in brackets are remarks.
        for (std::size_t k = 1; k < values.size(); ++k) {
            if (values[k].text.starts_with('(')) values.resize(k);
        }
        if (keyword == "NAME" || keyword == "COMMENT") {
            if (keyword == "COMMENT") seen_.erase("COMMENT");  // the only keyword that may occur again
            return;
        }
        if (values.size() != 1) {
            lines_.fail(token.at,
                        fmt::format("one value was wanted after {}, but there are {}", keyword, values.size()));
        }
        const Token& value = values.front();
        if (keyword == "TYPE") {
            read_type(value);
        } else if (keyword == "DIMENSION") {
            instance_.n = parse_size(value, lines_.source(), "DIMENSION");
        } else if (keyword == "EDGE_WEIGHT_TYPE") {
            read_metric(value);
        } else if (keyword == "EDGE_WEIGHT_FORMAT") {
            read_format(value);
        } else if (keyword == "NODE_COORD_TYPE") {
            require_one_of(value, keyword, {"TWOD_COORDS", "THREED_COORDS", "NO_COORDS"});
        } else if (keyword == "DISPLAY_DATA_TYPE") {
            require_one_of(value, keyword, {"COORD_DISPLAY", "TWOD_DISPLAY", "NO_DISPLAY"});
        } else {
            lines_.fail(token.at, fmt::format("the keyword {} is unknown or not supported", quote_token(keyword)));
        }
    }

    void require_one_of(const Token& value, std::string_view keyword, std::initializer_list<std::string_view> known) {
        if (std::find(known.begin(), known.end(), value.text) != known.end()) return;
        std::string list;
        for (const std::string_view word : known) list += fmt::format("{}{}", list.empty() ? "" : ", ", word);
        lines_.fail(value.at, fmt::format("{} is {}, supported are {}", keyword, quote_token(value.text), list));
    }

    void read_type(const Token& value) {
        require_one_of(value, "TYPE", {"TSP", "ATSP"});
        instance_.symmetric = value.text == "TSP";
    }

    void read_metric(const Token& value) {
        require_one_of(
            value, "EDGE_WEIGHT_TYPE",
            {"EUC_2D", "EUC_3D", "CEIL_2D", "MAN_2D", "MAN_3D", "MAX_2D", "MAX_3D", "ATT", "GEO", "EXPLICIT"});
        instance_.metric = value.text;
    }

    void read_format(const Token& value) {
        if (value.text == "FUNCTION") return;  // distances are computed from points, so there is no matrix to read
        const auto* found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                         [&](const MatrixFormat& format) { return format.name == value.text; });
        if (found == std::end(kFormats)) {
            lines_.fail(value.at, fmt::format("EDGE_WEIGHT_FORMAT is {}, supported are FULL_MATRIX, FUNCTION, "
                                              "UPPER_ROW, LOWER_ROW, UPPER_DIAG_ROW, LOWER_DIAG_ROW, UPPER_COL, "
                                              "LOWER_COL, UPPER_DIAG_COL and LOWER_DIAG_COL",
                                              quote_token(value.text)));
        }
        format_ = *found;
    }

    void read_section(std::string_view keyword, TextPosition at) {
        const bool supported =
            keyword == "NODE_COORD_SECTION" || keyword == "EDGE_WEIGHT_SECTION" || keyword == "DISPLAY_DATA_SECTION";
        if (!supported) {
            lines_.fail(at, fmt::format("{} is not supported, only NODE_COORD_SECTION, EDGE_WEIGHT_SECTION and "
                                        "DISPLAY_DATA_SECTION are",
                                        quote_token(keyword)));
        }
        if (instance_.n == 0) lines_.fail(at, fmt::format("DIMENSION was wanted before {}", keyword));
        if (keyword == "EDGE_WEIGHT_SECTION") {
            read_weights(at);
        } else {
            std::vector<Point> points = read_points(keyword);
            if (keyword == "NODE_COORD_SECTION") points_ = std::move(points);
        }
    }

    Token wanted(const std::string& what) {
        const std::optional<Token> token = lines_.next();
        if (!token) lines_.fail(lines_.position(), fmt::format("{} was wanted, but the text ends", what));
        return *token;
    }

    /// Reads n entries "city x y". In a NODE_COORD_SECTION, if the type of distances is three-dimensional, the entries
    /// are "city x y z".
    std::vector<Point> read_points(std::string_view section) {
        const std::string what = fmt::format("a city of {}", section);
        std::vector<Point> points(instance_.n);
        std::vector<uint8_t> seen(instance_.n, 0);
        for (uint32_t k = 0; k < instance_.n; ++k) {
            const Token token = wanted(fmt::format("city {} of {} in {}", k + 1, instance_.n, section));
            const auto city = static_cast<std::size_t>(parse_whole(token, lines_.source(), what, 1, instance_.n) - 1);
            if (seen[city]++ != 0) {
                lines_.fail(token.at, fmt::format("city {} is listed a second time", city + 1));
            }
            points[city].x = coordinate();
            points[city].y = coordinate();
            if (section == "NODE_COORD_SECTION" && instance_.metric.ends_with("_3D")) points[city].z = coordinate();
        }
        return points;
    }

    double coordinate() {
        const Token token = wanted("a coordinate");
        std::string_view text = token.text;
        if (text.front() == '+') text.remove_prefix(1);
        double value = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
        if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !(std::abs(value) <= kMaxCoordinate)) {
            lines_.fail(token.at, fmt::format("a coordinate from {:g} to {:g} was wanted, not {}", -kMaxCoordinate,
                                              kMaxCoordinate, quote_token(token.text)));
        }
        return value;
    }

    void read_weights(TextPosition at) {
        if (instance_.metric != "EXPLICIT") {
            lines_.fail(at, "EDGE_WEIGHT_TYPE : EXPLICIT was wanted before EDGE_WEIGHT_SECTION");
        }
        for (const char* keyword : {"TYPE", "EDGE_WEIGHT_FORMAT"}) {
            if (seen_.count(keyword) == 0) {
                lines_.fail(at, fmt::format("{} was wanted before EDGE_WEIGHT_SECTION", keyword));
            }
        }
        if (!format_)
            lines_.fail(at, "EDGE_WEIGHT_FORMAT : FUNCTION and EDGE_WEIGHT_SECTION exclude each other; leave one out");
        if (!instance_.symmetric && format_->part != MatrixFormat::kFull) {
            lines_.fail(at, fmt::format("TYPE ATSP wants FULL_MATRIX as EDGE_WEIGHT_FORMAT, but {} lists only half of "
                                        "the matrix",
                                        format_->name));
        }
        spread(listed_weights());
    }

    /// The numbers in the order of the file. All numbers are multiplied by the power of ten that makes them integers.
    /// Memory grows only with the numbers that were read. So a file with too large a DIMENSION takes little memory.
    std::vector<int64_t> listed_weights() {
        const std::size_t n = instance_.n;
        const bool compares = instance_.symmetric && format_->part == MatrixFormat::kFull;
        std::vector<Token> tokens;
        uint32_t decimals = 0;
        for (uint32_t i = 0; i < n; ++i) {
            const auto [first, last] = listed_columns(*format_, i, instance_.n);
            for (uint32_t j = first; j < last; ++j) {
                tokens.push_back(wanted(weight_name(i, j)));
                decimals = std::max(decimals, parse_scaled_number(tokens.back().text).decimals);
            }
        }
        if (decimals > kMostDecimals) {
            lines_.fail(tokens.front().at,
                        fmt::format("a distance of this section has {} decimals; at most {} are allowed", decimals,
                                    kMostDecimals));
        }
        for (uint32_t k = 0; k < decimals; ++k) instance_.divisor *= 10;
        std::vector<int64_t> out;
        for (uint32_t i = 0; i < n; ++i) {
            const auto [first, last] = listed_columns(*format_, i, instance_.n);
            for (uint32_t j = first; j < last; ++j) {
                const Token& token = tokens[out.size()];
                out.push_back(scaled_weight(token, weight_name(i, j)));
                if (compares && j < i && out[j * n + i] != out.back()) {
                    lines_.fail(token.at, fmt::format("{} is {}, but {} the other way; if both distances are right, "
                                                      "TYPE must be ATSP",
                                                      weight_name(i, j), token.text, tokens[j * n + i].text));
                }
            }
        }
        return out;
    }

    static std::string weight_name(uint32_t i, uint32_t j) {
        return fmt::format("the distance from city {} to city {}", i + 1, j + 1);
    }

    int64_t scaled_weight(const Token& token, const std::string& what) const {
        if (instance_.divisor == 1) return parse_whole(token, lines_.source(), what, -kMaxDistance, kMaxDistance);
        const ScaledNumber number = parse_scaled_number(token.text, instance_.divisor);
        if (number.fault == NumberFault::kNone && number.value >= -kMaxDistance && number.value <= kMaxDistance)
            return number.value;
        lines_.fail(token.at, fmt::format("{} was wanted, not {}", what, quote_token(token.text)));
    }

    void spread(const std::vector<int64_t>& listed) {
        const std::size_t n = instance_.n;
        std::vector<int64_t>& d = instance_.distance;
        require_memory_of(n, kBytesWithDistances, lines_.source());
        d = set_up_matrix(n);
        std::size_t k = 0;
        for (uint32_t i = 0; i < n; ++i) {
            const auto [first, last] = listed_columns(*format_, i, instance_.n);
            for (uint32_t j = first; j < last; ++j, ++k) {
                if (i == j) continue;
                d[i * n + j] = listed[k];
                if (format_->part != MatrixFormat::kFull) d[j * n + i] = listed[k];
            }
        }
    }

    void finish(TextPosition end) {
        for (const char* keyword : {"TYPE", "DIMENSION", "EDGE_WEIGHT_TYPE"}) {
            if (seen_.count(keyword) == 0) lines_.fail(end, fmt::format("the text ends without {}", keyword));
        }
        if (instance_.metric == "EXPLICIT") {
            if (instance_.distance.empty()) lines_.fail(end, "the text ends without EDGE_WEIGHT_SECTION");
            return;
        }
        if (points_.empty()) lines_.fail(end, "the text ends without NODE_COORD_SECTION");
        measure_points();
    }

    void measure_points() {
        const PointDistance distance = point_distance(instance_.metric);
        const std::size_t n = instance_.n;
        require_memory_of(n, kBytesWithDistances, lines_.source());
        instance_.distance = set_up_matrix(n);
        for (std::size_t i = 0; i < n; ++i) {
            set_up_row();
            for (std::size_t j = 0; j < i; ++j) {
                instance_.distance[i * n + j] = instance_.distance[j * n + i] = distance(points_[i], points_[j]);
            }
        }
    }

    LineScanner lines_;
    TspInstance instance_;
    std::set<std::string, std::less<>> seen_;
    std::optional<MatrixFormat> format_;
    std::vector<Point> points_;
};

}  // namespace

TspInstance read_tsplib(std::string_view text, const std::string& source) {
    return TsplibReader(text, source).read();
}

int64_t TspInstance::length(std::span<const uint32_t> tour) const {
    int64_t sum = 0;
    for (std::size_t k = 0; k < tour.size(); ++k) sum += between(tour[k], tour[(k + 1) % tour.size()]);
    return sum;
}

std::string to_tsplib_tour(const std::string& name, std::span<const uint32_t> tour, const std::string& length) {
    std::string out = fmt::format("NAME : {}.tour\nCOMMENT : length {}\nTYPE : TOUR\nDIMENSION : {}\nTOUR_SECTION\n",
                                  name, length, tour.size());
    const auto first = static_cast<std::size_t>(std::find(tour.begin(), tour.end(), 0u) - tour.begin());
    for (std::size_t k = 0; k < tour.size(); ++k) out += fmt::format("{}\n", tour[(first + k) % tour.size()] + 1);
    return out + "-1\nEOF\n";
}

}  // namespace qapfw::qap
