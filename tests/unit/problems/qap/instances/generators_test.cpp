// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/generators.hpp"

#include <string>

#include "problems/qap/instances/qaplib_reader.hpp"
#include "problems/qap/instances/text_scanner.hpp"
#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

TEST_CASE("regenerated instances equal the published files entry for entry") {
    const auto data = qapfw::qap::test::data_folder();
    if (!data) return;
    int compared = 0;
    for (const std::string& name : generated_names()) {
        const std::filesystem::path file = *data / "qaplib" / (name + ".dat");
        if (!std::filesystem::exists(file)) {
            MESSAGE("not compared, no file: " << name);
            continue;
        }
        CAPTURE(name);
        const ReadMatrices published = read_qaplib_text(read_text_file(file), file.string());
        const QapMatrices made = *generate_instance(name);
        CHECK(made.n == published.b.rows());
        CHECK(made.a == published.a.times_power_of_ten(0));
        CHECK(made.b == published.b.times_power_of_ten(0));
        ++compared;
    }
    CHECK(compared >= 20);
}

TEST_CASE("uniform instances of any size are symmetric, with entries from 0 to 99") {
    for (const uint32_t n : {2u, 3u, 11u, 199u, 1000u}) {
        const auto made = generate_instance("tai" + std::to_string(n) + "a");
        REQUIRE(made.has_value());
        CHECK(generated_size("tai" + std::to_string(n) + "a") == n);
        CHECK(made->n == n);
        bool good = true;
        for (const auto* matrix : {&made->a, &made->b}) {
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < n; ++j) {
                    const int64_t x = (*matrix)[i * n + j];
                    good = good && x == (*matrix)[j * n + i] && x >= 0 && x <= 99 && (i != j || x == 0);
                }
            }
        }
        CHECK(good);
    }
}

TEST_CASE("the first numbers of the uniform stream are those of the published tai10a") {
    // Matrix B of tai10a begins 0 21 95. The first random number is 16807 * 123456789 mod (2^31 - 1) = 469049721. This
    // is 0.2184 of the modulus, so the first number drawn below 100 is 21.
    const QapMatrices made = *generate_instance("tai10a");
    CHECK(made.b[1] == 469049721LL * 100 / 2147483647LL);
    CHECK(made.b[1] == 21);
}

TEST_CASE("grey patterns have 13 and 92 dark cells on a torus") {
    const QapMatrices small = *generate_instance("tai64c");
    CHECK(small.n == 64);
    CHECK(small.a[12 * 64 + 12] == 1);
    CHECK(small.a[13 * 64 + 12] == 0);
    CHECK(small.b[0] == 0);
    CHECK(small.b[1] == 100000);
    CHECK(small.b[7] == 100000);        // neighbour across the edge
    CHECK(small.b[9] == 50000);         // diagonal neighbour
    CHECK(small.b[4 * 8 + 4] == 3125);  // farthest apart: 100000 / 32
    CHECK(small.b[2 * 8 + 3] == 7692);  // 100000 / 13 = 7692.3
    CHECK(small.b[4] == 6250);
    const QapMatrices large = *generate_instance("tai256c");
    CHECK(large.n == 256);
    CHECK(large.b[8] == 1562);  // 100000 / 64 = 1562.5 is rounded to the even neighbour
    CHECK(large.a[91 * 256 + 91] == 1);
    CHECK(large.a[92 * 256 + 92] == 0);
}

TEST_CASE("the best known grey pattern of 13 cells in 64 costs what is published") {
    const QapMatrices made = *generate_instance("tai64c");
    const std::size_t dark[] = {7, 10, 13, 16, 27, 30, 33, 43, 45, 47, 57, 59, 61};
    int64_t cost = 0;
    for (const std::size_t i : dark) {
        for (const std::size_t j : dark) cost += made.b[i * 64 + j];
    }
    CHECK(cost == 1855928);
}

TEST_CASE("names without a recipe are not generated") {
    for (const char* name : {"", "tai", "taia", "tai40", "tai40d", "tai11b", "tai63c", "tai040a", "nug12", "tai4 0a",
                             "tai-5a", "tai12345678901a", "Tai40a"}) {
        CAPTURE(name);
        CHECK_FALSE(generate_instance(name).has_value());
        CHECK_FALSE(generated_size(name).has_value());
    }
    CHECK_REFUSED(generate_instance("tai1a"), "tai1a: ", "from 2 to 4096");
    CHECK_REFUSED(generate_instance("tai999999a"), "tai999999a: ", "from 2 to 4096");
}
