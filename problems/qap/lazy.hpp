// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

namespace qapfw::qap {

/// A value made at the first request, by the thread that requests it first; other threads wait for the value.
template <class T>
class Lazy {
  public:
    /// `make` returns a std::unique_ptr<T>. If `make` throws, the next call tries again.
    template <class Make>
    const T& get(const Make& make) const {
        std::call_once(once_, [&] {
            value_ = make();
            made_.store(true, std::memory_order_relaxed);
        });
        return *value_;
    }
    /// True if the value exists.
    bool made() const { return made_.load(std::memory_order_relaxed); }

  private:
    mutable std::once_flag once_;
    mutable std::atomic<bool> made_{false};
    mutable std::unique_ptr<const T> value_;
};

}  // namespace qapfw::qap
