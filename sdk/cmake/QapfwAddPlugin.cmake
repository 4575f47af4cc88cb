# SPDX-License-Identifier: Apache-2.0
# qapfw_add_plugin(NAME <name> SOURCES <file>... [DEVICE_SOURCES <file>...] [DEVICE_NAMESPACE <a::b>]
#                  [ISA_SOURCES <file>...] [LIBRARIES <target>...])
#
# Makes the loadable library <name>.qapfw.so (target qapfw-plugin-<name>). Its only visible symbol is
# qapfw_plugin_entry, and no symbol is unresolved.
#   DEVICE_SOURCES  files to embed as texts. The header "embedded/<name>_texts.hpp" declares kTexts and kTextCount in
#                   DEVICE_NAMESPACE (default: device_texts). Compile errors call a text "<name>/<file>".
#   ISA_SOURCES     files compiled for an instruction set, see qapfw_isa_sources
#   LIBRARIES       further targets to link
# Used in this tree and by projects that found the installed package.

set(QAPFW_PLUGIN_EXPORTS_MAP "${CMAKE_CURRENT_LIST_DIR}/plugin_exports.map" CACHE INTERNAL "")
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake")
    set(QAPFW_EMBED_TEXT_MODULE "${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake" CACHE INTERNAL "")
else()
    set(QAPFW_EMBED_TEXT_MODULE "${CMAKE_CURRENT_LIST_DIR}/../../cmake/EmbedText.cmake" CACHE INTERNAL "")
endif()

# qapfw_isa_sources(<file>...): compiles each file for the instruction set that the end of its name tells. A file with
# any other name gets no additional options.
#   *_avx2.cpp      AVX2
#   *_avx512bw.cpp  AVX-512 F, BW, DQ, VL
#   *_avx512.cpp    AVX-512 F, BW, DQ, VL, VNNI
# NOTE: these files must not instantiate inline functions that other files use too. The linker keeps only one copy of
# such a function. It may keep the copy for the instruction set, which fails on a machine without that set.
function(qapfw_isa_sources)
    set(avx512bw -mavx512f -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512)
    foreach(file IN LISTS ARGN)
        if(file MATCHES "_avx512[.]cpp$")
            set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "${avx512bw};-mavx512vnni")
        elseif(file MATCHES "_avx512bw[.]cpp$")
            set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS "${avx512bw}")
        elseif(file MATCHES "_avx2[.]cpp$")
            set_source_files_properties("${file}" PROPERTIES COMPILE_OPTIONS -mavx2)
        endif()
    endforeach()
endfunction()

function(qapfw_add_plugin)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;DEVICE_NAMESPACE" "SOURCES;DEVICE_SOURCES;ISA_SOURCES;LIBRARIES")
    if(NOT arg_NAME OR NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "qapfw_add_plugin: wanted NAME and SOURCES, found: ${ARGN}")
    endif()
    set(target qapfw-plugin-${arg_NAME})
    qapfw_isa_sources(${arg_ISA_SOURCES})
    add_library(${target} MODULE ${arg_SOURCES} ${arg_ISA_SOURCES})
    set_target_properties(${target} PROPERTIES
        PREFIX "" OUTPUT_NAME "${arg_NAME}" SUFFIX ".qapfw.so"
        C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
        LINK_DEPENDS "${QAPFW_PLUGIN_EXPORTS_MAP}")
    target_link_libraries(${target} PRIVATE qapfw::sdk qapfw::kernels ${arg_LIBRARIES})
    target_link_options(${target} PRIVATE "LINKER:--version-script=${QAPFW_PLUGIN_EXPORTS_MAP}")
    # clang links the sanitizers' functions only into programs. In a library they stay undefined; "-z defs" would fail.
    if(NOT QAPFW_SANITIZE OR CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_link_options(${target} PRIVATE "LINKER:-z,defs")
    endif()
    if(arg_DEVICE_SOURCES)
        if(NOT arg_DEVICE_NAMESPACE)
            set(arg_DEVICE_NAMESPACE device_texts)
        endif()
        include("${QAPFW_EMBED_TEXT_MODULE}")
        qapfw_embed_text(${target} NAMESPACE ${arg_DEVICE_NAMESPACE} NAME ${arg_NAME}_texts PREFIX "${arg_NAME}/"
                         FILES ${arg_DEVICE_SOURCES})
    endif()
    if(QAPFW_PLUGIN_OUTPUT_DIRECTORY)
        set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${QAPFW_PLUGIN_OUTPUT_DIRECTORY}")
    endif()
endfunction()

# qapfw_pack_plugin(<name> <version>): targets "pack-<name>" and "pack" write
# <name>-<version>-abi<N>-linux-x86_64.qapfw.so and its SHA-256 into the folder packed/ of the build tree. <N> is the
# major version of the interface. `qapfw plugin install` installs this library.
function(qapfw_pack_plugin name version)
    if(NOT QAPFW_SDK_ABI)  # the SDK was not found as a package, but added by add_subdirectory
        set(QAPFW_SDK_ABI "${QAPFW_SDK_ABI_MAJOR}")
    endif()
    set(file "${name}-${version}-abi${QAPFW_SDK_ABI}-linux-${CMAKE_SYSTEM_PROCESSOR}.qapfw.so")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/packed")
    if(NOT TARGET pack)
        add_custom_target(pack)
    endif()
    add_custom_target(pack-${name} VERBATIM
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
        COMMAND "${CMAKE_COMMAND}" -E copy "$<TARGET_FILE:qapfw-plugin-${name}>" "${folder}/${file}"
        COMMAND "${CMAKE_COMMAND}" -E chdir "${folder}" sh -c "sha256sum '${file}' >'${file}.sha256'"
        COMMENT "Packing ${file}")
    add_dependencies(pack-${name} qapfw-plugin-${name})
    add_dependencies(pack pack-${name})
endfunction()
