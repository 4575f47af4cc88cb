// SPDX-License-Identifier: Apache-2.0
// Fuzzes configurations: any bytes as a configuration. If there is a zero byte, the bytes after it are an option
// --set KEY=VALUE. The resolved form of an accepted configuration must survive reading and writing.
#include <string>

#include "../unit/framework/plugin/sample_plugin.hpp"
#include "framework/config/config.hpp"
#include "fuzz_support.hpp"

using namespace qapfw::framework;

namespace {

const Registry& registry() {
    using testing::sample_parameter;
    static const testing::SampleComponent problem(QAPFW_KIND_PROBLEM, "qap",
                                                  {sample_parameter("instance", QAPFW_PARAMETER_TEXT, nullptr, 0, 0,
                                                                    QAPFW_PARAMETER_REQUIRED | QAPFW_PARAMETER_PATH),
                                                   sample_parameter("scale", QAPFW_PARAMETER_REAL, "1", 0, 10)});
    static const testing::SampleComponent solver(
        QAPFW_KIND_SOLVER, "tabu",
        {sample_parameter("searches", QAPFW_PARAMETER_INTEGER, "auto", 1, 65536, QAPFW_PARAMETER_AUTO),
         sample_parameter("accept", QAPFW_PARAMETER_CHOICE, "best", 0, 0, 0, "first|best"),
         sample_parameter("robust", QAPFW_PARAMETER_BOOLEAN, "true"),
         sample_parameter("labels", QAPFW_PARAMETER_LIST, "[]")});
    static const testing::SampleComponent improver(
        QAPFW_KIND_IMPROVER, "descent", {sample_parameter("iterations", QAPFW_PARAMETER_SIZE, "16n", 1, 1e9)});
    static const Registry registry = Registry::of({{&problem.component, nullptr, "/sample.qapfw.so", ""},
                                                   {&solver.component, nullptr, "/sample.qapfw.so", ""},
                                                   {&improver.component, nullptr, "/sample.qapfw.so", ""}});
    return registry;
}

void check(const std::string& text, const Overrides& overrides) {
    const auto document = ConfigDocument::parse_text(text, "run.toml", overrides);
    document.plugin_path();
    document.allow_writable_plugins();
    const Config config = document.check(registry());
    // An error here is a defect: a written configuration must read back unchanged.
    try {
        const std::string resolved = to_toml(config);
        const Config again = ConfigDocument::parse_text(resolved, "again", {}).check(registry());
        qapfw::fuzz::require(to_toml(again) == resolved);
    } catch (const qapfw::Error&) {
        qapfw::fuzz::require(false);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string input(reinterpret_cast<const char*>(data), size);
    const size_t cut = input.find('\0');
    Overrides overrides;
    if (cut != std::string::npos) {
        const std::string option = input.substr(cut + 1);
        const size_t equals = option.find('=');
        if (equals != std::string::npos) overrides.set = {{option.substr(0, equals), option.substr(equals + 1)}};
    }
    try {
        check(input.substr(0, cut), overrides);
    } catch (const qapfw::Error& error) {
        const std::string_view what = error.what();
        qapfw::fuzz::require(what.starts_with("run.toml") || what.starts_with("--set "));
    }
    return 0;
}
