// SPDX-License-Identifier: Apache-2.0
// Converts a document to an instance, with every check and its message. One schema serves TOML files (a table for each
// department, flows by name) and the published JSON data (lists by department, a dense flow matrix).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "problems/uaflp/document_checks.hpp"
#include "problems/uaflp/instance.hpp"
#include "problems/uaflp/nearest_name.hpp"
#include "problems/uaflp/practice_reader.hpp"
#include "qapfw/error.hpp"

namespace qapfw::uaflp {
namespace {

using Names = DocumentChecks::Names;

/// The sum of the areas may be larger than the plant by this fraction of the plant.
constexpr double kAreaTolerance = 1e-9;

/// Fills one instance from one document.
class InstanceReader {
  public:
    InstanceReader(const Node& root, const std::string& file)
        : root_(root), checks_(file), practice_(root, checks_, out_) {}

    UaflpInstance read() {
        checks_.of_kind(root_, Node::Kind::kTable, "an instance");
        Names keys{"format",      "name",
                   "n",           "plant",
                   "metric",      "shape_constraint",
                   "shape",       "areas",
                   "names",       "dummies",
                   "departments", "flow",
                   "flows",       "flow_convention",
                   "source",      "notes",
                   "checks",      "description",
                   "comment",     "header_best_in_source"};
        keys.insert(keys.end(), PracticeReader::instance_keys().begin(), PracticeReader::instance_keys().end());
        checks_.only_keys(root_, keys, "an instance");
        read_header();
        practice_.read_plant();
        read_departments();
        read_dummies();
        read_shape_rules();
        check_departments();
        read_flows();
        practice_.finish([this](const Node& node, const std::string& what) { return department(node, what); }, at_);
        return std::move(out_);
    }

  private:
    void read_header() {
        if (const Node* format = root_.find("format"); format && checks_.text(*format, "format") != "uaflp-1") {
            checks_.fail(format->position, fmt::format("format is \"{}\", but it must be \"uaflp-1\"", format->text));
        }
        if (const Node* name = root_.find("name")) out_.name = checks_.text(*name, "name");
        const Node& plant = checks_.required(root_, "plant", "the instance");
        checks_.of_kind(plant, Node::Kind::kTable, "plant");
        checks_.only_keys(plant, {"width", "height"}, "plant");
        out_.width = checks_.positive(checks_.required(plant, "width", "plant"), "plant.width");
        out_.height = checks_.positive(checks_.required(plant, "height", "plant"), "plant.height");
        const Node* metric = root_.find("metric");
        if (!metric) return;
        const std::string& word = checks_.text(*metric, "metric");
        if (word != "rectilinear" && word != "euclidean") {
            checks_.fail(metric->position,
                         fmt::format("metric is \"{}\", but it must be \"rectilinear\" or \"euclidean\"{}", word,
                                     did_you_mean(word, {"rectilinear", "euclidean"})));
        }
        out_.metric = word == "euclidean" ? Metric::kEuclidean : Metric::kRectilinear;
    }

    void read_departments() {
        const Node* tables = root_.find("departments");
        const Node* areas = root_.find("areas");
        if (tables && areas) checks_.fail(areas->position, "give either \"departments\" or \"areas\", not both");
        if (!tables && !areas) checks_.fail(root_.position, "the instance lacks \"departments\" (or \"areas\")");
        const Node& list =
            checks_.of_kind(tables ? *tables : *areas, Node::Kind::kList, tables ? "departments" : "areas");
        if (list.items.empty()) checks_.fail(list.position, "an instance needs at least one department");
        if (list.items.size() > kMaxDepartments) {
            checks_.fail(list.position, fmt::format("there are {} departments, but at most {} are possible",
                                                    list.items.size(), kMaxDepartments));
        }
        if (const Node* n = root_.find("n"); n && n->number != static_cast<double>(list.items.size())) {
            checks_.finite(*n, "n");
            checks_.fail(n->position,
                         fmt::format("n is {}, but there are {} departments", n->number, list.items.size()));
        }
        for (const Node& item : list.items) tables ? add_table(item) : add_area(item);
        if (const Node* names = root_.find("names")) read_names(*names);
        check_names();
    }

    std::string label() const { return fmt::format("department {}", out_.departments.size()); }

    void add_area(const Node& item) {
        Department& department = out_.departments.emplace_back();
        department.name = std::to_string(out_.departments.size());
        at_.push_back(item.position);
        department.area = checks_.positive(item, "the area of " + label());
    }

    void add_table(const Node& item) {
        Department& department = out_.departments.emplace_back();
        at_.push_back(item.position);
        checks_.of_kind(item, Node::Kind::kTable, label());
        Names keys{"name", "area", "dummy", "max_aspect_ratio", "min_side"};
        keys.insert(keys.end(), PracticeReader::department_keys().begin(), PracticeReader::department_keys().end());
        checks_.only_keys(item, keys, label());
        department.name = std::to_string(out_.departments.size());
        if (const Node* name = item.find("name")) department.name = checks_.text(*name, "the name of " + label());
        practice_.read_department(item);
        if (department.place && !item.find("area")) {
            department.area = department.place->width * department.place->height;
        } else {
            department.area = checks_.positive(checks_.required(item, "area", label()), "the area of " + label());
        }
        if (const Node* dummy = item.find("dummy")) {
            department.dummy = checks_.of_kind(*dummy, Node::Kind::kBoolean, "dummy").boolean;
        }
        department.rule = rule_of(item, label());
    }

    ShapeRule rule_of(const Node& table, const std::string& whose) const {
        ShapeRule rule;
        if (const Node* node = table.find("max_aspect_ratio")) rule.max_aspect_ratio = aspect_ratio(*node, whose);
        if (const Node* node = table.find("min_side")) {
            rule.min_side = checks_.positive(*node, "min_side of " + whose);
        }
        return rule;
    }

    double aspect_ratio(const Node& node, const std::string& whose) const {
        const double value = checks_.positive(node, "max_aspect_ratio of " + whose);
        if (value < 1) {
            checks_.fail(node.position,
                         fmt::format("max_aspect_ratio of {} is {}, but it must be at least 1", whose, value));
        }
        return value;
    }

    void read_names(const Node& names) {
        if (root_.find("departments")) checks_.fail(names.position, "\"names\" is only for an instance with \"areas\"");
        checks_.list_of(names, out_.size(), "names");
        for (size_t i = 0; i < out_.size(); ++i) {
            out_.departments[i].name = checks_.text(names.items[i], fmt::format("name {}", i + 1));
            at_[i] = names.items[i].position;
        }
    }

    void check_names() {
        for (size_t i = 0; i < out_.size(); ++i) {
            const std::string& name = out_.departments[i].name;
            if (name.empty()) checks_.fail(at_[i], fmt::format("department {} has an empty name", i + 1));
            const auto [other, is_new] = index_.emplace(name, i);
            if (is_new) continue;
            checks_.fail(at_[i],
                         fmt::format("departments {} and {} are both named \"{}\"", other->second + 1, i + 1, name));
        }
        for (size_t p = 0; p < out_.practice.points.size(); ++p) {
            const std::string& name = out_.practice.points[p].name;
            if (index_.emplace(name, out_.size() + p).second) continue;
            checks_.fail(root_.find("points")->items[p].position,
                         fmt::format("two departments or points are named \"{}\"", name));
        }
    }

    void read_dummies() {
        const Node* dummies = root_.find("dummies");
        if (!dummies) return;
        checks_.of_kind(*dummies, Node::Kind::kList, "dummies");
        for (const Node& item : dummies->items) out_.departments[department(item, "a dummy")].dummy = true;
    }

    /// The index of the department that a node names, by its name (text) or its number from 1.
    size_t department(const Node& node, const std::string& what) const {
        const size_t found = endpoint(node, what);
        if (found >= out_.size()) {
            checks_.fail(node.position,
                         fmt::format("{} is the point \"{}\"; it must be a department", what, node.text));
        }
        return found;
    }

    /// The index of the department or point that a node names. Points come after the departments.
    size_t endpoint(const Node& node, const std::string& what) const {
        if (node.kind != Node::Kind::kText) return checks_.number_up_to(node, out_.size(), what) - 1;
        const auto found = index_.find(node.text);
        if (found != index_.end()) return found->second;
        Names names;
        for (const Department& d : out_.departments) names.push_back(d.name);
        for (const FixedPoint& point : out_.practice.points) names.push_back(point.name);
        checks_.fail(node.position, fmt::format("{} is the unknown department \"{}\"{}", what, node.text,
                                                did_you_mean(node.text, names)));
    }

    void read_shape_rules() {
        if (const Node* shape = root_.find("shape")) {
            checks_.of_kind(*shape, Node::Kind::kTable, "shape");
            checks_.only_keys(*shape, {"max_aspect_ratio", "min_side"}, "shape");
            const ShapeRule rule = rule_of(*shape, "every department");
            for (Department& d : out_.departments) {
                if (!d.rule.any() && !d.dummy && !d.blocked) d.rule = rule;
            }
        }
        if (const Node* constraint = root_.find("shape_constraint")) read_shape_constraint(*constraint);
    }

    /// Reads the shape rules in the form of the published data: {kind, value}, or {kind, per_department} with null for
    /// departments without a rule.
    void read_shape_constraint(const Node& table) {
        checks_.of_kind(table, Node::Kind::kTable, "shape_constraint");
        checks_.only_keys(table, {"kind", "value", "per_department"}, "shape_constraint");
        const Node& kind = checks_.required(table, "kind", "shape_constraint");
        const std::string& word = checks_.text(kind, "shape_constraint.kind");
        if (word != "max_aspect_ratio" && word != "min_side") {
            checks_.fail(
                kind.position,
                fmt::format("shape_constraint.kind is \"{}\", but it must be \"max_aspect_ratio\" or \"min_side\"{}",
                            word, did_you_mean(word, {"max_aspect_ratio", "min_side"})));
        }
        const Node* values = table.find("per_department");
        const Node* value = table.find("value");
        if (!values == !value) {
            checks_.fail(table.position, "shape_constraint needs either \"value\" or \"per_department\"");
        }
        if (values) checks_.list_of(*values, out_.size(), "shape_constraint.per_department");
        for (size_t i = 0; i < out_.size(); ++i) {
            set_rule(out_.departments[i], values ? values->items[i] : *value, word == "min_side", i);
        }
    }

    void set_rule(Department& d, const Node& value, bool min_side, size_t i) {
        if (value.kind == Node::Kind::kNull || d.dummy || d.rule.any()) return;
        const std::string whose = fmt::format("department {}", i + 1);
        if (min_side) {
            d.rule.min_side = checks_.positive(value, "min_side of " + whose);
        } else {
            d.rule.max_aspect_ratio = aspect_ratio(value, whose);
        }
    }

    void check_departments() {
        double total = 0;
        for (size_t i = 0; i < out_.size(); ++i) {
            const Department& d = out_.departments[i];
            total += d.area;
            if (d.dummy && d.rule.any()) {
                checks_.fail(at_[i],
                             fmt::format("department {} is a dummy and has a shape rule; leave out one of the two",
                                         describe(i)));
            }
            if (!d.dummy && !d.place && !d.rule.any()) {
                checks_.fail(at_[i],
                             fmt::format("department {} has no shape rule: give it max_aspect_ratio or min_side, "
                                         "set one of them in [shape], or make the department a dummy",
                                         describe(i)));
            }
            if (d.rule.min_side > 0 && d.rule.min_side > std::sqrt(d.area) * (1 + 1e-6)) {
                checks_.fail(at_[i], fmt::format("department {} of area {} is too small for min_side = {}", describe(i),
                                                 d.area, d.rule.min_side));
            }
        }
        const double plant = out_.width * out_.height;
        if (!out_.is_practical() && !(total <= plant * (1 + kAreaTolerance))) {
            const Node* list = root_.find("departments");
            checks_.fail((list ? list : root_.find("areas"))->position,
                         fmt::format("the areas sum to {:.10g}, more than the area {:.10g} of the plant ({} x {})",
                                     total, plant, out_.width, out_.height));
        }
        for (size_t i = 0; i < out_.size(); ++i) {
            if (out_.departments[i].area > total * 1e-9) continue;
            checks_.fail(
                at_[i],
                fmt::format("the area of department {} is less than a billionth of the sum of all areas", describe(i)));
        }
    }

    std::string describe(size_t i) const {
        const std::string number = std::to_string(i + 1);
        const std::string& name = out_.departments[i].name;
        return name == number ? number : fmt::format("{} (\"{}\")", number, name);
    }

    void read_flows() {
        const Node* dense = root_.find("flow");
        const Node* sparse = root_.find("flows");
        if (dense && sparse) checks_.fail(sparse->position, "give either \"flow\" or \"flows\", not both");
        out_.flow.assign(out_.size() * out_.size(), 0.0);
        if (!dense && !sparse) {
            if (root_.find("ratings")) return;
            checks_.fail(root_.position, "the instance lacks \"flows\" (a list), \"flow\" (a matrix) or \"ratings\"");
        }
        dense ? read_dense(*dense) : read_sparse(*sparse);
    }

    void read_dense(const Node& rows) {
        const size_t n = out_.size();
        checks_.list_of(rows, n, "flow");
        for (size_t i = 0; i < n; ++i) {
            checks_.list_of(rows.items[i], n, fmt::format("row {} of flow", i + 1));
            for (size_t j = 0; j < n; ++j) {
                const Node& node = rows.items[i].items[j];
                set_flow(i, j, checks_.not_negative(node, fmt::format("the flow from {} to {}", i + 1, j + 1)));
            }
        }
    }

    /// Reads entries {from, to, flow} or [from, to, flow], at most one for each direction of a pair.
    void read_sparse(const Node& entries) {
        checks_.of_kind(entries, Node::Kind::kList, "flows");
        std::map<std::pair<size_t, size_t>, Position> seen;
        for (const Node& entry : entries.items) {
            const auto [from, to, value] = sparse_entry(entry);
            const size_t i = endpoint(*from, "\"from\" of a flow");
            const size_t j = endpoint(*to, "\"to\" of a flow");
            const std::string what = fmt::format("the flow from \"{}\" to \"{}\"", name_of(i), name_of(j));
            const auto [before, is_new] = seen.emplace(std::pair(i, j), entry.position);
            if (!is_new) {
                checks_.fail(entry.position, fmt::format("{} is given twice, first in line {} column {}", what,
                                                         before->second.line, before->second.column));
            }
            if (i == j) checks_.fail(entry.position, what + " starts and ends at the same department or point");
            const double flow = checks_.not_negative(*value, what);
            if (i < out_.size() && j < out_.size()) {
                set_flow(i, j, flow);
            } else if (i >= out_.size() && j >= out_.size()) {
                checks_.fail(entry.position,
                             what + " is between two points; points never move, so leave this flow out");
            } else {
                out_.practice.point_flows.push_back({std::min(i, j), std::max(i, j) - out_.size(), flow});
            }
        }
    }

    const std::string& name_of(size_t endpoint) const {
        return endpoint < out_.size() ? out_.departments[endpoint].name
                                      : out_.practice.points[endpoint - out_.size()].name;
    }

    struct SparseEntry {
        const Node* from;
        const Node* to;
        const Node* flow;
    };
    SparseEntry sparse_entry(const Node& entry) const {
        if (entry.kind == Node::Kind::kList) {
            checks_.list_of(entry, 3, "a flow [from, to, flow]");
            return {&entry.items[0], &entry.items[1], &entry.items[2]};
        }
        checks_.of_kind(entry, Node::Kind::kTable, "a flow");
        checks_.only_keys(entry, {"from", "to", "flow"}, "a flow");
        return {&checks_.required(entry, "from", "a flow"), &checks_.required(entry, "to", "a flow"),
                &checks_.required(entry, "flow", "a flow")};
    }

    void set_flow(size_t i, size_t j, double value) { out_.flow[i * out_.size() + j] = value; }

    const Node& root_;
    DocumentChecks checks_;
    UaflpInstance out_;
    PracticeReader practice_;
    std::vector<Position> at_;  ///< line and column of each department in the file, for messages
    std::map<std::string, size_t, std::less<>> index_;
};

}  // namespace

UaflpInstance parse_instance(std::string_view text, const std::string& file) {
    const Node root = parse_document(text, syntax_of(file), file);
    UaflpInstance instance = InstanceReader(root, file).read();
    instance.source = file;
    return instance;
}

UaflpInstance read_instance(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.is_open() || stream.bad()) throw Error(ErrorKind::kIo, fmt::format("{}: cannot be read", path));
    return parse_instance(text, path);
}

}  // namespace qapfw::uaflp
