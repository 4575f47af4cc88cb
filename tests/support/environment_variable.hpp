// SPDX-License-Identifier: Apache-2.0
// Environment variables that a test sets for a while.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace qapfw::test {

/// Sets or removes an environment variable. The destructor restores the old value.
class EnvironmentVariable {
  public:
    EnvironmentVariable(std::string name, std::optional<std::string> value) : name_(std::move(name)) {
        if (const char* old = std::getenv(name_.c_str())) old_ = old;
        set(value);
    }
    EnvironmentVariable(const EnvironmentVariable&) = delete;
    EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;
    ~EnvironmentVariable() { set(old_); }
    void set(const std::optional<std::string>& value) {
        value ? ::setenv(name_.c_str(), value->c_str(), 1) : ::unsetenv(name_.c_str());
    }

  private:
    std::string name_;
    std::optional<std::string> old_;
};

}  // namespace qapfw::test
