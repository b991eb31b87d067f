# SPDX-License-Identifier: MIT
# shellcheck shell=busybox
# rr records programs and replays them. Its clock is a counter of conditional branches ("ticks").
export _RR_TRACE_DIR=/tmp/rr
ip link set lo up
# rr goes on with this although it finds SpecLockMap on: docs/linux.md.
force=
[ "$RR" != forced ] || force=-F

# Records the command after the key $1 with the option $2, replays it, and says what both printed.
record() {
    local key="$1" option="$2"
    shift 2
    run "record $key" rr $force record -n $option "$@"
    run "replay $key" rr $force replay -a
}

for turns in 1000 3000; do
    record $turns '' counted loop $turns
    rr dump 2> /dev/null | sed -n 's/.*ticks:\([0-9]*\).*/\1/p' | tail -n 1 > /tmp/ticks
    run "ticks $turns" cat /tmp/ticks
done
# What these print depends on the time, on random numbers, and on which of two runs when: a task gives way when its
# counter has counted 2000 branches, and its replay must stop it at the very branch.
record mixed '' sh -c 'date +%s; head -c 6 /dev/urandom | sha256sum; echo $RANDOM'
if [ "$RR" = turns ]; then
    record turns -c2000 sh -c 'for n in 1 2; do (counted loop 20000; read -r time rest < /proc/uptime; echo $n $time) & done; wait'
    rr dump 2> /dev/null | sed -n "s/.*event:.\([A-Z]*\).*/\1/p" | sort | uniq -c > /tmp/events
    run "events turns" cat /tmp/events
fi
