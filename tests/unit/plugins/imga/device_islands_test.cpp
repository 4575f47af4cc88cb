// SPDX-License-Identifier: Apache-2.0
// Checks that the device code of the island model GA has the CPU's trajectory on an emulated GPU.
#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <cstring>

#include "tests/support/device_checks.hpp"
#include "tests/support/process_checks.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/unit/plugins/imga/imga_test_tools.hpp"

using namespace qapfw;

TEST_CASE("the children of all GPUs are improved side by side") {
    const test::Given given = test::small_islands({{"islands", "5"}});
    test::check_side_by_side<test::Imga>(given, 6, 4);
    test::check_failing_share<test::Imga>(given);
}

TEST_CASE("an improver gets one place on a GPU where more gain nothing") {
    const test::Given given = test::small_islands({{"islands", "5"}});
    const test::DeviceToy<> toy(test::Given{{"n", "6"}});
    static qapfw_improver_device table;
    const auto workspaces_with = [&](std::uint32_t counts_enqueued) {
        const test::TestImprover<test::Meeting<test::OneExchange>> improver(toy.host.get(), toy.problem.get());
        table = *sdk::device_table_of(*improver.get());
        table.counts_enqueued = counts_enqueued;
        qapfw_improver_ref ref = *improver.get();
        ref.get_capability = [](const char* id) -> const void* {
            return std::strcmp(id, QAPFW_IMPROVER_DEVICE) == 0 ? &table : nullptr;
        };
        test::solve_on<test::Imga>({2}, toy, given, {3, 6, &ref});
        return improver.object().calls->workspaces;
    };
    CHECK(workspaces_with(0) == 4);  // each of the two GPUs gets two of the five threads, and so two places
    CHECK(workspaces_with(1) == 2);
}

#if !defined(QAPFW_THREAD_SANITIZER)  // emulated GPUs are slow with this sanitizer: only the cases above run
namespace {

using test::Anywhere;
using test::DeviceToy;
using test::EmulatedGpus;
using test::Given;
using test::Outcome;
using test::small_islands;
using test::StateBytes;
using test::SweepImprover;
using test::TestImprover;
using test::TestRun;
using test::ToyOrdering;
using Solver = test::TestSolver<test::Imga>;

/// ToyOrdering with a bit behind each position except the last. A set bit lowers the cost by 3 times the weight of a
/// pair: the elements before and behind the bit.
class BayOrdering : public ToyOrdering {
  public:
    using ToyOrdering::kParameters;
    BayOrdering(const sdk::Host& host, const sdk::Parameters& parameters)
        : ToyOrdering(host, parameters),
          n_(static_cast<std::uint32_t>(parameters.integer("n"))),
          encoding_(sdk::Encoding::permutation_and_bays(n_)),
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
    /// The weight of the pair (i, j), drawn as in ToyOrdering.
    std::int64_t weight(std::uint32_t i, std::uint32_t j) const {
        return static_cast<std::int64_t>(kernels::below(kernels::draw(7, 0, 0, 1, i * n_ + j), 201)) - 100;
    }
    std::uint32_t n_;
    sdk::Encoding encoding_;
    qapfw_problem_info info_;
};

struct Task {
    std::uint64_t generations = 8;
    const qapfw_improver_ref* improver = nullptr;
    StateBytes *load = nullptr, *save = nullptr;
    const qapfw_exchange* exchange = nullptr;
    qapfw_batch initial{};
    std::uint32_t shared_bytes = test::kMuchShared;  ///< bytes of shared memory of a CUDA block
};

/// Solves on `gpus` emulated GPUs; 0: on the CPU.
template <class T>
Outcome solve_on(std::uint32_t gpus, DeviceToy<T>& toy, const Given& given, const Task& task = {}) {
    const EmulatedGpus devices(toy.view, gpus, task.shared_bytes);
    Solver solver(toy.host.get(), toy.problem.get(), given, task.improver);
    REQUIRE(solver.status == QAPFW_OK);
    if (task.load != nullptr) solver.load(*task.load);
    TestRun run(3, task.generations, toy.problem.ref().solution_bytes(), task.load != nullptr);
    qapfw_run services = *run.get();
    devices.give_to(services);
    services.exchange = task.exchange;
    services.initial = task.initial;
    solver.run(services);
    if (task.save != nullptr) solver.save(*task.save);
    devices.check_all_worked();
    return test::outcome(run, toy.problem);
}

const Given kVariants[] = {{},
                           {{"crossover", "ox"}, {"bits", "department"}, {"elites", "3"}},
                           {{"replacement", "distinct"}, {"align", "true"}},
                           {{"crossover", "mox"}, {"bits", "department"}},
                           {{"crossover", "uniform"}, {"align", "true"}},
                           {{"crossover", "cycle"}, {"replacement", "distinct"}},
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
    for (const char* n : {"9", "1", "2"}) {
        CAPTURE(n);
        check_variants<BayOrdering>({{"n", n}});
        if (qapfw::kSanitized) continue;
        check_variants<ToyOrdering>({{"n", n}});
    }
    check_variants<ToyOrdering>({{"n", "9"}, {"fix_first", "true"}});
    DeviceToy<BayOrdering> large(Given{{"n", "40"}});
    CHECK(solve_on(1, large, small_islands(), {3}) == solve_on(0, large, small_islands(), {3}));
}

TEST_CASE("children that do not fit shared memory are made in the arrays themselves") {
    DeviceToy<BayOrdering> toy(Given{{"n", "9"}});
    Task small;
    small.shared_bytes = 1000;
    for (const Given& variant : kVariants) {
        CHECK(solve_on(1, toy, small_islands(variant), small) == solve_on(0, toy, small_islands(variant)));
    }
}

TEST_CASE("several GPUs share out the islands and leave the search as it is") {
    DeviceToy<BayOrdering> toy(Given{{"n", "9"}});
    for (const char* islands : {"1", "4", "5"}) {
        const Given given = small_islands({{"islands", islands}});
        const Outcome expected = solve_on(0, toy, given);
        CHECK(solve_on(std::string(islands) == "1" ? 1 : 3, toy, given) == expected);
    }
}

TEST_CASE("migrants travel on GPUs as on the CPU, whatever the topology, within a GPU and between GPUs") {
    DeviceToy<BayOrdering> toy(Given{{"n", "9"}});
    for (const char* topology : {"ring", "bidirectional_ring", "torus", "complete", "random"}) {
        for (const char* replacement : {"generational", "distinct"}) {
            CAPTURE(std::string(topology));
            CAPTURE(std::string(replacement));
            const Given given = small_islands({{"topology", topology},
                                               {"replacement", replacement},
                                               {"islands", "6"},
                                               {"size", "5"},
                                               {"migrants", "5"},
                                               {"migrate_every", "1"}});
            const Outcome expected = solve_on(0, toy, given, {4});
            CHECK(solve_on(1, toy, given, {4}) == expected);
            CHECK(solve_on(4, toy, given, {4}) == expected);
        }
    }
}

TEST_CASE("several processes with GPUs share out the islands and leave the search as it is") {
    const Given instance{{"n", "9"}};
    DeviceToy<BayOrdering> toy(instance);
    for (const char* topology : {"ring", "complete"}) {
        const Given given = small_islands({{"topology", topology}, {"islands", "7"}, {"restart_after", "3"}});
        const Outcome expected = solve_on(0, toy, given);
        test::ThreadExchange exchange(2);
        Outcome outcomes[2];
        const auto run_rank = [&](std::uint32_t rank) {
            DeviceToy<BayOrdering> own(instance);
            test::ThreadExchange::Member member = exchange.member(rank);
            member.table.context = &member;
            Task task;
            task.exchange = &member.table;
            outcomes[rank] = solve_on(2, own, given, task);
        };
        std::thread other([&] { run_rank(1); });
        run_rank(0);
        other.join();
        CHECK(outcomes[0] == expected);
        CHECK(outcomes[1] == expected);
    }
}

TEST_CASE("warm starts take the same places on GPUs") {
    DeviceToy<BayOrdering> toy(Given{{"n", "9"}});
    const std::uint64_t bytes = toy.problem.ref().solution_bytes();
    std::vector<unsigned char> warm(7 * bytes);
    for (std::uint64_t w = 0; w < 7; ++w) {
        sdk::base_solution(toy.problem.ref(), warm.data() + w * bytes);
        std::swap(sdk::permutation_of(static_cast<void*>(warm.data() + w * bytes))[w],
                  sdk::permutation_of(static_cast<void*>(warm.data() + w * bytes))[w + 1]);
    }
    Task task;
    const Outcome cold = solve_on(0, toy, small_islands(), task);
    task.initial = {warm.data(), nullptr, 7};
    const Outcome expected = solve_on(0, toy, small_islands(), task);
    CHECK(expected.digests != cold.digests);
    CHECK(solve_on(1, toy, small_islands(), task) == expected);
    CHECK(solve_on(2, toy, small_islands(), task) == expected);
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
            CHECK(found.cost == expected.cost);
            CHECK(found.evaluations == expected.evaluations);
        }
    }
}

TEST_CASE("an improver works on the same children on a GPU as on the CPU") {
    DeviceToy<BayOrdering> toy(Given{{"n", "9"}});
    const TestImprover<Anywhere<SweepImprover>> improver(toy.host.get(), toy.problem.get());
    for (const Given& variant : {Given{{"improve_rate", "0.5"}}, Given{{"improve_every", "2"}},
                                 Given{{"replacement", "distinct"}, {"mutation_rate", "1"}}}) {
        const Given given = small_islands(variant);
        Task task;
        task.improver = improver.get();
        const Outcome expected = solve_on(0, toy, given, task);
        CHECK(solve_on(1, toy, given, task) == expected);
        CHECK(solve_on(2, toy, given, task) == expected);
        CHECK(expected.digests != solve_on(0, toy, given).digests);
    }
}

TEST_CASE("a round cut short on GPUs leaves no trace in the saved state") {
    DeviceToy<BayOrdering> toy(Given{{"n", "9"}});
    const TestImprover<Anywhere<SweepImprover>> improver(toy.host.get(), toy.problem.get());
    const std::uint64_t bytes = toy.problem.ref().solution_bytes();
    for (const char* replacement : {"generational", "distinct"}) {
        const Given given = small_islands({{"round", "3"}, {"restart_after", "3"}, {"replacement", replacement}});
        Task task{9, improver.get(), nullptr, nullptr, nullptr, {}};
        const Outcome whole = solve_on(0, toy, given, task);
        for (std::int32_t calls = 0; calls < 11; calls += qapfw::kSanitized ? 3 : 1) {
            CAPTURE(calls);
            // Number of calls of should_stop that still return 0. Several threads may call it at the same time.
            static std::atomic<std::int32_t> left = 0;
            left = calls;
            const EmulatedGpus device(toy.view, 1, test::kMuchShared);
            Solver solver(toy.host.get(), toy.problem.get(), given, improver.get());
            TestRun run(3, 9, bytes);
            qapfw_run services = *run.get();
            device.give_to(services);
            services.should_stop = [](void*) -> std::int32_t { return left.fetch_sub(1) <= 0 ? 1 : 0; };
            services.begin_round = [](void*, std::uint64_t) -> std::uint64_t { return left > 0 ? 3 : 0; };
            solver.run(services);
            StateBytes state;
            solver.save(state);
            if (run.digests.size() >= 3) break;
            task.generations = 9 - 3 * run.digests.size();
            task.load = &state;
            CHECK(solve_on(0, toy, given, task).digests.back() == whole.digests.back());
        }
    }
}

TEST_CASE("a state of islands saved on a GPU continues on the CPU, and the other way round") {
    DeviceToy<BayOrdering> toy(Given{{"n", "9"}});
    const Given given = small_islands({{"round", "4"}});
    const Outcome whole = solve_on(0, toy, given, {16});
    for (const auto& [from, to] : {std::pair{0u, 1u}, {1u, 0u}, {1u, 2u}, {2u, 1u}}) {
        StateBytes state;
        const Outcome half = solve_on(from, toy, given, {8, nullptr, nullptr, &state, nullptr, {}});
        const Outcome rest = solve_on(to, toy, given, {8, nullptr, &state, nullptr, nullptr, {}});
        CHECK(rest.digests.back() == whole.digests.back());
        CHECK(rest.cost == whole.cost);
        CHECK(half.evaluations + rest.evaluations == whole.evaluations);
    }
    StateBytes state;
    solve_on(0, toy, given, {8, nullptr, nullptr, &state, nullptr, {}});
    state.set_generation(test::kBefore32Bits);
    const Outcome late = solve_on(0, toy, given, {8, nullptr, &state, nullptr, nullptr, {}});
    for (const std::uint32_t gpus : {1u, 2u})
        CHECK(solve_on(gpus, toy, given, {8, nullptr, &state, nullptr, nullptr, {}}) == late);
}
#endif
