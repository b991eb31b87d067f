# SPDX-License-Identifier: MIT
"""A small Linux that starts the kernel by kexec: Debian's kernel, its kexec and a shell, as docs/kexec.md types it."""
from runner.guests import debian, linux_image

KERNEL = "barecount.elf"
# On a busy host the 8254 ticks too late for Linux' check of it, which says so on the console.
WORDS = "console=ttyS0 quiet panic=-1 no_timer_check PATH=/bin:/sbin"

# kexec finds the memory in /proc and /sys. Its complaint about a missing framebuffer would be a line of the log.
INIT = """\
#!/bin/busybox sh
busybox mount -t proc proc /proc
busybox mount -t sysfs sys /sys
busybox mount -t devtmpfs dev /dev
exec > /dev/ttyS0 2>&1
rsdp=$(busybox sed -n 's/^ACPI20=/rsdp=/p' /sys/firmware/efi/systab 2> /dev/null)
{last}said=$(kexec -l /{kernel} --command-line="{words} $rsdp" 2>&1) && kexec -e
echo "$said"
"""


def linux():
    """Returns the path of Debian's kernel."""
    return debian.fetch("amd64")


def initramfs(kernel, words, last=""):
    """Returns the archive with the kernel, whose bytes are given, and what starts it.

    last is a line of shell to run before, whose end is a newline.
    """
    script = INIT.format(kernel=KERNEL, words=" ".join(words), last=last)
    folders = [(name, linux_image.FOLDER, b"") for name in ("proc", "sys", "dev")]
    own = [(KERNEL, linux_image.PROGRAM, kernel), ("init", linux_image.PROGRAM, script.encode())]
    return linux_image.archive([*debian.files("kexec"), *folders, *own])
