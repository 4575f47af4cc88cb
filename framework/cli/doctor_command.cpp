// SPDX-License-Identifier: Apache-2.0
// `qapfw doctor`: shows what this machine offers, what was found and what is missing.
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/in_processes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/device/device_manager.hpp"
#include "framework/device/device_report.hpp"
#include "framework/host/cpu_limits.hpp"
#include "framework/host/named_libraries.hpp"
#include "framework/record/json_parts.hpp"

namespace qapfw::framework {
namespace {

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    }
    return "unknown";
}

std::vector<std::string> instruction_sets() {
    std::vector<std::string> sets;
    const auto add = [&sets](bool supported, const char* name) {
        if (supported) sets.emplace_back(name);
    };
    __builtin_cpu_init();
    add(__builtin_cpu_supports("avx2") != 0, "avx2");
    add(__builtin_cpu_supports("avx512f") != 0, "avx512f");
    add(__builtin_cpu_supports("avx512bw") != 0, "avx512bw");
    add(__builtin_cpu_supports("avx512vl") != 0, "avx512vl");
    add(__builtin_cpu_supports("avx512dq") != 0, "avx512dq");
    return sets;
}

Json library_json(const LibraryReport& library) {
    if (!library.found) return {{"found", false}, {"reason", library.reason}};
    Json json = {{"found", true}, {"path", library.path}, {"version", library.version}};
    if (!library.reason.empty()) json["reason"] = library.reason;
    return json;
}

Json device_json(const DeviceReport& report) {
    Json json;
    json["built_with_cuda"] = report.built_with_cuda;
    json["driver"] = library_json(report.driver);
    json["nvrtc"] = library_json(report.nvrtc);
    json["nvml"] = library_json(report.nvml);
    json["gpus"] = Json::array();
    for (const GpuReport& gpu : report.gpus) {
        json["gpus"].push_back({{"ordinal", gpu.ordinal},
                                {"name", gpu.name},
                                {"memory_bytes", gpu.memory_bytes},
                                {"compute_capability", gpu.compute_capability},
                                {"usable", gpu.usable},
                                {"reason", gpu.reason}});
    }
    json["kernel_cache"] = {
        {"folder", report.cache_folder}, {"writable", report.cache_writable}, {"reason", report.cache_problem}};
    return json;
}

Json plugins_report(const Registry& registry) {
    Json json;
    json["found"] = Json::array();
    for (const Component& component : registry.components()) {
        json["found"].push_back(fmt::format("{} {} {} ({})", kind_name(component.descriptor->kind),
                                            component.descriptor->id, component.descriptor->version,
                                            component.path.string()));
    }
    json["refused"] = Json::array();
    for (const Refusal& refusal : registry.refusals()) json["refused"].push_back(refusal.reason);
    json["user_folder"] = user_plugin_folder().string();
    json["folders"] = Json::array();
    for (const auto& folder : default_plugin_folders()) json["folders"].push_back(folder.string());
    return json;
}

Json data_report(const CommonOptions& options) {
    Json json = Json::array();
    for (const auto& path : data_paths(options)) {
        std::error_code error;
        std::size_t files = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path, error)) {
            if (entry.is_regular_file(error)) ++files;
        }
        json.push_back(
            {{"folder", path.string()}, {"exists", std::filesystem::is_directory(path, error)}, {"files", files}});
    }
    return json;
}

Json mpi_report() {
    Json json;
    json["component"] = "";
    json["found"] = false;
    try {
        const std::filesystem::path path = mpi_component();
        json["component"] = path.string();
        if (path.empty()) {
            json["reason"] = "this build has no MPI component: no MPI was found when it was built";
            return json;
        }
        json["library"] = MpiLibrary(path).table->description();
        json["found"] = true;
    } catch (const Error& error) {
        json["reason"] = error.what();
    }
    return json;
}

/// The environment variables that name libraries to use instead of the usual ones.
Json named_libraries() {
    Json json = Json::array();
    for (const NamedLibrary& named : libraries_named_by_environment()) {
        Json entry = {{"variable", named.variable}, {"names", named.file}, {"trusted", named.refusal.empty()}};
        if (!named.refusal.empty()) entry["reason"] = named.refusal;
        json.push_back(std::move(entry));
    }
    return json;
}

Json report(const CommonOptions& options) {
    Json json;
    json["version"] = QAPFW_VERSION;
    // scan_plugins() forks, so call it before any thread or CUDA context exists.
    json["plugins"] = plugins_report(scan_plugins(options, {}, false));
    json["cpu"] = {{"model", processor_name()},
                   {"instruction_sets", instruction_sets()},
                   {"processors", affinity_processors()},
                   {"default_threads", default_thread_count()}};
    json["memory_bytes"] =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    json["data"] = data_report(options);
    json["working_folder_writable"] = access(".", W_OK) == 0;
    json["cuda"] = device_json(report_devices());
    json["mpi"] = mpi_report();
    json["libraries_named_by_environment"] = named_libraries();
    return json;
}

std::string mpi_text(const Json& mpi) {
    if (!mpi["found"].get<bool>()) {
        return fmt::format("Several processes\n  not possible: {}\n", mpi["reason"].get<std::string>());
    }
    return fmt::format("Several processes\n  {}\n  mpirun -n K qapfw run ... splits one run among K processes ({})\n",
                       mpi["library"].get<std::string>(), mpi["component"].get<std::string>());
}

std::string library_line(const char* name, const Json& library) {
    if (!library["found"].get<bool>())
        return fmt::format("  {:<8} missing: {}\n", name, library["reason"].get<std::string>());
    const std::string problem = library.contains("reason") ? ", but: " + library["reason"].get<std::string>() : "";
    return fmt::format("  {:<8} {} ({}){}\n", name, library["version"].get<std::string>(),
                       library["path"].get<std::string>(), problem);
}

std::string cuda_text(const Json& cuda) {
    if (!cuda["built_with_cuda"].get<bool>()) {
        return "GPU\n  this build has only the cpu backend: the CUDA toolkit was not found when it was built\n";
    }
    std::string text = "GPU\n" + library_line("driver", cuda["driver"]) + library_line("nvrtc", cuda["nvrtc"]) +
                       library_line("nvml", cuda["nvml"]);
    if (cuda["gpus"].empty()) text += "  no GPU found: runs use the CPU\n";
    for (const Json& gpu : cuda["gpus"]) {
        const auto capability = gpu["compute_capability"].get<std::uint32_t>();
        text += fmt::format("  GPU {}    {}, {:.0f} GiB, compute capability {}.{}{}\n", gpu["ordinal"].get<int>(),
                            gpu["name"].get<std::string>(),
                            static_cast<double>(gpu["memory_bytes"].get<std::uint64_t>()) / (1u << 30), capability / 10,
                            capability % 10,
                            gpu["usable"].get<bool>() ? "" : ": not usable: " + gpu["reason"].get<std::string>());
    }
    const Json& cache = cuda["kernel_cache"];
    return text + fmt::format("  kernel cache {}{}\n", cache["folder"].get<std::string>(),
                              cache["writable"].get<bool>() ? ", private to this user"
                                                            : ": not used: " + cache["reason"].get<std::string>());
}

std::string named_text(const Json& libraries) {
    if (libraries.empty()) return {};
    std::string text = "\nLibraries named by the environment\n";
    for (const Json& library : libraries) {
        text += library["trusted"].get<bool>() ? fmt::format("  {}={}\n", library["variable"].get<std::string>(),
                                                             library["names"].get<std::string>())
                                               : fmt::format("  refused: {}\n", library["reason"].get<std::string>());
    }
    return text;
}

std::string report_text(const Json& json) {
    const Json& cpu = json["cpu"];
    std::string sets;
    for (const Json& set : cpu["instruction_sets"]) sets += fmt::format(" {}", set.get<std::string>());
    std::string text =
        fmt::format("qapfw {}\n\nCPU\n  {}\n  instruction sets:{}\n", json["version"].get<std::string>(),
                    cpu["model"].get<std::string>(), sets.empty() ? " no vector extension in use" : sets);
    text += fmt::format("  {} processors may be used (affinity mask), {} threads by default\n",
                        cpu["processors"].dump(), cpu["default_threads"].dump());
    text += fmt::format("  {:.1f} GiB memory\n\n{}\n{}\nPlugins\n",
                        static_cast<double>(json["memory_bytes"].get<std::uint64_t>()) / (1u << 30),
                        cuda_text(json["cuda"]), mpi_text(json["mpi"]));
    for (const Json& plugin : json["plugins"]["found"]) text += fmt::format("  {}\n", plugin.get<std::string>());
    if (json["plugins"]["found"].empty()) text += "  none found\n";
    for (const Json& reason : json["plugins"]["refused"])
        text += fmt::format("  refused: {}\n", reason.get<std::string>());
    text += fmt::format("  your own plugins are looked for in {}\n", json["plugins"]["user_folder"].get<std::string>());
    text += named_text(json["libraries_named_by_environment"]) + "\nData\n";
    if (json["data"].empty()) text += "  no data folder: to use instances by name, set QAPFW_DATA or give --data\n";
    for (const Json& data : json["data"]) {
        text += fmt::format("  {}: {}\n", data["folder"].get<std::string>(),
                            data["exists"].get<bool>() ? data["files"].dump() + " files" : "missing");
    }
    const bool writable = json["working_folder_writable"].get<bool>();
    return text +
           (writable ? "" : "\nThe working folder is not writable: choose a folder for run records with --out.\n");
}

}  // namespace

int command_doctor(const CommonOptions& options, bool json) {
    const Json result = report(options);
    return (json ? print_raw(result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n")
                 : print(report_text(result)))
               ? kSuccess
               : kOutputError;
}

}  // namespace qapfw::framework
