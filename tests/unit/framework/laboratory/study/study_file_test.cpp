// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/study_file.hpp"

#include <doctest/doctest.h>

#include "framework/laboratory/study/study_folder.hpp"
#include "qapfw/error.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;

namespace {

const std::string kInstances = "[[instances]]\nnames = [\"tai20a\"]\n";
const std::string kAlgorithm = "[[algorithms]]\nname = \"tabu\"\nset = { algorithm.plugin = \"tabu\" }\n";

std::string refusal(const std::string& text) {
    try {
        parse_study(text, "s.toml");
    } catch (const qapfw::Error& error) {
        return error.what();
    }
    return "taken";
}

}  // namespace

TEST_CASE("a study file is read with its factors, settings and sections") {
    const StudyFile study = parse_study(
        "title = \"T\"\nseeds = 3\nfirst_seed = 7\nseeds_by = \"algorithm\"\ntiming = \"exclusive\"\nmeasure = "
        "\"seconds\"\n[run]\ntime_limit = "
        "\"1s\"\n" +
            kInstances + kAlgorithm +
            "[[sweep]]\nkey = \"algorithm.tenure\"\nvalues = [\"n\", 8]\n[[exclude]]\nset = { algorithm.tenure = 8 }\n"
            "[[section]]\nkind = \"ratio\"\nof = [\"a\"]\nto = \"b\"\n[quick]\nseeds = 1\n",
        "s.toml");
    CHECK(study.title == "T");
    CHECK(study.seeds == 3);
    CHECK(study.own_seeds);
    CHECK(study.exclusive);
    CHECK(study.measure == StudyMeasure::kSeconds);
    REQUIRE(study.base.size() == 1);
    CHECK(study.base[0].key == "run.time_limit");
    CHECK(study.algorithms[0].set[0].key == "algorithm.plugin");
    CHECK(study.sweeps[0].label == "tenure");
    CHECK(study.exclusions[0].set[0].key == "algorithm.tenure");
    CHECK(study.sections[0].find("of") != nullptr);
    CHECK(*study.quick.seeds == 1);
}

TEST_CASE("a mistake in a study is reported with its position, what was wanted and what was found") {
    CHECK(refusal(kInstances + kAlgorithm) == "taken");
    CHECK(refusal("seed = 3\n" + kInstances + kAlgorithm) ==
          "s.toml:1:1: unknown key \"seed\" in the study; did you mean seeds or seeds_by?");
    CHECK(refusal("seeds = 0\n" + kInstances + kAlgorithm) ==
          "s.toml:1:9: seeds must be an integer from 1 to 1000000, found the integer 0");
    CHECK(refusal("seeds_by = \"instance\"\n" + kInstances + kAlgorithm)
              .find("seeds_by must be one of \"study\", \"algorithm\"") != std::string::npos);
    CHECK(refusal(kAlgorithm) == "s.toml: a study must have at least one [[instances]], with names");
    CHECK(refusal(kInstances).find("at least one [[algorithms]]") != std::string::npos);
    CHECK(refusal("measure = \"speed\"\n" + kInstances + kAlgorithm)
              .find("measure must be one of \"cost\", \"seconds\"") != std::string::npos);
    CHECK(refusal(kInstances + kAlgorithm + "[[sweep]]\nkey = \"a.b\"\nvalues = []\n")
              .find("a list of values that is not empty") != std::string::npos);
    CHECK(refusal(kInstances + kAlgorithm + "[[sweep]]\nkey = \"a.b\"\nvalues = [1]\nalgorithms = [\"tabo\"]\n")
              .find("no algorithm of this study is called \"tabo\"; the study has: tabu") != std::string::npos);
    CHECK(refusal(kInstances + kAlgorithm + "[[exclude]]\nset = { algorithm.ants = 3 }\n")
              .find("unknown factor \"algorithm.ants\"") != std::string::npos);
    CHECK(refusal(kInstances + "[[algorithms]]\nname = \"x\"\nconfig = \"gone.toml\"\n")
              .find("[[algorithms]] config must be a file that exists, found the text \"gone.toml\"") !=
          std::string::npos);
    CHECK(refusal(kInstances + kAlgorithm + "[[reference]]\nfile = \"gone.csv\"\n")
              .find("[[reference]] file must be a file that exists") != std::string::npos);
    CHECK(refusal("[[instances]]\nnames = [3]\n" + kAlgorithm).find("a list of texts") != std::string::npos);
    CHECK(refusal(kInstances + kAlgorithm + "[[section]]\nkind = \"pie\"\n").find("one of \"ratio\"") !=
          std::string::npos);
}

TEST_CASE("patterns have stars and question marks") {
    CHECK(fits_pattern("tai*a", "tai20a"));
    CHECK_FALSE(fits_pattern("tai*a", "tai20b"));
    CHECK(fits_pattern("*", ""));
    CHECK(fits_pattern("t?i*", "tai"));
    CHECK_FALSE(fits_pattern("", "x"));
    CHECK(fits_pattern("a*b*c", "a-bb-c"));
    CHECK(fits_any({}, "anything"));
}

TEST_CASE("a plan survives its file, and a damaged or another version's is refused") {
    Plan plan;
    plan.study = parse_study("seeds = 2\nmeasure = \"iterations\"\n" + kInstances + kAlgorithm +
                                 "[[section]]\nkind = \"speedup\"\nsingle = \"a\"\np = [30]\n",
                             "s.toml");
    Cell cell;
    cell.id = "c-1";
    cell.instance = "tai20a";
    cell.algorithm = "tabu";
    cell.factors = {{"algorithm.tenure", "tenure", "n"}};
    cell.time_limit = 1.5;
    plan.cells = {cell};
    plan.references.figures.push_back({"paper", "tai20a", "tabu", 10, {{"cost_mean", 3.5}}, "a note"});
    ReferenceRun run{"others", "tai20a", "x", 1, 5.0, {}, {}, {}, true};
    plan.references.runs.push_back(run);
    const Plan again = parse_plan(plan_json(plan), "plan.json");
    CHECK(plan_json(again) == plan_json(plan));
    CHECK(again.cells[0].variant() == "tabu tenure=n");
    CHECK(again.study.sections[0].find("p")->items[0].integer == 30);
    CHECK(runs_of(again).size() == 2);
    CHECK_THROWS_WITH(parse_plan("{", "p"), doctest::Contains("p: not the plan of a study"));
    CHECK_THROWS_WITH(parse_plan("{\"plan_version\": 9}", "p"),
                      doctest::Contains("a plan of version 1 or 2 is wanted, found 9"));
}

TEST_CASE("a changed plan is reported by its differences") {
    Cell a;
    a.instance = "i";
    a.algorithm = "a";
    a.config = "x = 1\ny = 2\n";
    Cell b = a, c = a;
    b.config = "x = 1\ny = 3\n";
    c.algorithm = "c";
    CHECK(plan_difference({a}, {a}).empty());
    CHECK(plan_difference({a}, {b}) == "\n  i | a:\n    - y = 2\n    + y = 3");
    CHECK(plan_difference({a}, {c}) == "\n  + i | c\n  - i | a (its runs are kept)");
}
