// SPDX-License-Identifier: Apache-2.0
// Fuzzes a user's table of best known values with any bytes. Checks that every row that was read is found, and that a
// lookup returns the row's value or throws an Error.
#include <string>

#include "fuzz_support.hpp"
#include "problems/qap/instances/best_known.hpp"

using namespace qapfw::qap;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const qapfw::fuzz::ScaledText input(data, size);
    qapfw::fuzz::accept_errors("t:", [&] {
        BestKnownTable table;
        table.add_text(input.text, "t");
        for (const auto& [name, record] : table.records()) {
            qapfw::fuzz::require(table.find(name, record.n) == &record);
            qapfw::fuzz::accept_errors("the best-known value", [&, &name = name, &record = record] {
                qapfw::fuzz::require(table.lookup(name, record.n, input.scale.value_or(1)).has_value());
            });
        }
    });
    return 0;
}
