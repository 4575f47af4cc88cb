// SPDX-License-Identifier: Apache-2.0
// The fields of a population: arrays that a solver declares once. The engine then knows how to allocate the fields on
// the host and on GPUs, how to save, load and mark them, and which part belongs to each shard. Terms: an individual is
// one solution and its data. A group (island, subpopulation, colony, grid) is a fixed number of individuals that work
// together. A shard is a contiguous range of the run's groups. A place holds one shard, in the host memory of a process
// or on a GPU. A mark is a copy of the state to which a run can go back.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "qapfw/error.hpp"

namespace qapfw::sdk {

/// Number and size of the groups of a run.
struct PopulationShape {
    std::uint32_t groups = 1;                                    ///< at least 1
    std::uint32_t size = 1;                                      ///< number of individuals of one group, at least 1
    std::uint32_t individuals() const { return groups * size; }  ///< number of all individuals; below 2^32
};

/// Groups first_group .. first_group + groups - 1 of the run.
struct Shard {
    std::uint32_t first_group = 0;  ///< number of the shard's first group in the run
    std::uint32_t groups = 1;       ///< number of the shard's groups; may be 0
    std::uint32_t size = 1;         ///< number of individuals of one group
    /// The number that the shard's first individual has in the whole run.
    std::uint32_t first_individual() const { return first_group * size; }
    std::uint32_t individuals() const { return groups * size; }  ///< number of the shard's individuals
};

/// Cuts the groups of `whole` into `parts` contiguous parts, whose sizes differ by at most one group. Returns part
/// number `part`, counted from 0.
inline Shard part_of(const Shard& whole, std::uint64_t part, std::uint64_t parts) {
    const auto begin = static_cast<std::uint32_t>(whole.groups * part / parts);
    const auto end = static_cast<std::uint32_t>(whole.groups * (part + 1) / parts);
    return {whole.first_group + begin, end - begin, whole.size};
}

/// The owner of each of a field's elements.
enum class FieldOf : std::uint8_t {
    kIndividual,  ///< every individual of the shard
    kGroup,       ///< every group of the shard
    kRun,         ///< every group of the run; each place has all elements, so that groups can exchange data by `share`
    kPlace        ///< the place, which has the elements once
};

/// Options of a field.
struct FieldOptions {
    FieldOf of = FieldOf::kIndividual;  ///< owner of the elements, see FieldOf
    std::uint64_t count = 1;            ///< number of elements of each owner: individual, group or place
    bool is_state = false;       ///< part of the state: marked, reverted, saved and loaded; false: scratch memory
    bool is_saved = true;        ///< only for state: true if the field is also saved, not only marked and reverted
    bool is_apart = false;       ///< only for state: has a buffer of its own on a GPU, as DevicePlace::swap requires
    std::uint8_t fresh = 0;      ///< value of every byte before the run begins
    bool is_for_device = false;  ///< scratch memory that steps on the host do not need
    bool is_solution = false;    ///< only for state: the elements are solutions; the problem checks them after loading
    bool is_for_saving = false;  ///< only for state: on the host it has memory only while the state is saved or loaded
};

/// The declared fields of a population. `View` is a trivially copyable struct with a pointer for each field, for steps
/// and kernels.
template <class View>
class Fields {
    static_assert(std::is_trivially_copyable_v<View>, "View must be trivially copyable: kernels get it as bytes");

  public:
    using Id = std::size_t;  ///< identifies a field: index of its declaration

    /// A declared field.
    struct Field {
        FieldOptions options;                 ///< options as they were declared
        std::uint32_t element_bytes;          ///< bytes of one element
        void (*point)(View&, void* address);  ///< sets the view's pointer to the address
        std::vector<unsigned char> content;   ///< values of a constant
        /// Bytes of the elements of one owner (individual, group or place).
        std::uint64_t bytes_of_each() const { return options.count * element_bytes; }
    };

    /// Declares a field whose pointer is a member of the view, or a member of a member: add<&View::costs>(options) or
    /// add<&View::pools, &Pools::costs>(options). Throws Error(kPlugin) if a field of a place (kPlace) is state.
    template <auto... kPath>
    requires(sizeof...(kPath) > 0) Id add(const FieldOptions& options) {
        return add(
            options, [](View & v) -> auto& { return (v.*....*kPath); });
    }
    /// Declares a field. `access` is a lambda without captures that returns a reference to the view's pointer to the
    /// field, such as [](View& v) -> auto& { return v.costs; }
    template <class Access>
    Id add(const FieldOptions& options, Access access) {
        using Pointer = std::remove_reference_t<decltype(access(std::declval<View&>()))>;
        static_assert(std::is_pointer_v<Pointer>, "the lambda must return a reference to a pointer of the view");
        using Element = std::remove_pointer_t<Pointer>;
        static_assert(std::is_trivially_copyable_v<Element>,
                      "a field's elements are copied as bytes, so they must be trivially copyable");
        if (options.of == FieldOf::kPlace && options.is_state) {
            throw Error(ErrorKind::kPlugin, "field " + std::to_string(fields_.size()) +
                                                " of a population belongs to a place and is saved as state, but a run "
                                                "may be resumed at other places; declare the field for individuals, "
                                                "groups or the run");
        }
        fields_.push_back({options,
                           sizeof(Element),
                           [](View& view, void* address) { Access{}(view) = static_cast<Pointer>(address); },
                           {}});
        return fields_.size() - 1;
    }

    /// @{
    /// Declares an array that is the same at every place and never changes; `values` are copied. Name the view's
    /// pointer to the array in the same way as for add().
    template <auto... kPath, class Element>
    requires(sizeof...(kPath) > 0) Id constant(const std::vector<Element>& values) {
        return constant(
            [](View & v) -> auto& { return (v.*....*kPath); }, values);
    }
    template <class Access, class Element>
    Id constant(Access access, const std::vector<Element>& values) {
        const Id id = add({.of = FieldOf::kPlace, .count = values.size()}, access);
        fields_[id].content.resize(values.size() * sizeof(Element));
        if (!values.empty()) std::memcpy(fields_[id].content.data(), values.data(), fields_[id].content.size());
        return id;
    }
    /// @}
    /// @{

    /// The fields in the order of their declarations; valid until another field is declared.
    const Field& operator[](Id id) const { return fields_[id]; }
    auto begin() const { return fields_.begin(); }
    auto end() const { return fields_.end(); }
    /// @}
    std::size_t size() const { return fields_.size(); }  ///< number of declared fields

  private:
    std::vector<Field> fields_;
};

/// Number of owners (see FieldOf) for which a field has elements, at the place of `shard`.
template <class Field>
std::uint64_t units_of(const Field& field, const Shard& shard, const PopulationShape& shape) {
    switch (field.options.of) {
        case FieldOf::kIndividual:
            return shard.individuals();
        case FieldOf::kGroup:
            return shard.groups;
        case FieldOf::kRun:
            return shape.groups;
        default:
            return 1;
    }
}

/// The bytes of a field that belong to the shard's own groups, within an array of the whole run.
template <class Field>
std::span<unsigned char> own_part(std::vector<unsigned char>& whole, const Field& field, const Shard& shard) {
    const std::uint64_t each = field.bytes_of_each();
    if (field.options.of == FieldOf::kIndividual) {
        return {whole.data() + shard.first_individual() * each, shard.individuals() * each};
    }
    return {whole.data() + shard.first_group * each, shard.groups * each};
}

}  // namespace qapfw::sdk
