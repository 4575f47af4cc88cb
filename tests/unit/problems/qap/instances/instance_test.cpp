// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/instance.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include "problems/qap/instances/qaplib_reader.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

const std::string kTwo = "2\n0 1\n2 0\n0 3\n4 5\n";

}  // namespace

TEST_CASE("every instance of the benchmark folder loads by name, with checked bounds and a best-known value") {
    const auto data = qapfw::qap::test::data_folder();
    if (!data) return;
    const InstanceSearch search{.data_directories = {*data}};
    int loaded = 0;
    for (const InstanceListing& listing : list_instances(search)) {
        if (listing.source == "generated") continue;
        if (qapfw::kSanitized && listing.n > 40) continue;  // bounds of large instances take long and run the same code
        CAPTURE(listing.name);
        const QapInstance instance = load_instance(listing.name, search);
        CHECK(instance.source == listing.source);
        CHECK(instance.matrices.n == listing.n);
        CHECK(instance.facilities == listing.n);
        REQUIRE(instance.best_known.has_value());
        CHECK(instance.best_known->value >= instance.bounds.lower);
        CHECK(listing.best_known->value == std::to_string(instance.best_known->value));
        ++loaded;
    }
    CHECK(loaded >= (qapfw::kSanitized ? 60 : 80));
}

TEST_CASE("paths, names in data folders and generated names are found in this order") {
    const qapfw::test::TemporaryFolder folder;
    const auto mine = folder.write("here/tai12a.dat", kTwo);
    folder.write("data/qaplib/tai15a.dat", kTwo);
    folder.write("data/plain", kTwo);
    const InstanceSearch search{.data_directories = {folder.path() / "absent", folder.path() / "data"}};
    CHECK(load_instance(mine.string(), search).matrices.n == 2);
    CHECK(load_instance(mine.string(), search).name == "tai12a");
    CHECK(load_instance("tai15a", search).matrices.n == 2);
    CHECK(load_instance("tai15a.dat", search).matrices.n == 2);
    CHECK(load_instance("plain", search).name == "plain");
    const QapInstance made = load_instance("tai12a", search);
    CHECK(made.matrices.n == 12);
    CHECK(made.source == "generated");
    CHECK(made.best_known->value == 224416);
    CHECK_FALSE(load_instance("tai13a", search).best_known.has_value());
}

TEST_CASE("a name is found in any subfolder of a data folder, qaplib first, where the file ends as instances do") {
    const qapfw::test::TemporaryFolder folder;
    for (const char* subfolder : {"b", "qaplib", "a"})
        folder.write("data/" + std::string(subfolder) + "/twice.dat", kTwo);
    folder.write("data/b/below.dat", kTwo);
    folder.write("data/a/below.dat", kTwo);
    folder.write("data/a/deeper/down.dat", kTwo);
    folder.write("data/a/notes", kTwo);
    folder.write("data/a/layout.json", kTwo);
    folder.write("data/a/map.tsp", kTwo);
    folder.write("data/z/best_known.csv", "no table\n");
    const InstanceSearch search{.data_directories = {folder.path() / "data"}};
    const auto found = [&](const std::string& name) { return find_file(name, search); };
    CHECK(found("twice") == folder.path() / "data/qaplib/twice.dat");
    CHECK(found("below") == folder.path() / "data/a/below.dat");
    CHECK(found("below.dat") == folder.path() / "data/a/below.dat");
    for (const char* absent : {"down", "notes", "layout.json", "map.tsp", "map"})
        CHECK_FALSE(found(absent).has_value());
    CHECK(find_file("map", search, {"tsplib", {"", ".tsp"}}) == folder.path() / "data/a/map.tsp");
    std::vector<std::string> own;
    for (const InstanceListing& row : list_instances(search))
        if (row.source != "generated")
            own.push_back(std::filesystem::relative(row.source, folder.path() / "data").string());
    CHECK(own == std::vector<std::string>{"a/below.dat", "qaplib/twice.dat"});
}

TEST_CASE("an unknown name lists the nearest ones, and says how data folders are given where none are") {
    CHECK_REFUSED(load_instance("tai64d"), "instance \"tai64d\"", "tai64c");
    CHECK_REFUSED(load_instance("Tai40b"), "instance \"Tai40b\"", "tai40b");
    const std::string far = qapfw::qap::test::message_of([] { load_instance("quite something else"); });
    CHECK_FALSE(qapfw::test::contains(far, "nearest"));
    CHECK(qapfw::test::contains(far, "no data folders are given (QAPFW_DATA, --data)"));
    const qapfw::test::TemporaryFolder folder;
    folder.write("mine12.dat", kTwo);
    CHECK_REFUSED(load_instance("mine13", {.data_directories = {folder.path()}}), "instance",
                  "nor in the data folders, nor the name of a generated instance; the nearest names are mine12");
}

TEST_CASE("a missing file, a directory and a broken file are reported by name") {
    const qapfw::test::TemporaryFolder folder;
    const std::string absent = (folder.path() / "no.dat").string();
    CHECK_REFUSED(load_instance(absent), absent + ": ", "no such file");
    CHECK_REFUSED(load_instance(folder.path().string()), folder.path().string() + ": ", "directory");
    const auto broken = folder.write("broken.dat", "2\n0 1\n2 zero\n");
    CHECK_REFUSED(load_instance(broken.string()), broken.string() + ":3:3: ", "\"zero\"");
    const auto huge = folder.write("huge.dat", "1\n9000000000000000000\n2\n");
    CHECK_FALSE(load_instance(huge.string()).resolution.exact);
    const auto hopeless = folder.write("hopeless.dat", "1\n1e200\n1e200\n");
    CHECK_REFUSED(load_instance(hopeless.string()), hopeless.string() + ": ", "could exceed the largest number");
}

TEST_CASE("a graph alone is told to be flows, by the name of its format") {
    const qapfw::test::TemporaryFolder folder;
    const auto metis = folder.write("a.graph", "3 2\n2\n1 3\n2\n");
    CHECK_REFUSED(load_instance(metis.string()), metis.string() + ": this is a METIS graph of 3 vertices and 2 edges",
                  "--distance torus:8x8");
    const auto scotch = folder.write("a.grf", "0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n");
    CHECK_REFUSED(load_instance(scotch.string()),
                  scotch.string() + ": this is a Scotch graph of 3 vertices and 2 edges", "--distance torus:8x8");
}

TEST_CASE("a pair of CSV files is an instance, with dummies and decimals") {
    const qapfw::test::TemporaryFolder folder;
    const auto a = folder.write("flows.csv", "0,0.5\n1.5,0\n");
    const auto b = folder.write("distances.csv", "0,1,2\n1,0,3\n2,3,0\n");
    const QapInstance instance = load_instance(a.string(), {.matrix_b = b});
    CHECK(instance.name == "flows");
    CHECK(instance.matrices.n == 3);
    CHECK(instance.facilities == 2);
    CHECK(instance.resolution.exact);
    CHECK(instance.resolution.divisor == 10);
    CHECK(instance.matrices.a == std::vector<int64_t>{0, 5, 0, 15, 0, 0, 0, 0, 0});
    CHECK(qapfw::test::contains(instance.source, "distances.csv"));
    const auto both = folder.write("both.csv", "0;1\n2;0\n0;3\n4;5\n");
    CHECK(load_instance(both.string()).matrices.b == std::vector<int64_t>{0, 3, 4, 5});
    CHECK(load_instance("both", {.data_directories = {folder.path()}}).matrices.n == 2);
}

TEST_CASE("options that do not fit the reference are refused") {
    const qapfw::test::TemporaryFolder folder;
    const auto dat = folder.write("two.dat", kTwo);
    const auto csv = folder.write("b.csv", "0,1\n1,0\n");
    CHECK_REFUSED(load_instance(dat.string(), {.matrix_b = csv}), dat.string(), "holds both matrices");
    CHECK_REFUSED(load_instance("tai12a", {.matrix_b = csv}), "tai12a", "generated");
}

TEST_CASE("best-known values come from the user's file, the program or the instance's own header") {
    const qapfw::test::TemporaryFolder folder;
    const auto table =
        folder.write("best.csv", "instance,n,best_known,status\ntwo,2,11,optimal\ntai12a,12,224000,best_known\n");
    const auto two = folder.write("two.dat", kTwo);
    CHECK_FALSE(load_instance(two.string()).best_known.has_value());
    CHECK(load_instance(two.string(), {.best_known = table}).best_known->value == 11);
    CHECK(load_instance("tai12a", {.best_known = table}).best_known->value == 224000);
    const auto tenths = folder.write("tenths/two.dat", "2\n0 .1\n.2 0\n0 30.0\n40 50\n");
    CHECK(load_instance(tenths.string(), {.best_known = table}).best_known->value == 110);
    const auto stated = folder.write("stated.dat", "2 11\n0 1\n2 0\n0 3\n4 5\n");
    CHECK(load_instance(stated.string()).best_known->value == 11);
    CHECK(load_instance(stated.string()).best_known->source == stated.string());
    const auto senseless = folder.write("senseless.dat", "2 -1\n0 1\n2 0\n0 3\n4 5\n");
    CHECK_FALSE(load_instance(senseless.string()).best_known.has_value());
    // This is not the known nug12, but another instance of that name: all its solutions cost 144.
    std::string ones = "12\n";
    for (int k = 0; k < 2 * 144; ++k) ones += "1 ";
    const auto namesake = folder.write("nug12.dat", ones);
    CHECK_FALSE(load_instance(namesake.string()).best_known.has_value());
    const auto wrong = folder.write("wrong.csv", "two,2,1,optimal\n");
    CHECK_REFUSED(load_instance(two.string(), {.best_known = wrong}), wrong.string(), "is impossible");
    CHECK_REFUSED(load_instance(tenths.string(), {.best_known = wrong}), wrong.string(), "from 10 to 11");
    const QapInstance maximized = load_instance(two.string(), {.maximize = true, .best_known = table});
    CHECK_FALSE(maximized.best_known.has_value());
    CHECK(qapfw::test::contains(maximized.remark, table.string() + " is not used"));
}

TEST_CASE("best_known.csv beside an instance tells its value where nothing else does") {
    const qapfw::test::TemporaryFolder folder;
    const auto table = folder.write("best_known.csv",
                                    "instance,n,best_known,status\nodd,row\ntwo,2,11,optimal by construction\n"
                                    "senseless,2,1,best_known\ntai12a,12,300000,best_known\nbad,2,eleven,optimal\n"
                                    "twofold,2,10,best_known\n");
    const auto two = folder.write("two.dat", kTwo), twofold = folder.write("twofold.dat", kTwo);
    const auto known = load_instance(two.string()).best_known;
    REQUIRE(known.has_value());
    CHECK(known->value == 11);
    CHECK(known->optimal);
    CHECK(known->source == table.string());
    CHECK(load_instance(twofold.string()).best_known->value == 10);
    CHECK(load_instance("two", {.data_directories = {folder.path()}}).best_known->value == 11);
    const auto named = folder.write("mine.csv", "two,2,10,best_known\n");
    CHECK(load_instance(two.string(), {.best_known = named}).best_known->value == 10);
    CHECK_FALSE(load_instance(folder.write("other.dat", kTwo).string()).best_known.has_value());
    CHECK_FALSE(load_instance(folder.write("senseless.dat", kTwo).string()).best_known.has_value());
    CHECK(load_instance("tai12a", {.data_directories = {folder.path()}}).best_known->value == 224416);
    for (const InstanceListing& row : list_instances({.data_directories = {folder.path()}})) {
        if (row.name == "two") CHECK(row.best_known->value == "11");
    }
    CHECK_REFUSED(load_instance(folder.write("bad.dat", kTwo).string()), table.string() + ":6:", "eleven");
    folder.write("best_known.csv", "name,value\ntwo,11\n");
    CHECK_FALSE(load_instance(two.string()).best_known.has_value());
}

TEST_CASE("the listing is sorted by family and size and names each instance once") {
    const qapfw::test::TemporaryFolder folder;
    folder.write("qaplib/tai12a.dat", kTwo);
    folder.write("qaplib/note.dat", "nothing\n");
    folder.write("own3.dat", "3\n");
    const auto listings = list_instances({.data_directories = {folder.path()}});
    const auto find = [&](const std::string& name) {
        return std::find_if(listings.begin(), listings.end(), [&](const auto& x) { return x.name == name; });
    };
    CHECK(find("note") == listings.end());
    CHECK(find("own3")->n == 3);
    CHECK(find("tai12a")->source == (folder.path() / "qaplib/tai12a.dat").string());
    CHECK(find("tai256c")->source == "generated");
    CHECK(find("tai256c")->best_known->value == "44759294");
    CHECK(find("tai20a") < find("tai100a"));
    CHECK(std::count_if(listings.begin(), listings.end(), [](const auto& x) { return x.name == "tai12a"; }) == 1);
}

TEST_CASE("an exported instance is read back unchanged") {
    const QapInstance made = load_instance("tai20b");
    const ReadMatrices back = read_qaplib_text(to_qaplib_text(made.matrices), "x");
    CHECK(back.a.times_power_of_ten(0) == made.matrices.a);
    CHECK(back.b.times_power_of_ten(0) == made.matrices.b);
}

TEST_CASE("facts about a matrix") {
    const MatrixFacts facts = matrix_facts({0, -1, -1, 0}, 2);
    CHECK(facts.symmetric);
    CHECK(facts.zero_diagonal);
    CHECK(facts.least == -1);
    CHECK(facts.greatest == 0);
    CHECK(facts.nonzeros == 2);
    CHECK_FALSE(matrix_facts({0, 1, 2, 0}, 2).symmetric);
    CHECK_FALSE(matrix_facts({5}, 1).zero_diagonal);
}

TEST_CASE("large instances with few flows are told of the sparse problem, where it takes them") {
    const auto advice = [](
                            std::uint32_t n, std::uint32_t every, void (*change)(QapInstance&) = [](QapInstance&) {}) {
        QapInstance instance;
        QapMatrices& matrices = instance.matrices;
        matrices.n = n;
        matrices.a.assign(std::size_t{n} * n, 0);
        matrices.b.assign(std::size_t{n} * n, 1);
        for (std::size_t k = 0; k < matrices.a.size(); k += every) matrices.a[k] = 3;
        for (std::size_t k = 0; k < n; ++k) matrices.b[k * n + k] = 0;
        change(instance);
        return sparse_advice(instance);
    };
    CHECK(advice(500, 100).starts_with("only 1 % of the flows are not 0; with this many locations problem sparse_qap"));
    CHECK(advice(500, 9).empty());
    CHECK(advice(499, 100).empty());
    CHECK(advice(500, 100, [](QapInstance& i) { i.matrices.b[1] = 2; }).empty());  // asymmetric distances
    CHECK(advice(500, 100, [](QapInstance& i) { i.sense = -1; }).empty());
    CHECK(advice(500, 100, [](QapInstance& i) { i.matrices.linear.assign(250'000, 1); }).empty());
}

TEST_CASE("linear costs and forbidden pairs are tables as the matrices are, or pairs") {
    const qapfw::test::TemporaryFolder folder;
    folder.write("a.csv", "0,1\n2,0\n");
    const auto read = [&](const std::string& b, const std::string& linear, const std::string& forbidden) {
        folder.write("b.csv", b);
        InstanceSearch search;
        search.matrix_b = folder.path() / "b.csv";
        if (!linear.empty()) search.linear = folder.write("l.csv", linear);
        if (!forbidden.empty()) search.forbidden = folder.write("f.csv", forbidden);
        return load_instance((folder.path() / "a.csv").string(), search);
    };
    const std::string three = "0 1 2\n1 0 3\n2 3 0\n";
    // Decimal commas, quotes and blanks need no option.
    for (const char* text :
         {"0,5;1;2\n4,5;-5;6\n", "\"0.5\",1,2\n# cost\n4.5,-5,\"6\"\n", " 0.5\t1\t2\n\n4.5\t-5\t6\r\n"}) {
        CAPTURE(text);
        const std::vector<int64_t> linear =
            read(three, text, "").matrices.linear;  // the costs times 10; the dummy facility has a row of zeros
        CHECK(linear == std::vector<int64_t>{5, 10, 20, 45, -50, 60, 0, 0, 0});
    }
    for (const char* text : {"1,3\n2,1\n", "0 0 1\n1 0 0\n", "1;3\n2;1\n", "1 -> 3\n2 -> 1\n", "0;0;1\n1;0;0\n"}) {
        CAPTURE(text);
        CHECK(read(three, "", text).matrices.forbidden == std::vector<uint8_t>{0, 0, 1, 1, 0, 0, 0, 0, 0});
    }
    const std::string two = "0 1\n1 0\n";
    CHECK(read(two, "", "2,1\n").matrices.forbidden == std::vector<uint8_t>{0, 0, 1, 0});
    CHECK(read(two, "", "1,0\n0,0\n").matrices.forbidden == std::vector<uint8_t>{1, 0, 0, 0});
    const auto refused = [&](const std::string& linear, const std::string& forbidden, const char* place,
                             const char* why) {
        const std::string told = qapfw::qap::test::message_of([&] { read(two, linear, forbidden); });
        INFO(told);
        CHECK(told.rfind((folder.path() / place).string(), 0) == 0);
        CHECK(qapfw::test::contains(told, why));
    };
    refused("1,2\n3,4\n5,6\n", "", "l.csv:3:1: ", "must have 2 rows (facilities) and 2 columns");
    refused("1,2\n", "", "l.csv:1:4: ", "this table has 1 rows");
    refused("1,2,3\n3,4,5\n", "", "l.csv:1:6: ", "and 3 columns");
    refused("1,2\n3,4,5\n", "", "l.csv:2:", "");
    refused("1,2\n3,nan\n", "", "l.csv:2:3: ", "nan");
    refused("\n#\n", "", "l.csv:1:1: ", "empty");
    refused("", "1,4\n", "f.csv:1:3: ", "");
    refused("", "1,1\n1,2,1\n", "f.csv:2:1: ", "this one has 3 cells");
}
