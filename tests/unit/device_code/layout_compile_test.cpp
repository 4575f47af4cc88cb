// SPDX-License-Identifier: Apache-2.0
// Checks that the layout problem's device code compiles by itself and with the kernels of tabu search and of descents,
// for the oldest supported and a recent GPU. Needs NVRTC, no GPU.
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>

#include "framework/device/compile_only.hpp"
#include "plugins/fbs_local_search/device_descent.hpp"
#include "plugins/local_search/device_local_search.hpp"
#include "plugins/tabu/device_searches.hpp"
#include "problems/uaflp/uaflp_problem.hpp"
#include "qapfw/error.hpp"
#include "tests/support/test_host.hpp"

namespace {

using namespace qapfw;
using test::TestHost;
using test::TestProblem;

constexpr std::string_view kEvaluate = R"(
#include "qapfw/kernels/device_team.hpp"
namespace {
using Problem = qapfw::device::Problem;
struct Stored {
    const uint16_t* departments;
    const uint8_t* bits;
    QAPFW_DEVICE int operator()(int position) const { return departments[position]; }
    QAPFW_DEVICE int bit(int k) const { return bits[k]; }
};
}
extern "C" __global__ void evaluate(Problem::View view, const uint16_t* solution, Problem::Cost* costs) {
    __shared__ alignas(16) unsigned char scratch[Problem::kScratchBytes];
    const Stored stored{solution, reinterpret_cast<const uint8_t*>(solution) + Problem::kBitsOffset};
    costs[0] = Problem::cost(qapfw::kernels::ThreadGroup{}, view, stored);
    costs[1] = Problem::cost(qapfw::kernels::WarpGroup{}, view, stored);
    costs[2] = Problem::cost_in(qapfw::kernels::WarpGroup{}, view, stored, scratch);
}
)";

/// Runs `body` on a device that compiles every requested kernel and refuses to launch it. Returns the number of kernels
/// compiled for each architecture; -1 without NVRTC.
template <class Body>
int compiled_by(const qapfw_problem_ref* problem, Body body) {
    std::string error;
    std::unique_ptr<framework::CompileOnlyDevice> device;
    try {
        device = framework::make_compile_only_device(problem, framework::kTestedArchitectures, {},
                                                     [&](const std::string& text) { error = text; });
    } catch (const Error& failure) {
        MESSAGE("SKIPPED: " << failure.what());
        return -1;
    }
    try {
        body(*device->table());
    } catch (const sdk::StatusError& refused) {
        INFO(error);
        CHECK(refused.status() == QAPFW_ERROR_UNSUPPORTED);
    }
    return static_cast<int>(device->compiled().size() / framework::kTestedArchitectures.size());
}

sdk::KernelRequest evaluate_request() {
    sdk::KernelRequest request;
    request.texts = {{"test/evaluate.cu", kEvaluate.data(), kEvaluate.size()}};
    request.entry = "evaluate";
    return request;
}

}  // namespace

TEST_CASE("a layout's device code compiles alone, under the descents and under tabu search" *
          doctest::test_suite("slow")) {
    TestHost host;
    TestProblem<uaflp::UaflpProblem> problem(host, {{"instance", "F62"}});
    const sdk::ProblemRef ref = problem.ref();
    const int alone =
        compiled_by(problem.get(), [&](const qapfw_device& device) { sdk::Kernel(device, evaluate_request()); });
    if (alone < 0) return;
    CHECK(alone == 1);
    CHECK(compiled_by(problem.get(), [&](const qapfw_device& device) {
              local_search::DeviceLocalSearch(device, ref, local_search::Descent::kBestImprovement, 4);
          }) == 2);
    CHECK(compiled_by(problem.get(),
                      [&](const qapfw_device& device) { fbs_local_search::DeviceDescent(device, ref, 4); }) == 2);
    kernels::TabuOptions options{};
    options.tenure_range = 100;
    for (const bool moves_bits : {false, true}) {
        CHECK(compiled_by(problem.get(), [&](const qapfw_device& device) {
                  tabu::TabuKernel(device, ref, options, {}, 0, tabu::kernel_moves(ref, moves_bits, false));
              }) == 2);
    }
}

TEST_CASE("an instance beyond what a thread's memory holds has no device code") {
    TestHost host;
    TestProblem<uaflp::UaflpProblem> problem(host, {{"instance", "F1025"}});
    const auto* device = problem.ref().capability<qapfw_problem_device>(QAPFW_PROBLEM_DEVICE);
    REQUIRE(device != nullptr);
    CHECK(device->describe(problem.get()->problem) == nullptr);
    CHECK(host.error == "layouts on a GPU have at most 1024 departments, but this one has 1025");
}
