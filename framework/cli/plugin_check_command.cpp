// SPDX-License-Identifier: Apache-2.0
// `qapfw plugin check`: the trial that every plugin library goes through (a child process loads it), then the
// conformance suite.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/installation.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/config/component_choice.hpp"
#include "framework/conformance/fixture.hpp"
#include "framework/conformance/sanitizers.hpp"
#include "framework/conformance/suite.hpp"
#include "framework/host/log.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "framework/record/json_parts.hpp"

namespace qapfw::framework {
namespace {

using conformance::Case;
using conformance::Outcome;
using conformance::Subject;
using conformance::Verdict;

/// Prints the outcome of each check at once, or collects all outcomes and prints them as JSON at the end.
class Report {
  public:
    explicit Report(bool json) : json_(json) {}

    void add(const std::string& component, const Case& test, const Outcome& outcome) {
        ++counts_[static_cast<std::size_t>(outcome.verdict)];
        lines_.push_back({{"component", component},
                          {"case", test.id},
                          {"description", test.description},
                          {"verdict", conformance::name_of(outcome.verdict)},
                          {"detail", outcome.detail},
                          {"seconds", outcome.seconds}});
        if (json_) return;
        const std::string detail =
            outcome.detail.empty() ? std::string() : fmt::format("\n          {}", outcome.detail);
        print(fmt::format("{:<5} {} {:<26} {}{}\n", conformance::name_of(outcome.verdict), component, test.id,
                          test.description, detail));
    }
    bool passed() const { return bad() == 0; }
    void finish() const {
        if (json_) {
            print_raw(
                Json({{"passed", passed()}, {"cases", lines_}}).dump(2, ' ', false, Json::error_handler_t::replace) +
                "\n");
        } else {
            print(
                fmt::format("{} passed, {} failed, {} skipped\n", count(Verdict::kPass), bad(), count(Verdict::kSkip)));
        }
    }

  private:
    std::size_t count(Verdict verdict) const { return counts_[static_cast<std::size_t>(verdict)]; }
    std::size_t bad() const { return count(Verdict::kFail) + count(Verdict::kCrash) + count(Verdict::kHang); }

    bool json_;
    Json lines_ = Json::array();
    std::size_t counts_[5] = {};
};

bool has_kind(const Registry& registry, std::uint32_t kind) {
    return std::any_of(registry.components().begin(), registry.components().end(),
                       [kind](const Component& component) { return component.descriptor->kind == kind; });
}

/// Prefix of the keys for the problem that a solver or improver is tested with.
constexpr std::string_view kOfProblem = "problem.";

[[noreturn]] void refuse(const std::string& sentence) {
    throw Error(ErrorKind::kUsage, sentence);
}

void refuse_unknown_parameters(const CheckOptions& options, const Registry& registry) {
    for (const auto& [key, value] : options.parameters) {
        if (!options.problem.empty() && key.starts_with(kOfProblem)) continue;  // subject_of() checks this key
        std::string known;
        bool found = false;
        for (const Component& component : registry.components()) {
            const qapfw_component& descriptor = *component.descriptor;
            found = found || has_parameter(descriptor, key);
            for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k)
                known += fmt::format(" {}", parameter_at(descriptor, k).name);
        }
        if (!found) {
            refuse(fmt::format("--set {}: no component of the library has this parameter; known:{}", key,
                               known.empty() ? " none" : known));
        }
    }
}

/// Name of a component in the report: "solver tabu".
std::string name_of(const Component& component) {
    return fmt::format("{} {}", kind_name(component.descriptor->kind), component.descriptor->id);
}

/// Throws Error(kUsage) if an option applies to no component of the library, or if --only names no test.
void refuse_unknown(const CheckOptions& options, const Registry& registry) {
    if (registry.components().empty()) return;  // the report says why the library has no components
    refuse_unknown_parameters(options, registry);
    const bool has_problem = has_kind(registry, QAPFW_KIND_PROBLEM), has_solver = has_kind(registry, QAPFW_KIND_SOLVER);
    const bool has_algorithm = has_solver || has_kind(registry, QAPFW_KIND_IMPROVER);
    if (!options.problem.empty() && !has_algorithm) {
        refuse(fmt::format("--problem {}: the library has no solver or improver to try on it", options.problem));
    }
    if (!options.instance.empty() && options.problem.empty() && !has_problem) {
        refuse(fmt::format("--instance {}: the library has no problem of its own; name one with --problem",
                           options.instance));
    }
    if (options.iterations > 0 && !has_solver) {
        refuse(fmt::format("--iterations {}: the library has no solver", options.iterations));
    }
    std::set<std::string> ids{"loads"};
    bool any = std::string("loads").find(options.only) != std::string::npos;
    for (const Component& component : registry.components()) {
        std::vector<std::string> own{"name-is-free", "was-tried"};
        for (const Case& test : conformance::cases_for(component.descriptor->kind)) own.emplace_back(test.id);
        any = any || std::any_of(own.begin(), own.end(), [&](const std::string& id) {
                  return fmt::format("{} {}", name_of(component), id).find(options.only) != std::string::npos;
              });
        ids.insert(own.begin(), own.end());
    }
    if (!any) {
        throw Error(ErrorKind::kUsage, fmt::format("--only {}: no test has this text in its full name, such as "
                                                   "\"solver tabu solve-stops\"; tests: {}",
                                                   options.only, fmt::join(ids, ", ")));
    }
}

using Given = std::vector<std::pair<std::string, std::string>>;

/// Returns the parameters that the user gave and the component has. For a problem under test, adds --instance.
Given given_for(const qapfw_component& component, const CheckOptions& options) {
    Given given;
    for (const auto& [key, value] : options.parameters) {
        if (has_parameter(component, key)) given.emplace_back(key, value);
    }
    const bool is_subject = component.kind == QAPFW_KIND_PROBLEM && options.problem.empty();
    if (is_subject && !options.instance.empty()) given.emplace_back("instance", options.instance);
    return given;
}

/// A component of another plugin with the same kind and id; null: there is none.
const Component* namesake_of(const Component& component, const Registry& others) {
    for (const Component& other : others.components()) {
        const bool same_name = other.descriptor->kind == component.descriptor->kind &&
                               std::string(other.descriptor->id) == component.descriptor->id;
        if (same_name && std::string(other.plugin->id) != component.plugin->id) return &other;
    }
    return nullptr;
}

void report_name(Report& report, const std::string& name, const Component& component, const Registry& others) {
    const Case test{"name-is-free", "No other plugin has a component of the same kind and name.", nullptr};
    const Component* other = namesake_of(component, others);
    if (other == nullptr) {
        report.add(name, test, {});
        return;
    }
    const std::string sentence =
        fmt::format("{} (plugin {}) has a {} \"{}\" too; qapfw uses at most one of the two, so give yours another id",
                    other->path.string(), other->plugin->id, kind_name(other->descriptor->kind), other->descriptor->id);
    report.add(name, test, {Verdict::kFail, sentence, 0});
}

/// The folder of the emulated GPUs; empty if they are not installed.
std::filesystem::path emulated_devices() {
    const std::filesystem::path folder = installation_prefix() / "lib/qapfw/emulated_cuda";
    std::error_code error;
    return std::filesystem::exists(folder / "libcuda.so", error) ? folder : std::filesystem::path();
}

/// Reports whether the sanitizers also check device code.
void report_sanitized_kernels(Report& report) {
    const std::string why_not = conformance::why_kernels_are_not_sanitized(emulated_devices());
    report.add("library",
               {"device-code-sanitized", "The sanitizers check device code too, not only host code.", nullptr},
               {why_not.empty() ? Verdict::kPass : Verdict::kSkip, why_not, 0});
}

/// The component to test, its parameters, and the problem of --problem. Throws Error if that problem is not found, or
/// if --set names a parameter that the problem does not have.
Subject subject_of(const Component& component, const CheckOptions& options, const Registry& others) {
    Subject subject{component, given_for(*component.descriptor, options), data_paths(options.common)};
    subject.iterations = options.iterations;
    subject.always_emulated = options.sanitize;
    subject.emulated_devices = emulated_devices();
    if (options.problem.empty() || component.descriptor->kind == QAPFW_KIND_PROBLEM) return subject;
    subject.problem = &others.find(QAPFW_KIND_PROBLEM, options.problem);
    if (!options.instance.empty()) subject.problem_parameters.emplace_back("instance", options.instance);
    for (const auto& [key, value] : options.parameters) {
        if (!key.starts_with(kOfProblem)) continue;
        const std::string own = key.substr(kOfProblem.size());
        if (!has_parameter(*subject.problem->descriptor, own))
            refuse(fmt::format("--set {}: problem {} has no parameter {}", key, options.problem, own));
        subject.problem_parameters.emplace_back(own, value);
    }
    return subject;
}

/// Some components do not support the suite's own problem. For such a component, returns the same subject with another
/// problem: the slicing trees of uaflp. Returns nothing if the component does not support slicing trees either, or if
/// uaflp is not found.
std::optional<Subject> substitute_for(const Subject& subject, const Registry& others) {
    const char* encodings = subject.component.descriptor->encodings;
    if (encodings == nullptr || !accepts_encoding(encodings, "permutation+values")) return std::nullopt;
    for (const Component& other : others.components()) {
        if (other.descriptor->kind != QAPFW_KIND_PROBLEM || std::string_view(other.descriptor->id) != "uaflp") continue;
        Subject substitute = subject;
        substitute.problem = &other;
        substitute.problem_parameters = {{"instance", "F8"}, {"structure", "slicing"}};
        return substitute;
    }
    return std::nullopt;
}

/// Runs a case and returns its outcome. If the first case that runs the component (`is_first`) is skipped, this case is
/// tried again with the substitute's problem. If the second try is not skipped, all later cases use that problem too.
Outcome run_case(const Case& test, Subject& subject, bool is_first, const Registry& others,
                 std::chrono::seconds limit) {
    const auto run_on = [&](const Subject& one) { return conformance::run_in_child([&] { test.run(one); }, limit); };
    Outcome outcome = run_on(subject);
    if (!is_first || outcome.verdict != Verdict::kSkip || subject.problem != nullptr) return outcome;
    std::optional<Subject> substitute = substitute_for(subject, others);
    if (!substitute) return outcome;
    Outcome other = run_on(*substitute);
    if (other.verdict == Verdict::kSkip) return outcome;
    subject.problem = substitute->problem;
    subject.problem_parameters = substitute->problem_parameters;
    if (other.detail.empty())
        other.detail =
            "the component declines the suite's own problem, so it is tried on uaflp with structure = \"slicing\"";
    return other;
}

/// Throws Error(kUsage) if the instance that the user names cannot be read.
void refuse_bad_instance(const CheckOptions& options, const Subject& subject) {
    const bool is_problem = subject.component.descriptor->kind == QAPFW_KIND_PROBLEM;
    if (options.instance.empty() || (!is_problem && subject.problem == nullptr)) return;
    const auto open = [&] {
        try {
            Host host(1, subject.data_paths);
            Choice choice = is_problem
                                ? conformance::subject_choice(subject, host)
                                : conformance::complete_choice(*subject.problem, subject.problem_parameters, host);
            const Problem problem(host, choice, false);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::kPlugin || error.kind() == ErrorKind::kInternal) throw;
            throw conformance::Skip(error.what());
        }
    };
    const Outcome outcome = conformance::run_in_child(open, std::chrono::seconds(options.seconds));
    if (outcome.verdict == Verdict::kSkip) refuse(fmt::format("--instance {}: {}", options.instance, outcome.detail));
}

/// Adds the case "was-tried". It fails if no case ran the component, since a report without failures would mislead.
void report_that_it_ran(Report& report, const std::string& name, bool ran, const std::string& why) {
    const Case test{"was-tried", "At least one case used the component itself, not only its descriptor.", nullptr};
    if (ran)
        report.add(name, test, {});
    else
        report.add(name, test, {Verdict::kFail, "only the descriptor was checked: " + why, 0});
}

void check_component(Report& report, const Component& component, const CheckOptions& options, const Registry& others) {
    const std::uint32_t kind = component.descriptor->kind;
    Subject subject = subject_of(component, options, others);
    const std::string name = name_of(component);
    const auto is_wanted = [&](const char* id) {
        return fmt::format("{} {}", name, id).find(options.only) != std::string::npos;
    };
    if (is_wanted("name-is-free")) report_name(report, name, component, others);
    bool ran = false, is_first = kind != QAPFW_KIND_PROBLEM;
    std::string why;
    for (const Case& test : conformance::cases_for(kind)) {
        if (!is_wanted(test.id)) continue;
        const bool is_of_descriptor = conformance::looks_at_descriptor(test);
        const Outcome outcome =
            run_case(test, subject, is_first && !is_of_descriptor, others, std::chrono::seconds(options.seconds));
        is_first = is_first && is_of_descriptor;
        report.add(name, test, outcome);
        if (outcome.verdict == Verdict::kSkip && why.empty()) why = outcome.detail;
        ran = ran || (outcome.verdict != Verdict::kSkip && !is_of_descriptor);
    }
    if (options.only.empty()) report_that_it_ran(report, name, ran, why);
}

}  // namespace

int command_plugin_check(const CheckOptions& options) {
    set_console_level(LogLevel::kOff);
    std::error_code error;
    if (!std::filesystem::exists(options.library, error)) {
        throw Error(ErrorKind::kUsage, fmt::format("{}: wanted a plugin library ({}), found no such file",
                                                   options.library, "*" QAPFW_PLUGIN_SUFFIX));
    }
    if (options.sanitize) conformance::start_under_sanitizers(options.library);
    PluginSearch search;
    search.folders = {options.library};
    search.allow_writable_by_others = options.common.allow_writable_plugins;
    const Registry registry = Registry::scan(search);
    refuse_unknown(options, registry);
    const Registry others = scan_plugins(options.common, {}, false);
    for (const Component& component : registry.components())
        refuse_bad_instance(options, subject_of(component, options, others));
    Report report(options.json);
    const Case load{"loads", "The library loads and its descriptor is right.", nullptr};
    for (const Refusal& refusal : registry.refusals()) {
        report.add("library", load, {Verdict::kFail, refusal.reason, 0});
    }
    if (registry.refusals().empty()) report.add("library", load, {});
    if (options.sanitize) report_sanitized_kernels(report);
    for (const Component& component : registry.components()) check_component(report, component, options, others);
    report.finish();
    return report.passed() ? kSuccess : kCheckFailed;
}

}  // namespace qapfw::framework
