// SPDX-License-Identifier: Apache-2.0
// Fuzzes a layout.json of a small instance with any bytes. It is refused with an Error, or is read as a valid solution.
#include <cstdint>
#include <string_view>

#include "problems/uaflp/layout.hpp"
#include "qapfw/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace qapfw;
    using namespace qapfw::uaflp;
    static const UaflpInstance instance = generate_f(5);
    LayoutSolution solution;
    try {
        solution = read_layout_json(instance, {reinterpret_cast<const char*>(data), size}, "fuzz.json");
    } catch (const Error&) {
        return 0;
    }
    check_solution(instance.size(), solution.perm, solution.bits);  // an Error here is a defect
    return 0;
}
