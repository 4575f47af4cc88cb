# SPDX-License-Identifier: Apache-2.0
# Third-party libraries. Only SQLite and zlib are linked; of the others only headers are used. So the installed program
# needs nothing else beyond the C++ runtime. docs/guides/install.md names the packages. fmt's functions are compiled
# once, in fmt_once.cpp, so that files that format text compile in two thirds of the time. Builds that are not installed
# (debug, sanitizers, fuzzing) may link the shared fmt and spdlog instead.
option(QAPFW_SHARED_FMT "Link the shared libraries of fmt and spdlog" OFF)

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)  # Debian: zlib1g-dev
find_package(Boost 1.74 REQUIRED)  # only headers: Boost.DLL

# qapfw_header_library(<name> <header> <package to install>): makes an imported target qapfw-third-party::<name>.
function(qapfw_header_library name header package)
    string(TOUPPER "QAPFW_${name}_INCLUDE_DIR" variable)
    find_path(${variable} "${header}")
    mark_as_advanced(${variable})
    if(NOT ${variable})
        message(FATAL_ERROR "qapfw: ${header} not found (Debian package ${package})")
    endif()
    add_library(qapfw-third-party::${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(qapfw-third-party::${name} SYSTEM INTERFACE "${${variable}}")
endfunction()

qapfw_header_library(fmt fmt/format.h libfmt-dev)
qapfw_header_library(spdlog spdlog/spdlog.h libspdlog-dev)
target_compile_definitions(qapfw-third-party::spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
target_link_libraries(qapfw-third-party::spdlog INTERFACE qapfw-third-party::fmt Threads::Threads)
if(QAPFW_SHARED_FMT)
    find_package(fmt REQUIRED)
    find_package(spdlog REQUIRED)
    target_link_libraries(qapfw-third-party::fmt INTERFACE fmt::fmt)
    target_link_libraries(qapfw-third-party::spdlog INTERFACE spdlog::spdlog)
else()
    try_compile(QAPFW_FMT_ONCE "${PROJECT_BINARY_DIR}/fmt_once"
        SOURCES "${CMAKE_CURRENT_LIST_DIR}/fmt_once.cpp" "${CMAKE_CURRENT_LIST_DIR}/fmt_once_check.cpp"
        CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${QAPFW_FMT_INCLUDE_DIR}" CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
    if(QAPFW_FMT_ONCE)
        add_library(qapfw-fmt STATIC "${CMAKE_CURRENT_LIST_DIR}/fmt_once.cpp")
        target_compile_features(qapfw-fmt PRIVATE cxx_std_20)
        target_compile_options(qapfw-fmt PRIVATE -fvisibility=hidden -fvisibility-inlines-hidden)
        target_include_directories(qapfw-fmt SYSTEM PRIVATE "${QAPFW_FMT_INCLUDE_DIR}")
        target_link_libraries(qapfw-third-party::fmt INTERFACE qapfw-fmt)
    else()  # fmt_once.cpp does not fit this version of fmt
        target_compile_definitions(qapfw-third-party::fmt INTERFACE FMT_HEADER_ONLY)
    endif()
endif()
# Debian's package links a shared libtomlplusplus; the headers alone suffice.
qapfw_header_library(tomlplusplus toml++/toml.h libtomlplusplus-dev)
target_compile_definitions(qapfw-third-party::tomlplusplus INTERFACE TOML_HEADER_ONLY=1)
qapfw_header_library(cli11 CLI/CLI.hpp libcli11-dev)
qapfw_header_library(json nlohmann/json.hpp nlohmann-json3-dev)
qapfw_header_library(xxhash xxhash.h libxxhash-dev)
target_compile_definitions(qapfw-third-party::xxhash INTERFACE XXH_INLINE_ALL=)
# SQLite, for the index of studies. The shared library gets its security updates from the distribution. SQLite is linked
# statically if there is no shared library, and in archives for machines that have no SQLite
# (docs/decisions/0019-dependencies.md).
option(QAPFW_STATIC_SQLITE "Link SQLite statically" OFF)
qapfw_header_library(sqlite sqlite3.h libsqlite3-dev)
find_library(QAPFW_SHARED_SQLITE_LIBRARY NAMES libsqlite3.so)
find_library(QAPFW_STATIC_SQLITE_LIBRARY NAMES libsqlite3.a)
mark_as_advanced(QAPFW_SHARED_SQLITE_LIBRARY QAPFW_STATIC_SQLITE_LIBRARY)
set(QAPFW_SQLITE_IS_SHARED OFF)
if(QAPFW_SHARED_SQLITE_LIBRARY AND NOT (QAPFW_STATIC_SQLITE AND QAPFW_STATIC_SQLITE_LIBRARY))
    set(QAPFW_SQLITE_IS_SHARED ON)
    target_link_libraries(qapfw-third-party::sqlite INTERFACE "${QAPFW_SHARED_SQLITE_LIBRARY}")
elseif(QAPFW_STATIC_SQLITE_LIBRARY)
    target_link_libraries(qapfw-third-party::sqlite INTERFACE "${QAPFW_STATIC_SQLITE_LIBRARY}" m)
else()
    message(FATAL_ERROR "qapfw: libsqlite3 not found (Debian package libsqlite3-dev)")
endif()
if(QAPFW_BUILD_TESTS)
    qapfw_header_library(doctest doctest/doctest.h doctest-dev)
endif()

# The cuda backend needs cuda.h and nvrtc.h to build; libcuda and libnvrtc are opened at run time.
set(QAPFW_HAVE_CUDA OFF)
if(NOT QAPFW_WITH_CUDA STREQUAL "OFF")
    find_package(CUDAToolkit QUIET)
    if(CUDAToolkit_FOUND)
        find_path(QAPFW_NVRTC_INCLUDE_DIR nvrtc.h HINTS ${CUDAToolkit_INCLUDE_DIRS} NO_DEFAULT_PATH)
        mark_as_advanced(QAPFW_NVRTC_INCLUDE_DIR)
    endif()
    if(CUDAToolkit_FOUND AND QAPFW_NVRTC_INCLUDE_DIR)
        set(QAPFW_HAVE_CUDA ON)
        message(STATUS "qapfw: cuda backend with the headers of CUDA ${CUDAToolkit_VERSION} in ${QAPFW_NVRTC_INCLUDE_DIR}")
    elseif(QAPFW_WITH_CUDA STREQUAL "AUTO")
        message(STATUS "qapfw: no CUDA toolkit found, building only the cpu backend")
    else()
        message(FATAL_ERROR "qapfw: QAPFW_WITH_CUDA=ON, but no CUDA toolkit with cuda.h and nvrtc.h was found")
    endif()
endif()
