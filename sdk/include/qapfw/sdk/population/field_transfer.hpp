// SPDX-License-Identifier: Apache-2.0
// What populations on the host and on devices do alike: fields are shared between the places of a process and the other
// processes, saved and loaded; reports become one.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "qapfw/sdk/population/fields.hpp"
#include "qapfw/sdk/population/processes.hpp"
#include "qapfw/sdk/population/report.hpp"
#include "qapfw/sdk/population/settings.hpp"

namespace qapfw::sdk {

namespace detail {

/// What both kinds of populations do alike. `Own` has places().
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
        if (processes_.asynchronous()) return share_latest(ids);
        for (const Id id : ids) {
            gather(id, false);
            for (auto& place : own.places()) place->write_all(id, whole_);
            own.synchronize();  // before whole_ changes
        }
    }
    /// Adds up the reports of all processes; the best leader is everybody's then. In an asynchronous run each process
    /// reports for itself.
    RoundReport merge(RoundReport own) const {
        if (processes_.alone() || processes_.asynchronous()) return own;
        const CostLess less = settings_.problem.less();
        const std::uint64_t bytes = settings_.bytes();
        struct Told {
            std::uint64_t digest, evaluations, exists, found, number;
            qapfw_cost cost;
        };
        const Leader& leader = own.leader;
        const auto told = processes_.gather_values(
            Told{own.digest, own.evaluations, leader.exists() ? 1u : 0u, leader.found, leader.number, leader.cost});
        std::vector<unsigned char> solutions(processes_.count() * bytes);
        if (leader.exists())
            std::copy(leader.solution.begin(), leader.solution.end(),
                      solutions.begin() + static_cast<std::ptrdiff_t>(processes_.rank() * bytes));
        processes_.gather(solutions, processes_.rank() * bytes, bytes);
        RoundReport all;
        for (std::size_t p = 0; p < told.size(); ++p) {
            all.digest += told[p].digest;
            all.evaluations += told[p].evaluations;
            if (told[p].exists == 0) continue;
            const auto at = solutions.begin() + static_cast<std::ptrdiff_t>(p * bytes);
            Leader one{{at, at + static_cast<std::ptrdiff_t>(bytes)}, told[p].cost, told[p].found, told[p].number};
            if (one.leads(all.leader, less)) all.leader = std::move(one);
        }
        return all;
    }

    /// The marked state where `marked` is set.
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

    /// A field of all groups of the run, at every process. In an asynchronous run groups of other processes have what
    /// was shared last; in a field that is not shared, values of own groups.
    template <class T>
    std::vector<T> values(Id id) {
        if (!processes_.asynchronous()) {
            gather(id, false);
        } else if (const auto known = shared_.find(id); known != shared_.end()) {
            whole_ = known->second;
            read_own(id, false);
        } else {
            read_own(id, false);
            fill_with_own(id);
        }
        std::vector<T> all(whole_.size() / sizeof(T));
        std::memcpy(all.data(), whole_.data(), whole_.size());
        return all;
    }

  private:
    /// A saved state may be damaged: the problem refuses what is no solution.
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
    /// The part of this process into whole_.
    void read_own(Id id, bool marked) {
        auto& own = static_cast<Own&>(*this);
        whole_.resize(bytes_in_run(id));
        for (auto& place : own.places()) place->read(id, own_part(whole_, fields_[id], place->shard()), marked);
        own.synchronize();
    }
    /// The field of all groups of the run into whole_.
    void gather(Id id, bool marked) {
        read_own(id, marked);
        const auto part = own_part(whole_, fields_[id], shard_);
        processes_.gather(whole_, static_cast<std::uint64_t>(part.data() - whole_.data()), part.size());
    }
    /// In whole_ the parts of groups of other processes become those of own groups, in turn.
    void fill_with_own(Id id) {
        if (shard_.groups == 0) return;
        for (std::uint32_t group = 0; group < settings_.shape.groups; ++group) {
            const std::uint32_t same = shard_.first_group + group % shard_.groups;
            if (group - shard_.first_group < shard_.groups) continue;
            const auto from = own_part(whole_, fields_[id], {same, 1, shard_.size});
            std::memcpy(own_part(whole_, fields_[id], {group, 1, shard_.size}).data(), from.data(), from.size());
        }
    }
    /// One message holds what a process has in all of the fields, so that it is of one moment. What has not arrived yet
    /// is filled with own groups'. The first field's number is the channel.
    void share_latest(std::span<const Id> ids) {
        std::vector<unsigned char>& all = latest_[ids.front()];
        const bool is_first = all.empty();
        std::uint64_t of_group = 0;
        for (const Id id : ids) of_group += fields_[id].bytes_of_each();
        all.resize(of_group * settings_.shape.groups);
        for (const Id id : ids) {
            read_own(id, false);
            if (is_first) fill_with_own(id);
            for_parts(ids, id, all, [&](std::uint32_t p, unsigned char* packed, std::span<unsigned char> part) {
                if (is_first || p == processes_.rank()) std::copy(part.begin(), part.end(), packed);
            });
        }
        processes_.gather_latest(static_cast<std::uint32_t>(ids.front()), all, of_group * shard_.first_group,
                                 of_group * shard_.groups);
        auto& own = static_cast<Own&>(*this);
        for (const Id id : ids) {
            whole_.resize(bytes_in_run(id));
            for_parts(ids, id, all, [](std::uint32_t, const unsigned char* packed, std::span<unsigned char> part) {
                std::copy_n(packed, part.size(), part.begin());
            });
            for (auto& place : own.places()) place->write_all(id, whole_);
            own.synchronize();  // before whole_ changes
            shared_[id] = whole_;
        }
    }
    /// `packed` has a part for each process, and in it one for each of the fields: body(process, the one of field
    /// `wanted`, its place in whole_).
    template <class Body>
    void for_parts(std::span<const Id> ids, Id wanted, std::vector<unsigned char>& packed, const Body& body) {
        std::uint64_t at = 0;
        for (std::uint32_t p = 0; p < processes_.count(); ++p) {
            const Shard shard = part_of({0, settings_.shape.groups, settings_.shape.size}, p, processes_.count());
            for (const Id id : ids) {
                if (id == wanted) body(p, packed.data() + at, own_part(whole_, fields_[id], shard));
                at += shard.groups * fields_[id].bytes_of_each();
            }
        }
    }

  protected:
    const PopulationSettings& settings_;
    const Fields<View>& fields_;
    const Run& run_;
    Processes processes_;
    Shard shard_;
    std::vector<unsigned char> whole_;
    std::map<Id, std::vector<unsigned char>> latest_;  ///< messages of share_latest, by channel
    std::map<Id, std::vector<unsigned char>> shared_;  ///< fields after share_latest
};

}  // namespace detail

}  // namespace qapfw::sdk
