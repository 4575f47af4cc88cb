// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/best_known.hpp"

#include <cctype>
#include <string>

#include "problems/qap/instances/text_scanner.hpp"
#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

BestKnownTable table_of(const std::string& text) {
    BestKnownTable table;
    table.add_text(text, "b");
    return table;
}

}  // namespace

TEST_CASE("every built-in value has a source, a date and the size that its name says") {
    const BestKnownTable table = BestKnownTable::built_in();
    CHECK(table.records().size() >= 120);
    for (const auto& entry : table.records()) {
        const std::string& name = entry.first;
        const BestKnownRecord& record = entry.second;
        CAPTURE(name);
        CHECK_FALSE(record.source.empty());
        CHECK(record.date.size() == std::string("2024-05-09").size());
        if (record.source != "docs/records") {
            CHECK(std::to_string(record.n) ==
                  name.substr(name.find_first_of("0123456789"), std::to_string(record.n).size()));
        }
        CHECK(table.lookup(name, record.n, 1).has_value());
    }
    CHECK(table.lookup("tai40a", 40, 1)->value == 3139370);
    CHECK_FALSE(table.lookup("tai40a", 40, 1)->optimal);
    CHECK(table.lookup("nug30", 30, 1)->optimal);
}

TEST_CASE("the built-in values agree with the published table") {
    const auto data = test::data_folder();
    if (!data) return;
    BestKnownTable published;
    published.add_file(*data / "qaplib" / "best_known.csv");
    const BestKnownTable table = BestKnownTable::built_in();
    CHECK(published.records().size() >= 80);
    for (const auto& entry : published.records()) {
        const std::string& name = entry.first;
        const BestKnownRecord& record = entry.second;
        CAPTURE(name);
        const BestKnownRecord* ours = table.find(name, record.n);
        REQUIRE(ours != nullptr);
        CHECK(ours->value == record.value);
        CHECK(ours->optimal == record.optimal);
    }
}

TEST_CASE("a user's file adds values and overrides built-in ones") {
    BestKnownTable table = BestKnownTable::built_in();
    table.add_text(
        "instance,n,best_known,status,source,date\r\n# mine\n\ntai40a, 40 "
        ",3139000,best_known,me,2026-01-02\nown,3,12.5,optimal",
        "b");
    CHECK(table.lookup("tai40a", 40, 1)->value == 3139000);
    CHECK(table.lookup("tai40a", 40, 1)->source == "me");
    CHECK(table.lookup("tai40a", 40, 1)->date == "2026-01-02");
    CHECK(table.lookup("own", 3, 10)->value == 125);
    CHECK(table.lookup("own", 3, 10)->optimal);
    CHECK(table.lookup("own", 3, 10)->source == "b");
    CHECK_REFUSED(table.lookup("own", 3, 1), "the best-known value \"12.5\" of own (from b)", "is not an integer");
    CHECK(table.lookup("nug12", 12, 1)->value == 578);
}

TEST_CASE("a value belongs to a name and a size") {
    const BestKnownTable table = table_of("x,3,5,optimal");
    CHECK(table.lookup("x", 3, 1).has_value());
    CHECK(table.lookup("x", 3, 4)->value == 20);
    CHECK_FALSE(table.lookup("x", 4, 1).has_value());
    CHECK_FALSE(table.lookup("y", 3, 1).has_value());
}

TEST_CASE("bad tables are refused with line and column") {
    CHECK_REFUSED(table_of(""), "b:1:1: ", "no row");
    CHECK_REFUSED(table_of("instance,n,best_known,status\n"), "b:1:1: ", "no row");
    CHECK_REFUSED(table_of("x,3,5"), "b:1:5: ", "has 3 fields");
    CHECK_REFUSED(table_of("x,3,5,optimal,a,b,c"), "b:1:19: ", "has 7 fields");
    CHECK_REFUSED(table_of("x,3,5,maybe"), "b:1:7: ", "\"optimal\" or \"best_known\"");
    CHECK_REFUSED(table_of("x,3,five,optimal"), "b:1:5: ", "\"five\" is not a number");
    CHECK_REFUSED(table_of("\nx,0,5,optimal"), "b:2:3: ", "from 1 to");
    CHECK_REFUSED(table_of(" ,3,5,optimal"), "b:1:2: ", "field is empty");
    CHECK_REFUSED(table_of("x,3,5,optimal\nx,3,6,optimal"), "b:2:1: ", "second time");
}
