# SPDX-License-Identifier: MIT
"""A small Linux that starts the kernel by kexec: Debian's kernel, its kexec and a shell, as docs/kexec.md types it."""
import tarfile

from runner.guests import debian, linux_image

KERNEL = "barecount.elf"
WORDS = "console=ttyS0 quiet panic=-1 PATH=/bin:/sbin"
DIRECTORY, LINK, FILE = 0o040755, 0o120777, 0o100755

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
    own = [("proc", DIRECTORY, b""), ("sys", DIRECTORY, b""), ("dev", DIRECTORY, b""),
           (KERNEL, FILE, kernel), ("init", FILE, script.encode()), ("TRAILER!!!", 0, b"")]
    return b"".join(linux_image.member(number, *each) for number, each in enumerate([*tools(), *own], 1))


def tools():
    """Yields name, mode and content of each file in the tarball of kexec."""
    with tarfile.open(debian.fetch("kexec")) as tar:
        for entry in tar:
            name = entry.name.removeprefix("./")
            if entry.isdir() and name != ".":
                yield name, DIRECTORY, b""
            elif entry.issym():
                yield name, LINK, entry.linkname.encode()
            elif entry.isfile():
                yield name, FILE, tar.extractfile(entry).read()
