// SPDX-License-Identifier: Apache-2.0
// Imitates a disk that is full as soon as a file reaches a certain size.
#pragma once

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>

namespace qapfw::framework::testing {

/// Makes every write beyond the first `bytes` bytes of a file fail, as a full disk does.
class FullDisk {
  public:
    explicit FullDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
        REQUIRE(getrlimit(RLIMIT_FSIZE, &limit_) == 0);
        const rlimit small{bytes, limit_.rlim_max};
        REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    }
    ~FullDisk() {
        setrlimit(RLIMIT_FSIZE, &limit_);
        std::signal(SIGXFSZ, before_);
    }

  private:
    void (*before_)(int);
    rlimit limit_{};
};

}  // namespace qapfw::framework::testing
