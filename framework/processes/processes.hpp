// SPDX-License-Identifier: Apache-2.0
// The processes that a launcher started to split one run, or this process alone. Process 0 leads: it decides for all,
// and only it writes the record and prints the result. All processes must call the functions marked [all processes call
// it], in the same order. Such a function throws EndedTogether if all processes must end.
#pragma once

#include <cstdint>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "framework/processes/component.h"
#include "framework/processes/watch.hpp"
#include "qapfw/abi/solver.h"
#include "qapfw/error.hpp"

namespace qapfw::framework {

/// All processes end, because one of them is gone or has failed. Show the text to the user unless ending().is_told is
/// true.
class EndedTogether : public Error {
  public:
    explicit EndedTogether(Ending ending) : Error(ErrorKind::kInternal, ending.text), ending_(std::move(ending)) {}
    const Ending& ending() const { return ending_; }

  private:
    Ending ending_;
};

/// The open library that speaks MPI. Throws Error(kUsage) if it cannot be opened.
struct MpiLibrary {
    MpiLibrary() = default;
    explicit MpiLibrary(const std::filesystem::path& path);
    const qapfw_mpi_component* table = nullptr;
};

/// Exit codes of this process for its launcher after a failure.
struct ReturnCodes {
    int lost = 1;                                            ///< code if another process was lost
    int (*of)(const std::exception_ptr& failure) = nullptr;  ///< code for a failure of this process
};

class Processes {
  public:
    /// Makes the object of a process that runs alone. Functions marked [all processes call it] then involve no other
    /// process.
    Processes();
    /// [all processes call it] Joins the other processes. `expected`: number of all processes according to the
    /// launcher; 0: unknown. Before this call, block all signals that the program will wait for.
    Processes(const std::filesystem::path& library, std::uint32_t expected, ReturnCodes codes);
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    /// [all processes call it] Lets the processes watch each other from now on. Call it before all other functions that
    /// are marked [all processes call it].
    void begin_watch();

    /// True if this process has not joined other processes.
    bool alone() const { return library_.table == nullptr; }
    std::uint32_t rank() const { return rank_; }
    std::uint32_t count() const { return count_; }
    bool leads() const { return rank_ == 0; }
    const std::string& description() const { return description_; }

    /// [all processes call it] `all` receives the bytes of all processes by rank, without gaps.
    void gather(const void* own, std::uint64_t size, void* all, std::uint64_t all_size);
    /// [all processes call it] Returns the values `own` of all processes, by rank. T must be trivially copyable.
    template <class T>
    std::vector<T> gather_values(const T& own) {
        std::vector<T> values(count_);
        gather(&own, sizeof own, values.data(), values.size() * sizeof own);
        return values;
    }
    /// [all processes call it] Returns the texts `own` of all processes, by rank.
    std::vector<std::string> gather_texts(const std::string& own);
    /// [all processes call it] Broadcasts the text of process 0.
    std::string share(const std::string& own);
    /// [all processes call it] Broadcasts the texts of process 0.
    std::vector<std::string> share(const std::vector<std::string>& own);
    /// [all processes call it] True if `own` is true in any of the processes.
    bool any_of(bool own);

    /// Exchange functions for solvers; null if the process is alone. `exchanges` counts their calls.
    const qapfw_exchange* exchange() const { return alone() ? nullptr : &exchange_; }
    std::uint64_t exchanges() const { return exchanges_; }

    Watch& watch() { return watch_; }
    const Watch& watch() const { return watch_; }
    /// Reports that this process has failed, so that all others end too.
    void fail(const std::exception_ptr& failure);
    /// True if a function of this object threw EndedTogether.
    bool gave_up() const { return gave_up_; }

    /// Called at the end of the program. Waits until the other processes call leave() too, then returns `code`, the
    /// exit code. If all processes must end early, or the others do not call leave() within 5 s, this process ends with
    /// `code` and the function does not return.
    int leave(int code);

  private:
    void throw_if_ended();
    qapfw_status solver_gathers(const void* own, std::uint64_t size, void* all, std::uint64_t all_size);

    MpiLibrary library_;
    const ReturnCodes codes_;
    std::uint32_t rank_ = 0, count_ = 1;
    std::string description_;
    Watch watch_;
    qapfw_exchange exchange_{};
    std::uint64_t exchanges_ = 0;
    bool gave_up_ = false;
};

/// The position of this process among the processes of its host. These processes split the host's threads and GPUs.
struct LocalPlace {
    std::string host;                   ///< name of the host
    std::uint32_t rank = 0, count = 1;  ///< this process's rank on this host, and the number of processes there
    /// Number of processes of this host that may use some of this process's cores, this process included.
    std::uint32_t same_cores = 1;
    bool own_gpus = false;  ///< true if another process of this host has a different CUDA_VISIBLE_DEVICES
};
/// [all processes call it] Finds where this process stands among the processes of its host. Processes whose hosts have
/// the same name count as processes of one host.
LocalPlace find_local_place(Processes& processes);

}  // namespace qapfw::framework
