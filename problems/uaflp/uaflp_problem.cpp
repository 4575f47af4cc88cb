// SPDX-License-Identifier: Apache-2.0
#include "problems/uaflp/uaflp_problem.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "problems/uaflp/recorded_values.hpp"
#include "problems/uaflp/slicing_layout.hpp"
#include "qapfw/error.hpp"
#include "qapfw/kernels/fbs_operators.hpp"

namespace qapfw::uaflp {
namespace {

/// Number of candidates that are checked and evaluated together. It limits the memory for results.
constexpr std::uint64_t kChunk = 256;

std::vector<std::string> data_folders(const sdk::Host& host) {
    const qapfw_host* table = host.get();
    return {table->data_paths, table->data_paths + table->data_path_count};
}

EvaluationOptions read_options(const sdk::Parameters& parameters) {
    constexpr Penalty kPenalties[] = {Penalty::kAdaptive, Penalty::kPower, Penalty::kFeasibleFirst};
    constexpr Orientations kOrientations[] = {Orientations::kBoth, Orientations::kAcrossWidth,
                                              Orientations::kAcrossHeight};
    EvaluationOptions options;
    options.penalty = kPenalties[parameters.choice("penalty")];
    options.exponent = parameters.real("exponent");
    options.orientations = kOrientations[parameters.choice("orientation")];
    options.tolerance = parameters.real("tolerance");
    return options;
}

const char* penalty_text(Penalty penalty) {
    switch (penalty) {
        case Penalty::kPower:
            return "power penalty";
        case Penalty::kAdaptive:
            return "adaptive penalty";
        default:
            return "feasible layouts first";
    }
}

/// The number of random layouts for the adaptive penalty: fewer for large instances, so that the layouts take less than
/// about a second.
std::uint64_t sample_size(const Evaluator& evaluator) {
    const std::uint64_t work = evaluator.size() + evaluator.view().pairs + 1;
    return std::clamp<std::uint64_t>(100'000'000 / work, 32, 1024);
}

/// Returns V_feas - V_all (see AdaptivePenalty) of `count` random layouts. Each layout is evaluated twice, without a
/// penalty and with Penalty::kFeasibleFirst, because the two evaluations may choose different orientations. If the best
/// layout is feasible, V_feas - V_all is 0; the function then returns the least cost, so that a penalty remains.
double sampled_gap(const UaflpInstance& instance, EvaluationOptions options, std::uint64_t count) {
    constexpr std::uint32_t kStream = 83;
    const auto n = static_cast<std::uint32_t>(instance.size());
    std::vector<std::uint16_t> perm(n);
    std::vector<std::uint8_t> bits(n - 1);
    AdaptivePenalty seen;
    double least = std::numeric_limits<double>::infinity();
    for (const Penalty penalty : {Penalty::kNone, Penalty::kFeasibleFirst}) {
        options.penalty = penalty;
        const Evaluator evaluator(instance, options);
        for (std::uint64_t k = 0; k < count; ++k) {
            kernels::fbs_randomize(kernels::fbs_solution(perm.data(), bits.data()), n, 0, 0, 0,
                                   static_cast<std::uint32_t>(k), kStream);
            const Evaluation found = evaluator.evaluate(perm, bits);
            seen.observe(found);
            least = std::min(least, found.cost);
        }
    }
    return seen.gap() > 0 ? seen.gap() : least;
}

/// True if layouts are slicing trees. Throws if bays are demanded for an instance with practical rules, since
/// bays cannot keep these. If the run names slicing_local_search or no algorithm, the framework has already replaced
/// "auto" by "slicing".
bool is_slicing(const sdk::Parameters& parameters, const UaflpInstance& instance) {
    if (parameters.is_auto("structure")) return instance.is_practical();
    const bool slicing = parameters.choice("structure") == 1;
    if (!slicing && instance.is_practical()) {
        throw Error(ErrorKind::kUsage, fmt::format("{} has rules beyond areas, shapes and flows; layouts in bays "
                                                   "cannot keep these: set problem.structure = \"slicing\"",
                                                   instance.source));
    }
    return slicing;
}

/// The encoding of slicing trees of n departments: a permutation and genes.
sdk::Encoding tree_encoding(std::uint32_t n) {
    std::vector<std::uint32_t> bounds;
    for (std::uint32_t k = 1; k < n; ++k) bounds.push_back(kernels::slicing_gene_values(k));
    return std::move(sdk::Encoding::permutation(n).add_values(std::move(bounds)));
}

/// Throws if one of the solutions is not valid; `seen` is all false before and after.
void require_solutions(const SolutionBatch& batch, std::size_t n, std::vector<std::uint8_t>& seen) {
    for (std::size_t k = 0; k < batch.count; ++k) {
        const std::byte* at = batch.bytes + k * batch.stride;
        const std::span perm(reinterpret_cast<const std::uint16_t*>(at + batch.perm_offset), n);
        const std::span bits(reinterpret_cast<const std::uint8_t*>(at + batch.bits_offset), n - 1);
        bool valid = true;
        for (const std::uint16_t d : perm) valid = valid && d < n && seen[d]++ == 0;
        for (const std::uint8_t bit : bits) valid = valid && bit <= 1;
        if (!valid) check_solution(n, perm, bits);  // throws with the reason
        std::fill(seen.begin(), seen.end(), std::uint8_t{0});
    }
}

class Hash {
  public:
    Hash() : state_(XXH3_createState(), XXH3_freeState) { XXH3_64bits_reset(state_.get()); }
    template <class T>
    void add(const T& value) {
        static_assert(std::is_arithmetic_v<T>);  // a number has no padding bytes, which could differ between runs
        XXH3_64bits_update(state_.get(), &value, sizeof value);
    }
    std::uint64_t digest() const { return XXH3_64bits_digest(state_.get()); }

  private:
    std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state_;
};

}  // namespace

UaflpProblem::UaflpProblem(const sdk::Host& host, const sdk::Parameters& parameters)
    : instance_(load_instance(parameters.text("instance"), data_folders(host))),
      options_(read_options(parameters)),
      evaluator_(instance_, options_),
      float_evaluator_(parameters.choice("precision") == 0 ? nullptr
                                                           : std::make_unique<FloatEvaluator>(instance_, options_)),
      flow_rows_(evaluator_.view()),
      slicing_(is_slicing(parameters, instance_) ? std::make_unique<SlicingEvaluator>(instance_, options_) : nullptr),
      encoding_(slicing_ ? tree_encoding(static_cast<std::uint32_t>(instance_.size()))
                         : sdk::Encoding::permutation_and_bays(static_cast<std::uint32_t>(instance_.size()))) {
    if (slicing_ && float_evaluator_) {
        throw Error(ErrorKind::kUsage,
                    "problem.precision = \"float\" is for layouts in bays: set problem.structure = \"bays\", or leave "
                    "precision out");
    }
    if (slicing_) describe_slicing();
    if (options_.penalty == Penalty::kAdaptive) fix_adaptive_gap(host);
    fill_info();
}

/// Sets V_feas - V_all of the adaptive penalty. The cost of a layout must not change during a run. So both values come
/// from random layouts, which are the same in every run.
void UaflpProblem::fix_adaptive_gap(const sdk::Host& host) {
    const std::uint64_t count = sample_size(evaluator_);
    const double gap = sampled_gap(instance_, options_, count);
    evaluator_.set_adaptive_gap(gap);
    if (float_evaluator_) float_evaluator_->set_adaptive_gap(gap);
    if (slicing_) slicing_->set_adaptive_gap(gap);
    host.info(
        fmt::format("adaptive penalty: V_feas - V_all is taken as {:.6g}, computed from {} random layouts; V_feas is "
                    "the least cost of the feasible layouts, V_all the least cost of all layouts",
                    gap, count));
}

void UaflpProblem::fill_info() {
    summary_ = fmt::format("n = {}, plant {} x {}, {}, {} pairs with flow, {}{}, {}", instance_.size(), instance_.width,
                           instance_.height, instance_.metric == Metric::kEuclidean ? "euclidean" : "rectilinear",
                           evaluator_.view().pairs, penalty_text(options_.penalty),
                           slicing_           ? ", slicing trees"
                           : float_evaluator_ ? ", float on GPUs"
                                              : "",
                           instance_.source);
    info_.struct_size = sizeof info_;
    info_.n = static_cast<std::uint32_t>(instance_.size());
    info_.encoding = encoding_.c_encoding();
    info_.cost_kind = QAPFW_COST_FLOAT64;
    info_.sense = 1;
    info_.display_divisor = 1;
    info_.instance = instance_.name.c_str();
    info_.summary = summary_.c_str();
    info_.fingerprint = fingerprint();
    fill_best_known();
}

/// Sets the best known value. A value of docs/records is for exactly this instance and options. A published value is
/// used only with Penalty::kFeasibleFirst; with another penalty an infeasible layout may have a lower objective. A
/// published layout in bays must also have an orientation that is tried. Published values are rounded to four decimals.
/// So half a unit of the last decimal is added, or 1e-5 of a cost below 5. Then the published layout itself reaches the
/// value.
void UaflpProblem::fill_best_known() {
    if (const RecordedValue* record = recorded_value(info_.fingerprint)) {
        const double rounding = 1e-12 * std::abs(record->cost);  // sums in another order may differ by rounding
        return set_best_known(record->cost + rounding, fmt::format("docs/records, {}", record->date));
    }
    const std::optional<BestKnown>& known = slicing_ ? instance_.best_known_slicing : instance_.best_known;
    if (!known || options_.penalty != Penalty::kFeasibleFirst) return;
    const BestKnown& best = *known;
    const auto is_side = [&](double side) { return std::abs(best.bay_height - side) <= 1e-6 * side; };
    if (!slicing_ && !(tries(0) && is_side(instance_.height)) && !(tries(1) && is_side(instance_.width))) return;
    const bool small = std::abs(best.cost) < 5;
    set_best_known(small ? best.cost * (1 + 1e-5) : std::nearbyint((best.cost + 0.5e-4) * 1e5) / 1e5,
                   fmt::format("{} beside the instance gives the rounded value {} ({})",
                               slicing_ ? "best_known_slicing.csv" : "best_known.csv", best.cost, best.status));
}

void UaflpProblem::set_best_known(double cost, std::string source) {
    best_known_source_ = std::move(source);
    info_.has_best_known = 1;
    info_.best_known.f = cost;
    info_.best_known_source = best_known_source_.c_str();
}

std::uint64_t UaflpProblem::fingerprint() const {
    Hash hash;
    hash.add(instance_.width);
    hash.add(instance_.height);
    hash.add(static_cast<int>(instance_.metric));
    for (const Department& d : instance_.departments) {
        hash.add(d.area);
        hash.add(d.rule.max_aspect_ratio);
        hash.add(d.rule.min_side);
    }
    for (const double flow : instance_.flow) hash.add(flow);
    hash.add(static_cast<int>(options_.penalty));
    hash.add(options_.exponent);
    hash.add(static_cast<int>(options_.orientations));
    hash.add(options_.tolerance);
    if (float_evaluator_) hash.add(sizeof(float));
    if (slicing_) hash.add('s');
    if (slicing_) slicing_->practice().add_to([&](double number) { hash.add(number); });
    return hash.digest();
}

void UaflpProblem::evaluate_trees(const qapfw_batch& batch) const {
    SlicingWorkspace workspace(slicing_->view());
    for (std::uint64_t k = 0; k < batch.count; ++k) {
        const SlicingCode read = code(sdk::solution_at(batch.solutions, info_.encoding.solution_bytes, k));
        check_code(info_.n, read.perm, read.genes);
        batch.costs[k].f = slicing_->evaluate(read.perm, read.genes, workspace).objective;
    }
}

void UaflpProblem::evaluate(const qapfw_batch& batch) const {
    if (slicing_) return evaluate_trees(batch);
    std::vector<std::uint8_t> seen(info_.n, 0);
    std::vector<Evaluation> results(std::min(batch.count, kChunk));
    const std::uint64_t stride = info_.encoding.solution_bytes;
    for (std::uint64_t first = 0; first < batch.count; first += kChunk) {
        SolutionBatch chunk;
        chunk.bytes = static_cast<const std::byte*>(batch.solutions) + first * stride;
        chunk.count = std::min(kChunk, batch.count - first);
        chunk.stride = stride;
        chunk.bits_offset = info_.encoding.segments[1].offset;
        require_solutions(chunk, info_.n, seen);
        evaluator_.evaluate_batch(chunk, {results.data(), chunk.count});
        for (std::uint64_t k = 0; k < chunk.count; ++k) batch.costs[first + k].f = results[k].objective;
    }
}

const qapfw_device_problem& UaflpProblem::device() const {
    const std::size_t bits_offset = info_.encoding.segments[1].offset;
    if (!device_ && slicing_) device_ = std::make_unique<DeviceProblem>(*slicing_);
    if (!device_) {
        device_ = float_evaluator_ ? std::make_unique<DeviceProblem>(*float_evaluator_, bits_offset)
                                   : std::make_unique<DeviceProblem>(evaluator_, bits_offset);
    }
    return device_->describe();
}

void UaflpProblem::read_solution(std::string_view text, void* solution) const {
    if (slicing_) return write_code(read_slicing_json(instance_, text, "layout", options_), solution);
    const LayoutSolution read = read_layout_json(instance_, text, "layout");
    const bool square = instance_.width == instance_.height;
    if (read.orientation && !square && !tries(*read.orientation)) {
        throw Error(
            ErrorKind::kInput,
            fmt::format(
                "the layout has bays of height {}, but with problem.orientation = \"{}\" such layouts are not tried",
                *read.orientation == 0 ? instance_.height : instance_.width,
                *read.orientation == 0 ? "second" : "first"));
    }
    auto* bytes = static_cast<std::uint8_t*>(solution);
    std::fill_n(bytes, info_.encoding.solution_bytes, std::uint8_t{0});
    std::copy(read.perm.begin(), read.perm.end(), sdk::permutation_of(solution));
    std::copy(read.bits.begin(), read.bits.end(), bytes + info_.encoding.segments[1].offset);
}

std::span<const std::uint16_t> UaflpProblem::permutation(const void* solution) const {
    return {sdk::permutation_of(solution), info_.n};
}

std::span<const std::uint8_t> UaflpProblem::bits(const void* solution) const {
    return {static_cast<const std::uint8_t*>(solution) + info_.encoding.segments[1].offset, info_.n - 1};
}

SlicingCode UaflpProblem::code(const void* solution) const {
    SlicingCode code;
    const auto perm = permutation(solution);
    code.perm.assign(perm.begin(), perm.end());
    const qapfw_segment& genes = info_.encoding.segments[1];
    for (std::uint32_t k = 0; k < genes.length; ++k) {
        code.genes.push_back(static_cast<std::uint16_t>(sdk::element_at(genes, solution, k)));
    }
    return code;
}

void UaflpProblem::write_code(const SlicingCode& code, void* solution) const {
    const qapfw_segment& genes = info_.encoding.segments[1];
    auto* bytes = static_cast<std::uint8_t*>(solution);
    std::fill_n(bytes, info_.encoding.solution_bytes, std::uint8_t{0});
    std::copy(code.perm.begin(), code.perm.end(), sdk::permutation_of(solution));
    for (std::uint32_t k = 0; k < genes.length; ++k) {
        std::memcpy(bytes + genes.offset + std::size_t{k} * genes.element_bytes, &code.genes[k], genes.element_bytes);
    }
}

void UaflpProblem::describe_slicing() {
    const kernels::SlicingView& view = slicing_->view();
    slicing_data_.struct_size = sizeof slicing_data_;
    slicing_data_.departments = view.departments;
    slicing_data_.rows = view.rows;
    slicing_data_.stride = view.stride;
    slicing_data_.euclidean = view.euclidean;
    slicing_data_.roots = view.roots;
    slicing_data_.space_count = static_cast<std::uint32_t>(slicing_->spaces().size());
    for (std::uint32_t root = 0; root < view.roots; ++root) {
        slicing_data_.root_width[root] = view.root_width[root];
        slicing_data_.root_height[root] = view.root_height[root];
    }
    slicing_data_.area = view.area;
    slicing_data_.longest = view.longest;
    slicing_data_.row = view.row;
    slicing_data_.flow = view.flow;
    slicing_data_.spaces = slicing_->spaces().data();
    describe_practice();
}

void UaflpProblem::describe_practice() {
    const kernels::SlicingPractice& practice = slicing_->view().practice;
    for (std::uint32_t k = 0; k < practice.rules; ++k) {
        const kernels::SlicingRule& rule = practice.rule[k];
        slicing_rules_.push_back({rule.kind,
                                  rule.first,
                                  rule.second,
                                  0,
                                  {rule.number[0], rule.number[1], rule.number[2], rule.number[3]},
                                  rule.tolerance,
                                  rule.scale});
    }
    slicing_data_.rule_count = practice.rules;
    slicing_data_.point_count = practice.points;
    slicing_data_.place_count = practice.places;
    slicing_data_.floors = practice.floors;
    slicing_data_.lift_count = practice.lifts;
    slicing_data_.floor_width = practice.floor_width;
    slicing_data_.floor_pitch = practice.floor_pitch;
    slicing_data_.floor_travel = practice.floor_travel;
    slicing_data_.rules = slicing_rules_.data();
    slicing_data_.points = practice.point;
    slicing_data_.places = practice.place;
    slicing_data_.flexible = practice.flexible;
    slicing_data_.anchors = practice.anchor;
    slicing_data_.lifts = practice.lift;
}

Layout UaflpProblem::layout(const void* solution) const {
    if (slicing_) {
        const SlicingCode read = code(solution);
        return make_slicing_layout(instance_, read.perm, read.genes, options_);
    }
    return make_layout(instance_, permutation(solution), bits(solution), options_);
}

void UaflpProblem::write_artefacts(const void* solution, qapfw_cost, const sdk::Emit& emit) const {
    const Layout found = layout(solution);
    emit("layout.json", "application/json", write_layout_json(instance_, found));
    emit("layout.svg", "image/svg+xml", write_layout_svg(instance_, found));
    emit("layout-flows.svg", "image/svg+xml", write_layout_svg(instance_, found, {.flows = true}));
    emit("layout.dxf", "image/vnd.dxf", write_layout_dxf(instance_, found));
}

void UaflpProblem::draw(const void* solution, const sdk::Emit& emit) const {
    emit("layout.txt", "text/plain", draw_layout_terminal(instance_, layout(solution)));
}

void UaflpProblem::recognise(const sdk::Host& host, const std::string& reference, const sdk::Emit& emit) {
    const std::string what = recognise_instance(reference, data_folders(host));
    if (!what.empty()) emit(what.c_str(), "text/plain", "");
}

void UaflpProblem::list_instances(const sdk::Host& host, const sdk::Emit& emit) {
    const std::vector<std::string> folders = data_folders(host);
    for (const std::string& name : uaflp::list_instances(folders)) {
        std::string row;
        try {
            const UaflpInstance instance = load_instance(name, folders);
            row =
                fmt::format("{}\t{}\t{}", instance.size(),
                            instance.best_known ? fmt::format("{}", instance.best_known->cost) : "-", instance.source);
        } catch (const Error& error) {
            row = fmt::format("-\t-\t{}", error.what());  // a bad file must not hide the others
        }
        emit(name.c_str(), "text/plain", row);
    }
    for (const unsigned n : {40u, 60u, 80u, 100u, 120u}) {
        emit(fmt::format("F{}", n).c_str(), "text/plain",
             fmt::format("{}\t-\tgenerated, like every name F<n> or F<n>-s<seed>", n));
    }
}

void UaflpProblem::write_instance(const sdk::Emit& emit) const {
    emit((instance_.name + ".toml").c_str(), "application/toml", instance_to_toml(instance_));
}

}  // namespace qapfw::uaflp
