// SPDX-License-Identifier: Apache-2.0
// A machine, read from hwloc's XML (lstopo machine.xml) or Slurm's topology.conf. Leaves are cores or nodes, and each
// has a name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qapfw::sparse {

class MachineTree {
  public:
    static constexpr std::uint32_t kRoot = 0;
    static constexpr std::uint32_t kMostLeaves = 1u << 20;
    static constexpr std::size_t kMostLevels = 64;
    MachineTree() : nodes_(1) {}
    std::uint32_t add(std::uint32_t parent, std::string name = {});

    /// A leaf and its ancestors, without those that have one child or contain all leaves.
    struct Leaf {
        std::string name;
        std::vector<std::uint32_t> path;  ///< numbers of nodes, from the outermost ancestor to the leaf itself
    };
    /// Returns the leaves in the order of the machine's file. Leaves of the same group stand together.
    std::vector<Leaf> leaves() const;
    /// Returns the tree with this prefix before each name.
    MachineTree prefixed(const std::string& prefix) &&;

  private:
    struct Node {
        std::string name;
        std::vector<std::uint32_t> children;
    };
    std::vector<Node> nodes_;
};

/// Reads a machine whose leaves are cores, or processing units if the file has no cores. Leaves have names
/// "host:number". Throws Error(kInput) with `source`.
MachineTree read_hwloc(std::string_view xml, const std::string& source);
/// Reads a machine whose leaves are nodes, in groups below switches. Throws Error(kInput) with `source` and the line.
MachineTree read_slurm_topology(std::string_view text, const std::string& source);

/// Returns the names that a list such as "node[1-3,07],r[0-1]n[0-3]" means. Throws Error(kInput) whose text begins with
/// `where`.
std::vector<std::string> expanded_hosts(std::string_view list, const std::string& where);

}  // namespace qapfw::sparse
