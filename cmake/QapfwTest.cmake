# SPDX-License-Identifier: Apache-2.0
# qapfw_add_test_program(<name> LABELS <label>... SOURCES <file>... [ROOTS <folder>...] [LIBRARIES <target>...]
#                        [DEPENDS <target>...] [TIMEOUT <seconds>])
#
# Makes the doctest program qapfw-test-<name>. Every TEST_CASE becomes a ctest entry "<name>: <claim>". The entry's labels
# are LABELS and the names of the case's test suites. A case that prints MESSAGE("SKIPPED: why") and returns is reported
# by ctest as skipped. TIMEOUT is 300 seconds for each case unless given.
# The files of a program may be compiled together, so a name must mean the same in all of them.
add_custom_target(qapfw-unit-tests)     # the tests that run under the address sanitizer
add_custom_target(qapfw-threads-tests)  # the tests that run under the thread sanitizer

function(qapfw_add_test_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS;SOURCES;ROOTS;LIBRARIES;DEPENDS")
    if(NOT arg_SOURCES)
        return()
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300)
    endif()
    set(target qapfw-test-${name})
    add_executable(${target} ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    # Files with device text are compiled alone, since their macros adapt the text to one instance. Emulated device
    # text runs slowly, so these files are optimised in Debug builds too.
    foreach(source IN LISTS arg_SOURCES)
        file(STRINGS "${source}" device_text REGEX "^#include .*\\.cuh\"" LIMIT_COUNT 1)
        if(device_text)
            set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
            set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS $<$<CONFIG:Debug>:-O1>)
        endif()
    endforeach()
    qapfw_include_root(${target} PRIVATE tests/support ${arg_ROOTS})
    target_link_libraries(${target} PRIVATE qapfw-flags qapfw-quick-tests qapfw-test-main ${arg_LIBRARIES} qapfw-third-party::doctest)
    if(arg_DEPENDS)
        add_dependencies(${target} ${arg_DEPENDS})
    endif()
    foreach(label unit threads)
        if(label IN_LIST arg_LABELS)
            add_dependencies(qapfw-${label}-tests ${target})
        endif()
    endforeach()

    set(list "${CMAKE_CURRENT_BINARY_DIR}/${target}_tests.cmake")
    list(JOIN arg_LABELS " " labels)
    add_custom_command(TARGET ${target} POST_BUILD BYPRODUCTS "${list}" VERBATIM
        COMMAND $<TARGET_FILE:${target}> --reporters=ctest --list-test-cases "--out=${list}"
                "--ctest-name=${name}" "--ctest-labels=${labels}" "--ctest-timeout=${arg_TIMEOUT}"
        COMMENT "Listing the tests of ${name}")
    file(WRITE "${list}.include" "if(EXISTS \"${list}\")\n  include(\"${list}\")\nelse()\n  add_test(${name}_NOT_BUILT ${name}_NOT_BUILT)\nendif()\n")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${list}.include")
endfunction()
