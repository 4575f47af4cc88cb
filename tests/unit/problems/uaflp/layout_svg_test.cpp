// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>

#include "problems/uaflp/layout.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw::uaflp;
using test::random_solution;
using test::Solution;

namespace {

size_t count(const std::string& text, const std::string& part) {
    size_t found = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

struct Box {
    double left, top, right, bottom;
};

/// Returns the boxes of all labels of the drawing. Counts each character as 0.62 font sizes wide.
std::vector<Box> label_boxes(const std::string& svg) {
    static const std::regex group("<g( transform=\"rotate\\(-90 ([0-9.]+) ([0-9.]+)\\)\")?>");
    static const std::regex text(
        "<text class=\"label[ small]*\" x=\"([0-9.]+)\" y=\"([0-9.]+)\" font-size=\"([0-9.]+)\">([^<]*)<");
    std::vector<Box> boxes;
    for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) {
        const double x = std::stod((*it)[1]);
        const double y = std::stod((*it)[2]);
        const double font = std::stod((*it)[3]);
        const double half = 0.31 * font * static_cast<double>((*it)[4].length());
        const std::string before = svg.substr(0, static_cast<size_t>(it->position()));
        std::smatch last;
        const std::string tail = before.substr(before.rfind("<g"));
        if (std::regex_search(tail, last, group) && last[1].matched) {
            const double cx = std::stod(last[2]);
            const double cy = std::stod(last[3]);
            boxes.push_back({cx + (y - cy) - 0.75 * font, cy - half, cx + (y - cy) + 0.2 * font, cy + half});
        } else {
            boxes.push_back({x - half, y - 0.75 * font, x + half, y + 0.2 * font});
        }
    }
    return boxes;
}

bool overlap(const Box& a, const Box& b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

}  // namespace

TEST_CASE("labels never overlap, and every department is labelled or listed") {
    for (const unsigned n : {1u, 9u, 62u, 120u, 300u}) {
        const UaflpInstance instance = generate_f(n, 3);
        const Solution s = random_solution(n, n);
        const std::string svg = write_layout_svg(instance, make_layout(instance, s.perm, s.bits));
        const std::vector<Box> boxes = label_boxes(svg);
        CHECK(boxes.size() >= n / 3);
        for (size_t i = 0; i < boxes.size(); ++i) {
            for (size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(boxes[i], boxes[j]));
        }
        const size_t names = count(svg, "<text class=\"label\"");
        const size_t listed = count(svg, ", place ");
        CHECK(names + listed == n);
    }
}

TEST_CASE("a tall, thin department has its sides upwards") {
    UaflpInstance instance = generate_f(16, 1);
    for (Department& d : instance.departments) d.area = 40;
    instance.width = 20;
    instance.height = 32;
    Solution s = random_solution(16, 1);
    std::fill(s.bits.begin(), s.bits.end(), std::uint8_t{1});  // one bay for each department
    const std::string svg = write_layout_svg(instance, make_layout(instance, s.perm, s.bits));
    CHECK(count(svg, "<g transform=\"rotate(-90") == 16);
    CHECK(count(svg, ">1.25 x 32<") == 2 * 16);  // each of 16 labels appears twice: as a halo and as text on the halo
    const std::vector<Box> boxes = label_boxes(svg);
    for (size_t i = 0; i < boxes.size(); ++i) {
        for (size_t j = 0; j < i; ++j) CHECK_FALSE(overlap(boxes[i], boxes[j]));
    }
}

TEST_CASE("infeasible departments are hatched, framed and listed with their sides") {
    GeneratorOptions options;
    options.size = 20;
    options.max_aspect_ratio = 2;
    const UaflpInstance instance = generate_instance(options);
    const Solution s = random_solution(20, 1);
    const Layout layout = make_layout(instance, s.perm, s.bits);
    REQUIRE(layout.evaluation.violations > 0);
    const std::string svg = write_layout_svg(instance, layout);
    CHECK(count(svg, "<rect class=\"infeasible\"") == layout.evaluation.violations);
    CHECK(count(svg, "<rect class=\"frame\"") == layout.evaluation.violations);
    CHECK(count(svg, "Hatched red") == 1);
}

TEST_CASE("labels stay clear of the frames of infeasible departments") {
    GeneratorOptions options;
    options.size = 60;
    options.max_aspect_ratio = 2;
    const UaflpInstance instance = generate_instance(options);
    static const std::regex frame(
        "<rect class=\"frame\" x=\"([0-9.]+)\" y=\"([0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\"");
    constexpr double kHalfLine = 1.5, kRounded = 0.2;
    size_t framed_labels = 0;
    for (const unsigned seed : {1u, 2u, 3u}) {
        const Solution s = random_solution(60, seed);
        const std::string svg = write_layout_svg(instance, make_layout(instance, s.perm, s.bits));
        const std::vector<Box> labels = label_boxes(svg);
        for (std::sregex_iterator it(svg.begin(), svg.end(), frame), end; it != end; ++it) {
            const double left = std::stod((*it)[1]), top = std::stod((*it)[2]);
            const double right = left + std::stod((*it)[3]), bottom = top + std::stod((*it)[4]);
            for (const Box& label : labels) {
                const double x = (label.left + label.right) / 2, y = (label.top + label.bottom) / 2;
                if (x < left || x > right || y < top || y > bottom) continue;
                ++framed_labels;
                CHECK(label.left >= left + kHalfLine - kRounded);
                CHECK(label.right <= right - kHalfLine + kRounded);
                CHECK(label.top >= top + kHalfLine - kRounded);
                CHECK(label.bottom <= bottom - kHalfLine + kRounded);
            }
        }
    }
    CHECK(framed_labels > 0);
}

TEST_CASE("flow lines are drawn on request, one per pair") {
    const UaflpInstance instance = generate_f(12, 3);
    const Solution s = random_solution(12, 1);
    const Layout layout = make_layout(instance, s.perm, s.bits);
    size_t pairs = 0;
    for (size_t i = 0; i < 12; ++i) {
        for (size_t j = i + 1; j < 12; ++j) pairs += instance.flow_between(i, j) > 0 ? 1u : 0u;
    }
    CHECK(count(write_layout_svg(instance, layout), "<line ") == 0);
    CHECK(count(write_layout_svg(instance, layout, {.flows = true}), "<line ") == pairs);
}

TEST_CASE("names are escaped and stripped of what XML forbids") {
    UaflpInstance instance = generate_f(3);
    instance.name = "a<b>&\"c\"\x01";
    instance.departments[0].name = "<script>\x1b";
    const Solution s = random_solution(3, 1);
    const std::string svg = write_layout_svg(instance, make_layout(instance, s.perm, s.bits));
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find("&lt;script&gt;?") != std::string::npos);
    CHECK(svg.find("a&lt;b&gt;&amp;&quot;c&quot;?") != std::string::npos);
}
