# What the soaks in a QEMU guest share: Debian's cloud kernel, an initrd of busybox, and the wait for the
# guest's words to its end. Needs $WORK, a scratch folder.
CACHE=${BIN%/*}/guest
INITRD=$WORK/initrd
GUEST=

skip() {
    echo "$*"
    exit 77
}

# The newest cloud kernel, once: its image and modules are in $CACHE/kernel.
fetch_kernel() {
    local package
    [ ! -e "$CACHE/kernel/done" ] || return 0
    package=$(apt-cache depends linux-image-cloud-amd64 | awk '/Depends: linux-image/ { print $2; exit }')
    [ -n "$package" ] || skip "no Debian cloud kernel known here"
    rm -rf "$CACHE"
    mkdir -p "$CACHE/kernel"
    (cd "$CACHE" && apt-get -q download "$package" 2>&1) || skip "$package can't be fetched"
    dpkg-deb -x "$CACHE/$package"_*.deb "$CACHE/kernel"
    rm "$CACHE/$package"_*.deb
    depmod -b "$CACHE/kernel" "$(ls "$CACHE/kernel/lib/modules")"
    touch "$CACHE/kernel/done"
}

# copy_program FILE: with the shared objects that it needs.
copy_program() {
    local lib
    install -D "$1" "$INITRD/bin/$(basename "$1")"
    for lib in $(ldd "$1" 2>/dev/null | grep -o '/[^ ]*'); do
        [ -e "$INITRD$lib" ] || install -D "$lib" "$INITRD$lib"
    done
}

# The modules that are not built in, in the order to load them.
copy_modules() {
    local version module file
    version=$(ls "$CACHE/kernel/lib/modules")
    mkdir -p "$INITRD/modules"
    for module in "${MODULES[@]}"; do
        modprobe -d "$CACHE/kernel" -S "$version" --show-depends "$module"
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$WORK/modules"
    while read -r file; do
        cp "$file" "$INITRD/modules/"
        basename "$file"
    done <"$WORK/modules" >"$INITRD/modules/order"
}

need_guest() {
    command -v qemu-system-x86_64 >/dev/null || skip "no qemu-system-x86_64"
    fetch_kernel
}

# make_initrd INIT PROGRAM...: busybox, our programs, $TOOLS and $MODULES, what is in $INITRD already, and
# INIT (a path in the repository) as the guest's first process.
make_initrd() {
    local init=$1 tool path
    shift
    mkdir -p "$INITRD"/{bin,dev,proc,sys,run,tmp,etc,mnt}
    copy_program "$(command -v busybox)"
    for tool in "$@"; do copy_program "$BIN/$tool"; done
    for tool in "${TOOLS[@]}"; do
        path=$(PATH=$PATH:/sbin:/usr/sbin command -v "$tool") || skip "no $tool"
        copy_program "$path"
    done
    copy_modules
    install -m 755 "$ROOT/$init" "$INITRD/init"
    (cd "$INITRD" && find . | cpio --quiet -o -H newc) >"$WORK/initrd.img"
}

# Once in a dozen starts on a busy machine nothing came from the guest's kernel at all: 60 s for its
# first word, three starts.
boot_guest() {
    local start n
    for start in 1 2 3; do
        run_guest
        for ((n = 0; n < 600; n++)); do
            ! grep -q '^guest: up' "$WORK/console" || return 0
            kill -0 "$GUEST" 2>/dev/null || break
            sleep 0.1
        done
        echo "start $start: no word from the guest"
        kill "$GUEST" 2>/dev/null || true
        wait "$GUEST" || true
    done
    return 1
}

# One guest from its start to its end, and what it said: false where something failed in it, or it did not
# come to its end ("guest: end").
guest_to_end() {
    if boot_guest; then
        wait "$GUEST" || true # what it said counts
    fi
    tr -d '\r' <"$WORK/console" >"$WORK/said"
    sed -n '/^guest: /p' "$WORK/said"
    if ! grep -q '^guest: end$' "$WORK/said"; then
        tail -n 40 "$WORK/said"
        echo "the guest did not come to its end"
        return 1
    fi
    ! grep -q '^guest: FAILED' "$WORK/said"
}
