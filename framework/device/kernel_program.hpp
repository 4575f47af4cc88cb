// SPDX-License-Identifier: Apache-2.0
// Everything that one kernel binary is compiled from: the framework's kernel headers, the device code of the problem
// and of the request, and the options. Also makes the binary's cache key, and one message from the compiler's errors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/device/device_problem.hpp"
#include "qapfw/abi/device.h"

namespace qapfw::framework {

/// A named text. `name` and `text` point to memory of a plugin or the framework, which must outlive the KernelProgram.
struct ProgramText {
    std::string_view name;  ///< such as "qapfw/kernels/philox.hpp" or "<plugin id>/<file>"
    std::string_view text;
};

class KernelProgram {
  public:
    /// Throws Error(kPlugin) for a request without a text or an entry, and for an option of the problem that would read
    /// files or choose another GPU. `problem` may be empty if the request's with_problem is 0.
    KernelProgram(const std::optional<DeviceProblem>& problem, const qapfw_kernel_request& request);

    /// The texts one after the other, each under its own name and line numbers.
    std::string source() const;
    /// The headers that the source includes, directly or through others. The compiler gets no other files. The texts in
    /// source() may include one another; since they are joined there, such an include gets an empty header.
    const std::vector<ProgramText>& headers() const { return headers_; }
    /// The options for NVRTC, without the architecture.
    const std::vector<std::string>& options() const { return options_; }
    const std::string& plugin() const { return plugin_; }  ///< the plugin that made the request
    const std::string& entry() const { return entry_; }

    /// The key of the binary in the cache: everything that the binary depends on, in full. Requests that differ only in
    /// their entry have the same binary.
    std::string key(std::uint32_t architecture, std::string_view compiler) const;

  private:
    std::vector<ProgramText> headers_;
    std::vector<ProgramText> texts_;
    std::vector<std::string> options_;
    std::string plugin_;
    std::string entry_;
};

/// The kernel headers built into the framework.
const std::vector<ProgramText>& kernel_headers();

/// Makes one message from NVRTC's log: "plugin qapfw.tabu, tabu.cuh:12: identifier "x" is undefined". If the first
/// error is not in a plugin's text, the message begins with `subject` ("kernel 'k' of plugin p").
std::string compile_error_text(std::string_view log, const std::string& subject);

/// The part of a text's name before the first '/'.
std::string plugin_of(std::string_view text_name);

}  // namespace qapfw::framework
