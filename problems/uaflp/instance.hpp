// SPDX-License-Identifier: Apache-2.0
// An instance of the unequal-area facility layout problem (UA-FLP): a plant, departments with areas and shape rules,
// flows between them. Functions read, generate and write it. See problems/uaflp/README.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qapfw::uaflp {

/// The largest number of departments of an instance: flows are stored as n * n doubles.
constexpr size_t kMaxDepartments = 4096;

enum class Metric { kRectilinear, kEuclidean };

/// The rules for a department's sides w and h. 0 = no such rule; a department may have both.
struct ShapeRule {
    double max_aspect_ratio = 0;  ///< largest allowed max(w, h) / min(w, h); at least 1
    double min_side = 0;          ///< least allowed min(w, h)
    bool any() const { return max_aspect_ratio > 0 || min_side > 0; }
};

/// A rectangle. Coordinates start at the plant's top left corner, y downwards.
struct Rectangle {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

/// The sides of a rectangle. The arrays with the sides' names in practice_reader.cpp, practice_rules.cpp and
/// instance_writer.cpp have the same order. A set of sides is a number: bit 1 << side is set if the side is in the set.
enum class Side : unsigned { kLeft, kTop, kRight, kBottom };

struct Department {
    std::string name;
    double area = 0;
    ShapeRule rule;
    bool dummy = false;    ///< true: the department has no shape rule; a dummy without flow is empty space
    bool blocked = false;  ///< true: this is a part of the plant that must stay unused
    // Practical rules and data; see practice_reader.cpp.
    double area_tolerance = 0;         ///< relative amount by which the area in a layout may differ from `area`
    unsigned floor = 0;                ///< floor on which the department must be, from 1; 0: any floor
    unsigned walls = 0;                ///< walls that the department must touch, as a set of sides
    std::optional<Rectangle> place;    ///< place where the department must stand
    std::optional<Side> door;          ///< side in whose middle the department's flows begin; none: the centre
    std::optional<Rectangle> present;  ///< place in the present layout
    double move_cost = 0;  ///< cost per unit of distance from the old door, or else the old centre, to the new one
};

/// A door or a dock: a fixed point with flows to departments.
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
    /// Least length of the border; if `apart`: least gap in x or y, where 0 forbids only a common border.
    double length = 0;
};

/// Practical rules and data of a plant, besides the areas, the shapes and the flows between departments.
struct Practice {
    std::string unit;  ///< unit of lengths, for drawings
    std::vector<FixedPoint> points;
    std::vector<PointFlow> point_flows;
    std::vector<PairRule> pairs;
    unsigned floors = 1;
    double floor_distance = 0;                     ///< length of a lift's way from one floor to the next
    std::vector<std::pair<double, double>> lifts;  ///< x and y of each lift, which are the same on every floor
};

/// A published value, from best_known.csv or best_known_slicing.csv beside the instance.
struct BestKnown {
    double cost = 0;
    std::string status;     ///< "optimal" (among FBS layouts) or "heuristic"; for slicing trees: source of the value
    double bay_height = 0;  ///< bay height of the layout with this value; 0 for slicing trees
};

struct UaflpInstance {
    std::string name;
    std::string source;  ///< where the instance comes from: a file, or a generator with its settings
    double width = 0;    ///< width of the plant
    double height = 0;   ///< height of the plant
    Metric metric = Metric::kRectilinear;
    std::vector<Department> departments;
    Practice practice;
    std::vector<double> flow;                     ///< n * n by rows: flow from row to column; may be asymmetric
    std::optional<BestKnown> best_known;          ///< best known value for layouts in bays
    std::optional<BestKnown> best_known_slicing;  ///< best known value for layouts by slicing trees

    size_t size() const { return departments.size(); }
    /// True if department `d` is a dummy without flow. O(n).
    bool is_empty_space(size_t d) const;
    double flow_between(size_t i, size_t j) const { return flow[i * size() + j] + flow[j * size() + i]; }
    /// True if the instance has rules or data besides areas, shapes and flows. Layouts of such an instance must be
    /// slicing trees.
    bool is_practical() const;
};

/// Reads an instance from text. The ending of the file's name `file` decides in which syntax the text is read. Throws
/// qapfw::Error (kInput) with file:line:column for anything wrong in the text.
UaflpInstance parse_instance(std::string_view text, const std::string& file);

/// Reads the file. Throws qapfw::Error: kIo if the file cannot be read, kInput if its content is wrong.
UaflpInstance read_instance(const std::string& path);

/// The instance for a name in a configuration. Takes the first of these that exists: the file with this name;
/// NAME.toml, NAME.json, NAME.csv or NAME in a data directory or in a folder directly below it; the generated instance
/// F<n> or F<n>-s<seed>. Adds best known values from best_known.csv and best_known_slicing.csv beside the file.
UaflpInstance load_instance(const std::string& reference, const std::vector<std::string>& data_dirs);

/// Returns what the reference names, "a layout file" or "a layout that is generated", without reading the instance;
/// empty if it names no layout. A TOML or JSON file counts as a layout if it has the word "plant" and also the word
/// "areas" or "departments". A CSV, TSV or TXT file counts as a layout if it has a row "plant" and the words "name"
/// and "area".
std::string recognise_instance(const std::string& reference, const std::vector<std::string>& data_dirs);

/// The TOML and JSON instances in the data directories, by their file names without endings; sorted, each once.
std::vector<std::string> list_instances(const std::vector<std::string>& data_dirs);

/// Options for instances like F40..F120 of Sun, Chou and Wu (Symmetry 2019), whose data were not published.
struct GeneratorOptions {
    unsigned size = 60;
    std::uint64_t seed = 1;
    double side = 45;  ///< side of the square plant
    double max_aspect_ratio = 1000;
    double density = 0.25;      ///< fraction of the pairs of departments that have flow
    unsigned max_flow = 10;     ///< flows are uniform in 1..max_flow
    unsigned area_spread = 10;  ///< the largest area is at most this times the smallest, before areas are rounded
};

UaflpInstance generate_instance(const GeneratorOptions& options);

/// Generates an instance of n departments with the other options at their defaults. Its name is F<n> for seed 1, else
/// F<n>-s<seed>.
UaflpInstance generate_f(unsigned n, std::uint64_t seed = 1);

/// The instance as text, from which parse_instance reads exactly the same numbers.
std::string instance_to_toml(const UaflpInstance& instance);

}  // namespace qapfw::uaflp
