// SPDX-License-Identifier: Apache-2.0
// Copies of a caller's matrices and texts, in the form that problem plugins request (QAPFW_HOST_ARRAYS).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "framework/host/host_arrays.hpp"
#include "qapfw/abi/host.h"
#include "qapfw/qapfw.h"

namespace qapfw::framework {

class ArrayStore final : public HostArrays {
  public:
    /// Copies a matrix, which messages call `what`. Throws Error(kInput) if an entry is not finite or is an integer
    /// above the largest signed 64-bit integer. Throws Error(kUsage) if the matrix has an unknown type.
    void add(const std::string& name, const qapfw_matrix& matrix, const std::string& what);
    /// Copies `count` texts; they become the column `name`.
    void add_texts(const std::string& name, const char* const* texts, std::uint64_t count, const std::string& what);

    const qapfw_array* find(const std::string& name) const override;
    /// The text with number `index` (from 0) in the column `name`; empty if there is no such column.
    std::string text(const std::string& name, std::uint64_t index) const;

  private:
    struct Array {
        qapfw_array view{};
        std::vector<std::int64_t> integers;
        std::vector<double> reals;
        std::vector<std::string> texts;
        std::vector<const char*> pointers;
    };
    std::map<std::string, Array> arrays_;
};

}  // namespace qapfw::framework
