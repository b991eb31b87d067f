# SPDX-License-Identifier: MIT
# shellcheck shell=busybox
# /modules has the vendor of each of KVM's modules, its name and parameters; /row.sh has the tests in $SELFTESTS.
while read -r vendor name parameters; do
    if [ "$vendor" = all ] || grep -q "$vendor" /proc/cpuinfo; then
        # shellcheck disable=SC2086  # words
        run "module $name" insmod "/$name.ko" $parameters
    fi
done < /modules
for test in $SELFTESTS; do
    run "selftest ${test%:*}" "/bin/${test%:*}"
done
