// SPDX-License-Identifier: Apache-2.0
// Wrappers of a plugin's solver and improver, and the checks that both suit the problem.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/engine/own_improvers.hpp"
#include "framework/problem/problem.hpp"
#include "qapfw/abi/solver.h"

namespace qapfw::framework {

/// Returns why a component does not support the problem's encoding or the backend; empty: it supports both.
std::string mismatch_of(const Component& component, const Problem& problem, const std::string& backend);

/// Throws Error(kUnsupported) if solver or improver does not support the problem's encoding or the backend, or if the
/// solver scans all pairs and the instance is too large for that. The check of the configuration has already refused a
/// missing or unwanted improver.
void check_combination(const Config& config, const Problem& problem, const std::string& backend);

/// Throws Error(kUsage) if there are several processes and the solver cannot split its work among them.
void check_shares_work(const Component& solver, std::uint32_t processes);

class Improver {
  public:
    Improver(Host& host, Choice& choice, const Problem& problem);
    ~Improver();
    Improver(const Improver&) = delete;
    Improver& operator=(const Improver&) = delete;
    const qapfw_improver_ref* ref() const { return &ref_; }

  private:
    HostTable host_;
    const qapfw_component* component_;
    const qapfw_improver_table* table_;
    qapfw_improver* improver_ = nullptr;
    qapfw_improver_ref ref_{};
};

class Solver {
  public:
    /// `registry`: has the improvers that the solver may choose itself. All arguments must outlive the solver.
    Solver(Host& host, Choice& choice, const Problem& problem, const Improver* improver, const Registry& registry);
    ~Solver();
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    void run(const qapfw_run& services);
    /// True if the solver can save and load its state.
    bool resumable() const;
    /// Writes the solver's state into `state`. Old contents are dropped, their memory is reused.
    void save(std::vector<std::byte>& state) const;
    void load(const std::vector<std::byte>& state);
    /// True if the solver accepts a round in parts (slices).
    bool takes_slices() const;
    const std::string& owner() const { return host_.owner(); }
    /// The solver's text for the progress line; see qapfw/abi/solver.h.
    const std::string& words() const { return words_; }

  private:
    OwnImprovers improvers_;
    std::string words_;
    qapfw_host_progress progress_{};
    qapfw_host_all_gpus all_gpus_{};
    HostTable host_;
    const qapfw_component* component_;
    const qapfw_solver_table* table_;
    qapfw_solver* solver_ = nullptr;
};

}  // namespace qapfw::framework
