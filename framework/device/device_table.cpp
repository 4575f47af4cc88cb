// SPDX-License-Identifier: Apache-2.0
#include "framework/device/device_table.hpp"

#include <fmt/format.h>

#include <new>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// The status of an error, but never QAPFW_ERROR_DEVICE: that status means that the device is dead, and only mark_dead
/// decides this.
qapfw_status status_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::kMemory:
            return QAPFW_ERROR_MEMORY;
        case ErrorKind::kUsage:
        case ErrorKind::kInput:
            return QAPFW_ERROR_INPUT;
        case ErrorKind::kUnsupported:
            return QAPFW_ERROR_UNSUPPORTED;
        default:
            return QAPFW_ERROR;
    }
}

}  // namespace

template <class Body>
qapfw_status DeviceTable::guarded(Body&& body) noexcept {
    if (dead_) return fail(QAPFW_ERROR_DEVICE, failure_.c_str());
    try {
        body();
        return QAPFW_OK;
    } catch (const SlotError& error) {
        return fail(error.status(), error.what());
    } catch (const Error& error) {
        return fail(status_of(error.kind()), error.what());
    } catch (const std::bad_alloc&) {
        return fail(QAPFW_ERROR_MEMORY, "host memory is exhausted");
    } catch (const std::exception& error) {
        return fail(QAPFW_ERROR, error.what());
    } catch (...) {
        return fail(QAPFW_ERROR, "an exception of unknown type in the device layer");
    }
}

/// The C functions made from a member function of DeviceSlots. `call` returns a status. `destroy` is for members that
/// release or destroy something: it returns nothing.
template <class... Arguments, void (DeviceSlots::*Slot)(Arguments...)>
struct DeviceTable::Entry<Slot> {
    static qapfw_status call(void* context, Arguments... arguments) noexcept {
        auto* table = static_cast<DeviceTable*>(context);
        return table->guarded([&] { (table->slots_.*Slot)(arguments...); });
    }
    static void destroy(void* context, Arguments... arguments) noexcept {
        try {
            (static_cast<DeviceTable*>(context)->slots_.*Slot)(arguments...);
        } catch (...) {  // no status can be returned; if the device is dead, the next call reports it
        }
    }
};

DeviceTable::DeviceTable(DeviceSlots& slots, ErrorFunction set_error)
    : slots_(slots), set_error_(std::move(set_error)) {
    table_.struct_size = sizeof(qapfw_device);
    table_.context = this;
    table_.allocate = Entry<&DeviceSlots::allocate>::call;
    table_.release = Entry<&DeviceSlots::release>::destroy;
    table_.create_stream = Entry<&DeviceSlots::create_stream>::call;
    table_.destroy_stream = Entry<&DeviceSlots::destroy_stream>::destroy;
    table_.upload = Entry<&DeviceSlots::upload>::call;
    table_.download = Entry<&DeviceSlots::download>::call;
    table_.copy = Entry<&DeviceSlots::copy>::call;
    table_.fill = Entry<&DeviceSlots::fill>::call;
    table_.synchronize = Entry<&DeviceSlots::synchronize>::call;
    table_.finished = [](void* context, qapfw_stream* stream) -> std::int32_t {
        bool finished = false;
        const qapfw_status status = Entry<&DeviceSlots::query>::call(context, stream, &finished);
        return status != QAPFW_OK ? -status : (finished ? 1 : 0);
    };
    table_.prepare = Entry<&DeviceSlots::prepare>::call;
    table_.kernel = Entry<&DeviceSlots::kernel>::call;
    table_.launch = Entry<&DeviceSlots::launch>::call;
    table_.occupancy = Entry<&DeviceSlots::occupancy>::call;
    table_.problem_view = Entry<&DeviceSlots::problem_view>::call;
    table_.mark = Entry<&DeviceSlots::mark>::call;
    table_.reach_mark = Entry<&DeviceSlots::reach_mark>::call;
}

void DeviceTable::mark_dead(const std::string& cause) {
    std::call_once(died_, [&] {
        failure_ = cause;
        dead_ = true;
    });
}

const std::string& DeviceTable::failure() const {
    static const std::string kNone;
    return dead_ ? failure_ : kNone;
}

qapfw_status DeviceTable::fail(qapfw_status status, const char* text) noexcept {
    try {
        if (set_error_) set_error_(text);
    } catch (...) {  // no memory for a sentence: the caller gets only the status
    }
    return status;
}

std::string byte_text(std::uint64_t bytes) {
    static constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
    if (bytes < 1024) return fmt::format("{} bytes", bytes);
    double value = static_cast<double>(bytes) / 1024;
    int unit = 0;
    for (; value >= 1024 && unit < 3; ++unit) value /= 1024;
    return fmt::format("{:.2f} {} ({} bytes)", value, kUnits[unit], bytes);
}

}  // namespace qapfw::framework
