// SPDX-License-Identifier: Apache-2.0
// Problem "sparse_qap": a quadratic assignment problem with sparse flows, such as mapping a graph onto a torus. Usually
// a formula gives the distances; then the problem keeps no table of n x n entries. If there are more locations than
// vertices, dummies take the other locations. Dummies are positions that have no edges and follow the vertices.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "problems/sparse_qap/device_problem.hpp"
#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/graphs/graph_reader.hpp"
#include "problems/sparse_qap/targets/target.hpp"
#include "problems/sparse_qap/walk/sampled_walk.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::sparse {

class SparseQapProblem {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::text("instance")
            .required()
            .path()
            .summary("The graph whose edges are flows: a METIS (.graph), Scotch (.grf) or MatrixMarket (.mtx) file, or "
                     "a .csv file with a list of edges or a table. Or the name of a graph to generate, such as "
                     "rgg2:8000, rgg3:8000, regular:8000:8, powerlaw:4096, grid:64x64 or torus:20x20x20."),
        sdk::text("distance")
            .required()
            .summary(
                "The locations and their distances. By a formula: grid:64x64, torus:10x10x10, hypercube:10, or "
                "tree:4:8:8/1:10:100 (sizes, then distances, the innermost level first). By a file: points:FILE.csv,l1 "
                "(or l2; a factor for the coordinates may follow, as in l2,100), dense:FILE (a table), graph:FILE "
                "(shortest paths), hwloc:FILE (made by lstopo), slurm:FILE (a topology.conf). \"*4\" at the end gives "
                "each location room for four vertices. none: no distances; for converting a graph."),
        sdk::flag("directed", false)
            .summary("Whether a line of a list of edges is a flow in one direction. false: it is a flow in both "
                     "directions."),
        sdk::choice("written_as", "metis", "metis|scotch|matrix_market|edges")
            .summary("File format in which `qapfw instance export` and `qapfw instance convert` write the graph.")};

    SparseQapProblem(const sdk::Host& host, const sdk::Parameters& parameters);
    SparseQapProblem(const SparseQapProblem&) = delete;  // since info() points into this object
    SparseQapProblem& operator=(const SparseQapProblem&) = delete;

    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const;
    void read_solution(std::string_view text, void* solution) const;
    void write_artefacts(const void* solution, qapfw_cost cost, const sdk::Emit& emit) const;
    void assignment(const void* solution, const sdk::EmitAssigned& emit) const;

    qapfw_sampled_facts sampled_facts() const;
    void construct(std::uint32_t way, std::uint64_t seed, const sdk::StopQuestion& stop, void* solution) const;

    /// A walk with the members that sdk/sampled_neighbourhood.hpp asks for.
    class SampledWalk : public Walk {
      public:
        explicit SampledWalk(const SparseQapProblem& problem)
            : Walk(problem.graph_, problem.target_), problem_(problem) {}
        void reset(const void* solution) { Walk::reset(problem_.locations_of(solution).data()); }
        void solution(void* to) const { problem_.store(location_of(), to); }

      private:
        const SparseQapProblem& problem_;
    };

    /// Returns the device form, which the first call makes. One thread at a time may call it.
    const qapfw_device_problem& device() const;
    static void list_instances(const sdk::Host& host, const sdk::Emit& emit);
    /// Writes one line about the traffic over the target's links.
    void draw(const void* solution, const sdk::Emit& emit) const;
    /// Writes the graph in the format of parameter written_as.
    void write_instance(const sdk::Emit& emit) const;
    static void recognise(const sdk::Host& host, const std::string& reference, const sdk::Emit& emit);

    const Graph& graph() const { return graph_; }
    const Target& target() const { return target_; }
    /// Returns the solution's elements. Throws Error(kInput) if they are no permutation.
    std::vector<std::uint32_t> locations_of(const void* solution) const;
    void store(const std::vector<std::uint32_t>& location_of, void* solution) const;

  private:
    void check_sizes() const;
    void fill_info(const std::string& name, bool has_distances);

    /// The hash of a mapping, and its cost.
    struct Costed {
        std::uint64_t hash;
        std::int64_t cost;
    };
    /// A mapping of at least 100,000 locations, and its cost, which takes long to compute.
    struct LongCosted {
        std::vector<std::uint32_t> location_of;
        std::int64_t cost = 0;
    };
    std::int64_t cost_of(const std::vector<std::uint32_t>& location_of) const;

    Graph graph_;
    Target target_;
    GraphFormat written_as_ = GraphFormat::kMetis;
    sdk::Encoding encoding_;
    std::string name_, summary_;
    qapfw_problem_info info_{};
    mutable std::unique_ptr<DeviceProblem> device_;
    mutable std::optional<Costed> written_;  ///< hash and cost of the mapping that write_artefacts wrote last
    mutable std::mutex evaluated_mutex_;
    mutable LongCosted evaluated_;  ///< the mapping of at least 100,000 locations that was evaluated last
};

}  // namespace qapfw::sparse
