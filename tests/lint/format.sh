#!/bin/bash
# All C is as clang-format leaves it (`make format`).
set -eu
find src tests -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror
