// SPDX-License-Identifier: Apache-2.0
// Writes and reads layout.json.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "problems/uaflp/document_checks.hpp"
#include "problems/uaflp/layout.hpp"
#include "problems/uaflp/practice_rules.hpp"
#include "qapfw/kernels/slicing_tree.hpp"

namespace qapfw::uaflp {
namespace {

using Json = nlohmann::ordered_json;

Json box_json(const Rectangle& box) {
    return {{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}};
}

Json department_json(const UaflpInstance& instance, const Layout& layout, size_t d) {
    const Department& department = instance.departments[d];
    const PlacedDepartment& placed = layout.departments[d];
    Json out{{"department", d + 1}, {"name", department.name}, {"area", department.area}};
    if (!layout.is_slicing()) out["bay"] = placed.bay + 1;
    out.update(box_json(placed.box));
    if (instance.practice.floors > 1) out["floor"] = placed.floor;
    out["aspect_ratio"] = placed.aspect_ratio;
    if (department.rule.max_aspect_ratio > 0) out["max_aspect_ratio"] = department.rule.max_aspect_ratio;
    if (department.rule.min_side > 0) out["min_side"] = department.rule.min_side;
    if (department.dummy) out["dummy"] = true;
    if (department.blocked) out["blocked"] = true;
    out["feasible"] = placed.feasible;
    return out;
}

void add_practice(const UaflpInstance& instance, const Layout& layout, Json& out) {
    const Practice& practice = instance.practice;
    if (!practice.unit.empty()) out["unit"] = practice.unit;
    if (const auto present = present_cost(instance)) out["present_cost"] = *present;
    if (layout.moving_cost > 0) out["moving_cost"] = layout.moving_cost;
    if (!instance.is_practical()) return;
    out["broken_rules"] = Json::array();
    for (const BrokenRule& rule : layout.broken) {
        Json one{{"rule", rule.rule}, {"departments", Json::array()}, {"amount", rule.amount}};
        for (const size_t d : rule.departments) one["departments"].push_back(instance.departments[d].name);
        one["sentence"] = rule.sentence;
        out["broken_rules"].push_back(std::move(one));
    }
    for (const FixedPoint& point : practice.points) {
        Json one{{"name", point.name}, {"x", point.x}, {"y", point.y}};
        if (practice.floors > 1) one["floor"] = point.floor;
        out["points"].push_back(std::move(one));
    }
    if (practice.floors == 1) return;
    out["floors"] = practice.floors;
    for (const auto& [x, y] : practice.lifts) out["lifts"].push_back({x, y});
}

Json bay_json(const PlacedBay& bay) {
    Json out{{"departments", Json::array()}};
    for (const size_t d : bay.departments) out["departments"].push_back(d + 1);
    out.update(box_json(bay.box));
    return out;
}

void add_encoding(const Layout& layout, Json& out) {
    for (const std::uint16_t d : layout.perm) out["permutation"].push_back(d + 1);
    if (layout.is_slicing()) {
        out["genes"] = layout.genes;
        return;
    }
    for (const std::uint8_t bit : layout.bits) out["bay_break"].push_back(bit);
    out["bay_break"].push_back(1);
}

class LayoutReader {
  public:
    LayoutReader(const UaflpInstance& instance, const Node& root, const std::string& file)
        : instance_(instance), root_(root), checks_(file) {}

    LayoutSolution read() {
        checks_.of_kind(root_, Node::Kind::kTable, "a layout");
        if (const Node* genes = root_.find("genes"); genes != nullptr && root_.find("bay_break") == nullptr) {
            checks_.fail(genes->position,
                         "this layout is a slicing tree, which bays cannot show: set problem.structure = \"slicing\"");
        }
        read_permutation();
        read_breaks();
        if (const Node* height = root_.find("bay_height")) out_.orientation = orientation(*height);
        if (const Node* cost = root_.find("cost")) out_.cost = checks_.finite(*cost, "cost");
        return std::move(out_);
    }

    TreeFile read_tree() {
        TreeFile tree;
        checks_.of_kind(root_, Node::Kind::kTable, "a layout");
        if (root_.find("bay_break") != nullptr) {
            tree.bays = read();
        } else if (const Node* genes = root_.find("genes")) {
            read_permutation();
            tree.perm = out_.perm;
            read_genes(*genes, tree.genes);
        }
        read_boxes(tree);
        if (!tree.bays && tree.perm.empty() && tree.boxes.empty()) {
            checks_.fail(root_.position,
                         "the layout must have \"departments\" with x, y, width and height, or "
                         "\"permutation\" with \"genes\" or \"bay_break\"");
        }
        return tree;
    }

  private:
    void read_genes(const Node& node, std::vector<std::uint16_t>& genes) {
        const size_t n = instance_.size();
        checks_.list_of(node, n - 1, "genes");
        for (std::uint32_t k = 1; k < n; ++k) {
            const Node& item = node.items[k - 1];
            const double gene = checks_.finite(item, "a gene");
            const std::uint32_t values = kernels::slicing_gene_values(k);
            if (!(gene >= 0 && gene < values && gene == std::floor(gene))) {
                checks_.fail(item.position, fmt::format("gene {} is {}, but it must be a whole number from 0 to {}", k,
                                                        gene, values - 1));
            }
            genes.push_back(static_cast<std::uint16_t>(gene));
        }
    }

    /// Reads the entry "departments": tables that each name their department. If it is missing, reads the entry
    /// "rectangles": lists in the order of the departments.
    void read_boxes(TreeFile& tree) {
        const size_t n = instance_.size();
        const Node* list = root_.find("departments");
        const bool numbered = list != nullptr;
        if (!numbered) list = root_.find("rectangles");
        if (list == nullptr) return;
        checks_.list_of(*list, n, numbered ? "departments" : "rectangles");
        tree.boxes_position = list->position;
        tree.boxes.resize(n);
        std::vector<bool> seen(n, false);
        for (size_t k = 0; k < n; ++k) {
            const Node& item = list->items[k];
            size_t d = k;
            if (numbered) {
                checks_.of_kind(item, Node::Kind::kTable, "a department");
                d = checks_.number_up_to(checks_.required(item, "department", "the department"), n, "department") - 1;
                if (seen[d]) checks_.fail(item.position, fmt::format("department {} is listed twice", d + 1));
                seen[d] = true;
                tree.boxes[d] = {checks_.finite(checks_.required(item, "x", "the department"), "x"),
                                 checks_.finite(checks_.required(item, "y", "the department"), "y"),
                                 checks_.positive(checks_.required(item, "width", "the department"), "width"),
                                 checks_.positive(checks_.required(item, "height", "the department"), "height")};
                if (const Node* floor = item.find("floor")) {
                    const size_t number = checks_.number_up_to(*floor, instance_.practice.floors, "floor");
                    tree.boxes[d].x += floor_offset(instance_, static_cast<unsigned>(number));
                }
            } else {
                checks_.list_of(item, 4, "a rectangle");
                tree.boxes[d] = {checks_.finite(item.items[0], "x"), checks_.finite(item.items[1], "y"),
                                 checks_.positive(item.items[2], "width"), checks_.positive(item.items[3], "height")};
            }
        }
    }

    void read_permutation() {
        const size_t n = instance_.size();
        const Node& list = checks_.list_of(checks_.required(root_, "permutation", "the layout"), n, "permutation");
        std::vector<bool> seen(n, false);
        for (const Node& item : list.items) {
            const size_t d = checks_.number_up_to(item, n, "a department of the permutation") - 1;
            if (seen[d])
                checks_.fail(item.position, fmt::format("department {} is listed twice in the permutation", d + 1));
            seen[d] = true;
            out_.perm.push_back(static_cast<std::uint16_t>(d));
        }
    }

    /// Reads "bay_break": n - 1 entries, or n entries with a 1 as the last.
    void read_breaks() {
        const size_t n = instance_.size();
        const Node& list =
            checks_.of_kind(checks_.required(root_, "bay_break", "the layout"), Node::Kind::kList, "bay_break");
        if (list.items.size() != n) checks_.list_of(list, n - 1, "bay_break");
        for (size_t k = 0; k < list.items.size(); ++k) {
            const double bit = checks_.finite(list.items[k], "a bay break");
            if (bit != 0 && bit != 1)
                checks_.fail(list.items[k].position, fmt::format("a bay break is {}, but it must be 0 or 1", bit));
            if (k + 1 < n) out_.bits.push_back(bit != 0 ? 1 : 0);
            if (k + 1 == n && bit == 0)
                checks_.fail(list.items[k].position,
                             "the last bay break must be 1, since the last position ends a bay");
        }
    }

    unsigned orientation(const Node& node) const {
        const double height = checks_.positive(node, "bay_height");
        if (std::abs(height - instance_.height) <= 1e-6 * instance_.height) return 0;
        if (std::abs(height - instance_.width) <= 1e-6 * instance_.width) return 1;
        checks_.fail(node.position, fmt::format("bay_height {} is neither side of the plant ({} x {})", height,
                                                instance_.width, instance_.height));
    }

    const UaflpInstance& instance_;
    const Node& root_;
    DocumentChecks checks_;
    LayoutSolution out_;
};

}  // namespace

std::string write_layout_json(const UaflpInstance& instance, const Layout& layout) {
    Json out{{"format", "uaflp-layout-1"},
             {"instance", instance.name},
             {"cost", layout.evaluation.cost},
             {"feasible", layout.evaluation.feasible()},
             {"infeasible_departments", Json::array()},
             {"plant", {{"width", instance.width}, {"height", instance.height}}}};
    if (layout.is_slicing()) {
        out["structure"] = "slicing";
        out["tree"] = layout.tree;
    } else {
        out["bays_across"] = layout.across_width() ? "width" : "height";
        out["bay_height"] = layout.bay_height;
    }
    for (size_t d = 0; d < instance.size(); ++d) {
        if (!layout.departments[d].feasible) out["infeasible_departments"].push_back(d + 1);
    }
    add_practice(instance, layout, out);
    add_encoding(layout, out);
    out["origin"] = "top left, y downwards";
    for (const PlacedBay& bay : layout.bays) out["bays"].push_back(bay_json(bay));
    for (size_t d = 0; d < instance.size(); ++d) out["departments"].push_back(department_json(instance, layout, d));
    return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

LayoutSolution read_layout_json(const UaflpInstance& instance, std::string_view text, const std::string& file) {
    const Node root = parse_document(text, Syntax::kJson, file);
    return LayoutReader(instance, root, file).read();
}

TreeFile read_tree_json(const UaflpInstance& instance, std::string_view text, const std::string& file) {
    const Node root = parse_document(text, Syntax::kJson, file);
    return LayoutReader(instance, root, file).read_tree();
}

}  // namespace qapfw::uaflp
