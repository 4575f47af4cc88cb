# SPDX-License-Identifier: Apache-2.0
# Makes the man page and the shells' completions with the built program, and installs them. In the build tree the folder
# share/ looks like the installation, so that the program finds its files there too.

set(share "${PROJECT_BINARY_DIR}/share")
file(MAKE_DIRECTORY "${share}/qapfw" "${share}/doc")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/configs" "${share}/qapfw/configs" SYMBOLIC)
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/sdk/template_plugin" "${share}/qapfw/template_plugin" SYMBOLIC)
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/sdk/skeletons" "${share}/qapfw/skeletons" SYMBOLIC)
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/docs" "${share}/doc/qapfw" SYMBOLIC)

set(descriptions "")
# qapfw_description(<form> <folder below share> <file name>): installs what `qapfw self-description <form>` prints.
function(qapfw_description form folder name)
    set(file "${share}/${folder}/${name}")
    file(MAKE_DIRECTORY "${share}/${folder}")
    add_custom_command(OUTPUT "${file}" COMMAND qapfw self-description ${form} > "${file}" DEPENDS qapfw
        COMMENT "Describing the command line: ${name}" VERBATIM)
    install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${folder}")
    set(descriptions ${descriptions} "${file}" PARENT_SCOPE)
endfunction()
qapfw_description(man man/man1 qapfw.1)
qapfw_description(bash bash-completion/completions qapfw)
qapfw_description(zsh zsh/vendor-completions _qapfw)
qapfw_description(fish fish/vendor_completions.d qapfw.fish)
if(NOT QAPFW_SANITIZE STREQUAL "thread")  # with the thread sanitizer, qapfw has only one command
    add_custom_target(qapfw-descriptions ALL DEPENDS ${descriptions})
    add_dependencies(qapfw-all qapfw-descriptions)
endif()
