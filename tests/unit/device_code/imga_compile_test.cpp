// SPDX-License-Identifier: Apache-2.0
// The kernels of the island model GA compile with layouts and with the QAP, for all supported GPU generations. Needs
// NVRTC, no GPU.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "framework/device/compile_only.hpp"
#include "plugins/imga/device_share.hpp"
#include "problems/qap/qap_problem.hpp"
#include "problems/uaflp/uaflp_problem.hpp"
#include "qapfw/error.hpp"
#include "tests/support/test_host.hpp"

namespace {

using namespace qapfw;
using Given = std::map<std::string, std::string>;

template <class Problem>
void compile_for(const Given& instance) {
    test::TestHost host;
    test::TestProblem<Problem> problem(host, instance);
    std::string error;
    std::unique_ptr<framework::CompileOnlyDevice> device;
    try {
        device = framework::make_compile_only_device(problem.get(), framework::kTestedArchitectures, {},
                                                     [&](const std::string& text) { error = text; });
    } catch (const Error& failure) {
        MESSAGE("SKIPPED: " << failure.what());
        return;
    }
    imga::ImgaOptions options;
    options.rules.n = problem.ref().length();
    options.rules.tournament.size = 4;
    options.has_bits = problem.ref().encoding().segment_count > 1;
    try {
        imga::DeviceShare(*device->table(), problem.ref(), nullptr, options, 0, 1);
    } catch (const sdk::StatusError& refused) {
        INFO(error);
        CHECK(refused.status() == QAPFW_ERROR_UNSUPPORTED);
    }
    INFO(error);
    CHECK(device->compiled().size() == 12 * framework::kTestedArchitectures.size());
}

}  // namespace

TEST_CASE("the island GA's kernels compile for layouts" * doctest::test_suite("slow")) {
    for (const char* instance : {"F60", "F400"}) compile_for<uaflp::UaflpProblem>({{"instance", instance}});
    compile_for<uaflp::UaflpProblem>({{"instance", "F60"}, {"precision", "float"}});
}

TEST_CASE("the island GA's kernels compile for the QAP" * doctest::test_suite("slow")) {
    compile_for<qap::QapProblem>({{"instance", "tai20b"}});
}
