// SPDX-License-Identifier: Apache-2.0
// The framework's side of qapfw_host. A Host has the threads, data folders and GPUs that plugin objects share. Each
// plugin object has a HostTable of its own, which puts the object's name before its log lines and receives the values
// that the object chose for "auto" parameters.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "framework/host/host_arrays.hpp"
#include "framework/host/thread_pool.hpp"
#include "qapfw/abi/host.h"

namespace qapfw::framework {

class Host {
  public:
    Host(std::uint32_t threads, const std::vector<std::filesystem::path>& data_paths);
    ThreadPool& pool() { return pool_; }
    const std::vector<const char*>& data_paths() const { return data_path_pointers_; }
    /// Sets the run's GPUs for all HostTables made from now on. The devices must outlive those tables.
    void set_devices(std::vector<const qapfw_device*> devices) { devices_ = std::move(devices); }
    const std::vector<const qapfw_device*>& devices() const { return devices_; }
    /// Sets the function that sums a value over the GPUs of all processes. GPUs that several processes use count once.
    /// By default the sum is this process's value.
    void set_all_gpus(std::function<std::uint64_t(std::uint64_t)> sum) { all_gpus_ = std::move(sum); }
    std::uint64_t sum_over_gpus(std::uint64_t own) const { return all_gpus_ ? all_gpus_(own) : own; }
    /// Sets the function that answers a plugin's `should_stop`; the function must outlive its use. Null: the answer is
    /// "no".
    void set_stop(const std::function<bool()>* ask) { stop_ = ask; }
    /// Sets the arrays that problems may ask for; the arrays must outlive their use. Null: there are none.
    void set_arrays(const HostArrays* arrays) { arrays_ = arrays; }
    const HostArrays* arrays() const { return arrays_; }
    /// Sets whether all log lines of plugins are dropped.
    void set_quiet(bool quiet) { quiet_ = quiet; }
    bool is_quiet() const { return quiet_; }
    bool should_stop() const {
        const std::function<bool()>* ask = stop_;
        return ask != nullptr && (*ask)();
    }

  private:
    std::vector<std::string> data_paths_;
    std::vector<const char*> data_path_pointers_;
    std::vector<const qapfw_device*> devices_;
    std::function<std::uint64_t(std::uint64_t)> all_gpus_;
    std::atomic<const std::function<bool()>*> stop_{nullptr};
    const HostArrays* arrays_ = nullptr;
    bool quiet_ = false;
    ThreadPool pool_;
};

class HostTable {
  public:
    /// Receives the value that the plugin chose for its "auto" parameter `name`.
    using Resolve = std::function<void(const std::string& name, const qapfw_value& value)>;
    /// `host` must outlive this object, and this object must outlive the plugin object that is created with it.
    HostTable(Host& host, std::string owner, Resolve resolve);
    HostTable(const HostTable&) = delete;
    HostTable& operator=(const HostTable&) = delete;
    const qapfw_host* table() const { return &table_; }
    /// Adds a service: a table of functions that the plugin finds with get_capability(id). The table must outlive the
    /// plugin object.
    void offer(const char* id, const void* table) { offered_.emplace_back(id, table); }
    const std::string& owner() const { return owner_; }
    const Host& host() const { return host_; }

  private:
    Host& host_;
    std::string owner_;  // "problem qap", for messages
    Resolve resolve_;
    std::vector<std::pair<std::string, const void*>> offered_;
    qapfw_host table_;
};

}  // namespace qapfw::framework
