// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/qap_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problems/qap/assignment_svg.hpp"
#include "problems/qap/instances/feasible_assignment.hpp"
#include "problems/qap/instances/fingerprint.hpp"
#include "problems/qap/instances/instance_files.hpp"
#include "problems/qap/instances/memory_instance.hpp"
#include "problems/qap/instances/pair_list.hpp"
#include "problems/qap/instances/qaplib_reader.hpp"
#include "problems/qap/instances/solution_text.hpp"
#include "problems/qap/reductions/recognition.hpp"
#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

std::vector<std::filesystem::path> data_folders(const sdk::Host& host) {
    const qapfw_host* table = host.get();
    return {table->data_paths, table->data_paths + table->data_path_count};
}

std::optional<int64_t> optional_integer(const sdk::Parameters& parameters, const char* name) {
    if (!parameters.present(name)) return std::nullopt;
    return parameters.integer(name);
}

ReductionOptions read_reduction(const sdk::Parameters& parameters) {
    ReductionOptions options;
    options.kind = static_cast<ReductionKind>(parameters.choice("reduction"));
    options.parts = optional_integer(parameters, "parts");
    options.part_sizes = parameters.list("part_sizes");
    options.clique_size = optional_integer(parameters, "clique_size");
    options.second_graph = parameters.text("second_graph");
    options.pieces = optional_integer(parameters, "pieces");
    return options;
}

QapInstance read_instance(const sdk::Host& host, const sdk::Parameters& parameters) {
    const sdk::StopQuestion stop = host.stop();
    const SetupScope scope(stop);
    InstanceSearch search;
    search.data_directories = data_folders(host);
    search.matrix_b = parameters.text("matrix_b");
    search.metric = static_cast<Metric>(parameters.choice("metric"));
    search.best_known = parameters.text("best_known");
    search.linear = parameters.text("linear");
    search.forbidden = parameters.text("forbidden");
    search.maximize = parameters.boolean("maximize");
    search.constant = parameters.real("constant");
    const std::string reference = parameters.text("instance");
    if (const auto name = memory_name(reference)) return load_memory_instance(*name, search, host);
    std::optional<QapInstance> reduced = load_reduced_instance(reference, search, read_reduction(parameters));
    return reduced ? std::move(*reduced) : load_instance(reference, search);
}

FixedAssignments read_fixed(const sdk::Parameters& parameters, const QapInstance& instance) {
    if (parameters.present("fixed") && parameters.present("fixed_file")) {
        throw Error(ErrorKind::kInput, "problem.fixed and problem.fixed_file are both given; give only one of them");
    }
    const std::uint32_t n = instance.matrices.n;
    const PairNames names{n, n, &instance.facility_names, &instance.location_names};
    if (parameters.present("fixed_file")) {
        const std::string file = parameters.text("fixed_file");
        return fixed_pairs(read_pairs(read_text_file(file), file, names), n, file);
    }
    if (!instance.fixed.empty()) {
        std::vector<NamedPair> pairs;
        for (uint32_t i = 0; i < instance.fixed.size(); ++i) {
            if (instance.fixed[i] < 0) continue;
            NamedPair& pair = pairs.emplace_back();
            pair.facility = i;
            pair.location = static_cast<uint32_t>(instance.fixed[i]);
        }
        return fixed_pairs(pairs, n, instance.source);
    }
    const std::vector<std::string> entries = parameters.list("fixed");
    if (instance.facility_names.empty() && instance.location_names.empty())
        return parse_fixed_assignments(entries, n, "problem.fixed");
    std::string lines;
    for (const std::string& entry : entries) lines += entry + "\n";
    return fixed_pairs(lines.empty() ? std::vector<NamedPair>{} : read_pairs(lines, "problem.fixed", names), n,
                       "problem.fixed");
}

Interchangeable equals_of(const sdk::StopQuestion& stop, const QapMatrices& matrices) {
    const SetupScope scope(stop);
    return Interchangeable(matrices);
}

void require_permutation(const std::uint16_t* p, std::uint32_t n) {
    std::vector<std::uint8_t> seen(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
        if (p[i] >= n || seen[p[i]]++ != 0) {
            throw Error(ErrorKind::kInput, fmt::format("not a permutation of 0..{}: position {} holds {}{}", n - 1, i,
                                                       p[i], p[i] < n ? ", which is also at an earlier position" : ""));
        }
    }
}

}  // namespace

QapProblem::QapProblem(const sdk::Host& host, const sdk::Parameters& parameters)
    : host_(host),
      stop_(host.stop()),
      by_trace_(parameters.choice("formulation") == 1),
      instance_(read_instance(host, parameters)),
      fixed_(read_fixed(parameters, instance_)),
      equals_(equals_of(stop_, instance_.matrices)),
      encoding_(sdk::Encoding::permutation(instance_.matrices.n)) {
    const SetupScope scope(stop_);
    prove_feasible();
    fill_info();
    fill_owner_info();
    if (!instance_.remark.empty()) host.warn(instance_.remark);
    if (equals_.any()) host.info(equals_.describe());
    if (const std::string advice = sparse_advice(instance_); !advice.empty()) host.info(advice);
}

bool QapProblem::is_forbidden(std::uint32_t facility, std::uint32_t location) const {
    const std::vector<std::uint8_t>& forbidden = instance_.matrices.forbidden;
    return !forbidden.empty() && forbidden[std::size_t{facility} * instance_.matrices.n + location] != 0;
}

std::int64_t QapProblem::forbidden_pairs(const std::uint16_t* p) const {
    std::int64_t pairs = 0;
    for (std::uint32_t i = 0; !instance_.matrices.forbidden.empty() && i < info_.n; ++i) {
        pairs += is_forbidden(i, p[i]) ? 1 : 0;
    }
    return pairs;
}

void QapProblem::prove_feasible() {
    const QapMatrices& matrices = instance_.matrices;
    if (by_trace_ && matrices.has_linear()) {
        throw Error(
            ErrorKind::kUsage,
            "problem.formulation = \"trace\" takes neither linear costs nor forbidden pairs; leave formulation out");
    }
    if (!matrices.forbidden.empty()) {
        // Messages count facilities and locations from 1, but from 0 for an instance in a program's memory.
        feasible_assignment(matrices.forbidden, matrices.n, fixed_, instance_.source, {},
                            memory_name(instance_.source) ? 0 : 1);
    }
}

const SwapData& QapProblem::swap_data() const {
    return swap_data_.get([this] {
        const SetupScope scope(stop_);
        const bool fixed = fixed_.count > 0;
        return std::make_unique<SwapData>(instance_.matrices,
                                          fixed ? std::span<const uint8_t>(fixed_.mask) : std::span<const uint8_t>{},
                                          preferred_isa(), equals_);
    });
}

const ChildCosts& QapProblem::child_costs(const sdk::StopQuestion& stop) const {
    return child_costs_.get([&] {
        const SetupScope scope(stop);
        return std::make_unique<ChildCosts>(instance_.matrices);
    });
}

/// Returns a bound: no partial sum of a cost's terms, penalties included, is larger in absolute value.
int64_t QapProblem::magnitude() const {
    return instance_.bounds.magnitude + instance_.matrices.penalty * int64_t{instance_.facilities};
}

const BoundData& QapProblem::bound_data() const {
    return bound_data_.get([this] {
        const bool is_rounded = instance_.owner && !instance_.resolution.exact;
        return std::make_unique<BoundData>(instance_.matrices, fixed_, magnitude(), instance_.name,
                                           is_rounded ? instance_.owner.get() : nullptr);
    });
}

qapfw_instance_bound QapProblem::bound_of_instance(const sdk::StopQuestion& stop) const {
    return qap::bound_of_instance(instance_.matrices, fixed_, magnitude(), stop);
}

/// The cost by the trace formulation, O(n^3). If the run must end during the computation, late_cost() computes
/// the same cost in O(n^2).
int64_t QapProblem::cost_by_trace(const std::uint16_t* p) const {
    const std::optional<int64_t> cost = trace_cost(instance_.matrices, p, stop_);
    return cost ? *cost : late_cost(p);
}

int64_t QapProblem::cost_directly(const std::uint16_t* p) const {
    if (!child_costs_.made()) {
        try {
            child_costs(stop_);
        } catch (const sdk::Stopped&) {
            return late_cost(p);
        }
    }
    return child_costs().of(p);
}

/// Computes a cost while the run ends. The first 32 calls use the definition. The next call prepares data for fast
/// evaluations. With n = 2000 the preparation takes as long as about 30 costs from the definition.
int64_t QapProblem::late_cost(const std::uint16_t* p) const {
    constexpr std::uint32_t kFew = 32;
    const bool few = !child_costs_.made() && late_.fetch_add(1, std::memory_order_relaxed) < kFew;
    return few ? qap::evaluate(instance_.matrices, p) : child_costs().of(p);
}

void QapProblem::fill_info() {
    const QapMatrices& matrices = instance_.matrices;
    const Reduction* reduction = instance_.reduction.get();
    const bool fixed = fixed_.count > 0;
    if (fixed) fixed_.completion.resize(encoding_.c_encoding().solution_bytes / sizeof(uint16_t), 0);
    const std::string resolution = instance_.resolution.describe();
    summary_ = fmt::format(
        "n = {}, {}{}{}{}{}{}{}{}{}", matrices.n, reduction ? reduction->summary() + ", " : std::string{},
        instance_.source,
        instance_.facilities < matrices.n ? fmt::format(", {} facilities, the rest dummies", instance_.facilities)
                                          : std::string{},
        fixed ? fmt::format(", {} fixed", fixed_.count) : std::string{}, instance_.has_linear ? ", linear costs" : "",
        matrices.forbidden.empty()
            ? std::string{}
            : fmt::format(", {} forbidden pairs", std::ranges::count(matrices.forbidden, std::uint8_t{1})),
        instance_.sense < 0 ? ", maximised" : "", by_trace_ ? ", costs by the trace formulation" : "",
        resolution.empty() ? resolution : ", " + resolution);
    info_.struct_size = sizeof info_;
    info_.n = matrices.n;
    info_.encoding =
        encoding_.c_encoding(fixed ? fixed_.mask.data() : nullptr, fixed ? fixed_.completion.data() : nullptr);
    info_.cost_kind = QAPFW_COST_INT64;
    info_.sense = reduction ? reduction->sense() : instance_.sense;
    info_.display_divisor = reduction ? reduction->divisor() : instance_.resolution.divisor;
    info_.instance = instance_.name.c_str();
    info_.summary = summary_.c_str();
    info_.fingerprint = fingerprint(matrices, fixed_);
    info_.has_lower_bound = 1;
    info_.lower_bound.i = instance_.bounds.lower;
    if (!instance_.best_known || fixed) return;  // the value is for the instance with all facilities free
    const BestKnown& best = *instance_.best_known;
    best_known_source_ =
        fmt::format("{}{}{}{}", best.optimal ? "optimal, " : "", best.source, best.date.empty() ? "" : ", ", best.date);
    info_.has_best_known = 1;
    info_.best_known.i = best.value;
    info_.best_known_source = best_known_source_.c_str();
    info_.best_known_is_optimal = best.optimal ? 1 : 0;
}

double QapProblem::owner_bound(std::int64_t bound) const {
    const Resolution& resolution = instance_.resolution;
    const double offset = info_.sense * instance_.owner->constant;
    if (resolution.exact) return static_cast<double>(bound) / static_cast<double>(resolution.divisor) + offset;
    return (static_cast<double>(bound) - resolution.rounding) * resolution.unit + offset;
}

void QapProblem::fill_owner_info() {
    if (!instance_.owner) return;
    owner_info_ = info_;
    owner_info_.cost_kind = QAPFW_COST_FLOAT64;
    owner_info_.display_divisor = 1;
    owner_info_.lower_bound.f = owner_bound(info_.lower_bound.i);
    owner_info_.best_known.f = owner_bound(info_.best_known.i);
}

double QapProblem::owner_cost(const void* solution) const {
    const std::uint16_t* const p = sdk::permutation_of(solution);
    require_permutation(p, info_.n);
    // Forbidden pairs occur only during a run; improve_owner_cost() removes them.
    const auto penalties = static_cast<double>(forbidden_pairs(p)) * static_cast<double>(instance_.matrices.penalty);
    return info_.sense * instance_.owner->cost(p) + penalties * instance_.resolution.owner_unit();
}

void QapProblem::improve_owner_cost(void* solution, const sdk::StopQuestion& stop) const {
    std::uint16_t* const p = sdk::permutation_of(solution);
    if (forbidden_pairs(p) > 0) {
        const std::vector<std::uint16_t> feasible =
            feasible_assignment(instance_.matrices.forbidden, info_.n, fixed_, instance_.source, {p, info_.n});
        std::copy(feasible.begin(), feasible.end(), p);
    }
    const auto may_swap = [&](std::uint32_t i, std::uint32_t j) {
        if (fixed_.count > 0 && (fixed_.is_fixed(i) || fixed_.is_fixed(j))) return false;
        return !is_forbidden(i, p[j]) && !is_forbidden(j, p[i]);
    };
    descend(*instance_.owner, info_.sense, {p, info_.n}, may_swap, stop);
}

void QapProblem::evaluate(const qapfw_batch& batch) const {
    for (std::uint64_t k = 0; k < batch.count; ++k) {
        const auto* p = sdk::permutation_of(
            sdk::solution_at(static_cast<const void*>(batch.solutions), info_.encoding.solution_bytes, k));
        require_permutation(p, info_.n);
        batch.costs[k].i = by_trace_ ? cost_by_trace(p) : cost_directly(p);
    }
}

void QapProblem::evaluate_children(const qapfw_batch& parents, const qapfw_batch& children) const {
    const std::uint64_t bytes = info_.encoding.solution_bytes;
    for (std::uint64_t k = 0; k < children.count; ++k) {
        const auto* parent =
            sdk::permutation_of(sdk::solution_at(static_cast<const void*>(parents.solutions), bytes, k));
        const auto* child =
            sdk::permutation_of(sdk::solution_at(static_cast<const void*>(children.solutions), bytes, k));
        children.costs[k].i = by_trace_ ? cost_by_trace(child) : child_costs().after(parent, parents.costs[k].i, child);
    }
}

SolutionFrame QapProblem::solution_frame() const {
    SolutionFrame frame;
    frame.locations = info_.n;
    frame.facilities = instance_.reduction ? info_.n : instance_.facilities;
    frame.facility_names = &instance_.facility_names;
    frame.location_names = &instance_.location_names;
    frame.maximises = info_.sense < 0;
    frame.raw_cost = [this](const uint16_t* p) { return static_cast<double>(qap::evaluate(instance_.matrices, p)); };
    frame.cost = [this](const uint16_t* p) {
        if (instance_.owner) return instance_.owner->cost(p);
        return info_.sense * static_cast<double>(qap::evaluate(instance_.matrices, p)) /
               static_cast<double>(info_.display_divisor);
    };
    frame.complete = [this](std::vector<uint32_t>& location_of) {
        std::vector<bool> taken(location_of.size(), false);
        for (const uint32_t location : location_of) {
            if (location != SolutionFrame::kOpen) taken[location] = true;
        }
        for (uint32_t i = 0; fixed_.count > 0 && i < location_of.size(); ++i) {
            if (!fixed_.is_fixed(i) || location_of[i] != SolutionFrame::kOpen || taken[fixed_.location(i)]) continue;
            location_of[i] = fixed_.location(i);
            taken[location_of[i]] = true;
        }
        for (std::size_t i = 0; i < location_of.size(); ++i) {
            for (uint32_t k = 0; k < taken.size() && location_of[i] == SolutionFrame::kOpen; ++k) {
                if (!taken[k] && !is_forbidden(static_cast<uint32_t>(i), k)) location_of[i] = k;
            }
            if (location_of[i] != SolutionFrame::kOpen) taken[location_of[i]] = true;
        }
    };
    return frame;
}

void QapProblem::read_solution(std::string_view text, void* solution) const {
    const QapSolution read = read_solution_text(text, "solution", solution_frame());
    if (!read.remark.empty()) host_.info("the solution: " + read.remark);
    if (!read.warning.empty()) host_.warn("the solution: " + read.warning);
    std::fill_n(static_cast<unsigned char*>(solution), info_.encoding.solution_bytes, std::uint8_t{0});
    std::copy(read.p.begin(), read.p.end(), sdk::permutation_of(solution));
}

/// A solution's cost in the owner's numbers (those that the user gave), with all digits.
std::string QapProblem::solution_cost(const std::uint16_t* p, qapfw_cost cost) const {
    if (instance_.owner) return fmt::format("{}", instance_.owner->cost(p));
    if (info_.display_divisor == 1) return std::to_string(info_.sense * cost.i);
    return fmt::format("{}", info_.sense * static_cast<double>(cost.i) / static_cast<double>(info_.display_divisor));
}

void QapProblem::write_artefacts(const void* solution, qapfw_cost cost, const sdk::Emit& emit) const {
    const std::uint16_t* p = sdk::permutation_of(solution);
    emit("solution.sln", "text/plain", to_solution_text(solution_cost(p, cost), {p, p + info_.n}));
    if (can_be_drawn(instance_)) {
        emit("assignment.svg", "image/svg+xml", write_assignment_svg(instance_, p, solution_cost(p, cost)));
    }
    if (!instance_.reduction) return;
    check_answer(*instance_.reduction, {p, info_.n}, cost.i);
    const AnswerFile file = instance_.reduction->file({p, info_.n});
    emit(file.name.c_str(), "text/plain", file.text);
}

void QapProblem::assignment(const void* solution, const sdk::EmitAssigned& emit) const {
    if (instance_.reduction) return;
    const std::uint16_t* p = sdk::permutation_of(solution);
    for (std::uint32_t i = 0; i < instance_.facilities; ++i) {
        const auto name = [](const std::vector<std::string>& names, std::uint32_t index) {
            return index < names.size() ? names[index].c_str() : nullptr;
        };
        emit(i, p[i], name(instance_.facility_names, i), name(instance_.location_names, p[i]));
    }
}

void QapProblem::draw(const void* solution, const sdk::Emit& emit) const {
    if (!instance_.reduction) return;
    const Placement p(sdk::permutation_of(solution), info_.n);
    check_answer(*instance_.reduction, p, qap::evaluate(instance_.matrices, p.data()));
    emit("answer.txt", "text/plain", instance_.reduction->describe(p));
}

const qapfw_device_problem& QapProblem::device() const {
    if (by_trace_) {
        throw Error(
            ErrorKind::kInput,
            "costs by the trace formulation are for the CPU: choose problem.formulation = \"direct\", which gives "
            "the same costs, or device.backend = \"cpu\"");
    }
    if (!device_) device_ = std::make_unique<DeviceProblem>(instance_.matrices, fixed_, equals_);
    return device_->describe();
}

std::uint32_t QapProblem::searches_on(const qapfw_device& gpu) const {
    return device_ ? device_->searches_on(gpu) : 0;
}

void QapProblem::list_instances(const sdk::Host& host, const sdk::Emit& emit) {
    InstanceSearch search;
    search.data_directories = data_folders(host);
    for (const InstanceListing& listing : qap::list_instances(search)) {
        const std::string row =
            fmt::format("{}\t{}\t{}", listing.n, listing.best_known ? listing.best_known->value : "-", listing.source);
        emit(listing.name.c_str(), "text/plain", row);
    }
}

void QapProblem::recognise(const sdk::Host& host, const std::string& reference, const sdk::Emit& emit) {
    InstanceSearch search;
    search.data_directories = data_folders(host);
    for (const Recognised& way : recognise_instance(reference, search)) {
        emit(way.what.c_str(), "text/plain", way.parameters);
    }
}

void QapProblem::write_instance(const sdk::Emit& emit) const {
    for (const InstanceFile& file : to_files(instance_)) emit(file.name.c_str(), file.media_type, file.text);
    if (instance_.sense < 0)
        host_.info("the written file does not say that costs are maximised: solve the file with --maximize");
    if (instance_.owner && instance_.owner->constant != 0) {
        host_.info(
            fmt::format("the written file does not say that a constant is added to all costs: solve the file "
                        "with --set problem.constant={}",
                        instance_.owner->constant));
    }
    if (fixed_.count > 0) {
        host_.info(fmt::format("the written file does not say that {} {} fixed: solve the file with --fixed",
                               fixed_.count, fixed_.count == 1 ? "facility is" : "facilities are"));
    }
    if (!instance_.facility_names.empty() || !instance_.location_names.empty())
        host_.info("the written file leaves out the names of facilities and locations; it numbers both from 1");
}

}  // namespace qapfw::qap
