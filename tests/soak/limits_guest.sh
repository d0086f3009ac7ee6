#!/bin/bash
# timeout: 3600
# What this machine's kernel may not have, real in a QEMU guest that boots four times, twice with systemd: the
# memory limit by control groups v2 and by a scope of systemd (the integration script cluster_memory, whole),
# or of an ordinary user's own systemd,
# and a run on QEMU's NVMe drive, whose health smartctl and nvme-cli read, with a critical warning raised
# while it runs. The guest sees this machine's files, read-only and with a layer in memory above.
# Packages: DEPS_SOAK in the Makefile. The kernel is fetched and unpacked, not installed.
set -eu

WORK=$(mktemp -d /var/tmp/limits-guest.XXXXXX)
GUEST=""
FILES=""
# shellcheck disable=SC2317 # called by the trap
clean_up() {
    [ -z "$GUEST" ] || kill "$GUEST" 2>/dev/null || true # ended by itself
    [ -z "$FILES" ] || kill "$FILES" 2>/dev/null || true # goes with the guest
    rm -rf "$WORK"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
# shellcheck source=tests/soak/guest_lib.bash
. "$ROOT/tests/soak/guest_lib.bash"

MODULES=(virtio_pci virtiofs overlay)

need() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || skip "no $program"
    done
}

build_initrd() {
    mkdir -p "$INITRD"/{bin,dev,proc,sys,lower,upper,root}
    copy_program "$(command -v busybox)"
    copy_modules
    install -m 755 "$ROOT/tests/soak/limits_guest_init.inc" "$INITRD/init"
    install -m 755 "$ROOT/tests/soak/limits_guest_run.inc" "$INITRD/run"
    printf '%s\n' "ROOT='$ROOT'" "BIN='$(cd "$BIN" && pwd)'" "VARIANT='$VARIANT'" >"$INITRD/where"
    (cd "$INITRD" && find . | cpio --quiet -o -H newc) >"$WORK/initrd.img"
}

# MODE: tools, v2, systemd or user.
run_guest() {
    rm -f "$WORK"/{disk,files,qmp.in,qmp.out}
    truncate -s 3G "$WORK/disk"
    mkfifo "$WORK/qmp.in" "$WORK/qmp.out"
    "$VIRTIOFSD" --socket-path="$WORK/files" -o source=/ -o cache=auto -o sandbox=chroot >"$WORK/virtiofsd" 2>&1 &
    FILES=$!
    for _ in $(seq 100); do [ ! -S "$WORK/files" ] || break; sleep 0.1; done
    timeout 1700 qemu-system-x86_64 -machine q35,accel=tcg,memory-backend=memory -cpu max -smp 2 -m 1536 \
        -object "memory-backend-memfd,id=memory,size=1536M,share=on" -nodefaults -no-reboot -display none \
        -serial stdio -kernel "$CACHE"/kernel/boot/vmlinuz-* -initrd "$WORK/initrd.img" \
        -append "console=ttyS0 quiet panic=-1 psi=1 soak=$MODE systemd.show_status=0" -qmp "pipe:$WORK/qmp" \
        -chardev "socket,id=files,path=$WORK/files" -device "vhost-user-fs-pci,chardev=files,tag=files" \
        -drive "file=$WORK/disk,if=none,format=raw,cache=unsafe,id=disk" \
        -device "nvme,id=health,drive=disk,serial=health" </dev/null >"$WORK/console" 2>&1 &
    GUEST=$!
    exec 7<>"$WORK/qmp.in" 8<>"$WORK/qmp.out"
}

# qmp COMMAND: what QEMU returns.
qmp() {
    local line
    echo "$1" >&7
    while read -r -t 60 line <&8; do
        case $line in *'"return"'* | *'"error"'*) echo "$line"; return ;; esac
    done
    return 1
}

# said TEXT SECONDS: whether the guest says so in time.
said() {
    local n
    for ((n = 0; n < $2 * 10; n++)); do
        ! grep -q "^guest: $1" "$WORK/console" || return 0
        kill -0 "$GUEST" 2>/dev/null || return 1
        sleep 0.1
    done
    return 1
}

told() { # KEY: the number behind "guest: KEY"
    sed -n "s/^guest: $1 \([0-9]*\).*/\1/p" "$WORK/console" | tr -d '\r' | tail -n 1
}

# statistic KEY: of the only drive, from QEMU; what lies below it counts nothing.
statistic() {
    qmp '{"execute":"query-blockstats"}' | grep -o "\"$1\": *[0-9]*" | tr -dc '0-9\n' | sort -n | tail -n 1
}

wrong() {
    echo "FAILED: $*"
    failed=1
}

# Counted in 1,000 blocks of 512 bytes, begun ones too: each tool, and QEMU itself.
compare_figures() {
    local what units key bytes
    for what in read written; do
        key=$([ $what = read ] && echo rd || echo wr)
        bytes=$(statistic "${key}_bytes")
        units=$(((bytes / 512 + 999) / 1000))
        for tool in smartctl nvme; do
            [ "$(told "$tool $what")" = "$units" ] || wrong "$tool: $(told "$tool $what") units $what, QEMU $units"
        done
        echo "$what: $bytes bytes by QEMU, $(told "smartctl $what") units by smartctl, $(told "nvme $what") by nvme-cli"
        for tool in smartctl nvme; do
            [ "$(told "$tool commands $what")" = "$(statistic "${key}_operations")" ] ||
                wrong "$tool: $(told "$tool commands $what") commands, QEMU $(statistic "${key}_operations")"
        done
    done
}

# The drive warns (reliability degraded) from the run's first figures on.
raise_warning() {
    said "the run goes on" 900 || { wrong "no run"; return; }
    qmp '{"execute":"qom-set","arguments":{"path":"/machine/peripheral/health","property":"smart_critical_warning","value":4}}'
}

boot() {
    MODE=$1
    echo "=== $MODE"
    boot_guest || { echo "the guest does not start"; exit 1; }
    qmp '{"execute":"qmp_capabilities"}' >/dev/null
    [ "$MODE" != v2 ] || raise_warning
    if said idle 1500; then
        [ "$MODE" != tools ] || compare_figures
    else
        wrong "the guest did not come to its end"
        tail -n 40 "$WORK/console"
    fi
    qmp '{"execute":"quit"}' >/dev/null || kill "$GUEST"
    wait "$GUEST" || true
    exec 7>&- 8>&-
    tr -d '\r' <"$WORK/console" >"$WORK/said"
    sed -n '/^guest: /p' "$WORK/said"
    ! grep -q '^guest: FAILED' "$WORK/said" || failed=1
}

need qemu-system-x86_64 busybox smartctl nvme busctl loginctl dbus-daemon mkfs.ext4 runuser
[ -e /usr/lib/systemd/user/dbus.socket ] || skip "no bus of a user's"
[ -x /usr/lib/systemd/systemd ] || skip "no systemd"
VIRTIOFSD=/usr/lib/qemu/virtiofsd # of QEMU itself up to Debian 12, then a package
[ -x "$VIRTIOFSD" ] || VIRTIOFSD=/usr/libexec/virtiofsd
[ -x "$VIRTIOFSD" ] || skip "no virtiofsd"
failed=0
fetch_kernel
build_initrd
for mode in ${ONLY_MODES:-tools v2 systemd user}; do
    boot "$mode"
done
exit "$failed"
