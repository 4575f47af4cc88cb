// SPDX-License-Identifier: Apache-2.0
// The one exception type of the project's C++ code. It never crosses the C ABI: the SDK's C functions turn it into a
// status and a message, and the framework turns those back into an Error.
#pragma once

#include <stdexcept>
#include <string>

namespace qapfw {

/// Kinds of failures that a caller may treat differently. The framework maps them to exit codes.
enum class ErrorKind {
    kUsage,        ///< bad command line or configuration
    kInput,        ///< bad instance, solution or other data file
    kPlugin,       ///< a plugin could not be loaded or broke its contract
    kDevice,       ///< no usable device, or the device failed
    kMemory,       ///< host or device memory exhausted
    kIo,           ///< a file could not be read or written
    kInternal,     ///< a defect of this program
    kUnsupported,  ///< the chosen components do not work together; `plugin check` skips a test with this failure
};

/// A failure with one clear message: where (file:line:column if known), what was wanted, what was found.
class Error : public std::runtime_error {
  public:
    /// `message`: one sentence without a newline, in UTF-8.
    explicit Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    ErrorKind kind() const { return kind_; }  ///< the kind of the failure

  private:
    ErrorKind kind_;
};

}  // namespace qapfw
