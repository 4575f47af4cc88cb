// SPDX-License-Identifier: Apache-2.0
// Calls improvers through their C functions, on the CPU and on emulated GPUs. Has some improvers for tests of solvers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "qapfw/kernels/philox.hpp"
#include "tests/support/test_host.hpp"

namespace qapfw::test {

/// An improver that tries one random swap per solution. The swap depends on the request's seed, generation, stream and
/// number of the individual.
struct OneExchange {
    OneExchange(const sdk::Host&, const sdk::Parameters&, const sdk::ProblemRef& p) : problem(p) {}
    struct Workspace {
        explicit Workspace(const OneExchange& improver) : problem(improver.problem) {}
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
            for (std::uint64_t k = 0; k < batch.count; ++k) {
                auto* p = sdk::permutation_of(sdk::solution_at(batch.solutions, problem.solution_bytes(), k));
                const kernels::Philox4 words =
                    kernels::draw4(request.seed, std::uint64_t{request.generation} << 32,
                                   request.first_individual + static_cast<std::uint32_t>(k), request.stream, 0);
                std::uint16_t& a = p[kernels::below(words.word[0], problem.length())];
                std::uint16_t& b = p[kernels::below(words.word[1], problem.length())];
                std::swap(a, b);
                const qapfw_cost swapped = problem.evaluate_one(p);
                if (swapped.i < batch.costs[k].i)
                    batch.costs[k] = swapped;
                else
                    std::swap(a, b);
            }
            return batch.count;
        }
        sdk::ProblemRef problem;
    };
    sdk::ProblemRef problem;
};

/// An improver that sweeps once over all pairs of neighbouring positions and swaps each pair if that lowers the cost.
/// The individual's number decides where the sweep starts. Each call checks the given cost.
struct SweepImprover {
    static constexpr bool kTakesDifferentlyLong = true;  ///< a claim for the test; in fact all calls last equally long
    SweepImprover(const sdk::Host&, const sdk::Parameters&, const sdk::ProblemRef& p) : problem(p) {}
    struct Workspace {
        explicit Workspace(const SweepImprover& improver) : problem(improver.problem) {}
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
            CHECK(problem.evaluate_one(batch.solutions).i == batch.costs->i);
            std::uint16_t* const p = sdk::permutation_of(batch.solutions);
            std::uint64_t evaluations = 0;
            const std::uint32_t pairs = problem.length() - 1;
            for (; evaluations < pairs; ++evaluations) {
                const std::uint64_t k = 1 + (request.first_individual + evaluations) % pairs;
                std::swap(p[k - 1], p[k]);
                const qapfw_cost swapped = problem.evaluate_one(batch.solutions);
                if (problem.less()(swapped, *batch.costs))
                    *batch.costs = swapped;
                else
                    std::swap(p[k - 1], p[k]);
            }
            return evaluations;
        }
        sdk::ProblemRef problem;
    };
    sdk::ProblemRef problem;
};

/// Adds a GPU version to the improver T. It works directly in the memory of an emulated GPU.
template <class T>
struct Anywhere : T {
    using T::T;
    class DeviceWorkspace {
      public:
        DeviceWorkspace(const Anywhere& improver, const qapfw_device*, std::uint64_t)
            : own_(improver), bytes_(improver.problem.solution_bytes()) {}
        void enqueue(qapfw_stream*, const qapfw_device_batch& batch, const qapfw_improve_request& request) {
            const auto* const numbers = reinterpret_cast<const std::uint32_t*>(request.individuals);
            for (std::uint64_t k = 0; k < batch.count; ++k) {
                qapfw_improve_request own = request;
                own.first_individual =
                    numbers != nullptr ? numbers[k] : request.first_individual + static_cast<std::uint32_t>(k);
                const std::uint64_t evaluations =
                    own_.improve({sdk::solution_at(reinterpret_cast<void*>(batch.solutions), bytes_, k),
                                  reinterpret_cast<qapfw_cost*>(batch.costs) + k, 1},
                                 own);
                evaluations_ += evaluations;
                auto* const each = reinterpret_cast<std::uint64_t*>(request.evaluations);
                if (each != nullptr) each[k] += evaluations;
            }
        }
        static constexpr bool kCountsEnqueued = !requires { requires T::kTakesDifferentlyLong; };
        static constexpr bool kCountsEach = true;
        std::uint64_t evaluations() const { return evaluations_; }

      private:
        typename T::Workspace own_;
        std::uint64_t bytes_, evaluations_ = 0;
    };
};

/// Anywhere<T> with workspaces that wait for each other. A call waits until every workspace has had its call for the
/// same generation and stream, but at most five seconds.
template <class T>
struct Meeting : Anywhere<T> {
    using Anywhere<T>::Anywhere;
    struct Calls {
        std::mutex mutex;
        std::condition_variable changed;
        std::map<std::pair<std::uint32_t, std::uint32_t>, int>
            arrived;  ///< number of arrivals by generation and stream
        int workspaces = 0;
        bool in_vain = false;  ///< a workspace has waited, but the others did not come
    };
    class DeviceWorkspace : public Anywhere<T>::DeviceWorkspace {
      public:
        using Base = typename Anywhere<T>::DeviceWorkspace;
        static constexpr bool kCountsEnqueued = false;
        DeviceWorkspace(const Meeting& improver, const qapfw_device* device, std::uint64_t capacity)
            : Base(improver, device, capacity), calls_(*improver.calls) {
            ++calls_.workspaces;
        }
        void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, const qapfw_improve_request& request) {
            meet(request);
            Base::enqueue(stream, batch, request);
        }

      private:
        void meet(const qapfw_improve_request& request) {
            std::unique_lock lock(calls_.mutex);
            const int& arrived = ++calls_.arrived[{request.generation, request.stream}];
            calls_.changed.notify_all();
            const auto done = [&] { return arrived == calls_.workspaces || calls_.in_vain; };
            if (!calls_.changed.wait_for(lock, std::chrono::seconds(5), done)) calls_.in_vain = true;
        }
        Calls& calls_;
    };
    std::unique_ptr<Calls> calls = std::make_unique<Calls>();
};

/// An improver that fails in generation 2 on all GPUs except the first.
struct Failing : Anywhere<OneExchange> {
    using Anywhere<OneExchange>::Anywhere;
    struct DeviceWorkspace : Anywhere<OneExchange>::DeviceWorkspace {
        using Base = Anywhere<OneExchange>::DeviceWorkspace;
        DeviceWorkspace(const Failing& improver, const qapfw_device* device, std::uint64_t capacity)
            : Base(improver, device, capacity), fails(device->ordinal > 0) {}
        void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, const qapfw_improve_request& request) {
            if (fails && request.generation == 2) throw Error(ErrorKind::kMemory, "no memory is left for generation 2");
            Base::enqueue(stream, batch, request);
        }
        bool fails;
    };
};

template <class T>
class TestImprover {
  public:
    using Table = sdk::ImproverTrampolines<T>;

    TestImprover(const qapfw_host* host, const qapfw_problem_ref* problem, const Given& given = {})
        : values_(Values::of<T>(given, sdk::ProblemRef(problem).n())) {
        REQUIRE(Table::create(host, values_.get(), problem, &improver_) == QAPFW_OK);
        ref_ = {sizeof ref_, improver_, &Table::table, Table::get_capability, "test"};
        request.struct_size = sizeof request;
    }
    TestImprover(const TestImprover&) = delete;
    TestImprover& operator=(const TestImprover&) = delete;
    ~TestImprover() {
        if (workspace_ != nullptr) Table::destroy_workspace(workspace_);
        Table::destroy(improver_);
    }
    const qapfw_improver_ref* get() const { return &ref_; }
    const T& object() const { return Table::cast(improver_)->object; }

    /// Improves costs.size() solutions as one batch on the CPU. All calls use the same workspace. Returns the number of
    /// evaluations.
    std::uint64_t improve(void* solutions, std::span<qapfw_cost> costs) {
        if (workspace_ == nullptr) REQUIRE(Table::create_workspace(improver_, &workspace_) == QAPFW_OK);
        std::uint64_t evaluations = 0;
        const qapfw_batch batch{solutions, costs.data(), costs.size()};
        CHECK(Table::improve(workspace_, &batch, &request, &evaluations) == QAPFW_OK);
        return evaluations;
    }
    std::uint64_t improve_one(void* solution, qapfw_cost& cost) { return improve(solution, {&cost, 1}); }

    qapfw_improve_request request{};

  private:
    Values values_;
    qapfw_improver* improver_ = nullptr;
    qapfw_workspace* workspace_ = nullptr;
    qapfw_improver_ref ref_{};
};

}  // namespace qapfw::test
