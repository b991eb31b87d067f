# SPDX-License-Identifier: MIT
"""The files, disks and lines that an emulator gets, each as an open descriptor, named /dev/fd/N.

So no temporary file has a name on a disk or remains, however a run ends, and a path with a blank or a
comma cannot upset an emulator's option syntax.
"""
import contextlib
import fcntl
import functools
import os
import socket
import subprocess

from runner import bootable, layout, line, relink
from runner.problems import Problem
from runner.whole import contents, image, media

# A floppy's geometry: the smallest disk that every firmware knows.
WORDS_DISK_CYLINDERS, WORDS_DISK_HEADS, WORDS_DISK_SECTORS = 80, 2, 18
WORDS_DISK_BYTES = WORDS_DISK_CYLINDERS * WORDS_DISK_HEADS * WORDS_DISK_SECTORS * 512

# A pipe of this size mostly holds a run's whole output: so a guest does not wait for a host that is slow to read,
# and a waiting emulator does not take the reader's processor. (Linux grants this size to every user.)
SERIAL_PIPE_BYTES = 1 << 20


class Handover:
    """The descriptors that one emulator inherits; close() closes them on this side."""

    def __init__(self, machine, kernel_words):
        self.machine = machine
        self.kernel_words = kernel_words
        self.fds = []
        self.serial_reader, writer = os.pipe()
        with contextlib.suppress(OSError):
            fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, SERIAL_PIPE_BYTES)
        self.serial = self._pass_on(writer)
        self.debug_console = writer if machine.has_debug_console else None
        self.monitor = None         # this side's end of a socket to the emulator's monitor
        self.line = None            # the serial line that goes both ways, if it does
        self.kernels = []           # the bytes of those that were handed over
        self.media = []             # the paths of disks and folders that have kernels, packed
        self.whole_image = None     # (entry point, bytes from 1 MB on) of what is started instead of a kernel
        self.linux = None           # (its bytes as it is packed, its initramfs, its words), for QEMU instead of a kernel
        self.screenshot = None      # where it writes screenshots: its name there, this side's fd

    def open_line(self, kind=line.Terminal):
        """Makes the serial line go both ways; returns this side's end (runner/line.py), which the caller closes."""
        self.line = kind(self)
        return self.line

    def _pass_on(self, fd):
        self.fds.append(fd)
        return f"/dev/fd/{fd}"

    def file(self, path):
        """Returns a file to be read, as a name in the emulator's own process."""
        return self._pass_on(os.open(path, os.O_RDONLY))

    def iso(self):
        self.media.append(layout.ISO)
        return self.file(must_be_built(layout.ISO))

    def image(self, ending):
        self.media.append(layout.ISO)           # of which images are made
        return self.file(must_be_built(layout.IMAGES[ending], "make images"))

    def kernel(self, bits):
        return self.memory("kernel", self.kernel_bytes(bits))

    def pvh(self):
        self.kernels.append(must_be_built(layout.PVH).read_bytes())
        return self.file(layout.PVH)

    def kernel_bytes(self, bits):
        """Returns the kernel's bytes; with moved= or seed= its parts lie elsewhere."""
        self.kernels.append(self._kernel_bytes(bits))
        return self.kernels[-1]

    def _kernel_bytes(self, bits):
        if self.machine.moved:
            return relink.move(bits, self.machine.moved)
        if self.machine.seed:
            return relink.link(bits, self.machine.seed)
        elf = must_be_built(layout.KERNELS[bits]).read_bytes()
        contents.check_file(elf, bits)
        return elf

    @functools.cached_property
    def sums(self):
        """The sums, as the kernel prints them, of all kernels that were handed over."""
        kernels = [*self.kernels, *(elf for medium in self.media for elf in media.packed_in(medium))]
        return {f"{image.recorded(elf):08X}" for elf in kernels}

    def netboot(self):
        """Returns the folder for a TFTP server."""
        self.media.append(layout.NETBOOT)
        return self.file(must_be_built(layout.NETBOOT))

    def ipxe_script(self, bits):
        """Returns the name in /dev/fd of a script that boots the kernel beside it, with the words."""
        kernel = self.kernel(bits).rpartition("/")[2]
        words = " ".join(self.kernel_words)
        script = f"#!ipxe\nkernel {kernel} {words} && boot || reboot\n"
        return self.memory("script", script.encode()).rpartition("/")[2]

    def memory_with_kernels(self):
        """Returns the names of files for the memory, {address: name}, and of the option ROM that starts a kernel."""
        bits = self.machine.bits
        kernels = [self.kernel_bytes(each) for each in ([bits] if bits else (32, 64))]
        places = bootable.memory(kernels, self.kernel_words)
        rom = bootable.rom(must_be_built(layout.ROM).read_bytes())
        return {address: self.memory("kernel", part) for address, part in places.items()}, self.memory("rom", rom)

    def whole_disk(self):
        """Returns a disk that starts the image; its size in cylinders, and its name."""
        disk = bootable.disk(must_be_built(layout.BOOT_SECTOR).read_bytes(), *self.whole_image)
        return len(disk) // bootable.CYLINDER, self.memory("disk", disk)

    def memory(self, name, content=b""):
        """Returns a file that exists only in memory."""
        fd = os.memfd_create(name)
        os.write(fd, content)
        return self._pass_on(fd)

    def words_disk(self):
        """Returns the second disk: a FAT file system with the words for the kernel, sourced by grub.cfg."""
        fd = os.memfd_create("words")
        os.truncate(fd, WORDS_DISK_BYTES)
        disk = self._pass_on(fd)
        self._mtool(fd, ["mformat", "-i", disk, "-f", str(WORDS_DISK_BYTES // 1024), "::"])
        self._mtool(fd, ["mcopy", "-i", disk, "-", "::/barecount.cfg"], self._configuration())
        return disk

    def _configuration(self):
        lines = [f"set barecount_words='{' '.join(self.kernel_words)}'", "set timeout=0"]
        if self.machine.bits:
            lines.append(f"set barecount_bits={self.machine.bits}")
        return "\n".join(lines + [""])

    @staticmethod
    def _mtool(fd, argv, text=""):
        environment = {**os.environ, "MTOOLSRC": os.devnull, "LC_ALL": "C"}
        try:
            done = subprocess.run(argv, input=text, text=True, capture_output=True, check=False,
                                  pass_fds=[fd], env=environment)
        except FileNotFoundError:
            raise Problem(f"{argv[0]} is missing; install mtools") from None
        if done.returncode:
            raise Problem(f"{argv[0]} cannot make the disk of words: {done.stderr.strip()}")

    def monitor_socket(self):
        """Makes a socket to the emulator's monitor and a place for screenshots; returns the socket's number."""
        fd = os.memfd_create("screenshot")
        self.screenshot = self._pass_on(os.dup(fd)), fd
        self.monitor, theirs = socket.socketpair()
        self._pass_on(theirs.detach())
        return self.fds[-1]

    def handed_over(self):
        """Closes the emulator's ends of the files once it runs, so that its death ends the serial line."""
        for fd in self.fds:
            os.close(fd)
        self.fds = []

    def close(self):
        self.handed_over()
        os.close(self.serial_reader)
        if self.monitor:
            self.monitor.close()
            os.close(self.screenshot[1])


def must_be_built(path, command="make"):
    """Returns the path; raises Problem if the build has not made the file yet."""
    if not path.exists():
        raise Problem(f"{layout.shown(path)} is missing; run {command} first")
    return path
