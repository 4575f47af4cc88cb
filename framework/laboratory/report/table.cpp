// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/laboratory/report/encoders.hpp"
#include "framework/record/json_parts.hpp"

namespace qapfw::framework::laboratory {
namespace {

Json number_json(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

Json numbers_json(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(number_json(value));
    return list;
}

Json table_json(const Table& table) {
    Json columns = Json::array(), rows = Json::array();
    for (const Column& column : table.columns) columns.push_back({{"name", column.name}, {"text", column.text}});
    for (const auto& row : table.rows) {
        Json line = Json::array();
        for (std::size_t k = 0; k < row.size(); ++k) {
            const auto* number = std::get_if<double>(&row[k]);
            Json cell = {cell_text(row[k], table.columns[k])};
            if (number != nullptr)
                cell.push_back(std::isinf(*number) ? Json(*number > 0 ? 1e308 : -1e308) : number_json(*number));
            line.push_back(std::move(cell));
        }
        rows.push_back(std::move(line));
    }
    return {{"id", table.id}, {"title", table.title}, {"note", table.note}, {"columns", columns}, {"rows", rows}};
}

Json plot_json(const Plot& plot) {
    Json series = Json::array();
    for (const Series& one : plot.series) {
        Json json = {
            {"name", one.name}, {"x", numbers_json(one.x)}, {"y", numbers_json(one.y)}, {"dashed", one.dashed}};
        if (!one.low.empty()) json["low"] = numbers_json(one.low);
        if (!one.high.empty()) json["high"] = numbers_json(one.high);
        series.push_back(std::move(json));
    }
    return {{"id", plot.id},        {"title", plot.title},   {"note", plot.note},  {"kind", plot.kind},
            {"x", plot.x},          {"y", plot.y},           {"logx", plot.log_x}, {"logy", plot.log_y},
            {"series", series},     {"labels", plot.labels}, {"rows", plot.rows},  {"cd", plot.critical_difference},
            {"groups", plot.groups}};
}

Json section_json(const Section& section) {
    Json tables = Json::array(), plots = Json::array(), drawings = Json::array();
    for (const Table& table : section.tables) tables.push_back(table_json(table));
    for (const Plot& plot : section.plots) plots.push_back(plot_json(plot));
    for (const Drawing& drawing : section.drawings)
        drawings.push_back({{"title", drawing.title}, {"image", svg_image_address(drawing.svg)}});
    return {{"title", section.title}, {"text", section.text}, {"open", section.open},
            {"tables", tables},       {"plots", plots},       {"drawings", drawings}};
}

}  // namespace

TableValue value_or_nothing(const std::optional<double>& number) {
    if (number && !std::isnan(*number)) return *number;
    return std::monostate{};
}

namespace {

/// The number without trailing zeros: 12.5 for 12.5000.
std::string without_zeros(std::string text) {
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

}  // namespace

std::string number_text(double value, int digits) {
    if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
    if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value == 0 ? 0.0 : value);
    const double size = std::abs(value);
    if (size >= 1e-3 && size < 1e15) {
        const int before = size >= 1 ? static_cast<int>(std::floor(std::log10(size))) + 1 : 0;
        return without_zeros(fmt::format("{:.{}f}", value, std::max(before == 0 ? 3 : 0, digits - before)));
    }
    return fmt::format("{:.{}g}", value, digits);
}

std::string with_deviation(double value, double deviation) {
    // Significant digits of the deviation. The value gets as many decimals as the deviation.
    constexpr int kDeviationDigits = 3;
    if (!std::isfinite(deviation) || deviation <= 0)
        return fmt::format("{} ± {}", number_text(value, 9), number_text(deviation, kDeviationDigits));
    const int decimals = std::clamp(kDeviationDigits - 1 - static_cast<int>(std::floor(std::log10(deviation))), 0, 12);
    return fmt::format("{} ± {}", without_zeros(fmt::format("{:.{}f}", value, decimals)),
                       without_zeros(fmt::format("{:.{}f}", deviation, decimals)));
}

std::string p_text(double p) {
    constexpr double kLeast = 1e-16;
    return p < kLeast ? fmt::format("< {:g}", kLeast) : fmt::format("{:.3g}", p);
}

std::string cell_text(const TableValue& value, const Column& column) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* number = std::get_if<double>(&value)) return number_text(*number, column.digits);
    return {};
}

std::string report_json(const ReportData& report) {
    Json sections = Json::array();
    for (const Section& section : report.sections) sections.push_back(section_json(section));
    const Json json = {{"title", report.title},
                       {"made", report.made},
                       {"facts", report.facts},
                       {"warnings", report.warnings},
                       {"sections", sections}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace qapfw::framework::laboratory
