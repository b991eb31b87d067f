# SPDX-License-Identifier: MIT
"""Faults of the host's folders and of the environment: full, read-only and vanishing ones, no PATH, no HOME."""
import functools
import shutil
import subprocess
import tempfile

# The mounts lie in a namespace of their own: they are gone with the boot's last process, however this program ends.
NAMESPACE = ["unshare", "--mount", "--propagation", "private", "/bin/sh", "-c"]
LOST = 99                       # a fault that could not be made; no status of tests/boot
PATHS = ("/nowhere", "", None)
LOCALES = ({"LC_ALL": "xx_YY.UTF-8"}, {"LANG": "xx_YY", "LC_ALL": None}, {"LC_ALL": "C", "PYTHONUTF8": "0"})


def fault(boot):
    """A folder is full, read-only, or vanishes."""
    make = boot.rng.choice((full_logs, full_logs, read_only_logs, full_tmp, read_only_build, vanishing_logs))
    make(boot)


@functools.cache
def lacks():
    """Returns why this host cannot make these faults, or ""."""
    try:
        done = subprocess.run([*NAMESPACE, f"mount -t tmpfs chaos '{tempfile.gettempdir()}'"], capture_output=True,
                              text=True, check=False)
    except FileNotFoundError:
        return "unshare is missing; install util-linux"
    return "" if done.returncode == 0 else f"only root may mount folders: {done.stderr.strip()}"


def mount(boot, folder, before, after=""):
    """Lets the boot see this folder as a script makes it, with its path as $folder; another script runs at the end."""
    script = f"folder='{folder}'; {{ {before}; }} || exit {LOST}\n\"$@\"; status=$?\n{after}\nexit $status"
    boot.prefix = [*NAMESPACE, script, "x"]


def full_logs(boot, sizes=(0, 4, 8, 16)):
    size = boot.rng.choice(sizes)
    fill = "" if size else "; head -c 4096 /dev/zero > \"$folder/x.log\""
    boot.logs.mkdir()
    mount(boot, boot.logs, f"mount -t tmpfs -o size={size or 4}k chaos \"$folder\"{fill}")
    boot.what = f"the folder of logs takes {size} KB"


def read_only_logs(boot):
    boot.logs.mkdir()
    mount(boot, boot.logs, "mount -t tmpfs -o ro chaos \"$folder\"")
    boot.what = "the folder of logs is read-only"


def full_tmp(boot):
    mount(boot, boot.folder / "tmp",
          "mount -t tmpfs -o size=64k chaos \"$folder\" && ! cat /dev/zero > \"$folder/full\" 2> /dev/null",
          f"ls -A \"$folder\" | grep -vx full > '{boot.hidden}'")
    boot.what = "TMPDIR is full"


def read_only_build(boot):
    """The logs would be in the build's folder, as they are for a person in a checkout."""
    boot.env["BARECOUNT_LOGS"] = None
    mount(boot, boot.build(), "mount --bind \"$folder\" \"$folder\" && mount -o remount,ro,bind \"$folder\"")
    boot.what = "the build's folder is read-only"


def vanishing_logs(boot):
    share = boot.rng.random()

    def during():
        boot.wait_for_log(share)
        shutil.rmtree(boot.logs)
    boot.during, boot.what = during, f"the folder of logs vanishes at {share:.0%} of the log"


def environment(boot):
    """Words of the environment are missing, empty, or name nothing."""
    which = boot.rng.choice(("PATH", "HOME", "locale"))
    values = {"PATH": [{"PATH": path} for path in PATHS], "HOME": [{"HOME": None}, {"HOME": "/nowhere"}],
              "locale": LOCALES}[which]
    chosen = boot.rng.choice(values)
    boot.env.update(chosen)
    boot.what = f"the environment: {' '.join(f'{name}={value!r}' for name, value in chosen.items())}"
