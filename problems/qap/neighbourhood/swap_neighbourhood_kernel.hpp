// SPDX-License-Identifier: Apache-2.0
// The kernel types of every element width on the vectors of one instruction set, and the tables of functions made from
// these types. This text is included once by each translation unit of an instruction set; everything is local to that
// unit.
#pragma once

#include "problems/qap/neighbourhood/swap_data.hpp"
#include "problems/qap/neighbourhood/swap_neighbourhood_apply.hpp"

namespace qapfw::qap {
namespace {

/// Functions that multiply and unpack vectors of 32-bit or 64-bit words. A word holds one, two or four matrix entries.
/// `V_`: the vectors of an instruction set.
template <class V_, SwapWidth kWidth, bool kAsymmetric_>
struct Kernel {
    using V = V_;
    using Vec = typename V::Vec;
    using T = typename V::T;
    static constexpr bool kAsymmetric = kAsymmetric_;
    static constexpr bool kPacked = kWidth == SwapWidth::k8 || kWidth == SwapWidth::k16;
    static constexpr bool kBytes = kWidth == SwapWidth::k8;
    static constexpr bool kShorts = kWidth == SwapWidth::k16 || kWidth == SwapWidth::k16Wide;
    static constexpr uint32_t kElements = kBytes ? 4 : kShorts ? 2 : 1;
    static constexpr uint32_t kBits = 32 / kElements;

    /// `sum` plus the products of the elements of two words, one of matrix a and one of matrix b.
    static inline Vec dot(Vec sum, Vec a, Vec b) {
        if constexpr (kBytes)
            return V::dot8(sum, a, b);
        else if constexpr (kShorts)
            return V::dot16(sum, a, b);
        else
            return V::add(sum, V::mul(a, b));
    }
    static inline Vec element_a(Vec word, uint32_t index) {
        if constexpr (kBytes)
            return V::bit_and(V::shift_right(word, index * kBits), V::set1(255));
        else
            return element_b(word, index);
    }
    static inline Vec element_b(Vec word, uint32_t index) {
        if constexpr (kElements > 1)
            return V::shift_right_signed(V::shift_left(word, 32 - kBits - index * kBits), 32 - kBits);
        else
            return word;
    }
    static inline Vec only(Vec bits) {
        if constexpr (kElements > 1) return V::bit_and(bits, V::set1((1 << kBits) - 1));
        return bits;
    }
    static inline Vec shift_to(Vec bits, uint32_t index) {
        if constexpr (kElements > 1) return V::shift_left(bits, index * kBits);
        return bits;
    }
    static inline Vec pack(Vec low, Vec high) {
        return V::bit_or(V::bit_and(low, V::set1(0xFFFF)), V::shift_left(high, 16));
    }
};

template <class K>
constexpr SwapKernels kKernelsOf = {Exchange<K>::build, scan<K>, Exchange<K>::apply, first_improving<K>};

template <class V, SwapWidth kWidth>
const SwapKernels* kernels_of(bool asymmetric) {
    return asymmetric ? &kKernelsOf<Kernel<V, kWidth, true>> : &kKernelsOf<Kernel<V, kWidth, false>>;
}

/// The functions for entries and tables of `width`. V32 and V64 are vectors of int32 and int64. V64Narrow is V64 for
/// products of two factors that fit 32 bits.
template <class V32, class V64, class V64Narrow>
const SwapKernels* kernels(SwapWidth width, bool asymmetric) {
    switch (width) {
        case SwapWidth::k8:
            return kernels_of<V32, SwapWidth::k8>(asymmetric);
        case SwapWidth::k16:
            return kernels_of<V32, SwapWidth::k16>(asymmetric);
        case SwapWidth::k16Wide:
            return kernels_of<V32, SwapWidth::k16Wide>(asymmetric);
        case SwapWidth::k32:
            return kernels_of<V32, SwapWidth::k32>(asymmetric);
        case SwapWidth::k64Narrow:
            return kernels_of<V64Narrow, SwapWidth::k64Narrow>(asymmetric);
        case SwapWidth::k64:
            break;
    }
    return kernels_of<V64, SwapWidth::k64>(asymmetric);
}

}  // namespace
}  // namespace qapfw::qap
