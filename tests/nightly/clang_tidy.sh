# clang-tidy on every source.
# SPDX-License-Identifier: Apache-2.0
exec sh .ci/tidy --all
