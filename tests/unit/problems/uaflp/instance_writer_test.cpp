// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "problems/uaflp/instance.hpp"
#include "tests/support/layout_instance_json.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw::uaflp;

namespace {

void check_equal(const UaflpInstance& a, const UaflpInstance& b) {
    REQUIRE(a.size() == b.size());
    CHECK(a.name == b.name);
    CHECK(a.width == b.width);
    CHECK(a.height == b.height);
    CHECK(a.metric == b.metric);
    CHECK(a.flow == b.flow);
    for (size_t d = 0; d < a.size(); ++d) {
        CHECK(a.departments[d].name == b.departments[d].name);
        CHECK(a.departments[d].area == b.departments[d].area);
        CHECK(a.departments[d].dummy == b.departments[d].dummy);
        CHECK(a.departments[d].rule.max_aspect_ratio == b.departments[d].rule.max_aspect_ratio);
        CHECK(a.departments[d].rule.min_side == b.departments[d].rule.min_side);
    }
}

void check_both_forms(const UaflpInstance& instance) {
    check_equal(instance, parse_instance(instance_to_toml(instance), "x.toml"));
    check_equal(instance, parse_instance(qapfw::uaflp::test::instance_to_json(instance), "x.json"));
}

}  // namespace

TEST_CASE("a written instance reads back to the same bits, as TOML and as JSON") {
    check_both_forms(generate_f(1));
    check_both_forms(generate_f(60));
    check_both_forms(generate_f(300, 5));
    UaflpInstance odd = generate_f(6, 2);
    odd.metric = Metric::kEuclidean;
    odd.width = 45.000000000000007;
    odd.name = "quote \" backslash \\ tab \t DEL \x7f Ünï";
    odd.departments[1].name = "new\nline";
    odd.departments[2].rule = {0, 0.1 + 0.2};
    odd.departments[3].rule = {7.5, 0.25};
    check_both_forms(odd);
}

TEST_CASE("every published instance survives both forms") {
    const std::string folder = test::published_data();
    if (folder.empty()) return;
    for (const std::string& name : test::published_names(folder)) {
        CAPTURE(name);
        check_both_forms(read_instance(folder + "/" + name + ".json"));
    }
}
