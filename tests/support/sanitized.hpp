// SPDX-License-Identifier: Apache-2.0
// Whether this build has a sanitizer. Searches are shorter there: their later steps read the same memory. Claims about
// the quality of long searches are checked only in other builds: TEST_CASE("..." * doctest::skip(qapfw::kSanitized)).
#pragma once

namespace qapfw {

#if defined(QAPFW_ADDRESS_SANITIZER) || defined(QAPFW_THREAD_SANITIZER)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Whether only threads are looked at. Long cases with one thread are left out there:
/// TEST_CASE("..." * doctest::skip(qapfw::kThreadsAlone)).
#if defined(QAPFW_THREAD_SANITIZER)
inline constexpr bool kThreadsAlone = true;
#else
inline constexpr bool kThreadsAlone = false;
#endif

}  // namespace qapfw
