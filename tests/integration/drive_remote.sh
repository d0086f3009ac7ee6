#!/bin/bash
# drive-info HOST:PATH against an sshd of this machine: the same devices as without it, the counters
# of the very seconds, a connection that is cut and comes back, and what is said where there is none.
# timeout: 60
# shellcheck source-path=SCRIPTDIR source=drive_rig.inc
. "$(dirname "$0")/drive_rig.inc"
# shellcheck source=tests/sshd.bash
. "$ROOT/tests/sshd.bash"
trap 'sshd_end; clean_up' EXIT
sshd_begin "$WORK/ssh"
export TMPDIR=$WORK/tmp
mkdir "$TMPDIR"

info=$BIN/drive-info
mount_at "$WORK/ram" -t tmpfs tmpfs
new_loop "$WORK/ram/file" 64M
new_partition "$LOOP"
part=${LOOP}p1
mkfs.ext4 -q "/dev/$part"
mount_at "$WORK/with blank" "/dev/$part"

echo "== the same map"
for path in "$WORK/with blank" /; do
    "$info" "$path" >"$WORK/here" || fail "here: $path"
    "$info" "testhost:$path" >"$WORK/there" || fail "there: $path"
    { echo "host     testhost" && cat "$WORK/here"; } | diff - "$WORK/there" || fail "$path differs"
done
"$info" --json --serial "/dev/$part" | sed 's/"host": null/"host": "testhost"/' >"$WORK/here.json"
"$info" --json --serial "testhost:/dev/$part" | diff "$WORK/here.json" - || fail "JSON differs"
"$info" "testhost:$part" | grep -q "^found    $part by its name" || fail "a device by its name"
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"

echo "== the counters of the same seconds"
new_loop "$WORK/ram/raw" 32M
# stat_of DEVICE: reads, sectors read, writes, sectors written.
stat_of() {
    awk '{ print $1, $3, $5, $7 }' "/sys/block/$1/stat"
}
reports() { # FILE
    grep -c '^{' "$1"
}
has_reports() {
    [ "$(reports "$1")" -ge "$2" ]
}
# Where this machine stalled, an answer was late and its seconds are a gap: then once more.
for try in 1 2 3 4 5; do
    read -r r0 rs0 w0 ws0 < <(stat_of "$LOOP")
    "$info" --watch --json "testhost:$LOOP" 0.5s >"$WORK/watch" &
    watch_pid=$!
    wait_for "the first report" has_reports "$WORK/watch" 1
    dd if=/dev/urandom of="/dev/$LOOP" bs=64k count=160 oflag=direct status=none
    dd if="/dev/$LOOP" of=/dev/null bs=1M iflag=direct status=none
    wait_for "two reports more" has_reports "$WORK/watch" $(($(reports "$WORK/watch") + 2))
    kill -INT "$watch_pid"
    wait "$watch_pid" && fail "interrupted: exit 0"
    read -r r1 rs1 w1 ws1 < <(stat_of "$LOOP")
    grep -q "\"testhost:$LOOP\":null" "$WORK/watch" || break
    [ "$try" != 5 ] || fail "five times an answer was late: $(cat "$WORK/watch")"
done
# Rates times their own seconds come to what the kernel counted, to 1 %.
awk -v r=$((r1 - r0)) -v rs=$((rs1 - rs0)) -v w=$((w1 - w0)) -v ws=$((ws1 - ws0)) '
    function figure(key) {
        match($0, "\"" key "\":[0-9.e+-]+")
        return substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) + 0
    }
    function near(what, got, want) {
        printf "%-16s kernel %d, over ssh %.1f\n", what, want, got
        if (want < 10 || got < want * 0.99 - 1 || got > want * 1.01 + 1) bad = 1
    }
    {
        s = figure("seconds")
        reads += s * figure("reads_per_s"); read += s * figure("read_kib_per_s") * 2
        writes += s * figure("writes_per_s"); written += s * figure("write_kib_per_s") * 2
    }
    END {
        near("reads", reads, r); near("sectors read", read, rs)
        near("writes", writes, w); near("sectors written", written, ws)
        exit bad
    }' "$WORK/watch" || fail "counters differ"

echo "== cut off, and back"
"$info" --watch --json "testhost:$LOOP" 0.5s >"$WORK/watch" 2>"$WORK/said" &
watch_pid=$!
has_gap() {
    grep -q "\"testhost:$LOOP\":null" "$WORK/watch"
}
wait_for "two reports" has_reports "$WORK/watch" 2
sshd_cut
wait_for "a gap" has_gap
goes_on() {
    sed "0,/\"testhost:$LOOP\":null/d" "$WORK/watch" | grep -q 'reads_per_s'
}
wait_for "figures again" goes_on
kill -INT "$watch_pid"
wait "$watch_pid" && fail "interrupted: exit 0"
grep -q "^drive-info: no answer from testhost: a gap: " "$WORK/said" || fail "a gap: $(cat "$WORK/said")"
grep -q "^drive-info: testhost answers again$" "$WORK/said" || fail "again: $(cat "$WORK/said")"
no_sessions() {
    [ -z "$(sshd_sessions)" ]
}
wait_for "the end of the session there" no_sessions

echo "== what is wrong, and what to do"
# refused WHAT SAYS: exit 3 and one line.
refused() {
    "$info" "$1" >"$WORK/out" 2>"$WORK/said" && fail "$1: exit 0"
    [ "$(wc -l <"$WORK/said")" = 1 ] || fail "$1: not one line: $(cat "$WORK/said")"
    grep -qF "$2" "$WORK/said" || fail "$1: $(cat "$WORK/said")"
}
refused testhost:nosuch 'testhost: no block device "nosuch" in /sys/class/block'
refused testhost:/no/such 'testhost: /no/such: no such file or directory'
refused nosuch.invalid:/ 'ssh nosuch.invalid: Could not resolve hostname'
refused @-oProxyCommand=x:/ 'the host is to be a name that ssh knows'
refused 'a b:/' 'the host is to be a name that ssh knows'
refused testhost: 'PATH is missing'
ssh-keygen -q -t ed25519 -N '' -f "$WORK/other"
cp "$WORK/other.pub" "$SSHD_DIR/authorized_keys"
refused testhost:/ '(a key that opens it without a question is needed: ssh-copy-id testhost)'
cp "$SSHD_DIR/user_key.pub" "$SSHD_DIR/authorized_keys"
cp "$SSHD_DIR/known_hosts" "$WORK/known"
: >"$SSHD_DIR/known_hosts"
refused testhost:/ 'Host key verification failed (its key is not known here, or is another one: log in once by hand with ssh testhost)'
sed "s/ [^ ]*$/ $(cut -d ' ' -f 2 "$WORK/other.pub" | sed 's/[\/&]/\\&/g')/" "$WORK/known" >"$SSHD_DIR/known_hosts"
refused testhost:/ 'Host key verification failed'
cp "$WORK/known" "$SSHD_DIR/known_hosts"
env PATH=/nonexistent "$info" testhost:/ >"$WORK/out" 2>"$WORK/said" && fail "without ssh"
grep -q "by the OpenSSH client: can't run ssh: No such file" "$WORK/said" || fail "without ssh: $(cat "$WORK/said")"

echo "== shells and greetings"
# The user's own configuration may greet, forward, and name a command.
printf '    RemoteCommand false\n    ControlMaster auto\n    ControlPath %s\n' "$WORK/control" >>"$SSHD_DIR/ssh_config"
echo "command=\"echo Welcome; printf 'no end'; echo; eval \\\"\$SSH_ORIGINAL_COMMAND\\\"\" $(cat "$SSHD_DIR/user_key.pub")" \
    >"$SSHD_DIR/authorized_keys"
"$info" --plain "testhost:$part" | grep -q "^$part" || fail "a greeting is not passed over"
[ ! -e "$WORK/control" ] || fail "a connection is left behind"
[ -z "$(ls "$TMPDIR")" ] || fail "left behind: $(ls "$TMPDIR")"

# Another host's sh may be any: ssh is stood in for by a script that runs the command with that one.
for shell in dash bash busybox; do
    program=$(command -v $shell) || continue
    mkdir -p "$WORK/$shell"
    if [ $shell = busybox ]; then "$program" --install -s "$WORK/$shell"; else ln -s "$program" "$WORK/$shell/sh"; fi
    # shellcheck disable=SC2016 # of the script
    printf '#!/bin/bash\nPATH=%s:$PATH exec sh -c "${!#}"\n' "$WORK/$shell" >"$WORK/$shell/ssh"
    chmod 755 "$WORK/$shell/ssh"
    PATH=$WORK/$shell:$PATH "$info" --json --serial "testhost:/dev/$part" | diff "$WORK/here.json" - || fail "$shell: another map"
    PATH=$WORK/$shell:$PATH "$info" --watch --json "testhost:$part" 0.2s 2 >"$WORK/watch" || fail "$shell: no counters"
    has_reports "$WORK/watch" 2 || fail "$shell: no report"
    echo "$shell"
done
