// SPDX-License-Identifier: Apache-2.0
#include "framework/record/json_writer.hpp"

#include <doctest/doctest.h>

#include <cmath>

using qapfw::framework::Json;
using qapfw::framework::JsonWriter;

namespace {

std::string everything(JsonWriter::Layout layout) {
    JsonWriter json(layout);
    json.put("text \"1\"", "a [1,\n 2] \\ \xff");
    json.put("number", 35000000000.0);
    json.put("large", std::uint64_t{18446744073709551615u});
    json.put("none", std::nan(""));
    json.put_numbers("numbers", std::vector<std::int64_t>{1, -2});
    json.put_numbers("no_numbers", std::vector<int>());
    json.put_array("arrays", std::vector<std::vector<int>>{{1, 2}, {3}},
                   [&](const std::vector<int>& numbers) { json.add_numbers(numbers); });
    json.put_texts("texts", {"x", "y"});
    json.put_texts("no_texts", {});
    json.put_object("object", [&] { json.put_object("empty", [] {}); });
    json.put_array("objects", std::vector<bool>{true, false},
                   [&](bool is) { json.add_object([&] { json.put("is", is); }); });
    return std::move(json).finish();
}

}  // namespace

TEST_CASE("JSON is indented, with arrays of numbers on one line and bytes that are no text replaced") {
    CHECK(everything(JsonWriter::Layout::kIndented) == R"({
  "text \"1\"": "a [1,\n 2] \\ �",
  "number": 35000000000.0,
  "large": 18446744073709551615,
  "none": null,
  "numbers": [1, -2],
  "no_numbers": [],
  "arrays": [
    [1, 2],
    [3]
  ],
  "texts": [
    "x",
    "y"
  ],
  "no_texts": [],
  "object": {
    "empty": {}
  },
  "objects": [
    {
      "is": true
    },
    {
      "is": false
    }
  ]
}
)");
    CHECK(std::move(JsonWriter(JsonWriter::Layout::kIndented)).finish() == "{}\n");
}

TEST_CASE("JSON on one line says the same without any space") {
    const std::string line = everything(JsonWriter::Layout::kOneLine);
    CHECK(line.find('\n') == std::string::npos);
    CHECK(line.find(R"("numbers":[1,-2],"no_numbers":[])") != std::string::npos);
    CHECK(Json::parse(line) == Json::parse(everything(JsonWriter::Layout::kIndented)));
}
