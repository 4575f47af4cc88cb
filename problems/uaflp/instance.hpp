// SPDX-License-Identifier: Apache-2.0
// An instance of the unequal-area facility layout problem (UA-FLP): a plant, departments with areas and shape rules,
// flows between them; reading, generating and writing it. docs: problems/uaflp/README.md
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qapfw::uaflp {

/// The most departments of an instance, since flows are kept dense (n * n doubles).
constexpr size_t kMaxDepartments = 4096;

enum class Metric { kRectilinear, kEuclidean };

/// The rule for a department's sides w and h. 0 = no such rule; both rules may hold.
struct ShapeRule {
    double max_aspect_ratio = 0;  ///< max(w, h) / min(w, h) <= this, at least 1
    double min_side = 0;          ///< min(w, h) >= this
    bool any() const { return max_aspect_ratio > 0 || min_side > 0; }
};

/// From the plant's top left corner, y downwards.
struct Rectangle {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

/// The sides of a rectangle, in the order of their names in files; as bits of a set: 1 << side.
enum class Side : unsigned { kLeft, kTop, kRight, kBottom };

struct Department {
    std::string name;
    double area = 0;
    ShapeRule rule;
    bool dummy = false;    ///< has no rule; without flow it models empty space
    bool blocked = false;  ///< a part of the plant that nobody may use
    // Practice; see practice_reader.cpp.
    double area_tolerance = 0;         ///< part by which the area may be smaller or larger
    unsigned floor = 0;                ///< from 1; 0: any
    unsigned walls = 0;                ///< walls that it must touch, a set of sides
    std::optional<Rectangle> place;    ///< where it stands already
    std::optional<Side> door;          ///< in the middle of which side its flows begin; none: in its centre
    std::optional<Rectangle> present;  ///< where it stands in the present layout
    double move_cost = 0;              ///< for each unit of distance between the centres of present and new place
};

/// A door or a dock: it stands still and has flows to departments.
struct FixedPoint {
    std::string name;
    double x = 0;
    double y = 0;
    unsigned floor = 1;
};

struct PointFlow {
    size_t department = 0;
    size_t point = 0;
    double flow = 0;
};

/// Two departments that must share a border, or must be apart.
struct PairRule {
    size_t first = 0;
    size_t second = 0;
    bool apart = false;
    double length = 0;  ///< of the border at least; or the gap in x or in y, where 0 forbids a border only
};

/// The rules that owners of plants have beside areas, shapes and flows.
struct Practice {
    std::string unit;  ///< of lengths, for drawings
    std::vector<FixedPoint> points;
    std::vector<PointFlow> point_flows;
    std::vector<PairRule> pairs;
    unsigned floors = 1;
    double floor_distance = 0;                     ///< way from a floor to the next one, by lift
    std::vector<std::pair<double, double>> lifts;  ///< x, y on every floor
};

/// A published value, from best_known.csv beside the instance.
struct BestKnown {
    double cost = 0;
    std::string status;     ///< "optimal" (among FBS layouts) or "heuristic"
    double bay_height = 0;  ///< of the layout that has this value
};

struct UaflpInstance {
    std::string name;
    std::string source;  ///< file or generator it came from, for records
    double width = 0;    ///< plant
    double height = 0;
    Metric metric = Metric::kRectilinear;
    std::vector<Department> departments;
    Practice practice;
    std::vector<double> flow;                     ///< n * n by rows, from row to column; not made symmetric
    std::optional<BestKnown> best_known;          ///< of layouts in bays
    std::optional<BestKnown> best_known_slicing;  ///< of layouts by slicing trees

    size_t size() const { return departments.size(); }
    /// True if department `d` is a dummy without flow. O(n).
    bool is_empty_space(size_t d) const;
    double flow_between(size_t i, size_t j) const { return flow[i * size() + j] + flow[j * size() + i]; }
    /// True if it has anything that areas, shapes and flows do not say. Such layouts are slicing trees.
    bool is_practical() const;
};

/// Reads an instance from text. Throws qapfw::Error (kInput) with file:line:column for anything that is wrong with it.
UaflpInstance parse_instance(std::string_view text, const std::string& file);

/// Reads the file. Throws qapfw::Error: kIo if it cannot be read, kInput if its content is wrong.
UaflpInstance read_instance(const std::string& path);

/// The instance that a configuration names, tried in this order: a file; NAME.toml or NAME.json in a data directory,
/// its folder uaflp/ or another folder in it; F<n> or F<n>-s<seed>, which is generated. If best_known.csv beside the
/// file has a best known value, it is added; so is that of best_known_slicing.csv for slicing trees.
UaflpInstance load_instance(const std::string& reference, const std::vector<std::string>& data_dirs);

/// Description of a reference, without reading the instance: "a layout file", "a layout that is generated"; empty where
/// it is neither. A file is taken for a layout that is TOML or JSON and speaks of a plant and of areas or departments.
std::string recognise_instance(const std::string& reference, const std::vector<std::string>& data_dirs);

/// Names of the instances in the data directories, sorted, each once.
std::vector<std::string> list_instances(const std::vector<std::string>& data_dirs);

/// Instances like F40..F120 of Sun, Chou and Wu (Symmetry 2019), whose data were not published.
struct GeneratorOptions {
    unsigned size = 60;
    std::uint64_t seed = 1;
    double side = 45;  ///< of the square plant
    double max_aspect_ratio = 1000;
    double density = 0.25;      ///< fraction of the pairs of departments that have flow
    unsigned max_flow = 10;     ///< flows are uniform in 1..max_flow
    unsigned area_spread = 10;  ///< greatest area / least area, before rounding to hundredths
};

UaflpInstance generate_instance(const GeneratorOptions& options);

/// generate_instance with the defaults; named F<n> for seed 1, F<n>-s<seed> otherwise.
UaflpInstance generate_f(unsigned n, std::uint64_t seed = 1);

/// The instance as text, which parse_instance reads back bit for bit.
std::string instance_to_toml(const UaflpInstance& instance);

}  // namespace qapfw::uaflp
