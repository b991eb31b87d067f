#!/bin/sh
# SPDX-License-Identifier: MIT
# The build: two clean ones give the same bytes, and one that is up to date does nothing.
cd "$(dirname "$0")/../.." || exit 1
again=$(mktemp -d) || exit 1
trap 'rm -rf "$again"' EXIT
number=0
status=0
unset MAKELEVEL MAKEFLAGS MFLAGS                # of the make that runs the tests

result() { # STATUS NAME WHAT_TO_SHOW_OF_A_FAILURE
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $number - $2"
	else
		echo "not ok $number - $2"
		echo "$3" | sed 's/^/# /'
		status=1
	fi
}

echo 1..3
said=$(make --no-print-directory all BUILD="$again" 2>&1 &&
	cmp build/barecount32.elf "$again/barecount32.elf" 2>&1)
result $? "a second clean build gives the same kernel, byte for byte" "$said"
said=$(cmp build/barecount.iso "$again/barecount.iso" 2>&1)
result $? "and the same image" "$said"
said=$(make --no-print-directory all BUILD="$again" 2>&1)
test "$said" = "make: Nothing to be done for 'all'."
result $? "a build that is up to date does nothing" "$said"
exit $status
