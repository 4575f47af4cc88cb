// SPDX-License-Identifier: Apache-2.0
// The device code of the island model GA on an emulated GPU: same trajectory as on the CPU.
#include <doctest/doctest.h>

#include "qapfw/sdk/free_positions.hpp"
#include "tests/unit/plugins/cas/emulated_kernels.hpp"
#include "tests/unit/plugins/imga/imga_test_tools.hpp"

#if !defined(__SANITIZE_THREAD__)  // fibers confuse the thread sanitizer
namespace {

using namespace qapfw;
using test::EmulatedDevice;
using test::Given;
using test::Outcome;
using test::small_islands;
using test::StateBytes;
using test::TestHost;
using test::TestProblem;
using test::TestRun;
using test::ToyOrdering;

/// ToyOrdering with a bit behind each position but the last: it turns the weight of the neighbours there around.
class BayOrdering : public ToyOrdering {
  public:
    using ToyOrdering::kParameters;
    BayOrdering(const sdk::Host& host, const sdk::Parameters& parameters)
        : ToyOrdering(host, parameters),
          n_(static_cast<std::uint32_t>(parameters.integer("n"))),
          encoding_(sdk::Encoding::permutation_and_bits(n_, n_ - 1)),
          info_(ToyOrdering::info()) {
        info_.encoding = encoding_.c_encoding();
    }
    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            const void* const at = sdk::solution_at(static_cast<const void*>(batch.solutions), bytes(), k);
            const std::uint16_t* const p = sdk::permutation_of(at);
            batch.costs[k].i = cost(p);
            for (std::uint32_t i = 0; i + 1 < n_; ++i) {
                if (bits(at)[i] != 0) batch.costs[k].i -= 3 * weight(p[i], p[i + 1]);
            }
        }
    }

  private:
    std::uint64_t bytes() const { return info_.encoding.solution_bytes; }
    const std::uint8_t* bits(const void* at) const {
        return static_cast<const std::uint8_t*>(at) + info_.encoding.segments[1].offset;
    }
    /// As ToyOrdering draws them.
    std::int64_t weight(std::uint32_t i, std::uint32_t j) const {
        return static_cast<std::int64_t>(kernels::below(kernels::draw(7, 0, 0, 1, i * n_ + j), 201)) - 100;
    }
    std::uint32_t n_;
    sdk::Encoding encoding_;
    qapfw_problem_info info_;
};

/// SweepImprover, whose GPU version works on the emulated GPU's memory at once.
struct SweepAnywhere : test::SweepImprover {
    using SweepImprover::SweepImprover;
    class DeviceWorkspace {
      public:
        DeviceWorkspace(const SweepAnywhere& improver, const qapfw_device*, std::uint64_t)
            : own_(improver), bytes_(improver.problem.solution_bytes()) {}
        void enqueue(qapfw_stream*, const qapfw_device_batch& batch, const qapfw_improve_request& request) {
            for (std::uint64_t k = 0; k < batch.count; ++k) {
                evaluations_ += own_.improve({sdk::solution_at(reinterpret_cast<void*>(batch.solutions), bytes_, k),
                                              reinterpret_cast<qapfw_cost*>(batch.costs) + k, 1},
                                             request);
            }
        }
        std::uint64_t evaluations() const { return evaluations_; }

      private:
        Workspace own_;
        std::uint64_t bytes_, evaluations_ = 0;
    };
};

struct ImproverAnywhere {
    ImproverAnywhere(const qapfw_host* host, const qapfw_problem_ref* problem) {
        using Table = sdk::ImproverTrampolines<SweepAnywhere>;
        test::Values values = test::Values::of<SweepAnywhere>({});
        REQUIRE(Table::create(host, values.get(), problem, &object) == QAPFW_OK);
        ref = {sizeof ref, object, &Table::table, Table::get_capability, "test"};
    }
    ImproverAnywhere(const ImproverAnywhere&) = delete;
    ~ImproverAnywhere() { ref.table->destroy(object); }
    qapfw_improver* object = nullptr;
    qapfw_improver_ref ref{};
};

/// A problem, and what its kernels would see of it.
template <class T>
struct DeviceToy {
    explicit DeviceToy(const Given& given) : problem(host, given), place(sdk::kernel_order(problem.ref())) {
        const std::uint32_t n = problem.ref().length();
        for (std::uint32_t k = 0; k < n * n; ++k) {
            weights.push_back(static_cast<std::int64_t>(kernels::below(kernels::draw(7, 0, 0, 1, k), 201)) - 100);
        }
        view = {weights.data(), place.data(), static_cast<std::int32_t>(n)};
    }
    TestHost host;
    TestProblem<T> problem;
    std::vector<std::int64_t> weights;
    std::vector<std::uint16_t> place;
    test::ToyView view{};
};

struct Task {
    std::uint64_t generations = 8;
    const qapfw_improver_ref* improver = nullptr;
    StateBytes *load = nullptr, *save = nullptr;
};

/// On so many emulated GPUs, on the CPU where there are none.
template <class T>
Outcome solve_on(std::uint32_t gpus, DeviceToy<T>& toy, const Given& given, const Task& task = {}) {
    std::vector<std::unique_ptr<EmulatedDevice>> devices;
    std::vector<const qapfw_device*> tables;
    for (std::uint32_t d = 0; d < gpus; ++d) {
        devices.push_back(std::make_unique<EmulatedDevice>(toy.view));
        tables.push_back(devices.back()->get());
    }
    test::Solver solver(toy.host.get(), toy.problem.get(), given, task.improver);
    REQUIRE(solver.status == QAPFW_OK);
    if (task.load != nullptr) REQUIRE(solver.load(*task.load) == QAPFW_OK);
    TestRun run(3, task.generations, toy.problem.ref().solution_bytes(), task.load != nullptr);
    qapfw_run services = *run.get();
    services.devices = tables.data();
    services.device_count = gpus;
    solver.run(services);
    if (task.save != nullptr) solver.save(*task.save);
    for (const auto& device : devices) CHECK(device->launches > 0);
    CHECK(toy.problem.ref().evaluate_one(run.best.data()).i == run.best_cost.i);
    return test::outcome(run);
}

const Given kVariants[] = {{},
                           {{"crossover", "ox"}, {"bits", "department"}, {"elites", "3"}},
                           {{"replacement", "distinct"}, {"align", "true"}},
                           {{"tournament_seeding", "clock_once"}, {"mutation_per", "position"}, {"elites", "0"}},
                           {{"tournament_seeding", "per_thread"}, {"restart_after", "2"}, {"topology", "random"}}};

template <class T>
void check_variants(const Given& instance) {
    DeviceToy<T> toy(instance);
    for (const Given& variant : kVariants) {
        const Given given = small_islands(variant);
        const Outcome expected = solve_on(0, toy, given);
        CHECK(!expected.digests.empty());
        CHECK(solve_on(1, toy, given) == expected);
    }
}

}  // namespace

TEST_CASE("islands on GPUs follow the CPU's trajectory, with bits and without, on sizes from 1 to beyond a warp") {
    for (const char* n : {"1", "2", "9"}) {
        CAPTURE(n);
        check_variants<ToyOrdering>({{"n", n}});
        check_variants<BayOrdering>({{"n", n}});
    }
    check_variants<ToyOrdering>({{"n", "9"}, {"fix_first", "true"}});
    DeviceToy<BayOrdering> large(Given{{"n", "40"}});
    CHECK(solve_on(1, large, small_islands(), {3}) == solve_on(0, large, small_islands(), {3}));
}

TEST_CASE("several GPUs share out the islands and leave the search as it is") {
    DeviceToy<BayOrdering> toy(Given{{"n", "9"}});
    for (const char* islands : {"1", "4", "5"}) {
        const Given given = small_islands({{"islands", islands}});
        const Outcome expected = solve_on(0, toy, given);
        CHECK(solve_on(std::string(islands) == "1" ? 1 : 3, toy, given) == expected);
    }
}

TEST_CASE("islands of one individual, of an odd number, and larger than a GPU's block") {
    DeviceToy<BayOrdering> toy(Given{{"n", "9"}});
    for (const char* size : {"1", "33", "150"}) {
        for (const char* replacement : {"generational", "distinct"}) {
            CAPTURE(std::string(size));
            CAPTURE(std::string(replacement));
            const Given given =
                small_islands({{"size", size}, {"islands", "2"}, {"migrants", "1"}, {"replacement", replacement}});
            const Outcome expected = solve_on(0, toy, given, {4}), found = solve_on(1, toy, given, {4});
            CHECK(found.digests == expected.digests);
            CHECK(found.cost_bits == expected.cost_bits);
            CHECK(found.evaluations == expected.evaluations);
        }
    }
}

TEST_CASE("an improver works on the same children on a GPU as on the CPU") {
    DeviceToy<BayOrdering> toy(Given{{"n", "9"}});
    const ImproverAnywhere improver(toy.host.get(), toy.problem.get());
    for (const Given& variant : {Given{{"improve_rate", "0.5"}}, Given{{"improve_every", "2"}},
                                 Given{{"replacement", "distinct"}, {"mutation_rate", "1"}}}) {
        const Given given = small_islands(variant);
        const Task task{8, &improver.ref, nullptr, nullptr};
        const Outcome expected = solve_on(0, toy, given, task), found = solve_on(2, toy, given, task);
        CHECK(found.digests == expected.digests);
        CHECK(found.cost_bits == expected.cost_bits);
        CHECK(found.digests != solve_on(0, toy, given).digests);
    }
}

TEST_CASE("a state of islands saved on a GPU goes on on the CPU and the other way round") {
    DeviceToy<BayOrdering> toy(Given{{"n", "9"}});
    const Given given = small_islands({{"round", "4"}});
    const Outcome whole = solve_on(0, toy, given, {16});
    for (const auto& [from, to] : {std::pair{0u, 1u}, {1u, 0u}, {1u, 2u}, {2u, 1u}}) {
        StateBytes state;
        const Outcome half = solve_on(from, toy, given, {8, nullptr, nullptr, &state});
        const Outcome rest = solve_on(to, toy, given, {8, nullptr, &state, nullptr});
        CHECK(rest.digests.back() == whole.digests.back());
        CHECK(rest.cost_bits == whole.cost_bits);
        CHECK(half.evaluations + rest.evaluations == whole.evaluations);
    }
}
#endif
