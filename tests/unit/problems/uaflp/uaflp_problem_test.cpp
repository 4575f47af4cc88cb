// SPDX-License-Identifier: Apache-2.0
// Tests the problem through the C functions that the framework calls.
#include "problems/uaflp/uaflp_problem.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/support/test_host.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw;
using namespace qapfw::uaflp;
using qapfw::test::TestHost;
using qapfw::test::Values;
using uaflp::test::published_data;
using uaflp::test::published_names;
using uaflp::test::random_solution;
using uaflp::test::read_text;
using uaflp::test::Solution;

namespace {

using Table = sdk::ProblemTrampolines<UaflpProblem>;
using Given = std::map<std::string, std::string>;
using Pieces = std::map<std::string, std::string>;

void collect(void* user, const char* name, const char*, const void* bytes, std::uint64_t size) {
    (*static_cast<Pieces*>(user))[name] = std::string(static_cast<const char*>(bytes), size);
}

/// A problem that is called through its C table.
struct Problem {
    Problem(const TestHost& host, const Given& given) {
        Values values = Values::of<UaflpProblem>(given);
        status = Table::table.create(host.get(), values.get(), &problem);
    }
    ~Problem() {
        if (status == QAPFW_OK) Table::table.destroy(problem);
    }
    Problem(const Problem&) = delete;
    Problem& operator=(const Problem&) = delete;

    const qapfw_problem_info& info() const { return *Table::table.info(problem); }
    std::vector<unsigned char> solution(const Solution& s) const {
        std::vector<unsigned char> bytes(info().encoding.solution_bytes, 0);
        std::memcpy(bytes.data(), s.perm.data(), s.perm.size() * sizeof s.perm[0]);
        std::copy(s.bits.begin(), s.bits.end(), bytes.begin() + info().encoding.segments[1].offset);
        return bytes;
    }
    double cost(std::vector<unsigned char> bytes) const {
        qapfw_cost cost{};
        const qapfw_batch batch{bytes.data(), &cost, 1};
        REQUIRE(Table::table.evaluate(problem, &batch) == QAPFW_OK);
        return cost.f;
    }
    Pieces artefacts(const std::vector<unsigned char>& bytes) const {
        Pieces pieces;
        REQUIRE(Table::table.write_artefacts(problem, bytes.data(), {}, collect, &pieces) == QAPFW_OK);
        return pieces;
    }

    qapfw_status status = QAPFW_ERROR;
    qapfw_problem* problem = nullptr;
};

Solution stated_solution(const nlohmann::json& entry) {
    Solution s;
    for (const unsigned d : entry["permutation"]) s.perm.push_back(static_cast<std::uint16_t>(d - 1));
    for (const unsigned bit : entry["bay_break"]) s.bits.push_back(static_cast<std::uint8_t>(bit));
    s.bits.pop_back();
    return s;
}

std::string orientation_of(const nlohmann::json& entry) {
    return entry["bays_across"] == "width" ? "first" : "second";
}

}  // namespace

TEST_CASE("every verified layout evaluates to its stated cost, is written and is read back") {
    const std::string folder = published_data();
    if (folder.empty()) return;
    TestHost host({std::string(folder) + "/.."});
    const auto entries = nlohmann::json::parse(read_text(folder + "/verified_solutions.json"));
    REQUIRE(entries.size() >= 20);
    for (const auto& entry : entries) {
        CAPTURE(entry["instance"]);
        Problem problem(host, {{"instance", entry["instance"]}, {"orientation", orientation_of(entry)}});
        REQUIRE(problem.status == QAPFW_OK);
        const std::vector<unsigned char> bytes = problem.solution(stated_solution(entry));
        const double cost = problem.cost(bytes);
        CHECK(std::abs(cost - entry["cost"].get<double>()) < 0.51e-4);  // stated to four decimals
        const Pieces pieces = problem.artefacts(bytes);
        const auto layout = nlohmann::json::parse(pieces.at("layout.json"));
        CHECK(layout["cost"] == cost);
        CHECK(layout["feasible"] == true);
        CHECK(layout["bay_height"].get<double>() == doctest::Approx(entry["bay_height"].get<double>()));
        CHECK(pieces.at("layout.svg").starts_with("<svg"));
        std::vector<unsigned char> back(bytes.size(), 0xFF);
        const std::string& text = pieces.at("layout.json");
        REQUIRE(Table::table.read_solution(problem.problem, text.data(), text.size(), back.data()) == QAPFW_OK);
        CHECK(back == bytes);
    }
}

TEST_CASE("the best known layout reaches the best known value although that is rounded") {
    const std::string folder = published_data();
    if (folder.empty()) return;
    TestHost host({folder});
    unsigned reached = 0;
    for (const auto& entry : nlohmann::json::parse(read_text(folder + "/verified_solutions.json"))) {
        Problem problem(host, {{"instance", entry["instance"]}, {"orientation", orientation_of(entry)}});
        REQUIRE(problem.status == QAPFW_OK);
        if (problem.info().has_best_known == 0) continue;  // the value is known only for the other orientation
        CAPTURE(entry["instance"]);
        const double cost = problem.cost(problem.solution(stated_solution(entry)));
        CHECK(cost > problem.info().best_known.f - 2e-4);
        if (cost <= problem.info().best_known.f) ++reached;
    }
    CHECK(reached >= 20);
}

TEST_CASE("the best known value is reported only if costs can be compared with it") {
    const std::string folder = published_data();
    if (folder.empty()) return;
    TestHost host({folder});
    const auto known = [&](Given given) {
        given["instance"] = "o9";
        return Problem(host, given).info().has_best_known;
    };
    CHECK(known({}) == 1);
    // In orientation "second" the bay height is the plant's width. The best known layout has such bays.
    CHECK(known({{"orientation", "second"}}) == 1);
    CHECK(known({{"orientation", "first"}}) == 0);
    CHECK(known({{"penalty", "power"}}) == 0);  // an infeasible layout could reach the best known value
    CHECK(known({{"penalty", "adaptive"}}) == 0);
}

TEST_CASE("costs have the same bits however a batch is cut") {
    TestHost host;
    for (const char* penalty : {"adaptive", "power", "feasible_first"}) {
        CAPTURE(penalty);
        Problem problem(host, {{"instance", "F37-s3"}, {"penalty", penalty}});
        REQUIRE(problem.status == QAPFW_OK);
        const std::uint64_t stride = problem.info().encoding.solution_bytes;
        constexpr std::uint64_t kCount = 600;
        std::vector<unsigned char> all;
        for (std::uint64_t k = 0; k < kCount; ++k) {
            const std::vector<unsigned char> one = problem.solution(random_solution(37, k));
            all.insert(all.end(), one.begin(), one.end());
        }
        std::vector<qapfw_cost> whole(kCount), parts(kCount);
        const qapfw_batch batch{all.data(), whole.data(), kCount};
        REQUIRE(Table::table.evaluate(problem.problem, &batch) == QAPFW_OK);
        for (std::uint64_t first = 0, size = 1; first < kCount; first += size, size = size % 40 + 3) {
            const qapfw_batch part{all.data() + first * stride, parts.data() + first, std::min(size, kCount - first)};
            REQUIRE(Table::table.evaluate(problem.problem, &part) == QAPFW_OK);
        }
        CHECK(std::memcmp(whole.data(), parts.data(), kCount * sizeof(qapfw_cost)) == 0);
    }
}

TEST_CASE("solvers see the penalty, artefacts the cost without it and what is infeasible") {
    const std::string folder = published_data();
    if (folder.empty()) return;
    TestHost host({folder});
    const Solution bad{{0, 1, 2, 3, 4, 5, 6, 7, 8},
                       std::vector<std::uint8_t>(8, 0)};  // one bay of nine flat departments
    Problem plain(host, {{"instance", "o9"}, {"orientation", "first"}});
    Problem power(host, {{"instance", "o9"}, {"orientation", "first"}, {"penalty", "power"}, {"exponent", "2"}});
    Problem adaptive(host, {{"instance", "o9"}, {"orientation", "first"}, {"penalty", "adaptive"}, {"exponent", "1"}});
    Problem twice(host, {{"instance", "o9"}, {"orientation", "first"}, {"penalty", "adaptive"}, {"exponent", "2"}});
    const auto layout = nlohmann::json::parse(plain.artefacts(plain.solution(bad)).at("layout.json"));
    const double cost = layout["cost"];
    const auto violations = static_cast<double>(layout["infeasible_departments"].size());
    REQUIRE(violations > 1);
    CHECK(layout["feasible"] == false);
    CHECK(power.cost(power.solution(bad)) == doctest::Approx(cost * (1 + violations * violations)));
    const double gap = (adaptive.cost(adaptive.solution(bad)) - cost) / violations;
    CHECK(gap > 0);
    CHECK(twice.cost(twice.solution(bad)) == doctest::Approx(cost + gap * violations * violations));
    // With feasible_first a layout with fewer violations costs less, even one with long distances.
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const std::vector<unsigned char> other = plain.solution(random_solution(9, seed));
        const auto found = nlohmann::json::parse(plain.artefacts(other).at("layout.json"));
        const auto count = static_cast<double>(found["infeasible_departments"].size());
        if (count < violations) CHECK(plain.cost(other) < plain.cost(plain.solution(bad)));
        if (count == 0) CHECK(plain.cost(other) == found["cost"]);
    }
}

TEST_CASE("the fingerprint tells data and cost options apart, not names") {
    TestHost host;
    const auto fingerprint = [&](const Given& given) {
        Problem problem(host, given);
        REQUIRE(problem.status == QAPFW_OK);
        return problem.info().fingerprint;
    };
    const std::uint64_t base = fingerprint({{"instance", "F20"}});
    CHECK(fingerprint({{"instance", "F20-s1"}}) == base);
    CHECK(fingerprint({{"instance", "F20-s2"}}) != base);
    CHECK(fingerprint({{"instance", "F20"}, {"penalty", "power"}}) != base);
    CHECK(fingerprint({{"instance", "F20"}, {"tolerance", "1e-7"}}) != base);
    CHECK(fingerprint({{"instance", "F20"}, {"orientation", "second"}}) != base);
}

TEST_CASE("float on GPUs leaves the host's costs as they are and says so") {
    TestHost host;
    const Problem exact(host, {{"instance", "F20"}}), rounding(host, {{"instance", "F20"}, {"precision", "float"}});
    const auto* approximate =
        static_cast<const qapfw_approximate_device*>(Table::get_capability(QAPFW_PROBLEM_APPROXIMATE_DEVICE));
    const auto* device = static_cast<const qapfw_problem_device*>(Table::get_capability(QAPFW_PROBLEM_DEVICE));
    REQUIRE(approximate != nullptr);
    REQUIRE(device != nullptr);
    CHECK(approximate->is_approximate(exact.problem) == 0);
    CHECK(approximate->is_approximate(rounding.problem) != 0);
    const Solution s = random_solution(20, 5);
    CHECK(rounding.cost(rounding.solution(s)) == exact.cost(exact.solution(s)));
    CHECK(rounding.info().fingerprint != exact.info().fingerprint);
    const qapfw_device_problem* const of_float = device->describe(rounding.problem);
    const qapfw_device_problem* const of_double = device->describe(exact.problem);
    CHECK(std::string(of_float->texts[0].text).find("UAFLP_REAL float") != std::string::npos);
    CHECK(std::string(of_double->texts[0].text).find("UAFLP_REAL double") != std::string::npos);
    CHECK(of_float->view_size == sizeof(kernels::FbsView<float>));
    CHECK(of_double->view_size == sizeof(kernels::FbsView<double>));
}

TEST_CASE("an instance written out is the same problem when read again") {
    TestHost host;
    Problem problem(host, {{"instance", "F20-s5"}});
    const auto* instances = static_cast<const qapfw_problem_instances*>(Table::get_capability(QAPFW_PROBLEM_INSTANCES));
    REQUIRE(instances != nullptr);
    Pieces pieces;
    REQUIRE(instances->write_instance(problem.problem, collect, &pieces) == QAPFW_OK);
    REQUIRE(pieces.count("F20-s5.toml") == 1);
    const auto path = std::filesystem::temp_directory_path() / "qapfw_uaflp_problem_test.toml";
    std::ofstream(path) << pieces.at("F20-s5.toml");
    Problem again(host, {{"instance", path.string()}});
    REQUIRE(again.status == QAPFW_OK);
    CHECK(again.info().fingerprint == problem.info().fingerprint);
    std::filesystem::remove(path);
}

TEST_CASE("instances of the data folders are listed with size and best known value") {
    const std::string folder = published_data();
    if (folder.empty()) return;
    TestHost host({folder + "/.."});
    const auto* instances = static_cast<const qapfw_problem_instances*>(Table::get_capability(QAPFW_PROBLEM_INSTANCES));
    Pieces rows;
    REQUIRE(instances->list(host.get(), collect, &rows) == QAPFW_OK);
    CHECK(rows.at("o9").starts_with("9\t241.0616\t"));
    CHECK(rows.at("F60").starts_with("60\t-\tgenerated"));
    CHECK(rows.size() == published_names(folder).size() + 5);
}

TEST_CASE("a text that is not a solution, layout or instance is refused with a message") {
    TestHost host;
    Problem problem(host, {{"instance", "F4"}});
    const auto refusal = [&](const Solution& s) {
        std::vector<unsigned char> bytes = problem.solution(s);
        qapfw_cost cost{};
        const qapfw_batch batch{bytes.data(), &cost, 1};
        CHECK(Table::table.evaluate(problem.problem, &batch) == QAPFW_ERROR_INPUT);
        return host.error;
    };
    CHECK(refusal({{0, 1, 2, 2}, {0, 0, 0}}) == "department 3 is listed twice, again at position 4");
    CHECK(refusal({{0, 1, 2, 4}, {0, 0, 0}}) == "position 4 holds department 5, but the last department is 4");
    CHECK(refusal({{0, 1, 2, 3}, {0, 2, 0}}) == "bay bit 2 is 2, but it must be 0 or 1");
    std::vector<unsigned char> solution(problem.info().encoding.solution_bytes);
    const std::string text = "{\"permutation\": [1, 2], \"bay_break\": [0, 1]}";
    CHECK(Table::table.read_solution(problem.problem, text.data(), text.size(), solution.data()) == QAPFW_ERROR_INPUT);
    CHECK(host.error.starts_with("layout:1:"));
    const Problem none(host, {{"instance", "o99"}});
    CHECK(none.status == QAPFW_ERROR_INPUT);
    CHECK(host.error.find("no UA-FLP instance \"o99\"") != std::string::npos);
    CHECK(host.error.find("(none given; set QAPFW_DATA or give --data)") != std::string::npos);
}

TEST_CASE("a layout with bays in an orientation that is not tried is refused") {
    const std::string folder = published_data();
    if (folder.empty()) return;
    TestHost host({folder});
    Problem second(host, {{"instance", "o9"}, {"orientation", "second"}});
    const std::string text =
        "{\"permutation\": [1,2,3,4,5,6,7,8,9], \"bay_break\": [0,0,1,0,0,1,0,0,1], \"bay_height\": 13}";
    std::vector<unsigned char> solution(second.info().encoding.solution_bytes);
    CHECK(Table::table.read_solution(second.problem, text.data(), text.size(), solution.data()) == QAPFW_ERROR_INPUT);
    CHECK(host.error ==
          "the layout has bays of height 13, but with problem.orientation = \"second\" such layouts are not tried");
}

TEST_CASE("one, two and three departments evaluate and draw") {
    TestHost host;
    for (const std::size_t n : {1u, 2u, 3u}) {
        Problem problem(host, {{"instance", "F" + std::to_string(n)}});
        REQUIRE(problem.status == QAPFW_OK);
        CHECK(problem.info().encoding.segments[1].length == n - 1);
        const std::vector<unsigned char> bytes = problem.solution(random_solution(n, 1));
        CHECK(problem.cost(bytes) >= 0);
        Pieces pieces;
        REQUIRE(Table::table.draw(problem.problem, bytes.data(), collect, &pieces) == QAPFW_OK);
        CHECK(pieces.at("layout.txt").size() > 10);
    }
}
