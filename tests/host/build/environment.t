#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tests/boot works in other people's environments: languages, umask, users, paths, sources that are read-only."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

BOOT = ["qemu:Nehalem", "via=kernel", "only=rdtsc.*"]
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


class Environment(unittest.TestCase):

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="a path (with) blanks and an apostrophe' "))
        self.addCleanup(shutil.rmtree, self.folder)

    def boot(self, *before, root=taptest.ROOT, **environment):
        """Boots with more in the environment; the verdict must be there."""
        run = subprocess.run([*before, root / "tests" / "boot", *BOOT], text=True, check=False, capture_output=True,
                             env={**os.environ, **environment}, cwd="/")
        if run.returncode == 77:
            self.skipTest(run.stderr.strip().splitlines()[-1])
        self.assertEqual(run.returncode, 0, run.stdout[-500:] + run.stderr)
        self.assertIn(" - rdtsc.", run.stdout)

    def build(self):
        """Returns a folder with the kernels, as BUILD=FOLDER of make leaves it."""
        folder = self.folder / "build"
        folder.mkdir()
        for pattern in ("barecount*.elf", "barecount*.tests"):
            for built in (taptest.ROOT / "build").glob(pattern):
                shutil.copy(built, folder)
        return folder

    def test_language(self):
        """a German locale, made for this test, and none give the same as any other"""
        if not shutil.which("localedef"):
            self.skipTest("localedef is not installed; install libc-bin")
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", self.folder / "de_DE.UTF-8"], check=False,
                              capture_output=True, text=True)
        if made.returncode:
            self.skipTest(f"there is no German locale: {made.stderr.strip()}; install locales")
        asked = "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.localeconv()['decimal_point'])"
        used = subprocess.run([sys.executable, "-c", asked], check=False, capture_output=True, text=True,
                              env={**os.environ, "LOCPATH": str(self.folder), "LC_ALL": "de_DE.UTF-8"})
        self.assertEqual(used.stdout, ",\n", used.stderr)
        for language in ("de_DE.UTF-8", "C"):
            with self.subTest(language):
                self.boot(LOCPATH=str(self.folder), LANG=language, LC_ALL=language)

    def test_umask(self):
        """umask 077 changes nothing"""
        self.boot("sh", "-c", 'umask 077; exec "$@"', "sh")

    def test_path(self):
        """a checkout and a build in paths with blanks, parentheses and an apostrophe"""
        root = self.folder / "the sources"
        root.mkdir()
        shutil.copytree(taptest.ROOT / "tests", root / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(taptest.ROOT / "kernel", root / "kernel")
        self.boot(root=root, BUILD=str(self.build()))

    def test_read_only(self):
        """sources on a mount that is read-only, with BUILD= elsewhere"""
        if os.getuid() or not shutil.which("unshare"):
            self.skipTest("only root can mount, with unshare")
        mounted = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && ! touch "$1/x" 2>/dev/null && shift && exec "$@"'
        tried = subprocess.run(["unshare", "--mount", "sh", "-c", mounted, "sh", taptest.ROOT, "true"], check=False,
                               capture_output=True, text=True)
        if tried.returncode:
            self.skipTest(f"this machine lets nobody mount: {tried.stderr.strip()}")
        self.boot("unshare", "--mount", "sh", "-c", mounted, "sh", taptest.ROOT, BUILD=str(self.build()))

    def test_make_user(self):
        """make as a user without rights or sudo builds with BUILD= elsewhere, and says what to install as root"""
        if os.getuid() or not shutil.which("setpriv"):
            self.skipTest("only root can become another user, with setpriv")
        if subprocess.run([*NOBODY, "test", "-r", taptest.ROOT / "Makefile"], check=False).returncode:
            self.skipTest("another user cannot read this checkout")
        self.folder.chmod(0o755)
        build = self.folder.rename(self.folder.with_name(f"barecount-{os.getpid()}"))   # make has no blanks in BUILD
        self.addCleanup(shutil.rmtree, build)
        self.folder.mkdir()
        os.chown(build, 65534, 65534)
        alone = {"text": True, "check": False, "capture_output": True, "env": {"PATH": "/usr/bin:/bin"}}
        for target in ("32/kernel/lib/glob.o", "unit/test_string"):
            done = subprocess.run([*NOBODY, "make", "-C", taptest.ROOT, f"BUILD={build}", build / target], **alone)
            self.assertEqual(done.returncode, 0, done.stdout[-500:] + done.stderr)
            self.assertTrue((build / target).exists())
        if not shutil.which("sudo", path="/usr/bin:/bin"):
            done = subprocess.run([*NOBODY, taptest.ROOT / "tests/deps", "make", "no-such-package"], **alone)
            self.assertEqual((done.returncode, done.stderr), (
                1, "deps: not root, and there is no sudo. As root: apt-get install no-such-package\n"))

    def test_user(self):
        """a user without rights, to whom the sources are read-only, boots with BUILD= elsewhere"""
        if os.getuid() or not shutil.which("setpriv"):
            self.skipTest("only root can become another user, with setpriv")
        build = self.build()
        self.folder.chmod(0o755)
        for path in (build, *build.iterdir()):
            os.chown(path, 65534, 65534)
        if subprocess.run([*NOBODY, "test", "-x", taptest.ROOT / "tests" / "boot"], check=False).returncode:
            self.skipTest("another user cannot read this checkout")
        self.boot(*NOBODY, BUILD=str(build), HOME=str(build))


if __name__ == "__main__":
    taptest.main()
