// SPDX-License-Identifier: Apache-2.0
// What one kernel binary is compiled from: the framework's kernel headers that the texts include, the problem's texts,
// the request's texts and the options. Knows how to write itself down as a cache key and how to read a compiler's
// complaints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/device/device_problem.hpp"
#include "qapfw/abi/device.h"

namespace qapfw::framework {

/// A named text; both views belong to the plugin or to this binary and live as long as the program.
struct ProgramText {
    std::string_view name;  ///< "qapfw/kernels/philox.hpp", "<plugin id>/<file>"
    std::string_view text;
};

class KernelProgram {
  public:
    /// Throws Error(kPlugin) for a request that cannot be right: no text, no entry, an option that would read files.
    /// `problem` may be none unless the request wants it.
    KernelProgram(const std::optional<DeviceProblem>& problem, const qapfw_kernel_request& request);

    /// The texts one after the other, each under its own name and line numbers.
    std::string source() const;
    /// Headers that the source includes, directly or through others: nothing else is offered to the compiler. A text
    /// that another text includes is an empty header, because it is joined already.
    const std::vector<ProgramText>& headers() const { return headers_; }
    /// For NVRTC, without the architecture.
    const std::vector<std::string>& options() const { return options_; }
    const std::string& plugin() const { return plugin_; }  ///< whose request this is
    const std::string& entry() const { return entry_; }

    /// Everything the binary depends on, in full. Requests that differ by their entry alone share a binary.
    std::string key(std::uint32_t architecture, std::string_view compiler) const;

  private:
    std::vector<ProgramText> headers_;
    std::vector<ProgramText> texts_;
    std::vector<std::string> options_;
    std::string plugin_;
    std::string entry_;
};

/// The kernel headers built into this binary.
const std::vector<ProgramText>& kernel_headers();

/// "plugin qapfw.tabu, tabu.cuh:12: identifier "x" is undefined" from NVRTC's log; `subject` ("kernel 'k' of plugin p")
/// stands in where the log names no line.
std::string compile_error_text(std::string_view log, const std::string& subject);

/// The part of a text's name before the first '/'.
std::string plugin_of(std::string_view text_name);

}  // namespace qapfw::framework
