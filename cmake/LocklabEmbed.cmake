# locklab_embed(): data files become part of the program, which then needs nothing beside it.
# SPDX-License-Identifier: Apache-2.0

# locklab_embed(OUTPUT <variable> FUNCTION <name> ROOT <folder> FILES <file>...)
#
# Puts the name of a source into the variable; it defines `std::span<const EmbeddedFile> <name>()` (scenarios/embedded.h): the files with their
# paths relative to ROOT, sorted by path. The source is written anew when a file changes.
function(locklab_embed)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUTPUT;FUNCTION;ROOT" "FILES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "locklab_embed: unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${arg_FUNCTION}.cpp)
  # The list goes through a file, so that its length has no limit and a deleted file renews it too.
  list(SORT arg_FILES COMPARE STRING)
  string(REPLACE ";" "\n" list "${arg_FILES}")
  file(CONFIGURE OUTPUT ${arg_FUNCTION}.list CONTENT "${list}" @ONLY)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DFUNCTION=${arg_FUNCTION} -DROOT=${arg_ROOT} -DOUTPUT=${generated}
            -DLIST=${CMAKE_CURRENT_BINARY_DIR}/${arg_FUNCTION}.list -P ${script}
    DEPENDS ${arg_FILES} ${CMAKE_CURRENT_BINARY_DIR}/${arg_FUNCTION}.list ${script}
    COMMENT "Embedding ${arg_FUNCTION}"
    VERBATIM)
  set(${arg_OUTPUT} ${generated} PARENT_SCOPE)
endfunction()
