#!/bin/bash
# timeout: 420
# drive-prep where this machine's kernel has no such stacks: refusals of LVM, md, LUKS and of the disk
# under /, and NVMe's own format, on the NVMe and SCSI drives of a small QEMU guest (see drive_guest.sh).
set -eu

WORK=$(mktemp -d /var/tmp/prep-guest.XXXXXX)
GUEST=
clean_up() {
    [ -z "$GUEST" ] || kill "$GUEST" 2>/dev/null || true # ended by itself
    rm -rf "$WORK"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
# shellcheck source=tests/soak/guest_lib.bash
. "$ROOT/tests/soak/guest_lib.bash"

TOOLS=(lvm mdadm cryptsetup mkfs.ext4 sfdisk wipefs nvme)
MODULES=(virtio_pci virtio_scsi sd_mod dm_mod dm_crypt raid1 xts aesni_intel algif_skcipher)

# "two" is a controller with two namespaces.
run_guest() {
    local name disks=()
    for name in lvm raid0 raid1 luks root free; do
        truncate -s 96M "$WORK/$name"
        disks+=(-drive "file=$WORK/$name,if=none,format=raw,id=$name"
            -device "nvme,drive=$name,serial=$name")
    done
    truncate -s 64M "$WORK/scsi" "$WORK/first" "$WORK/second"
    disks+=(-device virtio-scsi-pci -drive "file=$WORK/scsi,if=none,format=raw,id=scsi"
        -device "scsi-hd,drive=scsi,serial=one"
        -device "nvme,id=two,serial=two"
        -drive "file=$WORK/first,if=none,format=raw,id=first" -device "nvme-ns,drive=first,bus=two,nsid=1"
        -drive "file=$WORK/second,if=none,format=raw,id=second" -device "nvme-ns,drive=second,bus=two,nsid=2")
    timeout 300 qemu-system-x86_64 -machine q35,accel=tcg -cpu max -smp 1 -m 1024 -nodefaults -no-reboot \
        -display none -serial stdio -kernel "$CACHE"/kernel/boot/vmlinuz-* -initrd "$WORK/initrd.img" \
        -append "console=ttyS0 quiet panic=-1" "${disks[@]}" </dev/null >"$WORK/console" 2>&1 &
    GUEST=$!
}

need_guest
mkdir -p "$INITRD/share/tpcc-run"
cp -R "$ROOT/schema" "$ROOT/workloads" "$INITRD/share/tpcc-run"
make_initrd tests/soak/prep_guest_init.inc drive-prep
guest_to_end
