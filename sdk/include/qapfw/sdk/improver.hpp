// SPDX-License-Identifier: Apache-2.0
// How to write an improver as a C++ class, and how a solver uses one. Required members of the class:
//
//     static constexpr sdk::ParameterTable kParameters{...};  // see sdk/parameter_table.hpp
//     Improver(const sdk::Host&, const sdk::Parameters&, const sdk::ProblemRef&);
//
// and one of these two members. The member replaces solutions and their costs by ones that are not worse, and returns
// the number of evaluated costs:
//
//     uint64_t improve(void* solution, qapfw_cost& cost, const sdk::ImproveCall&) const;  // any number of threads
//     class Workspace { explicit Workspace(const Improver&);  // one for each thread, for scratch memory
//                       uint64_t improve(const qapfw_batch&, const qapfw_improve_request&); };
//
// Optional, for GPUs:
//
//     class DeviceWorkspace { DeviceWorkspace(const Improver&, const qapfw_device*, uint64_t capacity);
//                             void enqueue(qapfw_stream*, const qapfw_device_batch&, const qapfw_improve_request&);
//                             uint64_t evaluations() const;
//                             // optional: evaluations() includes calls that have not finished
//                             static constexpr bool kCountsEnqueued = true;
//                             // optional: enqueue adds each solution's evaluations to those at request.evaluations
//                             static constexpr bool kCountsEach = true;
//                             // optional: number of solutions that a GPU improves at the same time
//                             static uint64_t capacity(const Improver&, const qapfw_device&);
//                             // optional: starts to compile the kernels that the constructor needs
//                             static void announce(const Improver&, const qapfw_device&, uint64_t capacity); };
#pragma once

#include <memory>
#include <vector>

#include "qapfw/sdk/device_improver.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::sdk {

/// The part of an improve request that is about one solution: when to stop, and the coordinates of random draws.
class ImproveCall {
  public:
    /// `index`: number of the solution in the batch that `request` is about.
    ImproveCall(const qapfw_improve_request& request, std::uint64_t index) : request_(request), index_(index) {}

    /// True if the improver must return within 0.1 s, with the best solution so far.
    bool should_stop() const {
        return request_.should_stop != nullptr && request_.should_stop(request_.stop_context) != 0;
    }
    /// Number of iterations that the caller wants; 0: the improver's own parameters decide.
    std::uint64_t iterations() const { return request_.iterations; }
    // The coordinates of this solution's random draws: kernels::draw(seed(), iteration(k), individual(), stream(),
    // index). Equal coordinates give equal numbers, in whatever order solutions are improved.
    std::uint64_t seed() const { return request_.seed; }  ///< seed of the run
    /// The iteration to pass to kernels::draw. `own`: number of the improver's own iteration, below 2^32.
    std::uint64_t iteration(std::uint32_t own) const { return std::uint64_t{request_.generation} << 32 | own; }
    /// This solution's number among all individuals of the run.
    std::uint32_t individual() const { return request_.first_individual + static_cast<std::uint32_t>(index_); }
    std::uint32_t stream() const { return request_.stream; }  ///< see qapfw_improve_request

  private:
    const qapfw_improve_request& request_;
    std::uint64_t index_;
};

/// An improver class that improves one solution at a time and needs no scratch memory of its own.
template <class T>
concept ImprovesOneSolution = requires(const T& improver, void* solution, qapfw_cost& cost, const ImproveCall& call) {
    { improver.improve(solution, cost, call) } -> std::convertible_to<std::uint64_t>;
};

namespace detail {

/// The workspace for an improver class without a class Workspace.
template <class T>
class OneByOne {
  public:
    OneByOne(const T& improver, const ProblemRef& problem) : improver_(improver), bytes_(problem.solution_bytes()) {}
    std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
        std::uint64_t evaluations = 0;
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            evaluations +=
                improver_.improve(solution_at(batch.solutions, bytes_, k), batch.costs[k], ImproveCall(request, k));
        }
        return evaluations;
    }

  private:
    const T& improver_;
    std::uint64_t bytes_;
};

template <class T>
struct WorkspaceOf {
    using type = OneByOne<T>;
    static_assert(
        ImprovesOneSolution<T>,
        "wanted the public member: uint64_t improve(void* solution, qapfw_cost& cost, const sdk::ImproveCall&) "
        "const, or a public class Workspace");
};
template <class T>
requires requires {
    typename T::Workspace;
}
struct WorkspaceOf<T> {
    using type = typename T::Workspace;
    static_assert(!ImprovesOneSolution<T>,
                  "an improver must have either a class Workspace or a member improve for one solution, not both");
    static_assert(
        requires(type & w, const qapfw_batch& batch, const qapfw_improve_request& request) {
            { w.improve(batch, request) } -> std::convertible_to<std::uint64_t>;
        },
        "a Workspace must have the public member: uint64_t improve(const qapfw_batch&, const qapfw_improve_request&)");
};

}  // namespace detail

template <class T>
struct ImproverHandle {
    const qapfw_host* host;
    ProblemRef problem;
    T object;
    ImproverHandle(const qapfw_host* h, const qapfw_parameters* values, const qapfw_problem_ref* ref)
        : host(h),
          problem(ref),
          object(Host(h), Parameters(parameter_table<T>(), parameter_count<T>(), values), problem) {}
};

/// A DeviceWorkspace whose evaluations() includes calls that are enqueued but not finished.
template <class DeviceWorkspace>
concept CountsEnqueued = requires {
    requires DeviceWorkspace::kCountsEnqueued;
};

/// A DeviceWorkspace that counts the evaluations of each solution.
template <class DeviceWorkspace>
concept CountsEach = requires {
    requires DeviceWorkspace::kCountsEach;
};
/// A DeviceWorkspace that knows how many solutions a GPU improves at the same time.
template <class DeviceWorkspace, class T>
concept HasCapacity = requires(const T& improver, const qapfw_device& device) {
    { DeviceWorkspace::capacity(improver, device) } -> std::convertible_to<std::uint64_t>;
};

/// A DeviceWorkspace that can announce its kernels.
template <class DeviceWorkspace, class T>
concept CanAnnounce = requires(const T& improver, const qapfw_device& device, std::uint64_t capacity) {
    DeviceWorkspace::announce(improver, device, capacity);
};

template <class T>
struct ImproverTrampolines {
    using Handle = ImproverHandle<T>;
    template <class Inner>
    struct Bound {
        const qapfw_host* host;
        Inner object;
    };
    using Inner = typename detail::WorkspaceOf<T>::type;
    using Workspace = Bound<Inner>;
    static Handle* cast(qapfw_improver* p) { return reinterpret_cast<Handle*>(p); }
    static Workspace* cast(qapfw_workspace* p) { return reinterpret_cast<Workspace*>(p); }

    static qapfw_status create(const qapfw_host* host, const qapfw_parameters* values, const qapfw_problem_ref* problem,
                               qapfw_improver** out) {
        return guarded(host, [&] { *out = reinterpret_cast<qapfw_improver*>(new Handle(host, values, problem)); });
    }
    static void destroy(qapfw_improver* p) { delete cast(p); }
    static qapfw_status create_workspace(qapfw_improver* p, qapfw_workspace** out) {
        return guarded(cast(p)->host, [&] {
            if constexpr (std::is_constructible_v<Inner, const T&>)
                *out = reinterpret_cast<qapfw_workspace*>(new Workspace{cast(p)->host, Inner(cast(p)->object)});
            else
                *out = reinterpret_cast<qapfw_workspace*>(
                    new Workspace{cast(p)->host, Inner(cast(p)->object, cast(p)->problem)});
        });
    }
    static void destroy_workspace(qapfw_workspace* w) { delete cast(w); }
    static qapfw_status improve(qapfw_workspace* w, const qapfw_batch* batch, const qapfw_improve_request* request,
                                std::uint64_t* evaluations) {
        return guarded(cast(w)->host, [&] { *evaluations += cast(w)->object.improve(*batch, *request); });
    }
    static constexpr qapfw_improver_table table = {
        sizeof(qapfw_improver_table), create, destroy, create_workspace, destroy_workspace, improve};

    /// Returns 0, "unknown", if the improver's `capacity` throws. Creating the workspace will then fail too, and report
    /// the reason.
    static std::uint64_t capacity(qapfw_improver* p, const qapfw_device* device) {
        std::uint64_t solutions = 0;
        if constexpr (requires { requires HasCapacity<typename T::DeviceWorkspace, T>; }) {
            guarded(cast(p)->host, [&] { solutions = T::DeviceWorkspace::capacity(cast(p)->object, *device); });
        }
        return solutions;
    }

    static void announce(qapfw_improver* p, const qapfw_device* device, std::uint64_t capacity) {
        if constexpr (requires { requires CanAnnounce<typename T::DeviceWorkspace, T>; }) {
            guarded(cast(p)->host, [&] { T::DeviceWorkspace::announce(cast(p)->object, *device, capacity); });
        }
    }

    static const void* get_capability(const char* id) {
        if constexpr (requires { typename T::DeviceWorkspace; }) {
            using Device = Bound<typename T::DeviceWorkspace>;
            static constexpr qapfw_improver_device device = {
                sizeof(qapfw_improver_device),
                [](qapfw_improver* p, const qapfw_device* d, std::uint64_t capacity,
                   qapfw_device_workspace** out) -> qapfw_status {
                    return guarded(cast(p)->host, [&] {
                        *out = reinterpret_cast<qapfw_device_workspace*>(
                            new Device{cast(p)->host, typename T::DeviceWorkspace(cast(p)->object, d, capacity)});
                    });
                },
                [](qapfw_device_workspace* w) { delete reinterpret_cast<Device*>(w); },
                [](qapfw_device_workspace* w, qapfw_stream* stream, const qapfw_device_batch* batch,
                   const qapfw_improve_request* request) -> qapfw_status {
                    auto* bound = reinterpret_cast<Device*>(w);
                    return guarded(bound->host, [&] { bound->object.enqueue(stream, *batch, *request); });
                },
                [](qapfw_device_workspace* w) -> std::uint64_t {
                    return reinterpret_cast<Device*>(w)->object.evaluations();
                },
                CountsEnqueued<typename T::DeviceWorkspace> ? 1u : 0u,
                capacity,
                CountsEach<typename T::DeviceWorkspace> ? 1u : 0u,
                announce};
            if (std::string_view(id == nullptr ? "" : id) == QAPFW_IMPROVER_DEVICE) return &device;
        }
        return nullptr;
    }
};

/// Returns the component of an improver class T. T must have the members listed at the head of this file. If a member
/// is missing or wrong, the call does not compile.
template <class T>
constexpr qapfw_component improver_component(const About& about) {
    return {sizeof(qapfw_component),
            QAPFW_KIND_IMPROVER,
            about.id,
            about.version,
            about.summary,
            about.reference,
            parameter_count<T>(),
            sizeof(qapfw_parameter),
            parameter_table<T>(),
            &ImproverTrampolines<T>::table,
            about.encodings,
            about.backends,
            0,
            ImproverTrampolines<T>::get_capability};
}

/// The configured improver with one workspace per worker. Whole batches go to the run's GPUs, if the run has GPUs and
/// the improver has device code. The pool is empty if the configuration names no improver.
class ImproverPool {
  public:
    /// The pool is empty if `improver` is null. All arguments must outlive this object. Throws StatusError if a
    /// workspace cannot be made.
    ImproverPool(const Host& host, const ProblemRef& problem, const qapfw_improver_ref* improver)
        : host_(host),
          problem_(problem),
          improver_(improver),
          workspaces_(improver == nullptr ? 0 : host.workers()),
          device_table_(device_table(host, improver)) {
        try {
            for (qapfw_workspace*& w : workspaces_) {
                check(improver->table->create_workspace(improver->improver, &w), "improver: create_workspace");
            }
        } catch (...) {
            release();
            throw;
        }
    }
    ImproverPool(const ImproverPool&) = delete;
    ImproverPool& operator=(const ImproverPool&) = delete;
    ~ImproverPool() { release(); }

    /// True if there is an improver. If there is none, do not call the functions that improve solutions.
    explicit operator bool() const { return improver_ != nullptr; }
    const qapfw_improver_ref* get() const { return improver_; }  ///< the C form; null if the pool is empty

    /// Allocates memory and compiles kernels on the run's GPUs for batches of `count` solutions. Does nothing if
    /// batches are not improved on GPUs.
    void prepare(std::uint64_t count) {
        if (device_table_ == nullptr || (on_devices_ && on_devices_->capacity() >= count)) return;
        const std::span devices(host_.get()->devices, host_.get()->device_count);
        on_devices_ = std::make_unique<HostBatchImprover>(devices, problem_, *improver_, *device_table_, count);
    }

    /// Improves one solution. `worker` must be the number of the calling worker. On entry, `cost` must be the
    /// solution's cost. Replaces the solution by one that is not worse, and sets `cost` to the new solution's cost.
    /// Returns the number of evaluations. Different workers may call the function at the same time. Throws StatusError.
    std::uint64_t improve_one(std::uint32_t worker, void* solution, qapfw_cost* cost,
                              const qapfw_improve_request& request) {
        std::uint64_t evaluations = 0;
        const qapfw_batch one{solution, cost, 1};
        check(improver_->table->improve(workspaces_[worker], &one, &request, &evaluations), "improver: improve");
        return evaluations;
    }

    /// Improves a batch as improve_one does, on all workers or on the run's GPUs. Call it from the main thread.
    /// Solution k uses the random numbers of individual request.first_individual + k.
    std::uint64_t improve_all(const qapfw_batch& batch, const qapfw_improve_request& request) {
        if (batch.count == 0) return 0;
        if (device_table_ != nullptr) return improve_on_devices(batch, request);
        std::vector<std::uint64_t> evaluations(batch.count, 0);
        host_.parallel_for(batch.count, [&](std::uint64_t k, std::uint32_t worker) {
            qapfw_improve_request own = request;
            own.first_individual += static_cast<std::uint32_t>(k);
            evaluations[k] =
                improve_one(worker, solution_at(batch.solutions, problem_.solution_bytes(), k), batch.costs + k, own);
        });
        std::uint64_t sum = 0;
        for (const std::uint64_t e : evaluations) sum += e;
        return sum;
    }

  private:
    std::uint64_t improve_on_devices(const qapfw_batch& batch, const qapfw_improve_request& request) {
        prepare(batch.count);
        return on_devices_->improve(host_, batch, request);
    }
    static const qapfw_improver_device* device_table(const Host& host, const qapfw_improver_ref* improver) {
        if (improver == nullptr || host.get()->device_count == 0 || improver->get_capability == nullptr) return nullptr;
        return static_cast<const qapfw_improver_device*>(improver->get_capability(QAPFW_IMPROVER_DEVICE));
    }
    void release() {
        for (qapfw_workspace* w : workspaces_) {
            if (w != nullptr) improver_->table->destroy_workspace(w);
        }
    }
    Host host_;
    ProblemRef problem_;
    const qapfw_improver_ref* improver_;
    std::vector<qapfw_workspace*> workspaces_;
    const qapfw_improver_device* device_table_;  ///< functions for GPUs; null: batches stay on the CPU
    std::unique_ptr<HostBatchImprover> on_devices_;
};

}  // namespace qapfw::sdk
