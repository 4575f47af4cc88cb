// SPDX-License-Identifier: Apache-2.0
// A shared library that is opened at run time (libcuda, libnvrtc, NVML). It is never closed, because drivers leave
// threads and handlers behind.
#pragma once

#include <string>

#include "framework/host/named_libraries.hpp"

namespace qapfw::framework {

class DynamicLibrary {
  public:
    /// Opens with RTLD_NOW | RTLD_LOCAL. A name without a slash is looked up along the loader's path. On failure
    /// `loaded()` is false and `reason()` is the loader's message.
    explicit DynamicLibrary(const std::string& name);
    /// Opens the library that an environment variable names. If `named.refusal` is not empty, the library is not
    /// loaded, and reason() is that text.
    explicit DynamicLibrary(const NamedLibrary& named);

    bool loaded() const { return handle_ != nullptr; }
    const std::string& reason() const { return reason_; }
    /// The file that was loaded; if loading failed, the name that was given.
    std::string path() const;
    /// The address of a symbol; null if the library has no such symbol.
    void* symbol(const char* name) const;

  private:
    void* handle_ = nullptr;
    std::string name_;
    std::string reason_;
};

}  // namespace qapfw::framework
