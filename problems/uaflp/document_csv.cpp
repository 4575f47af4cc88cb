// SPDX-License-Identifier: Apache-2.0
// A layout as tables: rows of settings, a row of column names, then a row for each department. Flows and ratings are in
// separate files beside the file of the layout. The tables become the same tree as a TOML file.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "problems/uaflp/csv_cells.hpp"
#include "problems/uaflp/document_syntax.hpp"
#include "problems/uaflp/nearest_name.hpp"
#include "qapfw/error.hpp"

namespace qapfw::uaflp {
namespace {

using Row = std::vector<CsvCell>;

Node node_of(Node::Kind kind, Position at) {
    Node node;
    node.kind = kind;
    node.position = at;
    return node;
}

Node text_node(const std::string& text, Position at) {
    Node node = node_of(Node::Kind::kText, at);
    node.text = text;
    return node;
}

Node number_node(double number, Position at) {
    Node node = node_of(Node::Kind::kNumber, at);
    node.number = number;
    return node;
}

Node list_node(Position at, std::vector<Node> items = {}) {
    Node node = node_of(Node::Kind::kList, at);
    node.items = std::move(items);
    return node;
}

Node table_node(Position at) {
    return node_of(Node::Kind::kTable, at);
}

void put(Node& table, const std::string& key, Node value) {
    table.keys.push_back(key);
    table.key_positions.push_back(value.position);
    table.items.push_back(std::move(value));
}

/// Returns the list under `key`. If the table has no such key, adds an empty list first.
Node& list_of_key(Node& table, const std::string& key, Position at) {
    if (table.find(key) == nullptr) put(table, key, list_node(at));
    return table.items[static_cast<size_t>(std::find(table.keys.begin(), table.keys.end(), key) - table.keys.begin())];
}

const std::vector<std::string_view> kTexts{"unit", "metric", "name"};
const std::vector<std::string_view> kNumbers{"area_tolerance", "floors", "floor_distance"};
const std::vector<std::string_view> kShapes{"max_aspect_ratio", "min_side"};
const std::vector<std::string_view> kOthers{"plant", "lift",     "point", "blocked",
                                            "flows", "adjacent", "apart", "ratings"};
const std::vector<std::string_view> kColumns{
    "name", "area", "max_aspect_ratio", "min_side", "dummy", "area_tolerance", "floor", "walls", "door", "move_cost"};
const std::vector<std::string_view> kBoxColumns{"_x", "_y", "_width", "_height"};

bool has(const std::vector<std::string_view>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

class CsvDocument {
  public:
    CsvDocument(std::string_view text, const std::string& file)
        : file_(file), table_(read_csv(text, file)), root_(table_node({1, 1})) {}

    Node read() {
        const auto head = std::find_if(table_.rows.begin(), table_.rows.end(), [](const Row& row) {
            const auto named = [&](const char* name) {
                return std::any_of(row.begin(), row.end(), [&](const CsvCell& cell) { return cell.text == name; });
            };
            return named("name") && named("area");
        });
        if (head == table_.rows.end()) {
            fail_at(file_, {1, 1},
                    "this table has no row of column names: a row with the cells \"name\" and \"area\" was wanted");
        }
        for (auto row = table_.rows.begin(); row != head; ++row) read_setting(*row);
        put(root_, "departments", list_node(head->front().position));
        for (auto row = head + 1; row != table_.rows.end(); ++row) read_department(*head, *row);
        if (!shape_.keys.empty()) put(root_, "shape", shape_);
        for (const CsvCell& cell : flow_files_) read_pairs(cell, "flows");
        for (const CsvCell& cell : rating_files_) read_pairs(cell, "ratings");
        return std::move(root_);
    }

  private:
    Node number(const CsvCell& cell, const std::string& what) const {
        const auto value = table_.number(cell);
        if (!value)
            fail_at(file_, cell.position, fmt::format("{} is \"{}\", but it must be a number", what, cell.text));
        return number_node(*value, cell.position);
    }

    void want_cells(const Row& row, size_t least, size_t most, const char* form) const {
        if (row.size() >= least && row.size() <= most) return;
        fail_at(file_, row.front().position,
                fmt::format("a row \"{}\" must be {}; found {} cells", row.front().text, form, row.size()));
    }

    Node numbers(const Row& row, size_t first, size_t count) const {
        Node list = list_node(row[first].position);
        for (size_t k = first; k < first + count; ++k)
            list.items.push_back(number(row[k], "a cell of \"" + row.front().text + "\""));
        return list;
    }

    void read_setting(const Row& row) {
        const std::string& key = row.front().text;
        if (has(kTexts, key) || has(kNumbers, key) || has(kShapes, key)) {
            want_cells(row, 2, 2, "a key and its value");
            Node value = has(kTexts, key) ? text_node(row[1].text, row[1].position) : number(row[1], key);
            value.is_integer = value.kind == Node::Kind::kNumber;
            if (has(kShapes, key) && shape_.keys.empty()) shape_ = table_node(row.front().position);
            return put(has(kShapes, key) ? shape_ : root_, key, std::move(value));
        }
        read_setting_of_parts(row);
    }

    void read_setting_of_parts(const Row& row) {
        const std::string& key = row.front().text;
        const Position at = row.front().position;
        if (key == "plant") {
            want_cells(row, 3, 3, "plant, width, height");
            Node plant = table_node(at);
            put(plant, "width", number(row[1], "the plant's width"));
            put(plant, "height", number(row[2], "the plant's height"));
            return put(root_, "plant", std::move(plant));
        }
        if (key == "flows" || key == "ratings") {
            want_cells(row, 2, 2, "a key and the name of a file beside this one");
            return (key == "flows" ? flow_files_ : rating_files_).push_back(row[1]);
        }
        if (key == "lift") {
            want_cells(row, 3, 3, "lift, x, y");
            list_of_key(root_, "lifts", at).items.push_back(numbers(row, 1, 2));
            return;
        }
        if (key == "adjacent" || key == "apart") {
            want_cells(row, 3, 4, "a key, two departments and perhaps a length");
            Node pair =
                list_node(at, {text_node(row[1].text, row[1].position), text_node(row[2].text, row[2].position)});
            if (row.size() == 4) pair.items.push_back(number(row[3], "the length"));
            list_of_key(root_, key, at).items.push_back(std::move(pair));
            return;
        }
        if (key == "point" || key == "blocked") {
            const size_t count = key == "point" ? 2 : 4;
            want_cells(row, 2 + count, 3 + count,
                       key == "point" ? "the word point, a name, x, y and perhaps a floor"
                                      : "the word blocked, a name, x, y, width, height and perhaps a floor");
            Node one = table_node(at);
            put(one, "name", text_node(row[1].text, row[1].position));
            put(one, key == "point" ? "at" : "place", numbers(row, 2, count));
            if (row.size() > 2 + count) put(one, "floor", number(row[2 + count], "the floor"));
            list_of_key(root_, key == "point" ? "points" : "blocked", at).items.push_back(std::move(one));
            return;
        }
        std::vector<std::string_view> known = kOthers;
        for (const auto* more : {&kTexts, &kNumbers, &kShapes}) known.insert(known.end(), more->begin(), more->end());
        fail_at(file_, at, fmt::format("unknown setting \"{}\"{}", key, did_you_mean(key, known)));
    }

    void read_department(const Row& head, const Row& row) {
        Node one = table_node(row.front().position);
        std::map<std::string, std::map<size_t, Node>> boxes;
        for (size_t k = 0; k < row.size(); ++k) {
            const CsvCell& cell = row[k];
            if (cell.text.empty()) continue;
            if (k >= head.size()) {
                fail_at(file_, cell.position,
                        fmt::format("this row has more cells than there are columns; cell \"{}\" has no column",
                                    cell.text));
            }
            const std::string& column = head[k].text;
            if (const size_t line = column.find('_'); column.starts_with("place_") || column.starts_with("present_")) {
                const auto part = std::find(kBoxColumns.begin(), kBoxColumns.end(), column.substr(line));
                if (part == kBoxColumns.end()) fail_column(head[k]);
                boxes[column.substr(0, line)].emplace(part - kBoxColumns.begin(), number(cell, column));
                continue;
            }
            put(one, column, value_of(head[k], cell));
        }
        for (auto& [key, numbers] : boxes) {
            Node list = list_node(numbers.begin()->second.position);
            for (auto& [index, node] : numbers) list.items.push_back(std::move(node));
            if (list.items.size() != 4) {
                fail_at(file_, list.position,
                        fmt::format("give all of the columns {0}_x, {0}_y, {0}_width and {0}_height, or none", key));
            }
            put(one, key, std::move(list));
        }
        list_of_key(root_, "departments", one.position).items.push_back(std::move(one));
    }

    [[noreturn]] void fail_column(const CsvCell& head) const {
        std::vector<std::string_view> known = kColumns;
        known.insert(known.end(), {"place_x", "place_width", "present_x", "present_width"});
        fail_at(file_, head.position,
                fmt::format("unknown column \"{}\"{}", head.text, did_you_mean(head.text, known)));
    }

    Node value_of(const CsvCell& head, const CsvCell& cell) const {
        const std::string& column = head.text;
        if (!has(kColumns, column)) fail_column(head);
        if (column == "name" || column == "door") return text_node(cell.text, cell.position);
        if (column == "dummy") {
            Node node = node_of(Node::Kind::kBoolean, cell.position);
            node.boolean = cell.text == "yes" || cell.text == "true" || cell.text == "1" || cell.text == "x";
            if (!node.boolean && cell.text != "no" && cell.text != "false" && cell.text != "0") {
                fail_at(file_, cell.position, fmt::format("dummy is \"{}\", but it must be yes or no", cell.text));
            }
            return node;
        }
        if (column == "walls") {  // a cell such as "left top"
            Node list = list_node(cell.position);
            for (size_t begin = 0; begin < cell.text.size();) {
                const size_t end = std::min(cell.text.find(' ', begin), cell.text.size());
                if (end > begin) list.items.push_back(text_node(cell.text.substr(begin, end - begin), cell.position));
                begin = end + 1;
            }
            return list;
        }
        return number(cell, column);
    }

    // The members below read a file of flows or of ratings, which a cell of the main file names.

    struct Pairs {
        std::string file;
        CsvTable table;
        std::string key;
        std::map<std::pair<std::string, std::string>, unsigned> seen;
    };

    void read_pairs(const CsvCell& named, const std::string& key) {
        const std::filesystem::path path = std::filesystem::path(file_).parent_path() / named.text;
        std::error_code ignored;
        if (named.text.find('/') != std::string::npos || !std::filesystem::is_regular_file(path, ignored)) {
            fail_at(file_, named.position, fmt::format("there is no file \"{}\" beside this one", named.text));
        }
        std::ifstream stream(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        if (!stream.is_open() || stream.bad()) {
            fail_at(file_, named.position, fmt::format("the file \"{}\" beside this one cannot be read", named.text));
        }
        Pairs pairs{path.string(), read_csv(text, path.string()), key, {}};
        (void)list_of_key(root_, key, named.position);
        if (pairs.table.rows.empty()) return;
        const Row& head = pairs.table.rows.front();
        const bool is_matrix = head.size() > 1 && std::all_of(head.begin() + 1, head.end(),
                                                              [&](const CsvCell& cell) { return is_name(cell.text); });
        for (size_t r = 0; r < pairs.table.rows.size(); ++r) {
            const Row& row = pairs.table.rows[r];
            if (is_matrix && r > 0) {
                check_row(pairs, row, head.size());
                for (size_t c = 1; c < row.size(); ++c) add_pair(pairs, row[0], head[c], row[c]);
            } else if (!is_matrix && !(r == 0 && row.front().text == "from")) {
                if (row.size() != 3) {
                    fail_at(pairs.file, row.front().position,
                            fmt::format("a row must have three cells: from, to, {}; found {} cells",
                                        key == "flows" ? "flow" : "rating", row.size()));
                }
                add_pair(pairs, row[0], row[1], row[2]);
            }
        }
    }

    static void check_row(const Pairs& pairs, const Row& row, size_t columns) {
        if (row.size() <= columns) return;
        fail_at(pairs.file, row[columns].position,
                fmt::format("this row has more cells than there are columns; cell \"{}\" has no column",
                            row[columns].text));
    }

    std::vector<std::string_view> names() const {
        std::vector<std::string_view> all;
        for (const char* key : {"departments", "points"}) {
            const Node* list = root_.find(key);
            if (list == nullptr) continue;
            for (const Node& item : list->items) {
                if (const Node* name = item.find("name")) all.push_back(name->text);
            }
        }
        return all;
    }

    bool is_name(const std::string& text) const { return has(names(), text); }

    void add_pair(Pairs& pairs, const CsvCell& from, const CsvCell& to, const CsvCell& value) {
        for (const CsvCell* cell : {&from, &to}) {
            if (is_name(cell->text)) continue;
            fail_at(pairs.file, cell->position,
                    fmt::format("unknown department \"{}\"{}", cell->text, did_you_mean(cell->text, names())));
        }
        if (value.text.empty() || value.text == "-") return;
        Node third = text_node(value.text, value.position);
        if (pairs.key == "flows") {
            const auto flow = pairs.table.number(value);
            if (!flow || !(*flow >= 0 && *flow <= 1e30)) {
                fail_at(pairs.file, value.position,
                        fmt::format("the flow from \"{}\" to \"{}\" is \"{}\", but it must be a number from 0 to 1e30",
                                    from.text, to.text, value.text));
            }
            if (*flow == 0) return;
            third = number_node(*flow, value.position);
        } else if (std::string_view("AEIOUX").find(value.text) == std::string_view::npos || value.text.size() != 1) {
            fail_at(pairs.file, value.position,
                    fmt::format("the rating is \"{}\", but it must be A, E, I, O, U or X", value.text));
        }
        const bool is_rating = pairs.key == "ratings";
        std::pair<std::string, std::string> who{from.text, to.text};
        if (is_rating && who.second < who.first) std::swap(who.first, who.second);
        const auto [before, is_new] = pairs.seen.emplace(who, value.position.line);
        if (from.text == to.text) {
            fail_at(pairs.file, value.position, fmt::format("\"{}\" is paired with itself", from.text));
        }
        if (!is_new) {
            fail_at(pairs.file, value.position,
                    fmt::format("the pair \"{}\" and \"{}\" is listed twice, first in line {}", from.text, to.text,
                                before->second));
        }
        list_of_key(root_, pairs.key, value.position)
            .items.push_back(list_node(value.position, {text_node(from.text, from.position),
                                                        text_node(to.text, to.position), std::move(third)}));
    }

    const std::string& file_;
    CsvTable table_;
    Node root_, shape_;
    std::vector<CsvCell> flow_files_, rating_files_;
};

}  // namespace

Node parse_csv(std::string_view text, const std::string& file) {
    return CsvDocument(text, file).read();
}

}  // namespace qapfw::uaflp
