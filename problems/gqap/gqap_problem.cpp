// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/gqap_problem.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "common/text_file.hpp"
#include "problems/gqap/generator.hpp"
#include "problems/gqap/pair_lines.hpp"
#include "problems/gqap/readers.hpp"
#include "problems/gqap/solution_text.hpp"
#include "qapfw/sdk/find_file.hpp"

namespace qapfw::gqap {
namespace {

/// The first line of a drawing lists the loads if there are capacities and at most this many locations.
constexpr std::uint32_t kMostShownLoads = 8;
/// The text about a solution that is not feasible names at most this many of the overloaded locations.
constexpr std::uint32_t kMostShownBroken = 3;
constexpr std::string_view kNotFeasible = "NOT FEASIBLE: ";
/// OR-Library's files gap1 to gap12 have profits to be maximised. This is the number of the last one.
constexpr int kLastMaximised = 12;

enum Format { kAuto, kGqapFormat, kGapFormat, kGraphFormat };

std::filesystem::path file_named(const sdk::Host& host, const std::string& name) {
    return sdk::find_file(host, name, {".gqap", ".qsap", ".gap", ".graph"});
}
/// The file's name without the ending .gz.
std::filesystem::path unpacked(const std::filesystem::path& file) {
    return file.extension() == ".gz" ? file.stem() : file.filename();
}
bool is_gap_name(const std::filesystem::path& file) {
    const std::string name = unpacked(file).string();
    const bool numbered = name.size() > 4 && name.starts_with("gap") && std::isalnum(name[3]) != 0;
    return unpacked(file).extension() == ".gap" || (numbered && name.ends_with(".txt"));
}
/// True for gap1 to gap12, which have profits to be maximised.
bool is_maximised(const std::filesystem::path& file) {
    const std::string stem = unpacked(file).stem().string();
    for (int k = 1; k <= kLastMaximised; ++k) {
        if (stem == fmt::format("gap{}", k)) return true;
    }
    return false;
}
int format_of(const std::filesystem::path& file) {
    if (is_gap_name(file)) return kGapFormat;
    return unpacked(file).extension() == ".graph" ? kGraphFormat : kGqapFormat;
}

/// Throws for parameters that have no effect in this format, and for a graph without a number of parts.
void refuse_idle(const sdk::Parameters& parameters, const std::string& source, int format) {
    const auto refuse = [&](const char* what) { throw Error(ErrorKind::kInput, fmt::format("{}: {}", source, what)); };
    if (format != kGraphFormat && parameters.present("parts"))
        refuse("problem.parts is only for graphs, and this instance is no graph");
    if (format != kGraphFormat && parameters.real("imbalance") != kImbalance)
        refuse("problem.imbalance is only for graphs, and this instance is no graph");
    if (format != kGapFormat && parameters.integer("number") != 1)
        refuse("problem.number is only for files of OR-Library, and this instance is not from one");
    if (format != kGapFormat && parameters.boolean("maximise"))
        refuse("problem.maximise is only for files of OR-Library; end a .gqap file with a line \"maximise\" instead");
    if (format == kGraphFormat && !parameters.present("parts"))
        refuse("the number of parts is missing; set problem.parts");
}

Instance read_instance_file(const std::filesystem::path& file, const sdk::Parameters& parameters,
                            const sdk::StopQuestion& stop) {
    const std::string source = file.string();
    const auto chosen = static_cast<int>(parameters.choice("format"));
    const int format = chosen == kAuto ? format_of(file) : chosen;
    refuse_idle(parameters, source, format);
    const std::string text = common::read_text_file(file);
    Instance instance = format == kGraphFormat
                            ? read_graph(text, source, parameters.integer("parts"), parameters.real("imbalance"), stop)
                        : format == kGapFormat
                            ? read_gap(text, source, parameters.integer("number"), parameters.boolean("maximise"), stop)
                            : read_gqap(text, source, stop);
    instance.name = unpacked(file).stem().string();
    if (parameters.integer("number") > 1) instance.name += fmt::format("-{}", parameters.integer("number"));
    return instance;
}

Instance make_instance(const sdk::Host& host, const sdk::Parameters& parameters) {
    const std::string name = parameters.text("instance");
    if (is_generated(name)) refuse_idle(parameters, name, kGqapFormat);
    Instance instance =
        is_generated(name) ? generate(name) : read_instance_file(file_named(host, name), parameters, host.stop());
    instance.stop = host.stop();
    const std::string fixed = parameters.text("fixed_file");
    if (!fixed.empty()) read_fixed(instance, common::read_text_file(fixed), fixed);
    check_instance(instance);
    return instance;
}

std::uint64_t fingerprint_of(const Instance& instance) {
    std::uint64_t hash = instance.items + (std::uint64_t{instance.locations} << 32);
    const auto add = [&](const auto& values) {
        hash = XXH3_64bits_withSeed(values.data(), values.size() * sizeof values[0], hash);
    };
    add(instance.first);
    for (const Flow& flow : instance.flows) add(std::array<std::int64_t, 3>{flow.other, flow.out, flow.in});
    add(instance.distance);
    add(instance.linear);
    add(instance.weight);
    add(instance.capacity);
    add(instance.fixed);
    return hash;
}

const char* name_or_null(const std::vector<std::string>& names, std::uint32_t index) {
    return index < names.size() ? names[index].c_str() : nullptr;
}

}  // namespace

GqapProblem::GqapProblem(const sdk::Host& host, const sdk::Parameters& parameters)
    : GqapProblem(make_instance(host, parameters)) {
    if (feasible_.feasibility == Feasibility::kFound) return;
    host.info(
        "a quick search found no assignment that keeps all capacities; solvers start from assignments that exceed some "
        "capacities");
}

GqapProblem::GqapProblem(Instance instance)
    : instance_(std::move(instance)),
      cost_(instance_),
      feasible_(find_feasible(instance_)),
      encoding_(make_encoding()) {
    fill_info();
}

sdk::Encoding GqapProblem::make_encoding() const {
    if (instance_.capacity.empty() || !instance_.weighs_the_same_everywhere()) {
        return std::move(sdk::Encoding().add_values(instance_.items, instance_.locations));
    }
    std::vector<std::int64_t> weights;
    for (std::uint32_t i = 0; i < instance_.items; ++i) weights.push_back(instance_.w(i, 0));
    return std::move(sdk::Encoding().add_values(std::move(weights), instance_.capacity));
}

void GqapProblem::fill_info() {
    info_.struct_size = sizeof info_;
    info_.n = instance_.items;
    if (!instance_.fixed.empty()) {
        fixed_solution_.resize(encoding_.c_encoding().solution_bytes);
        info_.encoding = encoding_.c_encoding();
        std::vector<std::uint32_t> location_of(instance_.fixed);
        for (std::uint32_t i = 0; i < instance_.items; ++i) {
            fixed_mask_.push_back(instance_.is_fixed(i) ? 1 : 0);
            if (!instance_.is_fixed(i)) location_of[i] = 0;
        }
        store(location_of, fixed_solution_.data());
        info_.encoding = encoding_.c_encoding(fixed_mask_.data(), fixed_solution_.data());
    } else {
        info_.encoding = encoding_.c_encoding();
    }
    info_.cost_kind = QAPFW_COST_INT64;
    info_.sense = instance_.maximise ? -1 : 1;
    info_.display_divisor = 1;
    info_.instance = instance_.name.c_str();
    summary_ = fmt::format("{} items, {} locations, {} flows", instance_.items, instance_.locations,
                           instance_.flows.size() / 2);
    if (!instance_.capacity.empty() && instance_.weighs_the_same_everywhere()) {
        double weights = 0, room = 0;
        for (std::uint32_t i = 0; i < instance_.items; ++i) weights += static_cast<double>(instance_.w(i, 0));
        for (const std::int64_t capacity : instance_.capacity) room += static_cast<double>(capacity);
        summary_ += fmt::format(", the items fill {:.0f} % of the capacities", 100 * weights / std::max(room, 1.0));
    } else {
        summary_ += instance_.capacity.empty() ? ", no capacities" : ", weights by location";
    }
    info_.summary = summary_.c_str();
    info_.fingerprint = fingerprint_of(instance_);
    if (const auto known = best_known(instance_)) {
        info_.has_best_known = 1;
        info_.best_known.i = *known;
        info_.best_known_source = "instances of Cordeau et al. 2006; target of Salewski's GRASP, 2015";
    }
}

std::vector<std::uint32_t> GqapProblem::locations_of(const void* solution) const {
    const qapfw_segment& segment = info_.encoding.segments[0];
    std::vector<std::uint32_t> location_of(instance_.items);
    for (std::uint32_t i = 0; i < instance_.items; ++i) {
        location_of[i] = sdk::element_at(segment, solution, i);
        if (location_of[i] < instance_.locations) continue;
        throw Error(ErrorKind::kInput, fmt::format("item {} is at location {}, but the last location is {}", i + 1,
                                                   std::uint64_t{location_of[i]} + 1, instance_.locations));
    }
    return location_of;
}

void GqapProblem::store(const std::vector<std::uint32_t>& location_of, void* solution) const {
    std::fill_n(static_cast<unsigned char*>(solution), info_.encoding.solution_bytes, std::uint8_t{0});
    for (std::uint32_t i = 0; i < instance_.items; ++i) {
        sdk::set_element(info_.encoding.segments[0], solution, i, location_of[i]);
    }
}

void GqapProblem::evaluate(const qapfw_batch& batch) const {
    for (std::uint64_t k = 0; k < batch.count; ++k) {
        const void* const solution =
            sdk::solution_at(static_cast<const void*>(batch.solutions), info_.encoding.solution_bytes, k);
        batch.costs[k].i = cost_(locations_of(solution).data());
    }
}

void GqapProblem::read_solution(std::string_view text, void* solution) const {
    store(read_assignment(text, instance_), solution);
}

std::string GqapProblem::capacity_text(const std::vector<std::uint32_t>& location_of) const {
    if (instance_.capacity.empty()) return "there are no capacities";
    const std::vector<std::int64_t> load = loads(instance_, location_of);
    std::string beyond;
    std::uint32_t broken = 0;
    Wide all = 0;
    for (std::uint32_t k = 0; k < instance_.locations; ++k) {
        const std::int64_t excess = excess_of(load[k], instance_.capacity[k]);
        if (excess == 0) continue;
        all += excess;
        if (++broken > kMostShownBroken) continue;
        beyond += fmt::format("{}location {} holds {} ({} beyond its capacity)", beyond.empty() ? "" : ", ",
                              instance_.location_name(k), load[k], excess);
    }
    if (broken > kMostShownBroken) {
        beyond += fmt::format("; further locations beyond their capacity: {}; total weight beyond all capacities: {}",
                              broken - kMostShownBroken, static_cast<std::int64_t>(all));
    }
    return beyond.empty() ? "all capacities are kept" : std::string(kNotFeasible) + beyond;
}

void GqapProblem::draw(const void* solution, const sdk::Emit& emit) const {
    const std::vector<std::uint32_t> location_of = locations_of(solution);
    const std::vector<std::int64_t> load = loads(instance_, location_of);
    const bool bounded = !instance_.capacity.empty(), short_list = bounded && instance_.locations <= kMostShownLoads;
    std::string text = capacity_text(location_of);
    for (std::uint32_t k = 0; short_list && k < instance_.locations; ++k) {
        text +=
            fmt::format("{}{} {}/{}", k == 0 ? ": " : ", ", instance_.location_name(k), load[k], instance_.capacity[k]);
    }
    text += "\n";
    for (std::uint32_t k = 0; k < instance_.locations; ++k) {
        text += fmt::format("location {}{}:", instance_.location_name(k),
                            bounded ? fmt::format(", {} of {}", load[k], instance_.capacity[k]) : std::string());
        const char* separator = " ";
        for (std::uint32_t i = 0; i < instance_.items; ++i) {
            if (location_of[i] != k) continue;
            const char* const name = name_or_null(instance_.item_names, i);
            text += separator + (name != nullptr ? std::string(name) : std::to_string(i + 1));
            separator = ", ";
        }
        text += "\n";
    }
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' && c != '\n'; }, '?');
    emit("loads", "text/plain", text);
}

void GqapProblem::write_artefacts(const void* solution, qapfw_cost, const sdk::Emit& emit) const {
    const std::vector<std::uint32_t> location_of = locations_of(solution);
    const std::vector<std::int64_t> load = loads(instance_, location_of);
    std::string lines, table = "location,load,capacity,items\n";
    for (const std::uint32_t location : location_of) lines += fmt::format("{}\n", location);
    std::vector<std::uint32_t> count(instance_.locations, 0);
    for (const std::uint32_t location : location_of) ++count[location];
    for (std::uint32_t k = 0; k < instance_.locations; ++k) {
        const char* const name = name_or_null(instance_.location_names, k);
        table +=
            fmt::format("{},{},{},{}\n", name != nullptr ? csv_cell(name) : std::to_string(k + 1), load[k],
                        instance_.capacity.empty() ? std::string() : std::to_string(instance_.capacity[k]), count[k]);
    }
    emit("solution.txt", "text/plain", lines);
    emit("loads.csv", "text/csv", table);
}

void GqapProblem::assignment(const void* solution, const sdk::EmitAssigned& emit) const {
    const std::vector<std::uint32_t> location_of = locations_of(solution);
    for (std::uint32_t i = 0; i < instance_.items; ++i) {
        emit(i, location_of[i], name_or_null(instance_.item_names, i),
             name_or_null(instance_.location_names, location_of[i]));
    }
}

std::string GqapProblem::infeasibility(const void* solution) const {
    const std::string text = capacity_text(locations_of(solution));
    return text.starts_with(kNotFeasible) ? text.substr(kNotFeasible.size()) : std::string();
}

void GqapProblem::explain(const void* solution, const sdk::EmitPart& emit) const {
    const std::vector<std::uint32_t> location_of = locations_of(solution);
    std::vector<std::int64_t> load(instance_.locations, 0);
    std::int64_t assignments = 0;
    for (std::uint32_t i = 0; i < instance_.items; ++i) {
        load[location_of[i]] += instance_.w(i, location_of[i]);
        assignments += instance_.linear[std::size_t{i} * instance_.locations + location_of[i]];
    }
    const std::int64_t excess = cost_.excess(load);
    const std::int64_t flows = cost_(location_of.data()) - assignments - cost_.factor() * excess;
    const std::int64_t sign = instance_.maximise ? -1 : 1;
    emit("flows", static_cast<double>(sign * flows));
    emit("assignments", static_cast<double>(sign * assignments));
    if (!instance_.capacity.empty()) emit("beyond capacities", static_cast<double>(excess));
}

bool GqapProblem::feasible_start(void* solution) const {
    if (feasible_.feasibility != Feasibility::kFound || feasible_.location_of.empty()) return false;
    store(feasible_.location_of, solution);
    return true;
}

const qapfw_device_problem& GqapProblem::device() const {
    std::call_once(device_once_, [&] { device_ = std::make_unique<DeviceProblem>(cost_); });
    return device_->get();
}

void GqapProblem::list_instances(const sdk::Host&, const sdk::Emit& emit) {
    emit("gqap:30x8:65:1", "text/plain", "30\t-\tgenerated: items x locations : percent filled : seed");
}

void GqapProblem::write_instance(const sdk::Emit& emit) const {
    emit((instance_.name + ".gqap").c_str(), "text/plain", gqap_text(instance_));
}

void GqapProblem::recognise(const sdk::Host& host, const std::string& reference, const sdk::Emit& emit) {
    if (is_generated(reference)) {
        emit("an instance that is generated", "text/plain", "");
        return;
    }
    std::filesystem::path file;
    try {
        file = sdk::find_file(host, reference, {".gqap", ".qsap", ".gap"});
    } catch (const Error&) {
        return;
    }
    const std::filesystem::path ending = unpacked(file).extension();
    if (ending == ".gqap" || ending == ".qsap") emit("a generalised quadratic assignment problem", "text/plain", "");
    if (ending == ".gap") {
        emit("a generalised assignment problem of OR-Library", "text/plain", is_maximised(file) ? "maximise=true" : "");
    }
}

}  // namespace qapfw::gqap
