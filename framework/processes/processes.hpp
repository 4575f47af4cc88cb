// SPDX-License-Identifier: Apache-2.0
// The processes that a launcher started to share one run, or this one alone. Process 0 leads: it alone writes and
// prints, and its decisions are those of all. Every function that says "together" must be called by all processes, in
// the same order; it throws EndedTogether where all must end instead.
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

/// All processes end, because one of them is gone or has failed. Its sentence is what the user should read, if no other
/// process tells it.
class EndedTogether : public Error {
  public:
    explicit EndedTogether(Ending ending) : Error(ErrorKind::kInternal, ending.text), ending_(std::move(ending)) {}
    const Ending& ending() const { return ending_; }

  private:
    Ending ending_;
};

/// The library that speaks MPI, opened. Throws Error(kUsage) where it cannot be.
struct MpiLibrary {
    MpiLibrary() = default;
    explicit MpiLibrary(const std::filesystem::path& path);
    const qapfw_mpi_component* table = nullptr;
};

/// Codes that processes return to their launcher.
struct ReturnCodes {
    int lost = 1;  ///< another process was lost
    int (*of)(const std::exception_ptr& failure) = nullptr;
};

class Processes {
  public:
    /// Makes an object for this process alone: what it gathers and shares is its own.
    Processes();
    /// Together: joins the other processes. `expected`: how many the launcher says there are; 0: it does not say.
    /// Signals that are to be waited for must be blocked before.
    Processes(const std::filesystem::path& library, std::uint32_t expected, ReturnCodes codes);
    Processes(const Processes&) = delete;
    Processes& operator=(const Processes&) = delete;

    /// Together, before everything else: from here on the processes watch over each other.
    void begin_watch();

    /// True if this process has joined no others, and was not asked to.
    bool alone() const { return library_.table == nullptr; }
    std::uint32_t rank() const { return rank_; }
    std::uint32_t count() const { return count_; }
    bool leads() const { return rank_ == 0; }
    const std::string& description() const { return description_; }

    /// Together: `all` receives the bytes of all processes by rank, without gaps.
    void gather(const void* own, std::uint64_t size, void* all, std::uint64_t all_size);
    /// Together: a plain value of each process, by rank.
    template <class T>
    std::vector<T> gather_values(const T& own) {
        std::vector<T> values(count_);
        gather(&own, sizeof own, values.data(), values.size() * sizeof own);
        return values;
    }
    /// Together: a text of each process, by rank.
    std::vector<std::string> gather_texts(const std::string& own);
    /// Together: the text of process 0.
    std::string share(const std::string& own);
    /// Together: its texts, any number of them.
    std::vector<std::string> share(const std::vector<std::string>& own);
    /// Together: whether one of them says so.
    bool any_of(bool own);

    /// For solvers; null where the process is alone. Counts how often it is used.
    const qapfw_exchange* exchange() const { return alone() ? nullptr : &exchange_; }
    std::uint64_t exchanges() const { return exchanges_; }

    Watch& watch() { return watch_; }
    const Watch& watch() const { return watch_; }
    /// Reports that this process has failed: all others end too.
    void fail(const std::exception_ptr& failure);
    /// True if a function threw EndedTogether.
    bool gave_up() const { return gave_up_; }

    /// Together: the orderly end, with what the process returns to its launcher. Ends the process where others do not
    /// come here in time.
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

/// The processes of this host, as threads and GPUs are shared out among them.
struct LocalPlace {
    std::string host;                   ///< its name
    std::uint32_t rank = 0, count = 1;  ///< among those of this host
    std::uint32_t same_cores = 1;       ///< processes that may use some of this one's cores, itself included
    bool own_gpus = false;              ///< the launcher shows other GPUs to each of them (CUDA_VISIBLE_DEVICES)
};
/// Together.
LocalPlace find_local_place(Processes& processes);

}  // namespace qapfw::framework
