// SPDX-License-Identifier: Apache-2.0
#include "framework/processes/watch.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "framework/host/console.hpp"

namespace qapfw::framework {
namespace {

constexpr int kTurn = 50;                                 // milliseconds: longest wait in a turn of the watch's loop
constexpr std::chrono::milliseconds kBeat{500};           // time between two beats
constexpr int kConnectPatience = 700;                     // milliseconds: longest wait for a connection to an address
constexpr int kWelcomePatience = 2000;                    // milliseconds until process 0 must answer
constexpr std::chrono::milliseconds kToldPatience{2000};  // time for process 0 to report a failure
constexpr std::chrono::milliseconds kLauncherTime{2000};  // time for the launcher to notice a dead host
constexpr std::chrono::milliseconds kTellTime{1000};  // time for process 1 to notice and report the loss of process 0

std::string name_of_process(std::uint32_t rank) {
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    return fmt::format("process {} (pid {} on host {})", rank, getpid(), host);
}

void wait_until(const std::atomic<bool>& flag, std::chrono::milliseconds time) {
    const Watch::Clock::time_point end = Watch::Clock::now() + time;
    while (!flag && Watch::Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// The longest time that a turn of the watch's loop normally takes. If a turn took longer, this process itself stood
/// still. The allowed silence is longer than this time plus kBeat.
std::chrono::milliseconds own_standstill(std::chrono::milliseconds silence) {
    return silence * 2 / 5;
}

std::string random_token() {
    unsigned char bytes[16] = {};
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return {};
    std::string text;
    for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
    return text;
}

}  // namespace

Watch::Watch(const Place& place) : place_(place) {}

Watch::~Watch() {
    quit_ = true;
    const std::uint64_t one = 1;
    if (thread_.joinable() && write(wake_, &one, sizeof one) == sizeof one) thread_.join();
    if (wake_ >= 0) close(wake_);
}

std::string Watch::listen() {
    token_ = random_token();
    listener_ = std::make_unique<Listener>();
    if (token_.empty() || !listener_->is_open()) return {};
    std::string where = fmt::format("{} {}", token_, listener_->port());
    for (const std::string& address : own_addresses()) where += " " + address;
    start();
    return where;
}

bool Watch::connect(const std::string& where) {
    std::istringstream words(where);
    std::string address;
    std::uint16_t port = 0;
    words >> token_ >> port;
    while (words >> address) {
        Connection connection = Connection::to(address, port, kConnectPatience);
        connection.send(
            {Message::kHello, static_cast<std::int32_t>(place_.rank), token_ + " " + name_of_process(place_.rank)});
        const auto answer = connection.wait(kWelcomePatience);
        if (!answer || answer->type != Message::kWelcome) continue;
        peers_[0] = {std::move(connection), answer->text, Clock::now()};
        start();
        return true;
    }
    start();
    return false;
}

void Watch::start() {
    wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    turn_.began = Clock::now();
    thread_ = std::thread([this] { run(); });
}

Ending Watch::ending() const {
    const std::lock_guard lock(mutex_);
    return ending_;
}

void Watch::fail(int code, const std::string& text) {
    end({code, text});
}

void Watch::end_all(int code) {
    end({code, {}, true});
    wait_until(told_.ending, std::chrono::milliseconds(4 * kTurn));
}

bool Watch::wait_until_told() const {
    const Clock::time_point end = Clock::now() + kToldPatience;
    while (!ending().is_told && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return ending().is_told;
}

void Watch::set_signal_source(std::function<int()> received) {
    const std::lock_guard lock(mutex_);
    received_signal_ = std::move(received);
}

void Watch::set_rescue(std::function<void()> rescue) {
    const std::lock_guard lock(rescue_.mutex);
    rescue_.call = std::move(rescue);
}

void Watch::leave_within(std::chrono::milliseconds time, int code) {
    const std::lock_guard lock(mutex_);
    leaving_.has_begun = true;
    leaving_.by = Clock::now() + time;
    leaving_.code = code;
}

void Watch::say_goodbye() {
    {
        const std::lock_guard lock(mutex_);
        leaving_.goodbye = true;
    }
    const std::uint64_t one = 1;
    if (write(wake_, &one, sizeof one) != sizeof one) return;  // if this fails, run() wakes up after kTurn anyway
}

void Watch::wait_for_goodbye() const {
    wait_until(told_.goodbye, std::chrono::milliseconds(4 * kTurn));
}

void Watch::wait_for_launcher() const {
    Clock::time_point end;
    {
        const std::lock_guard lock(mutex_);
        if (!ending_.silent) return;
        end = ended_at_ + kLauncherTime;
    }
    std::this_thread::sleep_until(end);
}

void Watch::wait_for_leader(std::chrono::milliseconds time) const {
    wait_until(leader_.has_left, time);
    // When one process ends, the launcher ends all processes. Process 1 must first report the loss of process 0, but
    // may notice this loss up to kBeat later than others do. So the processes from 2 on wait.
    if (place_.rank > 1 && leader_.is_lost) std::this_thread::sleep_for(kTellTime);
}

/// Keeps the first ending; ignores later ones.
void Watch::end(Ending ending) {
    {
        const std::lock_guard lock(mutex_);
        if (ending_.code != 0) return;
        ending_ = std::move(ending);
        ended_at_ = Clock::now();
    }
    ended_ = true;
    const std::uint64_t one = 1;
    if (write(wake_, &one, sizeof one) != sizeof one) return;  // if this fails, run() wakes up after kTurn anyway
}

void Watch::run() {
    while (!quit_) {
        const std::vector<std::uint32_t> ready = wait_for_news();
        const Clock::time_point now = Clock::now();
        // If this process itself stood still, the others are not silent: their messages have arrived, but are not read
        // yet.
        if (now - turn_.began > own_standstill(silence_)) {
            for (auto& [rank, peer] : peers_) peer.heard = now;
        }
        turn_.began = now;
        if (listener_) accept_processes();
        for (const std::uint32_t rank : ready) read(rank);
        look_for_silence(now);
        look_at_signals();
        send_what_is_due(now);
        leave_if_stuck(now);
    }
}

/// Waits for messages, at most kTurn. Returns the ranks of the processes that have sent something.
std::vector<std::uint32_t> Watch::wait_for_news() {
    std::vector<pollfd> events{{wake_, POLLIN, 0}};
    std::vector<std::uint32_t> ranks;
    for (const auto& [rank, peer] : peers_) {
        if (!peer.connection.is_open()) continue;
        events.push_back({peer.connection.descriptor(), POLLIN, 0});
        ranks.push_back(rank);
    }
    const std::size_t watched = events.size();
    if (listener_) events.push_back({listener_->descriptor(), POLLIN, 0});
    for (const Connection& stranger : strangers_) events.push_back({stranger.descriptor(), POLLIN, 0});
    poll(events.data(), events.size(), kTurn);
    std::uint64_t woken = 0;
    std::vector<std::uint32_t> ready;
    if (events[0].revents != 0 && ::read(wake_, &woken, sizeof woken) < 0) return ready;
    for (std::size_t i = 1; i < watched; ++i) {
        if (events[i].revents != 0) ready.push_back(ranks[i - 1]);
    }
    return ready;
}

void Watch::accept_processes() {
    while (true) {
        Connection connection = listener_->accept();
        if (!connection.is_open()) break;
        strangers_.push_back(std::move(connection));
    }
    for (Connection& stranger : strangers_) {
        std::vector<Message> messages;
        const bool open = stranger.receive(messages);
        if (!messages.empty()) {
            const Message& hello = messages.front();
            const auto rank = static_cast<std::uint32_t>(hello.value);
            const bool known = hello.type == Message::kHello && hello.text.starts_with(token_ + " ") && rank > 0 &&
                               rank < place_.count && peers_.count(rank) == 0;
            if (known) {
                stranger.send({Message::kWelcome, 0, name_of_process(0)});
                peers_[rank] = {std::move(stranger), hello.text.substr(token_.size() + 1), Clock::now()};
            }
            stranger.close();
        }
        if (!open) stranger.close();
    }
    std::erase_if(strangers_, [](const Connection& stranger) { return !stranger.is_open(); });
}

void Watch::read(std::uint32_t rank) {
    Peer& peer = peers_.at(rank);
    std::vector<Message> messages;
    const bool open = peer.connection.receive(messages);
    for (const Message& message : messages) take(rank, peer, message);
    peer.heard = Clock::now();
    if (open) return;
    peer.connection.close();
    if (rank == 0) leader_.has_left = true;
    if (peer.has_left) return;
    end_without(peer.name + " ended before the others, so all processes end", false);
}

void Watch::take(std::uint32_t rank, Peer& peer, const Message& message) {
    switch (message.type) {
        case Message::kStop:
            if (stop_signal_ == 0) stop_signal_ = message.value;
            break;
        case Message::kFailed:
            if (place_.rank == 0 && rank != 0) end({message.value, peer.name + ": " + message.text});
            break;
        case Message::kEnd: {
            end({message.value, message.text, true});
            const std::lock_guard lock(mutex_);
            ending_.is_told = true;
            if (rank == 0) ending_.code = message.value;  // process 0's code counts, even if this process failed too
            break;
        }
        case Message::kBye:
            peer.has_left = true;
            if (rank == 0) leader_.has_left = true;
            break;
        default:
            break;
    }
}

/// Ends the run because a process is lost. Process 0 reports the loss; if process 0 is lost, process 1 reports it. The
/// report comes at once, since the launcher may soon end all processes or close their output.
void Watch::end_without(const std::string& text, bool silent) {
    if (place_.rank <= 1 && !has_ended()) console_line("qapfw: " + text);
    if (place_.rank != 0) leader_.is_lost = leader_.has_left = true;
    end({place_.lost_code, text, true, true, silent});
}

void Watch::look_for_silence(Clock::time_point now) {
    // After a signal, a process counts as lost once it has been silent for kShortestSilence. The signal may come from a
    // launcher that noticed the loss itself and will soon kill all processes. Waiting longer is useless: no round ends
    // without the silent process.
    const std::chrono::milliseconds silence =
        stop_signal_ == 0 ? silence_.load() : std::min(silence_.load(), kShortestSilence);
    for (auto& [rank, peer] : peers_) {
        if (!peer.connection.is_open() || peer.has_left || now - peer.heard < silence) continue;
        end_without(
            fmt::format("{} has not answered for {:g} s, so it was stopped or its host is gone; all processes end",
                        peer.name, std::chrono::duration<double>(silence).count()),
            true);
    }
}

void Watch::look_at_signals() {
    int own = 0;
    {
        const std::lock_guard lock(mutex_);
        if (received_signal_) own = received_signal_();
    }
    if (own != 0 && stop_signal_ == 0) stop_signal_ = own;
    if (stop_signal_ == 0 || turn_.signal_told != 0) return;
    turn_.signal_told = stop_signal_;
    tell({Message::kStop, turn_.signal_told});
}

void Watch::tell(const Message& message) {
    for (const auto& [rank, peer] : peers_) peer.connection.send(message);
}

void Watch::send_what_is_due(Clock::time_point now) {
    Ending ending;
    bool goodbye = false;
    {
        const std::lock_guard lock(mutex_);
        ending = ending_;
        goodbye = leaving_.goodbye;
    }
    if (ending.code != 0 && !told_.ending) {
        told_.ending = true;
        // kEnd goes to a lost process 0 too: if that process was only suspended, it must end when it continues.
        tell({place_.rank == 0 || ending.lost ? Message::kEnd : Message::kFailed, ending.code, ending.text});
    }
    if (goodbye && !told_.goodbye) {
        told_.goodbye = true;
        tell({Message::kBye});
    }
    if (now - turn_.beat < kBeat) return;
    turn_.beat = now;
    tell({Message::kBeat});
}

/// Ends this process if its main thread does not end it in time: a solver may hang, or MPI may wait for a process that
/// is gone.
void Watch::leave_if_stuck(Clock::time_point now) {
    Ending ending;
    int code = 0;
    bool unnoticed = false;
    {
        const std::lock_guard lock(mutex_);
        unnoticed = ending_.code != 0 && !leaving_.has_begun && now - ended_at_ > kPatience;
        if (!unnoticed && now < leaving_.by) return;
        ending = ending_;
        code = unnoticed ? ending_.code : leaving_.code;
        if (!unnoticed) ending.is_told = true;
    }
    const std::lock_guard lock(rescue_.mutex);  // never unlocked again: the process ends
    if (unnoticed && rescue_.call) rescue_.call();
    if (!ending.is_told) console_line("qapfw: " + ending.text);
    _exit(code);
}

}  // namespace qapfw::framework
