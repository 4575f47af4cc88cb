// SPDX-License-Identifier: Apache-2.0
// `qapfw instance list|show|export|convert`. All but `list` need a problem plugin with a parameter `instance`; all but
// `show` need the plugin's functions for instances (QAPFW_PROBLEM_INSTANCES).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/output_file.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/config/component_choice.hpp"
#include "framework/host/plugin_call.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "framework/problem/problem_recognition.hpp"
#include "framework/record/json_parts.hpp"

namespace qapfw::framework {
namespace {

/// Appends a file that a problem exports, or an instance that a problem lists, to the vector `user`.
void collect(void* user, const char* name, const char* media_type, const void* bytes, std::uint64_t size) {
    static_cast<std::vector<Artefact>*>(user)->push_back(
        {name, media_type != nullptr ? media_type : "", std::string(static_cast<const char*>(bytes), size)});
}

const qapfw_problem_instances& instances_of(const Component& component) {
    const auto get = component.descriptor->get_capability;
    const void* table = get == nullptr ? nullptr : get(QAPFW_PROBLEM_INSTANCES);
    if (table == nullptr) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("problem {} can neither list nor export instances", component.descriptor->id));
    }
    return *static_cast<const qapfw_problem_instances*>(table);
}

std::vector<std::string> split_tabs(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == '\t') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    parts.resize(std::max<std::size_t>(parts.size(), 3));
    return parts;
}

/// The problem, opened with the instance that the options name.
struct OpenInstance {
    Registry registry;
    Choice choice;
    Host host;
    Problem problem;

    explicit OpenInstance(const InstanceOptions& options)
        : registry(scan_plugins(options.common, {}, false)),
          choice(make_choice(registry, options)),
          host(1, data_paths(options.common)),
          problem(host, choice) {}

  private:
    static Choice make_choice(const Registry& registry, const InstanceOptions& options) {
        auto given = options.parameters;
        std::string id = options.problem;
        if (id.empty()) {
            std::vector<std::string> keys;
            for (const auto& [key, value] : given) keys.push_back(key);
            const RecognisedInstance found =
                recognise_instance(options.instance, registry, data_paths(options.common), keys);
            id = found.problem;
            for (const auto& [key, value] : found.parameters) {
                const auto same = [&key = key](const auto& parameter) { return parameter.first == key; };
                if (std::none_of(given.begin(), given.end(), same)) given.emplace_back(key, value);
            }
        }
        const Component& component = registry.find(QAPFW_KIND_PROBLEM, id);
        if (!has_parameter(*component.descriptor, "instance")) {
            throw Error(ErrorKind::kUsage,
                        fmt::format("problem {} has no parameter \"instance\", which this command needs", id));
        }
        given.emplace_back("instance", options.instance);
        return choose_component(component, given);
    }
};

Json info_json(const Problem& problem) {
    const qapfw_problem_info& info = problem.info();
    const CostSpace& costs = problem.costs();
    Json json;
    json["instance"] = info.instance;
    json["n"] = info.n;
    json["summary"] = info.summary;
    json["encoding"] = encoding_pattern(info.encoding);
    json["cost"] = costs.kind == QAPFW_COST_FLOAT64 ? "float64" : "int64";
    json["sense"] = costs.sense > 0 ? "minimise" : "maximise";
    json["fingerprint"] = hex_text(info.fingerprint);
    json["best_known"] = info.has_best_known != 0 ? shown_json(costs, info.best_known) : Json();
    json["best_known_source"] = info.best_known_source != nullptr ? Json(info.best_known_source) : Json();
    json["lower_bound"] = info.has_lower_bound != 0 ? shown_json(costs, info.lower_bound) : Json();
    return json;
}

/// Path for a file that the problem calls `name`. If `output` ends with "/" or is a folder, the file goes into that
/// folder, which is made if it is missing.
/// Throws Error(kUsage) if the ending of `output` means another format than the problem writes.
std::filesystem::path export_path(const std::filesystem::path& output, const std::filesystem::path& name) {
    std::error_code error;
    if (!output.has_filename()) std::filesystem::create_directories(output, error);  // "exp/"
    if (error) throw Error(ErrorKind::kIo, fmt::format("{}: {}", output.string(), error.message()));
    if (std::filesystem::is_directory(output, error)) return output / name;
    if (!output.extension().empty() && !name.extension().empty() && output.extension() != name.extension()) {
        throw Error(ErrorKind::kUsage, fmt::format("{}: wanted a name that ends in {}, the format that is written",
                                                   output.string(), name.extension().string()));
    }
    return output;
}

/// Files named by the problem's parameters.
std::vector<std::filesystem::path> named_inputs(const Choice& choice) {
    std::vector<std::filesystem::path> inputs;
    const qapfw_component& descriptor = *choice.component->descriptor;
    for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(descriptor, k);
        const bool is_path =
            (parameter.flags & QAPFW_PARAMETER_PATH) != 0 || std::string_view(parameter.name) == "instance";
        if (const std::string& text = choice.parameters.values()[k].text; is_path && !text.empty())
            inputs.emplace_back(text);
    }
    return inputs;
}

/// True if the file lies in a data folder and has the instance's name. Then the instance is read from this file.
bool is_of_data(const std::filesystem::path& file, const InstanceOptions& options) {
    std::error_code error;
    const std::filesystem::path canonical = std::filesystem::canonical(file, error);
    if (error || (canonical.stem() != options.instance && canonical.filename() != options.instance)) return false;
    const std::string path = canonical.string();
    const auto folders = data_paths(options.common);
    return std::any_of(folders.begin(), folders.end(), [&](const std::filesystem::path& folder) {
        const std::string beginning = std::filesystem::canonical(folder, error).string() + "/";
        return !error && path.starts_with(beginning);
    });
}

/// Throws Error(kUsage) if one of the targets is a file from which the instance is read, or a link to such a file.
void refuse_overwriting_input(const Choice& choice, const InstanceOptions& options,
                              const std::vector<std::filesystem::path>& targets) {
    const auto inputs = named_inputs(choice);
    for (const std::filesystem::path& target : targets) {
        const bool is_read = std::any_of(inputs.begin(), inputs.end(), [&](const std::filesystem::path& input) {
            std::error_code error;
            return std::filesystem::equivalent(input, target, error) && !error;
        });
        if (is_read || is_of_data(target, options)) {
            throw Error(ErrorKind::kUsage, fmt::format("{}: the instance is read from this file, and an export would "
                                                       "replace it; name another file",
                                                       target.string()));
        }
    }
}

/// The format for the ending of the file's name, as a value of a problem's parameter `written_as`.
std::string format_of(const std::string& file) {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending == ".graph" || ending == ".metis") return "metis";
    if (ending == ".grf") return "scotch";
    if (ending == ".mtx") return "matrix_market";
    if (ending == ".csv") return "edges";
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: a name that ends in .graph, .metis, .grf, .mtx or .csv was wanted", file));
}

}  // namespace

int command_instance_convert(const InstanceOptions& options) {
    InstanceOptions more = options;
    const auto has = [&](const char* key) {
        return std::any_of(more.parameters.begin(), more.parameters.end(),
                           [&](const auto& p) { return p.first == key; });
    };
    if (!has("distance")) more.parameters.emplace_back("distance", "none");
    more.parameters.emplace_back("written_as", format_of(options.output));
    return command_instance_export(more);
}

int command_instance_list(const InstanceOptions& options) {
    const Registry registry = scan_plugins(options.common, {}, false);
    const std::string id = options.problem.empty() ? "qap" : options.problem;
    const Component& component = registry.find(QAPFW_KIND_PROBLEM, id);
    Host host(1, data_paths(options.common));
    const HostTable table(host, "problem " + id, {});
    std::vector<Artefact> found;
    call_plugin(table.owner(), "list", [&] { return instances_of(component).list(table.table(), collect, &found); });
    Json json = Json::array();
    std::string text = fmt::format("{:<16} {:>5}  {:>14}  {}\n", "instance", "n", "best known", "from");
    for (const Artefact& instance : found) {
        const auto parts = split_tabs(instance.bytes);
        json.push_back({{"instance", instance.name}, {"n", parts[0]}, {"best_known", parts[1]}, {"from", parts[2]}});
        text += fmt::format("{:<16} {:>5}  {:>14}  {}\n", instance.name, parts[0], parts[1], parts[2]);
    }
    return (options.json ? print_raw(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n") : print(text))
               ? kSuccess
               : kOutputError;
}

int command_instance_show(const InstanceOptions& options) {
    const OpenInstance open(options);
    const Json json = info_json(open.problem);
    if (options.json)
        return print_raw(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n") ? kSuccess : kOutputError;
    std::string text;
    for (const auto& [key, value] : json.items()) {
        if (!value.is_null())
            text += fmt::format("{:<18} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    return print(text) ? kSuccess : kOutputError;
}

int command_instance_export(const InstanceOptions& options) {
    const OpenInstance open(options);
    const qapfw_problem_instances& instances = instances_of(*open.choice.component);
    std::vector<Artefact> files;
    call_plugin(open.problem.owner(), "write_instance",
                [&] { return instances.write_instance(open.problem.ref()->problem, collect, &files); });
    const bool printed = options.output.empty() || options.output == "-";
    const std::filesystem::path output(options.output);
    if (files.size() > 1 && (printed || (output.has_filename() && !std::filesystem::is_directory(output)))) {
        std::string names;
        for (const Artefact& file : files) names += (names.empty() ? "" : ", ") + file.name;
        throw Error(ErrorKind::kUsage,
                    fmt::format("the instance takes {} files ({}): name a folder with -o, as in -o folder/",
                                files.size(), names));
    }
    std::vector<std::filesystem::path> targets;
    for (const Artefact& file : files) targets.push_back(printed ? "-" : export_path(options.output, file.name));
    if (!printed) refuse_overwriting_input(open.choice, options, targets);
    for (std::size_t k = 0; k < files.size(); ++k) write_output(targets[k].string(), files[k].bytes);
    return kSuccess;
}

}  // namespace qapfw::framework
