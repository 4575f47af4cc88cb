// SPDX-License-Identifier: Apache-2.0
// True if this build has a sanitizer. Tests then run shorter searches, because later steps of a search use the same
// memory as earlier steps. Claims about the quality of long searches are only checked in other builds:
// TEST_CASE("..." * doctest::skip(qapfw::kSanitized)).
#pragma once

namespace qapfw {

#if defined(QAPFW_ADDRESS_SANITIZER) || defined(QAPFW_THREAD_SANITIZER)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// True if this build has the thread sanitizer. Such a build skips long cases with one thread:
/// TEST_CASE("..." * doctest::skip(qapfw::kThreadsAlone)).
#if defined(QAPFW_THREAD_SANITIZER)
inline constexpr bool kThreadsAlone = true;
#else
inline constexpr bool kThreadsAlone = false;
#endif

}  // namespace qapfw
