// SPDX-License-Identifier: Apache-2.0
// Reads the practical rules and data of plants: places, blocked areas, points, walls, ratings, neighbours, floors,
// tolerances, the present layout. Areas, shapes and flows are read elsewhere (instance_reader.cpp).
#pragma once

#include <functional>
#include <map>
#include <string>

#include "problems/uaflp/document_checks.hpp"
#include "problems/uaflp/instance.hpp"

namespace qapfw::uaflp {

class PracticeReader {
  public:
    /// The keys of an instance that this class reads.
    static const DocumentChecks::Names& instance_keys();
    /// The keys of a department that this class reads.
    static const DocumentChecks::Names& department_keys();

    PracticeReader(const Node& root, const DocumentChecks& checks, UaflpInstance& out)
        : root_(root), checks_(checks), out_(out) {}

    /// Reads the plant's own keys: unit, floors, lifts, points. Call it before departments are read.
    void read_plant();
    /// Reads the keys of the department added last.
    void read_department(const Node& table);
    /// Reads pairs, ratings and blocked areas. If the instance is practical, also checks places and areas, and adds
    /// departments for the empty space. Call this function after departments and flows are read.
    /// `department_of(node, what)` finds a department by name or number, or throws; `what` names the node in messages.
    /// `at`: positions of the departments in the file.
    void finish(const std::function<size_t(const Node&, const std::string&)>& department_of,
                const std::vector<Position>& at);

  private:
    Rectangle rectangle(const Node& node, const std::string& what) const;
    unsigned floor(const Node& node, const std::string& what) const;
    Side side(const Node& node, const std::string& what) const;
    std::pair<double, double> coordinates(const Node& node, const std::string& what) const;
    void read_pairs(const char* key, bool apart,
                    const std::function<size_t(const Node&, const std::string&)>& department_of);
    void read_ratings(const std::function<size_t(const Node&, const std::string&)>& department_of);
    void add_pair(size_t first, size_t second, bool apart, double length, Position at);
    void add_blocked();
    void check_places(const std::vector<Position>& at) const;
    void check_areas(const std::vector<Position>& at) const;
    void add_empty_space();
    void add_department(Department department);

    const Node& root_;
    const DocumentChecks& checks_;
    UaflpInstance& out_;
    std::map<std::pair<size_t, size_t>, Position> adjacent_, apart_, rated_;
    std::vector<Position> blocked_at_;
};

}  // namespace qapfw::uaflp
