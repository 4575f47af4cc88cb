// SPDX-License-Identifier: Apache-2.0
// Machines as targets: hwloc's XML, Slurm's topology.conf, locations for several vertices, and traffic over links.
#include <doctest/doctest.h>

#include "problems/sparse_qap/graphs/graph_writer.hpp"
#include "problems/sparse_qap/targets/machine_tree.hpp"
#include "problems/sparse_qap/targets/traffic.hpp"
#include "problems/sparse_qap/walk/sampled_walk.hpp"
#include "qapfw/error.hpp"
#include "sparse_test_data.hpp"

using namespace qapfw;
using namespace qapfw::sparse;
using sparse::test::target_of;

namespace {

const std::string kEven =
    "# two leaf switches\nSwitchName=s0 Nodes=node[01-02]\nSwitchName=s1 Nodes=node03,node04\n"
    "SwitchName=top Switches=s[0-1]\n";
const std::string kUneven = "SwitchName=s0 Nodes=a[1-3]\nSwitchName=s1 Nodes=b\nSwitchName=top Switches=s0,s1\n";
const std::string kMachine = R"(<?xml version="1.0"?>
<topology version="2.0"><object type="Machine"><info name="HostName" value="big"/>
<object type="Package"><object type="NUMANode"/><object type="L3Cache">
<object type="Core"><object type="PU"/><object type="PU"/></object><object type="Core"><object type="PU"/></object></object></object>
<object type="Package"><object type="L3Cache"><object type="Core"/><object type="Core"/></object></object>
</object></topology>)";

}  // namespace

TEST_CASE("Slurm's switches are a tree of named nodes; distances are hops, or as they are given") {
    const Target even = target_of("slurm:t.conf", {{"t.conf", kEven}});
    CHECK(even.is_tree());
    CHECK(even.names() == std::vector<std::string>{"node01", "node02", "node03", "node04"});
    CHECK(even.distance(0, 1) == 2);
    CHECK(even.distance(1, 2) == 4);
    CHECK(target_of("slurm:t.conf,1:7", {{"t.conf", kEven}}).distance(1, 2) == 7);
    const std::string many = "SwitchName=s0 \\\nNodes=r[0-1]n[08-09]b,x\n";
    CHECK(target_of("slurm:m.conf", {{"m.conf", many}}).names() ==
          std::vector<std::string>{"r0n08b", "r0n09b", "r1n08b", "r1n09b", "x"});
    const Target uneven = target_of("slurm:u.conf", {{"u.conf", kUneven}});
    CHECK(uneven.n() == 4);
    CHECK(uneven.distance(0, 2) == 2);
    CHECK(uneven.distance(0, 3) == 4);
}

TEST_CASE("hwloc's cores have the host's name, and levels with one child do not count") {
    const Target target = target_of("hwloc:m.xml", {{"m.xml", kMachine}});
    CHECK(target.is_tree());
    CHECK(target.names() == std::vector<std::string>{"big:0", "big:1", "big:2", "big:3"});
    CHECK(target.distance(0, 1) == 1);
    CHECK(target.distance(1, 2) == 2);
}

TEST_CASE("wrong descriptions of machines are refused with a message") {
    const auto refused = [](const std::string& spec, const std::string& file, const std::string& sentence) {
        try {
            target_of(spec, {{"x", file}});
            FAIL_CHECK("not refused: " << spec);
        } catch (const Error& error) {
            CHECK_MESSAGE(std::string(error.what()).find(sentence) != std::string::npos, error.what());
        }
    };
    refused("slurm:x", "NodeName=a\n", ":1: a line \"SwitchName=");
    refused("slurm:x", "SwitchName=a Switches=b\n", "switch b is not described");
    refused("slurm:x", "SwitchName=a Nodes=n[3-1]\n", "a range such as 0-15 was wanted");
    refused("slurm:x", "SwitchName=a Nodes=n1\nSwitchName=b Nodes=n1\n", "node n1 is below two switches");
    refused("slurm:x", "SwitchName=a Nodes=n[0-4294967295]\n", "at most 1048576 nodes are possible");
    refused("slurm:x", "SwitchName=a Nodes=n1\nSwitchName=b Switches=c\nSwitchName=c Switches=b\n",
            ":2: switch b is in or below a loop of switches");
    std::string deep, nested;
    for (int k = 0; k < 50'000; ++k) {
        deep += "SwitchName=s" + std::to_string(k) + " Switches=s" + std::to_string(k + 1) + "\n";
        nested += "<object type=\"Group\"><object type=\"Core\"/>";
    }
    refused("slurm:x", deep + "SwitchName=s50000 Nodes=n[1-2]\n", "at most 64 switches can be above each other");
    refused("hwloc:x", nested, "at most 64 objects can be inside each other");
    refused("slurm:x,9", kEven, "wanted 2 distances, one for each level");
    refused("slurm:x,9:8", kEven, "distance 2 must be at least 9, the distance of the level below; found 8");
    refused("slurm:x,-1:8", kEven, "distance 1 must be at least 0, since no distance is negative; found -1");
    refused("hwloc:x", "<topology></topology>", "no core was found");
    refused("hwloc:x", "<object type=\"Machine\"><object type=\"Core\"/>", "is not closed");
    refused("grid:4x4*0", "", "room for at least 1");
    refused("grid:4096x4096*2", "", "room for at least 1 and at most 1 vertices");
}

TEST_CASE("places of one location are 0 apart, and proposals and starts keep their exactness") {
    for (const char* spec : {"grid:4x3*5", "torus:4x4*3", "tree:4:4/1:10*3", "dense:t*2", "hypercube:3*7"}) {
        const Target target = target_of(spec, {{"t", "0 3 5\n3 0 2\n5 2 0\n"}});
        const std::string one = std::string(spec).substr(0, std::string(spec).find('*'));
        const Target base = target_of(one, {{"t", "0 3 5\n3 0 2\n5 2 0\n"}});
        const std::uint32_t copies = target.n() / base.n();
        CAPTURE(spec);
        for (std::uint32_t a = 0; a < target.n(); ++a) {
            for (std::uint32_t b = 0; b < target.n(); ++b)
                REQUIRE(target.distance(a, b) == base.distance(a / copies, b / copies));
        }
        const Graph graph = generate("rgg2:" + std::to_string(target.n()));
        const auto start = make_start(graph, target, StartKind::kBisection, 1, {});
        Walk walk(graph, target);
        walk.reset(start.data());
        for (std::uint32_t k = 0; k < 500; ++k) {
            const std::uint32_t u = k % target.n();
            const std::uint64_t draw = mixed(k);
            std::uint32_t v = u;
            std::int64_t delta = 0;
            const std::int64_t before = walk.cost();
            walk.propose(1, &u, &draw, &v, &delta);
            walk.exchange(u, v);
            REQUIRE(walk.cost() == before + (u == v ? 0 : delta));
        }
    }
}

TEST_CASE("a link's traffic: along sides, bits and up and down trees") {
    const Graph path = generate("grid:4");  // 0 - 1 - 2 - 3, each edge in both directions
    const auto on = [&](const std::string& spec, const std::vector<std::uint32_t>& at) {
        return traffic_of(path, target_of(spec), at);
    };
    CHECK(on("grid:4", {0, 1, 2, 3}).busiest == 2);
    CHECK(on("grid:4", {0, 2, 1, 3}).busiest == 6);  // 0-2, 2-1 and 1-3 cross the middle link, each in both directions
    CHECK(on("torus:4", {0, 3, 2, 1}).busiest == 2);
    CHECK(on("torus:5", {0, 2, 4, 1}).busiest == 4);  // 0-2 and 4-1 cross the link 0-1, each in both directions
    CHECK(on("hypercube:2", {0, 3, 1, 2}).busiest == 4);
    const Traffic tree = on("tree:2:2/1:10", {0, 2, 1, 3});
    CHECK(tree.busiest == 6);  // all three edges join locations 0 and 1 with 2 and 3, each in both directions
    CHECK(tree.hop_bytes == 60);
    CHECK(on("grid:4", {0, 1, 2, 3}).text() ==
          "hop-bytes 6, 1 for each unit of weight; the busiest of 3 links in use carries a weight of 2, the mean is 2");
}

TEST_CASE("a graph that was written is read as the same graph, in every format") {
    for (const char* name : {"rgg2:300", "powerlaw:200"}) {
        Graph graph = generate(name);
        for (const bool weighted : {false, true}) {
            for (std::uint32_t u = 0; weighted && u < graph.n; ++u) {
                for (std::uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k)
                    graph.arcs[k].weight = static_cast<std::int32_t>(2 * (1 + (u + graph.arcs[k].to) % 7));
            }
            for (const GraphFormat format : {GraphFormat::kMetis, GraphFormat::kScotch, GraphFormat::kMatrixMarket}) {
                const std::string text = graph_text(graph, format);
                const Graph back = read_graph_text(text, "memory", format, false).graph;
                CHECK(back.offsets == graph.offsets);
                bool same = true;
                for (std::uint64_t k = 0; k < graph.arcs.size(); ++k)
                    same = same && back.arcs[k].to == graph.arcs[k].to && back.weight(k) == graph.weight(k);
                CHECK(same);
            }
        }
    }
}
