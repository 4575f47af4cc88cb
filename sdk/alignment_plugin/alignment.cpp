// SPDX-License-Identifier: Apache-2.0
// Graph alignment: two directed graphs with weights, such as the wiring of two brains. Each vertex of the first graph
// is mapped to a vertex of the second. The sum of min(weight, weight of the image) over all edges must be as large as
// possible. A table of all swaps would be too large, so the problem proposes swaps itself, each with its exact delta.
#include <numeric>
#include <string>
#include <vector>

#include "digraph.hpp"
#include "embedded/alignment_texts.hpp"
#include "qapfw/sdk/permutation_problem.hpp"
#include "qapfw/sdk/plugin.hpp"

namespace alignment {

using namespace qapfw;

/// Two graphs. `hidden`: value of the alignment that is hidden in synthetic graphs; else 0.
struct Instance {
    std::string name;
    Digraph from, onto;
    std::int64_t hidden = 0;
};

/// Returns a synthetic instance. In the first graph, half of the edges join vertices that are near each other on a
/// ring. The other edges join random vertices. The second graph has the same edges between renumbered vertices, but
/// about a tenth of the edges join random vertices instead.
Instance synthetic(std::uint32_t n, std::uint64_t m, std::uint64_t seed) {
    std::vector<std::uint32_t> image(n);
    std::iota(image.begin(), image.end(), 0u);
    const std::uint64_t key = kernels::mix64(seed);
    for (std::uint32_t k = n; k > 1; --k) std::swap(image[k - 1], image[drawn(key + k, k)]);
    std::vector<Edge> from, onto;
    std::int64_t hidden = 0;
    for (std::uint64_t e = 0; e < m; ++e) {
        const std::uint64_t draw = key ^ ((e + 1) << 8);
        const std::uint32_t u = drawn(draw + 1, n), reach = std::min(n, 1 + static_cast<std::uint32_t>(2 * m / n));
        const std::uint32_t v = e % 2 == 0 ? (u + 1 + drawn(draw + 2, reach)) % n : drawn(draw + 3, n);
        const auto weight = static_cast<std::int32_t>(1 + drawn(draw + 4, 1 + drawn(draw + 5, 20)));
        from.push_back({u, v, weight});
        const bool elsewhere = drawn(draw + 6, 10) == 0;
        onto.push_back(elsewhere ? Edge{drawn(draw + 7, n), drawn(draw + 8, n), weight}
                                 : Edge{image[u], image[v], weight});
    }
    Instance instance{"synthetic", Digraph(n, from), Digraph(n, onto)};
    for (std::uint32_t u = 0; u < n; ++u) {
        for (std::uint64_t k = instance.from.first()[u]; k < instance.from.first()[u + 1]; ++k) {
            const Arc& arc = instance.from.arcs()[k];
            hidden += std::min(arc.weights.there, instance.onto.between(image[u], image[arc.to]).there);
        }
    }
    instance.hidden = hidden;
    return instance;
}

Instance instance_of(const std::string& text, const std::string& onto) {
    unsigned n = 0;
    unsigned long long m = 0, seed = 1;
    if (std::sscanf(text.c_str(), "synthetic:%u:%llu:%llu", &n, &m, &seed) >= 2) {
        if (n < 2 || n > kMostVertices || m < 1 || m > 100'000'000)
            throw Error(ErrorKind::kInput,
                        "synthetic:N:M: wanted 2 to 65535 vertices and 1 to 10^8 edges, found " + text);
        return synthetic(n, m, seed);
    }
    if (onto.empty()) throw Error(ErrorKind::kInput, "parameter onto: wanted the file of the second graph");
    std::uint32_t vertices = 0;
    const std::vector<Edge> first = read_edges(text, vertices), second = read_edges(onto, vertices);
    return {"graphs", Digraph(vertices, first), Digraph(vertices, second)};
}

std::uint64_t fingerprint(const Instance& instance) {
    std::uint64_t hash = instance.from.n();
    for (const Digraph* graph : {&instance.from, &instance.onto}) {
        for (const Arc& arc : graph->arcs())
            hash = kernels::mix64(hash ^ arc.to ^ static_cast<std::uint64_t>(arc.weights.there) << 20 ^
                                  static_cast<std::uint64_t>(arc.weights.back) << 40);
    }
    return hash;
}

class Alignment : public sdk::PermutationProblem<Alignment> {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::text("instance")
            .required()
            .path()
            .summary(
                "File of the first graph, with lines from,to,weight. Or synthetic:N:M[:SEED], which makes two random "
                "graphs of N vertices and M edges."),
        sdk::text("onto").optional().path().summary("File of the second graph; not for synthetic graphs.")};

    Alignment(const sdk::Host& host, const sdk::Parameters& parameters)
        : Alignment(instance_of(parameters.text("instance"), parameters.text("onto"))) {
        if (instance_.hidden > 0)
            host.info("the alignment hidden in the synthetic graphs has the value " + std::to_string(instance_.hidden));
    }

    /// The negated value of an alignment, because costs are minimised.
    std::int64_t cost(const std::uint16_t* image) const { return -value_of(image); }

    // [alignment-facts]
    qapfw_sampled_facts sampled_facts() const {
        return {sizeof(qapfw_sampled_facts), 1, n(), 1, mean_weight(), instance_.from.arcs().size()};
    }
    /// Makes a starting solution: sorts each graph's vertices, mainly by the total weight of their incoming edges, and
    /// maps vertices of equal rank to each other.
    void construct(std::uint32_t, std::uint64_t, const sdk::StopQuestion&, void* solution) const {
        const std::vector<std::uint32_t> here = by_strength(instance_.from), there = by_strength(instance_.onto);
        for (std::uint32_t k = 0; k < n(); ++k)
            sdk::permutation_of(solution)[here[k]] = static_cast<std::uint16_t>(there[k]);
    }
    // [alignment-facts-end]

    // [alignment-walk]
    /// One alignment, with its inverse.
    class SampledWalk {
      public:
        explicit SampledWalk(const Alignment& problem)
            : problem_(problem), image_(problem.n()), vertex_of_(problem.n()) {}
        void reset(const void* solution) {
            for (std::uint32_t u = 0; u < image_.size(); ++u) {
                image_[u] = sdk::permutation_of(solution)[u];
                vertex_of_[image_[u]] = u;
            }
        }
        void solution(void* to) const {
            for (std::uint32_t u = 0; u < image_.size(); ++u)
                sdk::permutation_of(to)[u] = static_cast<std::uint16_t>(image_[u]);
        }
        std::int64_t cost() const { return -problem_.value_of(image_.data()); }
        void propose(std::uint64_t count, const std::uint32_t* positions, const std::uint64_t* draws,
                     std::uint32_t* partners, std::int64_t* deltas) const {
            for (std::uint64_t k = 0; k < count; ++k) {
                partners[k] = partner(positions[k], draws[k]);
                deltas[k] = partners[k] == positions[k] ? 0 : -gain(positions[k], partners[k]);
            }
        }
        qapfw_sampled_neighbours neighbours(std::uint32_t u) const {
            const Digraph& from = problem_.instance_.from;
            return {from.arcs().data() + from.first()[u], from.degree(u), sizeof(Arc)};
        }
        void exchange(std::uint32_t a, std::uint32_t b) {
            std::swap(image_[a], image_[b]);
            vertex_of_[image_[a]] = a;
            vertex_of_[image_[b]] = b;
        }

      private:
        /// The vertex to swap u with. Usually u's new image is then adjacent to the image of a neighbour of u.
        std::uint32_t partner(std::uint32_t u, std::uint64_t draw) const {
            const Digraph &from = problem_.instance_.from, &onto = problem_.instance_.onto;
            const auto pick = [](std::uint64_t bits, std::uint32_t many) {
                return static_cast<std::uint32_t>((bits & 0xffff) * many >> 16);
            };
            if ((draw & 0xff) < 240 && from.degree(u) > 0) {
                const std::uint32_t w = from.arcs()[from.first()[u] + pick(draw >> 8, from.degree(u))].to,
                                    c = image_[w];
                if (onto.degree(c) > 0)
                    return vertex_of_[onto.arcs()[onto.first()[c] + pick(draw >> 24, onto.degree(c))].to];
            }
            return static_cast<std::uint32_t>((draw >> 32) * image_.size() >> 32);
        }
        std::int64_t gain(std::uint32_t u, std::uint32_t v) const {
            const std::uint32_t a = image_[u], b = image_[v];
            return row(u, v, a, b) + row(v, u, b, a);
        }
        /// The change of the value when u moves from a to b. v moves from b to a at the same time, so an edge between
        /// u and v only changes its direction.
        std::int64_t row(std::uint32_t u, std::uint32_t v, std::uint32_t a, std::uint32_t b) const {
            const Digraph &from = problem_.instance_.from, &onto = problem_.instance_.onto;
            std::int64_t sum = 0;
            for (std::uint64_t k = from.first()[u]; k < from.first()[u + 1]; ++k) {
                const Arc& arc = from.arcs()[k];
                const bool together = arc.to == v;
                if (together && u > v) continue;  // counted in the row of the other vertex
                const std::uint32_t c = together ? b : image_[arc.to], after = together ? a : c;
                sum += both(arc.weights, onto.between(b, after)) - both(arc.weights, onto.between(a, c));
            }
            return sum;
        }
        static std::int64_t both(const Weights& x, const Weights& y) {
            return std::min(x.there, y.there) + std::min(x.back, y.back);
        }
        const Alignment& problem_;
        std::vector<std::uint32_t> image_, vertex_of_;
    };
    // [alignment-walk-end]

    const qapfw_device_problem& device() const { return device_.get(); }

  private:
    explicit Alignment(Instance instance)
        : PermutationProblem({.n = instance.from.n(),
                              .instance = instance.name,
                              .summary = std::to_string(instance.from.n()) + " vertices, " +
                                         std::to_string(instance.from.pairs()) + " and " +
                                         std::to_string(instance.onto.pairs()) + " pairs with edges",
                              .fingerprint = fingerprint(instance),
                              .sense = -1}),
          instance_(std::move(instance)),
          device_("alignment", "constexpr int kVertices = " + std::to_string(n()) + ";\n", device_texts::kTexts[0],
                  {0, 0, 0, 0, 0, instance_.onto.table().size() - 1},
                  {array(instance_.from.first(), 0), array(instance_.from.arcs(), 8), array(instance_.onto.first(), 16),
                   array(instance_.onto.arcs(), 24), array(instance_.onto.table(), 32)}) {
        instance_.onto.mark_pairs();
    }

    struct View {
        /// Addresses of arrays in device memory, and the mask of the hash table. See View in alignment.cuh.
        std::uint64_t from_first, from, onto_first, onto, table, mask;
    };
    template <class T>
    static qapfw_view_buffer array(const std::vector<T>& values, std::uint64_t offset) {
        return {values.data(), values.size() * sizeof(T), offset};
    }

    template <class Element>
    std::int64_t value_of(const Element* image) const {
        std::int64_t sum = 0;
        for (std::uint32_t u = 0; u < n(); ++u) {
            for (std::uint64_t k = instance_.from.first()[u]; k < instance_.from.first()[u + 1]; ++k) {
                const Arc& arc = instance_.from.arcs()[k];
                if (arc.weights.there > 0)
                    sum += std::min(arc.weights.there, instance_.onto.between(image[u], image[arc.to]).there);
            }
        }
        return sum;
    }
    std::int64_t mean_weight() const {
        std::int64_t sum = 0;
        for (const Arc& arc : instance_.from.arcs()) sum += arc.weights.there;
        return std::max<std::int64_t>(
            1, sum / static_cast<std::int64_t>(std::max<std::size_t>(1, instance_.from.pairs())));
    }
    static std::vector<std::uint32_t> by_strength(const Digraph& graph) {
        std::vector<std::uint64_t> strength(graph.n(), 0);
        for (std::uint32_t u = 0; u < graph.n(); ++u) {
            for (std::uint64_t k = graph.first()[u]; k < graph.first()[u + 1]; ++k) {
                const Weights& w = graph.arcs()[k].weights;
                strength[u] += static_cast<std::uint64_t>(w.there) + (static_cast<std::uint64_t>(w.back) << 16);
            }
        }
        std::vector<std::uint32_t> order(graph.n());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t u, std::uint32_t v) { return strength[u] > strength[v]; });
        return order;
    }

    Instance instance_;
    sdk::DeviceText<View> device_;
};

constexpr qapfw_component kAlignment = sdk::problem_component<Alignment>(
    {.id = "alignment",
     .version = "1.0.0",
     .summary = "Alignment of two directed graphs: maximises the weight of the edges that match.",
     .backends = QAPFW_BACKEND_CPU | QAPFW_BACKEND_CUDA});

}  // namespace alignment

QAPFW_PLUGIN("org.example.alignment", "1.0.0", "Apache-2.0", &alignment::kAlignment)
