// SPDX-License-Identifier: Apache-2.0
// Looks up best-known values and reads users' files of such values, see best_known.hpp.
#include "problems/qap/instances/best_known.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "problems/qap/instances/best_known_values.hpp"
#include "problems/qap/instances/matrix_entry.hpp"
#include "problems/qap/instances/scaled_number.hpp"
#include "problems/qap/instances/text_scanner.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {

namespace {

/// Cuts a line at its commas. Returns the trimmed fields with their positions.
std::vector<Token> split_fields(std::string_view line, uint32_t number) {
    std::vector<Token> out;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        const std::string_view field = line.substr(begin, end - begin);
        const std::size_t blanks = std::min(field.find_first_not_of(kBlanks), field.size());
        const std::size_t last = field.find_last_not_of(kBlanks);
        const std::string_view text =
            last == std::string_view::npos ? field.substr(0, 0) : field.substr(blanks, last - blanks + 1);
        out.push_back({text, {number, static_cast<uint32_t>(begin + blanks) + 1}});
        begin = end + 1;
    }
    return out;
}

/// True for the status "optimal", which may be followed by words that say why; false for "best_known".
bool parse_status(const Token& token, const std::string& source) {
    if (token.text == "optimal" || token.text.starts_with("optimal ")) return true;
    if (token.text == "best_known") return false;
    fail_at(source, token.at,
            fmt::format("the status \"optimal\" or \"best_known\" was wanted, not {}", quote_token(token.text)));
}

BestKnownRecord parse_record(const std::vector<Token>& fields, const std::string& source) {
    if (fields.size() < 4 || fields.size() > 6) {
        fail_at(source, fields.back().at,
                fmt::format("instance,n,best_known,status[,source[,date]] was wanted, but this row has {} fields",
                            fields.size()));
    }
    if (fields[0].text.empty())
        fail_at(source, fields[0].at, "the name of an instance was wanted, but the field is empty");
    BestKnownRecord out;
    out.n = parse_size(fields[1], source, "the size n");
    // Checks only that the value is a number. Whether the scaled value is a 64-bit integer depends on the instance's
    // scale, which only lookup() knows.
    if (parse_scaled_number(fields[2].text).fault == NumberFault::kNotANumber) {
        fail_at(source, fields[2].at,
                fmt::format("a best-known value was wanted, but {} is not a number", quote_token(fields[2].text)));
    }
    out.value = fields[2].text;
    out.optimal = parse_status(fields[3], source);
    out.source = fields.size() > 4 && !fields[4].text.empty() ? std::string(fields[4].text) : source;
    if (fields.size() > 5) out.date = fields[5].text;
    return out;
}

/// Calls row(fields) for each line that is neither blank nor a comment.
template <class Row>
void each_row(std::string_view text, const Row& row) {
    text = without_byte_order_mark(text);
    for (uint32_t line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view content = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t first = content.find_first_not_of(kBlanks);
        if (first == std::string_view::npos || content[first] == '#') continue;
        row(split_fields(content, line));
    }
}

}  // namespace

BestKnownTable BestKnownTable::built_in() {
    BestKnownTable out;
    for (const BuiltInBestKnown& row : built_in_best_known()) {
        out.records_[row.name] = {row.n,    std::to_string(row.value), row.optimal, row.source,
                                  row.date, row.fingerprint,           true};
    }
    return out;
}

void BestKnownTable::add_text(std::string_view text, const std::string& source) {
    std::set<std::string, std::less<>> seen;
    each_row(text, [&](const std::vector<Token>& fields) {
        if (seen.empty() && fields[0].text == "instance") return;
        BestKnownRecord record = parse_record(fields, source);
        if (!seen.emplace(fields[0].text).second) {
            fail_at(source, fields[0].at,
                    fmt::format("the instance {} is listed a second time", quote_token(fields[0].text)));
        }
        records_[std::string(fields[0].text)] = std::move(record);
    });
    if (seen.empty()) fail_at(source, {}, "a table of best-known values was wanted, but there is no row");
}

void BestKnownTable::add_beside(const std::filesystem::path& folder, const std::set<std::string>& names) {
    const std::filesystem::path path = folder / "best_known.csv";
    const auto is_known = [&](const std::string& name) { return records_.contains(name); };
    std::error_code none;
    if (std::all_of(names.begin(), names.end(), is_known) || !std::filesystem::is_regular_file(path, none)) return;
    const std::string source = path.string();
    std::optional<bool> is_table;  // true: the file is a table of best-known values; unset before the first row
    each_row(read_text_file(path), [&](const std::vector<Token>& fields) {
        if (!is_table) {
            is_table = fields.size() >= 4 && fields[0].text == "instance" && fields[1].text == "n" &&
                       fields[2].text == "best_known" && fields[3].text == "status";
            return;
        }
        const std::string name(fields[0].text);
        if (!*is_table || !names.contains(name) || is_known(name)) return;
        BestKnownRecord record = parse_record(fields, source);
        record.built_in = true;
        add(name, std::move(record));
    });
}

void BestKnownTable::add_file(const std::filesystem::path& path) {
    add_text(read_text_file(path), path.string());
}

const BestKnownRecord* BestKnownTable::find(const std::string& name, uint32_t n) const {
    const auto at = records_.find(name);
    return at != records_.end() && at->second.n == n ? &at->second : nullptr;
}

std::optional<BestKnown> BestKnownTable::lookup(const std::string& name, uint32_t n, int64_t cost_scale) const {
    const BestKnownRecord* record = find(name, n);
    if (record == nullptr) return std::nullopt;
    const ScaledNumber number = parse_scaled_number(record->value, cost_scale);
    if (number.fault != NumberFault::kNone) {
        throw Error(ErrorKind::kInput,
                    fmt::format("the best-known value {} of {} (from {}) {}", quote_token(record->value), name,
                                record->source, describe_fault(number.fault, cost_scale)));
    }
    return BestKnown{number.value, record->optimal, record->source, record->date};
}

}  // namespace qapfw::qap
