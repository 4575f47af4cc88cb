// SPDX-License-Identifier: Apache-2.0
// Reads tables, see csv_reader.hpp. The checks come in this order: missing or repeated names, cells without a number,
// rows with a wrong number of cells.
#include "problems/qap/instances/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "common/nearest_names.hpp"
#include "problems/qap/instances/edge_list.hpp"
#include "problems/qap/instances/point_list.hpp"
#include "problems/qap/instances/sparse_text.hpp"
#include "problems/qap/instances/table_text.hpp"

namespace qapfw::qap {

namespace {

/// A name and its position.
struct Label {
    std::string text;
    TextPosition at;
    std::string cell;  // the cell in words, such as "cell B1"
};

/// Position of a matrix in a table, and the names of its rows and columns.
struct Block {
    std::size_t first = 0, last = 0;  // rows first .. last - 1 hold the numbers
    bool label_column = false;
    std::size_t columns = 0;  // number of columns of numbers, in row `first`
    std::vector<Label> column_names, row_names;
};

bool is_name(const Cell& cell) {
    return !cell.text.empty() && !looks_numeric(cell.text);
}

Label label_of(const Cell& cell) {
    return {std::string(cell.text), cell.at, TableText::name_of(cell)};
}

/// True if a row is a header: more than half of its cells, not counting the first, are names. A row of one cell is a
/// header if that cell is a name.
bool is_header(const std::vector<Cell>& row) {
    if (row.size() == 1) return is_name(row.front());
    std::size_t names = 0;
    for (std::size_t k = 1; k < row.size(); ++k) names += is_name(row[k]) ? 1u : 0u;
    return 2 * names > row.size() - 1;
}

/// True if the first row and the first column hold the same texts, such as numbers that serve as names. The corner must
/// be empty or a name.
bool has_numbered_frame(const TableText& table, std::size_t first, std::size_t last) {
    const std::vector<Cell> header = table.cells(first);
    if (header.size() < 2 || last - first < header.size()) return false;
    if (!header.front().text.empty() && !is_name(header.front())) return false;
    for (std::size_t k = 1; k < header.size(); ++k) {
        const auto& row = table.cells(first + k);
        if (header[k].text.empty() || row.front().text != header[k].text) return false;
    }
    return true;
}

void require_different(const TableText& table, const std::vector<Label>& labels, const char* what) {
    std::unordered_map<std::string, const Label*> seen;
    for (const Label& label : labels) {
        const auto [other, is_new] = seen.emplace(label.text, &label);
        if (is_new) continue;
        table.fail(label.at, fmt::format("{}: the name {} is also in {}; every {} needs a name of its own", label.cell,
                                         quote_token(label.text), other->second->cell, what));
    }
}

/// Finds where a matrix has its numbers, and the names of its columns. The matrix begins in row `first`, which may hold
/// names, and ends before row `last`. `square`: the matrix is square and has all rows before `last`.
Block find_block(const TableText& table, std::size_t first, std::size_t last, bool square) {
    Block block;
    block.first = first;
    block.last = last;
    const bool framed = has_numbered_frame(table, first, last);
    const std::vector<Cell> head = table.cells(first);
    const bool header = framed || is_header(head);
    if (header) ++block.first;
    if (block.first == last) {
        table.fail(head.front().at, fmt::format("{}: rows of numbers were wanted after this row of names",
                                                TableText::name_of(head.front())));
    }
    const std::vector<Cell> row = table.cells(block.first);
    // True if a row has one cell more than the header. Then rows begin with names, and the header has no cell for them.
    const bool one_more = header && row.size() == head.size() + 1;
    const bool fits =
        square && row.size() > 1 && last - block.first == row.size() - 1 && (header || is_name(row.front()));
    block.label_column = framed || one_more || fits || (row.size() > 1 && is_name(row.front())) ||
                         (header && head.size() == row.size() && head.front().text.empty());
    const std::size_t skipped = block.label_column ? 1 : 0;
    block.columns = row.size() - skipped;
    if (header) {
        for (std::size_t k = one_more ? 0 : skipped; k < head.size(); ++k) {
            if (head[k].text.empty())
                table.fail(head[k].at, fmt::format("{}: this column has no name", TableText::name_of(head[k])));
            block.column_names.push_back(label_of(head[k]));
        }
        require_different(table, block.column_names, "column");
    }
    return block;
}

/// Reads the names of the block's rows. The block must already have exactly the rows of the matrix.
void read_row_names(const TableText& table, Block& block) {
    for (std::size_t k = block.first; k < block.last && block.label_column; ++k) {
        const Cell& cell = table.cells(k).front();
        if (cell.text.empty()) table.fail(cell.at, fmt::format("{}: this row has no name", TableText::name_of(cell)));
        block.row_names.push_back(label_of(cell));
    }
    require_different(table, block.row_names, "row");
}

/// Reports the first cell that should hold a number but does not.
void check_content(const TableText& table, const Block& block) {
    for (std::size_t k = block.first; k < block.last; ++k) {
        const auto& row = table.cells(k);
        for (std::size_t j = block.label_column ? 1 : 0; j < row.size(); ++j) {
            if (!table.is_number(row[j])) table.fail_no_number(row[j]);
        }
    }
}

/// Returns advice for a row with `extra` entries too many, as the end of a sentence. The advice names the first cells
/// that may be one number with commas between its thousands. Empty if there are no such cells.
std::string advice_on_thousands(const TableText& table, std::size_t row, std::size_t extra) {
    if (table.separator() != ',') return {};
    const std::vector<Cell>& cells = table.cells(row);
    for (std::size_t first = 0; first < cells.size(); ++first) {
        if (cells[first].text.starts_with('0')) continue;
        std::string number, digits, joined(cells[first].text);
        for (std::size_t k = first + 1; k < std::min(cells.size(), first + 1 + extra); ++k) {
            joined.append(",").append(cells[k].text);
            const std::string found = without_thousands(joined);
            if (found.empty()) break;
            number = joined;
            digits = found;
        }
        if (!digits.empty()) return fmt::format("; if {} is one number, write {}", number, digits);
    }
    return {};
}

void check_widths(const TableText& table, const Block& block, const char* what) {
    const std::size_t skipped = block.label_column ? 1 : 0;
    if (!block.column_names.empty() && block.column_names.size() != block.columns) {
        table.fail(block.column_names.back().at, fmt::format("{} has {} names of columns, but {} columns of numbers",
                                                             what, block.column_names.size(), block.columns));
    }
    for (std::size_t k = block.first; k < block.last; ++k) {
        const std::size_t found = table.cells(k).size() - std::min(skipped, table.cells(k).size());
        if (found == block.columns) continue;
        const auto& row = table.cells(k);
        const TextPosition at = found > block.columns ? row[block.columns + skipped].at : table.end_of(k);
        const std::string advice = found > block.columns
                                       ? advice_on_thousands(table, k, found - block.columns)
                                       : advice_on_thousands(table, block.first, block.columns - found);
        table.fail(at, fmt::format("this row of {} has {} entries, but its first row has {}{}", what, found,
                                   block.columns, advice));
    }
    if (block.columns > kMaxSize) {
        table.fail({}, fmt::format("{} has {} columns, but at most {} are possible", what, block.columns, kMaxSize));
    }
}

void check_square(const TableText& table, const Block& block, const char* what) {
    const std::size_t rows = block.last - block.first;
    if (rows < block.columns) {
        table.fail(table.end_of(block.last - 1),
                   fmt::format("{} ends after {} rows, but its rows have {} entries; a square matrix was wanted", what,
                               rows, block.columns));
    }
    if (rows > block.columns) {
        table.fail(table.cells(block.first + block.columns).front().at,
                   fmt::format("trailing data: {} must be square and has {} columns, but this is row {}", what,
                               block.columns, block.columns + 1));
    }
}

/// Returns the index in `found` of each name in `wanted`. Throws if the two lists do not have the same names.
std::vector<uint32_t> order_of(const TableText& table, const std::vector<std::string>& wanted,
                               const std::vector<Label>& found, const char* wanted_as) {
    std::unordered_map<std::string, uint32_t> index;
    for (std::size_t k = 0; k < found.size(); ++k) index.emplace(found[k].text, static_cast<uint32_t>(k));
    const std::vector<std::string> known = wanted;
    for (const Label& label : found) {
        if (std::find(known.begin(), known.end(), label.text) != known.end()) continue;
        const auto near = common::nearest_names(label.text, known);
        table.fail(
            label.at,
            fmt::format("{}: the name {} is not among {}{}", label.cell, quote_token(label.text), wanted_as,
                        near.empty() ? std::string{} : fmt::format("; the nearest is {}", quote_token(near.front()))));
    }
    std::vector<uint32_t> order;
    for (const std::string& name : wanted) {
        const auto at = index.find(name);
        if (at == index.end()) {
            table.fail(found.empty() ? TextPosition{} : found.front().at,
                       fmt::format("the name {} is missing here, but it is among {}", quote_token(name), wanted_as));
        }
        order.push_back(at->second);
    }
    return order;
}

std::vector<std::string> texts_of(const std::vector<Label>& labels) {
    std::vector<std::string> texts;
    for (const Label& label : labels) texts.push_back(label.text);
    return texts;
}

std::vector<uint32_t> as_they_are(std::size_t count) {
    std::vector<uint32_t> order(count);
    for (std::size_t k = 0; k < count; ++k) order[k] = static_cast<uint32_t>(k);
    return order;
}

/// Returns the numbers of a matrix in a table. Matrix row i is the text's row rows[i], and matrix column j is the
/// text's column columns[j].
NumberMatrix numbers_of(const TableText& table, const Block& block, const std::vector<uint32_t>& rows,
                        const std::vector<uint32_t>& columns, MatrixId id) {
    table.check_marks(block.first, block.last);
    NumberMatrix out(static_cast<uint32_t>(rows.size()), static_cast<uint32_t>(columns.size()));
    // row_of[k]: the matrix row of the text's row k; column_of[k]: the matrix column of the text's column k.
    std::vector<uint32_t> row_of(rows.size()), column_of(columns.size());
    for (std::size_t k = 0; k < rows.size(); ++k) row_of[rows[k]] = static_cast<uint32_t>(k);
    for (std::size_t k = 0; k < columns.size(); ++k) column_of[columns[k]] = static_cast<uint32_t>(k);
    const std::size_t skipped = block.label_column ? 1 : 0;
    std::string storage;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto& cells = table.cells(block.first + k);
        for (std::size_t j = 0; j < columns.size(); ++j) {
            const Cell& cell = cells[j + skipped];
            out.set(row_of[k], column_of[j], {table.number_text(cell, storage), cell.at}, table.source(), id);
        }
    }
    return out;
}

LabelledMatrix square_matrix(const TableText& table, Block block, MatrixId id) {
    const char* what = matrix_name(id);
    read_row_names(table, block);
    check_content(table, block);
    check_widths(table, block, what);
    check_square(table, block, what);
    LabelledMatrix out;
    out.names = texts_of(block.row_names.empty() ? block.column_names : block.row_names);
    std::vector<uint32_t> columns = as_they_are(block.columns);
    if (!block.row_names.empty() && !block.column_names.empty())
        columns = order_of(table, out.names, block.column_names, "the names in the first column");
    out.matrix = numbers_of(table, block, as_they_are(block.columns), columns, id);
    return out;
}

LabelledMatrix read_one(const NamedText& named, MatrixId id, Metric metric) {
    if (auto sparse = read_sparse_text(named, id)) return *std::move(sparse);
    const TableText table(named);
    if (id == MatrixId::kB) {
        if (auto points = read_points(table, metric)) return *std::move(points);
        if (metric != Metric::kAuto)
            table.fail({}, "problem.metric is given, but this file is not a list of points (name,x,y or name,x,y,z)");
    } else if (is_point_list(table)) {
        table.fail(
            {},
            "this is a list of points, which gives only distances; the flows come first: qapfw solve FLOWS DISTANCES");
    }
    if (auto edges = read_edges(table, id)) return *std::move(edges);
    return square_matrix(table, find_block(table, 0, table.row_count(), true), id);
}

ReadMatrices join(LabelledMatrix a, LabelledMatrix b, const std::string& source) {
    if (a.matrix.rows() > b.matrix.rows()) {
        fail_at(
            source, {},
            fmt::format("there are {} facilities (matrix A), but only {} locations (matrix B); every facility needs "
                        "a location of its own",
                        a.matrix.rows(), b.matrix.rows()));
    }
    ReadMatrices out;
    out.a = std::move(a.matrix);
    out.b = std::move(b.matrix);
    out.facility_names = std::move(a.names);
    out.location_names = std::move(b.names);
    out.points = std::move(b.points);
    return out;
}

}  // namespace

ReadMatrices read_csv_pair(const NamedText& a, const NamedText& b, Metric metric) {
    LabelledMatrix flows = read_one(a, MatrixId::kA, Metric::kAuto);
    return join(std::move(flows), read_one(b, MatrixId::kB, metric), a.source);
}

ReadMatrices read_csv_stacked(const NamedText& both) {
    const TableText table(both);
    const std::string want =
        "; give the distances as a second file: qapfw solve FLOWS DISTANCES, or matrix_b in a configuration";
    if (is_edge_list(table))
        table.fail({},
                   "this is a list of edges, so it has flows but no distances" + want + ", or --distance torus:8x8");
    if (is_point_list(table)) {
        table.fail({},
                   "this is a list of points, so it has distances but no flows; name the file of flows first: qapfw "
                   "solve FLOWS " +
                       both.source);
    }
    const std::size_t rows = table.row_count();
    Block first = find_block(table, 0, rows, false);
    // Matrix A must be square, so it should have as many rows as it has columns of numbers.
    std::size_t end = std::min(rows, first.first + first.columns);
    for (std::size_t k = first.first + 1; k < end; ++k) {
        if (is_header(table.cells(k))) end = k;  // matrix B begins here: matrix A has fewer rows than columns
    }
    first.last = end;
    if (end == rows) {
        check_content(table, first);
        table.fail(table.end_of(rows - 1), fmt::format("matrix A has {} columns, so matrix B must start in row {} of "
                                                       "the numbers, but there are only {} rows of numbers{}",
                                                       first.columns, first.columns + 1, rows - first.first, want));
    }
    LabelledMatrix a = square_matrix(table, std::move(first), MatrixId::kA);
    LabelledMatrix b = square_matrix(table, find_block(table, end, rows, true), MatrixId::kB);
    return join(std::move(a), std::move(b), both.source);
}

NumberMatrix read_csv_rectangle(const NamedText& named, const std::vector<std::string>& facilities,
                                const std::vector<std::string>& locations, uint32_t facility_count,
                                uint32_t location_count, MatrixId id) {
    const TableText table(named);
    Block block = find_block(table, 0, table.row_count(), false);
    const char* what = matrix_name(id);
    read_row_names(table, block);
    check_content(table, block);
    check_widths(table, block, what);
    const std::size_t rows = block.last - block.first;
    if (rows != facility_count || block.columns != location_count) {
        const bool long_row = block.columns != location_count;
        const TextPosition at = long_row || rows < facility_count
                                    ? table.end_of(long_row ? block.first : block.last - 1)
                                    : table.cells(block.first + facility_count).front().at;
        table.fail(at,
                   fmt::format("{} must have {} rows (facilities) and {} columns (locations), but this table has {} "
                               "rows and {} columns",
                               what, facility_count, location_count, rows, block.columns));
    }
    const auto order = [&](const std::vector<std::string>& wanted, const std::vector<Label>& found, const char* whose) {
        return wanted.empty() || found.empty() ? as_they_are(found.empty() ? 0 : found.size())
                                               : order_of(table, wanted, found, whose);
    };
    std::vector<uint32_t> row_order = order(facilities, block.row_names, "the facilities' names");
    std::vector<uint32_t> column_order = order(locations, block.column_names, "the locations' names");
    if (row_order.empty()) row_order = as_they_are(rows);
    if (column_order.empty()) column_order = as_they_are(block.columns);
    return numbers_of(table, block, row_order, column_order, id);
}

}  // namespace qapfw::qap
