// SPDX-License-Identifier: Apache-2.0
// Prepares GPUs while a run has begun on the CPU. Another thread opens them and rehearses the solver there, up to its
// first round, so that all its kernels are compiled and loaded. A compilation cannot be interrupted: a run that ends
// before leaves this thread behind, and the process ends by leave_process.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "framework/config/config.hpp"
#include "framework/device/device_manager.hpp"
#include "framework/problem/problem.hpp"

namespace qapfw::framework {

/// Why runs of this configuration cannot begin on the CPU and move to GPUs; empty: they can. Asks no GPU.
std::string why_not_movable(const Config& config, const Problem& problem);

/// True if parameters of the solver are "auto" that depend on the GPUs: they are found out there before the run begins.
bool depends_on_gpus(const Choice& algorithm);

/// The numbers among them, for the log: "islands 792, brood 1".
std::string dependent_numbers(const Choice& algorithm);

/// The work to rehearse, and its GPUs.
struct PreparationOrder {
    DeviceRequest request;  ///< for cuda or auto, with the problem's device code
    std::shared_ptr<const Config> config;
    std::shared_ptr<const Problem> problem;
    std::shared_ptr<const void> keep;  ///< what config and problem need as long as they are used
    Choice algorithm;                  ///< algorithm as configured, with "auto" where the configuration says it
    std::optional<Choice> improver;
    std::uint64_t seed = 0;
    std::vector<std::filesystem::path> data_paths;
    std::uint32_t rank = 0, processes = 1;  ///< among those that share the run
    /// Before the GPUs are opened: a run that is over by then ends at once. A driver that opens them holds the end of
    /// the process up for a tenth of a second.
    std::chrono::milliseconds delay{0};
    bool joins = false;  ///< the thread is waited for, never left behind
};

/// The solver's parameters with what "auto" becomes on the GPUs, found out without opening them. Nothing: that cannot
/// be known, or the solver needs its kernels for it.
std::optional<ParameterValues> parameters_by_survey(const PreparationOrder& order);

class GpuPreparation {
  public:
    explicit GpuPreparation(PreparationOrder order);
    GpuPreparation(const GpuPreparation&) = delete;
    GpuPreparation& operator=(const GpuPreparation&) = delete;
    /// Waits for the thread where that takes no time, else leaves it behind.
    ~GpuPreparation();

    /// Waits so long at most until the GPUs are opened. True: they are, or cannot be.
    bool wait_opened(std::chrono::milliseconds patience) const;
    /// Waits until a solver was made for the opened GPUs: its parameters, with what "auto" became there. Null: that
    /// failed.
    const ParameterValues* wait_resolved() const;
    /// [thread-safe] Nothing changes any more: everything is ready, or it has failed.
    bool has_settled() const { return shared_->settled.load(std::memory_order_acquire); }
    /// Why there is nothing to move to, one sentence; empty: there is. Once it has settled.
    const std::string& why_none() const { return shared_->why_none; }
    /// The error that made GPUs unusable which the configuration demands; null: there is none, or it demands none. Once
    /// it has settled.
    std::exception_ptr failure() const { return required_ ? shared_->failure : nullptr; }
    /// The opened GPUs, after wait_opened has returned true; throws what kept them from being opened. Backend "cpu"
    /// with the reason where `auto` found none.
    const DeviceChoice& devices() const;
    /// The configuration wants GPUs and nothing else.
    bool is_required() const { return required_; }

  private:
    struct Shared {
        PreparationOrder order;
        DeviceChoice devices;
        std::exception_ptr open_failure, failure;
        std::string why_none;
        std::promise<void> opened;
        std::promise<std::optional<ParameterValues>> resolved;
        bool is_resolved = false;  ///< `resolved` has its value
        std::atomic<bool> settled{false}, leaving{false};
        std::atomic<bool> delayed{true};  ///< the GPUs are not being opened yet
    };
    static void work(Shared& shared);
    static bool ends_in_delay(Shared& shared);
    static void open(Shared& shared);
    static void rehearse(Shared& shared);
    static void resolve(Shared& shared, std::optional<ParameterValues> values);

    std::shared_ptr<Shared> shared_;
    std::shared_future<void> opened_;
    std::shared_future<std::optional<ParameterValues>> resolved_;
    bool required_;
    std::thread thread_;
};

/// Ends the process at once where one of its threads compiles what nobody waits for any more; else it returns. Call it
/// after everything was written.
void leave_process(int code);

}  // namespace qapfw::framework
