// SPDX-License-Identifier: Apache-2.0
// Tests layouts of forty generated plants with practical rules, such as walls and neighbours. Rules that can be kept
// must be kept. Broken rules must be reported. An independent checker verifies both from the rectangles only.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "one_search.hpp"
#include "problems/uaflp/slicing_layout.hpp"
#include "qapfw/error.hpp"
#include "tests/support/layout_checker.hpp"
#include "tests/support/sanitized.hpp"

using namespace qapfw;
using namespace qapfw::uaflp;
using testing::LayoutChecker;
using testing::OwnersPlan;

namespace {

/// Cuts a plant into departments. Then asks for walls, distances and neighbours that the cut plant already has, so a
/// valid layout exists.
class PlantMaker {
  public:
    explicit PlantMaker(unsigned seed) : random_(seed), seed_(seed) {}

    OwnersPlan make() {
        plan_.width = whole(20, 40);
        plan_.height = whole(15, 30);
        plan_.floors = seed_ % 4 == 3 ? 2 : 1;
        plan_.floor_distance = 5;
        if (plan_.floors > 1) plan_.lifts = {{0, plan_.height / 2}, {plan_.width, 3}};
        for (int floor = 1; floor <= plan_.floors; ++floor) {
            cut({0, 0, plan_.width, plan_.height}, plan_.floors > 1 ? 4 : 7, floor);
        }
        name_parts();
        add_demands();
        add_flows();
        return plan_;
    }

    /// Adds a demand that no layout can meet. Returns the names of the broken rules that a checker may then report.
    std::vector<std::string> spoil(OwnersPlan& plan) const {
        OwnersPlan::Part& part = plan.parts[1];
        // With several floors, the demand is always for a border. Departments on different floors always count as
        // apart, so they would meet any demand to be apart.
        switch (plan.floors > 1 ? 2 : seed_ % 3) {
            case 0:  // a department must touch two walls that are too far from each other
                part.place.reset();
                part.aspect = 1.2;
                part.walls = {"left", "right"};
                return {"wall:" + part.name, "area:" + part.name, "shape:" + part.name};
            case 1:
                plan.apart.emplace_back(part.name, plan.parts[2].name, 2 * plan.width);
                return {"apart:" + part.name + ":" + plan.parts[2].name};
            default:  // two departments must share a border that is longer than any side
                plan.adjacent.clear();
                plan.adjacent.emplace_back(part.name, plan.parts[2].name, 2 * plan.width);
                return {"adjacent:" + part.name + ":" + plan.parts[2].name};
        }
    }

  private:
    struct Cut {
        double x, y, w, h;
    };

    double whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

    void cut(Cut box, int parts, int floor) {
        if (parts == 1) {
            boxes_.push_back(box);
            OwnersPlan::Part part;
            part.floor = floor;
            part.area = box.w * box.h;
            plan_.parts.push_back(part);
            return;
        }
        const int one = parts / 2;
        const double share = one / static_cast<double>(parts) * (0.8 + 0.05 * whole(0, 8));
        const bool across = box.w > box.h;
        const double at = (across ? box.w : box.h) * share;
        cut(across ? Cut{box.x, box.y, at, box.h} : Cut{box.x, box.y, box.w, at}, one, floor);
        cut(across ? Cut{box.x + at, box.y, box.w - at, box.h} : Cut{box.x, box.y + at, box.w, box.h - at}, parts - one,
            floor);
    }

    void name_parts() {
        for (std::size_t k = 0; k < plan_.parts.size(); ++k) {
            OwnersPlan::Part& part = plan_.parts[k];
            part.name = fmt::format("D{}", k + 1);
            part.tolerance = seed_ % 2 == 0 ? 0.06 : 0.03;
            part.aspect = std::max(boxes_[k].w / boxes_[k].h, boxes_[k].h / boxes_[k].w) * 1.3 + 1;
            if (k % 3 == 2) part.floor = 0;
            if (plan_.floors == 1) part.floor = 0;
        }
        plan_.parts.back().empty = true;
        plan_.parts.back().floor = 0;
    }

    void add_demands() {
        const std::size_t fixed = seed_ % (plan_.parts.size() - 1);
        OwnersPlan::Part& stands = plan_.parts[fixed];
        const Cut& at = boxes_[fixed];
        stands.place = {at.x, at.y, at.w, at.h};
        stands.floor = plan_.floors > 1 && fixed >= plan_.parts.size() / 2 ? 2 : 1;
        for (std::size_t k = 0; k + 1 < plan_.parts.size() && k < 3; ++k) {
            if (k == fixed) continue;
            if (boxes_[k].x == 0) plan_.parts[k].walls.insert("left");
            if (boxes_[k].y == 0 && seed_ % 3 == 0) plan_.parts[k].walls.insert("top");
        }
        const std::size_t half = plan_.floors > 1 ? plan_.parts.size() / 2 : plan_.parts.size() - 1;
        for (std::size_t a = 0; a < half; ++a) {
            for (std::size_t b = a + 1; b < half; ++b) {
                const double x =
                    std::max(boxes_[b].x - boxes_[a].x - boxes_[a].w, boxes_[a].x - boxes_[b].x - boxes_[b].w);
                const double y =
                    std::max(boxes_[b].y - boxes_[a].y - boxes_[a].h, boxes_[a].y - boxes_[b].y - boxes_[b].h);
                const bool meet = std::abs(std::max(x, y)) < 1e-9 && std::min(x, y) < -2;
                if (meet && plan_.adjacent.empty()) plan_.adjacent.emplace_back(name(a), name(b), 0.5);
                if (std::max(x, y) > 3 && plan_.apart.empty()) plan_.apart.emplace_back(name(a), name(b), 0.5);
            }
        }
        plan_.parts[0].door = seed_ % 2 == 0 ? "bottom" : "left";
        plan_.points = {{"Gate", 0, plan_.height, 1}};
    }

    std::string name(std::size_t k) const { return plan_.parts[k].name; }

    void add_flows() {
        for (std::size_t k = 0; k + 2 < plan_.parts.size(); ++k)
            plan_.flows.emplace_back(name(k), name(k + 1), whole(1, 9));
        plan_.flows.emplace_back("Gate", name(0), 7);
        plan_.flows.emplace_back("Gate", name(3), 3);
    }

    std::mt19937 random_;
    unsigned seed_;
    OwnersPlan plan_;
    std::vector<Cut> boxes_;
};

std::string text_of_plan(const OwnersPlan& plan) {
    std::string out = fmt::format("floors = {}\nfloor_distance = {}\n", plan.floors, plan.floor_distance);
    const auto list = [&](const char* key, const auto& entries) {
        out += fmt::format("{} = [", key);
        for (const auto& [a, b, number] : entries) out += fmt::format("[\"{}\", \"{}\", {}],", a, b, number);
        out += "]\n";
    };
    list("flows", plan.flows);
    list("adjacent", plan.adjacent);
    list("apart", plan.apart);
    out += "lifts = [";
    for (const auto& lift : plan.lifts) out += fmt::format("[{}, {}],", lift[0], lift[1]);
    out += fmt::format("]\n[plant]\nwidth = {}\nheight = {}\n", plan.width, plan.height);
    for (const auto& point : plan.points) {
        out += fmt::format("[[points]]\nname = \"{}\"\nat = [{}, {}]\nfloor = {}\n", point.name, point.x, point.y,
                           point.floor);
    }
    for (const OwnersPlan::Part& part : plan.parts) {
        out += fmt::format("[[departments]]\nname = \"{}\"\narea = {}\n", part.name, part.area);
        if (part.empty) {
            out += "dummy = true\n";
            continue;
        }
        out += fmt::format("area_tolerance = {}\nmax_aspect_ratio = {}\n", part.tolerance, part.aspect);
        if (part.floor > 0) out += fmt::format("floor = {}\n", part.floor);
        if (!part.door.empty()) out += fmt::format("door = \"{}\"\n", part.door);
        if (part.place) {
            const auto& [x, y, w, h] = *part.place;
            out += fmt::format("place = [{}, {}, {}, {}]\n", x, y, w, h);
        }
        out += "walls = [";
        for (const std::string& wall : part.walls) out += '"' + wall + "\",";
        out += "]\n";
    }
    return out;
}

/// Settings of an annealing in which all kinds of moves are equally likely.
kernels::SlicingAnnealing plain_annealing() {
    kernels::SlicingAnnealing settings{0.4, 0.1, {}};
    for (std::uint32_t k = 0; k < kernels::kSlicingMoveKinds; ++k) {
        settings.limits.limit[k] = (k + 1) * (0xFFFFFFFFu / kernels::kSlicingMoveKinds);
    }
    return settings;
}

/// Returns the best layout of up to `annealings` annealings. Stops as soon as the best layout keeps all rules.
Layout anneal_plan(const UaflpInstance& instance, unsigned annealings) {
    const SlicingEvaluator evaluator(instance);
    const kernels::SlicingAnnealing settings = plain_annealing();
    const auto n = static_cast<std::uint32_t>(instance.size());
    std::vector<std::uint16_t> order(n), genes(n - 1, 1);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::optional<Layout> best;
    for (unsigned k = 0; k < annealings && (!best || best->evaluation.violations > 0); ++k) {
        OneSearch search(evaluator);
        kernels::slicing_decode(order, genes, search.current.view());
        kernels::SlicingStanding standing{};
        search.annealer.enter(standing);
        search.annealer.begin(settings, 0.1, 0.985, 60000, standing);
        search.annealer.advance(settings, {5, 100000 * k, 0, 9}, 60000, standing);
        OwnedTree tree = search.best;
        const SlicingCode code = code_of(tree, leaf_order(tree.view()));
        Layout layout = make_slicing_layout(instance, code.perm, code.genes);
        CHECK(layout.evaluation.cost == doctest::Approx(standing.best_cost).epsilon(1e-12));
        CHECK(layout.evaluation.violations == layout.broken.size());
        if (!best || layout.evaluation.objective < best->evaluation.objective) best = std::move(layout);
    }
    return *best;
}

/// The broken rules named in the layout's file, in the checker's words.
std::set<std::string> told_by(const nlohmann::json& file) {
    std::set<std::string> all;
    for (const auto& rule : file["broken_rules"]) {
        std::string text = rule["rule"].get<std::string>();
        for (const auto& name : rule["departments"]) text += ":" + name.get<std::string>();
        CHECK(rule["amount"].get<double>() > 0);
        CHECK(rule["sentence"].get<std::string>().find(rule["departments"][0].get<std::string>()) == 0);
        all.insert(text);
    }
    return all;
}

void check_plan(const OwnersPlan& plan, const std::vector<std::string>& spoiled, unsigned annealings) {
    const UaflpInstance instance = parse_instance(text_of_plan(plan), "plan.toml");
    const UaflpInstance again = parse_instance(instance_to_toml(instance), "again.toml");
    CHECK(instance_to_toml(again) == instance_to_toml(instance));
    const Layout layout = anneal_plan(instance, annealings);
    const Layout same = make_slicing_layout(again, layout.perm, layout.genes);
    CHECK(same.evaluation.objective == layout.evaluation.objective);
    const auto file = nlohmann::json::parse(write_layout_json(instance, layout));
    const LayoutChecker checker(plan, file);
    CHECK(checker.is_packed());
    CHECK(checker.cost() == doctest::Approx(file["cost"].get<double>()).epsilon(1e-9));
    CHECK(checker.broken() == told_by(file));
    if (spoiled.empty()) {
        CHECK(checker.broken() == std::set<std::string>{});
    } else {
        const std::set<std::string> told = told_by(file);
        CHECK(std::any_of(spoiled.begin(), spoiled.end(), [&](const auto& one) { return told.count(one) > 0; }));
    }
}

}  // namespace

TEST_CASE("thirty layouts of practice that can be kept are kept, as an independent checker finds") {
    for (unsigned seed = qapfw::kSanitized ? 20u : 0u; seed < 30; ++seed) {
        CAPTURE(seed);
        check_plan(PlantMaker(seed).make(), {}, 12);
    }
}

TEST_CASE("ten layouts of practice that cannot be kept say so, with the department and the amount") {
    for (unsigned seed = 30; seed < 40; ++seed) {
        CAPTURE(seed);
        PlantMaker maker(seed);
        OwnersPlan plan = maker.make();
        const std::vector<std::string> spoiled = maker.spoil(plan);
        check_plan(plan, spoiled, 1);
    }
}

namespace {

constexpr const char* kTwoParts =
    "flows = [[\"A\", \"B\", 1]]\n[plant]\nwidth = 10\nheight = 5\n[shape]\n"
    "max_aspect_ratio = 5\n[[departments]]\nname = \"A\"\narea = 20\n";

/// The message about a file with the departments A and B. `of_b`: lines that follow B's name; `first`: lines put at
/// the start of the file.
std::string sentence_about(const std::string& of_b, const std::string& first = "") {
    try {
        (void)parse_instance(first + kTwoParts + "[[departments]]\nname = \"B\"\n" + of_b, "hall.toml");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("a broken shape rule says which limit the department breaks") {
    UaflpInstance instance = parse_instance(
        std::string("floors = 2\nlifts = [[1, 1]]\n") + kTwoParts + "[[departments]]\nname = \"B\"\narea = 20\n",
        "hall.toml");
    const auto sentence_for = [&](double max_aspect_ratio, double min_side, double width, double height) {
        instance.departments[0].rule = {max_aspect_ratio, min_side};
        instance.departments[1].rule = {};
        const std::vector<double> boxes{0, 0, width, height, 6, 0, 4, 5};
        for (const BrokenRule& rule : PracticeRules(instance, {}).broken(boxes)) {
            if (rule.rule == "shape") return rule.sentence;
        }
        return std::string("kept");
    };
    CHECK(sentence_for(2, 0, 8, 2.5) == "A is 8 x 2.5, 3 too long");
    CHECK(sentence_for(0, 4, 8, 2.5) == "A is 8 x 2.5, 1.5 too narrow");
    CHECK(sentence_for(5, 4, 8, 2.5) == "A is 8 x 2.5, 1.5 too narrow");
    CHECK(sentence_for(2, 3, 8, 2.5) == "A is 8 x 2.5, 3 too long");
    CHECK(sentence_for(5, 2, 8, 2.5) == "kept");
}

TEST_CASE("impossible demands of an owner give one sentence with file and line") {
    const auto says = [](const std::string& found, const char* where, const char* what) {
        INFO(found);
        CHECK(found.find(where) == 0);
        CHECK(found.find(what) != std::string::npos);
    };
    says(sentence_about("area = 10\nplace = [8, 0, 4, 2.5]\n"),
         "hall.toml:10:", "is not wholly inside the plant of 10 x 5");
    says(sentence_about("place = [3, 0, 4, 2.5]\n[[departments]]\nname = \"C\"\nplace = [5, 1, 2, 2]\n"),
         "hall.toml:13:", "the places of \"B\" and \"C\" overlap");
    says(sentence_about("area = 10\nplace = [0, 0, 4, 4]\n"), "hall.toml:10:", "its place of 4 x 4 has 16");
    says(sentence_about("area = 40\narea_tolerance = 0.2\n"), "hall.toml:7:", "the areas sum to at least 52");
    says(sentence_about("area = 10\n", "adjacent = [[\"A\", \"B\"]]\napart = [[\"B\", \"A\", 2]]\n"),
         "hall.toml:2:", "cannot be both adjacent and apart");
    says(sentence_about("area = 10\n", "apart = [[\"A\", \"B\"]]\nratings = [[\"A\", \"B\", \"A\"]]\n"),
         "hall.toml:2:", "are rated A (close), but \"apart\" lists this pair");
    says(sentence_about("area = 10\n", "ratings = [[\"A\", \"B\", \"Q\"]]\n"),
         "hall.toml:1:", "must be A, E, I, O, U or X");
    says(sentence_about("area = 10\nwalls = [\"leftt\"]\n"), "hall.toml:13:", "did you mean \"left\"?");
    says(sentence_about("area = 10\nplace = [1, 1, -4, 2.5]\n"), "hall.toml:13:", "-4");
    says(sentence_about("area = 10\n", "adjacent = [[\"A\", \"Bee\"]]\n"),
         "hall.toml:1:", "unknown department \"Bee\"");
    says(sentence_about("area = 10\n", "points = [{name = \"A\", at = [1, 1]}]\n"),
         "hall.toml:1:", "two departments or points are named \"A\"");
    says(sentence_about("area = 10\n", "points = [{name = \"Gate\", at = [11, 1]}]\n"),
         "hall.toml:1:", "outside the plant");
    says(sentence_about("area = 10\nfloor = 2\n"), "hall.toml:13:", "must be a whole number from 1 to 1");
    says(sentence_about("area = 10\n", "floors = 2\n"), "hall.toml:1:", "with several floors give \"lifts\"");
    says(sentence_about("area = 10\nmove_cost = 2\n"), "hall.toml:13:", "has a move_cost but no \"present\" place");
    CHECK(sentence_about("area = 10\n").empty());
}

TEST_CASE("a present layout is priced, and moving from it is part of the cost") {
    const UaflpInstance instance = parse_instance(
        std::string("unit = \"m\"\n") + kTwoParts +
            "present = [0, 0, 4, 5]\nmove_cost = 3\n[[departments]]\nname = \"B\"\narea = 30\npresent = [4, 0, 6, 5]\n",
        "hall.toml");
    CHECK(present_cost(instance) == doctest::Approx(5.0));
    const Layout stays = make_slicing_layout(instance, std::vector<std::uint16_t>{0, 1}, std::vector<std::uint16_t>{1});
    const Layout moved = make_slicing_layout(instance, std::vector<std::uint16_t>{1, 0}, std::vector<std::uint16_t>{1});
    CHECK(stays.evaluation.cost == doctest::Approx(5.0));
    CHECK(stays.moving_cost == doctest::Approx(0.0));
    CHECK(moved.moving_cost == doctest::Approx(3 * 6.0));
    CHECK(moved.evaluation.cost == doctest::Approx(5.0 + 18.0));
}

TEST_CASE("moving and the present layout count from a department's door") {
    const UaflpInstance instance =
        parse_instance(std::string("unit = \"m\"\n") + kTwoParts +
                           "present = [0, 0, 4, 5]\nmove_cost = 3\ndoor = \"left\"\n[[departments]]\nname = "
                           "\"B\"\narea = 30\npresent = [4, 0, 6, 5]\nmove_cost = 1\n",
                       "hall.toml");
    CHECK(present_cost(instance) == doctest::Approx(7.0));
    const Layout stays = make_slicing_layout(instance, std::vector<std::uint16_t>{0, 1}, std::vector<std::uint16_t>{1});
    CHECK(stays.evaluation.cost == doctest::Approx(7.0));
    CHECK(stays.moving_cost == doctest::Approx(0.0));
    const Layout moved = make_slicing_layout(instance, std::vector<std::uint16_t>{1, 0}, std::vector<std::uint16_t>{1});
    CHECK(moved.moving_cost == doctest::Approx(3 * 6.0 + 4.0));
    CHECK(moved.evaluation.cost == doctest::Approx(3.0 + 18.0 + 4.0));
}
