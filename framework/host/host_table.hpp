// SPDX-License-Identifier: Apache-2.0
// The framework's side of qapfw_host: one Host per process run (thread pool, data folders), one HostTable per plugin
// object, which knows whose log lines and whose "auto" parameters it handles.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "framework/host/thread_pool.hpp"
#include "qapfw/abi/host.h"

namespace qapfw::framework {

class Host {
  public:
    Host(std::uint32_t threads, const std::vector<std::filesystem::path>& data_paths);
    ThreadPool& pool() { return pool_; }
    const std::vector<const char*>& data_paths() const { return data_path_pointers_; }
    /// The run's GPUs, for every HostTable made from now on; they outlive those tables.
    void set_devices(std::vector<const qapfw_device*> devices) { devices_ = std::move(devices); }
    const std::vector<const qapfw_device*>& devices() const { return devices_; }

  private:
    std::vector<std::string> data_paths_;
    std::vector<const char*> data_path_pointers_;
    std::vector<const qapfw_device*> devices_;
    ThreadPool pool_;
};

class HostTable {
  public:
    using Resolve = std::function<void(const std::string& name, std::int64_t value)>;
    /// `host` must outlive this, and this must outlive the plugin object created with it.
    HostTable(Host& host, std::string owner, Resolve resolve);
    HostTable(const HostTable&) = delete;
    HostTable& operator=(const HostTable&) = delete;
    const qapfw_host* table() const { return &table_; }
    const std::string& owner() const { return owner_; }

  private:
    Host& host_;
    std::string owner_;  // "problem qap", for messages
    Resolve resolve_;
    qapfw_host table_;
};

}  // namespace qapfw::framework
