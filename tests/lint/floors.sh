#!/bin/bash
# Includes obey the floor table of src/README.md, and the table allows no more than there is.
set -eu
mapfile -t files < <(find src -name '*.[ch]' | sort)
awk -v mode=all -f tests/lint/floors.awk src/README.md "${files[@]}"
