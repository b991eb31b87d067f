# SPDX-License-Identifier: MIT
# shellcheck shell=busybox disable=SC2086  # events are words
# perf counts and samples a loop of known length. /row.sh has what the processor's row of programs.csv says.

# Prints an event with its modifiers. Where Linux sees cores of two types perf 7 would take it of both, and count it twice.
event() {
    if [ -d /sys/bus/event_source/devices/cpu_core ]; then echo "cpu_core/$1/$2"; else echo "$1:$2"; fi
}

# An interrupt at CPL 3 adds to a count: the least of three is judged.
events=$(event instructions u),$(event branches u)${CONDITIONAL:+,$(event "$CONDITIONAL" u)}
for try in 1 2 3; do
    for turns in 1000 3000; do
        run "stat $turns $try" perf stat -x, -e $events counted loop $turns
    done
done

# Records a loop of $3 turns with the options that follow, and says how often each sample came. $1 is the key, $2 the
# field of the samples; all addresses of the kernel are one sample.
sample() {
    local key="$1" field="$2" turns="$3"
    shift 3
    rm -f /tmp/data
    run "record $key" perf record -q -B -N -o /tmp/data "$@" counted loop $turns
    perf script -i /tmp/data -F "$field" 2> /dev/null | tr -s ' ' '\n' > /tmp/samples
    run "samples $key" sh -c 'sed "s/^\(ffff\|[c-f]......\)[^/]*$/kernel/; s/^0x//; s/[/]0x/ /; s/[/].*//" /tmp/samples | grep . | sort | uniq -c'
}
sample plain ip 100000 -e "$(event instructions u)" -c 1009
# With a shorter period the kernel would sample itself.
sample default ip 2000000 -c 200003
run cycles perf stat -x, -e "$(event cycles u)" counted loop 100000
[ "$PRECISE" = ignored ] || sample precise ip 100000 -e "$(event cycles upp)" -c 10007
if [ "$STACK" != 0 ]; then
    # Zen 3 records the branches that follow an overflow, for an event of its own.
    taken=$(event branches u)
    [ ! -e /sys/devices/cpu/events/branch-brs ] || taken=cpu/branch-brs/u
    sample stack brstack 100000 -b -e "$taken" -c 1009
fi
if [ "$IBS" = yes ]; then
    sample ibs_op ip 2000000 -e ibs_op/cnt_ctl=1/ -c 100003
    sample ibs_fetch ip 2000000 -e ibs_fetch// -c 100003
fi
if [ "$TOPDOWN" = yes ]; then
    counted loop 3000000 &
    run topdown perf stat -x, -e '{slots:u,topdown-retiring:u,topdown-bad-spec:u,topdown-fe-bound:u,topdown-be-bound:u}' \
        -e instructions:u,context-switches counted loop 1000000
fi
