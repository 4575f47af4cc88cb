// SPDX-License-Identifier: Apache-2.0
#include "framework/host/host_table.hpp"

#include <utility>

#include "framework/host/last_error.hpp"
#include "framework/host/log.hpp"

namespace qapfw::framework {
namespace {

constexpr qapfw_host_stop kStop{sizeof(qapfw_host_stop), [](void* context) -> std::int32_t {
                                    return static_cast<const HostTable*>(context)->host().should_stop() ? 1 : 0;
                                }};

const qapfw_array* find_array(void* context, const char* name) {
    const HostArrays* arrays = static_cast<const HostTable*>(context)->host().arrays();
    return arrays == nullptr || name == nullptr ? nullptr : arrays->find(name);
}

constexpr qapfw_host_arrays kArrays{sizeof(qapfw_host_arrays), find_array};

}  // namespace

Host::Host(std::uint32_t threads, const std::vector<std::filesystem::path>& data_paths) : pool_(threads) {
    for (const auto& path : data_paths) data_paths_.push_back(path.string());
    for (const std::string& path : data_paths_) data_path_pointers_.push_back(path.c_str());
}

HostTable::HostTable(Host& host, std::string owner, Resolve resolve)
    : host_(host), owner_(std::move(owner)), resolve_(std::move(resolve)), table_{} {
    offer(QAPFW_HOST_STOP, &kStop);
    if (host_.arrays() != nullptr) offer(QAPFW_HOST_ARRAYS, &kArrays);
    table_.struct_size = sizeof table_;
    table_.abi_minor = QAPFW_ABI_MINOR;
    table_.context = this;
    table_.worker_count = host_.pool().worker_count();
    table_.data_path_count = static_cast<std::uint32_t>(host_.data_paths().size());
    table_.data_paths = host_.data_paths().data();
    table_.devices = host_.devices().data();
    table_.device_count = host_.devices().size();
    table_.log = [](void* context, std::int32_t level, const char* text, std::uint64_t size) {
        const auto* self = static_cast<const HostTable*>(context);
        if (self->host_.is_quiet()) return;
        const int known = level < QAPFW_LOG_DEBUG ? QAPFW_LOG_DEBUG : level > QAPFW_LOG_ERROR ? QAPFW_LOG_ERROR : level;
        log_message(static_cast<LogLevel>(known), self->owner_ + ": " + std::string(text, size));
    };
    table_.set_error = [](void*, const char* text, std::uint64_t size) {
        set_last_error(std::string_view(text, size));
    };
    table_.parallel_for = [](void* context, std::uint64_t count, qapfw_loop_body body, void* user) {
        return static_cast<HostTable*>(context)->host_.pool().run(count, body, user);
    };
    table_.resolve = [](void* context, const char* name, const qapfw_value* value) {
        const auto* self = static_cast<const HostTable*>(context);
        if (self->resolve_) self->resolve_(name, *value);
    };
    table_.get_capability = [](void* context, const char* id) -> const void* {
        for (const auto& [offered, table] : static_cast<const HostTable*>(context)->offered_) {
            if (id != nullptr && offered == id) return table;
        }
        return nullptr;
    };
}

}  // namespace qapfw::framework
