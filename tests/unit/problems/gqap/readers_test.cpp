// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/readers.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "common/text_file.hpp"
#include "gqap_test_data.hpp"
#include "problems/gqap/assignment_cost.hpp"

using namespace qapfw;
using namespace qapfw::gqap;
using namespace qapfw::gqap::test;

namespace {

std::string wrong(const std::string& from, const std::string& to) {
    std::string text = kSmall;
    text.replace(text.find(from), from.size(), to);
    return message_of([&] {
        const Instance instance = read_gqap(text, "f.gqap");
        check_instance(instance);
    });
}
bool same_costs(const Instance& a, const Instance& b) {
    const AssignmentCost one(a), other(b);
    bool same = a.items == b.items && a.locations == b.locations;
    for_all_assignments(a.items, a.locations,
                        [&](const auto& at) { same = same && one(at.data()) == other(at.data()); });
    return same;
}

constexpr const char* kGap = "2\n2 3\n1 2 3\n4 5 6\n1 1 1\n2 2 2\n3 4\n2 2\n7 8\n9 10\n1 2\n3 4\n5 6\n";
constexpr const char* kGraph = "% a path and a chord\n4 4 11\n2 2 5 4 1\n1 1 5 3 2\n1 2 2 4 7\n3 1 1 3 7\n";

}  // namespace

TEST_CASE("gqap: a file's names, comments and numbers are read, and written so that they cost the same") {
    const Instance instance = read_gqap(kSmall, "small");
    CHECK(instance.item_names == std::vector<std::string>{"Press", "Lathe", "Paint", "Saw"});
    CHECK(instance.location_names == std::vector<std::string>{"Hall A", "Hall B"});
    CHECK(instance.capacity == std::vector<std::int64_t>{12, 9});
    const Instance again = read_gqap(gqap_text(instance), "again");
    CHECK(again.item_names == instance.item_names);
    CHECK(same_costs(instance, again));
    Instance gap = read_gap(kGap, "gap", 1, false);
    CHECK(same_costs(gap, read_gqap(gqap_text(gap), "gap again")));
    const Instance made = generate("gqap:6x3:80:9");
    CHECK(same_costs(made, read_gqap(gqap_text(made), "made again")));
}

TEST_CASE("gqap: a file without weights and capacities is a semi-assignment problem") {
    std::string text = kSmall;
    text.erase(text.find("5 6 2 7"), std::string("5 6 2 7\n12 9\n").size());
    const Instance instance = read_gqap(text, "small.qsap");
    CHECK(instance.capacity.empty());
    const AssignmentCost cost(instance);
    for_all_assignments(4, 2, [&](const auto& at) { CHECK(cost(at.data()) == cost_of_small(at)); });
}

TEST_CASE("gqap: a generalised assignment problem of OR-Library has weights of its own at each agent") {
    const Instance first = read_gap(kGap, "gap", 1, false), second = read_gap(kGap, "gap", 2, true);
    CHECK((first.items == 3 && first.locations == 2 && second.items == 2));
    CHECK(first.linear == std::vector<std::int64_t>{1, 4, 2, 5, 3, 6});
    CHECK(first.weight == std::vector<std::int64_t>{1, 2, 1, 2, 1, 2});
    CHECK(second.linear == std::vector<std::int64_t>{-7, -9, -8, -10});
    CHECK(second.capacity == std::vector<std::int64_t>{5, 6});
    CHECK(message_of([] { read_gap(kGap, "gap", 3, false); }) ==
          "gap:1: problem.number is 3, but the file has 2 problems");
    CHECK(message_of([] { read_gap("1\n2 2\n1 2\n", "gap", 1, false); }) ==
          "gap:2: the file is too short for its numbers of agents and jobs");
}

TEST_CASE("gqap: parts of a graph cost the weights of the edges between them") {
    const Instance instance = read_graph(kGraph, "g.graph", 2, 0.0);
    CHECK(instance.capacity == std::vector<std::int64_t>{4, 4});  // 7 / 2, rounded up
    const AssignmentCost cost(instance);
    const std::vector<std::uint32_t> whole{0, 0, 1, 1}, chord{0, 0, 0, 1};
    CHECK(cost(whole.data()) == 1 + 2);
    CHECK(cost(chord.data()) == 1 + 7);
}

TEST_CASE("gqap: a mistake in a file gives one sentence with its line") {
    CHECK(wrong("4 2 2", "4 0 2") == "f.gqap:2: the number of locations is 0; a number from 1 to 65536 was wanted");
    CHECK(wrong("0 3 0 1", "0 3.5 0 1") ==
          "f.gqap:3: a flow is \"3.5\"; a whole number was wanted; multiply all flows (or distances) and assignment "
          "costs, or all weights and capacities, by 10, 100, ...");
    CHECK(wrong("0 3 0 1", "0 three 0 1") == "f.gqap:3: a flow is \"three\"; a whole number was wanted");
    CHECK(wrong("5 6 2 7", "5 6 2") ==
          "f.gqap:13: after the assignment costs, 4 weights (or a weight for each item and location) and 2 capacities "
          "were wanted, or no numbers; found 5 numbers");
    CHECK(wrong("5 6 2 7", "5 -6 2 7") == "the weight of item \"Lathe\" is -6; 0 or more was wanted");
    CHECK(wrong("12 9", "12 -9") == "the capacity of location \"Hall B\" is -9; 0 or more was wanted");
    CHECK(wrong("Press, Lathe", "Press") == "f.gqap:15: 4 names of items were wanted, found 3");
    CHECK(wrong("Press, Lathe", "Paint, Lathe") == "f.gqap:15: two items are called \"Paint\"");
    CHECK(wrong("locations", "places") ==
          "f.gqap:16: wanted a line that begins with items, locations or fixed, or the line \"maximise\"; found a line "
          "that begins with \"places\"");
    CHECK(wrong("locations Hall A, Hall B", "fixed Press = Hall Z") == "f.gqap:16: \"Hall Z\" is no location");
    CHECK(message_of([] { read_gqap("3 2 1\n0 1", "f"); }) == "f:2: wanted a flow, found the end of the file");
    CHECK(message_of([] { generate("gqap:9x"); }).starts_with("\"gqap:9x\": wanted gqap:ITEMSxLOCATIONS:PERCENT:SEED"));
}

TEST_CASE("gqap: fixed items are read from the file and from a table by name or number") {
    Instance instance = read_gqap(std::string(kSmall) + "fixed Saw = Hall B\n", "small");
    CHECK(instance.fixed == std::vector<std::uint32_t>{Instance::kFree, Instance::kFree, Instance::kFree, 1});
    read_fixed(instance, "item,location\nPress,Hall A\n2,1\n", "fixed.csv");
    CHECK(instance.fixed == std::vector<std::uint32_t>{0, 0, Instance::kFree, 1});
    CHECK(message_of([&] { read_fixed(instance, "Saw,Hall A\n", "t"); }) == "t:1: item \"Saw\" is fixed twice");
    CHECK(message_of([&] { read_fixed(instance, "Drill,Hall A\n", "t"); }) == "t:1: \"Drill\" is no item");
}

TEST_CASE("gqap: a part may weigh the whole part of (1 + imbalance) times the average, in decimal numbers") {
    CHECK(graph_capacity(200, 2, 0.03) == 103);
    CHECK(graph_capacity(200, 2, 0.0) == 100);
    CHECK(graph_capacity(201, 2, 0.03) == 104);  // 1.03 * 101 = 104.03
    CHECK(graph_capacity(1000, 10, 0.07) == 107);
    CHECK(graph_capacity(1000, 10, 0.29) == 129);
    CHECK(graph_capacity(3000, 3, 0.001) == 1001);
    CHECK(graph_capacity(20'000'000, 2, 1e-7) == 10'000'001);
    CHECK(graph_capacity(7, 2, 100) == 404);
    CHECK(graph_capacity(1'000'000'000'000'000'000, 2, 0.01) == 505'000'000'000'000'000);
    CHECK(graph_capacity(1'000'000'000'000'000'000, 2, 100) == std::numeric_limits<std::int64_t>::max());
    for (int percent = 0; percent < 100; ++percent) CHECK(graph_capacity(200, 2, percent / 100.0) == 100 + percent);
}

TEST_CASE("gqap: graphs that cannot be cut into parts are refused") {
    const auto why = [](const char* text) { return message_of([&] { read_graph(text, "g", 2, 0); }); };
    CHECK(why("3 2\n2\n1 3\n1\n").starts_with("g: vertex 1: the edge to 3 is missing, but at vertex 3"));
    CHECK(why("65536 1\n2\n1\n") == "g:1:1: the number of vertices must be from 1 to 65535, found 65536");
    CHECK(why("2 1 10 2\n4 9 2\n3 8 1\n") == "g: one weight for each vertex was wanted, found 2");
    CHECK(why("2 1 10\n1000000000000000000 2\n1 1\n").starts_with("g: the weights of the vertices sum up to more"));
    CHECK(message_of([] { read_graph("2 1\n2\n1\n", "g", 3, 0); }) == "g: 2 vertices cannot be cut into 3 parts");
}

TEST_CASE("gqap: a number has one sign at most, and a byte order mark is not a number") {
    CHECK(wrong("0 3 0 1", "0 +-3 0 1") == "f.gqap:3: a flow is \"+-3\"; a whole number was wanted");
    CHECK(wrong("0 3 0 1", "0 +3 0 1").empty());
    CHECK(read_gqap(std::string("\xef\xbb\xbf") + kSmall, "f").items == 4);
}

TEST_CASE("gqap: a device is not an instance") {
    CHECK(message_of([] { common::read_text_file("/dev/zero"); }).starts_with("/dev/zero: a regular file was wanted"));
}

TEST_CASE("gqap: tables that no memory holds are refused before they are taken") {
    const std::string head = "65535 65536 1\n0 0 0\n";
    const std::string message = message_of([&] { read_gqap(head, "f"); });
    CHECK(message.starts_with("f: 65535 items, 65536 locations wants about 2"));
    std::string graph = "65535 0\n" + std::string(65535, '\n');
    CHECK(message_of([&] { read_graph(graph, "g", 65535, 0); }).starts_with("g: 65535 items, 65535 locations wants"));
}

TEST_CASE("gqap: filling tables ends when the run is to end") {
    const sdk::StopQuestion stop{[](void*) { return 1; }, nullptr};
    CHECK_THROWS_AS(read_gqap(kSmall, "f", stop), sdk::Stopped);
    CHECK_THROWS_AS(read_graph(kGraph, "g", 2, 0, stop), sdk::Stopped);
    CHECK_THROWS_AS(read_gap(kGap, "gap", 1, false, stop), sdk::Stopped);
}

TEST_CASE(
    "gqap: tables of pairs have quotes, other separators and marks of other systems, as spreadsheets write them") {
    const auto fixed = [](const std::string& table) {
        std::string text = kSmall;
        text.replace(text.find("Press"), 5, "\"c\"");
        text.replace(text.find("Hall A"), 6, "Hall; A");
        Instance instance = read_gqap(text, "small");
        read_fixed(instance, table, "t");
        return instance.fixed;
    };
    const std::uint32_t free = Instance::kFree;
    const std::vector<std::uint32_t> wanted{0, free, 1, free};
    CHECK(fixed("\xef\xbb\xbf"
                "facility,location\r\n\"\"\"c\"\"\",\"Hall; A\"\r\nPaint,Hall B\r\n") == wanted);
    CHECK(fixed("facility;location\n\"\"\"c\"\"\";\"Hall; A\"\nPaint;Hall B\n") == wanted);
    CHECK(fixed("1\t1\r3\t2\r") == wanted);
    CHECK(fixed("# numbers\n1 -> 1\n3 -> Hall B\n") == wanted);
    CHECK(message_of([&] { fixed("1,1,1\n"); }) ==
          "t:1: wanted an item and a location, separated by -> or ; or , or | or a tab, the same in all lines");
}

TEST_CASE("gqap: names with signs and worths to be maximised come back from the text that is exported") {
    std::string text = std::string(kSmall) + "maximise\nfixed Saw=2 = Hall=B\n";
    text.replace(text.find("Saw"), 3, "Saw=2");
    text.replace(text.find("Hall B"), 6, "Hall=B");
    const Instance instance = read_gqap(text, "small");
    CHECK(instance.fixed[3] == 1);
    CHECK(instance.maximise);
    CHECK(instance.linear[0] == -7);
    const Instance again = read_gqap(gqap_text(instance), "again");
    CHECK(again.fixed == instance.fixed);
    CHECK(again.maximise);
    CHECK(same_costs(instance, again));
    text.replace(text.find("fixed Saw=2 = Hall=B"), 20, "fixed Saw Hall B");
    CHECK(message_of([&] { read_gqap(text, "f"); }) == "f:18: wanted \"fixed ITEM = LOCATION, ...\"");
}
