// SPDX-License-Identifier: Apache-2.0
// Checks that the independent GA with the QAP's own device code follows the CPU's trajectory on an emulated GPU.
#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "plugins/ga_independent/ga_independent.hpp"
#include "problems/qap/qap_problem.hpp"
#include "tests/support/emulated_device.hpp"
#include "tests/support/test_host.hpp"

#if !defined(QAPFW_THREAD_SANITIZER)  // an emulated GPU is slow with this sanitizer, and uses only one thread
namespace {

using namespace qapfw;
using GaIndependent = sdk::PopulationSolver<ga_independent::GaIndependent>;
using test::TestHost;
using test::TestProblem;
using test::TestRun;
using test::Values;
using Given = std::map<std::string, std::string>;

std::vector<unsigned char> view_bytes;  ///< the solved QAP's view for kernels; its pointers are host addresses

void set_view(const qapfw_problem_ref* problem, const char* movable) {
    const auto* table = static_cast<const qapfw_problem_device*>(problem->get_capability(QAPFW_PROBLEM_DEVICE));
    const qapfw_device_problem& described = *table->describe(problem->problem);
    const auto* bytes = static_cast<const unsigned char*>(described.view);
    view_bytes.assign(bytes, bytes + described.view_size);
    for (std::uint64_t k = 0; k < described.buffer_count; ++k) {
        std::memcpy(view_bytes.data() + described.buffers[k].view_offset, &described.buffers[k].bytes, sizeof(void*));
    }
    // The kernels in this program were compiled with the macros below, except that their QAP_MOVABLE is always 14.
    // Costs do not depend on QAP_MOVABLE.
    const std::string instance(described.texts[0].text, described.texts[0].size);
    for (const char* macro : {"QAP_N 14", "QAP_ROW 16", "QAP_ELEMENT uint8_t", "QAP_SYMMETRIC 1", "QAP_DIAGONAL 0",
                              "QAP_DELTA_SCALE 2", movable}) {
        CAPTURE(instance);
        REQUIRE(instance.find(macro) != std::string::npos);
    }
}

struct Outcome {
    std::vector<std::uint64_t> digests;
    std::int64_t cost;
    bool operator==(const Outcome&) const = default;
};

/// A device that gives `view_bytes` as its problem view.
qapfw_device device_with_view(const test::EmulatedDevice& gpu) {
    qapfw_device table = *gpu.get();
    table.problem_view = [](void*, const void** view, std::uint64_t* size) -> qapfw_status {
        *view = view_bytes.data();
        *size = view_bytes.size();
        return QAPFW_OK;
    };
    return table;
}

template <class Solver>
Outcome solve(TestHost& host, TestProblem<qap::QapProblem>& problem, const Given& given, const qapfw_device* device) {
    using Table = sdk::SolverTrampolines<Solver>;
    Values values = Values::of<Solver>(given, 14);
    qapfw_solver* solver = nullptr;
    REQUIRE(Table::create(host.get(), values.get(), problem.get(), nullptr, &solver) == QAPFW_OK);
    const TestRun run(4, 12, problem.ref().solution_bytes());
    qapfw_run services = *run.get();
    services.devices = &device;
    services.device_count = device == nullptr ? 0 : 1;
    CHECK(Table::run(solver, &services) == QAPFW_OK);
    Table::destroy(solver);
    return {run.digests, run.best_cost.i};
}

}  // namespace

TEST_CASE("a genetic algorithm over the QAP's device code follows the CPU's trajectory, in shared memory or not") {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "qapfw_emulated_qap_fixed.txt";
    std::ofstream(file) << "3->7\n";
    for (const std::string& fixed : {std::string(), file.string()}) {
        for (const char* rate : {"0.1", "1"}) {
            CAPTURE(fixed);
            TestHost host;
            TestProblem<qap::QapProblem> problem(host, {{"instance", "tai14a"}, {"fixed_file", fixed}});
            set_view(problem.get(), fixed.empty() ? "QAP_MOVABLE 14" : "QAP_MOVABLE 13");
            const Given given = {
                {"blocks", "2"}, {"size", "12"}, {"round", "4"}, {"restart_check", "3"}, {"mutation_rate", rate}};
            const Outcome expected = solve<GaIndependent>(host, problem, given, nullptr);
            CHECK(expected.digests.size() == 3);
            test::EmulatedDevice gpu({});
            qapfw_device table = device_with_view(gpu);
            for (const std::uint32_t shared : {200'000u, 0u}) {
                table.shared_bytes_per_block = gpu.shared_bytes_per_block = shared;
                CHECK(solve<GaIndependent>(host, problem, given, &table) == expected);
            }
            CHECK(gpu.launches > 0);
        }
    }
    std::filesystem::remove(file);
}
#endif
