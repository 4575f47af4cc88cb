// SPDX-License-Identifier: Apache-2.0
#include "framework/problem/problem_recognition.hpp"

#include "common/nearest_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "framework/config/component_choice.hpp"
#include "framework/config/document.hpp"
#include "framework/host/plugin_call.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "framework/problem/problem.hpp"

namespace qapfw::framework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInstance = "instance";

std::vector<const qapfw_component*> problems_with_instances(const Registry& registry) {
    std::vector<const qapfw_component*> problems;
    for (const Component& component : registry.components()) {
        const qapfw_component& descriptor = *component.descriptor;
        if (descriptor.kind == QAPFW_KIND_PROBLEM && has_parameter(descriptor, kInstance))
            problems.push_back(&descriptor);
    }
    return problems;
}

template <class Table>
const Table* capability(const qapfw_component& component, const char* id) {
    const auto get = component.get_capability;
    return get == nullptr ? nullptr : static_cast<const Table*>(get(id));
}

/// True if the problem has the capability to recognise instances.
bool can_be_asked(const Component& problem) {
    return capability<qapfw_problem_recognition>(*problem.descriptor, QAPFW_PROBLEM_RECOGNITION) != nullptr;
}

/// Reads "key=value" lines.
std::vector<std::pair<std::string, std::string>> read_parameters(const std::string& lines) {
    std::vector<std::pair<std::string, std::string>> parameters;
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        const std::string line = lines.substr(begin, end - begin);
        const std::size_t equals = line.find('=');
        if (equals != line.npos) parameters.emplace_back(line.substr(0, equals), line.substr(equals + 1));
        begin = end + 1;
    }
    return parameters;
}

void ask(const qapfw_component& problem, const std::string& reference, const std::vector<fs::path>& data_paths,
         std::vector<RecognisedInstance>& ways) {
    const auto* table = capability<qapfw_problem_recognition>(problem, QAPFW_PROBLEM_RECOGNITION);
    if (table == nullptr) return;
    struct Answer {
        const char* problem;
        std::vector<RecognisedInstance>& ways;
    } answer{problem.id, ways};
    const auto take = [](void* user, const char* name, const char*, const void* bytes, std::uint64_t size) {
        auto& into = *static_cast<Answer*>(user);
        const std::string lines(static_cast<const char*>(bytes), size);
        into.ways.push_back({into.problem, name, read_parameters(lines)});
    };
    Host host(1, data_paths);
    const HostTable own(host, fmt::format("problem {}", problem.id), {});
    call_plugin(own.owner(), "recognise",
                [&] { return table->recognise(own.table(), reference.c_str(), take, &answer); });
}

std::string keys_text(const RecognisedInstance& way) {
    std::string text;
    for (const auto& [key, value] : way.parameters) text += fmt::format(", {} = \"{}\"", key, value);
    return text;
}

[[noreturn]] void fail_ambiguous(const std::string& reference, const std::vector<RecognisedInstance>& ways) {
    std::vector<std::string> texts;
    for (const RecognisedInstance& way : ways)
        texts.push_back(fmt::format("problem {} reads it as {}{}", way.problem, way.what, keys_text(way)));
    throw Error(
        ErrorKind::kInput,
        fmt::format(
            "{}: several ways to read it: {}; say which with --problem ID{}", reference, fmt::join(texts, ", "),
            ways.front().problem == ways.back().problem ? " and --set problem.KEY=VALUE" : " or [problem] plugin"));
}

/// Keeps only the ways to read the instance for which `fits` is true. Keeps all ways if `fits` is true for none.
template <class Fits>
void prefer(std::vector<RecognisedInstance>& ways, const Registry& registry, Fits&& fits) {
    std::vector<RecognisedInstance> kept;
    for (const RecognisedInstance& way : ways) {
        const Component& problem = registry.find(QAPFW_KIND_PROBLEM, way.problem);
        if (fits(*problem.descriptor, way)) kept.push_back(way);
    }
    if (!kept.empty()) ways = std::move(kept);
}

/// True if the user (`given`) or `way` sets every required parameter of the problem except `instance`.
bool needs_nothing_else(const qapfw_component& problem, const RecognisedInstance& way,
                        const std::vector<std::string>& given) {
    for (std::uint32_t k = 0; k < problem.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(problem, k);
        const std::string name = parameter.name;
        if ((parameter.flags & QAPFW_PARAMETER_REQUIRED) == 0 || name == kInstance) continue;
        const bool is_given = std::find(given.begin(), given.end(), name) != given.end() ||
                              std::any_of(way.parameters.begin(), way.parameters.end(),
                                          [&](const auto& parameter_of_way) { return parameter_of_way.first == name; });
        if (!is_given) return false;
    }
    return true;
}

bool has_all(const qapfw_component& problem, const std::vector<std::string>& keys) {
    return std::all_of(keys.begin(), keys.end(), [&](const std::string& key) { return has_parameter(problem, key); });
}

/// If only one problem has all given parameters and `ways` lacks this problem, replaces `ways` by this problem alone.
/// The problem does not know the file, but can say what is wrong with the file.
void trust_parameters(const std::string& reference, const std::vector<const qapfw_component*>& problems,
                      const std::vector<std::string>& given, std::vector<RecognisedInstance>& ways) {
    std::vector<const qapfw_component*> having;
    for (const qapfw_component* problem : problems) {
        if (has_all(*problem, given)) having.push_back(problem);
    }
    std::error_code error;
    if (having.size() != 1 || problems.size() == 1 || !fs::is_regular_file(reference, error)) return;
    const std::string only = having.front()->id;
    if (std::none_of(ways.begin(), ways.end(), [&](const RecognisedInstance& way) { return way.problem == only; }))
        ways.assign(1, {only, "", {}});
}

bool is_run_configuration(const fs::path& path) {
    if (path.extension() != ".toml") return false;
    try {
        ConfigDocument::parse_file(path, {}).check_settings();
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// The kinds of files that each problem reads, in its own words: "; problem qap takes: A QAPLIB or CSV file, ...".
std::string wanted_instances(const std::vector<const qapfw_component*>& problems) {
    std::string text;
    for (const qapfw_component* problem : problems) {
        for (std::uint32_t k = 0; k < problem->parameter_count; ++k) {
            const qapfw_parameter& parameter = parameter_at(*problem, k);
            if (parameter.name != std::string(kInstance)) continue;
            std::string_view summary = parameter.summary;
            if (summary.ends_with('.')) summary.remove_suffix(1);
            text += fmt::format("; problem {} takes: {}", problem->id, summary);
        }
    }
    return text;
}

std::vector<std::string> names_like(const std::string& reference, const std::vector<const qapfw_component*>& problems,
                                    const std::vector<fs::path>& data_paths) {
    std::vector<std::string> names;
    const auto take = [](void* user, const char* name, const char*, const void*, std::uint64_t) {
        static_cast<std::vector<std::string>*>(user)->emplace_back(name);
    };
    Host host(1, data_paths);
    for (const qapfw_component* problem : problems) {
        const auto* table = capability<qapfw_problem_instances>(*problem, QAPFW_PROBLEM_INSTANCES);
        if (table == nullptr) continue;
        const HostTable own(host, fmt::format("problem {}", problem->id), {});
        call_plugin(own.owner(), "list", [&] { return table->list(own.table(), take, &names); });
    }
    return common::nearest_names(reference, names);
}

[[noreturn]] void fail_unknown(const std::string& reference, const std::vector<const qapfw_component*>& problems,
                               const std::vector<fs::path>& data_paths) {
    const auto refusal = [&](const std::string& what) {
        return Error(ErrorKind::kInput, fmt::format("{}: {}", reference, what));
    };
    std::error_code error;
    if (fs::is_directory(reference, error)) throw refusal("an instance file was wanted, found a folder");
    if (is_run_configuration(reference))
        throw refusal(fmt::format("this is a run's configuration; start it with: qapfw run {}", reference));
    if (fs::exists(reference, error)) throw refusal("no problem knows a file like this" + wanted_instances(problems));
    if (reference.find('/') != reference.npos) throw refusal("there is no such file");
    const auto near = names_like(reference, problems, data_paths);
    throw refusal(
        fmt::format("neither a file, nor an instance in the data folders (QAPFW_DATA, --data), nor a name that a "
                    "problem generates{}",
                    near.empty() ? std::string() : fmt::format("; did you mean {}?", fmt::join(near, " or "))));
}

}  // namespace

bool can_be_made(const Component& component, const std::string& instance, const std::vector<fs::path>& data_paths) {
    try {
        Choice choice = choose_component(component, {{kInstance, instance}});
        Host host(1, data_paths);
        const Problem problem(host, choice);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

bool takes_instance(const Component& component, const std::string& instance, const std::vector<fs::path>& data_paths) {
    const qapfw_component& problem = *component.descriptor;
    if (problem.kind != QAPFW_KIND_PROBLEM || !has_parameter(problem, kInstance)) return false;
    if (!can_be_asked(component)) return can_be_made(component, instance, data_paths);
    std::vector<RecognisedInstance> ways;
    ask(problem, instance, data_paths, ways);
    return std::any_of(ways.begin(), ways.end(), [&](const RecognisedInstance& way) {
        return way.parameters.empty() && needs_nothing_else(problem, way, {});
    });
}

RecognisedInstance recognise_instance(const std::string& reference, const Registry& registry,
                                      const std::vector<fs::path>& data_paths, const std::vector<std::string>& given) {
    const auto problems = problems_with_instances(registry);
    // If no problem is loaded, `find` throws with the reason.
    if (problems.empty()) registry.find(QAPFW_KIND_PROBLEM, "qap");
    std::vector<RecognisedInstance> ways;
    for (const qapfw_component* problem : problems) ask(*problem, reference, data_paths, ways);
    if (ways.empty()) {
        // Some problems cannot be asked which instances they know. Such a problem counts if it can be created with this
        // instance.
        for (const Component& component : registry.components()) {
            if (can_be_asked(component)) continue;
            if (takes_instance(component, reference, data_paths))
                ways.push_back({component.descriptor->id, "an instance", {}});
        }
    }
    if (!given.empty()) trust_parameters(reference, problems, given, ways);
    prefer(ways, registry,
           [&](const qapfw_component& problem, const RecognisedInstance&) { return has_all(problem, given); });
    prefer(ways, registry, [&](const qapfw_component& problem, const RecognisedInstance& way) {
        return needs_nothing_else(problem, way, given);
    });
    if (ways.empty()) fail_unknown(reference, problems, data_paths);
    if (ways.size() > 1) fail_ambiguous(reference, ways);
    return std::move(ways.front());
}

}  // namespace qapfw::framework
