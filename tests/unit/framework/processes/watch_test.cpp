// SPDX-License-Identifier: Apache-2.0
#include "framework/processes/watch.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

#include "tests/support/temporary_folder.hpp"

using namespace qapfw::framework;
using namespace std::chrono_literals;
using qapfw::test::contains;

namespace {

constexpr int kLost = 11;
constexpr std::chrono::milliseconds kSoon = 3s;

bool becomes(const std::function<bool()>& condition, std::chrono::milliseconds time = kSoon) {
    const auto end = Watch::Clock::now() + time;
    bool is_so = condition();
    for (; !is_so && Watch::Clock::now() < end; is_so = condition()) std::this_thread::sleep_for(1ms);
    return is_so;
}

/// A watch that ends a process only a minute after the process began to leave. No test takes that long.
struct Watched {
    Watched(std::uint32_t rank, std::uint32_t count) : watch({rank, count, kLost}) { watch.leave_within(1min, 1); }
    bool ends() {
        return becomes([this] { return watch.has_ended(); });
    }
    Watch watch;
};

/// A process played by the test: it sends and receives messages like a watch.
class ByHand {
  public:
    /// A process that connects to process 0. `where` is what process 0's `listen` returned.
    ByHand(const std::string& where, std::uint32_t rank) {
        std::istringstream words(where);
        std::uint16_t port = 0;
        words >> token_ >> port;
        connection_ = Connection::to("127.0.0.1", port, 2000);
        say({Message::kHello, static_cast<std::int32_t>(rank), token_ + " process by hand"});
    }
    /// Process 0. It accepts the next process that connects.
    explicit ByHand(const Listener& listener) {
        CHECK(becomes([&] { return (connection_ = listener.accept()).is_open(); }));
        CHECK(hears(Message::kHello));
        say({Message::kWelcome, 0, "process 0 by hand"});
    }
    void say(const Message& message) const { connection_.send(message); }
    /// Waits for a message of this type and stores it in `last`. False: none came in time.
    bool hears(Message::Type type) {
        return becomes([&] {
            std::vector<Message> messages;
            connection_.receive(messages);
            for (const Message& message : messages) {
                if (message.type == type) last = message;
            }
            return last.type == type;
        });
    }
    bool is_left() {
        return becomes([&] {
            std::vector<Message> messages;
            return !connection_.receive(messages);
        });
    }
    void close() { connection_.close(); }

    Message last{};

  private:
    std::string token_;
    Connection connection_;
};

/// A process 0 played by the test, to which `follower` has connected.
std::unique_ptr<ByHand> connected(Watched& follower, const Listener& listener) {
    std::unique_ptr<ByHand> leader;
    std::jthread answer([&] { leader = std::make_unique<ByHand>(listener); });
    CHECK(follower.watch.connect("token " + std::to_string(listener.port()) + " 127.0.0.1"));
    answer.join();
    return leader;
}

}  // namespace

TEST_CASE("a process that falls silent is named on both sides, and one that beats is not") {
    Watched leader(0, 3), beats(1, 3), left(1, 2);
    const Listener listener;
    for (Watched* one : {&leader, &beats, &left}) one->watch.set_silence(Watch::kShortestSilence);
    const std::string where = leader.watch.listen();
    REQUIRE(beats.watch.connect(where));
    ByHand silent(where, 2);
    REQUIRE(silent.hears(Message::kWelcome));
    const auto silent_leader = connected(left, listener);

    std::this_thread::sleep_for(Watch::kShortestSilence - 500ms);
    CHECK_FALSE(leader.watch.has_ended());
    CHECK_FALSE(left.watch.has_ended());
    REQUIRE(leader.ends());
    CHECK(leader.watch.ending().code == kLost);
    CHECK(leader.watch.ending().lost);
    CHECK(leader.watch.ending().silent);
    CHECK(leader.watch.ending().text ==
          "process by hand has not answered for 2 s, so it was stopped or its host is gone; all processes end");
    REQUIRE(beats.ends());
    CHECK(beats.watch.ending().code == kLost);
    CHECK(beats.watch.ending().is_told);
    CHECK(silent.hears(Message::kEnd));  // when the silent process wakes up, it ends too
    REQUIRE(left.ends());
    CHECK(left.watch.ending().code == kLost);
    CHECK(contains(left.watch.ending().text, "process 0 by hand has not answered for 2 s"));
}

TEST_CASE("a process that is silent when a signal comes is lost sooner") {
    Watched leader(0, 3), beats(1, 3);
    const std::string where = leader.watch.listen();
    REQUIRE(beats.watch.connect(where));
    ByHand silent(where, 2);
    REQUIRE(silent.hears(Message::kWelcome));
    std::this_thread::sleep_for(Watch::kShortestSilence + 300ms);
    CHECK_FALSE(leader.watch.has_ended());
    beats.watch.set_signal_source([] { return 15; });
    CHECK(becomes([&] { return leader.watch.has_ended(); }, 500ms));
    CHECK(leader.watch.ending().text ==
          "process by hand has not answered for 2 s, so it was stopped or its host is gone; all processes end");
    CHECK(leader.watch.ending().is_told);
    REQUIRE(beats.ends());
    CHECK(beats.watch.ending().code == kLost);
}

TEST_CASE("a process whose connection closes without a goodbye is lost") {
    Watched leader(0, 3);
    const std::string where = leader.watch.listen();
    ByHand polite(where, 1), rude(where, 2);
    REQUIRE(polite.hears(Message::kWelcome));
    REQUIRE(rude.hears(Message::kWelcome));
    polite.say({Message::kBye});
    polite.close();
    std::this_thread::sleep_for(100ms);
    CHECK_FALSE(leader.watch.has_ended());
    rude.close();
    REQUIRE(leader.ends());
    CHECK(leader.watch.ending().text == "process by hand ended before the others, so all processes end");
    CHECK(leader.watch.ending().lost);
    CHECK_FALSE(leader.watch.ending().silent);
    const auto begin = Watch::Clock::now();
    leader.watch.wait_for_launcher();  // the lost process was not silent, so process 0 does not wait
    CHECK(Watch::Clock::now() - begin < 1s);
}

TEST_CASE("the first failure counts, even if a second one arrives while the first is passed on") {
    Watched leader(0, 4), follower(1, 4);
    const std::string where = leader.watch.listen();
    REQUIRE(follower.watch.connect(where));
    ByHand second(where, 2), third(where, 3);
    REQUIRE(second.hears(Message::kWelcome));
    REQUIRE(third.hears(Message::kWelcome));
    second.say({Message::kFailed, 5, "no memory"});
    REQUIRE(leader.ends());
    third.say({Message::kFailed, 3, "a plugin failed"});
    leader.watch.fail(4, "no GPU");
    REQUIRE(third.hears(Message::kEnd));
    CHECK(third.last.value == 5);
    CHECK(third.last.text == "process by hand: no memory");
    REQUIRE(follower.ends());
    CHECK(follower.watch.ending().code == 5);
    CHECK(follower.watch.ending().is_told);
    std::this_thread::sleep_for(50ms);
    CHECK(leader.watch.ending().code == 5);
    CHECK_FALSE(leader.watch.ending().is_told);  // no other process informs the user; the leader's process must do it
}

TEST_CASE("a process that fails after another one ends with the code of the first failure") {
    const Listener listener;
    Watched follower(1, 3);
    const auto leader = connected(follower, listener);
    follower.watch.fail(3, "a plugin failed");
    REQUIRE(leader->hears(Message::kFailed));
    CHECK(leader->last.value == 3);
    CHECK(leader->last.text == "a plugin failed");
    CHECK_FALSE(follower.watch.ending().is_told);
    leader->say({Message::kEnd, 5, "process 2: no memory"});
    CHECK(follower.watch.wait_until_told());
    CHECK(follower.watch.ending().code == 5);
}

TEST_CASE("a message that comes late changes nothing") {
    Watched leader(0, 3);
    const std::string where = leader.watch.listen();
    ByHand first(where, 1), second(where, 2);
    REQUIRE(first.hears(Message::kWelcome));
    REQUIRE(second.hears(Message::kWelcome));
    first.say({Message::kStop, 15});
    REQUIRE(becomes([&] { return leader.watch.stop_signal() == 15; }));
    second.say({Message::kStop, 2});
    REQUIRE(second.hears(Message::kStop));
    CHECK(second.last.value == 15);  // signal 15 came first, so it counts for all processes
    second.say({Message::kEnd, 7, "late"});
    REQUIRE(leader.ends());
    first.say({Message::kFailed, 9, "later"});
    std::this_thread::sleep_for(50ms);
    CHECK(leader.watch.ending().code == 7);
    CHECK(leader.watch.stop_signal() == 15);
}

TEST_CASE("a process with a wrong token, a wrong rank or a second connection is turned away, and nobody is lost") {
    Watched leader(0, 3);
    const std::string where = leader.watch.listen();
    ByHand known(where, 1);
    REQUIRE(known.hears(Message::kWelcome));
    ByHand twice(where, 1), zero(where, 0), beyond(where, 3), stranger("token" + where.substr(where.find(' ')), 2);
    for (ByHand* one : {&twice, &zero, &beyond, &stranger}) CHECK(one->is_left());
    std::istringstream words(where);
    std::string token;
    std::uint16_t port = 0;
    words >> token >> port;
    Connection::to("127.0.0.1", port, 2000).close();  // the peer closes without a message
    std::this_thread::sleep_for(100ms);
    CHECK_FALSE(leader.watch.has_ended());
    known.say({Message::kStop, 2});
    CHECK(becomes([&] { return leader.watch.stop_signal() == 2; }));
}

TEST_CASE("a process that sends an invalid message is lost") {
    Watched leader(0, 2);
    const std::string where = leader.watch.listen();
    ByHand broken(where, 1);
    REQUIRE(broken.hears(Message::kWelcome));
    broken.say({static_cast<Message::Type>(99)});
    REQUIRE(leader.ends());
    CHECK(leader.watch.ending().lost);
}

TEST_CASE("a process that cannot reach process 0 goes on, and ends with its own code if it fails") {
    Watched alone(1, 2);
    std::uint16_t port = 0;
    {
        const Listener gone;
        port = gone.port();
    }
    CHECK_FALSE(alone.watch.connect("token " + std::to_string(port) + " 127.0.0.1 nowhere"));
    CHECK_FALSE(alone.watch.has_ended());
    alone.watch.fail(4, "no GPU");
    CHECK(alone.watch.ending().code == 4);
}

TEST_CASE("a signal to one process asks all to stop") {
    Watched leader(0, 3), first(1, 3), second(2, 3);
    const std::string where = leader.watch.listen();
    REQUIRE(first.watch.connect(where));
    REQUIRE(second.watch.connect(where));
    second.watch.set_signal_source([] { return 15; });
    for (Watched* one : {&leader, &first, &second}) {
        CHECK(becomes([&] { return one->watch.stop_signal() == 15; }));
        CHECK_FALSE(one->watch.has_ended());
    }
}

TEST_CASE("a process whose main thread does not notice the end is rescued and ends with the code of all") {
    int rescued[2] = {-1, -1};
    REQUIRE(pipe(rescued) == 0);
    const auto in_child = [&](const std::function<void(Watch&)>& body) {
        const pid_t child = fork();
        if (child == 0) {
            Watch watch({0, 2, kLost});
            watch.listen();
            body(watch);
            pause();
        }
        return child;
    };
    const auto begin = Watch::Clock::now();
    const pid_t stuck = in_child([&](Watch& watch) {
        watch.set_rescue([&] { [[maybe_unused]] const auto done = write(rescued[1], "r", 1); });
        watch.end_all(5);
    });
    const pid_t slow = in_child([](Watch& watch) { watch.leave_within(50ms, 9); });
    int status = 0;
    waitpid(slow, &status, 0);
    CHECK(WEXITSTATUS(status) == 9);
    waitpid(stuck, &status, 0);
    CHECK(WEXITSTATUS(status) == 5);
    CHECK(Watch::Clock::now() - begin >= Watch::kPatience);
    close(rescued[1]);
    char mark = 0;
    CHECK(read(rescued[0], &mark, 1) == 1);
    close(rescued[0]);
}
