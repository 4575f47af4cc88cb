// SPDX-License-Identifier: Apache-2.0
// Problem "gqap": the generalised quadratic assignment problem. Items with weights go to locations with capacities. A
// solution is the location of each item. Its cost is flows times distances, plus assignment costs, plus a high cost for
// load beyond a capacity.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "problems/gqap/assignment_cost.hpp"
#include "problems/gqap/assignment_moves.hpp"
#include "problems/gqap/capacities.hpp"
#include "problems/gqap/device_problem.hpp"
#include "problems/gqap/instance.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::gqap {

inline constexpr double kImbalance = 0.03;

class GqapProblem {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::text("instance")
            .required()
            .path()
            .summary("The instance to solve: a .gqap file (the format of Cordeau et al.), a .gap file (OR-Library's "
                     "generalised assignment), or a .graph file (a METIS graph to cut into parts). A name such as "
                     "gqap:30x8:65:1 is generated: 30 items fill 65 % of the room of 8 locations; 1 is the seed."),
        sdk::choice("format", "auto", "auto|gqap|gap|graph")
            .summary("Format of the instance file. gqap: the format of Cordeau et al. gap: OR-Library's generalised "
                     "assignment. graph: METIS. auto: chosen by the file's name."),
        sdk::integer("number", 1)
            .range(1, 100'000)
            .summary("Which problem to solve if an OR-Library file holds several, counted from 1."),
        sdk::flag("maximise", false)
            .summary("Whether an OR-Library file has profits to be maximised, as gap1 to gap12 do. false: it has costs "
                     "to be minimised."),
        sdk::integer("parts").optional().range(2, 65'536).summary(
            "Number of parts into which a graph is cut. Required for a graph; other formats refuse it."),
        sdk::real("imbalance", kImbalance)
            .range(0, 100)
            .summary("Fraction by which a part of a cut graph may be heavier than the average part. 0.03: the limit is "
                     "1.03 times the average weight. The average is rounded up first, then the limit is rounded down. "
                     "The limit is at least the weight of the heaviest vertex."),
        sdk::text("fixed_file")
            .optional()
            .path()
            .summary("File of items that must stay at a location. Each line is \"item,location\", both by name or "
                     "counted from 1.")};

    GqapProblem(const sdk::Host& host, const sdk::Parameters& parameters);
    /// Makes the problem of an instance. Public for tests.
    explicit GqapProblem(Instance instance);
    GqapProblem(const GqapProblem&) = delete;  // info() points into this object
    GqapProblem& operator=(const GqapProblem&) = delete;

    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const;
    void read_solution(std::string_view text, void* solution) const;
    void write_artefacts(const void* solution, qapfw_cost cost, const sdk::Emit& emit) const;
    /// Writes the items of each location. If there are capacities, it also writes the location's load. The first line
    /// says whether all capacities are kept.
    void draw(const void* solution, const sdk::Emit& emit) const;
    void assignment(const void* solution, const sdk::EmitAssigned& emit) const;

    /// Moves and their deltas for the C interface.
    class Moves {
      public:
        explicit Moves(const GqapProblem& problem) : problem_(problem), moves_(problem.cost_) {}
        qapfw_cost reset(const void* solution) { return {.i = moves_.reset(problem_.locations_of(solution))}; }
        qapfw_cost delta(const qapfw_move& move) const {
            return {.i = move.kind == QAPFW_MOVE_SET ? moves_.delta_set(move.i, move.to)
                                                     : moves_.delta_exchange(move.i, move.to)};
        }
        void apply(const qapfw_move& move) {
            if (move.kind == QAPFW_MOVE_SET)
                moves_.set(move.i, move.to);
            else
                moves_.exchange(move.i, move.to);
        }

      private:
        const GqapProblem& problem_;
        AssignmentMoves moves_;
    };

    /// A sentence about the locations whose capacities are exceeded; empty if there are none.
    std::string infeasibility(const void* solution) const;
    bool feasible_start(void* solution) const;
    void explain(const void* solution, const sdk::EmitPart& emit) const;
    const qapfw_device_problem& device() const;

    static void list_instances(const sdk::Host& host, const sdk::Emit& emit);
    /// Writes the instance in the format of Cordeau et al.
    void write_instance(const sdk::Emit& emit) const;
    static void recognise(const sdk::Host& host, const std::string& reference, const sdk::Emit& emit);

    const Instance& instance() const { return instance_; }
    const AssignmentCost& cost() const { return cost_; }
    /// The location of each item; throws Error(kInput) for an element that is no location.
    std::vector<std::uint32_t> locations_of(const void* solution) const;
    void store(const std::vector<std::uint32_t>& location_of, void* solution) const;
    /// "all capacities are kept", "there are no capacities", or "NOT FEASIBLE: " and a list of at most three locations.
    /// The list says what each location holds and how much of that is beyond its capacity. Further locations are only
    /// counted.
    std::string capacity_text(const std::vector<std::uint32_t>& location_of) const;

  private:
    void fill_info();
    sdk::Encoding make_encoding() const;

    Instance instance_;
    AssignmentCost cost_;
    FeasibleStart feasible_;
    sdk::Encoding encoding_;
    std::vector<std::uint8_t> fixed_mask_;
    std::vector<unsigned char> fixed_solution_;
    std::string summary_;
    qapfw_problem_info info_{};
    mutable std::once_flag device_once_;
    mutable std::unique_ptr<DeviceProblem> device_;
};

}  // namespace qapfw::gqap
