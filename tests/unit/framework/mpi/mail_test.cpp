// SPDX-License-Identifier: Apache-2.0
#include "framework/mpi/mail.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace qapfw;
using fake_mpi::World;
using mpi::Mail;

namespace {

/// Processes with a mailbox each.
struct Post {
    explicit Post(int count = 2) : world(count), mails(static_cast<std::size_t>(count)) {
        qapfw_fake_world = &world;
        for (int k = 0; k < count; ++k) REQUIRE(mails[static_cast<std::size_t>(k)].open(world.rank(k)));
    }
    bool posts(std::size_t from, std::uint32_t channel, const std::string& text) {
        return mails[from].post(channel, text.data(), text.size());
    }
    std::string taken(std::size_t by, std::uint32_t channel, std::uint32_t from) {
        Mail::Bytes message;
        CHECK(mails[by].take(channel, from, message));
        return {message.begin(), message.end()};
    }
    /// All processes leave at the same time.
    void close() {
        std::vector<std::jthread> leaving;
        for (Mail& mail : mails) leaving.emplace_back([&mail] { CHECK(mail.close()); });
    }
    World world;
    std::vector<Mail> mails;
};

}  // namespace

TEST_CASE("a message goes to all others, is taken once, and not by its sender") {
    Post post(3);
    REQUIRE(post.posts(0, 7, "hello"));
    CHECK(post.taken(1, 7, 0) == "hello");
    CHECK(post.taken(1, 7, 0).empty());
    CHECK(post.taken(2, 7, 0) == "hello");
    CHECK(post.taken(0, 7, 1).empty());
    post.close();
}

TEST_CASE("who looks late finds the newest message, and those between were never sent") {
    Post post;
    for (const char* text : {"1", "2", "3"}) REQUIRE(post.posts(0, 7, text));
    CHECK(post.world.rank(1)->box.size() == 1);
    CHECK(post.taken(1, 7, 0) == "1");
    CHECK(post.taken(1, 7, 0).empty());  // the sender has not looked again
    REQUIRE(post.mails[0].progress());
    CHECK(post.taken(1, 7, 0) == "3");
    CHECK(post.world.receives == 2);
    REQUIRE(post.posts(0, 7, "4"));
    REQUIRE(post.mails[1].progress());
    REQUIRE(post.posts(0, 7, "5"));
    CHECK(post.taken(1, 7, 0) == "5");  // both have arrived
    post.close();
}

TEST_CASE("a channel's messages do not take the place of another's, and an empty message is one") {
    Post post;
    REQUIRE(post.posts(0, 1, "one"));
    REQUIRE(post.posts(0, 2, "two"));
    REQUIRE(post.posts(0, 3, ""));
    CHECK(post.taken(1, 2, 0) == "two");
    CHECK(post.taken(1, 1, 0) == "one");
    CHECK(post.taken(1, 3, 0).empty());
    CHECK(post.world.receives == 3);
    post.close();
}

TEST_CASE("while a long message is still arriving nothing is there, and it is received once") {
    Post post;
    post.world.receives_last = true;
    REQUIRE(post.posts(0, 7, "long"));
    for (int look = 0; look < 3; ++look) CHECK(post.taken(1, 7, 0).empty());
    CHECK(post.world.receives == 1);
    post.world.receives_last = false;
    CHECK(post.taken(1, 7, 0) == "long");
    post.close();
}

TEST_CASE("a process that never looks costs no memory but for two messages of each channel") {
    Post post;
    std::string text(100, 'x');
    for (int k = 0; k < 1000; ++k) REQUIRE(post.posts(0, static_cast<std::uint32_t>(k % 2), text));
    CHECK(post.world.rank(1)->box.size() == 2);
    post.close();
    CHECK(post.world.rank(1)->box.empty());
}

TEST_CASE("bytes too few to name a channel are passed over, and what follows arrives") {
    Post post;
    post.world.deliver(0, 1, "abc");
    post.world.deliver(0, 1, "");
    REQUIRE(post.posts(0, 7, "after"));
    CHECK(post.taken(1, 7, 0) == "after");
    post.close();
}

TEST_CASE("a message longer than MPI counts is refused before it is copied") {
    Post post;
    CHECK_FALSE(post.mails[0].post(1, nullptr, (std::uint64_t{1} << 30) + 1));
    CHECK(mpi::error_text == "post: a message has more than 2^30 bytes");
    CHECK(post.world.rank(1)->box.empty());
}

TEST_CASE("what MPI cannot do is told with the function's name") {
    for (const char* function : {"MPI_Issend", "MPI_Iprobe", "MPI_Irecv"}) {
        CAPTURE(function);
        Post post;
        if (function == std::string("MPI_Irecv")) post.world.deliver(1, 0, "12345");
        post.world.failing = {function};
        CHECK_FALSE(post.posts(0, 7, "x"));
        CHECK(mpi::error_text == std::string(function) + ": as the test wants");
    }
    Post post;
    post.world.failing = {"MPI_Comm_dup"};
    CHECK_FALSE(Mail().open(post.world.rank(0)));
}

TEST_CASE("processes leave with messages on their way, which are thrown away, and none waits for ever") {
    Post post(3);
    for (std::size_t from = 0; from < 3; ++from) {
        for (const char* text : {"first", "second"}) REQUIRE(post.posts(from, 7, text));
    }
    post.close();
    for (int k = 0; k < 3; ++k) CHECK(post.world.rank(k)->box.empty());
}
