// SPDX-License-Identifier: Apache-2.0
// Layouts from spreadsheets.
#include <doctest/doctest.h>

#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "problems/uaflp/instance.hpp"
#include "qapfw/error.hpp"

using namespace qapfw;
using namespace qapfw::uaflp;

namespace {

/// A folder that is removed when the test ends.
class CsvFolder {
  public:
    CsvFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "qapfw-csv-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    CsvFolder(const CsvFolder&) = delete;
    CsvFolder& operator=(const CsvFolder&) = delete;
    ~CsvFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path write(const char* name, const std::string& text) const {
        std::ofstream(path_ / name) << text;
        return path_ / name;
    }

  private:
    std::filesystem::path path_;
};

constexpr const char* kHall =
    "plant,10,8\nunit,m\nmax_aspect_ratio,4\nflows,flows.csv\nratings,ratings.csv\npoint,Gate,0,4\n"
    "blocked,Stairs,0,0,2,2\n\nname,area,walls,min_side\nPress,30,left,\n\"Store, main\",20,,2\nPaint,20,left top,\n";
constexpr const char* kList = "from,to,flow\nPress,\"Store, main\",5\nGate,Press,2.5\n";
constexpr const char* kMatrix = ";Press;Store, main;Paint;Gate\r\nPress;;5;;2,5\r\nStore, main;;;1;\r\nPaint;;;;\r\n";
constexpr const char* kRated = "Press,Paint,X\n\"Store, main\",Paint,E\n";

UaflpInstance hall(const CsvFolder& place, const std::string& table, const std::string& flows,
                   const std::string& ratings) {
    (void)place.write("flows.csv", flows);
    (void)place.write("ratings.csv", ratings);
    return read_instance(place.write("hall.csv", table).string());
}

std::string refusal(const std::string& table, const std::string& flows, const std::string& ratings) {
    const CsvFolder place;
    try {
        (void)hall(place, table, flows, ratings);
    } catch (const Error& error) {
        const std::string text = error.what();
        return text.substr(text.find(place.path().string()) + place.path().string().size() + 1);
    }
    return {};
}

}  // namespace

TEST_CASE("a layout of tables is what its rows say, with flows as a list or as a matrix") {
    for (const char* flows : {kList, kMatrix}) {
        const CsvFolder place;
        const UaflpInstance read = hall(place, kHall, flows, kRated);
        CHECK(read.width == 10);
        CHECK(read.practice.unit == "m");
        REQUIRE(read.size() >= 4);
        CHECK(read.departments[1].name == "Store, main");
        CHECK(read.departments[1].rule.min_side == 2);
        CHECK(read.departments[0].rule.max_aspect_ratio == 4);
        CHECK(read.departments[2].walls == 3);
        CHECK(read.departments[3].blocked);
        CHECK(read.flow_between(0, 1) == 5);
        REQUIRE(read.practice.point_flows.size() == 1);
        CHECK(read.practice.point_flows[0].flow == 2.5);
        REQUIRE(read.practice.pairs.size() == 1);
        CHECK(read.practice.pairs[0].apart);
        CHECK(read.flow_between(1, 2) == (flows == kMatrix ? 17 : 16));
    }
}

TEST_CASE("a wrong cell is reported with its file, line and column") {
    const auto says = [](const std::string& found, const char* where, const char* what) {
        INFO(found);
        CHECK(found.find(where) == 0);
        CHECK(found.find(what) != std::string::npos);
    };
    const std::string table = kHall;
    const auto with = [&](const char* from, const char* to) {
        std::string changed = table;
        return changed.replace(changed.find(from), std::string(from).size(), to);
    };
    says(refusal(with("Press,30", "Press,thirty"), kList, kRated), "hall.csv:10:7", "area is \"thirty\"");
    says(refusal(with("name,area", "name,aera"), kList, kRated), "hall.csv:1:1", "no row of column names");
    says(refusal(with("walls", "wals"), kList, kRated), "hall.csv:9:11", "did you mean \"walls\"?");
    says(refusal(with("unit", "unti"), kList, kRated), "hall.csv:2:1", "did you mean \"unit\"?");
    says(refusal(with("plant,10,8", "plant,10"), kList, kRated), "hall.csv:1:1", "plant, width, height");
    says(refusal(with("flows.csv", "flow.csv"), kList, kRated), "hall.csv:4:7", "there is no file \"flow.csv\" beside");
    says(refusal(table, "Press,Stoer,5\n", kRated), "flows.csv:1:7", "unknown department \"Stoer\"");
    says(refusal(table, "Press,Paint,-5\n", kRated), "flows.csv:1:13", "must be a number from 0 to 1e30");
    says(refusal(table, "Press,Paint,5\nPress,Paint,6\n", kRated), "flows.csv:2:13",
         "is listed twice, first in line 1");
    says(refusal(table, kList, "Press,Paint,Z\n"), "ratings.csv:1:13", "must be A, E, I, O, U or X");
    says(refusal(table + "Press,3,,\n", kList, kRated), "hall.csv:", "are both named \"Press\"");
    says(refusal(with("\"Store", "\"Sto\"re"), kList, kRated), "hall.csv:", "");
}

TEST_CASE("decimal commas and points in one table are refused") {
    const std::string mixed = ";Press;Store, main;Paint\nPress;;5;1.030\nStore, main;;;2,5\nPaint;;;\n";
    CHECK(refusal(kHall, mixed, kRated)
              .find("flows.csv:2:10: decimal commas (2,5) and decimal points (1.030) are mixed") == 0);
}
