// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/sparse_qap_problem.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <limits>
#include <system_error>
#include <unordered_map>

#include "problems/sparse_qap/graphs/generators.hpp"
#include "problems/sparse_qap/graphs/graph_reader.hpp"
#include "problems/sparse_qap/graphs/graph_writer.hpp"
#include "problems/sparse_qap/graphs/memory_graph.hpp"
#include "problems/sparse_qap/graphs/whole_file.hpp"
#include "problems/sparse_qap/solution_text.hpp"
#include "problems/sparse_qap/starts/starts.hpp"
#include "problems/sparse_qap/targets/traffic.hpp"
#include "qapfw/sdk/find_file.hpp"

namespace qapfw::sparse {
namespace {

std::filesystem::path file_named(const sdk::Host& host, const std::string& name) {
    return sdk::find_file(host, name, {".graph", ".grf", ".mtx", ".csv"});
}

/// Returns the file's name without its endings.
std::string short_name(const std::filesystem::path& file) {
    std::filesystem::path name = file.filename();
    if (name.extension() == ".gz") name = name.stem();
    return name.stem().string();
}

std::uint64_t hash_of(const std::vector<std::uint32_t>& location_of) {
    return XXH3_64bits(location_of.data(), location_of.size() * sizeof location_of[0]);
}

/// Returns the text of a grid, such as "grid:8x8", that has a location for each vertex.
std::string square_for(std::uint32_t n) {
    std::uint32_t side = 1;
    while (std::uint64_t{side} * side < n) ++side;
    return fmt::format("grid:{}x{}", side, (n + side - 1) / side);
}

}  // namespace

SparseQapProblem::SparseQapProblem(const sdk::Host& host, const sdk::Parameters& parameters)
    : encoding_(sdk::Encoding::permutation(0)) {
    constexpr GraphFormat kFormats[] = {GraphFormat::kMetis, GraphFormat::kScotch, GraphFormat::kMatrixMarket,
                                        GraphFormat::kEdgeList};
    written_as_ = kFormats[parameters.choice("written_as")];
    std::string spec = parameters.text("distance");
    const bool only_graph = spec == "none";
    if (!only_graph) target_ = Target::parse(spec, [&](const std::string& f) { return file_named(host, f); });
    std::string name = parameters.text("instance");
    constexpr std::string_view kMemory = "memory:";
    if (name.starts_with(kMemory)) {
        name = name.substr(kMemory.size());
        graph_ = read_memory_graph(host, name);
    } else if (is_generated(name)) {
        graph_ = generate(name);
        std::replace(name.begin(), name.end(), ':', '-');
    } else {
        const std::filesystem::path file = file_named(host, name);
        ReadGraph read = read_graph(file, parameters.boolean("directed"));
        graph_ = std::move(read.graph);
        for (const std::string& remark : read.remarks) host.info(file.string() + ": " + remark);
        name = short_name(file);
    }
    if (only_graph) target_ = Target::parse(square_for(graph_.n), {});
    check_sizes();
    encoding_ = sdk::Encoding::permutation(target_.n());
    fill_info(name, !only_graph);
}

void SparseQapProblem::check_sizes() const {
    if (graph_.n > target_.n()) {
        throw Error(ErrorKind::kInput,
                    fmt::format("the graph has {} vertices, but \"{}\" has only {} locations; choose a "
                                "larger target",
                                graph_.n, target_.spec(), target_.n()));
    }
    std::int64_t sum = 0, most = 0;
    bool too_large = false;
    for (std::uint64_t k = 0; k < graph_.arcs.size(); ++k) {
        const std::int64_t weight = graph_.weight(k);
        too_large = too_large || weight == std::numeric_limits<std::int64_t>::min() ||
                    __builtin_add_overflow(sum, weight < 0 ? -weight : weight, &sum);
    }
    if (too_large || __builtin_mul_overflow(sum, target_.largest_distance(), &most))
        throw Error(
            ErrorKind::kInput,
            "weights times distances can exceed 64 bits; divide all weights, or all distances, by the same number");
}

void SparseQapProblem::fill_info(const std::string& name, bool has_distances) {
    name_ = name;
    summary_ = fmt::format("n = {}, {} vertices{}, {} edges (degree {:.1f}, density {:.3g} %), {}{}", target_.n(),
                           graph_.n, graph_.n < target_.n() ? " (some locations stay free)" : "", graph_.edges(),
                           2.0 * static_cast<double>(graph_.edges()) / std::max(1u, graph_.n),
                           200.0 * static_cast<double>(graph_.edges()) / std::max(1.0, 1.0 * graph_.n * graph_.n),
                           has_distances ? target_.spec() : "no distances; " + target_.spec() + " is used instead",
                           graph_.directed ? ", directed" : "");
    info_.struct_size = sizeof info_;
    info_.n = target_.n();
    info_.encoding = encoding_.c_encoding();
    info_.cost_kind = QAPFW_COST_INT64;
    info_.sense = 1;
    info_.display_divisor = 1;
    info_.instance = name_.c_str();
    info_.summary = summary_.c_str();
    std::uint64_t hash = target_.fingerprint();
    hash = XXH3_64bits_withSeed(graph_.offsets.data(), graph_.offsets.size() * sizeof graph_.offsets[0], hash);
    hash = XXH3_64bits_withSeed(graph_.arcs.data(), graph_.arcs.size() * sizeof graph_.arcs[0], hash);
    info_.fingerprint = XXH3_64bits_withSeed(graph_.wide.data(), graph_.wide.size() * sizeof(std::int64_t), hash);
    // A bound that needs no search: the ends of an edge are at least the smallest distance apart.
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), doubled = 0;
    const bool points = target_.data().metric == Metric::kManhattan || target_.data().metric == Metric::kEuclid;
    const std::uint32_t count = target_.is_tree() || points ? 0 : target_.near_count();
    for (std::uint32_t a = 0; a < target_.n(); ++a) {
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint32_t b = target_.near()[std::size_t{a} * count + k];
            if (a != b) least = std::min(least, target_.distance(a, b));
        }
    }
    if (target_.is_tree()) least = target_.data().level_costs[1];
    if (least == std::numeric_limits<std::int64_t>::max()) least = 0;
    bool negative = false;
    for (std::uint64_t k = 0; k < graph_.arcs.size(); ++k) {
        negative = negative || graph_.weight(k) < 0;
        doubled += graph_.weight(k);
    }
    if (negative) return;
    info_.has_lower_bound = 1;
    // `doubled` counts each edge twice. check_sizes() has shown that this product fits.
    info_.lower_bound.i = doubled / 2 * least;
}

std::vector<std::uint32_t> SparseQapProblem::locations_of(const void* solution) const {
    const qapfw_segment& segment = info_.encoding.segments[0];
    std::vector<std::uint32_t> location_of(target_.n());
    for (std::uint32_t u = 0; u < target_.n(); ++u) location_of[u] = sdk::element_at(segment, solution, u);
    std::vector<bool> seen(target_.n(), false);
    for (std::uint32_t u = 0; u < target_.n(); ++u) {
        if (location_of[u] >= target_.n() || seen[location_of[u]]) {
            throw Error(
                ErrorKind::kInput,
                fmt::format("the solution is no permutation: position {} holds {}, which is too large or comes twice",
                            u, location_of[u]));
        }
        seen[location_of[u]] = true;
    }
    return location_of;
}

void SparseQapProblem::store(const std::vector<std::uint32_t>& location_of, void* solution) const {
    std::fill_n(static_cast<unsigned char*>(solution), info_.encoding.solution_bytes, std::uint8_t{0});
    const qapfw_segment& segment = info_.encoding.segments[0];
    for (std::uint32_t u = 0; u < target_.n(); ++u) sdk::set_element(segment, solution, u, location_of[u]);
}

void SparseQapProblem::evaluate(const qapfw_batch& batch) const {
    for (std::uint64_t k = 0; k < batch.count; ++k) {
        const void* solution =
            sdk::solution_at(static_cast<const void*>(batch.solutions), info_.encoding.solution_bytes, k);
        batch.costs[k].i = cost_of(locations_of(solution));
    }
}

/// Returns the cost of a mapping. The solver and then the framework ask for the cost of the same mapping. So if there
/// are at least 100,000 locations, the mapping and its cost are kept for the next call. With a million vertices a
/// second evaluation would make the user wait a tenth of a second longer at the end of a run.
std::int64_t SparseQapProblem::cost_of(const std::vector<std::uint32_t>& location_of) const {
    constexpr std::uint32_t kLong = 100'000;
    if (target_.n() < kLong) return exact_cost(graph_, target_, location_of.data());
    {
        const std::lock_guard lock(evaluated_mutex_);
        if (evaluated_.location_of == location_of) return evaluated_.cost;
    }
    const std::int64_t cost = exact_cost(graph_, target_, location_of.data());
    const std::lock_guard lock(evaluated_mutex_);
    evaluated_ = {location_of, cost};
    return cost;
}

qapfw_sampled_facts SparseQapProblem::sampled_facts() const {
    double mean = 0;
    for (std::uint64_t k = 0; k < graph_.arcs.size(); ++k) mean += static_cast<double>(std::abs(graph_.weight(k)));
    mean /= static_cast<double>(std::max<std::size_t>(1, graph_.arcs.size()));
    qapfw_sampled_facts facts{};
    facts.struct_size = sizeof facts;
    facts.starts = static_cast<std::uint32_t>(starts_for(graph_, target_).size());
    facts.movers = graph_.n;
    facts.hotness = target_.is_tree() ? 10 : 1;
    facts.unit = std::max<std::int64_t>(1, static_cast<std::int64_t>(mean));
    facts.terms = graph_.edges();
    return facts;
}

void SparseQapProblem::construct(std::uint32_t way, std::uint64_t seed, const sdk::StopQuestion& stop,
                                 void* solution) const {
    store(make_start(graph_, target_, starts_for(graph_, target_)[way], seed, stop), solution);
}

void SparseQapProblem::read_solution(std::string_view text, void* solution) const {
    store(read_locations(text, graph_, target_), solution);
}

void SparseQapProblem::write_artefacts(const void* solution, qapfw_cost cost, const sdk::Emit& emit) const {
    const std::vector<std::uint32_t> location_of = locations_of(solution);
    written_ = Costed{hash_of(location_of), cost.i};
    std::string lines, map = fmt::format("{}\n", graph_.n);
    lines.reserve(8 * std::size_t{target_.n()});
    map.reserve(16 * std::size_t{graph_.n});
    for (std::uint32_t u = 0; u < graph_.n; ++u) {
        char line[32];
        char* const tab = fmt::format_to(line, FMT_COMPILE("{}"), u);
        *tab = '\t';
        char* const end = fmt::format_to(tab + 1, FMT_COMPILE("{}\n"), location_of[u]);
        lines.append(tab + 1, end);
        map.append(line, end);
    }
    if (graph_.n < target_.n())
        lines += "# locations without a vertex, in the order in which the solution lists them\n";
    for (std::uint32_t u = graph_.n; u < target_.n(); ++u) lines += fmt::format("{}\n", location_of[u]);
    emit("mapping.txt", "text/plain", lines);
    emit("mapping.map", "text/plain", map);
}

void SparseQapProblem::assignment(const void* solution, const sdk::EmitAssigned& emit) const {
    const std::vector<std::uint32_t> location_of = locations_of(solution);
    const auto name = [](const std::vector<std::string>& names, std::uint32_t index) {
        return index < names.size() ? names[index].c_str() : nullptr;
    };
    for (std::uint32_t u = 0; u < graph_.n; ++u)
        emit(u, location_of[u], name(graph_.names, u), name(target_.names(), location_of[u]));
}

void SparseQapProblem::list_instances(const sdk::Host&, const sdk::Emit& emit) {
    for (const auto& [form, what] : generated_forms()) emit(form.c_str(), "text/plain", "-\t-\t" + what);
}

void SparseQapProblem::write_instance(const sdk::Emit& emit) const {
    emit((name_ + ending_of(written_as_)).c_str(), "text/plain", graph_text(graph_, written_as_));
}

const qapfw_device_problem& SparseQapProblem::device() const {
    if (!device_) device_ = std::make_unique<DeviceProblem>(graph_, target_);
    return device_->describe();
}

void SparseQapProblem::draw(const void* solution, const sdk::Emit& emit) const {
    const std::vector<std::uint32_t> location_of = locations_of(solution);
    std::optional<std::int64_t> cost;
    if (written_ && written_->hash == hash_of(location_of)) cost = written_->cost;
    emit("traffic", "text/plain", traffic_of(graph_, target_, location_of, cost).text() + "\n");
}

void SparseQapProblem::recognise(const sdk::Host& host, const std::string& reference, const sdk::Emit& emit) {
    if (is_generated(reference)) {
        emit("a graph that is generated", "text/plain", "");
        return;
    }
    std::filesystem::path file;
    try {
        file = file_named(host, reference);
    } catch (const Error&) {
        return;
    }
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return;
    const std::string head = head_of(file);
    const GraphFormat format = graph_format(file, head);
    if (format == GraphFormat::kEdgeList && !has_edges(head)) return;
    if (format != GraphFormat::kUnknown) emit(name_of(format), "text/plain", "");
}

}  // namespace qapfw::sparse
