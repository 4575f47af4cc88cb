// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "problems/uaflp/instance.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw::uaflp;
using qapfw::uaflp::test::message_of;
namespace fs = std::filesystem;

namespace {

/// A temporary data directory with the instance uaflp/tiny.toml and the best known value of this instance.
class DataFolder {
  public:
    DataFolder()
        : path_(fs::temp_directory_path() / ("qapfw-uaflp-" + std::to_string(counter()++) + "-" +
                                             std::to_string(reinterpret_cast<std::uintptr_t>(this)))) {
        fs::create_directories(path_ / "uaflp");
        UaflpInstance tiny = generate_f(5, 3);
        tiny.name = "tiny";
        write("uaflp/tiny.toml", instance_to_toml(tiny));
        write("uaflp/best_known.csv", "instance,best_known_fbs_cost,status,bay_height\ntiny,12.5,optimal,45\n");
    }
    ~DataFolder() { fs::remove_all(path_); }
    void write(const std::string& name, const std::string& text) { std::ofstream(path_ / name) << text; }
    std::string path() const { return path_.string(); }

  private:
    static int& counter() {
        static int count = 0;
        return count;
    }
    fs::path path_;
};

}  // namespace

TEST_CASE("an instance is found by path, by name in a data directory, or generated") {
    const DataFolder data;
    CHECK(load_instance(data.path() + "/uaflp/tiny.toml", {}).size() == 5);
    const UaflpInstance named = load_instance("tiny", {data.path()});
    REQUIRE(named.best_known.has_value());
    CHECK(named.best_known->cost == 12.5);
    CHECK(named.best_known->status == "optimal");
    CHECK(load_instance("tiny.toml", {data.path() + "/uaflp"}).name == "tiny");
    CHECK(load_instance("F40", {data.path()}).size() == 40);
    CHECK(load_instance("F12-s9", {}).name == "F12-s9");
    CHECK(list_instances({data.path()}) == std::vector<std::string>{"tiny"});
}

TEST_CASE("a layout is found in any subfolder of a data directory, uaflp first") {
    DataFolder data;
    for (const char* subfolder : {"mine", "again"}) {
        fs::create_directories(data.path() + "/" + subfolder);
        data.write(std::string(subfolder) + "/tiny.toml", "no layout");
        data.write(std::string(subfolder) + "/other.toml", instance_to_toml(generate_f(4, 3)));
    }
    CHECK(load_instance("tiny", {data.path()}).size() == 5);
    const UaflpInstance other = load_instance("other", {data.path()});
    CHECK(other.size() == 4);
    CHECK(other.source == data.path() + "/again/other.toml");
    CHECK_FALSE(message_of([&] { load_instance("again", {data.path()}); }).empty());
    data.write("mine/settings.toml", "[run]\nseed = 1\n");
    CHECK(list_instances({data.path()}) == std::vector<std::string>{"other", "tiny"});
}

TEST_CASE("an unknown name is refused with what was searched and the nearest name") {
    const DataFolder data;
    const std::string message = message_of([&] { load_instance("tinny", {data.path()}); });
    CHECK(message.find(data.path()) != std::string::npos);
    CHECK(message.find("did you mean \"tiny\"") != std::string::npos);
    for (const char* name : {"", "F", "F0", "F5000", "F12-s", "F12-sx", "F12x", "no/such/file.toml"}) {
        CAPTURE(name);
        CHECK_FALSE(message_of([&] { load_instance(name, {}); }).empty());
    }
}

TEST_CASE("a best known value that is not a number is refused with its line") {
    DataFolder data;
    data.write("uaflp/best_known.csv", "instance,cost,status,bay_height\nother,1,optimal,2\ntiny,low,optimal,45\n");
    CHECK(message_of([&] { load_instance("tiny", {data.path()}); }).find("best_known.csv:3:1") != std::string::npos);
}
