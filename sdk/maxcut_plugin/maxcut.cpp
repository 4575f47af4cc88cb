// SPDX-License-Identifier: Apache-2.0
// Maximum cut: splits the vertices of a weighted graph into two parts, so that the edges between them have the largest
// total weight. Files have the format of the Gset: "n m", then m lines "i j weight", vertices from 1. A quadratic
// problem over bits (QUBO) is the same problem with one more vertex.
#include <fstream>
#include <string>
#include <vector>

#include "embedded/maxcut_texts.hpp"
#include "qapfw/sdk/one_segment_problem.hpp"
#include "qapfw/sdk/permutation_problem.hpp"
#include "qapfw/sdk/plugin.hpp"

namespace maxcut {

using namespace qapfw;

struct Edge {
    std::uint32_t to;
    std::int64_t weight;
};
using Graph = std::vector<std::vector<Edge>>;  ///< the edges of each vertex

Graph read_graph(const std::string& path) {
    std::ifstream file(path);
    std::uint64_t n = 0, m = 0;
    if (!(file >> n >> m) || n < 2 || n > 1'000'000) {
        throw Error(ErrorKind::kInput, path + ": wanted the numbers of vertices (2 to 1000000) and edges in line 1");
    }
    Graph graph(n);
    for (std::uint64_t e = 0; e < m; ++e) {
        std::uint64_t i = 0, j = 0;
        std::int64_t weight = 0;
        if (!(file >> i >> j >> weight) || i < 1 || i > n || j < 1 || j > n || i == j) {
            throw Error(ErrorKind::kInput, path + ": edge " + std::to_string(e + 1) + " of " + std::to_string(m) +
                                               ": wanted two vertices from 1 to " + std::to_string(n) +
                                               " and a weight");
        }
        graph[i - 1].push_back({static_cast<std::uint32_t>(j - 1), weight});
        graph[j - 1].push_back({static_cast<std::uint32_t>(i - 1), weight});
    }
    return graph;
}

/// A hash of all vertices, edges and weights.
std::uint64_t fingerprint(const Graph& graph) {
    std::uint64_t hash = graph.size();
    for (const std::vector<Edge>& edges : graph) {
        for (const Edge& edge : edges)
            hash = (hash ^ edge.to ^ static_cast<std::uint64_t>(edge.weight) << 32) * 0x100000001B3ull;
    }
    return hash;
}

class MaxCut : public sdk::BinaryProblem<MaxCut> {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::text("instance").required().path().summary("File of the graph, in the format of the Gset.")};

    MaxCut(const sdk::Host&, const sdk::Parameters& parameters) : MaxCut(read_graph(parameters.text("instance"))) {}

    // [maxcut-cost]
    /// The negated weight of the cut, because costs are minimised.
    std::int64_t cost(const std::uint8_t* part) const {
        std::int64_t cut = 0;
        for (std::uint32_t i = 0; i < n(); ++i) {
            for (const Edge& edge : graph_[i]) cut += i < edge.to && part[i] != part[edge.to] ? edge.weight : 0;
        }
        return -cut;
    }
    // [maxcut-cost-end]

    // [maxcut-moves]
    /// Stores for each vertex how much its flip would change the cost. A flip alters the stored changes of the flipped
    /// vertex and of its neighbours.
    class Moves {
      public:
        explicit Moves(const MaxCut& problem) : problem_(problem), part_(problem.n()), change_(problem.n()) {}
        qapfw_cost reset(const void* solution) {
            const auto* const part = static_cast<const std::uint8_t*>(solution);
            part_.assign(part, part + problem_.n());
            for (std::uint32_t i = 0; i < problem_.n(); ++i) {
                change_[i] = 0;
                for (const Edge& edge : problem_.graph_[i]) change_[i] += sign(i, edge.to) * edge.weight;
            }
            return {.i = problem_.cost(part)};
        }
        qapfw_cost delta(const qapfw_move& move) const { return {.i = change_[move.i]}; }
        void apply(const qapfw_move& move) {
            part_[move.i] ^= 1;
            change_[move.i] = -change_[move.i];
            for (const Edge& edge : problem_.graph_[move.i]) {
                change_[edge.to] += 2 * sign(move.i, edge.to) * edge.weight;
            }
        }

      private:
        /// 1 if the edge is cut, else -1.
        std::int64_t sign(std::uint32_t i, std::uint32_t j) const { return part_[i] != part_[j] ? 1 : -1; }
        const MaxCut& problem_;
        std::vector<std::uint8_t> part_;
        std::vector<std::int64_t> change_;
    };
    // [maxcut-moves-end]

    const qapfw_device_problem& device() const { return device_.get(); }

  private:
    explicit MaxCut(Graph graph)
        : BinaryProblem({.n = graph.size(), .instance = "graph", .fingerprint = fingerprint(graph), .sense = -1}),
          graph_(std::move(graph)),
          edges_(graph_),
          device_("maxcut", "constexpr int kVertices = " + std::to_string(n()) + ";\n", device_texts::kTexts[0], {},
                  {array(edges_.first, 0), array(edges_.to, 8), array(edges_.weight, 16)}) {}

    /// The edges of all vertices as arrays, for GPUs; see maxcut.cuh.
    struct Edges {
        explicit Edges(const Graph& graph) : first{0} {
            for (const std::vector<Edge>& of_vertex : graph) {
                for (const Edge& edge : of_vertex) {
                    to.push_back(edge.to);
                    weight.push_back(edge.weight);
                }
                first.push_back(to.size());
            }
        }
        std::vector<std::uint64_t> first;
        std::vector<std::uint32_t> to;
        std::vector<std::int64_t> weight;
    };
    struct View {
        std::uint64_t first, to, weight;  ///< addresses in device memory; see maxcut.cuh
    };
    template <class T>
    static qapfw_view_buffer array(const std::vector<T>& values, std::uint64_t offset) {
        return {values.data(), values.size() * sizeof(T), offset};
    }

    Graph graph_;
    Edges edges_;
    sdk::DeviceText<View> device_;
};

constexpr qapfw_component kMaxCut =
    sdk::problem_component<MaxCut>({.id = "maxcut",
                                    .version = "1.0.0",
                                    .summary = "Maximum cut of a weighted graph.",
                                    .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

}  // namespace maxcut

QAPFW_PLUGIN("org.example.maxcut", "1.0.0", "Apache-2.0", &maxcut::kMaxCut)
