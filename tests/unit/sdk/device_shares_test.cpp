// SPDX-License-Identifier: Apache-2.0
#include "qapfw/sdk/device_shares.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "tests/support/threaded_host.hpp"

namespace {

using namespace qapfw;
using test::ThreadedHost;

struct Share {
    Share(const qapfw_device& its_device, const std::string& its_name, std::uint32_t its_first, std::uint32_t its_count)
        : device(its_device.ordinal), name(its_name), first(its_first), count(its_count) {}
    void synchronize() { ++waits; }
    std::uint64_t items() const { return count; }
    std::uint32_t device;
    std::string name;
    std::uint32_t first, count;
    int calls = 0, waits = 0;
};

struct Devices {
    explicit Devices(std::uint32_t count) : tables(count) {
        for (std::uint32_t d = 0; d < count; ++d) {
            tables[d].ordinal = d;
            pointers.push_back(&tables[d]);
        }
    }
    std::vector<qapfw_device> tables;
    std::vector<const qapfw_device*> pointers;
};

}  // namespace

TEST_CASE("shares are contiguous, none is empty, and sizes differ by one at most") {
    const ThreadedHost host(2);
    for (std::uint32_t devices = 1; devices < 9; ++devices) {
        for (const std::uint32_t items : {1u, 2u, 7u, 8u, 1000u, 4'000'000'000u}) {
            CAPTURE(devices);
            CAPTURE(items);
            const Devices all(devices);
            const sdk::DeviceShares<Share> shares(sdk::Host(host.get()), all.pointers, items, std::string("ants"));
            CHECK(shares.size() == std::min(devices, items));
            std::uint32_t next = 0, device = 0;
            for (const auto& share : shares) {
                CHECK(share->name == "ants");
                CHECK(share->device == device++);
                CHECK(share->first == next);
                CHECK(share->count >= items / shares.size());
                CHECK(share->count <= (items + shares.size() - 1) / shares.size());
                next += share->count;
            }
            CHECK(next == items);
            CHECK(shares.sum(&Share::items) == items);
            CHECK(shares.least(&Share::items) == items / shares.size());
            CHECK(&shares.front() == &shares[0]);
            CHECK(&shares.back() == &shares[shares.size() - 1]);
        }
    }
}

TEST_CASE("side by side each share is called once, and a failure arrives with its sentence") {
    const ThreadedHost host(3);
    const Devices all(5);
    sdk::DeviceShares<Share> shares(sdk::Host(host.get()), all.pointers, 10, std::string("ants"));
    shares.side_by_side([](Share& share) { ++share.calls; });
    shares.synchronize();
    for (const auto& share : shares) {
        CHECK(share->calls == 1);
        CHECK(share->waits == 1);
    }
    const auto fails = [](Share& share) {
        if (share.first == 4) throw Error(ErrorKind::kMemory, "GPU 2 has too little memory");
    };
    CHECK_THROWS_AS(shares.side_by_side(fails), sdk::StatusError);
    CHECK(host.error == "GPU 2 has too little memory");
}
