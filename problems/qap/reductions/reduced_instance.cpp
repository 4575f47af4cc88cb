// SPDX-License-Identifier: Apache-2.0
// Makes reductions from files and names, see reduced_instance.hpp.
#include "problems/qap/reductions/reduced_instance.hpp"

#include <fmt/format.h>

#include <limits>

#include "problems/qap/instances/matrix_entry.hpp"
#include "problems/qap/reductions/board.hpp"
#include "problems/qap/reductions/clique.hpp"
#include "problems/qap/reductions/graph.hpp"
#include "problems/qap/reductions/line_scanner.hpp"
#include "problems/qap/reductions/linear_arrangement.hpp"
#include "problems/qap/reductions/packing.hpp"
#include "problems/qap/reductions/partition.hpp"
#include "problems/qap/reductions/tsp.hpp"
#include "problems/qap/setup.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_usage(const std::string& what) {
    throw Error(ErrorKind::kUsage, what);
}

/// Throws if `given` is true: the user gave `key`, but only instances of the kind `wanted` can use this key.
void require_absent(bool given, const char* key, const char* wanted) {
    if (given) fail_usage(fmt::format("problem.{} is given, but it is only for {}", key, wanted));
}

void require_own_keys(const ReductionOptions& options, const InstanceSearch& search, bool is_board) {
    const bool ordinary = options.kind == ReductionKind::kNone && !is_board;
    require_absent(!ordinary && !search.matrix_b.empty(), "matrix_b", "QAPs from CSV files");
    require_absent(!ordinary && !search.linear.empty(), "linear", "QAPs, not for reductions or boards");
    require_absent(!ordinary && !search.forbidden.empty(), "forbidden", "QAPs, not for reductions or boards");
    require_absent(!ordinary && search.maximize, "maximize", "QAPs, not for reductions or boards");
    require_absent(!ordinary && search.constant != 0, "constant", "QAPs, not for reductions or boards");
    const bool partitions = options.kind == ReductionKind::kPartition;
    require_absent(options.parts && !partitions, "parts", "reduction = \"partition\"");
    require_absent(!options.part_sizes.empty() && !partitions, "part_sizes", "reduction = \"partition\"");
    require_absent(options.clique_size && options.kind != ReductionKind::kClique, "clique_size",
                   "reduction = \"clique\"");
    require_absent(!options.second_graph.empty() && options.kind != ReductionKind::kPacking, "second_graph",
                   "reduction = \"packing\"");
    require_absent(options.pieces && !is_board, "pieces", "a board such as instance = \"queens8\"");
}

fs::path found_file(const std::string& reference, const InstanceSearch& search, const FilePlaces& places) {
    if (const auto file = find_file(reference, search, places)) return *file;
    throw Error(ErrorKind::kInput,
                fmt::format("instance {}: there is no such file, here or in the data folders", quote_token(reference)));
}

Graph read_graph(const fs::path& file) {
    Graph graph = read_dimacs(read_text_file(file), file.string());
    require_memory_of(graph.n, kBytesOfMatrices, file.string());
    return graph;
}

/// Reads a graph. Throws if the edges have weights.
Graph read_plain_graph(const fs::path& file) {
    Graph graph = read_graph(file);
    if (graph.weighted) {
        throw Error(ErrorKind::kInput,
                    fmt::format("{}: the edges have weights, which this problem cannot use; remove the weights",
                                file.string()));
    }
    return graph;
}

std::vector<uint32_t> listed_sizes(const std::vector<std::string>& texts, uint32_t n) {
    const std::string source = "problem.part_sizes";
    std::vector<uint32_t> sizes;
    uint64_t sum = 0;
    for (std::size_t k = 0; k < texts.size(); ++k) {
        const Token token{texts[k], {static_cast<uint32_t>(k + 1), 1}};
        sizes.push_back(static_cast<uint32_t>(parse_whole(token, source, "the size of a part", 1, n)));
        sum += sizes.back();
    }
    if (sum == n) return sizes;
    fail_usage(fmt::format("problem.part_sizes add up to {}, but the graph has {} vertices", sum, n));
}

std::vector<uint32_t> part_sizes(const ReductionOptions& options, uint32_t n) {
    if (options.parts.has_value() == !options.part_sizes.empty()) {
        fail_usage("reduction = \"partition\" needs one of problem.parts and problem.part_sizes, not both");
    }
    if (!options.parts) return listed_sizes(options.part_sizes, n);
    if (*options.parts < 1 || *options.parts > int64_t{n}) {
        fail_usage(
            fmt::format("problem.parts is {}, but it must be from 1 to {}, the number of vertices", *options.parts, n));
    }
    return equal_parts(n, static_cast<uint32_t>(*options.parts));
}

std::shared_ptr<const Reduction> make_clique(Graph graph, const ReductionOptions& options) {
    if (!options.clique_size) {
        const uint32_t size = graph.n + colouring_bound(graph);
        if (size <= kMaxSize) {
            require_memory_of(size, kBytesOfMatrices, "a clique of any size");
            return std::make_shared<MaximumClique>(std::move(graph), std::nullopt);
        }
        fail_usage(
            fmt::format("without problem.clique_size the {} vertices make a QAP of {} positions, but at most {} "
                        "are possible; give problem.clique_size",
                        graph.n, size, kMaxSize));
    }
    if (*options.clique_size < 1 || *options.clique_size > int64_t{graph.n}) {
        fail_usage(fmt::format("problem.clique_size is {}, but it must be from 1 to {}, the number of vertices",
                               *options.clique_size, graph.n));
    }
    return std::make_shared<MaximumClique>(std::move(graph), static_cast<uint32_t>(*options.clique_size));
}

std::shared_ptr<const Reduction> make_reduction(const fs::path& file, const InstanceSearch& search,
                                                const ReductionOptions& options) {
    switch (options.kind) {
        case ReductionKind::kTsp:
            return std::make_shared<TspReduction>(file.stem().string(),
                                                  read_tsplib(read_text_file(file), file.string()));
        case ReductionKind::kLinearArrangement:
            return std::make_shared<LinearArrangement>(read_graph(file));
        case ReductionKind::kClique:
            return make_clique(read_plain_graph(file), options);
        case ReductionKind::kPartition: {
            Graph graph = read_graph(file);
            std::vector<uint32_t> sizes = part_sizes(options, graph.n);
            return std::make_shared<GraphPartition>(std::move(graph), std::move(sizes));
        }
        default:
            if (options.second_graph.empty()) fail_usage("reduction = \"packing\" wants problem.second_graph");
            return std::make_shared<GraphPacking>(
                read_plain_graph(file), read_plain_graph(found_file(options.second_graph, search, kDimacsPlaces)));
    }
}

/// The best-known value from the user's file; if the file has none, the value that the reduction knows. The value and
/// the size in the file are those of the original problem, not of the QAP.
std::optional<BestKnown> best_known_of(const QapInstance& instance, const InstanceSearch& search) {
    const Reduction& reduction = *instance.reduction;
    if (search.best_known.empty()) return reduction.known();
    BestKnownTable table;
    table.add_file(search.best_known);
    std::optional<BestKnown> stated = table.lookup(instance.name, reduction.size(), reduction.divisor());
    if (!stated) return reduction.known();
    const int64_t own = stated->value;
    if (own == std::numeric_limits<int64_t>::min()) return reduction.known();
    stated->value = own * reduction.sense();
    if (stated->value >= instance.bounds.lower && stated->value <= instance.bounds.upper) return stated;
    throw Error(ErrorKind::kInput,
                fmt::format("{}: the best-known value {} of {} is impossible: no solution can have this value",
                            search.best_known.string(), own / reduction.divisor(), instance.name));
}

QapInstance finish(std::string name, std::string source, std::shared_ptr<const Reduction> reduction,
                   const InstanceSearch& search) {
    QapInstance out;
    out.name = std::move(name);
    out.source = std::move(source);
    require_memory_of(reduction->size(), kBytesOfMatrices, out.name);
    out.matrices = reduction->matrices();
    out.facilities = out.matrices.n;
    out.bounds = cost_bounds(out.matrices, out.source);
    out.reduction = std::move(reduction);
    out.best_known = best_known_of(out, search);
    return out;
}

}  // namespace

std::optional<QapInstance> load_reduced_instance(const std::string& reference, const InstanceSearch& search,
                                                 const ReductionOptions& options) {
    if (options.kind != ReductionKind::kNone) {
        require_own_keys(options, search, false);
        const fs::path file =
            found_file(reference, search, options.kind == ReductionKind::kTsp ? kTsplibPlaces : kDimacsPlaces);
        return finish(file.stem().string(), file.string(), make_reduction(file, search, options), search);
    }
    const std::optional<Board> board = find_file(reference, search) ? std::nullopt : parse_board(reference);
    require_own_keys(options, search, board.has_value());
    if (!board) return std::nullopt;
    return finish(reference, "generated", make_board_reduction(*board, options.pieces), search);
}

}  // namespace qapfw::qap
