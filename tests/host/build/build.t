#!/bin/sh
# SPDX-License-Identifier: MIT
# The build: two clean ones give the same bytes, one that is up to date does nothing,
# and no file needs another file that is made first only by luck.
cd "$(dirname "$0")/../../.." || exit 1
# The builds are kept for the next time, when only changed files are built again. Each file was still built
# twice, and a file that a rule forgets to build differs from the first one.
again=build/again
number=0
status=0
unset MAKELEVEL MAKEFLAGS MFLAGS                # these belong to the make that runs the tests

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

echo 1..5
said=$(make --no-print-directory all BUILD="$again" 2>&1 &&
	cmp build/barecount32.elf "$again/barecount32.elf" 2>&1 &&
	cmp build/barecount64.elf "$again/barecount64.elf" 2>&1)
result $? "a second clean build gives the same kernels, byte for byte" "$said"
said=$(cmp build/barecount.iso "$again/barecount.iso" 2>&1)
result $? "and the same image" "$said"
said=$(LC_ALL=C make --no-print-directory all BUILD="$again" 2>&1)
test "$said" = "make: Nothing to be done for 'all'."
result $? "a build that is up to date does nothing" "$said"

# Runs in a copy of the sources, because no file may be missing here while other tests run.
without_a_source() {
	copy=$(mktemp -d) && cp -R Makefile linker.ld arch boot kernel model monitor pmu tests "$copy" &&
		cp -R "$again" "$copy/build" && rm "$copy/tests/suites/rdpmc/rdtsc.c" || exit 1
	make --no-print-directory -C "$copy" build/barecount64.elf
	nm "$copy/build/barecount64.elf.debug" | grep check_rdtsc
	rm -rf "$copy"
}
said=$(without_a_source)
test "$said" = "  link     build/barecount64.elf"
result $? "a source that was deleted is gone from the kernel" "$said"

# With several jobs any file may be made first; so this makes one file of each rule, alone in its folder.
make_alone() {
	alone=$(mktemp -d) || exit 1
	trap 'rm -rf "$alone"' EXIT
	for file in 32/arch/clock/pit.o 64/arch/clock/pit.o 32/kernel/console/font.o font.c 32/boot/multiboot_headers.asm.o \
			64/boot/multiboot_headers.asm.o 32/regs.inc 64/regs.inc bochs-rom.bin bochs-disk.bin unit/model/machine/msr_access.o unit/test_string unit/fuzz_glob; do
		rm -rf "$alone" && mkdir "$alone" &&
			make --no-print-directory BUILD="$alone" "$alone/$file" 2>&1 || echo "first: $file"
	done | grep -v '^  '
}
said=$(make_alone)
test -z "$said"
result $? "each kind of file can be the first that is built" "$said"
exit $status
