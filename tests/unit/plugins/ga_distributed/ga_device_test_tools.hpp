// SPDX-License-Identifier: Apache-2.0
// What the tests of the genetic algorithms' device code share: the toy problem on emulated GPUs, with as much shared
// memory as a test likes, and an improver that has a GPU version.
#pragma once

#include <memory>

#include "qapfw/sdk/free_positions.hpp"
#include "tests/unit/plugins/cas/emulated_kernels.hpp"
#include "tests/unit/plugins/ga_distributed/ga_test_tools.hpp"

namespace qapfw::test {
inline namespace ga {  // other tests of the same program have tools with the same names

constexpr std::uint32_t kMuchShared = 200'000, kNoShared = 0;  ///< bytes of a block

/// A toy problem, and what its kernels would see of it.
struct DeviceToy {
    explicit DeviceToy(const Given& given) : problem(host, given), place(sdk::kernel_order(problem.ref())) {
        const std::uint32_t n = problem.ref().length();
        for (std::uint32_t k = 0; k < n * n; ++k) {  // as ToyOrdering draws them
            weights.push_back(static_cast<std::int64_t>(kernels::below(kernels::draw(7, 0, 0, 1, k), 201)) - 100);
        }
        view = {weights.data(), place.data(), static_cast<std::int32_t>(n)};
    }
    TestHost host;
    TestProblem<ToyOrdering> problem;
    std::vector<std::int64_t> weights;
    std::vector<std::uint16_t> place;
    ToyView view{};
};

/// So many GPUs; none stands for the CPU.
class EmulatedGpus {
  public:
    EmulatedGpus(const DeviceToy& toy, std::uint32_t count, std::uint32_t shared_bytes) {
        for (std::uint32_t d = 0; d < count; ++d) {
            devices_.push_back(std::make_unique<EmulatedDevice>(toy.view));
            tables_.push_back(std::make_unique<qapfw_device>(*devices_.back()->get()));
            tables_.back()->shared_bytes_per_block = shared_bytes;
            tables_.back()->shared_bytes_per_multiprocessor = shared_bytes;
            pointers_.push_back(tables_.back().get());
        }
    }
    void give_to(qapfw_run& run) const {
        run.devices = pointers_.data();
        run.device_count = static_cast<std::uint32_t>(pointers_.size());
    }
    const qapfw_device& operator[](std::size_t k) const { return *pointers_[k]; }
    void check_all_worked() const {
        for (const auto& device : devices_) CHECK(device->launches > 0);
    }

  private:
    std::vector<std::unique_ptr<EmulatedDevice>> devices_;
    std::vector<std::unique_ptr<qapfw_device>> tables_;
    std::vector<const qapfw_device*> pointers_;
};

/// OneExchange, whose GPU version works on the emulated GPU's memory at once.
struct OneExchangeAnywhere : OneExchange {
    using OneExchange::OneExchange;
    class DeviceWorkspace {
      public:
        DeviceWorkspace(const OneExchangeAnywhere& improver, const qapfw_device*, std::uint64_t) : own_(improver) {}
        void enqueue(qapfw_stream*, const qapfw_device_batch& batch, const qapfw_improve_request& request) {
            evaluations_ += own_.improve(
                {reinterpret_cast<void*>(batch.solutions), reinterpret_cast<qapfw_cost*>(batch.costs), batch.count},
                request);
        }
        std::uint64_t evaluations() const { return evaluations_; }

      private:
        Workspace own_;
        std::uint64_t evaluations_ = 0;
    };
};

struct ImproverAnywhere {
    ImproverAnywhere(const qapfw_host* host, const qapfw_problem_ref* problem) {
        using Table = sdk::ImproverTrampolines<OneExchangeAnywhere>;
        Values values = Values::of<OneExchangeAnywhere>({});
        REQUIRE(Table::create(host, values.get(), problem, &object) == QAPFW_OK);
        ref = {sizeof ref, object, &Table::table, Table::get_capability, "test"};
    }
    ImproverAnywhere(const ImproverAnywhere&) = delete;
    ~ImproverAnywhere() { ref.table->destroy(object); }
    qapfw_improver* object = nullptr;
    qapfw_improver_ref ref{};
};

/// A run on `devices` emulated GPUs, on the CPU where there are none.
struct Place {
    std::uint32_t devices = 0;
    std::uint32_t shared_bytes = kMuchShared;
    StateBytes *load = nullptr, *save = nullptr;
};
template <class T>
Outcome solve_on(const Place& place, DeviceToy& toy, const Given& given, const Task& task) {
    const EmulatedGpus gpus(toy, place.devices, place.shared_bytes);
    Solver<T> solver(toy.host.get(), toy.problem.get(), given, task.improver);
    REQUIRE(solver.status == QAPFW_OK);
    if (place.load != nullptr) solver.load(*place.load);
    TestRun run(task.seed, task.generations, toy.problem.ref().solution_bytes(), place.load != nullptr);
    qapfw_run services = *run.get();
    gpus.give_to(services);
    solver.run(services);
    if (place.save != nullptr) solver.save(*place.save);
    gpus.check_all_worked();
    const auto* p = sdk::permutation_of(static_cast<const void*>(run.best.data()));
    CHECK(run.best_cost.i == toy.problem.object().cost(p));
    return {run.digests, run.best_cost.i, run.best, run.evaluations};
}

/// The state saved after `first` generations in one place goes on in the other as the whole run on the CPU.
template <class T>
void check_resume_elsewhere(DeviceToy& toy, const Given& given, const Task& task, std::uint64_t first) {
    const Outcome whole = solve_on<T>({}, toy, given, task);
    for (const auto& [from, to] : {std::pair{0u, 1u}, {1u, 0u}, {1u, 2u}, {2u, 1u}}) {
        StateBytes state;
        Outcome half = solve_on<T>({from, kMuchShared, nullptr, &state}, toy, given, {first, task.seed, task.improver});
        const Outcome rest = solve_on<T>({to, kMuchShared, &state, nullptr}, toy, given,
                                         {task.generations - first, task.seed, task.improver});
        half.digests.insert(half.digests.end(), rest.digests.begin(), rest.digests.end());
        CHECK(half.digests == whole.digests);
        CHECK(rest.best == whole.best);
        CHECK(half.evaluations + rest.evaluations == whole.evaluations);
    }
}

}  // namespace ga
}  // namespace qapfw::test
