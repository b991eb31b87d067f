# SPDX-License-Identifier: MIT
#
# make [COMMAND...] [NAME=VALUE...]; docs/commands.md has all options
#
#   make             builds build/barecount.iso, the kernels in it, and build/netboot for booting from the network
#   make run         installs what is missing, boots the best target this machine has, shows its verdict on one screen
#   make check       runs lint, unit tests and one machine of each generation, in less than a minute
#   make test        installs what is missing, runs what CI runs, but the longest, and of quirks and liberties a
#                    fifth, which the commit chooses; QUIRKS=all, as in CI, runs all
#   make help        prints these lines
#   make deps        installs missing Debian packages
#   make deps-matrix installs also those that only `make matrix` needs
#   make clean       deletes build
#
#   make learn       opens the monitor at this terminal, on the machine of LESSON=1 or on model:CPU: docs/lessons;
#                    EMULATOR=qemu takes QEMU with the model: docs/qemu-model.md
#   make experiment  shows where PEBS, IBS and interrupts sample, on model:CPU: docs/sampling.md
#   make usb         writes build/barecount.iso to the USB stick DEV=/dev/sdX, after a question: docs/hardware.md
#   make images      writes build/barecount.raw, .qcow2 and .vhd, disks for clouds, with WORDS="..." if given: docs/clouds.md
#   make report      writes build/report.html, a page of all verdicts of the last matrix, or of LOGS="FILE..."
#   make linux       boots Debian's own kernels on the model; their PMU drivers must count: docs/linux.md
#
#   make matrix      boots every target that this machine has, then runs all quirks and a fifth of the liberties; JOBS=n
#   make quirks      breaks the model in each known way; the tests that are named for it must fail
#   make liberties   boots machines that do what sound ones may do; no test may fail
#   make mutants     changes the model's source in a sample of all places; the suites must see it
#   make alarms      runs each suite RUNS=200 times with other seeds; no verdict may change
#   make chaos       boots BOOTS=500 times with one fault each, flipped bits, a damaged line, a bad host; a run is right, or
#                    its fault is noticed; SEED=n chooses other faults
#   make fuzz        runs the fuzzers, SECONDS=n each
#   make systems     types the README's two commands on fresh installations of the systems that it names, or
#                    of SYSTEM=trixie, and prints a table
#   make nightly     runs the eight commands above, for long, and tests/bench/host-code, and puts a table of the
#                    results into build/nightly.md; PARTS="fuzz quirks" chooses
#   make lint        runs static analysis and checks the rules of the house
#   make coverage    measures what the model's own tests reach of model/; fails below its goals
#   make size        prints sizes against their limits, and which folders take the room
#   make bench       measures how fast Bochs is with the PMU model and without; AGAINST=COMMIT: with that commit's model;
#                    EMULATOR=qemu: QEMU with the model, against stock QEMU and Bochs
#
#   make docs        writes the generated pages and pictures under docs/
#   make dist        puts images, kernels, sources and a Debian source package into build/dist, with their sums
#
# V=1 shows the commands that make runs, and all results instead of one screen.

# A goal without a slash is one of these; tests/runner/nearest.py names the one that was meant.
COMMANDS := all run check test help deps deps-matrix clean learn experiment usb images report linux matrix quirks liberties mutants \
            alarms chaos fuzz systems nightly lint coverage size bench docs dist
STEPS := $(addprefix test-,build checks tests quirks liberties size) $(addprefix matrix-,tests quirks liberties)
UNKNOWN := $(strip $(foreach goal,$(MAKECMDGOALS),\
             $(if $(or $(findstring /,$(goal)),$(filter %.run,$(goal))),,$(filter-out $(COMMANDS) $(STEPS),$(goal)))))
ifneq ($(UNKNOWN),)
$(error make has no command "$(firstword $(UNKNOWN))"$(shell \
  PYTHONPATH=tests python3 -B -m runner.nearest '$(firstword $(UNKNOWN))' $(COMMANDS) 2> /dev/null); "make help" lists all)
endif

# An option on the command line means something to the commands that follow it here. Other variables of this file can be
# set for any command. Commands inside of commands are not looked at.
OPTIONS := JOBS:matrix:linux PLACE:matrix LESSON:learn EMULATOR:learn:bench CPU:learn:experiment WORDS:learn:experiment:images \
           RUNS:alarms:nightly ALARMS:alarms:nightly PARTS:nightly SECONDS:fuzz:nightly SAMPLE:mutants:nightly TABLES:mutants SEED:mutants:chaos:liberties LIKE:liberties \
           LOGS:report DEV:usb QUIRKS:test SYSTEM:systems MOVED:matrix SNAPSHOTS:matrix BOOTS:chaos:nightly
option_name = $(firstword $(subst :, ,$(1)))
option_goals = $(wordlist 2,9,$(subst :, ,$(1)))
ifeq ($(MAKELEVEL),0)
GIVEN := $(foreach word,$(MAKEOVERRIDES),$(if $(findstring =,$(word)),$(firstword $(subst =, ,$(word)))))
$(foreach name,$(GIVEN),$(if $(shell grep -P '(^|\$$\x28|\x28or )$(name)\b' Makefile),,\
  $(error make has no option "$(name)"$(shell PYTHONPATH=tests python3 -B -m runner.nearest '$(name)' \
    $(foreach option,$(OPTIONS),$(call option_name,$(option))) 2> /dev/null); "make help" lists all)))
$(foreach option,$(OPTIONS),$(if $(filter $(GIVEN),$(call option_name,$(option))),\
  $(if $(filter $(call option_goals,$(option)) $(STEPS) $(filter %.run,$(MAKECMDGOALS)),$(MAKECMDGOALS)),,\
    $(error $(call option_name,$(option)) means nothing here: it is for make $(call option_goals,$(option))))))
endif

# The parts of `make test` and the seconds that each may take, on two idle cores after a first build: 240
# in all, with the time of deps. tests/parts runs them in this order, and notes those that took longer.
BUDGETS := build    2 \
           checks  24 \
           tests  152 \
           quirks  25 \
           liberties 36 \
           size     1

MAKEFLAGS += --no-builtin-rules
BUILD   := build
CC      := gcc
LD      := ld
NASM    := nasm
HOSTCC  := gcc
CLANG   := clang
SECONDS ?= 10
Q       := $(if $(V),,@)

# ------------------------------------------------------------------------------------------- build

KERNEL32 := $(BUILD)/barecount32.elf
KERNEL64 := $(BUILD)/barecount64.elf
KERNELS := $(KERNEL32) $(KERNEL64)
ISO    := $(BUILD)/barecount.iso
LOADERS := $(BUILD)/bochs-rom.bin $(BUILD)/bochs-disk.bin
NETBOOT := $(BUILD)/netboot
QUIRK_BUILD := $(BUILD)/quirk-build/.made
TABLE_PROGRAMS := $(BUILD)/events $(BUILD)/model-events $(BUILD)/presets $(BUILD)/silicon $(BUILD)/words $(BUILD)/select

# A warning of the compiler or assembler that the house follows is an error; one of another version must not stop a user.
WERROR := $(if $(filter $(shell awk '$$1 == "gcc" { print $$2 }' tests/pinned),$(shell $(CC) -dumpversion)),-Werror)
NASM_WERROR := $(if $(filter $(addsuffix %,$(shell awk '$$1 == "nasm" { print $$2 }' tests/pinned)),$(shell $(NASM) -v 2>/dev/null)),-w+error)

# One row of flags per kernel. Nothing uses SSE, so nothing needs the ABI's 16 bytes of stack alignment in 32 bits.
OUT32    := $(BUILD)/32
CFLAGS32 := -m32 -march=pentium -mpreferred-stack-boundary=2
LDFLAGS32 := -m elf_i386
NASMFLAGS32 := -f elf32 -I $(OUT32)/ -I ./ -w+orphan-labels $(NASM_WERROR)

OUT64    := $(BUILD)/64
CFLAGS64 := -m64 -march=x86-64 -mno-red-zone -mcmodel=small
LDFLAGS64 := -m elf_x86_64
NASMFLAGS64 := -f elf64 -I $(OUT64)/ -I ./ -w+orphan-labels $(NASM_WERROR)

# -malign-data=abi: otherwise each table of 32 bytes or more begins at a multiple of 32.
# -fno-pic etc.: the image runs at the address for which it is linked, without an operating system.
# The optimizations that tests/runner/relink.py replaces.
OPTIMIZE ?= -Os
CFLAGS := -nostdinc -isystem $(shell $(CC) -print-file-name=include) -std=gnu11 $(OPTIMIZE) -g -ffreestanding -mgeneral-regs-only -fno-pic -fno-pie \
          -fno-stack-protector -fno-asynchronous-unwind-tables -fcf-protection=none \
          -malign-data=abi -fno-strict-aliasing -fno-common -ffile-prefix-map='$(subst ','\'',$(CURDIR))=.' \
          -Wall -Wextra $(WERROR) -Wconversion -Wundef -Wstrict-prototypes -Wmissing-prototypes \
          -Wno-error=attributes -I.

# Folders x86_32 and x86_64, wherever they are, are built into one kernel only; the suites of processors
# without long mode are in the 32-bit kernel only.
SUITES32 := p5 p6
KERNEL_FOLDERS := arch boot kernel monitor pmu tests/suites
NOT_IN_32 := -path '*/x86_64/*'
NOT_IN_64 := -path '*/x86_32/*' $(SUITES32:%=-o -path 'tests/suites/%/*')
# $(call kernel_sources,WIDTH,ENDING); boot/constants.c is compiled only for its assembly text.
kernel_sources = $(sort $(shell find $(KERNEL_FOLDERS) -name '*.$(2)' ! -path boot/constants.c ! \( $(NOT_IN_$(1)) \)))
# NASM's own lists (-MD) leave out what a source includes.
KERNEL_INC := $(call kernel_sources,32,inc)

LINUX := $(BUILD)/linux/start.bin $(BUILD)/linux/init32 $(BUILD)/linux/init64 $(BUILD)/linux/vmm \
         $(BUILD)/linux/counted32 $(BUILD)/linux/counted64 $(BUILD)/linux/papi_loop $(BUILD)/linux/guests $(BUILD)/linux/guest.bin

all: $(ISO) $(NETBOOT)/boot/grub/grub.cfg $(KERNELS) $(BUILD)/barecount-pvh.elf $(LOADERS) $(LINUX) $(QUIRK_BUILD) $(TABLE_PROGRAMS)

$(BUILD)/font.c: kernel/console/font.py kernel/console/font.txt
	@mkdir -p $(@D)
	$(Q)/usr/bin/python3 kernel/console/font.py kernel/console/font.txt $@

$(BUILD)/ids.c: tests/generate/ids-table tests/ids.csv
	@mkdir -p $(@D)
	$(Q)tests/generate/ids-table tests/ids.csv > $@.new
	$(Q)mv $@.new $@

VENDORS := amd intel
VENDOR_ROWS := $(VENDORS:%=pmu/events/%_rows.c)

$(VENDORS:%=$(BUILD)/%_events.c): $(BUILD)/%_events.c: pmu/events/tables/%_events.csv tests/generate/events-pack $(VENDORS:%=tests/generate/%_events.py)
	@mkdir -p $(@D)
	$(Q)tests/generate/events-pack $* $< > $@.new
	$(Q)mv $@.new $@

# The rules for one width, $(1). The file `objects` is written again when the list changes, so that a deleted
# source is not in the next kernel. regs.inc has C's constants for assembly: they are compiled, then picked out
# of the compiler's assembly text.
define width_rules
OBJECTS$(1) := $$(patsubst %.c,$$(OUT$(1))/%.o,$$(call kernel_sources,$(1),c) kernel/console/font.c kernel/log/ids.c $(VENDOR_ROWS)) \
               $$(patsubst %,$$(OUT$(1))/%.o,$$(call kernel_sources,$(1),asm))

$$(OUT$(1))/%.o: %.c Makefile
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS$(1)) $$(CFLAGS) -MMD -MP -c $$< -o $$@

$$(OUT$(1))/kernel/console/font.o: $$(BUILD)/font.c
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS$(1)) $$(CFLAGS) -MMD -MP -c $$< -o $$@

$$(OUT$(1))/kernel/log/ids.o: $$(BUILD)/ids.c
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS$(1)) $$(CFLAGS) -MMD -MP -c $$< -o $$@

$$(VENDOR_ROWS:%.c=$$(OUT$(1))/%.o): $$(OUT$(1))/pmu/events/%_rows.o: $$(BUILD)/%_events.c
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS$(1)) $$(CFLAGS) -MMD -MP -c $$< -o $$@

$$(OUT$(1))/%.asm.o: %.asm $$(OUT$(1))/regs.inc $(KERNEL_INC) Makefile
	@mkdir -p $$(@D)
	$$(Q)$$(NASM) $$(NASMFLAGS$(1)) $$< -o $$@

$$(OUT$(1))/regs.inc: boot/constants.c Makefile
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(CFLAGS$(1)) $$(CFLAGS) -MMD -MP -MT $$@ -MF $$(OUT$(1))/regs.d -S $$< -o $$(OUT$(1))/regs.s
	$$(Q)sed -n 's/^[[:space:]]*@\([A-Za-z0-9_]*\) \$$$$\(.*\)$$$$/%define \1 \2/p' $$(OUT$(1))/regs.s > $$@.new
	$$(Q)mv $$@.new $$@

ifneq ($$(OBJECTS$(1)),$$(file <$$(OUT$(1))/objects))
$$(if $$(wildcard $$(OUT$(1))),$$(file >$$(OUT$(1))/objects,$$(OBJECTS$(1))))
endif
$$(OUT$(1))/objects:
	@mkdir -p $$(@D)
	@echo '$$(OBJECTS$(1))' > $$@

$$(KERNEL$(1)): $$(OBJECTS$(1)) $$(OUT$(1))/objects linker.ld tests/runner/whole/image.py tests/runner/whole/contents.py tests/ids.csv
	@echo "  link     $$@"
	$$(file >$$(OUT$(1))/link,$$(LD) $$(LDFLAGS$(1)) $$(LINKFLAGS))
	$$(Q)$$(LD) $$(LDFLAGS$(1)) $$(LINKFLAGS) -o $$@.debug $$(filter %.o,$$^)
	$$(Q)PYTHONPATH=tests python3 -B -m runner.whole.image $$@.debug
	$$(Q)objcopy $$(OBJCOPYFLAGS$(1)) --strip-all $$@.debug $$@
	$$(Q)PYTHONPATH=tests python3 -B -m runner.whole.contents $$@
endef

# The link command is kept beside the objects, because the word seed= links them again in another order.
LINKFLAGS := -nostdlib -z max-page-size=4096 -z noexecstack --no-warn-rwx-segments --fatal-warnings \
             -T linker.ld

# Hypervisors that know PVH and not multiboot want a 64-bit file; QEMU looks for a multiboot header first.
$(BUILD)/barecount-pvh.elf: $(KERNEL64)
	@echo "  pvh      $@"
	$(Q)objcopy --dump-section .multiboot=$@.header $<.debug /dev/null
	$(Q)tr '\000-\377' '\000' < $@.header > $@.zeros
	$(Q)objcopy --strip-all --update-section .multiboot=$@.zeros $<.debug $@.new
	$(Q)rm $@.header $@.zeros && mv $@.new $@

# Boot loaders want a 32-bit file if the kernel begins in 32-bit protected mode, whatever the file contains.
OBJCOPYFLAGS64 := -O elf32-i386

$(eval $(call width_rules,32))
$(eval $(call width_rules,64))

# Modules that exist on all three platforms: BIOS, 32-bit and 64-bit UEFI. They are not compressed, because
# unpacking takes a third of the time that an emulator needs from its BIOS to the kernel.
GRUB_MODULES := normal iso9660 gzio multiboot multiboot2 part_msdos part_gpt fat cpuid echo all_video \
                test configfile

# grub-mkrescue, xorriso and mtools put the time into the image, also as identifiers. Time stands still for
# them, so that two builds are equal.
EPOCH      := 2000-01-01 00:00:00
STANDSTILL := TZ=UTC SOURCE_DATE_EPOCH=$(shell date -u -d '$(EPOCH)' +%s) faketime -f '$(EPOCH)'

# grub-mkrescue 2.12 puts a copy of the EFI partition into the image, half a megabyte for firmware that cannot
# read the partition. 2.06 has no such copy, and both versions must make equally good images.
NO_EFI_COPY := -find / -type d -wholename /efi -exec rm_r --

$(ISO): $(KERNELS) iso/grub.cfg iso/words.cfg
	@echo "  iso      $@"
	$(Q)rm -rf $(BUILD)/iso && mkdir -p $(BUILD)/iso/boot/grub
	$(Q)cp iso/grub.cfg iso/words.cfg $(BUILD)/iso/boot/grub/
	$(Q)for kernel in $(notdir $(KERNELS)); do \
		gzip -9nc $(BUILD)/$$kernel > $(BUILD)/iso/boot/$$kernel.gz || exit 1; done
	$(Q)find $(BUILD)/iso -exec touch -d '$(EPOCH) UTC' {} +
	$(Q)$(STANDSTILL) grub-mkrescue -o $@.new $(BUILD)/iso --compress=no --fonts= --locales= \
		--themes= --install-modules="$(GRUB_MODULES)" -- -volid BARECOUNT $(NO_EFI_COPY) \
		> $(BUILD)/iso.log 2>&1 || { cat $(BUILD)/iso.log; exit 1; }
	$(Q)mv $@.new $@

# The folder for a TFTP server: GRUB's network image for each firmware, with all modules in it, so that it asks
# the server only for a configuration and a kernel.
$(NETBOOT)/boot/grub/grub.cfg: $(KERNELS) iso/grub.cfg
	@echo "  netboot  $(NETBOOT)"
	$(Q)rm -rf $(NETBOOT) && mkdir -p $(NETBOOT)/boot
	$(Q)for kernel in $(notdir $(KERNELS)); do \
		gzip -9nc $(BUILD)/$$kernel > $(NETBOOT)/boot/$$kernel.gz || exit 1; done
	$(Q)for platform in i386-pc x86_64-efi i386-efi; do \
		[ $$platform = i386-pc ] && disk=biosdisk || disk=; \
		grub-mknetdir --net-directory=$(NETBOOT) --subdir=/boot/grub -d /usr/lib/grub/$$platform \
			--modules="$(filter-out iso9660,$(GRUB_MODULES)) $$disk" --install-modules= \
			--compress=no --fonts= --locales= --themes= >> $(BUILD)/netboot.log 2>&1 || \
			{ cat $(BUILD)/netboot.log; exit 1; }; done
	$(Q)cp iso/grub.cfg $@

# What starts a kernel, or Linux, in Bochs without GRUB.
$(LOADERS): $(BUILD)/%.bin: tests/targets/%.asm tests/targets/bochs-start.inc
	@mkdir -p $(@D)
	$(Q)$(NASM) -f bin $(NASM_WERROR) $< -o $@

# Linux' only program, in both widths, and the code that starts Linux; tests/linux/run adds Debian's kernel.
LINUX_CFLAGS := $(CFLAGS) -isystem /usr/include/$(shell $(CC) -print-multiarch) -isystem /usr/include

$(BUILD)/linux/start.bin: tests/linux/start.asm
	@mkdir -p $(@D)
	$(Q)$(NASM) -f bin $(NASM_WERROR) $< -o $@

$(BUILD)/linux/init%: tests/linux/init.c tests/linux/kernel_entries.c tests/linux/init.h tests/linux/system.h tests/linux/loops.asm kernel/lib/format.c kernel/lib/string.c Makefile
	@mkdir -p $(@D)
	$(Q)$(NASM) $(NASMFLAGS$*) -D BITS=$* tests/linux/loops.asm -o $@.asm.o
	$(Q)$(CC) $(CFLAGS$*) $(LINUX_CFLAGS) -nostdlib -static -Wl,-e,start -Wl,-z,noexecstack -o $@ \
		$(filter %.c,$^) $@.asm.o

# What perf, rr and PAPI run: tests/linux/run linux:CPU program=perf.
$(BUILD)/linux/counted%: tests/linux/programs/counted.c tests/linux/programs/arguments.asm tests/linux/system.h tests/linux/loops.asm kernel/lib/format.c kernel/lib/string.c Makefile
	@mkdir -p $(@D)
	$(Q)$(NASM) $(NASMFLAGS$*) -D BITS=$* tests/linux/loops.asm -o $@.asm.o
	$(Q)$(NASM) $(NASMFLAGS$*) -D BITS=$* tests/linux/programs/arguments.asm -o $@.start.o
	$(Q)$(CC) $(CFLAGS$*) $(LINUX_CFLAGS) -nostdlib -static -Wl,-e,start -Wl,-z,noexecstack -o $@ \
		$(filter %.c,$^) $@.asm.o $@.start.o

$(BUILD)/linux/papi_loop: tests/linux/programs/papi_loop.c tests/linux/loops.asm Makefile
	@mkdir -p $(@D)
	$(Q)$(NASM) $(NASMFLAGS64) -D BITS=64 tests/linux/loops.asm -o $@.asm.o
	$(Q)$(CC) -std=gnu11 -O2 -Wall -Wextra $(WERROR) -o $@ $(filter %.c,$^) $@.asm.o

# Runs the kernel as a guest of KVM: tests/boot kvm-on-model:CPU. It is a program of Linux like any other, with a C library.
$(BUILD)/linux/vmm: $(wildcard tests/linux/vmm/*.[ch]) Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) -I. -std=gnu11 -O2 -Wall -Wextra $(WERROR) -pthread -static -o $@ $(filter %.c,$^)

# Looks whether guests of KVM see each other: tests/linux/run linux:CPU program=guests.
$(BUILD)/linux/guests: $(wildcard tests/linux/guests/*.[ch]) tests/linux/vmm/vmm_machine.c tests/linux/vmm/vmm_processors.c tests/linux/vmm/vmm.h Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) -I. -std=gnu11 -O2 -Wall -Wextra $(WERROR) -static -o $@ $(filter %.c,$^)

$(BUILD)/linux/guest.bin: tests/linux/guests/guests_code.asm
	@mkdir -p $(@D)
	$(Q)$(NASM) -f bin $(NASM_WERROR) $< -o $@

MODEL_C := $(filter-out model/example/% model/qemu/%,$(sort $(wildcard model/*/*.c)))
MODEL_H := $(wildcard model/*.h model/*/*.h)

# The model with all quirks in it; tests/boot picks PMU_QUIRK by number. tests/targets/bochs-build compiles it with
# Bochs, as it does the model; the build fails here if an edit has lost its place.
$(QUIRK_BUILD): $(MODEL_C) $(MODEL_H) $(wildcard tests/defects/*.quirks tests/defects/*.liberties model/bochs/* arch/regs/*.h tests/runner/defects/*.py)
	$(Q)PYTHONPATH=tests python3 -B -m runner.defects.build $(@D)
	$(Q)touch $@

# The sources of docs/events.md, docs/amd-events.md and docs/intel-events.md: the events, the suites' rows about them, the model's table.
EVENT_ROWS := $(sort $(shell grep -rlE --include='*.c' '^(P[56]_EVENT|AMD_EVENT|INTEL_EVENT|NETBURST_(EVENT|METRIC))' tests/suites))

$(BUILD)/events: tests/generate/list_events.c $(sort $(wildcard pmu/events/tables/*.c)) $(EVENT_ROWS) $(wildcard pmu/*/*.h tests/suites/*/*event*.h tests/suites/*/*/*event*.h)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(HOSTFLAGS) $(filter %.c,$^) -o $@

$(BUILD)/model-events: tests/generate/list_model_events.c $(sort $(wildcard model/p5_p6/events_p*.c)) model/amd/events_amd.c model/arch/events_arch.c model/netburst/netburst_event_rows.c $(MODEL_H)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(HOSTFLAGS) $(filter %.c,$^) -o $@

# The sources of docs/presets.md.
$(BUILD)/presets: tests/generate/list_presets.c pmu/events/tables/preset_table.c $(wildcard pmu/*/*.h)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(HOSTFLAGS) $(filter %.c,$^) -o $@

# A source of docs/silicon.md.
$(BUILD)/silicon: tests/generate/list_silicon.c tests/suites/common/silicon/silicon_rows.h
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(HOSTFLAGS) $(filter %.c,$^) -o $@

# The sources of docs/commandline.md.
$(BUILD)/words: tests/generate/list_words.c kernel/run/cmdline.c kernel/lib/glob.c kernel/lib/format.c kernel/console/console_choice.c $(wildcard kernel/*/*.h)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(HOSTFLAGS) $(filter %.c,$^) -o $@

# The kernel's own choice of tests by its words, for tests/host/runner/complete.t.
$(BUILD)/select: tests/generate/select_ids.c kernel/run/cmdline.c kernel/lib/glob.c kernel/lib/format.c kernel/console/console_choice.c $(wildcard kernel/*/*.h)
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(HOSTFLAGS) $(filter %.c,$^) -o $@

# The man page of the Debian package.
$(BUILD)/barecount.1: tests/generate/man-page docs/commandline.md kernel/lib/version.h
	@mkdir -p $(@D)
	$(Q)tests/generate/man-page docs/commandline.md \
		$(shell sed -n 's/^.define BARECOUNT_VERSION "\(.*\)"/\1/p' kernel/lib/version.h) > $@.new
	$(Q)mv $@.new $@

docs: all
	$(Q)$(BUILD)/events > $(BUILD)/events.tsv
	$(Q)$(BUILD)/model-events > $(BUILD)/model-events.tsv
	$(Q)tests/generate/events-table $(BUILD)/events.tsv $(BUILD)/model-events.tsv > $(BUILD)/events.md
	$(Q)cp $(BUILD)/events.md docs/events.md
	$(Q)tests/generate/amd-events-table pmu/events/tables/amd_events.csv $(BUILD)/events.tsv \
		$(BUILD)/model-events.tsv > $(BUILD)/amd-events.md
	$(Q)cp $(BUILD)/amd-events.md docs/amd-events.md
	$(Q)tests/generate/intel-events-table pmu/events/tables/intel_events.csv $(BUILD)/events.tsv \
		$(BUILD)/model-events.tsv > $(BUILD)/intel-events.md
	$(Q)cp $(BUILD)/intel-events.md docs/intel-events.md
	$(Q)$(BUILD)/presets > $(BUILD)/presets.tsv
	$(Q)tests/generate/presets-table $(BUILD)/presets.tsv > $(BUILD)/presets.md
	$(Q)cp $(BUILD)/presets.md docs/presets.md
	$(Q)tests/generate/defects-table > $(BUILD)/defects.md
	$(Q)cp $(BUILD)/defects.md docs/defects.md
	$(Q)tests/generate/liberties-table > $(BUILD)/liberties.md
	$(Q)cp $(BUILD)/liberties.md docs/liberties.md
	$(Q)$(BUILD)/words > $(BUILD)/words.tsv
	$(Q)tests/generate/commandline-page $(BUILD)/words.tsv > $(BUILD)/commandline.md
	$(Q)cp $(BUILD)/commandline.md docs/commandline.md
	$(Q)$(BUILD)/silicon > $(BUILD)/silicon.tsv
	$(Q)tests/generate/silicon-page $(BUILD)/silicon.tsv > $(BUILD)/silicon.md
	$(Q)cp $(BUILD)/silicon.md docs/silicon.md
	$(Q)tests/generate/summary-page > $(BUILD)/summary.md
	$(Q)cp $(BUILD)/summary.md docs/summary.md
	$(Q)tests/generate/results-page > $(BUILD)/results.md
	$(Q)cp $(BUILD)/results.md results/README.md
	$(Q)tests/generate/monitor-page > $(BUILD)/monitor.md
	$(Q)cp $(BUILD)/monitor.md docs/monitor.md
	$(Q)tests/generate/architecture-figure > $(BUILD)/architecture.svg
	$(Q)cp $(BUILD)/architecture.svg docs/architecture.svg
	$(Q)tests/generate/sampling-figure

-include $(OBJECTS32:.o=.d) $(OUT32)/regs.d $(OBJECTS64:.o=.d) $(OUT64)/regs.d

# -------------------------------------------------------------------------------------------- test

UNIT_C     := $(shell find tests/unit -name '*.c')
UNIT_H     := $(shell find tests/unit -name '*.h')
UNIT_TESTS := $(sort $(patsubst %.c,$(BUILD)/unit/%,$(filter test_%,$(notdir $(UNIT_C)))))
FUZZERS    := $(sort $(patsubst %.c,$(BUILD)/unit/%,$(filter fuzz_%,$(notdir $(UNIT_C)))))
HOSTFLAGS  := -std=gnu11 -O1 -g -Wall -Wextra $(WERROR) -Wconversion -Wundef -Wstrict-prototypes -I. \
              -fno-omit-frame-pointer -fno-sanitize-recover=all

INSTRUMENT := -fsanitize=address,undefined

# The sources that a unit test names in its comment `LINK: ...`, as TEST:SOURCE; a folder stands for all its sources.
LINKS      := $(shell awk 'match($$0, "LINK:.*[*]/") { n = split(substr($$0, RSTART + 5, RLENGTH - 7), words, " "); \
                                                      for (i = 1; i <= n; i++) print FILENAME ":" words[i] }' /dev/null $(UNIT_C))
FOLDERS    := $(sort $(shell find $(sort $(filter %/,$(subst :, ,$(LINKS)))) -name '*.c' ! -path 'model/example/*' ! -path 'model/qemu/*'))
linked = $(foreach word,$(patsubst $(1):%,%,$(filter $(1):%,$(LINKS))),$(if $(filter %/,$(word)),$(filter $(word)%,$(FOLDERS)),$(word)))
unit_source = $(filter %/$(1).c,$(UNIT_C))

# Many tests link the model, so each source is compiled once. tests/mutants sets LINKED_TOO to a source that its copy of
# the model needs.
linked_objects = $(patsubst %.c,$(BUILD)/unit/%.o,$(sort $(1) $(call linked,$(1)) $(LINKED_TOO)))
UNIT_MODEL := $(MODEL_C:%.c=$(BUILD)/unit/%.o)

# Lint checks the calls of these objects.
$(BUILD)/unit/objects: $(UNIT_MODEL) Makefile
	$(Q)echo '$(UNIT_MODEL)' > $@

# A file that is only a step to another would be deleted.
.PRECIOUS: $(BUILD)/unit/%.o
$(BUILD)/unit/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(Q)$(HOSTCC) $(HOSTFLAGS) $(INSTRUMENT) -MMD -MP -c $< -o $@

.SECONDEXPANSION:
$(UNIT_TESTS): $$(call linked_objects,$$(call unit_source,$$(@F))) Makefile
	$(Q)$(HOSTCC) $(HOSTFLAGS) $(INSTRUMENT) $(filter %.o,$^) -o $@

$(FUZZERS): $$(call unit_source,$$(@F)) $$(call linked,$$(call unit_source,$$(@F))) $(UNIT_H) $(MODEL_H) Makefile
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(HOSTFLAGS) -fsanitize=fuzzer,address,undefined $(filter %.c,$^) -o $@

# New inputs go to build/fuzz. A finding ends the run, which leaves the input there and prints its name.
# SECONDS_fuzz_NAME=n is for one fuzzer alone.
FUZZ_RUNS := $(notdir $(FUZZERS:=.run))
fuzz: $(FUZZ_RUNS)
	@echo "  fuzz     $(words $(FUZZERS)) fuzzers, no finding"

$(FUZZ_RUNS): %.run: $(BUILD)/unit/%
	$(Q)corpus=$(BUILD)/fuzz/$*; seeds=tests/unit/seeds/$*; seconds=$(or $(SECONDS_$*),$(SECONDS)); \
	[ -d $$seeds ] || seeds=; mkdir -p $$corpus; echo "  fuzz     $*, $$seconds s"; \
	$< -max_total_time=$$seconds -artifact_prefix=$$corpus/ -print_final_stats=0 \
		$$corpus $$seeds > $$corpus.log 2>&1 || { tail -n 40 $$corpus.log; exit 1; }

# Measures what the model's own tests reach of it, without branches that the compiler adds by itself.
COVERAGE_TESTS := $(patsubst %.c,$(BUILD)/coverage/unit/%,$(sort $(filter test_%,$(notdir $(filter tests/unit/model/%,$(UNIT_C))))))
coverage:
	$(Q)$(MAKE) -s --no-print-directory BUILD=$(BUILD)/coverage INSTRUMENT='--coverage -O0' $(COVERAGE_TESTS)
	$(Q)find $(BUILD)/coverage -name '*.gcda' -delete
	$(Q)for test in $(COVERAGE_TESTS); do \
		$$test > $$test.tap || { cat $$test.tap; echo "coverage: $$test failed" >&2; exit 1; }; \
	done
	$(Q)gcovr --filter 'model/' --exclude-throw-branches --exclude-unreachable-branches $(GCOVR) \
		--print-summary --fail-under-line 95 --fail-under-branch 90 $(BUILD)/coverage

lint: $(KERNEL32) $(KERNEL64) $(BUILD)/unit/objects
	$(Q)tests/lint $(OUT32) $(OUT64) $(BUILD)/unit

# The quirks that `make test` runs.
QUIRKS ?= some
ifeq ($(filter all some,$(QUIRKS)),)
$(error QUIRKS is all, or some for the fifth that the commit chooses; not "$(QUIRKS)")
endif

# Where the rows of `make matrix` end.
PLACE ?= matrix
ifeq ($(filter matrix nightly,$(PLACE)),)
$(error PLACE is matrix, or nightly for the rows of make nightly, too; not "$(PLACE)")
endif

TEST_JOBS := --no-print-directory --output-sync=line -j$(shell nproc)
test: deps
	$(Q)tests/parts test $(BUDGETS)

# For the impatient: no fuzzer, no quirk, no test of the host's programs.
CHECKED := model-pentium-mmx model-katmai model-willamette model-haswell model-arrow-lake qemu-nehalem
check: deps
	$(Q)$(MAKE) $(TEST_JOBS) all $(UNIT_TESTS) $(BUILD)/unit/objects
	$(Q)$(MAKE) --no-print-directory lint
	$(Q)tests/run-matrix $(UNIT_TESTS) $(CHECKED)

test-build:
	$(Q)$(MAKE) $(TEST_JOBS) all $(UNIT_TESTS) $(BUILD)/unit/objects

# Static tests, short fuzzing and, with QUIRKS=all, the coverage of the model's tests, side by side.
test-checks:
	$(Q)$(MAKE) $(TEST_JOBS) SECONDS=$(FUZZ_SECONDS) SECONDS_fuzz_model=$(MODEL_FUZZ_SECONDS) \
		fuzz_model.run lint $(if $(filter all,$(QUIRKS)),coverage) fuzz

# Unit tests, tests of the host side, targets; QUIRKS=all adds those that are CI's.
test-tests:
	$(Q)tests/run-matrix $(if $(filter all,$(QUIRKS)),--ci,--test) $(UNIT_TESTS) $(HOST_PROGRAMS) $(if $(filter all,$(QUIRKS)),$(CI_PROGRAMS))

# Tests the suites themselves by breaking the model.
test-quirks:
	$(Q)tests/quirks --short $(if $(filter some,$(QUIRKS)),--some)

# Tests that the suites pass on machines that take liberties of sound ones.
test-liberties:
	$(Q)tests/liberties --packed $(if $(filter some,$(QUIRKS)),--some)

test-size: size

linux: deps-matrix
	$(Q)$(MAKE) $(TEST_JOBS) all
	$(Q)tests/run-matrix $(if $(JOBS),--jobs $(JOBS)) 'linux-*'

matrix: deps-matrix
	$(Q)$(MAKE) $(TEST_JOBS) all
	$(Q)iso/images $(ISO) $(BUILD)/barecount
	$(Q)tests/parts matrix tests 0 quirks 0 liberties 0

# MOVED=n seeds for kernels that lie elsewhere, SNAPSHOTS=n for snapshots of QEMU.
matrix-tests: export MOVED := $(or $(MOVED),$(if $(filter nightly,$(PLACE)),20))
matrix-tests: export SNAPSHOTS := $(or $(SNAPSHOTS),$(if $(filter nightly,$(PLACE)),20))
matrix-tests:
	$(Q)tests/run-matrix --$(PLACE) $(if $(JOBS),--jobs $(JOBS)) $(MATRIX_PROGRAMS) \
		$(if $(filter nightly,$(PLACE)),$(NIGHTLY_PROGRAMS),$(if $(MOVED),tests/host/matrix/moved.t) \
			$(if $(SNAPSHOTS),tests/host/matrix/qemu-snapshots.t))

matrix-quirks:
	$(Q)tests/quirks --short

matrix-liberties:
	$(Q)tests/liberties --packed --some

# LOGS has files and folders, also captures of a real machine's serial line.
REPORT ?= $(BUILD)/report.html
report:
	$(Q)tests/deps python3 python3-yaml
	$(Q)tests/report -o $(REPORT) $(LOGS)

FUZZ_SECONDS       ?= 1
MODEL_FUZZ_SECONDS ?= 8

run: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/show tests/boot best $(WORDS)

bench: $(if $(filter qemu,$(EMULATOR)),deps-matrix,deps)
	$(Q)tests/bench/run $(if $(filter qemu,$(EMULATOR)),--qemu,$(AGAINST))

# The period of the experiment in docs/sampling.md; by default the model is sampled with a shorter one.
experiment: CPU ?= p4_willamette
experiment: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/boot model:$(CPU) only=sampling.*,ibs.experiment.* period=10007 $(WORDS)

# LESSON=n.m is the machine of part m of lesson n; CPU=name may be given as well. QEMU is built of more packages.
# The first build counts its commands; the second reports what failed, and otherwise has nothing to do.
learn: $(if $(filter qemu,$(EMULATOR)),deps-matrix,deps)
	$(Q)total=$$($(MAKE) --no-print-directory -n all | wc -l); [ "$$total" -le 1 ] || \
		$(MAKE) --no-print-directory -j$(shell nproc) V=1 all 2> /dev/null | \
		awk -v total="$$total" '{ printf "\r  build    %d of %d", NR, total; fflush() } END { print "" }'
	$(Q)$(MAKE) $(TEST_JOBS) -s all
	$(Q)tests/learn $(if $(EMULATOR),emulator=$(EMULATOR)) $(LESSON) $(if $(CPU),model:$(CPU)) $(WORDS)

# ALARMS=GLOB chooses suites.
RUNS ?= 200
alarms: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/alarms --runs $(RUNS) $(ALARMS)

quirks: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/quirks

# LIKE=GLOB chooses liberties, SEED=n their numbers.
liberties: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/liberties $(if $(SEED),--seed $(SEED)) $(LIKE)

# SYSTEM=suite is one of tests/systems.csv.
systems:
	$(Q)tests/deps debootstrap
	$(Q)tests/systems $(SYSTEM)

# BOOTS=n boots in all; the same SEED=n is the same faults.
BOOTS ?= 500
chaos: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/chaos --boots $(BOOTS) $(if $(SEED),--seed $(SEED))

# SAMPLE=n mutants, chosen by SEED=n, or SAMPLE=all; TABLES=1 changes the numbers of tables.
mutants: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) $(if $(TABLES),--tables)

# SECONDS is for each fuzzer, SAMPLE for the mutants, RUNS for each suite that ALARMS chooses.
NIGHTLY_matrix  := make matrix PLACE=nightly && QEMU=$$(tests/linux/fetch qemu-11.1) && export QEMU && \
	tests/run-matrix qemu-nehalem qemu-pentium qemu-epyc qemu-athlon qemu-n270 qemu-kvm64 qemu-haswell
NIGHTLY_quirks  := make quirks && tests/quirks --inexact
NIGHTLY_liberties := tests/liberties --cross && tests/liberties --sets 300
NIGHTLY_mutants := make mutants TABLES=1$(if $(SAMPLE), SAMPLE=$(SAMPLE)) && make mutants SAMPLE=$(or $(SAMPLE),all)
NIGHTLY_alarms  := make alarms RUNS=$(RUNS)$(if $(ALARMS), ALARMS="$(ALARMS)")
NIGHTLY_systems := make systems
NIGHTLY_chaos   := make chaos BOOTS=$(if $(filter command line,$(origin BOOTS)),$(BOOTS),5000)
NIGHTLY_fuzz     = make -k -j$(shell nproc) fuzz SECONDS=$(SECONDS)
NIGHTLY_code    := tests/bench/host-code
PARTS ?= matrix quirks liberties mutants alarms chaos fuzz systems code
nightly: SECONDS = 600
nightly: deps
	$(Q)tests/nightly $(foreach part,$(PARTS),'$(or $(NIGHTLY_$(part)),$(error \
		PARTS are of matrix, quirks, liberties, mutants, alarms, chaos, fuzz, systems and code; there is no "$(part)"))')

# DEV=/dev/sdX is a USB stick; all of it is overwritten.
usb: $(ISO)
	$(Q)iso/usb $(ISO) $(or $(DEV),$(error make usb needs DEV=/dev/sdX, a USB stick: "lsblk" lists the disks))

images: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)iso/images $(ISO) $(BUILD)/barecount $(WORDS)
	@echo "  images   $(BUILD)/barecount.raw, .qcow2, .vhd"

dist: deps
	$(Q)$(MAKE) --no-print-directory all
	$(Q)tests/dist $(BUILD)/dist

# Limits of the design, for a small machine and an old stick. The ISO has the kernels packed; GRUB unpacks them.
PACKED := $(patsubst $(BUILD)/%,$(BUILD)/iso/boot/%.gz,$(KERNELS))
size: $(ISO)
	$(Q)tests/size $(OUT32)/objects $(OUT64)/objects $(foreach kernel,$(PACKED),$(kernel) 655360) \
		$(foreach kernel,$(KERNELS),$(kernel) 1572864) $(ISO) 7077888

# ---------------------------------------------------------------------------------------- packages

PACKAGES := gcc libc6-dev binutils make nasm grub-common grub-pc-bin grub-efi-amd64-bin grub-efi-ia32-bin \
            xorriso mtools faketime qemu-system-x86 qemu-utils ovmf seabios bochsbios vgabios python3 python3-yaml perl \
            zbar-tools clang libclang-rt-dev cppcheck gcovr g++ xz-utils zstd \
            debian-archive-keyring ca-certificates dpkg-dev man-db

# These are not for `make test`, but for rows that only `make matrix` runs, and for commands of their own.
MATRIX_PACKAGES := chromium lava-dispatcher debhelper lintian ninja-build pkgconf python3-venv libglib2.0-dev libpixman-1-dev libfdt-dev

# Programs for the host, in the first place that runs them: the list of a place has what takes longest there, and
# each other program is of the place before.
CI_PROGRAMS := $(addprefix tests/host/,build/build.t build/dist.t build/images.t build/library.t build/pentium.t \
                build/saved.t build/workload.t guest/bits.t guest/hangs.t guest/hypervisors.t guest/summary.t \
                monitor/monitor-fuzz.t)
NIGHTLY_PROGRAMS := $(addprefix tests/host/matrix/,debian.t kvm.t moments.t moved.t qemu-snapshots.t snapshots.t)
MATRIX_PROGRAMS := $(sort $(filter-out $(NIGHTLY_PROGRAMS),$(wildcard tests/host/matrix/*.t)))
HOST_PROGRAMS := $(sort $(filter-out tests/host/matrix/% $(CI_PROGRAMS),$(wildcard tests/host/*/*.t)))

deps:
	$(Q)tests/deps $(PACKAGES)

deps-matrix:
	$(Q)tests/deps $(PACKAGES) $(MATRIX_PACKAGES)

clean:
	rm -rf $(BUILD)

help:
	@sed -n '2d;/^$$/q;s/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST)) | sed 1d

.PHONY: $(COMMANDS) $(STEPS) $(FUZZ_RUNS)
-include $(shell find $(BUILD)/unit -name '*.d' 2>/dev/null)
