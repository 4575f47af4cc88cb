// SPDX-License-Identifier: Apache-2.0
// The engine's object for one GPU of a run. Plugins see only the object's C table (qapfw/abi/device.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "qapfw/abi/device.h"

namespace qapfw::framework {

/// Writes a line to the log with its QAPFW_LOG_... level. Any thread may call it; calls for one device come one at a
/// time.
using LogFunction = std::function<void(std::int32_t level, const std::string& text)>;
/// Sets the message for the failing status that this thread returns next (qapfw_host.set_error).
using ErrorFunction = std::function<void(const std::string& text)>;

class Device {
  public:
    Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    virtual ~Device() = default;

    /// The table stays valid until this Device is destroyed.
    virtual const qapfw_device* table() const = 0;
    /// A text for the log and the run record: "NVIDIA H200 (GPU 0, compute capability 9.0, driver 13.0, NVRTC 13.0)".
    virtual std::string description() const = 0;
    /// The first error that killed the GPU's context; empty as long as the context is alive.
    virtual const std::string& failure() const = 0;
};

}  // namespace qapfw::framework
