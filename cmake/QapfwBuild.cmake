# SPDX-License-Identifier: Apache-2.0
# Flags, output folders and include roots of everything built in this tree.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
find_program(QAPFW_CCACHE ccache)
if(QAPFW_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER "${QAPFW_CCACHE}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${QAPFW_CCACHE}")
endif()

# Half of a file's compile time is spent on headers. Files that are compiled together need this time only once.
if(NOT DEFINED CMAKE_UNITY_BUILD_BATCH_SIZE)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
endif()
# By default GCC looks for unused memory so often that this takes a tenth of its time. Looking less often costs memory:
# up to 1.5 GB if more than 16 files are compiled together. So GCC looks less often only for users who have asked for
# more than 16 files at a time, and so accept the memory.
if(CMAKE_UNITY_BUILD AND CMAKE_UNITY_BUILD_BATCH_SIZE GREATER 16)
    add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
# The binary finds its plugins relative to itself, so the build tree looks like the installation.
set(QAPFW_PLUGIN_INSTALL_DIRECTORY "lib/qapfw/plugins-${QAPFW_SDK_ABI_MAJOR}")
set(QAPFW_PLUGIN_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${QAPFW_PLUGIN_INSTALL_DIRECTORY}")
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_EXTENSIONS OFF)

# Compiler options of every target of this tree.
add_library(qapfw-flags INTERFACE)
target_compile_features(qapfw-flags INTERFACE cxx_std_20 c_std_11)
target_compile_options(qapfw-flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Werror
    -fvisibility=hidden $<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>)
# GCC 12 warns of overlapping copies inside its own std::string operator+ (GCC bug 105651).
target_compile_options(qapfw-flags INTERFACE
    $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
set_target_properties(qapfw-flags PROPERTIES INTERFACE_POSITION_INDEPENDENT_CODE ON)
if(QAPFW_SANITIZE)
    add_compile_options(-fsanitize=${QAPFW_SANITIZE} -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${QAPFW_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        add_compile_options("-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/not_sanitized.txt")
    endif()
    # About a hundred programs and libraries have debug information. lld links them in a quarter of the usual linker's
    # time.
    find_program(QAPFW_LLD ld.lld)
    mark_as_advanced(QAPFW_LLD)
    if(QAPFW_LLD AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        add_link_options(-fuse-ld=lld)
    endif()
    foreach(sanitizer address thread)
        string(TOUPPER ${sanitizer} upper)
        if(QAPFW_SANITIZE MATCHES "${sanitizer}")
            add_compile_definitions(QAPFW_${upper}_SANITIZER)  # compilers have no common macro for a sanitizer
        endif()
    endforeach()
    # With a sanitizer, GCC wrongly warns that variables of the standard library are uninitialised.
    target_compile_options(qapfw-flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# Released binaries (the program, its libraries and plugins) are hardened: a memory fault ends the process where it
# happens, and cannot change which functions are called (docs/decisions/0019-dependencies.md). qapfw-hardened is for
# programs and libraries. qapfw-hardened-search is for code that searches: it checks the stack only in functions with
# character arrays. qapfw-hardened also checks functions with other arrays. Functions that draw random numbers have
# such arrays, and a check of them would make searches 3 to 4 % slower.
option(QAPFW_HARDEN "Compile and link releases with checks against memory faults" ON)
add_library(qapfw-hardened INTERFACE)
add_library(qapfw-hardened-search INTERFACE)
if(QAPFW_HARDEN AND NOT QAPFW_SANITIZE)
    include(CheckCXXSourceCompiles)
    set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
    check_cxx_source_compiles("#include <cstdio>\nint main() { return 0; }" QAPFW_FORTIFY_3)
    set(CMAKE_REQUIRED_FLAGS "-Werror -fcf-protection")
    check_cxx_source_compiles("int main() { return 0; }" QAPFW_CF_PROTECTION)
    unset(CMAKE_REQUIRED_FLAGS)
    set(fortify 2)
    if(QAPFW_FORTIFY_3)
        set(fortify 3)
    endif()
    set(hardening -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${fortify})
    if(QAPFW_CF_PROTECTION)
        list(APPEND hardening -fcf-protection)
    endif()
    # Debug builds are left out: they are not optimised and not released.
    foreach(kind "" "-search")
        target_compile_options(qapfw-hardened${kind} INTERFACE "$<$<NOT:$<CONFIG:Debug>>:${hardening}>")
        target_link_options(qapfw-hardened${kind} INTERFACE "LINKER:-z,relro" "LINKER:-z,now")
    endforeach()
    target_compile_options(qapfw-hardened INTERFACE $<$<NOT:$<CONFIG:Debug>>:-fstack-protector-strong>)
    target_compile_options(qapfw-hardened-search INTERFACE $<$<NOT:$<CONFIG:Debug>>:-fstack-protector>)
endif()

# Options for code that takes little of a run's time (the program around the search). -O3 would only take longer to
# compile.
add_library(qapfw-quick-to-compile INTERFACE)
target_compile_options(qapfw-quick-to-compile INTERFACE $<$<CONFIG:Release>:-O1> $<$<CONFIG:Debug>:-O0>)
# Options for tests. Tests run about as often as they are compiled, so quick compiling counts. GCC needs a quarter less
# time to compile with -Og than with -O1.
add_library(qapfw-quick-tests INTERFACE)
target_compile_options(qapfw-quick-tests INTERFACE $<$<CONFIG:Release>:-Og> $<$<CONFIG:Debug>:-O0>)
# Options for the code of algorithms and for code that reads files. Debug builds do not optimise this code: with
# sanitizers and optimisation, clang would take three times as long to compile it.
add_library(qapfw-quick-to-debug INTERFACE)
target_compile_options(qapfw-quick-to-debug INTERFACE $<$<CONFIG:Debug>:-O0>)
if(QAPFW_SANITIZE MATCHES "undefined")
    # Without checks for null pointers, alignment and dynamic types, compiling takes a third of the time. The address
    # sanitizer still finds null pointers. Alignment matters most for vector types, which this code does not have.
    foreach(flags qapfw-quick-to-compile qapfw-quick-tests)
        target_compile_options(${flags} INTERFACE -fno-sanitize=null,alignment,vptr)
    endforeach()
endif()

# Options for code that fuzz targets run. Only this code tells libFuzzer which branches it takes, because the reports
# take time.
add_library(qapfw-fuzzed INTERFACE)
if(QAPFW_BUILD_FUZZERS)
    # Functions of the standard library, fmt and spdlog report no coverage to the fuzzer. Their code makes up about half
    # of a compiled file, and the branches of their callers tell more. Without coverage of these functions, compiling
    # takes a sixth less time.
    target_compile_options(qapfw-fuzzed INTERFACE -fsanitize=fuzzer-no-link
        "-fsanitize-coverage-ignorelist=${CMAKE_CURRENT_LIST_DIR}/not_fuzzed.txt")
endif()

# qapfw_sanitize_isa_sources(<file>...): speeds up sanitized builds of files that compile the same code for another
# instruction set. In these files only memory accesses are checked, not undefined behaviour. The four files of the
# swap neighbourhood have long functions, so they are not optimised: they compile in 11 s instead of 58 s, and their
# tests take 11 s more.
function(qapfw_sanitize_isa_sources)
    set(long ${ARGN})
    list(FILTER long INCLUDE REGEX "/swap_neighbourhood_[a-z0-9]+[.]cpp$")
    list(FILTER ARGN INCLUDE REGEX "_avx[^/]*[.]cpp$")
    if(long AND QAPFW_SANITIZE)
        set_property(SOURCE ${long} APPEND PROPERTY COMPILE_OPTIONS -O0)
    endif()
    if(ARGN AND QAPFW_SANITIZE MATCHES "undefined")
        set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=undefined)
    endif()
endfunction()

# qapfw_include_root(<target> <PUBLIC|PRIVATE|INTERFACE> <folder>...)
# Lets <target> include "<folder>/..." for these folders only: the include path is a folder of symbolic links. So a
# dependency that the architecture forbids does not compile. Links of an earlier configuration could allow what is
# forbidden now, so they are removed first.
file(REMOVE_RECURSE "${PROJECT_BINARY_DIR}/include-roots")

function(qapfw_include_root target scope)
    set(root "${PROJECT_BINARY_DIR}/include-roots/${target}")
    foreach(folder IN LISTS ARGN)
        cmake_path(GET folder PARENT_PATH parent)
        file(MAKE_DIRECTORY "${root}/${parent}")
        file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${root}/${folder}" SYMBOLIC)
    endforeach()
    target_include_directories(${target} ${scope} "${root}")
endfunction()

# qapfw_glob(<variable> <folder> [RECURSE]): lists the folder's sources; every build makes the list anew.
function(qapfw_glob variable folder)
    cmake_parse_arguments(PARSE_ARGV 2 arg "RECURSE" "" "")
    if(arg_RECURSE)
        file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${folder}/*.cpp")
    else()
        file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")
    endif()
    set(${variable} "${sources}" PARENT_SCOPE)
endfunction()

# The target that `./bootstrap build` builds: the program and its plugins, without tests and benchmarks.
add_custom_target(qapfw-all)

# qapfw_program_plugin(<name>): makes the plugin a part of the program, installed with it.
function(qapfw_program_plugin name)
    install(TARGETS qapfw-plugin-${name} LIBRARY DESTINATION "${QAPFW_PLUGIN_INSTALL_DIRECTORY}")
    add_dependencies(qapfw-all qapfw-plugin-${name})
    set_property(GLOBAL APPEND PROPERTY QAPFW_PROGRAM_PLUGINS qapfw-plugin-${name})
endfunction()

# qapfw_list_plugin_hashes(): writes plugins.hashes into the folder of the program's plugins. With this list, programs
# that embed the engine recognise the plugins. Call the function after the last plugin is added. The installation writes
# a list anew, since stripping changes the plugins' files.
function(qapfw_list_plugin_hashes)
    get_property(plugins GLOBAL PROPERTY QAPFW_PROGRAM_PLUGINS)
    set(list "${QAPFW_PLUGIN_OUTPUT_DIRECTORY}/plugins.hashes")
    add_custom_command(OUTPUT "${list}"
        COMMAND qapfw --plugin-hashes "${QAPFW_PLUGIN_OUTPUT_DIRECTORY}" > "${list}"
        DEPENDS qapfw ${plugins} VERBATIM)
    add_custom_target(qapfw-plugin-hashes ALL DEPENDS "${list}")
    add_dependencies(qapfw-all qapfw-plugin-hashes)
    install(CODE "
        set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
        execute_process(COMMAND \"\${prefix}/${CMAKE_INSTALL_BINDIR}/qapfw\" --plugin-hashes
            \"\${prefix}/${QAPFW_PLUGIN_INSTALL_DIRECTORY}\"
            OUTPUT_FILE \"\${prefix}/${QAPFW_PLUGIN_INSTALL_DIRECTORY}/plugins.hashes\" COMMAND_ERROR_IS_FATAL ANY)")
endfunction()
