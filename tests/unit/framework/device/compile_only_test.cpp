// SPDX-License-Identifier: Apache-2.0
// Compilation with the real NVRTC: joined texts, errors, defines, and the disk cache. Needs no GPU.
#include "framework/device/compile_only.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <list>

#include "framework/device/kernel_compiler.hpp"
#include "qapfw/sdk/device.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/unit/framework/device/device_test_tools.hpp"

namespace qapfw::framework {
namespace {

const std::string kAddOne =
    "#include \"qapfw/kernels/platform.hpp\"\n"
    "#ifndef STEP\n#define STEP 1\n#endif\n"
    "extern \"C\" __global__ void add_one(uint32_t* values, uint32_t count) {\n"
    "    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < count) values[i] += STEP;\n"
    "}\n";
const std::string kToyProblem =
    "struct QapfwProblem {\n"
    "    struct View { const int* data; int n; };\n"
    "    static int sum(View view) { int s = 0; for (int i = 0; i < view.n; ++i) s += view.data[i]; return s; }\n"
    "};\n";
const std::string kUsesProblem =
    "extern \"C\" __global__ void total(QapfwProblem::View view, int* out) { *out = QapfwProblem::sum(view); }\n";

struct ToyDeviceProblem {
    struct View {
        std::uint64_t data = 0;
        std::int32_t n = 4;
    };
    ToyDeviceProblem() {
        problem.struct_size = sizeof(problem);
        problem.text_count = 1;
        problem.texts = &text;
        problem.view = &view;
        problem.view_size = sizeof(view);
        problem.buffer_count = 1;
        problem.buffers = &buffer;
    }
    ToyDeviceProblem(const ToyDeviceProblem&) = delete;
    ToyDeviceProblem& operator=(const ToyDeviceProblem&) = delete;
    std::array<std::int32_t, 4> data{1, 20, 300, 4000};
    View view;
    qapfw_text text = text_of("toy/problem.cuh", kToyProblem);
    qapfw_view_buffer buffer{data.data(), sizeof(data), 0};
    qapfw_device_problem problem{};
};

TEST_CASE("every request is compiled for sm_80 and sm_100 without a GPU") {
    if (!have_nvrtc()) return;
    const ToyDeviceProblem toy;
    const OneText add("alg/add.cuh", kAddOne, "add_one"), total("alg/total.cuh", kUsesProblem, "total", true);
    const qapfw_kernel_request requests[] = {add.request, total.request};
    const auto compiled = compile_only(DeviceProblem{&toy.problem, std::nullopt}, requests);
    REQUIRE(compiled.size() == 4);
    for (const CompiledKernel& kernel : compiled) CHECK(kernel.binary_bytes > 500);
    CHECK(compiled[0].entry == "add_one");
    CHECK(compiled[3].entry == "total");
    CHECK(compiled[3].architecture == 100);
}

TEST_CASE("every kernel header compiles alone for the device" * doctest::skip(qapfw::kSanitized)) {
    if (!have_nvrtc()) return;
    for (const ProgramText& header : kernel_headers()) {
        const std::string text = "#include \"" + std::string(header.name) + "\"\n#include <" +
                                 std::string(header.name) + ">\nextern \"C\" __global__ void empty() {}\n";
        const OneText one("test/include.cuh", text, "empty");
        CAPTURE(std::string(header.name));
        CHECK_NOTHROW(compile_only(std::nullopt, std::array{one.request}, {90}));
    }
}

TEST_CASE("a compile error names the plugin, the file and the line of the text it stands in") {
    if (!have_nvrtc()) return;
    ToyDeviceProblem toy;
    const OneText total("alg/total.cuh", kUsesProblem, "total", true);
    const auto message = [&](const qapfw_kernel_request& request) {
        return error_of(ErrorKind::kPlugin, [&] {
            compile_only(DeviceProblem{&toy.problem, std::nullopt}, std::array{request}, {90});
        });
    };
    const OneText broken("alg/broken.cuh", "\n\nextern \"C\" __global__ void k() { undefined_name(); }\n", "k");
    CHECK(message(broken.request) == "plugin alg, broken.cuh:3: identifier \"undefined_name\" is undefined");
    const std::string bad_problem = "struct QapfwProblem {\n  int x\n};\n";
    toy.text = text_of("toy/problem.cuh", bad_problem);
    CHECK(contains(message(total.request), "plugin toy, problem.cuh:3: "));
    const OneText std_header("alg/std.cuh", "#include <cstdint>\nextern \"C\" __global__ void k() {}\n", "k");
    CHECK(contains(message(std_header.request), "plugin alg, std.cuh:1: "));
    const OneText entry("alg/add.cuh", kAddOne, "add_on");
    CHECK(message(entry.request) ==
          "the device texts of plugin alg define no extern \"C\" __global__ function 'add_on'");
    const OneText shared("alg/big.cuh",
                         "extern \"C\" __global__ void k(int* p) {\n  __shared__ int a[99999];\n  a[*p] = *p; "
                         "__syncthreads(); *p = a[p[1]];\n}\n",
                         "k");
    CHECK(contains(message(shared.request), "kernel 'k' of plugin alg: "));
    toy.problem.options = "--no-such-option";
    toy.text = text_of("toy/problem.cuh", kToyProblem);
    CHECK(contains(message(total.request), "no-such-option"));
}

TEST_CASE("defines of a request reach its texts") {
    if (!have_nvrtc()) return;
    OneText add("alg/add.cuh", kAddOne, "add_one");
    const char* const defines[] = {"STEP=no_such_name"};
    add.request.defines = defines;
    add.request.define_count = 1;
    const std::string text =
        error_of(ErrorKind::kPlugin, [&] { compile_only(std::nullopt, std::array{add.request}, {90}); });
    CHECK(contains(text, "no_such_name"));
}

TEST_CASE("a compile-only device tells what a plugin's own code asked for, and launches nothing") {
    if (!have_nvrtc()) return;
    const ToyDeviceProblem toy;
    static const qapfw_device_problem* described = nullptr;
    described = &toy.problem;
    qapfw_problem_ref ref{};
    static const qapfw_problem_info info{};
    static const qapfw_problem_table functions = [] {
        qapfw_problem_table table{};
        table.info = [](qapfw_problem*) { return &info; };
        return table;
    }();
    ref.id = "toy";
    ref.table = &functions;
    ref.get_capability = [](const char*) -> const void* {
        static const qapfw_problem_device capability{sizeof(capability), [](qapfw_problem*) { return described; },
                                                     nullptr};
        return &capability;
    };
    std::string error;
    const auto device = make_compile_only_device(&ref, {80, 90}, {}, [&](const std::string& text) { error = text; });
    const qapfw_device& table = *device->table();
    const std::vector<sdk::KernelRequest> requests = {
        {{text_of("alg/add.cuh", kAddOne)}, "add_one", {}, false},
        {{text_of("alg/total.cuh", kUsesProblem)}, "total", {}, true},
    };
    sdk::prepare(table, requests);
    sdk::Kernel kernel(table, requests[0]);
    REQUIRE(device->compiled().size() == 4);
    CHECK(device->compiled()[3].entry == "total");
    sdk::Stream stream(table);
    sdk::DeviceBuffer<std::uint32_t> values(stream, std::array<std::uint32_t, 2>{5, 6});
    CHECK_THROWS_AS(kernel.launch(stream, 1, 32, 0, values, 2u), sdk::StatusError);
    CHECK(error == "kernel 'add_one' is compiled but not run: there is no GPU");
    std::array<std::uint32_t, 2> back{};
    values.download(stream, back);
    stream.synchronize();
    CHECK(back[1] == 6);
    const sdk::ProblemView view(table);
    CHECK(view.size() == sizeof(ToyDeviceProblem::View));
    CHECK(static_cast<const ToyDeviceProblem::View*>(view.bytes())->data != 0);
}

#if QAPFW_HAVE_CUDA
TEST_CASE("a second process finds the first one's binary in the cache, and the log says which was which") {
    if (!have_nvrtc()) return;
    TemporaryFolder folder;
    const OneText add("alg/add.cuh", kAddOne, "add_one");
    const KernelProgram program(std::nullopt, add.request);
    LogLines first, second, third;
    const auto binary = [&](LogLines& log) {
        return *KernelCompiler(Nvrtc::find(), {true, folder.path()}, log.function()).binary(program, 90);
    };
    const std::string compiled = binary(first);
    CHECK(binary(second) == compiled);
    CHECK(first.count(QAPFW_LOG_INFO, "kernel 'add_one' of plugin alg for sm_90: compiled in ") == 1);
    CHECK(second.count(QAPFW_LOG_INFO, "kernel 'add_one' of plugin alg for sm_90: cached") == 1);
    const auto entry = std::filesystem::directory_iterator(folder.path())->path();
    write_bytes(entry, read_bytes(entry).substr(0, 100));
    CHECK(binary(third) == compiled);
    CHECK(third.count(QAPFW_LOG_WARNING, "compiled again") == 1);
    CHECK(third.count(QAPFW_LOG_INFO, "compiled in ") == 1);
}

TEST_CASE("requests announced together are compiled once each, and whoever asks for one hears of its error") {
    if (!have_nvrtc()) return;
    const OneText good("alg/add.cuh", kAddOne, "add_one"), same("alg/add.cuh", kAddOne, "add_one");
    const OneText bad("alg/bad.cuh", "extern \"C\" __global__ void k() { first; }", "k");
    LogLines log;
    KernelCompiler compiler(Nvrtc::find(), {false, {}}, log.function());
    std::vector<KernelProgram> programs;
    for (const OneText* one : {&good, &bad, &same}) programs.emplace_back(std::nullopt, one->request);
    compiler.prepare(programs, 90);
    CHECK(compiler.binary(programs[0], 90) == compiler.binary(programs[2], 90));
    CHECK(log.count(QAPFW_LOG_INFO, "compiled in ") == 1);
    const std::string text = error_of(ErrorKind::kPlugin, [&] { compiler.binary(programs[1], 90); });
    CHECK(contains(text, "identifier \"first\" is undefined"));
}

TEST_CASE("the end waits only for kernels whose compilation has begun, not for announced ones that nobody asked for") {
    if (!have_nvrtc()) return;
    std::list<OneText> texts;
    for (unsigned k = 0; k < 64 * usable_threads(); ++k) {
        texts.emplace_back("alg/add.cuh", kAddOne + "// " + std::to_string(k), "add_one");
    }
    LogLines log;
    {
        KernelCompiler compiler(Nvrtc::find(), {false, {}}, log.function());
        std::vector<KernelProgram> programs;
        for (const OneText& one : texts) programs.emplace_back(std::nullopt, one.request);
        compiler.prepare(programs, 90);
    }
    CHECK(log.count(QAPFW_LOG_INFO, "compiled in ") <= static_cast<int>(texts.size() / 2));
}

TEST_CASE("16 processes compiling the same kernel on one cold folder all get the same binary") {
    if (!have_nvrtc()) return;
    TemporaryFolder folder;
    const OneText add("alg/add.cuh", kAddOne, "add_one");
    const KernelProgram program(std::nullopt, add.request);
    const std::string wanted = *KernelCompiler(Nvrtc::find(), {false, {}}, {}).binary(program, 90);
    std::vector<pid_t> children;
    for (int i = 0; i < 16; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            int warnings = 0;
            KernelCompiler compiler(Nvrtc::find(), {true, folder.path()}, [&](std::int32_t level, const std::string&) {
                warnings += level >= QAPFW_LOG_WARNING;
            });
            ::_exit(*compiler.binary(program, 90) == wanted && warnings == 0 ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(status == 0);
    }
    CHECK(KernelCache({true, folder.path()}, {}).load(program.key(90, "NVRTC " + Nvrtc::find()->version())) == wanted);
}

TEST_CASE("an NVRTC named by QAPFW_NVRTC is the only one looked at") {
    const EnvironmentVariable name("QAPFW_NVRTC", "/no/such/libnvrtc.so.13");
    CHECK(contains(error_of(ErrorKind::kDevice, [] { Nvrtc::find(); }), "/no/such/libnvrtc.so.13"));
    const EnvironmentVariable other("QAPFW_NVRTC", "libm.so.6");
    CHECK(contains(error_of(ErrorKind::kDevice, [] { Nvrtc::find(); }), "is no NVRTC"));
}
#endif

}  // namespace
}  // namespace qapfw::framework
