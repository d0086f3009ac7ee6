#!/bin/bash
# timeout: 420
# drive-info on stacks that this machine's kernel may not have: LVM on LUKS on a partition, md of two
# partitions, dm-multipath, NVMe native multipath, btrfs and bcache. They are real in a small QEMU
# guest: Debian's cloud kernel and an initrd of busybox, the tools and the program under test.
# Packages: DEPS_SOAK in the Makefile. The kernel is fetched and unpacked, not installed.
set -eu

WORK=$(mktemp -d /var/tmp/drive-guest.XXXXXX)
GUEST=
clean_up() {
    [ -z "$GUEST" ] || kill "$GUEST" 2>/dev/null || true # ended by itself
    rm -rf "$WORK"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
# shellcheck source=tests/soak/guest_lib.bash
. "$ROOT/tests/soak/guest_lib.bash"

TOOLS=(lvm mdadm cryptsetup dmsetup mkfs.ext4 mkfs.btrfs sfdisk make-bcache)
MODULES=(virtio_pci virtio_scsi sd_mod dm_mod dm_crypt dm_multipath dm_round_robin raid1 btrfs
    xts aesni_intel algif_skcipher bcache loop overlay)

# One file is behind the two SCSI disks, and one namespace behind the two controllers of a subsystem.
run_guest() {
    local name disks=()
    for name in luks raid0 raid1 btrfs bcache cache; do
        truncate -s 192M "$WORK/$name"
        disks+=(-drive "file=$WORK/$name,if=none,format=raw,id=$name"
            -device "nvme,drive=$name,serial=$name")
    done
    truncate -s 64M "$WORK/scsi" "$WORK/shared"
    disks+=(-device virtio-scsi-pci)
    for name in a b; do
        disks+=(-drive "file=$WORK/scsi,if=none,format=raw,file.locking=off,cache=none,id=scsi-$name"
            -device "scsi-hd,drive=scsi-$name,serial=one")
    done
    disks+=(-device "nvme-subsys,id=subsystem,nqn=nqn.test"
        -device "nvme,id=path-a,serial=shared,subsys=subsystem"
        -device "nvme,id=path-b,serial=shared,subsys=subsystem"
        -drive "file=$WORK/shared,if=none,format=raw,id=shared"
        -device "nvme-ns,drive=shared,bus=path-a,nsid=1,shared=on")
    timeout 200 qemu-system-x86_64 -machine q35,accel=tcg -cpu max -smp 1 -m 768 -nodefaults -no-reboot \
        -display none -serial stdio -kernel "$CACHE"/kernel/boot/vmlinuz-* -initrd "$WORK/initrd.img" \
        -append "console=ttyS0 quiet panic=-1" "${disks[@]}" </dev/null >"$WORK/console" 2>&1 &
    GUEST=$!
}

need_guest
make_initrd tests/soak/drive_guest_init.inc drive-info
guest_to_end
