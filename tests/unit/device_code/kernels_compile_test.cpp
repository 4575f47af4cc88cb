// SPDX-License-Identifier: Apache-2.0
// Checks that the kernels of the tabu and local search plugins compile with several forms of the QAP. One form is
// compiled for two GPUs, the oldest supported and a recent one; the others for one GPU. Needs NVRTC, no GPU.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "framework/device/compile_only.hpp"
#include "plugins/local_search/device_segment_descent.hpp"
#include "plugins/tabu/device_searches.hpp"
#include "problems/qap/qap_problem.hpp"
#include "qapfw/error.hpp"
#include "tests/support/test_host.hpp"
#include "tests/unit/problems/qap/support.hpp"

namespace {

using namespace qapfw;
using framework::CompileOnlyDevice;
using test::TestHost;
using test::TestProblem;
using Architectures = std::vector<std::uint32_t>;

/// Runs `body` up to the first launch, which a device without a GPU refuses. Returns the number of compiled binaries,
/// one for each kernel and architecture; -1 without NVRTC.
template <class Body>
int compiled_by(const qapfw_problem_ref* problem, const Architectures& architectures, Body body) {
    std::string error;
    const auto device = [&]() -> std::unique_ptr<CompileOnlyDevice> {
        try {
            return framework::make_compile_only_device(problem, architectures, {},
                                                       [&](const std::string& text) { error = text; });
        } catch (const Error& failure) {
            MESSAGE("SKIPPED: " << failure.what());
            return nullptr;
        }
    }();
    if (!device) return -1;
    try {
        body(*device->table());
    } catch (const sdk::StatusError& refused) {
        INFO(error);
        CHECK(refused.status() == QAPFW_ERROR_UNSUPPORTED);
    }
    return static_cast<int>(device->compiled().size());
}

kernels::TabuOptions options(std::int32_t tenure, std::int32_t long_term) {
    kernels::TabuOptions o{};
    o.tenure_range = tenure;
    o.long_term = long_term;
    return o;
}

/// Compiles the kernels of descents, and those of tabu search with several options. With `with_papers_assignments`, it
/// also compiles tabu kernels that use a paper's two ways to assign pairs to threads (sdk::ThreadAssignment).
void compile_everything(const qapfw_problem_ref* problem, const Architectures& architectures,
                        bool with_papers_assignments) {
    using Kind = sdk::ThreadAssignment::Kind;
    const sdk::ProblemRef ref(problem);
    const int binaries = 2 * static_cast<int>(architectures.size());
    const auto compile_tabu = [&](const kernels::TabuOptions& o, const sdk::ThreadAssignment& assignment,
                                  std::uint64_t searches = 0) {
        const int count = compiled_by(problem, architectures, [&](const qapfw_device& device) {
            tabu::TabuKernel(device, ref, o, assignment, searches, tabu::KernelMoves::kExchanges);
        });
        if (count >= 0) CHECK(count == binaries);
    };
    compile_tabu(options(100, 0), {Kind::kTiled});
    compile_tabu(options(100, 0), {Kind::kTiled}, 1);
    compile_tabu(options(1 << 20, 500), {Kind::kTiled});
    if (with_papers_assignments) {
        compile_tabu(options(100, 0), {Kind::kMata});
        compile_tabu(options(100, 0), {Kind::kMata, 3}, 40);
        compile_tabu(options(100, 0), {Kind::kPlain});
        compile_tabu(options(100, 0), {Kind::kPlain, 5}, 40);
    }
    const int descents = compiled_by(problem, architectures, [&](const qapfw_device& device) {
        local_search::DeviceLocalSearch(device, ref, local_search::Descent::kGreedySweeps, 4);
    });
    if (descents >= 0) CHECK(descents == binaries);
}

/// Describes a problem of twelve positions whose device code computes only costs.
const qapfw_device_problem* describe_cost_alone(qapfw_problem*) {
    static const std::string code =
        "#include \"qapfw/kernels/platform.hpp\"\n"
        "namespace qapfw::device {\n"
        "struct Problem {\n"
        "    struct View { int n; };\n"
        "    using Cost = int64_t;\n"
        "    static constexpr int kPositions = 12;\n"
        "    template <class Group, class Solution>\n"
        "    static QAPFW_DEVICE Cost cost(Group group, const View& view, Solution solution) {\n"
        "        int64_t sum = 0;\n"
        "        for (int k = group.rank(); k < view.n; k += group.size()) sum += k * solution(k) % 7;\n"
        "        return group.sum(sum);\n"
        "    }\n"
        "};\n"
        "}\n";
    static const qapfw_text text{"cost_alone/problem.cuh", code.c_str(), code.size()};
    static const std::int32_t view = 12;
    static const qapfw_device_problem problem{sizeof(problem), 1, &text, &view, sizeof(view), 0, nullptr, nullptr};
    return &problem;
}

}  // namespace

TEST_CASE("all kernels compile for a problem that gives its cost alone and fixes elements") {
    const qap::test::TemporaryFolder folder;
    const std::string fixed = folder.write("fixed.txt", "3->7\n12->1\n");
    TestHost host;
    TestProblem<qap::QapProblem> problem(host, {{"instance", "tai12a"}, {"fixed_file", fixed}});
    qapfw_problem_ref alone = *problem.get();
    alone.get_capability = [](const char* id) -> const void* {
        static const qapfw_problem_device device{sizeof(device), describe_cost_alone, nullptr};
        return std::string(id) == QAPFW_PROBLEM_DEVICE ? &device : nullptr;
    };
    compile_everything(&alone, {90}, false);
    const sdk::ProblemRef ref(&alone);
    CHECK(compiled_by(&alone, {90}, [&](const qapfw_device& device) {
              tabu::TabuKernel(device, ref, options(100, 0), {}, 0, tabu::KernelMoves::kInsertions);
              local_search::DeviceSegmentDescent(device, ref, local_search::Descent::kBestImprovement, 4, true);
          }) == 2);
}

TEST_CASE("all kernels compile for symmetric and asymmetric instances of several sizes" * doctest::test_suite("slow")) {
    for (const char* instance : {"tai12a", "tai40a", "tai20b", "tai210a"}) {
        CAPTURE(instance);
        TestHost host;
        TestProblem<qap::QapProblem> problem(host, {{"instance", instance}});
        const std::string name = instance;
        compile_everything(problem.get(), name == "tai40a" ? framework::kTestedArchitectures : Architectures{90},
                           name == "tai20b");
    }
}
