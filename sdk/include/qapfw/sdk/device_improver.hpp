// SPDX-License-Identifier: Apache-2.0
// Uses an improver on GPUs. DeviceImprover improves batches in device memory, for solvers whose own steps run on the
// device. HostBatchImprover uploads batches of host memory, improves them and downloads them.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "qapfw/abi/improver.h"
#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/encoding.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// The table of an improver's functions for GPUs; null if the improver cannot run on GPUs.
inline const qapfw_improver_device* device_table_of(const qapfw_improver_ref& improver) {
    if (improver.get_capability == nullptr) return nullptr;
    return static_cast<const qapfw_improver_device*>(improver.get_capability(QAPFW_IMPROVER_DEVICE));
}

/// True if the improver counts a call's evaluations as soon as the call is enqueued, because all searches of a batch
/// have equal length. False without device code.
inline bool counts_enqueued(const qapfw_improver_ref& improver) {
    const qapfw_improver_device* const table = device_table_of(improver);
    return table != nullptr && table->counts_enqueued != 0;
}

/// Number of solutions that a GPU improves at the same time; 0: unknown.
inline std::uint64_t device_capacity(const qapfw_improver_ref& improver, const qapfw_device& device) {
    const qapfw_improver_device* const table = device_table_of(improver);
    return table == nullptr || table->capacity == nullptr ? 0 : table->capacity(improver.improver, &device);
}

/// Starts to compile the kernels of a workspace for up to `capacity` solutions. Does nothing if the improver has no
/// function for this.
inline void announce(const qapfw_improver_ref& improver, const qapfw_device& device, std::uint64_t capacity) {
    const qapfw_improver_device* const table = device_table_of(improver);
    if (table != nullptr && table->announce != nullptr) table->announce(improver.improver, &device, capacity);
}

/// One improver's workspace on one device, for batches of up to `capacity` solutions.
class DeviceWorkspaceRef {
  public:
    /// Makes the workspace. Improver, table and device must outlive it. Throws StatusError on failure.
    DeviceWorkspaceRef(const qapfw_improver_ref& improver, const qapfw_improver_device& table,
                       const qapfw_device& device, std::uint64_t capacity)
        : table_(&table) {
        check(table.create(improver.improver, &device, capacity, &workspace_), "improver: create device workspace");
    }
    /// Takes over the workspace of `other`. Afterwards `other` may only be destroyed.
    DeviceWorkspaceRef(DeviceWorkspaceRef&& other) noexcept
        : table_(other.table_), workspace_(std::exchange(other.workspace_, nullptr)) {}
    DeviceWorkspaceRef& operator=(DeviceWorkspaceRef&&) = delete;
    ~DeviceWorkspaceRef() {
        if (workspace_ != nullptr) table_->destroy(workspace_);
    }
    /// Enqueues one call for a batch of at most `capacity` solutions. A call with many iterations is cut into several
    /// launches, and this function then waits between the launches. Throws StatusError.
    void enqueue(Stream& stream, const qapfw_device_batch& batch, const qapfw_improve_request& request) {
        check(table_->enqueue(workspace_, stream.get(), &batch, &request), "improver: enqueue");
    }
    /// Number of candidates evaluated by all calls. counts_enqueued() tells whether unfinished calls are included.
    std::uint64_t evaluations() const { return table_->evaluations(workspace_); }
    /// True if evaluations() includes the calls that were enqueued but are not finished.
    bool counts_enqueued() const { return table_->counts_enqueued != 0; }
    /// True if an enqueued call adds each solution's evaluations to the array at qapfw_improve_request::evaluations.
    bool counts_each() const { return table_->counts_each != 0; }

  private:
    const qapfw_improver_device* table_;
    qapfw_device_workspace* workspace_ = nullptr;
};

/// The improver of a solver whose own steps run on the device; empty if the configuration names none.
class DeviceImprover {
  public:
    /// If `improver` is null, this object is empty. Throws Error(kUnsupported) if the improver has no device code.
    DeviceImprover(const qapfw_improver_ref* improver, const qapfw_device& device, std::uint64_t capacity) {
        if (improver == nullptr) return;
        const qapfw_improver_device* const table = device_table_of(*improver);
        if (table == nullptr) {
            throw Error(ErrorKind::kUnsupported,
                        "improver '" + std::string(improver->id) +
                            "' does not run on GPUs: choose device.backend = \"cpu\" or another improver");
        }
        workspace_.emplace(*improver, *table, device, capacity);
    }
    /// True if there is an improver. Only then may enqueue be called.
    explicit operator bool() const { return workspace_.has_value(); }
    /// See DeviceWorkspaceRef::enqueue.
    void enqueue(Stream& stream, const qapfw_device_batch& batch, const qapfw_improve_request& request) {
        workspace_->enqueue(stream, batch, request);
    }
    /// Number of candidates evaluated, see DeviceWorkspaceRef::evaluations; 0 if this object is empty.
    std::uint64_t evaluations() const { return workspace_ ? workspace_->evaluations() : 0; }
    /// True if `evaluations` includes calls that were enqueued but are not finished. Also true if this object is empty.
    bool counts_enqueued() const { return !workspace_ || workspace_->counts_enqueued(); }
    /// True if a call adds each solution's evaluations to the array at qapfw_improve_request::evaluations. Also true
    /// if this object is empty.
    bool counts_each() const { return !workspace_ || workspace_->counts_each(); }

  private:
    std::optional<DeviceWorkspaceRef> workspace_;
};

/// Improves batches in host memory on several devices; each device gets a contiguous part. Owns memory and a stream on
/// each device.
class HostBatchImprover {
  public:
    /// `capacity`: number of solutions that a batch may have, at least 1. `devices`: at least one device. All arguments
    /// must outlive this object.
    HostBatchImprover(std::span<const qapfw_device* const> devices, const ProblemRef& problem,
                      const qapfw_improver_ref& improver, const qapfw_improver_device& table, std::uint64_t capacity)
        : bytes_(problem.solution_bytes()), share_((capacity + devices.size() - 1) / devices.size()) {
        for (const qapfw_device* device : devices) {
            parts_.push_back(std::make_unique<Part>(Part{
                Stream(*device), DeviceBuffer<unsigned char>(*device, share_ * bytes_),
                DeviceBuffer<qapfw_cost>(*device, share_), DeviceWorkspaceRef(improver, table, *device, share_), 0}));
        }
    }
    /// Largest number of solutions of a batch: the requested capacity, rounded up to a multiple of the device count.
    std::uint64_t capacity() const { return share_ * parts_.size(); }

    /// Replaces each solution of the batch by one that is not worse, and sets its cost. Returns the number of
    /// evaluations of this call. A thread of `host` works for each device; the call waits for all. Throws StatusError.
    std::uint64_t improve(const Host& host, const qapfw_batch& batch, const qapfw_improve_request& request) {
        const std::uint64_t used = (batch.count + share_ - 1) / share_;
        std::vector<std::uint64_t> evaluations(used);
        host.parallel_for(used, [&](std::uint64_t d, std::uint32_t) {
            Part& part = *parts_[d];
            const std::uint64_t first = d * share_;
            enqueue(part, batch, first, std::min(share_, batch.count - first), request);
            part.stream.synchronize();
            const std::uint64_t counted = part.workspace.evaluations();
            evaluations[d] = counted - std::exchange(part.counted, counted);
        });
        return std::accumulate(evaluations.begin(), evaluations.end(), std::uint64_t{0});
    }

  private:
    struct Part {
        Stream stream;
        DeviceBuffer<unsigned char> solutions;
        DeviceBuffer<qapfw_cost> costs;
        DeviceWorkspaceRef workspace;
        std::uint64_t counted;  ///< evaluations of earlier calls
    };

    void enqueue(Part& part, const qapfw_batch& batch, std::uint64_t first, std::uint64_t count,
                 const qapfw_improve_request& request) {
        const std::span solutions(static_cast<unsigned char*>(solution_at(batch.solutions, bytes_, first)),
                                  count * bytes_);
        const std::span costs(batch.costs + first, count);
        part.solutions.upload(part.stream, solutions);
        part.costs.upload(part.stream, costs);
        qapfw_improve_request own = request;
        own.first_individual += static_cast<std::uint32_t>(first);
        part.workspace.enqueue(part.stream, {part.solutions.address(), part.costs.address(), count}, own);
        part.solutions.download(part.stream, solutions);
        part.costs.download(part.stream, costs);
    }

    std::uint64_t bytes_, share_;
    std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace qapfw::sdk
