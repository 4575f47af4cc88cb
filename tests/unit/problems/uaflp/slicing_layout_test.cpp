// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/slicing_layout.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "qapfw/kernels/philox.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw;
using namespace qapfw::uaflp;

namespace {

SlicingCode code_of_seed(std::size_t n, std::uint64_t seed) {
    SlicingCode code{std::vector<std::uint16_t>(n), std::vector<std::uint16_t>(n - 1)};
    std::iota(code.perm.begin(), code.perm.end(), std::uint16_t{0});
    for (auto k = static_cast<std::uint32_t>(n - 1); k > 0; --k) {
        code.genes[k - 1] = static_cast<std::uint16_t>(
            kernels::below(kernels::draw(seed, 0, 0, 4, k), kernels::slicing_gene_values(k)));
    }
    return code;
}

std::vector<Rectangle> boxes_of(const Layout& layout) {
    std::vector<Rectangle> boxes;
    for (const PlacedDepartment& placed : layout.departments) boxes.push_back(placed.box);
    return boxes;
}

}  // namespace

TEST_CASE("rectangles of any tree are found to be made by straight cuts, and give the same rectangles again") {
    const UaflpInstance instance = generate_f(17, 3);
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const SlicingCode code = code_of_seed(17, seed);
        const Layout layout = make_slicing_layout(instance, code.perm, code.genes);
        std::optional<OwnedTree> tree = tree_of_rectangles(boxes_of(layout));
        REQUIRE(tree.has_value());
        const SlicingCode again = code_of(*tree, leaf_order(tree->view()));
        const Layout same = make_slicing_layout(instance, again.perm, again.genes);
        for (std::size_t d = 0; d < 17; ++d) {
            REQUIRE(same.departments[d].box.x == doctest::Approx(layout.departments[d].box.x).epsilon(1e-9));
            REQUIRE(same.departments[d].box.width == doctest::Approx(layout.departments[d].box.width).epsilon(1e-9));
        }
        REQUIRE(same.evaluation.cost == doctest::Approx(layout.evaluation.cost).epsilon(1e-12));
    }
    const std::vector<Rectangle> windmill{{0, 0, 2, 1}, {2, 0, 1, 2}, {1, 2, 2, 1}, {0, 1, 1, 2}, {1, 1, 1, 1}};
    CHECK_FALSE(tree_of_rectangles(windmill).has_value());
}

TEST_CASE("a layout by a tree: its text, its file, which is read back, and its drawings") {
    UaflpInstance instance = generate_f(3);
    instance.width = 6;
    instance.height = 4;
    instance.departments[0].area = 8;
    instance.departments[1].area = 4;
    instance.departments[2].area = 12;
    const SlicingCode code{{0, 1, 2}, {0 << 2 | 1, 1 << 2 | 0}};  // 2 to the right of 1, then 3 below both
    const Layout layout = make_slicing_layout(instance, code.perm, code.genes);
    CHECK(layout.tree == "((1 | 2) / 3)");
    CHECK(layout.departments[1].box.x == doctest::Approx(4));
    CHECK(layout.departments[2].box.y == doctest::Approx(2));
    const std::string text = write_layout_json(instance, layout);
    const auto json = nlohmann::json::parse(text);
    CHECK(json["structure"] == "slicing");
    CHECK_FALSE(json.contains("bay_break"));
    const SlicingCode read = read_slicing_json(instance, text, "layout.json");
    CHECK(read.perm == code.perm);
    CHECK(read.genes == code.genes);
    auto rectangles = json;
    rectangles["genes"] = {0, 0};  // these genes do not give the layout's rectangles, so the reader ignores them
    const SlicingCode by_boxes = read_slicing_json(instance, rectangles.dump(), "layout.json");
    CHECK(make_slicing_layout(instance, by_boxes.perm, by_boxes.genes).tree == "((1 | 2) / 3)");
    rectangles["genes"] = {0, 99};
    CHECK(test::message_of([&] {
              read_slicing_json(instance, rectangles.dump(1), "layout.json");
          }).find(": gene 2 is 99, but it must be a whole number from 0 to 11") != std::string::npos);
    CHECK(test::message_of([&] {
              read_slicing_json(instance, "{}", "layout.json");
          }).starts_with("layout.json:1:1: the layout must have \"departments\""));
    CHECK(test::message_of([&] {
              read_layout_json(instance, text, "layout.json");
          }).find("this layout is a slicing tree, which bays cannot show") != std::string::npos);
    const std::string drawing = draw_layout_terminal(instance, layout, {.columns = 40});
    for (const Department& department : instance.departments) {
        CHECK(drawing.find(department.name) != std::string::npos);
    }
    const std::string svg = write_layout_svg(instance, layout);
    CHECK(svg.find("slicing tree, feasible") != std::string::npos);
    CHECK(svg.find("class=\"bay\"") == std::string::npos);
}
