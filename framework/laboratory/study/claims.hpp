// SPDX-License-Identifier: Apache-2.0
// Claims on the runs of a study, as folders on a disk that several processes and hosts share: making a folder is
// atomic. A claim is claims/<run>.<generation>; the highest generation counts, and the next one may be made only where
// the owner of this one is dead. A process of this host is looked up; one of another host is dead when its heartbeat
// stops.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace qapfw::framework::laboratory {

struct ClaimRules {
    std::chrono::seconds heartbeat{5};
    std::chrono::seconds patience{60};  ///< without a heartbeat another host's process counts as dead
};

/// A claim that this process holds.
struct Claim {
    std::string name;
    std::filesystem::path folder;
    int generation = 1;
};

class Claims {
  public:
    explicit Claims(std::filesystem::path folder, ClaimRules rules = {});
    /// Claims `name`; nullopt while a living process holds it. Throws Error(kIo).
    std::optional<Claim> take(const std::string& name);
    /// Says that this process is alive; false where another one has taken the claim over.
    bool beat(const Claim& claim) const;
    /// Ends the claim; earlier generations go with it.
    void release(const Claim& claim) const;
    /// True if a living process holds it.
    bool held(const std::string& name) const;
    /// Runs that living processes hold.
    std::vector<std::string> all_held() const;
    /// Removes what dead processes left of runs that are done: nobody takes those again, so nobody else would.
    void clear_dead(const std::set<std::string>& done) const;

  private:
    int generation_of(const std::string& name) const;  ///< 0: none
    std::map<std::string, int> generations() const;    ///< the highest of every name
    bool alive(const std::filesystem::path& claim) const;
    std::filesystem::path path_of(const std::string& name, int generation) const;

    std::filesystem::path folder_;
    ClaimRules rules_;
    std::string place_;  ///< this host, boot and process namespace: where process numbers mean something
    std::string self_;   ///< the owner file's text
};

}  // namespace qapfw::framework::laboratory
