// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <sstream>

#include "problems/uaflp/display_text.hpp"
#include "problems/uaflp/layout.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw::uaflp;
using test::random_solution;
using test::Solution;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

}  // namespace

TEST_CASE("a drawing shows every department's number once and keeps the width") {
    for (const unsigned n : {1u, 9u, 62u, 120u}) {
        const UaflpInstance instance = generate_f(n, 4);
        const Solution s = random_solution(n, n);
        const Layout layout = make_layout(instance, s.perm, s.bits);
        const std::string drawing = draw_layout_terminal(instance, layout, {.columns = 110, .ascii = true});
        std::vector<std::string> lines = lines_of(drawing);
        lines.erase(lines.begin());
        std::vector<int> seen(n + 1, 0);
        for (const std::string& line : lines) {
            CHECK(display_width(line) <= 110);
            std::string spaced = line;
            for (char& c : spaced) c = c >= '0' && c <= '9' ? c : ' ';
            std::istringstream words(spaced);
            for (size_t d = 0; words >> d;) {
                if (d >= 1 && d <= n) ++seen[d];
            }
        }
        for (size_t d = 1; d <= n; ++d) CHECK(seen[d] == 1);
    }
}

TEST_CASE("a small layout looks as expected") {
    UaflpInstance instance = generate_f(4);
    for (Department& d : instance.departments) d.area = 100;
    instance.name = "four";
    instance.width = instance.height = 20;
    instance.departments[1].name = "Press";
    instance.departments[3].rule.max_aspect_ratio = 1;
    for (size_t d = 0; d < 3; ++d) instance.departments[d].rule.max_aspect_ratio = 4;
    const std::vector<std::uint16_t> perm{1, 0, 2, 3};
    const std::vector<std::uint8_t> bits{0, 0, 1};
    const Layout layout = make_layout(instance, perm, bits);
    const auto lines = lines_of(draw_layout_terminal(instance, layout, {.columns = 29, .ascii = true}));
    const std::vector<std::string> expected{"+-------------------+-------+",  //
                                            "|                   |       |",  //
                                            "|       Press       |       |",  //
                                            "|                   |       |",  //
                                            "|                   |       |",  //
                                            "+-------------------+       |",  //
                                            "|                   |       |",  //
                                            "|         1         |  4!   |",  //
                                            "|                   |       |",  //
                                            "+-------------------+       |",  //
                                            "|                   |       |",  //
                                            "|         3         |       |",  //
                                            "|                   |       |",  //
                                            "|                   |       |",  //
                                            "+-------------------+-------+",  //
                                            "! marks a department that breaks its shape rule"};
    CHECK(std::vector<std::string>(lines.begin() + 1, lines.end()) == expected);
    CHECK(lines[0].starts_with("four: cost "));
    CHECK(lines[0].ends_with("shape rule broken by 1 of 4 departments"));
    CHECK(draw_layout_terminal(instance, layout, {.columns = 29, .colour = true}).find("\x1b[1;31m4!\x1b[0m") !=
          std::string::npos);
}

TEST_CASE("bays lie as rows where they run along the plant's width") {
    UaflpInstance instance = generate_f(6);
    instance.height = 90;
    EvaluationOptions options;
    options.orientations = Orientations::kAcrossHeight;
    const Solution s{{0, 1, 2, 3, 4, 5}, {0, 0, 1, 0, 0}};
    const Layout layout = make_layout(instance, s.perm, s.bits, options);
    const std::string drawing = draw_layout_terminal(instance, layout, {.columns = 60});
    CHECK(drawing.find("along the height") != std::string::npos);
    for (const std::string& line : lines_of(drawing)) {
        const bool first = line.find('1') < line.find('2') && line.find('2') < line.find('3');
        if (line.find('1') != std::string::npos && line.find('3') != std::string::npos) CHECK(first);
    }
}

TEST_CASE("a narrow terminal turns the drawing rather than breaking lines") {
    const UaflpInstance instance = generate_f(40, 4);
    Solution s = random_solution(40, 1);
    s.bits.assign(39, 1);  // forty bays with one department each
    const Layout layout = make_layout(instance, s.perm, s.bits);
    const std::string drawing = draw_layout_terminal(instance, layout, {.columns = 60});
    CHECK(drawing.find("width and height exchanged") != std::string::npos);
    const auto lines = lines_of(drawing);
    for (size_t i = 1; i < lines.size(); ++i) CHECK(display_width(lines[i]) <= 80);
}
