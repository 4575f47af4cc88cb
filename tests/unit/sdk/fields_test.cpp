// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/population/fields.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace qapfw;

TEST_CASE("a field of the place is refused as state in a message, before memory is read that is not there") {
    struct View {
        int *of_place, *of_group;
    };
    sdk::Fields<View> fields;
    fields.add<&View::of_group>({.of = sdk::FieldOf::kGroup, .is_state = true});
    fields.add<&View::of_place>({.of = sdk::FieldOf::kPlace});
    std::string refusal;
    try {
        fields.add<&View::of_place>({.of = sdk::FieldOf::kPlace, .is_state = true});
    } catch (const Error& error) {
        refusal = error.what();
    }
    CHECK(refusal.find("field 2 of a population belongs to a place and is saved as state") == 0);
}
