// SPDX-License-Identifier: Apache-2.0
// Checks that the library of operators compiles as device code for the oldest supported and a recent GPU, and that each
// crossover except path relinking compiles in a kernel of its own. Needs NVRTC, no GPU.
#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "framework/device/compile_only.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/device.hpp"

namespace {

using namespace qapfw;

std::string support_text(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(std::string(QAPFW_SOURCE_DIR "/tests/support/") + name).rdbuf();
    REQUIRE_FALSE(text.str().empty());
    return text.str();
}

/// Compiles a kernel. Returns the size of each target's binary in bytes; an empty list without NVRTC.
std::vector<std::uint64_t> compile(const char* entry, const char* define, const std::vector<std::uint32_t>& targets) {
    const std::string task = support_text("operators_task.hpp"), kernel = support_text("operators_kernel.cuh");
    const std::array texts = {qapfw_text{"test/operators_task.hpp", task.c_str(), task.size()},
                              qapfw_text{"test/operators_kernel.cuh", kernel.c_str(), kernel.size()}};
    const std::array defines = {define};
    qapfw_kernel_request request{};
    request.struct_size = sizeof request;
    request.text_count = static_cast<std::uint32_t>(texts.size());
    request.texts = texts.data();
    request.entry = entry;
    request.define_count = static_cast<std::uint32_t>(defines.size());
    request.defines = defines.data();
    std::vector<std::uint64_t> bytes;
    try {
        for (const auto& one : framework::compile_only(std::nullopt, std::array{request}, targets)) {
            bytes.push_back(one.binary_bytes);
        }
    } catch (const Error& failure) {
        if (failure.kind() != ErrorKind::kDevice) throw;
        MESSAGE("SKIPPED: " << failure.what());
    }
    return bytes;
}

}  // namespace

TEST_CASE("all operators compile for a warp") {
    const auto bytes = compile("qapfw_test_operators", "OPERATORS_CROSSOVER=0", framework::kTestedArchitectures);
    if (!bytes.empty()) CHECK(bytes.size() == framework::kTestedArchitectures.size());
}

TEST_CASE("every crossover except path relinking compiles for one thread, alone") {
    for (const char* define : {"OPERATORS_CROSSOVER=0", "OPERATORS_CROSSOVER=1", "OPERATORS_CROSSOVER=2",
                               "OPERATORS_CROSSOVER=3", "OPERATORS_CROSSOVER=4"}) {
        const auto bytes = compile("qapfw_test_crossover", define, {90});
        if (!bytes.empty()) CHECK(bytes.size() == 1);
    }
}
