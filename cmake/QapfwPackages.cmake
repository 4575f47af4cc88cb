# SPDX-License-Identifier: Apache-2.0
# Packages by CPack. `cpack -G DEB` makes the packages qapfw (the program) and qapfw-dev (the SDK). `cpack -G TGZ` makes
# an archive of both, which can be unpacked anywhere. `./bootstrap package` makes all three.

set(CPACK_PACKAGE_NAME qapfw)
set(CPACK_PACKAGE_VENDOR "The authors of qapfw")
set(CPACK_PACKAGE_CONTACT "The authors of qapfw <qapfw@localhost>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_FILE_NAME "qapfw-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_BINARY_DIR}/packages")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_COMPONENTS_ALL program dev)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)  # packs much faster than xz
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME qapfw)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA
    "${CMAKE_CURRENT_LIST_DIR}/debian/postinst" "${CMAKE_CURRENT_LIST_DIR}/debian/postrm")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "python3 (>= 3.11), qapfw-dev")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "Solves quadratic assignment and facility layout problems, and those of\nyour own plugins, with tabu search, genetic and ant algorithms.")
find_program(QAPFW_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(QAPFW_SHLIBDEPS)
if(QAPFW_SHLIBDEPS)
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
else()
    set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "libc6 (>= 2.36), libgcc-s1 (>= 4.2), libstdc++6 (>= 12), zlib1g (>= 1:1.2)")
    if(QAPFW_SQLITE_IS_SHARED)
        string(APPEND CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS ", libsqlite3-0 (>= 3.31)")
    endif()
endif()
set(CPACK_DEBIAN_DEV_PACKAGE_NAME qapfw-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "qapfw (= ${PROJECT_VERSION}), cmake (>= 3.25)")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "g++ (>= 4:12)")
set(CPACK_COMPONENT_DEV_DESCRIPTION
    "What plugins of your own need: headers, the CMake package qapfw-sdk,\nplugins to start from.")
include(CPack)
