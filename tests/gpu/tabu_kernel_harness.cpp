// SPDX-License-Identifier: Apache-2.0
// Compiles the tabu kernel for many instances at run time, compares each search's whole state with the host reference
// (tabu_reference.hpp with deltas by the textbook formula), and times the kernel. Needs a GPU, except for `compile`.
//   tabu_kernel_harness ROOT compile|check|time|quality [case words ...]
// The kernels are those of the checkout ROOT, which need not be the harness's own. A case word has settings separated
// by commas (see read_settings in tabu_cases.hpp). `n=60,auto` uses the plan for n = 60. In mode `time`, the word
// `n=60,auto,pm=1,tk=132` runs 132 searches with the plan for at most one search on each multiprocessor. Other settings
// override the plan. `define=NAME` or `define=NAME:VALUE` defines a further macro, for trials.
#include <cuda.h>
#include <nvrtc.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "plugins/tabu/tabu_reference.hpp"
#include "tests/gpu/tabu_cases.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::gpu_tests;

[[noreturn]] void die(const std::string& message) {
    std::fprintf(stderr, "error: %s\n", message.c_str());
    std::_Exit(1);  // other threads may still be running
}
void require(CUresult result, const char* what) {
    if (result == CUDA_SUCCESS) return;
    const char* text = nullptr;
    cuGetErrorString(result, &text);
    die(std::string(what) + ": " + (text ? text : "?"));
}
#define CU(call) require(call, #call)

/// The texts that the program may include, by their names in #include.
std::map<std::string, std::string> read_texts(const std::filesystem::path& root) {
    std::map<std::string, std::string> texts;
    const auto add = [&](const std::filesystem::path& folder, const std::filesystem::path& relative_to) {
        if (!std::filesystem::exists(folder)) return;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".hpp" && extension != ".cuh") continue;
            std::ifstream in(entry.path());
            std::ostringstream text;
            text << in.rdbuf();
            texts[std::filesystem::relative(entry.path(), relative_to).string()] = text.str();
        }
    };
    add(root / "kernels/include", root / "kernels/include");
    add(root / "problems/qap/device", root);
    add(root / "plugins/tabu/device", root);
    add(root / "plugins/local_search/device", root);
    add(root / "tests/gpu", root);
    return texts;
}

/// Properties of the GPU for which kernels are compiled. The defaults, those of an H200, are used in
/// mode `compile` if there is no GPU.
struct Gpu {
    int capability = 90, multiprocessors = 132, shared_bytes = 232448;
};

std::string compile(const std::map<std::string, std::string>& texts, const Case& test, const Gpu& gpu) {
    std::vector<const char*> names, sources;
    for (const auto& [name, text] : texts) {
        names.push_back(name.c_str());
        sources.push_back(text.c_str());
    }
    nvrtcProgram program = nullptr;
    nvrtcCreateProgram(&program, program_text(test).c_str(), "qapfw_tabu.cu", static_cast<int>(names.size()),
                       sources.data(), names.data());
    const std::string architecture = "-arch=sm_" + std::to_string(gpu.capability);
    const char* options[] = {architecture.c_str(), "-std=c++20", "-default-device"};
    const nvrtcResult result = nvrtcCompileProgram(program, 3, options);
    size_t size = 0;
    nvrtcGetProgramLogSize(program, &size);
    std::string log(size, '\0');
    nvrtcGetProgramLog(program, log.data());
    if (result != NVRTC_SUCCESS) die(test.name() + ":\n" + log);
    nvrtcGetCUBINSize(program, &size);
    std::string cubin(size, '\0');
    nvrtcGetCUBIN(program, cubin.data());
    nvrtcDestroyProgram(&program);
    return cubin;
}

/// Compiles all cases on all cores.
std::vector<std::string> compile_all(const std::map<std::string, std::string>& texts, const std::vector<Case>& cases,
                                     const Gpu& gpu) {
    std::vector<std::string> cubins(cases.size());
    std::atomic<size_t> next{0};
    std::vector<std::thread> workers;
    for (unsigned w = 0; w < std::max(1u, std::thread::hardware_concurrency()); ++w)
        workers.emplace_back([&] {
            for (size_t i = next++; i < cases.size(); i = next++) cubins[i] = compile(texts, cases[i], gpu);
        });
    for (std::thread& worker : workers) worker.join();
    return cubins;
}

/// Copies values to device memory, which is freed at the end of the process.
template <class T>
CUdeviceptr upload(const std::vector<T>& values) {
    CUdeviceptr pointer = 0;
    CU(cuMemAlloc(&pointer, std::max<size_t>(16, values.size() * sizeof(T))));
    if (!values.empty()) CU(cuMemcpyHtoD(pointer, values.data(), values.size() * sizeof(T)));
    return pointer;
}
template <class T>
std::vector<T> download(CUdeviceptr pointer, size_t count) {
    std::vector<T> values(count);
    if (count > 0) CU(cuMemcpyDtoH(values.data(), pointer, count * sizeof(T)));
    return values;
}

struct Loaded {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    uint64_t layout[6] = {};
    int blocks_per_multiprocessor = 0, registers = 0, local = 0;
};

Loaded load(const Case& test, const std::string& cubin) {
    const bool local_search = test.search == "best" || test.search == "greedy";
    Loaded loaded;
    CU(cuModuleLoadData(&loaded.module, cubin.data()));
    CU(cuModuleGetFunction(&loaded.function, loaded.module, local_search ? "qapfw_local_search" : "qapfw_tabu_search"));
    CUdeviceptr layout = 0;
    size_t size = 0;
    CU(cuModuleGetGlobal(&layout, &size, loaded.module,
                         local_search ? "qapfw_local_search_layout" : "qapfw_tabu_layout"));
    CU(cuMemcpyDtoH(loaded.layout, layout, size));
    CU(cuFuncSetAttribute(loaded.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                          static_cast<int>(loaded.layout[0])));
    CU(cuFuncSetAttribute(loaded.function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100));
    CU(cuOccupancyMaxActiveBlocksPerMultiprocessor(&loaded.blocks_per_multiprocessor, loaded.function,
                                                   static_cast<int>(loaded.layout[1]), loaded.layout[0]));
    CU(cuFuncGetAttribute(&loaded.registers, CU_FUNC_ATTRIBUTE_NUM_REGS, loaded.function));
    CU(cuFuncGetAttribute(&loaded.local, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, loaded.function));
    return loaded;
}

View view_of(const Case& test, const Instance& instance) {
    return {upload(instance.bytes(instance.a_for_device(), test.element_bytes)),
            upload(instance.bytes(instance.b_for_device(), test.element_bytes)),
            instance.fixed() ? upload(instance.order()) : 0, 0};
}

/// Buffers and launches of one run.
struct DeviceRun {
    DeviceRun(const Loaded& loaded, const Case& test, const Instance& instance, const std::vector<uint16_t>& solutions,
              uint32_t searches)
        : loaded_(loaded), launch_{} {
        launch_.view = view_of(test, instance);
        launch_.options = test.options;
        launch_.current = upload(solutions);
        launch_.best = upload(solutions);
        launch_.expiry = upload(std::vector<int32_t>(searches * loaded.layout[4], 0x55555555));
        launch_.states = upload(std::vector<State>(searches));
        launch_.digests = upload(std::vector<uint64_t>(searches));
        launch_.workspace = upload(std::vector<char>(searches * loaded.layout[3]));
        launch_.searches = searches;
        launch_.stride = instance.n;
        launch_.flags = kStartFlag;
    }
    void run(uint64_t iterations) {
        launch_.iterations = iterations;
        void* arguments[] = {&launch_};
        const auto teams = static_cast<unsigned>(loaded_.layout[2]);
        CU(cuLaunchKernel(loaded_.function, (launch_.searches + teams - 1) / teams, 1, 1,
                          static_cast<unsigned>(loaded_.layout[1]), 1, 1, static_cast<unsigned>(loaded_.layout[0]),
                          nullptr, arguments, nullptr));
        CU(cuCtxSynchronize());
        launch_.flags = kResumeFlag;
    }
    Launch& launch() { return launch_; }

  private:
    const Loaded& loaded_;
    Launch launch_;
};

void report(const Case& test, const Loaded& loaded, bool right) {
    std::printf("%-78s regs %3d local %4d smem %6llu bps %d  %s\n", test.name().c_str(), loaded.registers, loaded.local,
                static_cast<unsigned long long>(loaded.layout[0]), loaded.blocks_per_multiprocessor,
                right ? "ok" : "WRONG");
    std::fflush(stdout);
    CU(cuModuleUnload(loaded.module));
}

/// Random solutions, one after the other.
std::vector<uint16_t> random_solutions(const Instance& instance, uint32_t count) {
    std::mt19937 random(7);
    std::vector<uint16_t> solutions;
    for (uint32_t k = 0; k < count; ++k) {
        const std::vector<uint16_t> solution = instance.random_solution(random);
        solutions.insert(solutions.end(), solution.begin(), solution.end());
    }
    return solutions;
}

/// Runs 2-opt or greedy 2-opt on the host and on the device, from the same solutions. True if all results are equal.
bool check_local_search(const Case& test, const std::string& cubin) {
    const Instance instance(test, 12345u + test.n);
    const Loaded loaded = load(test, cubin);
    const uint32_t count = test.searches;
    const std::vector<uint16_t> solutions = random_solutions(instance, count);
    LocalSearchLaunch launch{};
    launch.view = view_of(test, instance);
    launch.solutions = upload(solutions);
    launch.costs = upload(std::vector<int64_t>(count));
    launch.scans = upload(std::vector<uint64_t>(count));
    launch.workspace = upload(std::vector<char>(count * loaded.layout[3]));
    launch.limit = test.iterations;
    launch.count = count;
    launch.stride = test.n;
    launch.mode = test.search == "best" ? 0 : 1;
    void* arguments[] = {&launch};
    const auto teams = static_cast<unsigned>(loaded.layout[2]);
    CU(cuLaunchKernel(loaded.function, (count + teams - 1) / teams, 1, 1, static_cast<unsigned>(loaded.layout[1]), 1, 1,
                      static_cast<unsigned>(loaded.layout[0]), nullptr, arguments, nullptr));
    CU(cuCtxSynchronize());
    const auto found = download<uint16_t>(launch.solutions, solutions.size());
    const auto costs = download<int64_t>(launch.costs, count);
    const auto scans = download<uint64_t>(launch.scans, count);
    bool right = true;
    for (uint32_t k = 0; k < count; ++k) {
        uint64_t host_scans = 0;
        const std::vector<uint16_t> host = local_search_on_host(test, instance, &solutions[k * test.n], host_scans);
        const bool same = std::equal(host.begin(), host.end(), &found[k * test.n]) && scans[k] == host_scans &&
                          costs[k] == instance.cost(host);
        if (!same)
            std::printf("  solution %u: cost %lld after %llu scans, should be %lld after %llu\n", k,
                        static_cast<long long>(costs[k]), static_cast<unsigned long long>(scans[k]),
                        static_cast<long long>(instance.cost(host)), static_cast<unsigned long long>(host_scans));
        right = right && same;
    }
    report(test, loaded, right);
    return right;
}

/// Runs the case on the host, and on the device in parts of different lengths. True if every search agrees completely.
bool check(const Case& test, const std::string& cubin) {
    if (test.search == "best" || test.search == "greedy") return check_local_search(test, cubin);
    const Instance instance(test, 12345u + test.n);
    const Loaded loaded = load(test, cubin);
    const uint32_t searches = test.searches;
    const std::vector<uint16_t> solutions = random_solutions(instance, searches);
    DeviceRun device(loaded, test, instance, solutions, searches);
    const uint64_t total = test.iterations, first = total / 3, second = total / 7;
    for (uint64_t slice : {first, second, uint64_t{0}, total - first - second}) device.run(slice);
    const auto digests = download<uint64_t>(device.launch().digests, searches);
    const auto states = download<State>(device.launch().states, searches);
    const auto current = download<uint16_t>(device.launch().current, solutions.size());
    const auto best = download<uint16_t>(device.launch().best, solutions.size());
    std::atomic<uint32_t> next{0}, wrong{0};
    std::mutex mutex;
    std::vector<std::thread> workers;
    for (unsigned w = 0; w < std::max(1u, std::thread::hardware_concurrency()); ++w)
        workers.emplace_back([&] {
            for (uint32_t k = next++; k < searches; k = next++) {
                const HostResult host = run_on_host(test, instance, &solutions[k * test.n], k, total);
                const std::string difference =
                    compare(host, states[k], digests[k], &current[k * test.n], &best[k * test.n], test.n);
                if (difference.empty()) continue;
                ++wrong;
                const std::lock_guard lock(mutex);
                std::printf("  search %u: %s\n", k, difference.c_str());
            }
        });
    for (std::thread& worker : workers) worker.join();
    report(test, loaded, wrong == 0);
    return wrong == 0;
}

/// Prints iterations per second of all concurrent searches together: the best of three launches.
void time(const Case& test, const std::string& cubin, int multiprocessors) {
    const Instance instance(test, 12345u + test.n);
    const Loaded loaded = load(test, cubin);
    const auto capacity = static_cast<uint32_t>(loaded.layout[2]) * static_cast<uint32_t>(multiprocessors) *
                          static_cast<uint32_t>(loaded.blocks_per_multiprocessor);
    const uint32_t few = test.each * static_cast<uint32_t>(multiprocessors);
    const uint32_t searches = few > 0 ? few : test.timed > 0 ? test.timed : capacity;
    if (capacity == 0) {
        std::printf("%-78s does not fit\n", test.name().c_str());
        return;
    }
    const std::vector<uint16_t> solutions = random_solutions(instance, searches);
    DeviceRun device(loaded, test, instance, solutions, searches);
    device.run(20);
    double best = 0;
    uint64_t iterations = 200;
    for (int repeat = 0; repeat < 4; ++repeat) {
        const auto start = std::chrono::steady_clock::now();
        device.run(iterations);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const double rate = static_cast<double>(iterations) * searches / seconds;
        if (repeat > 0) best = std::max(best, rate);
        iterations = static_cast<uint64_t>(std::max(200.0, 0.12 * rate / searches));
    }
    std::printf("%-78s regs %3d local %4d smem %6llu bps %2d searches %5u  %8.1f M/s\n", test.name().c_str(),
                loaded.registers, loaded.local, static_cast<unsigned long long>(loaded.layout[0]),
                loaded.blocks_per_multiprocessor, searches, best * 1e-6);
    std::fflush(stdout);
    CU(cuModuleUnload(loaded.module));
}

/// Prints mean and minimum of the best costs of all searches after the case's iterations, to compare options.
void quality(const Case& test, const std::string& cubin, int multiprocessors) {
    const Instance instance(test, 12345u + test.n);
    const Loaded loaded = load(test, cubin);
    const auto searches = static_cast<uint32_t>(loaded.layout[2]) * static_cast<uint32_t>(multiprocessors) *
                          static_cast<uint32_t>(loaded.blocks_per_multiprocessor);
    DeviceRun device(loaded, test, instance, random_solutions(instance, searches), searches);
    device.run(test.iterations);
    const auto states = download<State>(device.launch().states, searches);
    double sum = 0;
    int64_t least = states[0].best_cost;
    for (const State& state : states) {
        sum += static_cast<double>(state.best_cost);
        least = std::min(least, state.best_cost);
    }
    std::printf("n=%u it=%u T=%d pa=%llu ps=%u rb=%u: mean best %.1f least %lld\n", test.n, test.iterations,
                test.options.tenure_range, static_cast<unsigned long long>(test.options.perturb_after),
                test.options.perturb_swaps, test.options.restart_at_best, sum / searches,
                static_cast<long long>(least));
    CU(cuModuleUnload(loaded.module));
}

/// Opens the first GPU. If there is none: the program ends if `is_needed`; else the result has default numbers.
Gpu open_gpu(bool is_needed) {
    Gpu gpu;
    CUdevice device = 0;
    CUcontext context = nullptr;
    if (!is_needed && (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS)) return gpu;
    CU(cuInit(0));
    CU(cuDeviceGet(&device, 0));
    CU(cuDevicePrimaryCtxRetain(&context, device));
    CU(cuCtxSetCurrent(context));
    int major = 0, minor = 0;
    CU(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    CU(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
    CU(cuDeviceGetAttribute(&gpu.multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
    CU(cuDeviceGetAttribute(&gpu.shared_bytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device));
    gpu.capability = 10 * major + minor;
    return gpu;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) die("usage: tabu_kernel_harness ROOT compile|check|time|quality [case words ...]");
    const auto texts = read_texts(argv[1]);
    const std::string mode = argv[2];
    const Gpu gpu = open_gpu(mode != "compile");
    const std::vector<Case> cases = parse_cases({argv + 3, argv + argc}, mode, static_cast<uint64_t>(gpu.shared_bytes));
    const auto start = std::chrono::steady_clock::now();
    const std::vector<std::string> cubins = compile_all(texts, cases, gpu);
    std::printf("%zu programs compiled in %.1f s for sm_%d\n", cases.size(),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), gpu.capability);
    std::fflush(stdout);
    if (const char* const folder = std::getenv("TABU_CUBINS"))
        for (size_t i = 0; i < cases.size(); ++i)
            std::ofstream(std::string(folder) + "/" + std::to_string(i) + ".cubin", std::ios::binary) << cubins[i];
    if (mode == "compile") return 0;
    int failures = 0;
    for (size_t i = 0; i < cases.size(); ++i) {
        if (mode == "quality")
            quality(cases[i], cubins[i], gpu.multiprocessors);
        else if (mode == "check")
            failures += check(cases[i], cubins[i]) ? 0 : 1;
        else
            time(cases[i], cubins[i], gpu.multiprocessors);
    }
    if (mode == "check") std::printf("%zu cases, %d wrong\n", cases.size(), failures);
    return failures == 0 ? 0 : 1;
}
