// SPDX-License-Identifier: Apache-2.0
// Checks of runs that have several processes. A thread of the test plays each process.
#pragma once

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "tests/support/test_solver.hpp"
#include "tests/support/toy_problems.hpp"

namespace qapfw::test {

/// An all_gather between `count` threads.
class ThreadExchange {
  public:
    explicit ThreadExchange(std::uint32_t count) : count_(count), parts_(count) {}
    ThreadExchange(const ThreadExchange&) = delete;
    ThreadExchange& operator=(const ThreadExchange&) = delete;

    struct Member {
        ThreadExchange* all;
        std::uint32_t rank;
        qapfw_exchange table;
    };
    Member member(std::uint32_t rank) {
        Member member{this, rank, {}};
        member.table.struct_size = sizeof(qapfw_exchange);
        member.table.rank = rank;
        member.table.size = count_;
        member.table.all_gather = [](void* c, const void* own, std::uint64_t size, void* all,
                                     std::uint64_t all_size) -> qapfw_status {
            auto* self = static_cast<Member*>(c);
            return self->all->gather(self->rank, own, size, all, all_size) ? QAPFW_OK : QAPFW_ERROR;
        };
        return member;
    }

  private:
    bool gather(std::uint32_t rank, const void* own, std::uint64_t size, void* all, std::uint64_t all_size) {
        const auto* bytes = static_cast<const unsigned char*>(own);
        parts_[rank].assign(bytes, bytes + size);
        wait();
        std::uint64_t at = 0;
        for (const auto& part : parts_) {
            if (at + part.size() > all_size) return false;
            std::memcpy(static_cast<unsigned char*>(all) + at, part.data(), part.size());
            at += part.size();
        }
        wait();  // a process may change its entry of parts_ only after all processes have read that entry
        return at == all_size;
    }
    void wait() {
        std::unique_lock lock(mutex_);
        const std::uint64_t round = round_;
        if (++arrived_ == count_) {
            arrived_ = 0;
            ++round_;
            all_here_.notify_all();
        } else {
            all_here_.wait(lock, [&] { return round_ != round; });
        }
    }

    std::uint32_t count_;
    std::vector<std::vector<unsigned char>> parts_;
    std::mutex mutex_;
    std::condition_variable all_here_;
    std::uint32_t arrived_ = 0;
    std::uint64_t round_ = 0;
};

/// Runs the same search on `count` processes, checks that none fails, and returns what each reports. If `load` is not
/// null, the search continues from that state. If `save` is not null, the last state of process 0 is copied there.
template <class T, class Problem = ToyOrdering, class MakeImprover = std::nullptr_t>
std::vector<Outcome> solve_on_processes(std::uint32_t count, const Given& problem_given, const Given& given,
                                        const Task& task, MakeImprover make_improver = nullptr,
                                        StateBytes* load = nullptr, StateBytes* save = nullptr) {
    ThreadExchange exchange(count);
    std::vector<Outcome> outcomes(count);
    std::vector<std::string> failures(count);
    const auto run_rank = [&](std::uint32_t rank) {
        TestHost host;
        TestProblem<Problem> problem(host, problem_given);
        const qapfw_improver_ref* improver = nullptr;
        std::shared_ptr<void> owner;
        if constexpr (!std::is_same_v<MakeImprover, std::nullptr_t>) {
            auto made = make_improver(host.get(), problem.get());
            improver = made->get();
            owner = made;
        }
        TestSolver<T> solver(host.get(), problem.get(), given, improver);
        if (solver.status != QAPFW_OK) {
            failures[rank] = host.error;
            return;
        }
        StateBytes own_load = load == nullptr ? StateBytes{} : *load;
        if (load != nullptr) solver.load(own_load);
        TestRun run(task.seed, task.generations, problem.ref().solution_bytes(), load != nullptr);
        qapfw_run services = *run.get();
        services.initial = task.initial;
        ThreadExchange::Member member = exchange.member(rank);
        member.table.context = &member;
        services.exchange = &member.table;
        if (solver.run_status(services) != QAPFW_OK) failures[rank] = host.error;
        StateBytes state;
        solver.save(state);
        if (save != nullptr && rank == 0) *save = state;
        outcomes[rank] = {run.digests, run.best_cost.i, run.best, run.evaluations};
    };
    std::vector<std::thread> threads;
    for (std::uint32_t rank = 0; rank < count; ++rank) threads.emplace_back(run_rank, rank);
    for (std::thread& thread : threads) thread.join();
    for (const std::string& failure : failures) CHECK(failure == "");
    return outcomes;
}

/// Checks that the trajectory is the same with one process, with several, and with more processes than groups. Also
/// checks a run in two parts with different numbers of processes.
template <class T, class MakeImprover = std::nullptr_t>
void check_processes(const Given& problem_given, const Given& given, const Task& task,
                     MakeImprover make_improver = nullptr) {
    const Outcome alone = solve_on_processes<T>(1, problem_given, given, task, make_improver).front();
    CHECK(alone.digests.size() > 1);
    for (const std::uint32_t count : {2u, 3u, 4u}) {
        CAPTURE(count);
        for (const Outcome& one : solve_on_processes<T>(count, problem_given, given, task, make_improver)) {
            CHECK(one == alone);
        }
    }
    const std::uint64_t half = task.generations / 2;
    for (const auto& [from, to] : {std::pair{3u, 1u}, {1u, 2u}, {2u, 4u}}) {
        StateBytes state;
        Outcome first = solve_on_processes<T>(from, problem_given, given, {half, task.seed, nullptr}, make_improver,
                                              nullptr, &state)
                            .front();
        const Outcome rest = solve_on_processes<T>(to, problem_given, given,
                                                   {task.generations - half, task.seed, nullptr}, make_improver, &state)
                                 .front();
        first.digests.insert(first.digests.end(), rest.digests.begin(), rest.digests.end());
        CHECK(first.digests == alone.digests);
        CHECK(rest.best == alone.best);
    }
}

}  // namespace qapfw::test
