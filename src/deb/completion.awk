# Bash completion of a program from its --help, which comes from the option table:
#   PROGRAM --help | awk -v program=PROGRAM -f completion.awk
# An option's placeholder says what follows it: a path, one of some words, or what nobody can guess.

function words_of(unit, list, i, n, parts) {
    list = ""
    n = split(unit, parts, "|")
    for (i = 1; i <= n; i++)
        if (parts[i] ~ /^[a-z][a-z0-9]*$/)
            list = list (list == "" ? "" : " ") parts[i]
    return list
}

/^  --[a-z]/ {
    option = $1
    # The text stands two blanks or more behind the placeholder, which may hold none.
    unit = match($0, /^  --[a-z-]+ [^ ]+( |$)/) ? $2 : ""
    options = options (options == "" ? "" : " ") option
    if (unit == "")
        next
    if (unit ~ /^(DIR|FILE|RESULT|DEVICE|NAME\|FILE)$/)
        paths = paths (paths == "" ? "" : "|") option
    else if (unit ~ /\|/ && words_of(unit) != "")
        choices = choices "        " option ") COMPREPLY=($(compgen -W \"" words_of(unit) "\" -- \"$cur\")); return ;;\n"
    else
        values = values (values == "" ? "" : "|") option
}

END {
    name = "_" program
    gsub(/-/, "_", name)
    print "# bash completion for " program ", made from its option table"
    print name "()"
    print "{"
    print "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}"
    print "    COMPREPLY=()"
    print "    case $prev in"
    if (paths != "")
        print "        " paths ") compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); return ;;"
    printf "%s", choices
    if (values != "")
        print "        " values ") return ;;"
    print "    esac"
    print "    [[ $cur != -* ]] || COMPREPLY=($(compgen -W \"" options "\" -- \"$cur\"))"
    print "}"
    print "complete -o default -F " name " " program
}
