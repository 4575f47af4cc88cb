// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/assignment_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "common/xml_text.hpp"

namespace qapfw::qap {
namespace {

constexpr double kSize = 760;            // pixels of the longer side of the map
constexpr double kMargin = 70;           // pixels of the margin around the map, for labels
constexpr double kHeader = 60;           // height in pixels of the two lines above the map
constexpr double kLeastSide = 160;       // least pixels of the shorter side, so that points on a line have room
constexpr std::size_t kMostLines = 600;  // at most this many flows are drawn, namely the largest ones
constexpr std::size_t kMostLetters = 24;

/// Text for XML: forbidden characters become "?", and a long name is cut and ends in "~".
std::string shown(std::string_view text) {
    std::string out;
    for (std::size_t letters = 0; !text.empty(); ++letters) {
        if (letters == kMostLetters) return out + "~";
        const std::size_t bytes = common::xml_character_bytes(text);
        const char c = text.front();
        if (bytes == 0) {
            out += '?';
        } else if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else if (c == '&') {
            out += "&amp;";
        } else if (c == '"') {
            out += "&quot;";
        } else {
            out += text.substr(0, bytes);
        }
        text.remove_prefix(std::max<std::size_t>(1, bytes));
    }
    return out;
}

struct Flow {
    double amount;
    uint32_t i, k;
};

class AssignmentSvg {
  public:
    AssignmentSvg(const QapInstance& instance, const uint16_t* p) : instance_(instance), p_(p) { scale(); }

    std::string write(const std::string& cost) {
        head(cost);
        for (const Flow& flow : flows()) write_flow(flow);
        for (uint32_t location = 0; location < instance_.points.size(); ++location) write_location(location);
        out_ += "</svg>\n";
        return std::move(out_);
    }

  private:
    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }

    /// Scales the map without changing its proportions. The second coordinate grows upwards, as on maps.
    void scale() {
        const auto by = [](std::size_t axis) {
            return [axis](const auto& one, const auto& other) { return one[axis] < other[axis]; };
        };
        const auto [left, right] = std::minmax_element(instance_.points.begin(), instance_.points.end(), by(0));
        const auto [low, high] = std::minmax_element(instance_.points.begin(), instance_.points.end(), by(1));
        const double wide = (*right)[0] - (*left)[0], tall = (*high)[1] - (*low)[1];
        factor_ = wide > 0 || tall > 0 ? kSize / std::max(wide, tall) : 1;
        width_ = std::max(kLeastSide, wide * factor_) + 2 * kMargin;
        height_ = std::max(kLeastSide, tall * factor_) + 2 * kMargin + kHeader;
        offset_ = {(width_ - wide * factor_) / 2 - (*left)[0] * factor_,
                   (height_ + kHeader + tall * factor_) / 2 + (*low)[1] * factor_};
    }

    std::array<double, 2> place(uint32_t location) const {
        const auto& point = instance_.points[location];
        return {offset_[0] + point[0] * factor_, offset_[1] - point[1] * factor_};
    }

    static std::string name(const std::vector<std::string>& names, uint32_t index) {
        return index < names.size() ? shown(names[index]) : fmt::format("{}", index + 1);
    }

    void head(const std::string& cost) {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
            "{1:.0f}\" font-family=\"DejaVu Sans, Arial, sans-serif\">\n",
            width_, height_);
        out_ +=
            "<style>\n"
            ".back { fill: #fff } .title { font-size: 19px; font-weight: bold; fill: #111 } .note { font-size: 13px; "
            "fill: "
            "#333 }\n"
            ".flow { stroke: #b35c00; stroke-linecap: round } .at { fill: #1f5fa8 } .empty { fill: #bbb }\n"
            ".facility { font-size: 14px; fill: #111; text-anchor: middle } .location { font-size: 11px; fill: #567; "
            "text-anchor: middle }\n"
            ".halo { stroke: #fff; stroke-width: 3; stroke-opacity: 0.85; stroke-linejoin: round }\n"
            "@media (prefers-color-scheme: dark) { .back { fill: #16191d } .title, .facility { fill: #eee } .note { "
            "fill: #ccc } .location { fill: #9ab } .flow { stroke: #f0a050 } .at { fill: #6fb1ff } .halo { stroke: "
            "#16191d } .empty { fill: #555 } }\n"
            "</style>\n";
        add("<rect class=\"back\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width_, height_);
        add("<text class=\"title\" x=\"20\" y=\"26\">{}</text>\n", shown(instance_.name));
        add("<text class=\"note\" x=\"20\" y=\"48\">cost {}; the wider a line, the greater the flow</text>\n",
            shown(cost));
    }

    double amount(uint32_t i, uint32_t k) const {
        const std::size_t n = instance_.matrices.n;
        return std::abs(static_cast<double>(instance_.matrices.a[i * n + k])) +
               std::abs(static_cast<double>(instance_.matrices.a[k * n + i]));
    }

    /// The largest flows, in ascending order, so that the largest are drawn on top.
    std::vector<Flow> flows() {
        std::vector<Flow> out;
        for (uint32_t i = 0; i < instance_.facilities; ++i) {
            for (uint32_t k = 0; k < i; ++k) {
                if (amount(i, k) > 0) out.push_back({amount(i, k), i, k});
            }
        }
        std::stable_sort(out.begin(), out.end(), [](const Flow& x, const Flow& y) { return x.amount < y.amount; });
        if (out.size() > kMostLines) out.erase(out.begin(), out.end() - std::ptrdiff_t{kMostLines});
        greatest_ = out.empty() ? 1 : out.back().amount;
        return out;
    }

    void write_flow(const Flow& flow) {
        const std::array<double, 2> from = place(p_[flow.i]), to = place(p_[flow.k]);
        const double share = flow.amount / greatest_;  // small flows stay faint, so that they do not hide large ones
        add("<line class=\"flow\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke-width=\"{:.2f}\" "
            "stroke-opacity=\"{:.3f}\"><title>{} and {}</title></line>\n",
            from[0], from[1], to[0], to[1], 0.5 + 6 * share, 0.2 + 0.5 * share, name(instance_.facility_names, flow.i),
            name(instance_.facility_names, flow.k));
    }

    void write_location(uint32_t location) {
        const std::array<double, 2> at = place(location);
        const auto facility = static_cast<uint32_t>(std::find(p_, p_ + instance_.matrices.n, location) - p_);
        const bool is_taken = facility < instance_.facilities;
        add("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"><title>{}</title></circle>",
            is_taken ? "at" : "empty", at[0], at[1], name(instance_.location_names, location));
        if (is_taken) write_text("facility", at[0], at[1] - 10, name(instance_.facility_names, facility));
        write_text("location", at[0], at[1] + 19, name(instance_.location_names, location));
        out_ += "\n";
    }

    /// Draws a text, and behind it a halo that covers lines.
    void write_text(std::string_view style, double x, double y, const std::string& text) {
        for (const char* layer : {" halo", ""}) {
            add("<text class=\"{}{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", style, layer, x, y, text);
        }
    }

    const QapInstance& instance_;
    const uint16_t* p_;
    double factor_ = 1, width_ = 0, height_ = 0;
    std::array<double, 2> offset_{};
    double greatest_ = 1;
    std::string out_;
};

}  // namespace

bool can_be_drawn(const QapInstance& instance) {
    return !instance.points.empty() && instance.points.size() <= kMostDrawn;
}

std::string write_assignment_svg(const QapInstance& instance, const uint16_t* p, const std::string& cost) {
    return AssignmentSvg(instance, p).write(cost);
}

}  // namespace qapfw::qap
