// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/shared_session.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "framework/engine/run_folders.hpp"
#include "framework/record/json_parts.hpp"

namespace qapfw::framework {
namespace {

const char* const kWhere = "what process 0 reports about the record";

/// Packs the earlier session into texts, one for each part; the text of a missing part is empty. See unpacked.
std::vector<std::string> packed(EarlierSession session) {
    if (session.result) {  // other processes may be unable to read files, so the JSON text holds all values
        if (session.result->best) session.result->best->file.clear();
        for (CostedSolution& solution : session.result->solutions) solution.file.clear();
    }
    return {session.checkpoint ? encode_checkpoint(*session.checkpoint) : std::string(),
            session.result ? to_json(*session.result) : std::string(),
            session.best ? Json(session.best->values).dump() : std::string(),
            session.best ? std::string(reinterpret_cast<const char*>(&session.best->cost), sizeof(qapfw_cost))
                         : std::string(),
            session.last_checkpoint_is_good ? "good" : ""};
}

EarlierSession unpacked(const std::vector<std::string>& texts) {
    EarlierSession session;
    if (!texts.at(0).empty()) session.checkpoint = decode_checkpoint(texts[0], kWhere);
    if (!texts.at(1).empty()) session.result = parse_result(texts[1], kWhere);
    if (!texts.at(2).empty()) {
        CostedSolution best;
        best.values = parse_values(ParsedJson::parse(texts[2]));
        std::memcpy(&best.cost, texts.at(3).data(), sizeof best.cost);
        session.best = std::move(best);
    }
    session.last_checkpoint_is_good = !texts.at(4).empty();
    return session;
}

/// Returns everything that must be equal in all processes, one item per line.
std::string description_of(const RunIdentity& identity, const std::string& trajectory) {
    std::string text;
    for (const PluginIdentity& plugin : identity.plugins) {
        text += fmt::format("{} {} {} ({}, xxh3 {})\n", plugin.kind, plugin.id, plugin.version, plugin.library,
                            plugin.hash);
    }
    return text +
           fmt::format("instance {}\ninstance data {:016x}\nrandom scheme {}\n", identity.instance,
                       identity.fingerprint, identity.random_scheme) +
           trajectory;
}

}  // namespace

EarlierSession share_earlier_session(Processes& processes, EarlierSession read) {
    if (processes.alone()) return read;
    const std::vector<std::string> texts =
        processes.share(processes.leads() ? packed(read) : std::vector<std::string>());
    return processes.leads() ? std::move(read) : unpacked(texts);
}

void check_same_on_all(Processes& processes, const RunIdentity& identity, const std::string& trajectory) {
    const std::vector<std::string> all = processes.gather_texts(description_of(identity, trajectory));
    for (std::size_t p = 1; p < all.size(); ++p) {
        const std::string differences = line_differences(all.front(), all[p]);
        if (differences.empty()) continue;
        throw Error(
            ErrorKind::kUsage,
            fmt::format("process {} would follow another trajectory than process 0; lines with - are of process 0, "
                        "lines with + are of process {}:{}",
                        p, p, differences));
    }
}

}  // namespace qapfw::framework
