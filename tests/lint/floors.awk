# The floor table of src/README.md and what follows from it.
#
#   awk -f floors.awk src/README.md FILE...       fails on includes that the table does not allow
#   awk -v mode=all -f floors.awk src/README.md FILE...   given all files, also where a row allows
#                                                 a folder of which nothing is included
#   awk -v mode=make -f floors.awk src/README.md  prints for the Makefile FOLDERS, and in LINK_<folder>
#                                                 all folders that its row leads to
#
# Only lines `#include "folder/name.h"` of files below src/ are looked at. A quoted include without
# a folder, of a folder that has no row, or out of a folder that has no row fails too.

function fail(text) {
    print text > "/dev/stderr"
    failed = 1
}

function trim(text) {
    gsub(/^[ `]+|[ `]+$/, "", text)
    return text
}

# All folders that the row of this one leads to, whose floors are known to be below it.
function reached(folder,   to, found, i, n) {
    n = split(allowed[folder], to, " ")
    for (i = 1; i <= n; i++)
        found = found " " to[i] reached(to[i])
    return found
}

FNR == 1 { nth_file++ }

nth_file == 1 && /^\| *[0-9]+ *\|/ {
    split($0, cell, "|")
    folder = trim(cell[3])
    names[++n_folders] = folder
    floor[folder] = trim(cell[2]) + 0
    allowed[folder] = trim(cell[5])
    next
}

nth_file == 1 { next }

FNR == 1 {
    part = FILENAME
    sub(/.*src\//, "", part)
    from = part ~ /\// ? substr(part, 1, index(part, "/") - 1) : ""
    if (!(from in floor))
        fail(FILENAME ": folder \"" from "\" has no row in the floor table of src/README.md")
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    to = quoted[2]
    place = FILENAME ":" FNR ": "
    if (to !~ /^[a-z]+\/[a-z0-9_]+\.h$/) {
        fail(place "\"" to "\" is not of the form \"folder/name.h\"")
        next
    }
    to = substr(to, 1, index(to, "/") - 1)
    used[from, to] = 1
    if (to == from || allowed[from] == "all")
        next
    if (!(to in floor))
        fail(place "folder " to " has no row in the floor table of src/README.md")
    else if (index(" " allowed[from] " ", " " to " ") == 0)
        fail(place from " may not include " to " (floor " floor[from] " and " floor[to] ")")
}

END {
    if (n_folders == 0)
        fail("no floor table found")
    for (i = 1; i <= n_folders; i++) {
        n = split(allowed[names[i]], to_names, " ")
        for (j = 1; j <= n && allowed[names[i]] != "all"; j++)
            if (!(to_names[j] in floor) || floor[to_names[j]] >= floor[names[i]])
                fail("floor table: " names[i] " may not include " to_names[j] ", which is not below it")
            else if (mode == "all" && !used[names[i], to_names[j]])
                fail("floor table: " names[i] " includes nothing of " to_names[j] ", which its row allows")
    }
    if (mode == "make" && !failed) {
        line = "FOLDERS :="
        for (i = 1; i <= n_folders; i++)
            if (names[i] != "cmd")
                line = line " " names[i]
        print line
        for (i = 1; i <= n_folders; i++)
            if (allowed[names[i]] != "all")
                print "LINK_" names[i] " :=" reached(names[i])
    }
    exit failed
}
