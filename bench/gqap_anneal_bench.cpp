// SPDX-License-Identifier: Apache-2.0
// gqap_anneal_bench <generated instance> <seconds> <seed>: the cost that simulated annealing reaches on one thread.
#include <cstdio>
#include <cstdlib>

#include "bench/gqap_annealer.hpp"
#include "problems/gqap/generator.hpp"

int main(int count, char** arguments) {
    if (count != 4) {
        std::fprintf(stderr, "wanted: gqap_anneal_bench INSTANCE SECONDS SEED, such as gqap:30x8:65:1 5 1\n");
        return 2;
    }
    try {
        const qapfw::gqap::Instance instance = qapfw::gqap::generate(arguments[1]);
        const double seconds = std::atof(arguments[2]);
        const auto seed = std::strtoull(arguments[3], nullptr, 10);
        std::printf("%lld\n", static_cast<long long>(qapfw::bench::anneal_gqap(instance, seconds, seed)));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
