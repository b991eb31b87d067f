# SPDX-License-Identifier: MIT
# shellcheck shell=busybox disable=SC2086  # events are words
# perf counts a loop on a processor of each type, with both types' events at once.

run types sh -c 'for pmu in cpu_core cpu_atom; do echo $pmu $(cat /sys/bus/event_source/devices/$pmu/cpus); done'

# An interrupt at CPL 3 adds to a count: the least of three is judged.
events=cpu_core/instructions/u,cpu_atom/instructions/u,cpu_core/branches/u,cpu_atom/branches/u
for pmu in cpu_core cpu_atom; do
    cpu=$(sed 's/[,-].*//' /sys/bus/event_source/devices/$pmu/cpus)
    for try in 1 2 3; do
        for turns in 1000 3000; do
            run "stat $pmu $turns $try" taskset -c "$cpu" perf stat -x, -e $events counted loop $turns
        done
    done
    rm -f /tmp/data
    run "record $pmu" taskset -c "$cpu" perf record -q -B -N -o /tmp/data -e $pmu/instructions/u -c 1009 counted loop 100000
    perf script -i /tmp/data -F ip 2> /dev/null | tr -s ' ' '\n' > /tmp/samples
    run "samples $pmu" sh -c 'sed "s/^\(ffff\|[c-f]......\)[^/]*$/kernel/; s/^0x//" /tmp/samples | grep . | sort | uniq -c'
done
