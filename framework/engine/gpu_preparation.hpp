// SPDX-License-Identifier: Apache-2.0
// Prepares GPUs while a run works on the CPU. A thread opens the GPUs and runs a second solver there up to its
// first round (a rehearsal), so that all kernels are compiled and loaded. A compilation cannot be interrupted. So a run
// that ends earlier leaves the thread behind (unless PreparationOrder::joins is set), and the process then has to call
// leave_process.
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

/// Returns why runs of this configuration cannot begin on the CPU and move to GPUs; empty: they can. Opens no GPU.
std::string why_not_movable(const Config& config, const Problem& problem);

/// True if some "auto" parameters of the solver depend on the GPUs. Their values are found out before the run begins.
bool depends_on_gpus(const Choice& algorithm);

/// The integer parameters whose "auto" depends on the GPUs, with their values, for the log: "islands 792, brood 1".
std::string dependent_numbers(const Choice& algorithm);

/// The problem and algorithm to rehearse, and the GPUs for the rehearsal.
struct PreparationOrder {
    DeviceRequest request;  ///< backend cuda or auto, with the problem's device code
    std::shared_ptr<const Config> config;
    std::shared_ptr<const Problem> problem;
    std::shared_ptr<const void> keep;  ///< keeps alive what config and problem point to
    Choice algorithm;                  ///< as configured, with "auto" where the configuration says so
    std::optional<Choice> improver;
    std::uint64_t seed = 0;
    std::vector<std::filesystem::path> data_paths;
    std::uint32_t rank = 0, processes = 1;  ///< this process's number, and the number of processes that split the run
    /// Waiting time before the GPUs are opened. Opening GPUs delays the end of the process by a tenth of a second; a
    /// run that ends within the waiting time is spared this.
    std::chrono::milliseconds delay{0};
    bool joins = false;  ///< true: the end of the run always waits for the thread; false: the thread may be detached
};

/// Returns the solver's parameters, with the values that it chooses for "auto" on the GPUs. Opens no GPU (see
/// survey_gpus). Returns nothing if the survey or the making of a solver failed, or if the solver needs kernels to
/// choose the values.
std::optional<ParameterValues> parameters_by_survey(const PreparationOrder& order);

class GpuPreparation {
  public:
    explicit GpuPreparation(PreparationOrder order);
    GpuPreparation(const GpuPreparation&) = delete;
    GpuPreparation& operator=(const GpuPreparation&) = delete;
    /// Waits for the thread if it ends soon or if PreparationOrder::joins is true. Otherwise detaches the thread.
    ~GpuPreparation();

    /// Waits at most `patience` until the GPUs are opened or opening them has failed. False: neither has happened yet.
    bool wait_opened(std::chrono::milliseconds patience) const;
    /// Waits until a solver has been made for the opened GPUs. Returns the solver's parameters, in which the values
    /// chosen for these GPUs replace "auto". Null: there are no GPUs, or making the solver failed.
    const ParameterValues* wait_resolved() const;
    /// [thread-safe] True if the thread has nothing left to do: the GPUs are ready, or they cannot be used.
    bool is_finished() const { return shared_->finished.load(std::memory_order_acquire); }
    /// One sentence that says why there are no GPUs to move to; empty: there are GPUs. Valid once is_finished() is
    /// true.
    const std::string& why_none() const { return shared_->why_none; }
    /// The error because of which the GPUs cannot be used, if the configuration demands GPUs; else null. Valid once
    /// is_finished() is true.
    std::exception_ptr failure() const { return required_ ? shared_->failure : nullptr; }
    /// The opened GPUs, after wait_opened has returned true. Throws the error that prevented opening them. If backend
    /// "auto" found no GPU, returns backend "cpu" with the reason.
    const DeviceChoice& devices() const;
    /// True if the configuration demands GPUs.
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
        std::atomic<bool> finished{false}, leaving{false};
        /// Set by the thread when PreparationOrder::delay has passed, and by the destructor. If the thread is first, it
        /// opens the GPUs. If the destructor is first, the thread ends without opening them.
        std::atomic<bool> decided{false};
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

/// Ends the process at once if a GpuPreparation has left its thread behind; otherwise returns. Call it after everything
/// was written.
void leave_process(int code);

}  // namespace qapfw::framework
