// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/csv_cells.hpp"

#include <algorithm>
#include <charconv>

namespace qapfw::uaflp {
namespace {

constexpr std::string_view kMark = "\xEF\xBB\xBF";  // UTF-8 byte order mark, before the first line

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

void trim(std::string& text) {
    while (!text.empty() && is_blank(text.back())) text.pop_back();
    text.erase(0, static_cast<size_t>(std::find_if(text.begin(), text.end(), [](char c) { return !is_blank(c); }) -
                                      text.begin()));
}

char separator_of(std::string_view text) {
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        const auto count = [&](char c) { return std::count(line.begin(), line.end(), c); };
        const auto semicolons = count(';'), tabs = count('\t'), commas = count(',');
        if (line.front() != '#' && semicolons + tabs + commas > 0) {
            if (semicolons >= std::max(tabs, commas)) return ';';
            return tabs >= commas ? '\t' : ',';
        }
        begin = end + 1;
        while (begin < text.size() && text[begin] == '\n') ++begin;
    }
    return ',';
}

class CsvParser {
  public:
    CsvParser(std::string_view text, const std::string& file) : text_(text), file_(file) {
        if (text_.starts_with(kMark)) text_.remove_prefix(kMark.size());
        separator_ = separator_of(text_.substr(std::min(text_.find_first_not_of("\r\n"), text_.size())));
        table_.decimal_comma = separator_ != ',';
    }

    CsvTable read() {
        while (at_ < text_.size()) read_row();
        if (table_.decimal_comma) check_marks();
        return std::move(table_);
    }

  private:
    Position here() const { return {line_, static_cast<unsigned>(at_ - line_begin_ + 1)}; }

    void read_row() {
        if (text_[at_] == '#') {
            at_ = std::min(text_.find('\n', at_), text_.size());
            return end_line();
        }
        std::vector<CsvCell> row;
        do {
            row.push_back(read_cell());
        } while (at_ < text_.size() && text_[at_] == separator_ && ++at_ > 0);
        end_line();
        while (!row.empty() && row.back().text.empty()) row.pop_back();
        if (!row.empty()) table_.rows.push_back(std::move(row));
    }

    /// Throws if decimal commas and points are mixed. The first row and the first column are names and do not count.
    void check_marks() const {
        const CsvCell *comma = nullptr, *point = nullptr;
        for (std::size_t k = 1; k < table_.rows.size(); ++k) {
            for (std::size_t j = 1; j < table_.rows[k].size(); ++j) {
                const CsvCell& cell = table_.rows[k][j];
                if (!table_.number(cell)) continue;
                if (cell.text.find(',') != std::string::npos) comma = &cell;
                if (cell.text.find('.') != std::string::npos) point = &cell;
            }
        }
        if (comma == nullptr || point == nullptr) return;
        fail_at(file_, point->position,
                "decimal commas (" + comma->text + ") and decimal points (" + point->text +
                    ") are mixed; write one of them throughout, and no thousands separators");
    }

    void end_line() {
        if (at_ >= text_.size()) return;
        ++at_;
        ++line_;
        line_begin_ = at_;
    }

    CsvCell read_cell() {
        CsvCell cell;
        cell.position = here();
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        if (at_ < text_.size() && text_[at_] == '"') {
            read_quoted(cell);
        }
        while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n') {
            if (text_[at_] == '\0') fail_at(file_, here(), "found a zero byte, which no table has");
            cell.text += text_[at_++];
        }
        trim(cell.text);
        return cell;
    }

    void read_quoted(CsvCell& cell) {
        for (++at_; at_ < text_.size(); ++at_) {
            if (text_[at_] == '"') {
                if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"') {
                    ++at_;
                    return;
                }
                ++at_;
            }
            if (text_[at_] == '\n') {
                ++line_;
                line_begin_ = at_ + 1;
            }
            cell.text += text_[at_];
        }
        fail_at(file_, cell.position, "this cell begins with a quote (\"), but the closing quote is missing");
    }

    std::string_view text_;
    const std::string& file_;
    size_t at_ = 0, line_begin_ = 0;
    unsigned line_ = 1;
    char separator_ = ',';
    CsvTable table_;
};

}  // namespace

std::optional<double> CsvTable::number(const CsvCell& cell) const {
    std::string text = cell.text;
    if (decimal_comma) std::replace(text.begin(), text.end(), ',', '.');
    if (text.starts_with('+')) text.erase(0, 1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

CsvTable read_csv(std::string_view text, const std::string& file) {
    return CsvParser(text, file).read();
}

}  // namespace qapfw::uaflp
