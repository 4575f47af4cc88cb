// SPDX-License-Identifier: Apache-2.0
// Declaring parameters, one line or two each:
//
//     static constexpr sdk::ParameterTable kParameters{
//         sdk::integer("size", 128).range(1, 1'000'000).unit("individuals").symbol("N").summary("Individuals."),
//         sdk::choice("crossover", "pmx", "pmx|ox").summary("Partially mapped crossover, or order crossover."),
//         sdk::size("round").or_auto().range(1, 1e9).unit("generations").summary("Generations of a round."),
//         sdk::text("instance").path().required().summary("The instance file.")};
//
// A wrong declaration does not compile. The compiler names a function of ParameterMistake, whose name says why.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "qapfw/abi/parameters.h"
#include "qapfw/error.hpp"

namespace qapfw::sdk {

/// Mistakes in a declaration; a function stands for each. The functions are not constexpr, so a table that is made at
/// compile time does not compile if it has a mistake.
struct ParameterMistake {
    using Name = std::string_view;  ///< name of a parameter
    /// @{
    /// `refuse` throws Error(kInternal) with the parameter and the mistake, at run time. Every other function has the
    /// name of a mistake, is called for a declaration with this mistake, and calls `refuse`.
    [[noreturn]] static void refuse(Name parameter, const char* wrong) {
        throw Error(ErrorKind::kInternal,
                    "the declaration of parameter '" + std::string(parameter) + "' is wrong: " + wrong);
    }
    [[noreturn]] static void name_is_not_snake_case(Name p) { refuse(p, "its name is not in snake_case"); }
    [[noreturn]] static void name_is_declared_twice(Name p) { refuse(p, "its name is declared twice"); }
    [[noreturn]] static void summary_is_missing(Name p) { refuse(p, "it has no summary"); }
    [[noreturn]] static void range_is_of_no_number(Name p) { refuse(p, "it has a range but is not a number"); }
    [[noreturn]] static void range_is_empty(Name p) { refuse(p, "its least value is above its largest"); }
    [[noreturn]] static void range_has_no_end(Name p) { refuse(p, "its range is not finite"); }
    [[noreturn]] static void range_from_0_to_0_means_none(Name p) {
        refuse(p, "its range is 0 to 0, which means no range");
    }
    [[noreturn]] static void choices_are_empty_or_repeated(Name p) {
        refuse(p, "its choices must be joined by '|', differ, and not be empty");
    }
    [[noreturn]] static void default_is_missing(Name p) {
        refuse(p, "it has no default, and none of required(), optional(), or_auto()");
    }
    [[noreturn]] static void default_is_never_used(Name p) {
        refuse(p, "it has a default, although it is required() or optional()");
    }
    [[noreturn]] static void default_is_outside_the_range(Name p) { refuse(p, "its default is outside its range"); }
    [[noreturn]] static void default_is_not_among_the_choices(Name p) {
        refuse(p, "its default is not among its choices");
    }
    [[noreturn]] static void default_is_no_size(Name p) {
        refuse(p, "its default is not of the form \"16n\" or \"n/4\"");
    }
    [[noreturn]] static void default_has_too_many_digits(Name p) {
        refuse(p, "its default is not finite or needs more than 15 digits");
    }
    [[noreturn]] static void path_is_of_no_text(Name p) { refuse(p, "it is marked path(), but it is not a text"); }
    [[noreturn]] static void both_required_and_optional(Name p) { refuse(p, "it is both required() and optional()"); }
    /// @}
};

/// A parameter in the making. integer(), real(), flag(), text(), choice(), size() and list() make one. Every member
/// function returns a copy with one more property.
class ParameterDeclaration {
  public:
    /// `type` is a QAPFW_PARAMETER_...; the name is in snake_case. All texts must live as long as the table: write them
    /// as string literals.
    constexpr ParameterDeclaration(const char* name, std::uint32_t type)
        : c_{name, type, 0, nullptr, 0, 0, nullptr, nullptr, nullptr, nullptr} {}

    /// Limits, inclusive, of an integer, a real number, or a size given as an integer. Default: no limits.
    constexpr ParameterDeclaration range(double least, double largest) const {
        ParameterDeclaration d = *this;
        d.has_range_ = true;
        d.c_.minimum = least;
        d.c_.maximum = largest;
        return d;
    }
    /// Sets the unit of the number, such as "iterations" or "seconds".
    constexpr ParameterDeclaration unit(const char* unit) const { return with(&qapfw_parameter::unit, unit); }
    /// Sets the symbol that the algorithm's paper uses for the parameter.
    constexpr ParameterDeclaration symbol(const char* symbol) const { return with(&qapfw_parameter::symbol, symbol); }
    /// Sets the help: a few sentences on the parameter's meaning; required.
    constexpr ParameterDeclaration summary(const char* sentence) const {
        return with(&qapfw_parameter::summary, sentence);
    }
    /// Accepts "auto", which is the default if no other is given. The plugin then chooses the value and reports it to
    /// the host.
    constexpr ParameterDeclaration or_auto() const { return with_flag(QAPFW_PARAMETER_AUTO); }
    /// The configuration must set the parameter.
    constexpr ParameterDeclaration required() const { return with_flag(QAPFW_PARAMETER_REQUIRED); }
    /// The configuration may leave out the parameter, see Parameters::present.
    constexpr ParameterDeclaration optional() const { return with_flag(QAPFW_PARAMETER_OPTIONAL); }
    /// The text names a file. Relative paths start at the configuration's folder.
    constexpr ParameterDeclaration path() const { return with_flag(QAPFW_PARAMETER_PATH); }

    /// The choices: different texts joined by '|'.
    constexpr ParameterDeclaration choices(const char* choices) const {
        return with(&qapfw_parameter::choices, choices);
    }
    /// The default as in TOML, without quotes; null: none.
    constexpr ParameterDeclaration default_text(const char* text) const {
        return with(&qapfw_parameter::default_text, text);
    }
    /// The default of an integer or a size.
    constexpr ParameterDeclaration default_integer(std::int64_t value) const {
        ParameterDeclaration d = *this;
        d.default_kind_ = DefaultKind::kInteger;
        d.integer_ = value;
        return d;
    }
    /// The default of a real number: finite, with at most 15 digits.
    constexpr ParameterDeclaration default_real(double value) const {
        ParameterDeclaration d = *this;
        d.default_kind_ = DefaultKind::kReal;
        d.real_ = value;
        return d;
    }

    /// The largest number of bytes for the text of a number's default, with the zero byte at its end.
    static constexpr std::size_t kMostDigits = 32;
    /// Checks the declaration and returns its C struct; `digits` stores the text of a number's default.
    constexpr qapfw_parameter finish(char (&digits)[kMostDigits]) const;

  private:
    enum class DefaultKind { kText, kInteger, kReal };

    constexpr ParameterDeclaration with(const char* qapfw_parameter::*member, const char* text) const {
        ParameterDeclaration d = *this;
        d.c_.*member = text;
        return d;
    }
    constexpr ParameterDeclaration with_flag(std::uint32_t flag) const {
        ParameterDeclaration d = *this;
        d.c_.flags |= flag;
        return d;
    }
    constexpr bool is(std::uint32_t flag) const { return (c_.flags & flag) != 0; }
    constexpr bool has_default() const { return default_kind_ != DefaultKind::kText || c_.default_text != nullptr; }
    constexpr void check_words() const;
    constexpr void check_range() const;
    constexpr void check_choices() const;
    constexpr void check_default() const;
    constexpr bool is_in_range(double value) const {
        return !has_range_ || (value >= c_.minimum && value <= c_.maximum);
    }
    constexpr void write_integer(char* to) const;
    constexpr void write_real(char* to) const;

    qapfw_parameter c_;
    bool has_range_ = false;
    DefaultKind default_kind_ = DefaultKind::kText;
    std::int64_t integer_ = 0;
    double real_ = 0;
};

/// An integer without a default: add required(), optional() or or_auto().
constexpr ParameterDeclaration integer(const char* name) {
    return {name, QAPFW_PARAMETER_INTEGER};
}
/// An integer with a default.
constexpr ParameterDeclaration integer(const char* name, std::int64_t value) {
    return integer(name).default_integer(value);
}
/// A real number without a default: add required(), optional() or or_auto().
constexpr ParameterDeclaration real(const char* name) {
    return {name, QAPFW_PARAMETER_REAL};
}
/// A real number with a default.
constexpr ParameterDeclaration real(const char* name, double value) {
    return real(name).default_real(value);
}
/// A flag, true or false, with a default.
constexpr ParameterDeclaration flag(const char* name, bool value) {
    return ParameterDeclaration{name, QAPFW_PARAMETER_BOOLEAN}.default_text(value ? "true" : "false");
}
/// A text. `value`: the default; if it is null, add required(), optional() or or_auto().
constexpr ParameterDeclaration text(const char* name, const char* value = nullptr) {
    return ParameterDeclaration{name, QAPFW_PARAMETER_TEXT}.default_text(value);
}
/// A choice among several texts. `choices`: these texts, joined by '|'. `value`: the default.
constexpr ParameterDeclaration choice(const char* name, const char* value, const char* choices) {
    return ParameterDeclaration{name, QAPFW_PARAMETER_CHOICE}.default_text(value).choices(choices);
}
/// @{
/// An integer, or a text relative to the problem's size n such as "16n" or "n/4". Problems cannot have such parameters.
/// `value`: the default, in either form; if it is null, add required(), optional() or or_auto().
constexpr ParameterDeclaration size(const char* name, const char* value = nullptr) {
    return ParameterDeclaration{name, QAPFW_PARAMETER_SIZE}.default_text(value);
}
template <std::integral Integer>
constexpr ParameterDeclaration size(const char* name, Integer value) {
    return size(name).default_integer(static_cast<std::int64_t>(value));
}
/// @}
/// An array of texts. `value` is the default, written as in TOML.
constexpr ParameterDeclaration list(const char* name, const char* value = nullptr) {
    return ParameterDeclaration{name, QAPFW_PARAMETER_LIST}.default_text(value);
}

/// The parameters of one component, in the order in which they are shown. Not copyable or movable: the C form
/// points to texts in this object.
template <std::size_t N>
class ParameterTable {
  public:
    /// Checks the declarations, and that no name occurs twice: see ParameterMistake.
    template <std::same_as<ParameterDeclaration>... Declarations>
    constexpr ParameterTable(const Declarations&... declarations) {
        std::size_t k = 0;
        ((parameters_[k] = declarations.finish(digits_[k]), ++k), ...);
        for (std::size_t later = 1; later < N; ++later) {
            for (std::size_t k2 = 0; k2 < later; ++k2) {
                const std::string_view name = parameters_[k2].name;
                if (name == parameters_[later].name) ParameterMistake::name_is_declared_twice(name);
            }
        }
    }
    ParameterTable(const ParameterTable&) = delete;
    ParameterTable& operator=(const ParameterTable&) = delete;

    constexpr std::size_t size() const { return N; }  ///< number of parameters
    /// @{
    /// The C form of the parameters, in the order of the declaration; valid as long as the table.
    constexpr const qapfw_parameter* data() const { return parameters_; }
    constexpr const qapfw_parameter* begin() const { return parameters_; }
    constexpr const qapfw_parameter* end() const { return parameters_ + N; }
    constexpr const qapfw_parameter& operator[](std::size_t k) const { return parameters_[k]; }
    /// @}

  private:
    qapfw_parameter parameters_[N]{};
    char digits_[N][ParameterDeclaration::kMostDigits]{};
};
/// N is the number of declarations.
template <class... Declarations>
ParameterTable(const Declarations&...) -> ParameterTable<sizeof...(Declarations)>;

constexpr void ParameterDeclaration::check_words() const {
    const std::string_view name = c_.name == nullptr ? "" : c_.name;
    bool plain = !name.empty() && name[0] >= 'a' && name[0] <= 'z';
    for (const char c : name) plain = plain && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
    if (!plain) ParameterMistake::name_is_not_snake_case(name);
    if (c_.summary == nullptr || *c_.summary == '\0') ParameterMistake::summary_is_missing(name);
    if (is(QAPFW_PARAMETER_PATH) && c_.type != QAPFW_PARAMETER_TEXT) ParameterMistake::path_is_of_no_text(name);
    if (is(QAPFW_PARAMETER_REQUIRED) && is(QAPFW_PARAMETER_OPTIONAL))
        ParameterMistake::both_required_and_optional(name);
}

constexpr void ParameterDeclaration::check_range() const {
    if (!has_range_) return;
    const bool number =
        c_.type == QAPFW_PARAMETER_INTEGER || c_.type == QAPFW_PARAMETER_REAL || c_.type == QAPFW_PARAMETER_SIZE;
    if (!number) ParameterMistake::range_is_of_no_number(c_.name);
    // An infinite bound or NaN, minus itself, is not 0.
    if (!(c_.minimum - c_.minimum == 0) || !(c_.maximum - c_.maximum == 0)) ParameterMistake::range_has_no_end(c_.name);
    if (c_.minimum > c_.maximum) ParameterMistake::range_is_empty(c_.name);
    if (c_.minimum == 0 && c_.maximum == 0) ParameterMistake::range_from_0_to_0_means_none(c_.name);
}

/// Calls visit for each of the texts joined by '|'.
constexpr void for_each_choice(const char* choices, auto&& visit) {
    std::string_view rest = choices == nullptr ? "" : choices;
    for (;;) {
        const std::size_t bar = rest.find('|');
        visit(rest.substr(0, bar));
        if (bar == std::string_view::npos) return;
        rest.remove_prefix(bar + 1);
    }
}

constexpr void ParameterDeclaration::check_choices() const {
    if (c_.type != QAPFW_PARAMETER_CHOICE) return;
    for_each_choice(c_.choices, [&](std::string_view wanted) {
        int found = 0;
        for_each_choice(c_.choices, [&](std::string_view other) { found += other == wanted ? 1 : 0; });
        if (wanted.empty() || found != 1) ParameterMistake::choices_are_empty_or_repeated(c_.name);
    });
}

/// True if a text has the form of "n", "16n", "n/4" or "16n/4", with any numbers from 1 to 999999999.
constexpr bool is_size_form(std::string_view text) {
    const std::size_t letter = text.find('n');
    if (letter == std::string_view::npos) return false;
    const auto is_factor = [](std::string_view digits) {
        bool fine = !digits.empty() && digits.size() <= 9 && digits[0] != '0';
        for (const char c : digits) fine = fine && c >= '0' && c <= '9';
        return fine;
    };
    const std::string_view before = text.substr(0, letter), after = text.substr(letter + 1);
    return (before.empty() || is_factor(before)) && (after.empty() || (after[0] == '/' && is_factor(after.substr(1))));
}

constexpr void ParameterDeclaration::check_default() const {
    if (is(QAPFW_PARAMETER_REQUIRED) || is(QAPFW_PARAMETER_OPTIONAL)) {
        if (has_default()) ParameterMistake::default_is_never_used(c_.name);
        return;
    }
    if (!has_default()) {
        if (!is(QAPFW_PARAMETER_AUTO)) ParameterMistake::default_is_missing(c_.name);
        return;
    }
    const bool fits = default_kind_ == DefaultKind::kInteger ? is_in_range(static_cast<double>(integer_))
                      : default_kind_ == DefaultKind::kReal  ? is_in_range(real_)
                                                             : true;
    if (!fits) ParameterMistake::default_is_outside_the_range(c_.name);
    if (default_kind_ != DefaultKind::kText) return;
    if (is(QAPFW_PARAMETER_AUTO) && std::string_view(c_.default_text) == "auto") return;
    if (c_.type == QAPFW_PARAMETER_SIZE && !is_size_form(c_.default_text))
        ParameterMistake::default_is_no_size(c_.name);
    if (c_.type != QAPFW_PARAMETER_CHOICE) return;
    bool found = false;
    for_each_choice(c_.choices, [&](std::string_view one) { found = found || one == c_.default_text; });
    if (!found) ParameterMistake::default_is_not_among_the_choices(c_.name);
}

/// Writes `value` in decimal, with leading zeros if it has fewer than `width` digits. `width` is at most 20. Returns
/// the end of the written digits.
constexpr char* write_digits(std::uint64_t value, int width, char* to) {
    char backwards[20]{};
    int count = 0;
    for (; value > 0 || count < width; value /= 10) backwards[count++] = static_cast<char>('0' + value % 10);
    while (count > 0) *to++ = backwards[--count];
    return to;
}

constexpr void ParameterDeclaration::write_integer(char* to) const {
    if (integer_ < 0) *to++ = '-';
    const auto magnitude = static_cast<std::uint64_t>(integer_);
    *write_digits(integer_ < 0 ? 0 - magnitude : magnitude, 1, to) = '\0';
}

/// Writes the default value as the shortest decimal that reads as the same number. Each candidate is an integer divided
/// by a power of ten. Both are exact as doubles, so the quotient is the double that parsing the decimal gives.
constexpr void ParameterDeclaration::write_real(char* to) const {
    constexpr double kExact = 1e15;
    const double magnitude = real_ < 0 ? -real_ : real_;
    if (real_ < 0) *to++ = '-';
    double power = 1;
    for (int decimals = 0; decimals <= 22 && magnitude * power < kExact; ++decimals, power *= 10) {
        const auto digits = static_cast<std::uint64_t>(magnitude * power + 0.5);
        if (static_cast<double>(digits) / power != magnitude) continue;
        if (magnitude != 0 && magnitude < 1e-4) {
            to = write_digits(digits, 1, to);
            *to++ = 'e';
            *to++ = '-';
            *write_digits(static_cast<std::uint64_t>(decimals), 1, to) = '\0';
            return;
        }
        const auto unit = static_cast<std::uint64_t>(power);
        to = write_digits(digits / unit, 1, to);
        if (decimals > 0) {
            *to++ = '.';
            to = write_digits(digits % unit, decimals, to);
        }
        *to = '\0';
        return;
    }
    ParameterMistake::default_has_too_many_digits(c_.name);
}

constexpr qapfw_parameter ParameterDeclaration::finish(char (&digits)[kMostDigits]) const {
    check_words();
    check_range();
    check_choices();
    check_default();
    qapfw_parameter c = c_;
    if (default_kind_ == DefaultKind::kInteger) write_integer(digits);
    if (default_kind_ == DefaultKind::kReal) write_real(digits);
    if (default_kind_ != DefaultKind::kText) c.default_text = digits;
    if (!has_default() && is(QAPFW_PARAMETER_AUTO)) c.default_text = "auto";
    return c;
}

}  // namespace qapfw::sdk
