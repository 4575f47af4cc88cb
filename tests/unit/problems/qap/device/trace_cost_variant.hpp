// SPDX-License-Identifier: Apache-2.0
// Device code of one form of the QAP with costs by the trace formulation, as kernels see it, in a namespace of its own:
// define QAP_VARIANT and the macros that state the instance before. Included once for each form, so it has no guard.
#define QAP_TRACE 1
#define QAP_ASSIGNMENT 4  // generic: the only neighbourhood that needs no GPU
#define QAP_WARPS 1
#define QAP_VALUE int64_t
#define qap QAP_VARIANT
#define device QAP_VARIANT
#include "problems/qap/device/qap_device_problem.cuh"
#undef qap
#undef device

namespace qapfw::QAP_VARIANT {

/// Random permutations of an instance, their costs by groups of several sizes against the definition.
inline void check_trace_costs(const qap::QapMatrices& matrices, const std::vector<std::string>& fixed) {
    static_assert(std::is_same_v<kernels::ChildCosts<Problem>, kernels::PlainChildCosts<Problem>>);
    const qap::DeviceProblem prepared(matrices, qap::parse_fixed_assignments(fixed, matrices.n, "test"),
                                      qap::Formulation::kTrace);
    const qapfw_device_problem& described = prepared.describe();
    const std::string instance(described.texts[0].text, described.texts[0].size);
    for (const char* macro :
         {QAP_STATED(QAP_N), QAP_STATED(QAP_MOVABLE), QAP_STATED(QAP_ELEMENT), QAP_STATED(QAP_SYMMETRIC),
          QAP_STATED(QAP_DIAGONAL), QAP_STATED(QAP_DELTA_SCALE), QAP_STATED(QAP_ROW), QAP_STATED(QAP_TRACE)}) {
        CAPTURE(instance);
        CAPTURE(macro);
        REQUIRE(instance.find(macro) != std::string::npos);
    }
    View view;
    REQUIRE(described.view_size == sizeof view);
    std::memcpy(&view, described.view, sizeof view);
    for (std::uint64_t k = 0; k < described.buffer_count; ++k) {
        const qapfw_view_buffer& buffer = described.buffers[k];
        std::memcpy(reinterpret_cast<char*>(&view) + buffer.view_offset, &buffer.bytes, sizeof(void*));
    }
    std::vector<std::uint16_t> parent(kN), p(kN);
    for (int k = 0; k < kN; ++k) parent[k] = p[k] = static_cast<std::uint16_t>(k);
    std::mt19937 random(kN);
    for (int trial = 0; trial < 4; ++trial) {
        std::shuffle(p.begin(), p.end(), random);
        const std::int64_t expected = qap::evaluate(matrices, p.data());
        test::EmulatedBlock::run_grid({1, 1, 1}, {64, 1, 1}, [&] {
            const auto solution = [&](int k) { return static_cast<int>(p[original_position(view, k)]); };
            const auto other = [&](int k) { return static_cast<int>(parent[original_position(view, k)]); };
            CHECK(Problem::cost(kernels::ThreadGroup{}, view, solution) == expected);
            CHECK(Problem::cost(kernels::WarpGroup{}, view, solution) == expected);
            CHECK(Problem::cost(test::WholeBlock{}, view, solution) == expected);
            kernels::PlainChildCosts<Problem> costs;
            using Solution = std::function<int(int)>;
            CHECK(costs.after(kernels::WarpGroup{}, view, Solution(other), -1, Solution(solution)) == expected);
        });
    }
}

}  // namespace qapfw::QAP_VARIANT

#undef QAP_VARIANT
#undef QAP_N
#undef QAP_MOVABLE
#undef QAP_ELEMENT
#undef QAP_PLANES
#undef QAP_SYMMETRIC
#undef QAP_DIAGONAL
#undef QAP_DELTA_SCALE
#undef QAP_ROW
#undef QAP_VALUE
#undef QAP_TRACE
#undef QAP_ASSIGNMENT
#undef QAP_WARPS
