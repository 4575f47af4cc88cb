// SPDX-License-Identifier: Apache-2.0
// Tests that the setup of an instance stops if the run must end, and that it checks the available memory before it
// allocates.
#include "problems/qap/setup.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "problems/qap/costs/exact_cost.hpp"
#include "problems/qap/costs/interchangeable.hpp"
#include "problems/qap/neighbourhood/swap_data.hpp"
#include "problems/qap/qap_problem.hpp"
#include "problems/qap/reductions/graph.hpp"
#include "problems/qap/reductions/linear_arrangement.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/available_memory.hpp"
#include "tests/support/test_host.hpp"

namespace sdk = qapfw::sdk;
using namespace qapfw::qap;

namespace {

/// Answers the first `left` questions with no, and all later ones with yes (stop).
struct Countdown {
    int left;
    static std::int32_t ask(void* self) { return static_cast<Countdown*>(self)->left-- <= 0 ? 1 : 0; }
    sdk::StopQuestion question() { return {ask, this}; }
};

/// A host that answers the first `countdown.left` stop questions with no, and all later ones with yes.
class EndingHost : public qapfw::test::TestHost {
  public:
    EndingHost() {
        host_.get_capability = [](void*, const char* id) -> const void* {
            static constexpr qapfw_host_stop kStop{sizeof(qapfw_host_stop), ask};
            return std::string_view(id) == QAPFW_HOST_STOP ? &kStop : nullptr;
        };
    }
    Countdown countdown{1'000'000};

  private:
    static std::int32_t ask(void* host) {
        return Countdown::ask(&static_cast<EndingHost*>(static_cast<TestHost*>(host))->countdown);
    }
};

}  // namespace

TEST_CASE("loops over the rows of a matrix stop if the run must end") {
    const LinearArrangement reduction(read_dimacs("p edge 50 1\ne 1 2\n", "g"));
    const QapMatrices matrices = reduction.matrices();  // no SetupScope exists yet, so nothing stops this call
    const auto stops_after = [](int rows, const auto& work) {
        Countdown countdown{rows};
        const sdk::StopQuestion question = countdown.question();
        const SetupScope scope(question);
        CHECK_THROWS_AS(work(), sdk::Stopped);
    };
    stops_after(0, [&] { reduction.matrices(); });
    // Two matrices of 50 rows are first filled with zeros. This stop comes later, while rows of b are computed.
    stops_after(120, [&] { reduction.matrices(); });
    stops_after(10, [&] { cost_bounds(matrices, "g"); });
    stops_after(10, [&] { Interchangeable{matrices}; });
    CHECK(reduction.matrices().b == matrices.b);  // no SetupScope exists any more, so nothing stops this call
}

TEST_CASE("preparing searches stops in each of its steps") {
    // Two matrices that are not symmetric, with linear costs: for them SwapData needs all its steps.
    constexpr uint32_t kSize = 20;
    QapMatrices matrices;
    matrices.n = kSize;
    for (uint32_t k = 0; k < kSize * kSize; ++k) {
        matrices.a.push_back(k * 37 % 101);
        matrices.b.push_back(k * 53 % 89);
        matrices.linear.push_back(k * 29 % 97);
    }
    int questions = 0;
    for (bool done = false; !done; ++questions) {
        Countdown countdown{questions};
        const sdk::StopQuestion question = countdown.question();
        const SetupScope scope(question);
        try {
            const SwapData data(matrices);
            done = true;
            CHECK(countdown.left == 0);
        } catch (const sdk::Stopped&) {
            CHECK(countdown.left == -1);  // no further question was asked after the stop
        }
    }
    // SwapData copies the matrices, tests symmetry, finds ranges and bounds, makes transposed and packed forms, and
    // stores linear costs. Most of these steps ask the question once for each row that they read. Together the steps
    // read more than 10 * kSize rows.
    CHECK(questions > 10 * static_cast<int>(kSize));
}

TEST_CASE("solutions are evaluated in a run that must end, whenever the stop comes") {
    for (int questions = 0; questions < 100; ++questions) {
        EndingHost host;
        qapfw::test::TestProblem<QapProblem> problem(host, {{"instance", "tai12a"}});
        std::vector<std::uint16_t> solution(problem.ref().solution_bytes() / sizeof(std::uint16_t));
        std::iota(solution.begin(), solution.begin() + 12, std::uint16_t{0});
        host.countdown.left = questions;
        for (int times = 0; times < 40; ++times) {
            qapfw_cost cost{};
            problem.object().evaluate({solution.data(), &cost, 1});
            CHECK(cost.i == evaluate(problem.object().instance().matrices, solution.data()));
        }
    }
}

TEST_CASE("a scope within another one leaves it as it was") {
    Countdown never{1000}, at_once{0};
    const sdk::StopQuestion outer = at_once.question(), inner = never.question();
    const SetupScope scope(outer);
    {
        const SetupScope within(inner);
        set_up_row();
    }
    CHECK_THROWS_AS(set_up_row(), sdk::Stopped);
}

TEST_CASE("matrices made row by row are those made at once") {
    CHECK(set_up_matrix(3, 7) == std::vector<int64_t>(9, 7));
    CHECK(set_up_matrix(0).empty());
    const std::vector<int64_t> matrix{1, 2, 3, 4};
    CHECK(set_up_copy(matrix, 2) == matrix);
}

TEST_CASE("too much memory is refused before it is taken, and the message names the limit") {
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
#ifndef QAPFW_ADDRESS_SANITIZER
    const rlimit little{rlim_t{2} << 30U, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_AS, &little) == 0);
    std::string said;
    try {
        require_memory_of(16384, kBytesOfMatrices, "g");
    } catch (const qapfw::Error& error) {
        CHECK(error.kind() == qapfw::ErrorKind::kMemory);
        said = error.what();
    }
    require_memory_of(1000, kBytesOfMatrices, "g");  // 16 MB are available in any case
    REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
    CHECK(said.starts_with("g: n = 16384 wants about 4.29 GB of memory, but "));
    CHECK((said.ends_with("are available within the limit ulimit -v") || said.ends_with("free memory") ||
           said.ends_with("control group")));
#endif
    CHECK(sdk::available_memory().bytes > 0);
}
