// SPDX-License-Identifier: Apache-2.0
// Tests the device layer on a real GPU: a toy problem's text joined with a toy solver's, addresses in the view,
// occupancy, exhausted memory, and errors after a planted out-of-bounds write. Skipped if there is no GPU.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "framework/device/device_manager.hpp"
#include "framework/device/device_report.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/device.hpp"

namespace qapfw::framework {
namespace {

/// cost(x) = sum of weight[i] * x[i] over i below n.
constexpr const char* kProblemText = R"(
#include "qapfw/kernels/platform.hpp"
struct QapfwProblem {
    struct View { const int64_t* weight; uint32_t n; const uint32_t* empty; };
    static QAPFW_DEVICE int64_t cost(const View& view, const uint32_t* x) {
        int64_t sum = 0;
        for (uint32_t i = 0; i < view.n; ++i) sum += view.weight[i] * x[i];
        return view.empty == nullptr ? sum : -1;
    }
};
)";
constexpr const char* kSolverText = R"(
#include "toy_problem.cuh"
#include "qapfw/kernels/philox.hpp"
extern "C" __global__ void costs(QapfwProblem::View view, const uint32_t* x, int64_t* cost, uint32_t count) {
    const uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < count) cost[k] = QapfwProblem::cost(view, x + k * view.n);
}
)";
constexpr const char* kPlainText = R"(
extern "C" __global__ void add(const float* a, const float* b, float* sum, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) sum[i] = a[i] + b[i];
}
extern "C" __global__ void __launch_bounds__(256) sum_in_shared(unsigned* out, unsigned words) {
    extern __shared__ unsigned memory[];
    for (unsigned i = threadIdx.x; i < words; i += blockDim.x) memory[i] = i;
    __syncthreads();
    if (threadIdx.x != 0) return;
    unsigned sum = 0;
    for (unsigned i = 0; i < words; ++i) sum += memory[i];
    *out = sum;
}
extern "C" __global__ void out_of_bounds(unsigned* values) { values[1ull << 40] = 1; }
extern "C" __global__ void wait_a_while(unsigned long long cycles) {
    const long long start = clock64();
    while (clock64() - start < (long long)cycles) {}
}
)";

qapfw_text text_of(const char* name, const char* text) {
    return {name, text, std::strlen(text)};
}

class ToyProblem {
  public:
    struct View {
        std::uint64_t weight = 0;
        std::uint32_t n = 0;
        std::uint64_t empty = ~0ull;
    };
    explicit ToyProblem(std::uint32_t n) : weights(n) {
        for (std::uint32_t i = 0; i < n; ++i) weights[i] = (std::int64_t{1} << 33) + 3 * i;
        view_.n = n;
        buffers_ = {
            {{weights.data(), n * sizeof(std::int64_t), offsetof(View, weight)}, {nullptr, 0, offsetof(View, empty)}}};
        description_ = {sizeof(qapfw_device_problem),
                        1,
                        &text_,
                        &view_,
                        sizeof(view_),
                        buffers_.size(),
                        buffers_.data(),
                        "-fmad=false"};
        ref.struct_size = sizeof(ref);
        ref.problem = reinterpret_cast<qapfw_problem*>(this);
        ref.id = "toy";
        ref.table = &table_;
        table_.info = [](qapfw_problem* p) -> const qapfw_problem_info* {
            return &reinterpret_cast<const ToyProblem*>(p)->info_;
        };
        ref.get_capability = [](const char* id) -> const void* {
            static const qapfw_problem_device capability{
                sizeof(capability),
                [](qapfw_problem* p) -> const qapfw_device_problem* {
                    return &reinterpret_cast<const ToyProblem*>(p)->description_;
                },
                nullptr};
            return std::strcmp(id, QAPFW_PROBLEM_DEVICE) == 0 ? &capability : nullptr;
        };
    }
    ToyProblem(const ToyProblem&) = delete;
    ToyProblem& operator=(const ToyProblem&) = delete;

    std::vector<std::int64_t> weights;
    qapfw_problem_ref ref{};

  private:
    View view_;
    qapfw_text text_ = text_of("toy/toy_problem.cuh", kProblemText);
    std::array<qapfw_view_buffer, 2> buffers_{};
    qapfw_device_problem description_{};
    qapfw_problem_info info_{};
    qapfw_problem_table table_{};
};

std::string last_error;

/// Opens the GPUs. If there are none, prints a message and returns no device.
DeviceChoice open_gpus(const qapfw_problem_ref* problem, const std::filesystem::path& cache = {},
                       std::vector<std::string>* log = nullptr) {
    DeviceRequest request;
    request.problem = problem;
    request.cache = {!cache.empty(), cache};
    request.set_error = [](const std::string& text) { last_error = text; };
    if (log != nullptr) request.log = [log](std::int32_t, const std::string& text) { log->push_back(text); };
    DeviceChoice choice = choose_devices(request);
    if (choice.backend == "cpu") MESSAGE("SKIPPED: " << choice.reason);
    return choice;
}

sdk::KernelRequest plain(const char* entry) {
    return {{text_of("toy/plain.cuh", kPlainText)}, entry, {}, false};
}

constexpr const char* kBreakingTest =
    "a planted out-of-bounds write ends the device with a message that names the kernel";
constexpr const char* kBreakingChild = "QAPFW_TEST_BREAKING_CHILD";

/// Breaks the GPU's context. Returns 0 if all errors were reported correctly, 77 if there is no GPU, else the number of
/// the failed check.
int break_device() {
    const DeviceChoice choice = open_gpus(nullptr);
    if (choice.devices.empty()) return 77;
    const qapfw_device& table = *choice.devices[0]->table();
    sdk::Stream stream(table);
    sdk::DeviceBuffer<unsigned> buffer(table, 16);
    sdk::Kernel kernel(table, plain("out_of_bounds"));
    kernel.launch(stream, 1, 1, 0, buffer);
    try {
        stream.synchronize();
        return 1;
    } catch (const sdk::StatusError& error) {
        if (error.status() != QAPFW_ERROR_DEVICE) return 2;
    }
    const std::string first = last_error;
    MESSAGE(first);
    if (first.find("CUDA_ERROR_ILLEGAL_ADDRESS") == first.npos) return 3;
    if (first.find("after kernel 'out_of_bounds' of plugin toy") == first.npos) return 4;
    std::uint64_t address = 0;
    if (table.allocate(table.context, 16, &address) != QAPFW_ERROR_DEVICE || last_error != first) return 5;
    if (table.synchronize(table.context, stream.get()) != QAPFW_ERROR_DEVICE) return 6;
    return choice.devices[0]->failure() == first ? 0 : 7;
}

/// Breaks the device in a child process, so that this process's GPU still works afterwards.
TEST_CASE("a planted out-of-bounds write ends the device with a message that names the kernel") {
    if (std::getenv(kBreakingChild) != nullptr) std::exit(break_device());
    const pid_t child = ::fork();
    if (child == 0) {
        ::setenv(kBreakingChild, "1", 1);
        ::execl("/proc/self/exe", "device_layer_test", (std::string("--test-case=") + kBreakingTest).c_str(), nullptr);
        ::_exit(126);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) {
        MESSAGE("SKIPPED: no GPU");
        return;
    }
    CHECK(WEXITSTATUS(status) == 0);
    CHECK_FALSE(open_gpus(nullptr).devices.empty());
}

TEST_CASE("vectors are added on the GPU, and the second opening finds the kernel in the cache") {
    const auto folder = std::filesystem::temp_directory_path() / ("qapfw-gpu-test-" + std::to_string(::getpid()));
    for (int opening = 0; opening < 2; ++opening) {
        std::vector<std::string> log;
        const DeviceChoice choice = open_gpus(nullptr, folder, &log);
        if (choice.devices.empty()) return;
        MESSAGE(choice.reason);
        const qapfw_device& table = *choice.devices[0]->table();
        constexpr unsigned kCount = 1'000'003;
        std::vector<float> a(kCount), b(kCount), sum(kCount);
        for (unsigned i = 0; i < kCount; ++i) {
            a[i] = static_cast<float>(i % 1000);
            b[i] = static_cast<float>(i % 77);
        }
        sdk::Stream stream(table);
        sdk::DeviceBuffer<float> a_device(stream, a), b_device(stream, b), sum_device(table, kCount);
        sdk::Kernel kernel(table, plain("add"));
        kernel.launch(stream, (kCount + 255) / 256, 256, 0, a_device, b_device, sum_device, kCount);
        sum_device.download(stream, sum);
        stream.synchronize();
        std::size_t wrong = 0;
        for (unsigned i = 0; i < kCount; ++i) wrong += sum[i] != a[i] + b[i] ? 1u : 0u;
        CHECK(wrong == 0);
        REQUIRE(log.size() == 1);
        MESSAGE(log[0]);
        CHECK((log[0].find(opening == 0 ? "compiled in" : "cached") != std::string::npos));
    }
    std::filesystem::remove_all(folder);
}

TEST_CASE("a toy problem's text, view and buffers work inside a solver's kernel") {
    constexpr std::uint32_t kN = 37, kCount = 1000;
    const ToyProblem problem(kN);
    const DeviceChoice choice = open_gpus(&problem.ref);
    if (choice.devices.empty()) return;
    std::vector<std::uint32_t> x(kN * kCount);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::uint32_t>(i * 2654435761u % 1000);
    for (const auto& device : choice.devices) {
        const qapfw_device& table = *device->table();
        const sdk::KernelRequest request{{text_of("alg/solver.cuh", kSolverText)}, "costs", {}, true};
        sdk::prepare(table, std::array{request});
        sdk::Stream stream(table);
        sdk::Kernel kernel(table, request);
        const sdk::ProblemView view(table);
        sdk::DeviceBuffer<std::uint32_t> x_device(stream, x);
        sdk::DeviceBuffer<std::int64_t> cost_device(table, kCount);
        kernel.launch(stream, (kCount + 127) / 128, 128, 0, view, x_device, cost_device, kCount);
        std::vector<std::int64_t> cost(kCount);
        cost_device.download(stream, cost);
        while (!stream.finished()) {
        }
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < kCount; ++k) {
            std::int64_t expected = 0;
            for (std::size_t i = 0; i < kN; ++i) expected += problem.weights[i] * x[k * kN + i];
            wrong += cost[k] != expected ? 1u : 0u;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("occupancy and large shared memory agree with the GPU") {
    const DeviceChoice choice = open_gpus(nullptr);
    if (choice.devices.empty()) return;
    const qapfw_device& table = *choice.devices[0]->table();
    sdk::Stream stream(table);
    sdk::Kernel kernel(table, plain("sum_in_shared"));
    const std::uint32_t bytes = table.shared_bytes_per_block / 4 * 4;
    CHECK(kernel.occupancy(256, 0) >= 4);
    CHECK(kernel.occupancy(256, bytes) == 1);
    CHECK(kernel.occupancy(256, bytes + 1024) == 0);
    CHECK(kernel.occupancy(257, 0) == 0);
    sdk::DeviceBuffer<unsigned> out(table, 1);
    kernel.launch(stream, 1, 256, bytes, out, bytes / 4);
    std::array<unsigned, 1> sum{};
    out.download(stream, sum);
    stream.synchronize();
    CHECK(sum[0] == bytes / 4 * (bytes / 4 - 1) / 2);
    CHECK_THROWS_AS(kernel.launch(stream, 1, 257, 0, out, 1u), sdk::StatusError);
    CHECK_THROWS_AS(kernel.launch(stream, 1, 256, 0, out), sdk::StatusError);
    CHECK_THROWS_AS(kernel.launch(stream, 1, 256, bytes + 1024, out, 1u), sdk::StatusError);
    CHECK_THROWS_AS(kernel.launch(stream, 0, 256, 0, out, 1u), sdk::StatusError);
    MESSAGE(last_error);
    out.download(stream, sum);  // the device still works after these calls
    stream.synchronize();
}

TEST_CASE("exhausted memory gives a message with sizes, and the device still works") {
    const DeviceChoice choice = open_gpus(nullptr);
    if (choice.devices.empty()) return;
    const qapfw_device& table = *choice.devices[0]->table();
    std::uint64_t address = 0;
    CHECK(table.allocate(table.context, table.memory_free + (std::uint64_t{1} << 40), &address) == QAPFW_ERROR_MEMORY);
    MESSAGE(last_error);
    CHECK((last_error.find("TiB") != std::string::npos));
    std::vector<sdk::DeviceBuffer<char>> blocks;
    try {
        for (;;) blocks.emplace_back(table, table.memory_free / 8);
    } catch (const sdk::StatusError& error) {
        CHECK(error.status() == QAPFW_ERROR_MEMORY);
    }
    CHECK(blocks.size() >= 6);
    CHECK(blocks.size() <= 8);
    blocks.clear();
    CHECK_NOTHROW(sdk::DeviceBuffer<char>(table, table.memory_free / 2));
}

TEST_CASE("asking for results does not stop the host while a kernel runs") {
    const DeviceChoice choice = open_gpus(nullptr);
    if (choice.devices.empty()) return;
    const qapfw_device& table = *choice.devices[0]->table();
    sdk::Stream stream(table);
    sdk::Kernel kernel(table, plain("wait_a_while"));
    sdk::DeviceBuffer<char> buffer(table, 1000);
    std::vector<char> bytes(1000);
    buffer.fill(stream, 9);
    kernel.launch(stream, 1, 1, 0, 1'000'000ull);
    stream.synchronize();
    const auto start = std::chrono::steady_clock::now();
    kernel.launch(stream, 1, 1, 0, 500'000'000ull);  // about 0.3 s
    buffer.download(stream, bytes);
    const auto asked = std::chrono::steady_clock::now();
    CHECK_FALSE(stream.finished());
    CHECK(bytes[0] == 0);
    stream.synchronize();
    const auto done = std::chrono::steady_clock::now();
    CHECK(bytes[999] == 9);
    MESSAGE("asked after " << std::chrono::duration<double, std::milli>(asked - start).count() << " ms, done after "
                           << std::chrono::duration<double, std::milli>(done - start).count() << " ms");
    CHECK(done - asked > 10 * (asked - start));
}

TEST_CASE("a mark is reached while later work goes on") {
    const DeviceChoice choice = open_gpus(nullptr);
    if (choice.devices.empty()) return;
    const qapfw_device& table = *choice.devices[0]->table();
    sdk::Stream stream(table);
    sdk::Kernel kernel(table, plain("wait_a_while"));
    sdk::DeviceBuffer<char> buffer(table, 1000);
    std::vector<char> before(1000), after(1000);
    buffer.fill(stream, 9);
    buffer.download(stream, before);
    stream.mark();
    kernel.launch(stream, 1, 1, 0, 500'000'000ull);  // about 0.3 s
    buffer.download(stream, after);
    stream.reach_mark();
    CHECK(before[999] == 9);
    CHECK(after[999] == 0);
    CHECK_FALSE(stream.finished());
    stream.synchronize();
    CHECK(after[999] == 9);
}

TEST_CASE("a round of launch, small download and synchronize costs the host microseconds") {
    const DeviceChoice choice = open_gpus(nullptr);
    if (choice.devices.empty()) return;
    const qapfw_device& table = *choice.devices[0]->table();
    sdk::Stream stream(table);
    sdk::Kernel kernel(table, plain("wait_a_while"));
    sdk::DeviceBuffer<std::int64_t> buffer(table, 16);
    std::array<std::int64_t, 16> best{};
    const auto a_round_ahead = [&] {
        constexpr int kRounds = 1000;
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < kRounds; ++i) {
            buffer.download(stream, best);
            stream.mark();
            kernel.launch(stream, 1, 32, 0, 0ull);
            stream.reach_mark();
        }
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / kRounds;
    };
    const auto rounds_per_call = [&](int launches, bool download) {
        constexpr int kRounds = 1000;
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < kRounds; ++i) {
            for (int k = 0; k < launches; ++k) kernel.launch(stream, 1, 32, 0, 0ull);
            if (download) buffer.download(stream, best);
            stream.synchronize();
        }
        return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / kRounds;
    };
    rounds_per_call(1, true);
    const double one = rounds_per_call(1, false), with_download = rounds_per_call(1, true);
    const double many = (rounds_per_call(21, false) - one) / 20;
    MESSAGE("launch and synchronize " << one << " us, with a download " << with_download << " us, each further launch "
                                      << many << " us; with the next launch before a mark is reached "
                                      << a_round_ahead() << " us");
    CHECK(with_download < 1000);
}

TEST_CASE("the report agrees with the devices that open") {
    const DeviceReport report = report_devices();
    const DeviceChoice choice = open_gpus(nullptr);
    if (choice.devices.empty()) return;
    std::size_t usable = 0;
    for (const GpuReport& gpu : report.gpus) usable += gpu.usable ? 1u : 0u;
    CHECK(usable == choice.devices.size());
    CHECK(report.driver.found);
    CHECK(report.nvrtc.found);
    MESSAGE("driver " << report.driver.version << " " << report.driver.path << ", NVRTC " << report.nvrtc.version << " "
                      << report.nvrtc.path << ", GPU 0 " << report.gpus[0].name << " " << report.gpus[0].memory_bytes);
}

}  // namespace
}  // namespace qapfw::framework
