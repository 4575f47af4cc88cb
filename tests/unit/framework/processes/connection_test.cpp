// SPDX-License-Identifier: Apache-2.0
#include "framework/processes/connection.hpp"

#include <doctest/doctest.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstring>

using namespace qapfw::framework;

namespace {

constexpr int kWaitTime = 2000;  // longest time to wait for a connection or a message, in milliseconds

/// The two ends of a connection. The test examines `near`, and sends messages or single bytes from `far`.
struct Pair {
    Pair() {
        int ends[2] = {-1, -1};
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
        near = Connection(ends[0]);
        far = Connection(ends[1]);
    }
    void arrives(const std::string& bytes) const {
        REQUIRE(::send(far.descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
                static_cast<ssize_t>(bytes.size()));
    }
    Connection near, far;
};

std::string bytes_of(std::uint32_t type, std::int32_t value, std::uint32_t size, const std::string& text) {
    std::string bytes(12, '\0');
    std::memcpy(bytes.data(), &type, 4);
    std::memcpy(bytes.data() + 4, &value, 4);
    std::memcpy(bytes.data() + 8, &size, 4);
    return bytes + text;
}

}  // namespace

TEST_CASE("a message arrives whole: type, value and text, in the order of sending") {
    Pair pair;
    pair.far.send({Message::kFailed, -7, "no memory"});
    pair.far.send({Message::kBeat});
    std::vector<Message> messages;
    CHECK(pair.near.receive(messages));
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].type == Message::kFailed);
    CHECK(messages[0].value == -7);
    CHECK(messages[0].text == "no memory");
    CHECK(messages[1].type == Message::kBeat);
    CHECK(messages[1].text.empty());
}

TEST_CASE("a message that comes byte by byte is given once, when its last byte is there") {
    Pair pair;
    const std::string bytes = bytes_of(Message::kEnd, 11, 4, "gone") + bytes_of(Message::kBye, 0, 0, "");
    std::vector<Message> messages;
    for (std::size_t k = 0; k < bytes.size(); ++k) {
        CAPTURE(k);
        pair.arrives(bytes.substr(k, 1));
        CHECK(pair.near.receive(messages));
        CHECK(messages.size() == (k + 1 < 16 ? 0 : k + 1 < bytes.size() ? 1 : 2));
    }
    CHECK(messages[0].text == "gone");
    CHECK(messages[1].type == Message::kBye);
}

TEST_CASE("a length or a type that no message has ends the connection, and what came before counts") {
    for (const std::string& wrong : {bytes_of(Message::kEnd, 0, 16385, ""), bytes_of(Message::kEnd, 0, ~0u, ""),
                                     bytes_of(Message::kBye + 1, 0, 0, ""), std::string("GET / HTTP/1.1\r\n")}) {
        Pair pair;
        pair.arrives(bytes_of(Message::kStop, 15, 0, "") + wrong);
        std::vector<Message> messages;
        CHECK_FALSE(pair.near.receive(messages));
        REQUIRE(messages.size() == 1);
        CHECK(messages[0].value == 15);
    }
}

TEST_CASE("the longest text arrives, and of a longer one its beginning") {
    for (const std::size_t size : {std::size_t{16384}, std::size_t{50000}}) {
        Pair pair;
        pair.far.send({Message::kFailed, 1, std::string(size, 'x')});
        std::vector<Message> messages;
        CHECK(pair.near.receive(messages));
        REQUIRE(messages.size() == 1);
        CHECK(messages[0].text == std::string(16384, 'x'));
    }
}

TEST_CASE("the end of a connection is told with the messages before it") {
    Pair pair;
    pair.far.send({Message::kBye});
    pair.far.close();
    std::vector<Message> messages;
    CHECK_FALSE(pair.near.receive(messages));
    CHECK(messages.size() == 1);
    pair.near.send({Message::kBeat});  // nobody receives the beat: there must be no signal and no wait
}

TEST_CASE("messages that arrive with the awaited one are still there, and the connection is still ready to read") {
    Pair pair;
    pair.arrives(bytes_of(Message::kWelcome, 0, 5, "host1") + bytes_of(Message::kEnd, 7, 4, "gone") +
                 bytes_of(Message::kBye, 0, 0, "").substr(0, 5));
    const auto first = pair.near.wait(kWaitTime);
    REQUIRE(first);
    CHECK(first->text == "host1");
    pollfd event{pair.near.descriptor(), POLLIN, 0};
    CHECK(poll(&event, 1, 0) == 1);
    pair.arrives(bytes_of(Message::kBye, 0, 0, "").substr(5));
    std::vector<Message> rest;
    CHECK(pair.near.receive(rest));
    REQUIRE(rest.size() == 2);
    CHECK(rest[0].type == Message::kEnd);
    CHECK(rest[0].text == "gone");
    CHECK(rest[1].type == Message::kBye);
}

TEST_CASE("a sender does not wait for an end that reads nothing") {
    Pair pair;
    for (int k = 0; k < 2000; ++k) pair.near.send({Message::kFailed, 1, std::string(16384, 'x')});
    CHECK(pair.near.is_open());
}

TEST_CASE("processes find each other by address and port") {
    const Listener listener;
    REQUIRE(listener.is_open());
    CHECK_FALSE(listener.accept().is_open());  // no process has connected yet
    const Connection there = Connection::to(own_addresses().back(), listener.port(), kWaitTime);
    REQUIRE(there.is_open());
    pollfd event{listener.descriptor(), POLLIN, 0};
    REQUIRE(poll(&event, 1, kWaitTime) == 1);
    Connection here = listener.accept();
    there.send({Message::kHello, 3, "token name"});
    const auto hello = here.wait(kWaitTime);
    REQUIRE(hello);
    CHECK(hello->value == 3);
    CHECK_FALSE(here.wait(0));
}

TEST_CASE("an invalid address, and a port on which nobody listens, give no connection") {
    CHECK_FALSE(Connection::to("nowhere", 1, kWaitTime).is_open());
    std::uint16_t port = 0;
    {
        const Listener listener;
        port = listener.port();
    }
    CHECK_FALSE(Connection::to("127.0.0.1", port, kWaitTime).is_open());
    CHECK_FALSE(Connection().wait(kWaitTime));
}
