# locklab::warnings: the warnings that every target of ours is compiled with; linked privately.
# SPDX-License-Identifier: Apache-2.0
add_library(locklab_warnings INTERFACE)
add_library(locklab::warnings ALIAS locklab_warnings)
target_compile_options(locklab_warnings INTERFACE
                       -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                       $<$<BOOL:${LOCKLAB_WERROR}>:-Werror>)
