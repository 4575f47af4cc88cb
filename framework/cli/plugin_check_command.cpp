// SPDX-License-Identifier: Apache-2.0
// `qapfw plugin check`: the trial that every library goes through, then the conformance suite.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/config/component_choice.hpp"
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
            print_raw(Json({{"passed", passed()}, {"cases", lines_}}).dump(2) + "\n");
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

/// Throws Error(kUsage) for what the user asked for and no component of the library has.
void refuse_unknown(const CheckOptions& options, const Registry& registry) {
    for (const auto& [key, value] : options.parameters) {
        std::string known;
        bool found = false;
        for (const Component& component : registry.components()) {
            const qapfw_component& descriptor = *component.descriptor;
            if (descriptor.kind != QAPFW_KIND_PROBLEM) continue;
            found = found || has_parameter(descriptor, key);
            for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k)
                known += fmt::format(" {}", parameter_at(descriptor, k).name);
        }
        if (!found && !registry.components().empty()) {
            throw Error(ErrorKind::kUsage,
                        fmt::format("--set {}: no problem of the library has this parameter; known:{}", key,
                                    known.empty() ? " none" : known));
        }
    }
    std::set<std::string> ids{"loads"};
    for (const Component& component : registry.components())
        for (const Case& test : conformance::cases_for(component.descriptor->kind)) ids.insert(test.id);
    const bool any =
        std::any_of(ids.begin(), ids.end(), [&](const std::string& id) { return id.find(options.only) != id.npos; });
    if (!any) {
        throw Error(ErrorKind::kUsage, fmt::format("--only {}: no case's name contains this; cases: {}", options.only,
                                                   fmt::join(ids, ", ")));
    }
}

}  // namespace

int command_plugin_check(const CheckOptions& options) {
    set_console_level(LogLevel::kOff);
    std::error_code error;
    if (!std::filesystem::exists(options.library, error)) {
        throw Error(ErrorKind::kUsage, fmt::format("{}: wanted a plugin library ({}), found no such file",
                                                   options.library, "*" QAPFW_PLUGIN_SUFFIX));
    }
    PluginSearch search;
    search.folders = {options.library};
    search.allow_writable_by_others = options.common.allow_writable_plugins;
    const Registry registry = Registry::scan(search);
    refuse_unknown(options, registry);
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
        for (const Case& test : conformance::cases_for(kind)) {
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
