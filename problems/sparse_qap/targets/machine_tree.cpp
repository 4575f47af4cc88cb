// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/targets/machine_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <map>
#include <utility>

#include "common/text_cursor.hpp"
#include "qapfw/error.hpp"

namespace qapfw::sparse {

std::uint32_t MachineTree::add(std::uint32_t parent, std::string name) {
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    nodes_[parent].children.push_back(number);
    nodes_.push_back({std::move(name), {}});
    return number;
}

std::vector<MachineTree::Leaf> MachineTree::leaves() const {
    std::vector<Leaf> found;
    std::vector<std::uint32_t> path;
    std::uint32_t top = kRoot;  // the lowest node above all leaves; it is not a group, nor are the nodes above it
    while (nodes_[top].children.size() == 1) top = nodes_[top].children.front();
    const std::function<void(std::uint32_t)> visit = [&](std::uint32_t n) {
        const Node& node = nodes_[n];
        if (node.children.empty()) {
            if (node.name.empty()) return;  // only groups have no name; this group has no leaves
            found.push_back({node.name, path});
            found.back().path.push_back(n);
            return;
        }
        const bool counts = n != top && node.children.size() > 1;
        if (counts) path.push_back(n);
        for (const std::uint32_t child : node.children) visit(child);
        if (counts) path.pop_back();
    };
    visit(top);
    return found;
}

namespace {

/// One tag of an XML text.
struct Tag {
    std::string_view name;  ///< name of the tag; it begins with "/" if the tag closes
    std::string_view inside;
    bool closes_itself = false;
};

class Tags {
  public:
    Tags(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {}
    bool next(Tag& tag) {
        const std::size_t open = text_.find('<', at_);
        if (open == text_.npos) return false;
        const std::size_t close = text_.find('>', open);
        if (close == text_.npos)
            throw Error(ErrorKind::kInput, source_ + ": a tag is not closed; the file is cut short");
        at_ = close + 1;
        tag.inside = text_.substr(open + 1, close - open - 1);
        tag.closes_itself = tag.inside.ends_with('/');
        tag.name = tag.inside.substr(0, tag.inside.find_first_of(" \t\r\n/", 1));
        return true;
    }

  private:
    std::string_view text_;
    std::string source_;
    std::size_t at_ = 0;
};

/// Returns the value of an attribute; empty if there is none.
std::string attribute(const Tag& tag, const std::string& name) {
    const std::string begin = " " + name + "=\"";
    const std::size_t at = tag.inside.find(begin);
    if (at == tag.inside.npos) return {};
    const std::size_t from = at + begin.size(), to = tag.inside.find('"', from);
    return std::string(tag.inside.substr(from, to == tag.inside.npos ? 0 : to - from));
}

/// Reads a tree of hardware objects from hwloc's XML. The objects of type `leaf` become the leaves. `host`: set to the
/// machine's name if the file has it.
MachineTree tree_of(std::string_view xml, const std::string& source, const std::string& leaf, std::string& host) {
    constexpr std::string_view kAside[] = {"NUMANode", "MemCache", "Bridge", "PCIDev", "OSDev", "Misc"};
    MachineTree tree;
    Tags tags(xml, source);
    Tag tag;
    std::vector<std::uint32_t> open{MachineTree::kRoot};
    std::size_t aside = 0;  // depth inside a leaf, or inside objects that cannot hold leaves
    std::uint32_t count = 0;
    while (tags.next(tag)) {
        if (tag.name == "info" && attribute(tag, "name") == "HostName") host = attribute(tag, "value");
        if (tag.name == "/object") {
            if (aside > 0)
                --aside;
            else if (open.size() > 1)
                open.pop_back();
            else
                throw Error(ErrorKind::kInput, source + ": more objects are closed than were opened");
        }
        if (tag.name != "object") continue;
        const std::string type = attribute(tag, "type");
        const bool is_aside = aside > 0 || std::find(std::begin(kAside), std::end(kAside), type) != std::end(kAside);
        const bool below = !is_aside && type == leaf;
        if (below) {
            if (++count > MachineTree::kMostLeaves)
                throw Error(ErrorKind::kInput,
                            fmt::format("{}: at most {} cores or PUs are possible, but the file has more", source,
                                        MachineTree::kMostLeaves));
            tree.add(open.back(), std::to_string(count - 1));
        }
        if (tag.closes_itself) continue;
        if (is_aside || below)
            ++aside;  // all objects inside this object are left out
        else
            open.push_back(tree.add(open.back()));
        if (open.size() > MachineTree::kMostLevels)
            throw Error(ErrorKind::kInput,
                        fmt::format("{}: at most {} objects can be inside each other, but the file has more", source,
                                    MachineTree::kMostLevels));
    }
    if (open.size() > 1 || aside > 0)
        throw Error(ErrorKind::kInput, source + ": an object is not closed; the file is cut short");
    return tree;
}

std::string word_after(std::string_view line, const std::string& key) {
    std::string small(line);
    std::transform(small.begin(), small.end(), small.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::size_t at = (" " + small).find(" " + key + "=");
    if (at == std::string::npos) return {};
    const std::size_t from = at + key.size() + 1;
    return std::string(line.substr(from, line.find_first_of(" \t\r", from) - from));
}

/// The entry of a switch in topology.conf.
struct Switch {
    std::string name, nodes, switches;
    std::size_t line;
};

}  // namespace

MachineTree read_hwloc(std::string_view xml, const std::string& source) {
    std::string host = "localhost";
    for (const char* leaf : {"Core", "PU"}) {
        MachineTree tree = tree_of(xml, source, leaf, host);
        if (!tree.leaves().empty()) return std::move(tree).prefixed(host + ":");
    }
    throw Error(ErrorKind::kInput, source + ": no core was found; a file from \"lstopo machine.xml\" was wanted");
}

MachineTree MachineTree::prefixed(const std::string& prefix) && {
    for (Node& node : nodes_) {
        if (!node.name.empty()) node.name.insert(0, prefix);
    }
    return std::move(*this);
}

namespace {

/// Expands a name such as "r[0-1]n[07-15]". Its brackets are replaced from left to right.
class HostNames {
  public:
    HostNames(std::vector<std::string>& hosts, const std::string& where) : hosts_(hosts), where_(where) {}
    void add(const std::string& head, std::string_view rest) {
        const std::size_t bracket = rest.find('[');
        if (bracket == rest.npos) {
            if (hosts_.size() >= MachineTree::kMostLeaves)
                fail(fmt::format("at most {} nodes are possible, but the file has more", MachineTree::kMostLeaves));
            hosts_.push_back(head + std::string(rest));
            return;
        }
        const std::size_t close = rest.find(']', bracket);
        if (close == rest.npos) fail(fmt::format("{} has no closing bracket", common::shown_word(rest)));
        const std::string before = head + std::string(rest.substr(0, bracket));
        std::string_view ranges = rest.substr(bracket + 1, close - bracket - 1);
        while (!ranges.empty()) {
            const std::string_view range = ranges.substr(0, ranges.find(','));
            ranges.remove_prefix(std::min(ranges.size(), range.size() + 1));
            add_range(before, range, rest.substr(close + 1));
        }
    }

  private:
    void add_range(const std::string& before, std::string_view range, std::string_view after) {
        const std::size_t dash = range.find('-');
        const std::string_view first = range.substr(0, dash),
                               last = dash == range.npos ? first : range.substr(dash + 1);
        std::uint32_t from = 0, to = 0;
        const auto read = [](std::string_view text, std::uint32_t& value) {
            const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
            return !text.empty() && result.ec == std::errc() && result.ptr == text.data() + text.size();
        };
        if (!read(first, from) || !read(last, to) || to < from || first.size() > 20)
            fail(fmt::format("a range such as 0-15 was wanted in brackets, found {}", common::shown_word(range)));
        for (std::uint32_t k = from;; ++k) {
            add(fmt::format("{}{:0{}}", before, k, first.size()), after);
            if (k == to) break;
        }
    }
    [[noreturn]] void fail(const std::string& what) const { throw Error(ErrorKind::kInput, where_ + ": " + what); }

    std::vector<std::string>& hosts_;
    const std::string& where_;
};

}  // namespace

std::vector<std::string> expanded_hosts(std::string_view list, const std::string& where) {
    std::vector<std::string> hosts;
    HostNames names(hosts, where);
    while (!list.empty()) {
        std::size_t end = 0;  // end of the first name: a comma outside brackets
        for (bool inside = false; end < list.size() && (inside || list[end] != ','); ++end) {
            if (list[end] == '[' || list[end] == ']') inside = list[end] == '[';
        }
        if (end > 0) names.add("", list.substr(0, end));
        list.remove_prefix(std::min(list.size(), end + 1));
    }
    return hosts;
}

namespace {

/// Reads the switches of a file, one from each line.
std::vector<Switch> switches_of(std::string_view text, const std::string& source) {
    std::vector<Switch> found;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t first = line;
        std::string row;
        for (bool goes_on = true; goes_on; line += goes_on ? 1 : 0) {  // a line that ends with a backslash continues
            std::string_view part = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(text.size(), part.size() + 1));
            part = part.substr(0, part.find('#'));
            part = part.substr(0, part.find_last_not_of(" \t\r") + 1);
            goes_on = part.ends_with('\\') && !text.empty();
            row += part.substr(0, part.size() - (part.ends_with('\\') ? 1 : 0));
        }
        if (row.find_first_not_of(" \t") == row.npos) continue;
        Switch one{word_after(row, "switchname"), word_after(row, "nodes"), word_after(row, "switches"), first};
        if (one.name.empty() || one.nodes.empty() == one.switches.empty()) {
            throw Error(ErrorKind::kInput,
                        fmt::format("{}:{}: a line \"SwitchName=s0 Nodes=node[0-15]\" or \"SwitchName=top "
                                    "Switches=s[0-3]\" was wanted",
                                    source, first));
        }
        found.push_back(std::move(one));
    }
    return found;
}

}  // namespace

MachineTree read_slurm_topology(std::string_view text, const std::string& source) {
    const std::vector<Switch> switches = switches_of(text, source);
    std::map<std::string, std::size_t> number;
    std::vector<bool> is_below(switches.size(), false);
    const auto where = [&](const Switch& one) { return fmt::format("{}:{}", source, one.line); };
    for (std::size_t k = 0; k < switches.size(); ++k) {
        if (!number.emplace(switches[k].name, k).second)
            throw Error(ErrorKind::kInput,
                        fmt::format("{}: switch {} is listed twice", where(switches[k]), switches[k].name));
    }
    for (const Switch& one : switches) {
        for (const std::string& name : expanded_hosts(one.switches, where(one))) {
            const auto at = number.find(name);
            if (at == number.end())
                throw Error(ErrorKind::kInput,
                            fmt::format("{}: switch {} is not described by any line SwitchName=", where(one), name));
            if (is_below[at->second])
                throw Error(ErrorKind::kInput,
                            fmt::format("{}: switch {} is below two switches; a tree was wanted", where(one), name));
            is_below[at->second] = true;
        }
    }
    MachineTree tree;
    std::map<std::string, bool> seen;
    std::vector<bool> is_added(switches.size(), false);
    const std::function<void(std::size_t, std::uint32_t, std::size_t)> add = [&](std::size_t k, std::uint32_t parent,
                                                                                 std::size_t level) {
        const Switch& one = switches[k];
        if (level > MachineTree::kMostLevels)
            throw Error(ErrorKind::kInput,
                        fmt::format("{}: at most {} switches can be above each other, but the file has more",
                                    where(one), MachineTree::kMostLevels));
        is_added[k] = true;
        const std::uint32_t own = tree.add(parent);
        for (const std::string& name : expanded_hosts(one.switches, where(one))) add(number.at(name), own, level + 1);
        for (const std::string& name : expanded_hosts(one.nodes, where(one))) {
            if (!seen.emplace(name, true).second)
                throw Error(ErrorKind::kInput,
                            fmt::format("{}: node {} is below two switches; a tree was wanted", where(one), name));
            tree.add(own, name);
        }
    };
    for (std::size_t k = 0; k < switches.size(); ++k) {
        if (!is_below[k]) add(k, MachineTree::kRoot, 1);
    }
    if (const auto left = std::find(is_added.begin(), is_added.end(), false); left != is_added.end()) {
        const Switch& one = switches[static_cast<std::size_t>(left - is_added.begin())];
        throw Error(ErrorKind::kInput, fmt::format("{}: switch {} is in or below a loop of switches; a tree was wanted",
                                                   where(one), one.name));
    }
    if (seen.empty()) throw Error(ErrorKind::kInput, source + ": no node was found; Slurm's topology.conf was wanted");
    return tree;
}

}  // namespace qapfw::sparse
