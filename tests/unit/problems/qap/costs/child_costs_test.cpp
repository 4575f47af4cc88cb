// SPDX-License-Identifier: Apache-2.0
// Tests every CPU method that computes a child's cost from the parent's cost. The expected cost follows from the
// definition.
#include "problems/qap/costs/child_costs.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <random>
#include <utility>

#include "problems/qap/costs/exact_cost.hpp"
#include "tests/unit/problems/qap/matrix_forms.hpp"

namespace {

using namespace qapfw::qap;
using test::draw;
using test::kMatrixForms;
using test::MatrixForm;

}  // namespace

TEST_CASE("a child's cost from its parent's is that of the definition, on every instruction set") {
    std::mt19937_64 random(4);
    for (const MatrixForm& form : kMatrixForms) {
        for (const uint32_t n : {1u, 2u, 7u, 16u, 33u, 70u}) {
            const QapMatrices m = draw(form, n, random);
            for (const Isa isa : {Isa::kPlain, Isa::kAvx2}) {
                if (!isa_supported(isa)) continue;
                CAPTURE(form.name);
                CAPTURE(n);
                CAPTURE(isa_name(isa));
                const ChildCosts costs(m, isa);
                std::vector<uint16_t> parent(n);
                std::iota(parent.begin(), parent.end(), uint16_t{0});
                for (uint32_t exchanges = 0; exchanges < n + 3; exchanges += 1 + exchanges / 4) {
                    std::vector<uint16_t> child = parent;
                    for (uint32_t k = 0; k < exchanges; ++k) std::swap(child[random() % n], child[random() % n]);
                    const int64_t expected = evaluate(m, child.data());
                    CHECK(costs.of(child.data()) == expected);
                    CHECK(costs.after(parent.data(), evaluate(m, parent.data()), child.data()) == expected);
                    parent = child;
                }
            }
        }
    }
}

TEST_CASE("the largest entries of 16 bits do not overflow the vectors' lanes") {
    QapMatrices m;
    m.n = 40;
    std::vector<uint16_t> p(40);
    std::iota(p.rbegin(), p.rend(), uint16_t{0});
    for (const int64_t other : {int64_t{4096}, int64_t{4097}, int64_t{-32767}, int64_t{-32768}}) {
        m.a.assign(40 * 40, other < 0 ? 1 : 32767);
        m.b.assign(40 * 40, other);
        CHECK(ChildCosts(m).of(p.data()) == evaluate(m, p.data()));
    }
}
