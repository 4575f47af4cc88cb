// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/problem.hpp"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "framework/host/plugin_call.hpp"
#include "framework/host/printable.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "qapfw/abi/assignment.h"
#include "qapfw/abi/problem.h"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Fingerprint of a problem that computes none itself: a hash of its parameters, and of the files that they name.
std::uint64_t fingerprint_of(const ParameterValues& parameters) {
    std::uint64_t hash = 1;
    const auto add = [&](const void* bytes, std::size_t size) { hash = XXH3_64bits_withSeed(bytes, size, hash); };
    for (std::size_t k = 0; k < parameters.values().size(); ++k) {
        const ParameterValues::Value& value = parameters.values()[k];
        const std::int64_t numbers[] = {value.present ? 1 : 0, value.integer};
        add(numbers, sizeof numbers);
        add(&value.real, sizeof value.real);
        for (const std::string& text : value.list) add(text.data(), text.size());
        const qapfw_parameter& declared = parameter_at(*parameters.component(), static_cast<std::uint32_t>(k));
        const bool is_path = (declared.flags & QAPFW_PARAMETER_PATH) != 0 && !value.text.empty();
        std::ifstream file;
        std::error_code error;
        if (is_path && std::filesystem::is_regular_file(value.text, error)) file.open(value.text, std::ios::binary);
        if (!file.is_open()) {
            add(value.text.data(), value.text.size());
            continue;
        }
        char block[1 << 16];
        while (file.read(block, sizeof block) || file.gcount() > 0) add(block, static_cast<std::size_t>(file.gcount()));
    }
    return hash;
}

constexpr const char* kAssignmentFile = "assignment.csv";

void collect(void* user, const char* name, const char* media_type, const void* bytes, std::uint64_t size) {
    static_cast<std::vector<Artefact>*>(user)->push_back({name != nullptr ? name : "",
                                                          media_type != nullptr ? media_type : "",
                                                          std::string(static_cast<const char*>(bytes), size)});
}

/// The lines of the text, without blank lines. Every line must consist of the same count of whole numbers,
/// at least three. Otherwise the list is empty.
std::vector<std::string> even_lines(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t words = 0;
    std::istringstream rest(text);
    for (std::string line; std::getline(rest, line);) {
        std::string spaced = line;
        std::ranges::replace_if(
            spaced, [](char c) { return c == ',' || c == ';' || c == '\t' || c == '\r'; }, ' ');
        if (spaced.find_first_not_of("0123456789 ") != std::string::npos) return {};
        std::istringstream parts(spaced);
        const auto count = static_cast<std::size_t>(std::distance(std::istream_iterator<std::string>(parts), {}));
        if (count == 0) continue;
        if (count < 3 || (!lines.empty() && count != words)) return {};
        words = count;
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

Problem::Problem(Host& host, Choice& choice, bool for_answers)
    : host_(host, std::string("problem ") + choice.component->descriptor->id,
            [&choice](const std::string& name, const qapfw_value& value) { choice.parameters.resolve(name, value); }),
      component_(choice.component->descriptor),
      table_(static_cast<const qapfw_problem_table*>(component_->table)) {
    call_plugin(owner(), "create",
                [&] { return table_->create(host_.table(), choice.parameters.c_values(), &problem_); });
    if (problem_ == nullptr) throw Error(ErrorKind::kPlugin, owner() + ": create gave no object");
    try {
        info_ = table_->info(problem_);
        check_info();
        search_costs_ = CostSpace::of(*info_);
        const auto* const owners = static_cast<const qapfw_owner_costs*>(capability(QAPFW_PROBLEM_OWNER_COSTS));
        const qapfw_problem_info* of_owner = for_answers && owners != nullptr ? owners->info(problem_) : nullptr;
        if (of_owner != nullptr) {
            owner_costs_ = owners;
            info_ = of_owner;
            check_info();
        }
    } catch (...) {
        table_->destroy(problem_);
        throw;
    }
    // The texts come from files, so make them safe to show.
    instance_ = printable(info_->instance);
    summary_ = printable(info_->summary);
    shown_info_ = *info_;
    shown_info_.instance = instance_.c_str();
    shown_info_.summary = summary_.c_str();
    if (shown_info_.fingerprint == 0) shown_info_.fingerprint = fingerprint_of(choice.parameters);
    costs_ = CostSpace::of(*info_);
    ref_ = {sizeof ref_, problem_, table_, component_->get_capability, component_->id};
}

Problem::~Problem() {
    table_->destroy(problem_);
}

void Problem::check_info() const {
    const auto refuse = [this](const std::string& what) {
        throw Error(ErrorKind::kPlugin, owner() + ": info: " + what);
    };
    if (info_ == nullptr) refuse("null");
    if (info_->n == 0) refuse("n is 0");
    if (info_->cost_kind != QAPFW_COST_INT64 && info_->cost_kind != QAPFW_COST_FLOAT64) {
        refuse(fmt::format("unknown cost kind {}", info_->cost_kind));
    }
    if (info_->sense != 1 && info_->sense != -1) refuse(fmt::format("sense must be 1 or -1, found {}", info_->sense));
    if (info_->display_divisor < 1)
        refuse(fmt::format("display_divisor must be at least 1, found {}", info_->display_divisor));
    if (info_->instance == nullptr || info_->summary == nullptr) refuse("instance and summary must not be null");
    const std::string defect = encoding_defect(info_->encoding);
    if (!defect.empty()) refuse("encoding: " + defect);
    if (info_->encoding.fixed_solution != nullptr) {
        const std::string fixed = solution_defect(info_->encoding, info_->encoding.fixed_solution);
        if (!fixed.empty()) refuse("fixed_solution is " + fixed);
    }
}

qapfw_cost Problem::evaluate(const void* solution) const {
    if (owner_costs_ == nullptr) return search_cost(solution);
    qapfw_cost cost{};
    call_plugin(owner(), "owner_costs.cost", [&] { return owner_costs_->cost(problem_, solution, &cost.f); });
    if (!costs_.is_number(cost)) throw Error(ErrorKind::kPlugin, owner() + ": owner_costs.cost gave NaN as a cost");
    return cost;
}

qapfw_cost Problem::bound_of_answers(qapfw_cost search_bound) const {
    if (owner_costs_ == nullptr) return search_bound;
    qapfw_cost bound{};
    bound.f = owner_costs_->bound(problem_, search_bound.i);
    if (!costs_.is_number(bound)) throw Error(ErrorKind::kPlugin, owner() + ": owner_costs.bound gave NaN as a bound");
    return bound;
}

void Problem::improve(void* solution) const {
    if (owner_costs_ == nullptr) return;
    call_plugin(owner(), "owner_costs.improve",
                [&] { return owner_costs_->improve(problem_, solution, nullptr, nullptr); });
}

qapfw_cost Problem::search_cost(const void* solution) const {
    qapfw_cost cost{};
    // The solutions of a qapfw_batch are not const, because improvers change them; evaluate only reads the solutions.
    const qapfw_batch batch{const_cast<void*>(solution), &cost, 1};
    call_plugin(owner(), "evaluate", [&] { return table_->evaluate(problem_, &batch); });
    if (!search_costs_.is_number(cost)) throw Error(ErrorKind::kPlugin, owner() + ": evaluate gave NaN as a cost");
    return cost;
}

SolutionBuffer Problem::read_solution(const std::string& text) const {
    const auto read = table_->read_solution;
    if (read == nullptr)
        throw Error(ErrorKind::kUsage,
                    owner() + ": it reads no solutions, so a run cannot start from one (problem.initial)");
    SolutionBuffer solution(info_->encoding.solution_bytes);
    call_plugin(owner(), "read_solution", [&] { return read(problem_, text.data(), text.size(), solution.data()); });
    const std::string defect = solution_defect(info_->encoding, solution.data());
    if (defect.empty()) return solution;
    const std::string named = misplaced(solution.data());
    throw Error(ErrorKind::kInput, owner() + ": " + (named.empty() ? defect : named));
}

std::vector<SolutionBuffer> Problem::read_solutions(const std::string& text) const {
    std::vector<SolutionBuffer> all;
    const std::vector<std::string> lines = even_lines(text);
    try {
        for (const std::string& line : lines) all.push_back(read_solution(line));
    } catch (const Error&) {
        // The text is one solution on several lines, or has a mistake. Reading it as a whole finds the mistake's
        // position.
        all.clear();
    }
    if (all.size() < 2) {
        all.clear();
        all.push_back(read_solution(text));
    }
    return all;
}

std::string Problem::misplaced(const void* solution) const {
    qapfw_encoding free = info_->encoding;
    if (free.fixed == nullptr) return {};
    free.fixed = nullptr;
    free.fixed_solution = nullptr;
    if (!solution_defect(free, solution).empty()) return {};
    const auto wanted = assignment(info_->encoding.fixed_solution), found = assignment(solution);
    for (std::size_t k = 0; k < std::min(wanted.size(), found.size()); ++k) {
        const AssignedPair& pair = wanted[k];
        const bool is_fixed = pair.facility < info_->n && info_->encoding.fixed[pair.facility] != 0;
        if (!is_fixed || pair.facility != found[k].facility || pair.location == found[k].location) continue;
        return fmt::format("the solution puts {0} at {1}, but {0} is fixed at {2}", pair.facility_text(),
                           found[k].location_text(), pair.location_text());
    }
    return {};
}

std::vector<Artefact> Problem::artefacts(const void* solution) const {
    return artefacts(solution, search_cost(solution), assignment(solution));
}

std::vector<Artefact> Problem::artefacts(const void* solution, qapfw_cost search_cost,
                                         const std::vector<AssignedPair>& pairs) const {
    std::vector<Artefact> artefacts;
    const auto write = table_->write_artefacts;
    if (write != nullptr)
        call_plugin(owner(), "write_artefacts",
                    [&] { return write(problem_, solution, search_cost, collect, &artefacts); });
    if (!pairs.empty()) artefacts.push_back({kAssignmentFile, "text/csv", assignment_csv(pairs)});
    return artefacts;
}

std::vector<AssignedPair> Problem::assignment(const void* solution) const {
    std::vector<AssignedPair> pairs;
    const auto* const table = static_cast<const qapfw_assignment*>(capability(QAPFW_PROBLEM_ASSIGNMENT));
    if (table == nullptr) return pairs;
    pairs.reserve(info_->n);
    const auto take = [](void* user, const qapfw_assigned* pair) {
        AssignedPair& taken = static_cast<std::vector<AssignedPair>*>(user)->emplace_back();
        taken.facility = pair->facility;
        taken.location = pair->location;
        if (pair->facility_name != nullptr) taken.facility_name = std::string(pair->facility_name);
        if (pair->location_name != nullptr) taken.location_name = std::string(pair->location_name);
    };
    call_plugin(owner(), "assignment", [&] { return table->assignment(problem_, solution, take, &pairs); });
    return pairs;
}

std::vector<AssignedPair> Problem::assignment_of(const SolutionValues& values) const {
    if (capability(QAPFW_PROBLEM_ASSIGNMENT) == nullptr) return {};
    return assignment(solution_of(info_->encoding, values).data());
}

std::string Problem::drawing(const void* solution) const {
    const auto draw = table_->draw;
    if (draw == nullptr) return {};
    std::vector<Artefact> parts;
    call_plugin(owner(), "draw", [&] { return draw(problem_, solution, collect, &parts); });
    std::string text;
    for (const Artefact& part : parts) text += part.bytes;
    return text;
}

const void* Problem::capability(const char* id) const {
    return component_->get_capability == nullptr ? nullptr : component_->get_capability(id);
}

bool Problem::has_approximate_device() const {
    const auto* const table =
        static_cast<const qapfw_approximate_device*>(capability(QAPFW_PROBLEM_APPROXIMATE_DEVICE));
    return table != nullptr && table->is_approximate(problem_) != 0;
}

}  // namespace qapfw::framework
