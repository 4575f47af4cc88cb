// SPDX-License-Identifier: Apache-2.0
// A registry in memory with parameters of every type, and short functions that check configurations with this registry.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "framework/config/config.hpp"
#include "qapfw/error.hpp"
#include "tests/unit/framework/plugin/sample_plugin.hpp"

namespace qapfw::framework::testing {

/// A registry with problem "qap"; solvers "tabu" (may have an improver), "cas" (must have one) and "walk" (has none);
/// improver "descent".
inline const Registry& sample_registry() {
    static const SampleComponent qap(QAPFW_KIND_PROBLEM, "qap",
                                     {sample_parameter("instance", QAPFW_PARAMETER_TEXT, nullptr, 0, 0,
                                                       QAPFW_PARAMETER_REQUIRED | QAPFW_PARAMETER_PATH),
                                      sample_parameter("scale", QAPFW_PARAMETER_REAL, "1", 0, 10),
                                      sample_parameter("fixed", QAPFW_PARAMETER_TEXT, nullptr, 0, 0,
                                                       QAPFW_PARAMETER_OPTIONAL | QAPFW_PARAMETER_PATH)});
    static const SampleComponent tabu(
        QAPFW_KIND_SOLVER, "tabu",
        {sample_parameter("searches", QAPFW_PARAMETER_INTEGER, "auto", 1, 65536, QAPFW_PARAMETER_AUTO),
         sample_parameter("tenure", QAPFW_PARAMETER_SIZE, "n", 2, 1000),
         sample_parameter("accept", QAPFW_PARAMETER_CHOICE, "best", 0, 0, 0, "first|best"),
         sample_parameter("robust", QAPFW_PARAMETER_BOOLEAN, "true"),
         sample_parameter("labels", QAPFW_PARAMETER_LIST, "[]")});
    static const SampleComponent cas(QAPFW_KIND_SOLVER, "cas",
                                     {sample_parameter("ants", QAPFW_PARAMETER_INTEGER, "60", 1, 10000),
                                      sample_parameter("rho", QAPFW_PARAMETER_REAL, "0.5", 0, 1)});
    static const SampleComponent walk(QAPFW_KIND_SOLVER, "walk", {});
    static const SampleComponent descent(QAPFW_KIND_IMPROVER, "descent",
                                         {sample_parameter("iterations", QAPFW_PARAMETER_SIZE, "16n", 1, 1e9)});
    static const Registry registry = [] {
        qapfw_component needs = cas.component, never = walk.component;
        needs.uses_improver = 2;
        never.uses_improver = 0;
        static const qapfw_component kNeeds = needs, kNever = never;
        std::vector<Component> components;
        for (const qapfw_component* component :
             {&qap.component, &tabu.component, &kNeeds, &kNever, &descent.component}) {
            components.push_back({component, nullptr, "/sample.qapfw.so", ""});
        }
        return Registry::of(components);
    }();
    return registry;
}

using Options = std::vector<std::pair<std::string, std::string>>;

inline Config check_text(const std::string& text, const Options& options = {}) {
    return ConfigDocument::parse_text(text, "run.toml", Overrides{options}).check(sample_registry());
}

/// The integer `number` as a value that a plugin gives for "auto".
inline qapfw_value number_value(std::int64_t number) {
    qapfw_value value{};
    value.type = QAPFW_PARAMETER_INTEGER;
    value.integer = number;
    return value;
}

/// The message of the error that checking `text` throws; "no error" if it throws none.
inline std::string check_error(const std::string& text, const Options& options = {}) {
    try {
        check_text(text, options);
    } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::kUsage);
        return error.what();
    }
    return "no error";
}

/// A valid configuration followed by more lines, which start at line 6.
inline std::string after_right(const std::string& more) {
    return "[problem]\nplugin = \"qap\"\ninstance = \"tai60a\"\n[algorithm]\nplugin = \"tabu\"\n" + more;
}

}  // namespace qapfw::framework::testing
