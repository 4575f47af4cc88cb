// SPDX-License-Identifier: Apache-2.0
#include "framework/record/checkpoint.hpp"

#include <fmt/core.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "framework/host/any_bytes.hpp"
#include "framework/record/json_parts.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr char kMagic[8] = {'Q', 'A', 'P', 'F', 'W', 'C', 'K', '1'};
constexpr std::size_t kPrefixBytes = sizeof kMagic + 2 * sizeof(std::uint64_t);
constexpr std::size_t kHashBytes = 16;
constexpr const char* kFile = "checkpoint.bin";
constexpr const char* kPreviousFile = "checkpoint.previous.bin";

std::string hash_of(std::string_view bytes) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
    return std::string(reinterpret_cast<const char*>(canonical.digest), kHashBytes);
}

std::string header_text(const Checkpoint& checkpoint) {
    JsonWriter json(JsonWriter::Layout::kOneLine);
    json.put("schema_version", kRecordSchemaVersion);
    json.put("seed", checkpoint.seed);
    json.put("trajectory", checkpoint.trajectory);
    write_plugins(json, checkpoint.identity.plugins);
    json.put("instance", checkpoint.identity.instance);
    json.put("fingerprint", hex_text(checkpoint.identity.fingerprint));
    json.put("backend", checkpoint.identity.backend);
    json.put("random_scheme", checkpoint.identity.random_scheme);
    json.put("cost_kind", checkpoint.costs.kind);
    json.put("sense", checkpoint.costs.sense);
    json.put("divisor", checkpoint.costs.divisor);
    json.put("rounds", checkpoint.counters.rounds);
    json.put("iterations", checkpoint.counters.iterations);
    json.put("evaluations", checkpoint.counters.evaluations);
    json.put("digest", hex_text(checkpoint.counters.digest));
    json.put("last_improvement", checkpoint.last_improvement);
    json.put("seconds", checkpoint.seconds);
    json.put("wall_seconds", checkpoint.wall_seconds);
    json.put("seconds_at_improvement", checkpoint.seconds_at_improvement);
    write_best_found(json, "found", checkpoint.found);
    write_solutions(json, checkpoint.costs, checkpoint.solutions);
    write_statistics(json, checkpoint.statistics);
    json.put("trace_bytes", checkpoint.trace_bytes);
    if (checkpoint.trace_hash) json.put("trace_hash", hex_text(*checkpoint.trace_hash));
    json.put("resumes", checkpoint.resumes);
    json.put_texts("data_paths", bytes_to_utf8(checkpoint.data_paths));
    return std::move(json).finish();
}

void parse_identity(const ParsedJson& json, Checkpoint& checkpoint) {
    checkpoint.identity.plugins = parse_plugins(json.at("plugins"));
    checkpoint.identity.instance = json.at("instance");
    checkpoint.identity.fingerprint = parse_hex(json.at("fingerprint"));
    checkpoint.identity.backend = json.at("backend");
    checkpoint.identity.random_scheme = json.at("random_scheme");
}

Checkpoint parse_header(const ParsedJson& json) {
    Checkpoint checkpoint;
    if (json.at("schema_version") != kRecordSchemaVersion) {
        throw Error(ErrorKind::kInput,
                    fmt::format("wanted schema_version {}, found {}; resume with the qapfw that wrote the checkpoint",
                                kRecordSchemaVersion, json.at("schema_version").dump()));
    }
    parse_identity(json, checkpoint);
    checkpoint.seed = json.at("seed");
    checkpoint.trajectory = json.at("trajectory");
    checkpoint.costs.kind = json.at("cost_kind");
    checkpoint.costs.sense = json.at("sense");
    checkpoint.costs.divisor = json.at("divisor");
    const std::string defect = checkpoint.costs.defect();
    if (!defect.empty()) throw Error(ErrorKind::kInput, defect);
    checkpoint.counters.rounds = json.at("rounds");
    checkpoint.counters.iterations = json.at("iterations");
    checkpoint.counters.evaluations = json.at("evaluations");
    checkpoint.counters.digest = parse_hex(json.at("digest"));
    checkpoint.last_improvement = json.at("last_improvement");
    checkpoint.seconds = json.at("seconds");
    checkpoint.wall_seconds = json.at("wall_seconds");
    checkpoint.seconds_at_improvement = json.at("seconds_at_improvement");
    checkpoint.found = parse_best_found(json.at("found"));
    checkpoint.solutions = parse_solutions(checkpoint.costs, json.at("solutions"));
    checkpoint.statistics = json.at("statistics").get<std::map<std::string, double>>();
    checkpoint.trace_bytes = json.at("trace_bytes");
    if (json.contains("trace_hash")) checkpoint.trace_hash = parse_hex(json.at("trace_hash"));
    checkpoint.resumes = json.value("resumes", 0u);
    checkpoint.data_paths = utf8_to_bytes(json.value("data_paths", std::vector<std::string>()));
    return checkpoint;
}

std::uint64_t read_size(const std::string& bytes, std::size_t offset) {
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data() + offset, sizeof size);
    return size;
}

void append_size(std::string& bytes, std::uint64_t size) {
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
}

/// Throws if sizes or hash are wrong. Otherwise header and state lie within `bytes`.
void check_frame(const std::string& bytes, const std::string& where) {
    const auto refuse = [&](const char* what) {
        throw Error(ErrorKind::kInput, fmt::format("{}: {} ({} bytes)", where, what, bytes.size()));
    };
    if (bytes.size() < kPrefixBytes + kHashBytes) refuse("too short for a checkpoint");
    if (std::memcmp(bytes.data(), kMagic, sizeof kMagic) != 0) refuse("not a checkpoint");
    const std::string_view content(bytes.data(), bytes.size() - kHashBytes);
    if (hash_of(content) != bytes.substr(content.size())) refuse("the checkpoint is damaged: its hash does not match");
    const std::uint64_t header = read_size(bytes, sizeof kMagic);
    const std::uint64_t room = content.size() - kPrefixBytes;
    if (header > room || read_size(bytes, sizeof kMagic + 8) != room - header)
        refuse("the sizes of the checkpoint's parts do not add up to the file's size");
}

}  // namespace

std::string frame_checkpoint(std::string_view header, std::string_view state) {
    std::string bytes(kMagic, sizeof kMagic);
    bytes.reserve(kPrefixBytes + header.size() + state.size() + kHashBytes);
    append_size(bytes, header.size());
    append_size(bytes, state.size());
    bytes += header;
    bytes += state;
    return bytes + hash_of(bytes);
}

std::string encode_checkpoint(const Checkpoint& checkpoint) {
    return frame_checkpoint(header_text(checkpoint),
                            {reinterpret_cast<const char*>(checkpoint.state.data()), checkpoint.state.size()});
}

Checkpoint decode_checkpoint(const std::string& bytes, const std::string& where) {
    check_frame(bytes, where);
    const std::uint64_t header_size = read_size(bytes, sizeof kMagic);
    const char* header = bytes.data() + kPrefixBytes;
    try {
        Checkpoint checkpoint = parse_header(ParsedJson::parse(header, header + header_size));
        const auto* state = reinterpret_cast<const std::byte*>(header + header_size);
        checkpoint.state.assign(state, state + read_size(bytes, sizeof kMagic + 8));
        return checkpoint;
    } catch (const Json::exception& error) {
        throw Error(ErrorKind::kInput, fmt::format("{}: {}", where, error.what()));
    } catch (const Error& error) {
        throw Error(ErrorKind::kInput, fmt::format("{}: {}", where, error.what()));
    }
}

void save_checkpoint(const Folder& folder, const Checkpoint& checkpoint, bool keep_last) {
    const std::string bytes = encode_checkpoint(checkpoint);
    if (keep_last) {
        folder.replace_keeping(kFile, kPreviousFile, bytes);
    } else {
        folder.replace(kFile, bytes, Durability::kPower);
    }
}

LoadedCheckpoint load_checkpoint(const Folder& folder, const std::function<std::string(const Checkpoint&)>& defect) {
    LoadedCheckpoint loaded;
    for (const char* name : {kFile, kPreviousFile}) {
        if (!folder.exists(name)) continue;
        const std::string where = (folder.path() / name).string();
        try {
            Checkpoint checkpoint = decode_checkpoint(folder.read(name), where);
            const std::string wrong = defect(checkpoint);
            if (!wrong.empty()) throw Error(ErrorKind::kInput, fmt::format("{}: {}", where, wrong));
            loaded.checkpoint = std::move(checkpoint);
            return loaded;
        } catch (const Error& error) {
            loaded.warnings.emplace_back(error.what());
        }
    }
    return loaded;
}

}  // namespace qapfw::framework
