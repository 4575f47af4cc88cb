// SPDX-License-Identifier: Apache-2.0
// Tables and plots of a report as plain data: the page draws them, the exports write them.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace qapfw::framework::laboratory {

/// Nothing, a text or a number.
using TableValue = std::variant<std::monostate, std::string, double>;

/// The number where there is one that a reader can use.
TableValue value_or_nothing(const std::optional<double>& number);

struct Column {
    std::string name;
    bool text = false;
    int digits = 5;  ///< significant ones where it is shown
};

struct Table {
    std::string id = {}, title = {}, note = {};
    std::vector<Column> columns = {};
    std::vector<std::vector<TableValue>> rows = {};
};

/// Points, or for a box the five numbers of each group.
struct Series {
    std::string name;
    std::vector<double> x = {}, y = {};
    std::vector<double> low = {}, high = {};  ///< a band around y, where there is one
    bool dashed = false;
};

struct Plot {
    std::string id = {}, title = {}, note = {};
    std::string kind = {};       ///< lines, steps, bars, points, box, ranks, heat
    std::string x = {}, y = {};  ///< what the axes show
    bool log_x = false, log_y = false;
    std::vector<Series> series = {};
    std::vector<std::string> labels = {}, rows = {};     ///< heat: columns' and rows' names; bars: the groups'
    double critical_difference = 0;                      ///< ranks
    std::vector<std::pair<double, double>> groups = {};  ///< ranks: from, to, of what differs not
};

/// The page shows it as an image, in which nothing runs and nothing is loaded: it may come from anybody.
struct Drawing {
    std::string title = {}, svg = {};
};

/// A part of the page.
struct Section {
    std::string title = {}, text = {};
    std::vector<Table> tables = {};
    std::vector<Plot> plots = {};
    std::vector<Drawing> drawings = {};
    bool open = true;  ///< else folded
};

struct ReportData {
    std::string title = {}, made = {};
    std::vector<std::string> facts = {};  ///< a line each, below the title
    std::vector<std::string> warnings = {};
    std::vector<Section> sections = {};
};

/// The number as people read it, with `digits` significant digits and no zeros at its end; integers whole.
std::string number_text(double value, int digits);
/// "12.5 ± 1.5": the deviation with three significant digits, the value with as many decimals.
std::string with_deviation(double value, double deviation);
/// A p value in a sentence: "0.0123", or "< 1e-16" where doubles tell no more.
std::string p_text(double p);
std::string cell_text(const TableValue& value, const Column& column);

std::string report_json(const ReportData& report);

}  // namespace qapfw::framework::laboratory
