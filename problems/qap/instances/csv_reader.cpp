// SPDX-License-Identifier: Apache-2.0
// Reads CSV matrices, see csv_reader.hpp. A first pass measures the rows, a second one converts the entries.
#include "problems/qap/instances/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "problems/qap/instances/text_scanner.hpp"

namespace qapfw::qap {

namespace {

/// One line that is not blank, without its surrounding blanks.
struct Row {
    std::string_view text;
    TextPosition at;         // of its first character
    std::size_t fields = 0;  // how many entries it has
};

struct Rows {
    const std::string* source = nullptr;
    char separator = ' ';  // ' ' stands for a run of blanks
    std::vector<Row> rows;
    TextPosition end;  // behind the last row
};

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Takes fields off the front of a row. Each field is trimmed and knows its column.
class Fields {
  public:
    Fields(const Row& row, char separator) : row_(row), separator_(separator) {}

    std::optional<Token> next() {
        if (done_) return std::nullopt;
        const std::size_t begin = offset_;
        const std::size_t end =
            separator_ == ' ' ? row_.text.find_first_of(kBlanks, begin) : row_.text.find(separator_, begin);
        std::string_view field = row_.text.substr(begin, end == std::string_view::npos ? end : end - begin);
        done_ = end == std::string_view::npos;
        if (!done_) offset_ = separator_ == ' ' ? row_.text.find_first_not_of(kBlanks, end) : end + 1;
        const std::size_t blanks = std::min(field.find_first_not_of(kBlanks), field.size());
        return Token{trimmed(field), {row_.at.line, row_.at.column + static_cast<uint32_t>(begin + blanks)}};
    }

  private:
    const Row& row_;
    char separator_;
    std::size_t offset_ = 0;
    bool done_ = false;
};

char find_separator(std::string_view row) {
    for (const char candidate : {';', ',', '\t'}) {
        if (row.find(candidate) != std::string_view::npos) return candidate;
    }
    return ' ';
}

Rows measure(const NamedText& named) {
    Rows out;
    out.source = &named.source;
    bool single_fields = true;  // of all rows so far; a row with one entry does not show the separator
    std::string_view text = without_byte_order_mark(named.text);
    for (uint32_t line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view content = trimmed(text.substr(0, end));
        if (!content.empty()) {
            const auto column = static_cast<uint32_t>(content.data() - text.data()) + 1;
            if (single_fields) out.separator = find_separator(content);
            Row row{content, {line, column}};
            for (Fields fields(row, out.separator); fields.next();) ++row.fields;
            single_fields = single_fields && row.fields == 1;
            out.rows.push_back(row);
            out.end = {line, column + static_cast<uint32_t>(content.size())};
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (out.rows.empty()) fail_at(named.source, {}, "the text is empty, a CSV matrix was wanted");
    return out;
}

/// The place of field `index` of a row, or the end of the row if it has fewer fields.
TextPosition place_of_field(const Row& row, char separator, std::size_t index) {
    Fields fields(row, separator);
    for (std::size_t k = 0; k < index; ++k) fields.next();
    const auto field = fields.next();
    return field ? field->at : TextPosition{row.at.line, row.at.column + static_cast<uint32_t>(row.text.size())};
}

/// Checks that `block`, the rows of one matrix, is size x size; `what` names the matrix.
void require_square(const Rows& rows, std::span<const Row> block, std::size_t size, char what) {
    if (size > kMaxSize) {
        fail_at(*rows.source, block.front().at,
                fmt::format("matrix {} has {} columns, at most {} are read", what, size, kMaxSize));
    }
    for (const Row& row : block) {
        if (row.fields == size) continue;
        fail_at(*rows.source, place_of_field(row, rows.separator, size),
                fmt::format("this row of matrix {} has {} entries, but its first row has {}", what, row.fields, size));
    }
    if (block.size() < size) {
        fail_at(*rows.source, rows.end,
                fmt::format("matrix {} ends after {} rows, but its rows have {} entries", what, block.size(), size));
    }
    if (block.size() > size) {
        fail_at(*rows.source, block[size].at,
                fmt::format("trailing data: matrix {} has {} columns, but this is row {}", what, size, size + 1));
    }
}

NumberMatrix fill(const Rows& rows, std::span<const Row> block, MatrixId id) {
    const auto size = static_cast<uint32_t>(block.size());
    NumberMatrix out(size, size);
    for (uint32_t i = 0; i < size; ++i) {
        Fields fields(block[i], rows.separator);
        uint32_t j = 0;
        for (auto field = fields.next(); field; field = fields.next(), ++j) {
            if (field->text.empty()) {
                fail_at(*rows.source, field->at, "an entry was wanted here, but the field is empty");
            }
            out.set(i, j, *field, *rows.source, id);
        }
    }
    return out;
}

ReadMatrices join(const Rows& a, std::span<const Row> a_block, const Rows& b, std::span<const Row> b_block) {
    const std::size_t facilities = a_block.front().fields;
    const std::size_t locations = b_block.front().fields;
    require_square(a, a_block, facilities, 'A');
    require_square(b, b_block, locations, 'B');
    if (facilities > locations) {
        fail_at(*a.source, a_block.front().at,
                fmt::format("matrix A has {} facilities, but matrix B has only {} locations", facilities, locations));
    }
    return {fill(a, a_block, MatrixId::kA), fill(b, b_block, MatrixId::kB)};
}

}  // namespace

ReadMatrices read_csv_pair(const NamedText& a, const NamedText& b) {
    const Rows a_rows = measure(a);
    const Rows b_rows = measure(b);
    return join(a_rows, a_rows.rows, b_rows, b_rows.rows);
}

ReadMatrices read_csv_stacked(const NamedText& both) {
    const Rows rows = measure(both);
    const std::span<const Row> all = rows.rows;
    const std::size_t facilities = all.front().fields;
    if (all.size() <= facilities) {
        fail_at(both.source, rows.end,
                fmt::format("matrix A has {} columns, so matrix B was wanted from row {} on, but there are {} rows; "
                            "matrix B may also come from a file of its own",
                            facilities, facilities + 1, all.size()));
    }
    return join(rows, all.first(facilities), rows, all.subspan(facilities));
}

}  // namespace qapfw::qap
