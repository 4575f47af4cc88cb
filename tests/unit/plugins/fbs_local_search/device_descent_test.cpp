// SPDX-License-Identifier: Apache-2.0
// Checks that fbs_local_search's device code yields the CPU's solutions, costs and counts on an emulated GPU.
#include <doctest/doctest.h>

#include "emulated_layouts.hpp"
#include "fbs_test_tools.hpp"
#include "problems/uaflp/uaflp_problem.hpp"
#include "tests/support/emulated_device.hpp"

#if !defined(QAPFW_THREAD_SANITIZER)  // an emulated GPU is slow with this sanitizer, and uses only one thread
using namespace qapfw;
using namespace qapfw::fbs_local_search::test;
using qapfw::test::EmulatedDevice;
using qapfw::test::TestHost;
using qapfw::test::TestProblem;

namespace {

/// An emulated GPU with a layout problem's view.
struct LayoutDevice {
    explicit LayoutDevice(const uaflp::UaflpProblem& problem) {
        view = &problem.device();
        table = *emulated.get();
        table.problem_view = [](void*, const void** bytes, std::uint64_t* size) -> qapfw_status {
            *bytes = view->view;
            *size = view->view_size;
            return QAPFW_OK;
        };
    }
    inline static const qapfw_device_problem* view = nullptr;
    EmulatedDevice emulated{qapfw::test::ToyView{}};
    qapfw_device table{};
};

struct Outcome {
    Bytes solutions;
    std::vector<double> costs;
    std::uint64_t evaluations;
    bool operator==(const Outcome&) const = default;
};

std::vector<double> real(const std::vector<qapfw_cost>& costs) {
    std::vector<double> values;
    for (const qapfw_cost cost : costs) values.push_back(cost.f);
    return values;
}

constexpr std::uint32_t kCount = 2;

Outcome on_cpu(Improver& improver, Bytes solutions) {
    std::vector<qapfw_cost> costs = costs_of(improver.ref_of_problem, solutions);
    const std::uint64_t evaluations = improver.improve(solutions, costs);
    return {solutions, real(costs), evaluations};
}

Outcome on_device(Improver& improver, const LayoutDevice& gpu, Bytes solutions) {
    std::vector<qapfw_cost> costs = costs_of(improver.ref_of_problem, solutions);
    const auto* table = static_cast<const qapfw_improver_device*>(Table::get_capability(QAPFW_IMPROVER_DEVICE));
    REQUIRE(table != nullptr);
    qapfw_device_workspace* workspace = nullptr;
    REQUIRE(table->create(improver.get()->improver, &gpu.table, kCount, &workspace) == QAPFW_OK);
    const qapfw_device_batch batch{reinterpret_cast<std::uint64_t>(solutions.data()),
                                   reinterpret_cast<std::uint64_t>(costs.data()), costs.size()};
    REQUIRE(table->enqueue(workspace, nullptr, &batch, &improver.request) == QAPFW_OK);
    const std::uint64_t evaluations = table->evaluations(workspace);
    table->destroy(workspace);
    return {solutions, real(costs), evaluations};
}

}  // namespace

TEST_CASE("a launch looks at fewer neighbours of large layouts and of many") {
    CHECK(fbs_local_search::neighbours_of_launch(1, 62, 132) == 20'000);
    CHECK(fbs_local_search::neighbours_of_launch(4096, 62, 132) == 400'000'000 / (8 * 62 * 62));
    CHECK(fbs_local_search::neighbours_of_launch(1, 1024, 132) == 381);
    CHECK(fbs_local_search::neighbours_of_launch(1'000'000, 1024, 132) == 100);
    CHECK(fbs_local_search::neighbours_of_launch(0, 1, 0) == 20'000);
}

TEST_CASE("the kernels follow the CPU's trajectory with each choice of improvement, order and limits") {
    TestHost host;
    TestProblem<uaflp::UaflpProblem> problem(host, {{"instance", "F" + std::to_string(QAPFW_EMULATED_N)}});
    REQUIRE(problem.ref().encoding().segments[1].offset == QAPFW_EMULATED_BITS_OFFSET);
    const LayoutDevice gpu(problem.object());
    const Bytes starts = random_solutions(problem.ref(), kCount);
    for (const Given& given : {Given{{"iterations", "9"}},
                               {{"improvement", "best"}, {"iterations", "1"}},
                               {{"order", "descent"}, {"evaluations", "131"}},
                               {{"improvement", "best"}, {"order", "descent"}, {"evaluations", "77"}},

                               {{"iterations", "3"}, {"swap", "false"}, {"flip_bit", "false"}}}) {
        Improver improver(host, problem.get(), given);
        improver.request.seed = 11;
        improver.request.generation = 2;
        improver.request.first_individual = 40;
        const Outcome expected = on_cpu(improver, starts);
        CHECK(expected.solutions != starts);
        CHECK(on_device(improver, gpu, starts) == expected);
    }
}

TEST_CASE("a descent cut into many launches goes the same way, and stops between two of them when told") {
    TestHost host;
    TestProblem<uaflp::UaflpProblem> problem(host, {{"instance", "F" + std::to_string(QAPFW_EMULATED_N)}});
    const LayoutDevice gpu(problem.object());
    const Bytes starts = random_solutions(problem.ref(), kCount, 7);
    const kernels::FbsMoveRange ranges[] = {{QAPFW_EMULATED_N, 2, {kernels::kFbsMoveSwap, kernels::kFbsMoveInsert}},
                                            {QAPFW_EMULATED_N, 1, {kernels::kFbsMoveFlipBit}}};
    for (const auto improvement : {fbs_local_search::Improvement::kFirst, fbs_local_search::Improvement::kBest}) {
        const auto descend = [&](std::uint64_t slice, qapfw_improve_request request) {
            fbs_local_search::DeviceDescent descent(gpu.table, problem.ref(), kCount);
            fbs_local_search::DescentOptions options{improvement, ranges};
            options.moves = 5;
            options.evaluations = 150;
            options.slice = slice;
            Outcome outcome{starts, {}, 0};
            std::vector<qapfw_cost> costs = costs_of(problem.ref(), starts);
            const qapfw_device_batch batch{reinterpret_cast<std::uint64_t>(outcome.solutions.data()),
                                           reinterpret_cast<std::uint64_t>(costs.data()), kCount};
            descent.enqueue(nullptr, batch, request, options);
            outcome.costs = real(costs);
            outcome.evaluations = descent.evaluations();
            CHECK(outcome.costs == real(costs_of(problem.ref(), outcome.solutions)));
            return outcome;
        };
        qapfw_improve_request request{};
        request.struct_size = sizeof request;
        const Outcome whole = descend(5000, request);
        CHECK(whole.solutions != starts);
        for (const std::uint64_t slice : {7u, 50u}) CHECK(descend(slice, request) == whole);
        request.should_stop = [](void*) -> std::int32_t { return 1; };
        const Outcome stopped = descend(7, request);
        CHECK(stopped.evaluations <= 7 * kCount);
        CHECK(stopped.evaluations < whole.evaluations);
    }
}

TEST_CASE("fixed positions are refused on a GPU with a message") {
    TestHost host;
    TestProblem<uaflp::UaflpProblem> problem(host, {{"instance", "F9"}});
    const LayoutDevice gpu(problem.object());
    qapfw_problem_info info = problem.ref().info();
    const std::vector<std::uint8_t> fixed(18, 0);
    info.encoding.fixed = fixed.data();
    static const qapfw_problem_info* told = nullptr;
    told = &info;
    qapfw_problem_table table = *problem.get()->table;
    table.info = [](qapfw_problem*) { return told; };
    qapfw_problem_ref ref = *problem.get();
    ref.table = &table;
    CHECK_THROWS_WITH(fbs_local_search::DeviceDescent(gpu.table, sdk::ProblemRef(&ref), 1),
                      "improver fbs_local_search does not run on GPUs if the problem fixes positions: choose "
                      "device.backend = \"cpu\"");
}
#endif
