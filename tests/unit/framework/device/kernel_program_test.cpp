// SPDX-License-Identifier: Apache-2.0
#include "framework/device/kernel_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/unit/framework/device/device_test_tools.hpp"

namespace qapfw::framework {
namespace {

const std::string kProblemText = "struct QapfwProblem { int value; };";
const std::string kKernelText = "#include \"qapfw/kernels/philox.hpp\"\nextern \"C\" __global__ void k() {}\n";

/// A device problem of one text with the given compiler options.
struct ToyProblem {
    explicit ToyProblem(const char* options = nullptr) : text_(text_of("toy/problem.cuh", kProblemText)) {
        code_.struct_size = sizeof(code_);
        code_.text_count = 1;
        code_.texts = &text_;
        code_.options = options;
    }
    ToyProblem(const ToyProblem&) = delete;
    ToyProblem& operator=(const ToyProblem&) = delete;

  private:
    qapfw_text text_;
    qapfw_device_problem code_{};

  public:
    std::optional<DeviceProblem> problem = DeviceProblem{&code_, std::nullopt};
};

TEST_CASE("texts are joined in order, the problem's first, each under its own name and line 1") {
    const ToyProblem toy;
    const OneText one("alg/kernel.cuh", kKernelText, "k", true);
    CHECK(KernelProgram(toy.problem, one.request).source() ==
          "#line 1 \"toy/problem.cuh\"\n" + kProblemText + "\n#line 1 \"alg/kernel.cuh\"\n" + kKernelText + "\n");
    const OneText alone("alg/kernel.cuh", kKernelText, "k");
    CHECK(KernelProgram(toy.problem, alone.request).source().starts_with("#line 1 \"alg/kernel.cuh\""));
}

TEST_CASE("the positions that are not fixed reach kernels with the problem, and no others") {
    ToyProblem toy;
    toy.problem->movable_positions = "1,2,5,";
    const OneText with("alg/kernel.cuh", kKernelText, "k", true), without("alg/kernel.cuh", kKernelText, "k");
    const auto has = [](const KernelProgram& program) {
        return std::ranges::count(program.options(), "-DQAPFW_MOVABLE_POSITIONS=1,2,5,") == 1;
    };
    CHECK(has(KernelProgram(toy.problem, with.request)));
    CHECK_FALSE(has(KernelProgram(toy.problem, without.request)));
}

TEST_CASE("the kernel headers built into the program are the files, byte for byte") {
    REQUIRE_FALSE(kernel_headers().empty());
    for (const ProgramText& header : kernel_headers()) {
        const std::string name(header.name);
        CAPTURE(name);
        CHECK(name.starts_with("qapfw/kernels/"));
        CHECK((header.text == read_bytes(QAPFW_SOURCE_DIR "/kernels/include/" + name)));
        CHECK(header.text.data()[header.text.size()] == '\0');
    }
}

TEST_CASE("a program holds the kernel headers it includes, and theirs, and no others") {
    const OneText one("alg/kernel.cuh", kKernelText, "k");
    const KernelProgram program(std::nullopt, one.request);
    std::vector<std::string> names;
    for (const ProgramText& header : program.headers()) names.emplace_back(header.name);
    CHECK(names == std::vector<std::string>{"qapfw/kernels/philox.hpp", "qapfw/kernels/platform.hpp"});
    CHECK(kernel_headers().size() > names.size());
}

TEST_CASE("an include of another text of the same program is satisfied already") {
    const std::string base = "struct Base {};";
    const std::string user = "  #  include \"plugins/alg/device/base.cuh\"\nextern \"C\" __global__ void k(Base) {}";
    const qapfw_text texts[] = {text_of("alg/base.cuh", base), text_of("alg/user.cuh", user)};
    const qapfw_kernel_request request{sizeof(qapfw_kernel_request), 2, texts, "k", 0, 0, nullptr};
    const KernelProgram program(std::nullopt, request);
    REQUIRE(program.headers().size() == 1);
    CHECK(program.headers()[0].name == "plugins/alg/device/base.cuh");
    CHECK(program.headers()[0].text.empty());
}

TEST_CASE("the key changes with everything the binary depends on, and not with the entry") {
    const ToyProblem toy, toy_options("-fmad=false");
    const OneText with("alg/kernel.cuh", kKernelText, "k", true), without("alg/kernel.cuh", kKernelText, "k");
    const OneText renamed("alg/other.cuh", kKernelText, "k"), entry("alg/kernel.cuh", kKernelText, "other");
    const OneText changed("alg/kernel.cuh", kKernelText + " ", "k");
    OneText defined("alg/kernel.cuh", kKernelText, "k");
    const char* const defines[] = {"N=3"};
    defined.request.define_count = 1;
    defined.request.defines = defines;
    std::set<std::string> keys;
    keys.insert(KernelProgram(toy.problem, with.request).key(90, "NVRTC 13.0"));
    keys.insert(KernelProgram(toy.problem, with.request).key(80, "NVRTC 13.0"));
    keys.insert(KernelProgram(toy.problem, with.request).key(90, "NVRTC 12.4"));
    keys.insert(KernelProgram(toy_options.problem, with.request).key(90, "NVRTC 13.0"));
    for (const OneText* one : std::initializer_list<const OneText*>{&without, &renamed, &changed, &defined}) {
        keys.insert(KernelProgram(std::nullopt, one->request).key(90, "NVRTC 13.0"));
    }
    CHECK(keys.size() == 8);
    CHECK(keys.contains(KernelProgram(std::nullopt, entry.request).key(90, "NVRTC 13.0")));
    // A key contains the text of the header, not only a hash of it.
    for (const std::string& key : keys) CHECK(contains(key, "low0 = 0xD2511F53u"));
}

TEST_CASE("a problem's options reach the compiler one by one, those that read files or choose the GPU are refused") {
    const ToyProblem toy(" -fmad=false  -maxrregcount=64 ");
    const OneText one("alg/kernel.cuh", kKernelText, "k", true);
    const auto options = KernelProgram(toy.problem, one.request).options();
    CHECK(std::ranges::count(options, "-fmad=false") == 1);
    CHECK(std::ranges::count(options, "-maxrregcount=64") == 1);
    for (const char* bad :
         {"-I/tmp", "--include-path=/tmp", "-arch=sm_80", "--gpu-architecture=sm_80", "-include=x.h"}) {
        const ToyProblem other(bad);
        const std::string text =
            error_of(ErrorKind::kPlugin, [&] { KernelProgram(other.problem, one.request).source(); });
        CHECK(contains(text, bad));
        CHECK(contains(text, "plugin toy"));
    }
}

TEST_CASE("a request without texts, without an entry, or without the problem it needs is refused") {
    OneText one("alg/kernel.cuh", kKernelText, "k", true);
    CHECK(contains(error_of(ErrorKind::kPlugin, [&] { KernelProgram(std::nullopt, one.request).source(); }),
                   "kernel 'k' of plugin alg needs a problem with device code"));
    one.request.with_problem = 0;
    one.request.entry = "";
    error_of(ErrorKind::kPlugin, [&] { KernelProgram(std::nullopt, one.request).source(); });
    one.request.entry = "k";
    one.request.text_count = 0;
    error_of(ErrorKind::kPlugin, [&] { KernelProgram(std::nullopt, one.request).source(); });
    one.request.text_count = 1;
    one.request.struct_size = 4;
    error_of(ErrorKind::kPlugin, [&] { KernelProgram(std::nullopt, one.request).source(); });
}

TEST_CASE("a compiler's log becomes a message that names the plugin, its file and the line") {
    const std::string subject = "kernel 'k' of plugin alg";
    CHECK(compile_error_text("alg/a.cuh(3): warning #177-D: variable \"u\" error: not\n  code\n"
                             "alg/sub/b.cuh(12): error: identifier \"f(x)\" is undefined\n  f(x)\n  ^\n",
                             subject) == "plugin alg, sub/b.cuh:12: identifier \"f(x)\" is undefined");
    CHECK(compile_error_text("toy/p.cuh(7): catastrophic error: could not open source file \"cstdint\"\n", subject) ==
          "plugin toy, p.cuh:7: could not open source file \"cstdint\"");
    CHECK(compile_error_text("toy/p.cuh(7): error #20014-D: calling a __host__ function\n", subject) ==
          "plugin toy, p.cuh:7: calling a __host__ function");
    CHECK(compile_error_text("qapfw/kernels/philox.hpp(5): error: bad\n", subject) ==
          "kernel 'k' of plugin alg, qapfw/kernels/philox.hpp:5: bad");
    CHECK(compile_error_text("ptxas error   : Entry function 'k' uses too much shared data\n", subject) ==
          "kernel 'k' of plugin alg: ptxas error   : Entry function 'k' uses too much shared data");
    CHECK(compile_error_text("", subject) == "kernel 'k' of plugin alg: NVRTC gave no reason");
    CHECK(compile_error_text(std::string(1'000'000, 'x') + "(1): error: deep\n", subject).ends_with(":1: deep"));
}

}  // namespace
}  // namespace qapfw::framework
