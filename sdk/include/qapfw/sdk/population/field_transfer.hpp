// SPDX-License-Identifier: Apache-2.0
// The code that populations on the host and on devices have in common: it exchanges fields between places and
// processes, saves and loads fields, and merges reports.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "qapfw/sdk/population/fields.hpp"
#include "qapfw/sdk/population/processes.hpp"
#include "qapfw/sdk/population/report.hpp"
#include "qapfw/sdk/population/settings.hpp"

namespace qapfw::sdk {

namespace detail {

/// Base of PopulationOnHost and PopulationOnDevices: shares, saves and loads fields. `Own`: the derived class, which
/// has places(), synchronize() and mark().
template <class View, class Own>
class FieldTransfer {
  public:
    using Id = typename Fields<View>::Id;

    FieldTransfer(const PopulationSettings& settings, const Fields<View>& fields, const Run& run)
        : settings_(settings),
          fields_(fields),
          run_(run),
          processes_(run),
          shard_(processes_.share_of(settings.shape)) {}

    const Processes& processes() const { return processes_; }
    const PopulationSettings& settings() const { return settings_; }
    const Run& run() const { return run_; }
    /// The groups of this process.
    const Shard& shard() const { return shard_; }

    void share(std::initializer_list<Id> ids) { share(std::span<const Id>(ids.begin(), ids.size())); }
    void share(std::span<const Id> ids) {
        auto& own = static_cast<Own&>(*this);
        if (processes_.alone() && own.places().size() == 1) return;
        for (const Id id : ids) {
            gather(id, false);
            for (auto& place : own.places()) place->write_all(id, whole_);
            own.synchronize();  // all places must have read whole_ before the next field overwrites it
        }
    }
    /// Merges the reports of all processes, see merged().
    RoundReport merge(RoundReport own) const { return merged(processes_, settings_.problem, std::move(own)); }

    /// Saves the state: as it was at the last mark if `marked` is true, else as it is now.
    void save(Writer& writer, bool marked) {
        for (Id id = 0; id < fields_.size(); ++id) {
            if (!fields_[id].options.is_state || !fields_[id].options.is_saved) continue;
            gather(id, marked);
            writer.array(whole_);
        }
    }
    void load(Reader& reader) {
        auto& own = static_cast<Own&>(*this);
        for (Id id = 0; id < fields_.size(); ++id) {
            if (!fields_[id].options.is_state || !fields_[id].options.is_saved) continue;
            reader.array(whole_, bytes_in_run(id));
            if (fields_[id].options.is_solution) check_solutions();
            for (auto& place : own.places()) place->write(id, own_part(whole_, fields_[id], place->shard()));
            own.synchronize();
        }
        own.mark();
    }

    /// The elements of a field for all groups of the run. All processes must call it together.
    template <class T>
    std::vector<T> values(Id id) {
        gather(id, false);
        std::vector<T> all(whole_.size() / sizeof(T));
        std::memcpy(all.data(), whole_.data(), whole_.size());
        return all;
    }

  private:
    /// Lets the problem check all loaded solutions, since a saved state may be damaged.
    void check_solutions() {
        const std::uint64_t bytes = settings_.bytes(), count = whole_.size() / bytes;
        constexpr std::uint64_t kBatch = 64;
        settings_.host.parallel_for((count + kBatch - 1) / kBatch, [&](std::uint64_t batch, std::uint32_t) {
            const std::uint64_t first = batch * kBatch, here = std::min(kBatch, count - first);
            qapfw_cost costs[kBatch];
            settings_.problem.evaluate({whole_.data() + first * bytes, costs, here});
        });
    }
    std::uint64_t bytes_in_run(Id id) const {
        const std::uint64_t each = fields_[id].bytes_of_each();
        return (fields_[id].options.of == FieldOf::kIndividual ? settings_.shape.individuals()
                                                               : settings_.shape.groups) *
               each;
    }
    /// Gathers a field for all groups of the run into whole_. All processes must call it together.
    void gather(Id id, bool marked) {
        auto& own = static_cast<Own&>(*this);
        whole_.resize(bytes_in_run(id));
        for (auto& place : own.places()) place->read(id, own_part(whole_, fields_[id], place->shard()), marked);
        own.synchronize();
        const auto part = own_part(whole_, fields_[id], shard_);
        processes_.gather(whole_, static_cast<std::uint64_t>(part.data() - whole_.data()), part.size());
    }

  protected:
    const PopulationSettings& settings_;
    const Fields<View>& fields_;
    const Run& run_;
    Processes processes_;
    Shard shard_;
    std::vector<unsigned char> whole_;
};

}  // namespace detail

}  // namespace qapfw::sdk
