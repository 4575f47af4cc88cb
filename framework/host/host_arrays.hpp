// SPDX-License-Identifier: Apache-2.0
// Arrays that the caller of libqapfw passed. Problem plugins read these arrays instead of files.
#pragma once

#include <string>

#include "qapfw/abi/host.h"

namespace qapfw::framework {

class HostArrays {
  public:
    HostArrays() = default;
    HostArrays(const HostArrays&) = delete;
    HostArrays& operator=(const HostArrays&) = delete;
    virtual ~HostArrays() = default;

    /// The array of this name, which lives as long as this object; null: there is none.
    virtual const qapfw_array* find(const std::string& name) const = 0;
};

}  // namespace qapfw::framework
