# locklab_layer(): one folder of the chain is one static library; locklab_program(): the end of it.
# SPDX-License-Identifier: Apache-2.0

# locklab_layer(<folder> [USES <folder to the left>] [LINKS <private targets>...] [SOURCES <file>...])
#
# Adds locklab_<folder>, alias locklab::<folder>. A folder without sources is an interface library
# until its first source is listed; sub-folders add theirs with target_sources(locklab_<folder> PRIVATE ...).
function(locklab_layer folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "USES" "LINKS;SOURCES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "locklab_layer(${folder}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(target locklab_${folder})
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE locklab::warnings ${arg_LINKS})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(locklab::${folder} ALIAS ${target})
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  if(arg_USES)
    target_link_libraries(${target} ${scope} locklab::${arg_USES})
  endif()
endfunction()

# locklab_program(<name> USES <folder> [LINKS <private targets>...] [SOURCES <file>...])
#
# Adds the executable at the end of the chain, in <build>/bin.
function(locklab_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "USES" "LINKS;SOURCES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "locklab_program(${name}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    message(STATUS "There is no program ${name} yet: ${CMAKE_CURRENT_LIST_FILE} lists no source")
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE locklab::warnings locklab::${arg_USES} ${arg_LINKS})
endfunction()
