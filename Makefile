# SPDX-License-Identifier: MIT
#
#   make         build/barecount.iso and the kernels in it
#   make run     set up what is missing, boot the best target this machine has, show its verdict
#   make test    set up what is missing, run everything that CI relies on
#   make deps    install what is missing (Debian packages)
#   make lint    static analysis and the house's rules
#   make size    how large things are, against their limits
#   make fuzz    the fuzzers, SECONDS=n each
#
# V=1 shows the commands.

BUILD   := build
CC      := gcc
LD      := ld
NASM    := nasm
HOSTCC  := gcc
CLANG   := clang
SECONDS ?= 10
Q       := $(if $(V),,@)

# ------------------------------------------------------------------------------------ what is built

KERNEL := $(BUILD)/barecount32.elf
ISO    := $(BUILD)/barecount.iso

# One row of flags per kernel; a 64-bit one is a second row with its own arch/ folder.
OUT32    := $(BUILD)/32
CFLAGS32 := -m32 -march=pentium
ARCH32   := arch/x86_32
LDFLAGS32 := -m elf_i386

# -fno-pic etc.: the image runs where it is linked, without an operating system's services.
CFLAGS := -std=gnu11 -Os -g -ffreestanding -mgeneral-regs-only -fno-pic -fno-pie \
          -fno-stack-protector -fno-asynchronous-unwind-tables -fcf-protection=none \
          -fno-strict-aliasing -fno-common -ffile-prefix-map=$(CURDIR)=. \
          -Wall -Wextra -Werror -Wconversion -Wundef -Wstrict-prototypes -Wmissing-prototypes \
          -Wno-error=attributes -I.

KERNEL_C   := $(sort $(wildcard arch/*.c $(ARCH32)/*.c kernel/*.c pmu/*.c pmu/*/*.c tests/*.c))
KERNEL_ASM := $(sort $(wildcard boot/*.asm $(ARCH32)/*.asm pmu/workload/*.asm tests/*.asm))
OBJECTS32  := $(KERNEL_C:%.c=$(OUT32)/%.o) $(KERNEL_ASM:%.asm=$(OUT32)/%.asm.o) $(OUT32)/font.o

all: $(ISO)

$(OUT32)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS32) $(CFLAGS) -MMD -MP -c $< -o $@

$(OUT32)/font.o: $(BUILD)/font.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS32) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/font.c: kernel/font.py kernel/font.txt
	@mkdir -p $(@D)
	$(Q)/usr/bin/python3 kernel/font.py kernel/font.txt $@

$(OUT32)/%.asm.o: %.asm $(OUT32)/regs.inc
	@mkdir -p $(@D)
	$(Q)$(NASM) -f elf32 -I $(OUT32)/ -w+all -Werror -MD $(@:.o=.d) $< -o $@

# C's constants for assembly: compiled, then picked out of the compiler's text.
$(OUT32)/regs.inc: arch/regs/nasm.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS32) $(CFLAGS) -MMD -MP -MT $@ -MF $(OUT32)/regs.d -S $< -o $(OUT32)/regs.s
	$(Q)sed -n 's/^[[:space:]]*@\([A-Za-z0-9_]*\) \$$\(.*\)$$/%define \1 \2/p' $(OUT32)/regs.s > $@.new
	$(Q)mv $@.new $@

$(KERNEL): $(OBJECTS32) linker.ld
	@echo "  link     $@"
	$(Q)$(LD) $(LDFLAGS32) -nostdlib -z max-page-size=4096 -z noexecstack --no-warn-rwx-segments \
		--fatal-warnings -T linker.ld -o $@.debug $(OBJECTS32)
	$(Q)objcopy --strip-debug $@.debug $@

# The modules that exist on all three platforms: BIOS, 32-bit and 64-bit UEFI.
GRUB_MODULES := normal iso9660 multiboot multiboot2 part_msdos part_gpt fat serial cpuid echo \
                search all_video gfxterm test configfile

# Everything in the image carries the time of this epoch, so that two builds are as equal as can be.
EPOCH := 946684800

$(ISO): $(KERNEL) iso/grub.cfg
	@echo "  iso      $@"
	$(Q)rm -rf $(BUILD)/iso && mkdir -p $(BUILD)/iso/boot/grub
	$(Q)cp iso/grub.cfg $(BUILD)/iso/boot/grub/
	$(Q)cp $(KERNEL) $(BUILD)/iso/boot/
	$(Q)find $(BUILD)/iso -exec touch -d @$(EPOCH) {} +
	$(Q)SOURCE_DATE_EPOCH=$(EPOCH) grub-mkrescue -o $@.new $(BUILD)/iso --compress=xz --fonts= --locales= \
		--themes= --install-modules="$(GRUB_MODULES)" -- -volid BARECOUNT \
		> $(BUILD)/iso.log 2>&1 || { cat $(BUILD)/iso.log; exit 1; }
	$(Q)mv $@.new $@

-include $(OBJECTS32:.o=.d) $(OUT32)/regs.d

clean:
	rm -rf $(BUILD)

.PHONY: all clean
