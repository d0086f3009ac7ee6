#!/bin/bash
# Includes obey the floor table of src/README.md.
set -eu
mapfile -t files < <(find src -name '*.[ch]' | sort)
awk -f tests/lint/floors.awk src/README.md "${files[@]}"
