#!/bin/busybox sh
# SPDX-License-Identifier: MIT
#
# The first program of the Linux that runs perf, rr or PAPI; /program.sh is their script. Lines of the serial line
# begin with a key, as tests/runner/guests/linux_programs.py wants them.
# shellcheck shell=busybox
export PATH=/bin:/usr/bin HOME=/tmp
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp

# Runs a command; says its output, line by line, and its status, after the key $1.
run() {
    local key="$1"
    shift
    "$@" > /tmp/out 2>&1
    echo "status $?" >> /tmp/out
    sed "s/^/$key /" /tmp/out | counted say
}

# Loads KVM: /modules has the vendor of each of its modules, the name and parameters.
load_kvm() {
    while read -r vendor name parameters; do
        if [ "$vendor" = all ] || grep -q "$vendor" /proc/cpuinfo; then
            # shellcheck disable=SC2086  # words
            run "module $name" insmod "/$name.ko" $parameters
        fi
    done < /modules
}

# PAPI wants this, even as root.
echo -1 > /proc/sys/kernel/perf_event_paranoid
# Otherwise perf record reads 150000 names.
echo 2 > /proc/sys/kernel/kptr_restrict
# Otherwise Linux takes fewer samples, because in an emulator each takes long.
echo 0 > /proc/sys/kernel/perf_cpu_time_max_percent
echo 100000 > /proc/sys/kernel/perf_event_max_sample_rate 2> /dev/null

run where counted where
run processors grep -c ^processor /proc/cpuinfo
# shellcheck disable=SC1091
. /row.sh
. /program.sh
dmesg | grep -E 'perf|PMU|NMI|WARNING|BUG|Oops|segfault|traps:' | grep -v BIOS > /tmp/log
run log cat /tmp/log
echo end | counted end
