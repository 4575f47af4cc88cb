// SPDX-License-Identifier: Apache-2.0
// The improvers that a solver chooses itself (qapfw/abi/solver.h).
#pragma once

#include <deque>
#include <string>

#include "framework/problem/problem.hpp"
#include "qapfw/abi/solver.h"

namespace qapfw::framework {

class OwnImprovers {
  public:
    /// All arguments must outlive this object.
    OwnImprovers(Host& host, const Problem& problem, const Registry& registry);
    ~OwnImprovers();
    OwnImprovers(const OwnImprovers&) = delete;
    OwnImprovers& operator=(const OwnImprovers&) = delete;
    const qapfw_host_improvers* table() const { return &table_; }

    /// True if this improver is loaded and suits the problem and the backend.
    bool has(const std::string& id) const;
    /// Makes an improver, which this object owns. `settings`: "key=value" words; `place`: beginning of error messages.
    /// Throws Error(kUsage) for an unknown improver and wrong settings, Error(kUnsupported) for an unsuitable improver.
    const qapfw_improver_ref* make(const std::string& id, const std::string& settings, const std::string& place);

  private:
    struct Own;
    std::string backend() const { return host_.devices().empty() ? "cpu" : "cuda"; }

    Host& host_;
    const Problem& problem_;
    const Registry& registry_;
    std::deque<Own> made_;
    qapfw_host_improvers table_{};
};

}  // namespace qapfw::framework
