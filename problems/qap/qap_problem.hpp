// SPDX-License-Identifier: Apache-2.0
// Problem "qap", the quadratic assignment problem (Koopmans and Beckmann 1957): p(i) is the location of facility i and
// cost(p) = sum over i, j of a_ij b_p(i)p(j) + sum over i of l_i,p(i), an exact 64-bit integer.
#pragma once

#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "problems/qap/bounds/path_bounds.hpp"
#include "problems/qap/costs/child_costs.hpp"
#include "problems/qap/costs/interchangeable.hpp"
#include "problems/qap/costs/owner_cost.hpp"
#include "problems/qap/costs/trace_cost.hpp"
#include "problems/qap/device/device_problem.hpp"
#include "problems/qap/instances/features.hpp"
#include "problems/qap/instances/fixed_assignments.hpp"
#include "problems/qap/instances/instance.hpp"
#include "problems/qap/instances/solution_text.hpp"
#include "problems/qap/lazy.hpp"
#include "problems/qap/neighbourhood/swap_neighbourhood.hpp"
#include "problems/qap/reductions/reduced_instance.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::qap {

class QapProblem {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::text("instance")
            .required()
            .path()
            .summary("The instance to solve: a QAPLIB or CSV file, or the name of an instance in the data folders. "
                     "Some names stand for generated instances: tai60a, tai64c, queens8, rooks8x10, bishops8, "
                     "knights-tour-6x6, knights-path-5x5. With `reduction`: a file of the problem that `reduction` "
                     "names."),
        sdk::choice("reduction", "none", kReductionChoices)
            .summary(
                "Problem that the instance file states; it is turned into a QAP. none: the file is a QAP. tsp: the "
                "file is a TSPLIB tour problem. The other problems are about a graph, given as a DIMACS edge list."),
        sdk::integer("parts")
            .optional()
            .range(1, kMaxSize)
            .symbol("k")
            .summary("Number of parts into which a graph is cut, with reduction = \"partition\". The sizes of the "
                     "parts differ by at most one."),
        sdk::list("part_sizes")
            .optional()
            .summary("Sizes of the parts into which a graph is cut, such as [\"5\", \"5\", \"2\"], with reduction = "
                     "\"partition\"."),
        sdk::integer("clique_size")
            .optional()
            .range(1, kMaxSize)
            .symbol("k")
            .summary("For reduction = \"clique\": how many vertices to choose, so that as many edges as possible join "
                     "them. Not given: the largest clique is sought (a set of vertices, any two of which are joined)."),
        sdk::text("second_graph")
            .optional()
            .path()
            .summary("File of the second graph, with reduction = \"packing\". The instance's graph is laid on "
                     "this graph, vertex on vertex, so that the two share as few edges as possible."),
        sdk::integer("pieces")
            .optional()
            .range(1, kMaxSize)
            .summary("Number of queens, rooks or bishops to place, for chess instances such as queens8. If not "
                     "given: one queen for each square of the board's shorter side, or as many rooks or bishops as "
                     "can stand without attacking each other."),
        sdk::text("matrix_b")
            .optional()
            .path()
            .symbol("B")
            .summary("File of the distances between locations: a table, or points as lines name,x,y. With it, "
                     "`instance` is the file of the flows."),
        sdk::choice("metric", "automatic", kMetricChoices)
            .summary("How distances are computed from points, if matrix_b lists points. automatic: haversine for "
                     "columns lat and lon, otherwise euclidean."),
        sdk::text("linear").optional().path().summary(
            "CSV file of the cost of each facility at each location, added to the cost of the flows: a row per "
            "facility, a column per location."),
        sdk::text("forbidden")
            .optional()
            .path()
            .summary(
                "File of locations that facilities may not take. Each line is \"facility,location\", both by name or "
                "counted from 1. Or the file is a table with a row for each facility and a column for each location, "
                "in which 1 means forbidden and 0 allowed."),
        sdk::flag("maximize", false).summary("true: search for the largest cost. false: search for the least cost."),
        sdk::real("constant", 0.0)
            .summary("Number that is added to the cost of every solution. It does not change which solution is best."),
        sdk::list("fixed").optional().summary(
            "Facilities that must stay at a location. [\"3->7\"] keeps facility 3 at location 7. Both are given "
            "by name or counted from 1."),
        sdk::text("fixed_file")
            .optional()
            .path()
            .summary("File of facilities that must stay at a location. Each line is \"facility,location\", by name or "
                     "counted from 1."),
        sdk::text("best_known")
            .optional()
            .path()
            .summary("CSV file of best-known values, in addition to the built-in ones and to best_known.csv in the "
                     "instance's folder. With `reduction`: values of the original problem, such as lengths of tours."),
        sdk::choice("formulation", "direct", "direct|trace")
            .summary("How the cost of a new solution is computed; both ways give the same cost. direct: as a sum, in "
                     "time O(n^2), or from the parent's cost. trace: as a product of matrices, in time O(n^3), as in "
                     "the PGAGrid thesis (2018); only on the CPU, without linear costs and forbidden pairs. On the "
                     "CPU, the choice has no effect on searches that try swaps.")};

    QapProblem(const sdk::Host& host, const sdk::Parameters& parameters);
    QapProblem(const QapProblem&) = delete;  // info() points into this object
    QapProblem& operator=(const QapProblem&) = delete;

    const qapfw_problem_info& info() const { return info_; }
    /// The same facts as info(), but with costs in the owner's numbers (those that the user gave). Null if integers are
    /// exact, no constant is added and no pair is forbidden.
    const qapfw_problem_info* owner_info() const { return instance_.owner ? &owner_info_ : nullptr; }
    /// The cost in the owner's numbers (negated if maximised) plus penalties for forbidden pairs. May be called only if
    /// owner_info() is not null.
    double owner_cost(const void* solution) const;
    /// Removes forbidden pairs. Then makes swaps that improve the owner's cost, until no swap improves it or a tenth of
    /// a second has passed.
    void improve_owner_cost(void* solution, const sdk::StopQuestion& stop) const;
    /// If two integer costs differ by at least this amount, the owner's costs have the same order. Rounding changes
    /// each integer cost by at most resolution.rounding.
    std::int64_t owner_resolution() const {
        return static_cast<std::int64_t>(std::ceil(2 * instance_.resolution.rounding));
    }
    /// Converts a bound of the cost from integers to the owner's numbers. If the integers are rounded, subtracts the
    /// largest rounding error first.
    double owner_bound(std::int64_t bound) const;
    void evaluate(const qapfw_batch& batch) const;
    void evaluate_children(const qapfw_batch& parents, const qapfw_batch& children) const;
    void read_solution(std::string_view text, void* solution) const;
    /// Emits facts about the matrices; see tell_features.
    void features(const sdk::EmitFeature& emit) const { tell_features(instance_.matrices, emit); }
    void write_artefacts(const void* solution, qapfw_cost cost, const sdk::Emit& emit) const;
    /// Emits each facility, dummies left out, with its location. Emits nothing if another problem was reduced to this
    /// QAP.
    void assignment(const void* solution, const sdk::EmitAssigned& emit) const;
    /// Emits a text with the answer of the problem that was reduced to this QAP; does nothing for an ordinary QAP.
    void draw(const void* solution, const sdk::Emit& emit) const;

    /// The swap neighbourhood for the C interface.
    class Neighbourhood {
      public:
        explicit Neighbourhood(const QapProblem& problem) : swaps_(problem.swap_data()) {}
        void watch(const sdk::StopQuestion& stop) { swaps_.watch(stop); }
        qapfw_cost reset(const void* solution) { return {.i = swaps_.reset(sdk::permutation_of(solution))}; }
        bool best_admissible(const qapfw_swap_filter& filter, qapfw_swap_move* move) {
            return swaps_.best_admissible(filter, move);
        }
        bool first_improving(std::uint32_t i, std::uint32_t j, qapfw_swap_move* move) {
            return swaps_.first_improving(i, j, move);
        }
        void apply(std::uint32_t i, std::uint32_t j) { swaps_.apply(i, j); }

      private:
        SwapNeighbourhood swaps_;
    };
    const char* describe_neighbourhood() const { return swap_data().description.c_str(); }

    /// Lower bounds for the capability qapfw_problem_bounds: PathBounds on the data of this problem.
    class Bounds : public PathBounds {
      public:
        explicit Bounds(const QapProblem& problem) : PathBounds(problem.bound_data(), problem.instance_.matrices.n) {}
    };
    qapfw_instance_bound bound_of_instance(const sdk::StopQuestion& stop) const;

    /// The problem's description for GPUs. Only the first call makes the description. Call this function on the main
    /// thread. Throws Error(kInput) for the trace formulation.
    const qapfw_device_problem& device() const;
    std::uint32_t searches_on(const qapfw_device& gpu) const;

    static void list_instances(const sdk::Host& host, const sdk::Emit& emit);
    void write_instance(const sdk::Emit& emit) const;
    static void recognise(const sdk::Host& host, const std::string& reference, const sdk::Emit& emit);

    const QapInstance& instance() const { return instance_; }

  private:
    void fill_info();
    void fill_owner_info();
    const SwapData& swap_data() const;
    const ChildCosts& child_costs(const sdk::StopQuestion& stop = {}) const;
    const BoundData& bound_data() const;
    int64_t cost_by_trace(const std::uint16_t* p) const;
    int64_t cost_directly(const std::uint16_t* p) const;
    int64_t late_cost(const std::uint16_t* p) const;
    std::int64_t forbidden_pairs(const std::uint16_t* p) const;
    bool is_forbidden(std::uint32_t facility, std::uint32_t location) const;
    void prove_feasible();
    int64_t magnitude() const;

    SolutionFrame solution_frame() const;
    std::string solution_cost(const std::uint16_t* p, qapfw_cost cost) const;

    sdk::Host host_;
    sdk::StopQuestion stop_;
    bool by_trace_;  ///< true if costs are computed by the trace formulation
    QapInstance instance_;
    FixedAssignments fixed_;
    Interchangeable equals_;
    // The Lazy members are made when first requested: each takes much time and memory for large n, and few runs need
    // all three.
    Lazy<SwapData> swap_data_;
    Lazy<ChildCosts> child_costs_;
    Lazy<BoundData> bound_data_;
    mutable std::atomic<std::uint32_t> late_{0};  ///< number of calls of late_cost() before child_costs_ was made
    mutable std::unique_ptr<DeviceProblem> device_;
    sdk::Encoding encoding_;
    std::string summary_, best_known_source_;
    qapfw_problem_info info_{}, owner_info_{};
};

}  // namespace qapfw::qap
