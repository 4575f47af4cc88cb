// SPDX-License-Identifier: Apache-2.0
// Claims on the runs of a study: folders on a disk that several processes and hosts use. Making a folder is atomic. A
// claim is claims/<run>.<generation>; the highest generation counts. A process may make the next generation only if the
// owner of the highest one is dead. If the owner is on this host (with the same boot and process namespace), its
// process is looked up. Any other owner counts as dead when its heartbeat stops.
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
    std::chrono::seconds patience{60};  ///< time without heartbeat after which a process of another host counts as dead
};

/// A claim that this process holds.
struct Claim {
    std::string name;
    std::filesystem::path folder;
    int generation = 1;  ///< a process that takes the claim over from a dead process adds 1
};

class Claims {
  public:
    explicit Claims(std::filesystem::path folder, ClaimRules rules = {});
    /// Claims `name`. Returns nothing if a living process holds the claim, or if another process was faster. Throws
    /// Error(kIo).
    std::optional<Claim> take(const std::string& name);
    /// Heartbeat: shows that this process is alive. Returns false if another process has taken over the claim, or if
    /// the claim's folder is gone.
    bool beat(const Claim& claim) const;
    /// Ends the claim: deletes its folder, and the folders of the dead processes that held it before.
    void release(const Claim& claim) const;
    /// True if a living process holds the claim on `name`.
    bool held(const std::string& name) const;
    /// Runs that living processes hold.
    std::vector<std::string> all_held() const;
    /// Deletes claims of dead processes on the finished runs `done`. No process takes a finished run again, so nothing
    /// else would delete these claims.
    void clear_dead(const std::set<std::string>& done) const;

  private:
    int generation_of(const std::string& name) const;  ///< highest generation of claims on `name`; 0: there is no claim
    std::map<std::string, int> generations() const;    ///< name -> highest generation of claims on this name
    bool alive(const std::filesystem::path& claim) const;
    std::filesystem::path path_of(const std::string& name, int generation) const;

    std::filesystem::path folder_;
    ClaimRules rules_;
    std::string place_;  ///< the host, boot and process namespace within which process numbers are unique
    std::string self_;   ///< text for the owner files of this process
};

}  // namespace qapfw::framework::laboratory
