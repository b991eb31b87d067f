# SPDX-License-Identifier: MIT
# shellcheck shell=busybox
# What guests of KVM see of each other's counters: tests/linux/guests/guests_main.c. "used" is a new guest after one that
# was left, or killed, with its counters running; "stale" is what a host must not do.
load_kvm
run vpmu sh -c 'cat /sys/module/kvm_*/parameters/enable_mediated_pmu || echo N'
run new guests look
for ending in leave kill; do
    run "$ending" guests "$ending"
    run "used $ending" guests look
done
run stale guests stale
run alone guests count
run both guests both
run cost guests cost
run host guests host
