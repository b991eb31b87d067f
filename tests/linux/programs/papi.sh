# SPDX-License-Identifier: MIT
# shellcheck shell=busybox
# /row.sh has the presets in $PAPI. PAPI's own programs, and one of ours that counts a loop with PAPI.
run avail sh -c 'papi_avail -a | grep -E "Model string|Number Hardware|Fast counter|^Of "'
for preset in $PAPI; do
    run "papi $preset" papi_loop "$preset"
done
run command papi_command_line PAPI_TOT_INS
run cost papi_cost -t 100
