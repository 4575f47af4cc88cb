// SPDX-License-Identifier: Apache-2.0
// `qapfw plugin check`: the trial that every library goes through, then the conformance suite.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "framework/cli/commands.hpp"
#include "framework/cli/conformance.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/host/log.hpp"
#include "framework/record/json_parts.hpp"

namespace qapfw::framework {
namespace {

using conformance::Case;
using conformance::Outcome;
using conformance::Subject;
using conformance::Verdict;

std::vector<Case> cases_for(uint32_t kind) {
    std::vector<Case> cases;
    const auto add = [&cases](std::span<const Case> more) { cases.insert(cases.end(), more.begin(), more.end()); };
    add(conformance::component_cases());
    if (kind == QAPFW_KIND_PROBLEM) {
        add(conformance::problem_cases());
        add(conformance::neighbourhood_cases());
        add(conformance::child_cost_cases());
    } else {
        add(kind == QAPFW_KIND_SOLVER ? conformance::solver_cases() : conformance::improver_cases());
    }
    return cases;
}

/// Prints as it goes, or collects JSON.
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
            print(Json({{"passed", passed()}, {"cases", lines_}}).dump(2) + "\n");
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

}  // namespace

int command_plugin_check(const CheckOptions& options) {
    set_console_level(LogLevel::kOff);
    PluginSearch search;
    search.folders = {options.library};
    search.allow_writable_by_others = options.common.allow_writable_plugins;
    const Registry registry = Registry::scan(search);
    Report report(options.json);
    const Case load{"loads", "The library loads and its descriptor is right.", nullptr};
    for (const Refusal& refusal : registry.refusals()) {
        report.add("library", load, {Verdict::kFail, refusal.reason, 0});
    }
    if (registry.refusals().empty()) report.add("library", load, {});
    for (const Component& component : registry.components()) {
        const uint32_t kind = component.descriptor->kind;
        const Subject subject{component,
                              kind == QAPFW_KIND_PROBLEM ? options.parameters : decltype(options.parameters){},
                              data_paths(options.common)};
        for (const Case& test : cases_for(kind)) {
            if (std::string(test.id).find(options.only) == std::string::npos) continue;
            const std::string name = fmt::format("{} {}", kind_name(kind), component.descriptor->id);
            report.add(name, test,
                       conformance::run_in_child([&] { test.run(subject); }, std::chrono::seconds(options.seconds)));
        }
    }
    report.finish();
    return report.passed() ? kSuccess : kCheckFailed;
}

}  // namespace qapfw::framework
