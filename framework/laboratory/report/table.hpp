// SPDX-License-Identifier: Apache-2.0
// Tables and plots of a report as plain data. The page draws them, the exports write them.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace qapfw::framework::laboratory {

/// A cell: nothing, a text or a number.
using TableValue = std::variant<std::monostate, std::string, double>;

/// The number if there is one and it is not NaN; otherwise an empty cell.
TableValue value_or_nothing(const std::optional<double>& number);

struct Column {
    std::string name;
    bool text = false;
    int digits = 5;  ///< significant digits of shown numbers
};

struct Table {
    std::string id = {}, title = {}, note = {};
    std::vector<Column> columns = {};
    std::vector<std::vector<TableValue>> rows = {};
};

/// A series of points. In a box plot, x has the five numbers of the box, and y has the values far outside the box. In a
/// plot of points, y has the values, and x has their mean or is empty.
struct Series {
    std::string name;
    std::vector<double> x = {}, y = {};
    std::vector<double> low = {}, high = {};  ///< lower and upper end of a band around y; empty: no band
    bool dashed = false;
};

struct Plot {
    std::string id = {}, title = {}, note = {};
    std::string kind = {};       ///< one of: lines, steps, bars, points, box, ranks, heat
    std::string x = {}, y = {};  ///< titles of the axes
    bool log_x = false, log_y = false;
    std::vector<Series> series = {};
    /// `labels`: names of the columns of a heat map, or of the groups of bars. `rows`: names of the rows of a heat map.
    std::vector<std::string> labels = {}, rows = {};
    double critical_difference = 0;  ///< in a plot of ranks: the critical difference
    /// In a plot of ranks: the least and the greatest mean rank in each group of variants that do not differ
    /// significantly.
    std::vector<std::pair<double, double>> groups = {};
};

/// A drawing for the page. Since a drawing may come from anybody, it is shown as an image, in which nothing runs and
/// nothing is loaded.
struct Drawing {
    std::string title = {}, svg = {};
};

/// A section of the page.
struct Section {
    std::string title = {}, text = {};
    std::vector<Table> tables = {};
    std::vector<Plot> plots = {};
    std::vector<Drawing> drawings = {};
    bool open = true;  ///< false: the section is folded at first
};

struct ReportData {
    std::string title = {}, made = {};
    std::vector<std::string> facts = {};  ///< one line each, below the title
    std::vector<std::string> warnings = {};
    std::vector<Section> sections = {};
};

/// Formats a number for a report, with about `digits` significant digits and without trailing zeros behind the point.
/// All digits before the point are kept.
std::string number_text(double value, int digits);
/// The text of a value and its deviation, such as "6203.4 ± 12.3". The deviation has three significant digits, or all
/// digits before the point if there are more. The value has as many decimals as the deviation. Trailing zeros behind
/// the point are left out.
std::string with_deviation(double value, double deviation);
/// A p value with three significant digits: "0.0123". Below 1e-16, where rounding errors are as large as the value, it
/// is "< 1e-16".
std::string p_text(double p);
std::string cell_text(const TableValue& value, const Column& column);

std::string report_json(const ReportData& report);

}  // namespace qapfw::framework::laboratory
