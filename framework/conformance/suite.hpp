// SPDX-License-Identifier: Apache-2.0
// The conformance suite behind `qapfw plugin check`. Cases have an id and a plain description. Each case runs in a
// child process of its own, so that a crash or a hang is a result like any other.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework::conformance {

enum class Verdict { kPass, kFail, kSkip, kCrash, kHang };
const char* name_of(Verdict verdict);

/// The component under test, and what the user gave for it.
struct Subject {
    const Component& component;
    std::vector<std::pair<std::string, std::string>> parameters;  ///< parameters of `component`, from --set
    std::vector<std::filesystem::path> data_paths;
    const Component* problem = nullptr;  ///< problem on which a solver or improver is tested; null: the suite's own
    std::vector<std::pair<std::string, std::string>> problem_parameters = {};
    /// Limit on the iterations of the case solve-long; 0: at most 100,000 iterations, and at most a few seconds.
    std::uint64_t iterations = 0;
    std::filesystem::path emulated_devices = {};  ///< folder of libcuda.so and libnvrtc.so for machines without a GPU
    /// True: emulated GPUs are used even if there is a real GPU. Emulated GPUs notice accesses outside a buffer.
    bool always_emulated = false;
};

/// A test. It throws Error with what it finds wrong, or Skip if it does not apply. Error(kUnsupported) is like Skip.
struct Case {
    const char* id;
    const char* description;
    void (*run)(const Subject& subject);
};
class Skip : public std::exception {
  public:
    explicit Skip(std::string reason) : reason_(std::move(reason)) {}
    const char* what() const noexcept override { return reason_.c_str(); }

  private:
    std::string reason_;
};

/// All cases for components of a kind (QAPFW_KIND_...), in the order in which they are run.
std::vector<Case> cases_for(std::uint32_t kind);

/// True if a case reads only the component's descriptor.
bool looks_at_descriptor(const Case& test);

struct Outcome {
    Verdict verdict = Verdict::kPass;
    std::string detail;
    double seconds = 0;
};

/// Runs `body` in a child process. This function forks, so call it before any thread exists.
Outcome run_in_child(const std::function<void()>& body, std::chrono::seconds limit);

}  // namespace qapfw::framework::conformance
