# SPDX-License-Identifier: MIT
# shellcheck shell=busybox
# /row.sh has the tests in $SELFTESTS.
load_kvm
for test in $SELFTESTS; do
    run "selftest ${test%:*}" "/bin/${test%:*}"
done
