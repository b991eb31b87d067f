# SPDX-License-Identifier: MIT
# shellcheck shell=busybox disable=SC2086  # events are words
# perf counts events by the vendor's own names, in a loop of known loads, stores and branches. /row.sh has the
# processor's, as EVENT=COUNT of a turn.

# An interrupt at CPL 3 adds to a count: the least of four is judged. Four at a time have counters of their own.
set -- $EVENTS
part=0
while [ $# != 0 ]; do
    events='' n=0
    while [ $# != 0 ] && [ $n != 4 ]; do
        events="$events${events:+,}${1%=*}:u"
        n=$((n + 1))
        shift
    done
    part=$((part + 1))
    for try in 1 2 3 4; do
        for turns in 1000 3000; do
            run "names $turns $try" perf stat -x, -e $events counted mix $turns
        done
    done
done
