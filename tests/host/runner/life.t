#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Life and death of tests/boot: a fake emulator obeys the test, in a checkout of its own."""
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402

PASSING = taptest.checked(f"TAP version 13\n{taptest.HEAD}1..1\nok 1 - a\n# end of run: status 0\n")
STARTED = "TAP version 13\n1..2\nok 1 - a\n"
SLEEP = "exec sleep 60"
FAKE = "qemu:fake"
TRIES = 5


class Life(taptest.Checkout):
    """Runs with a fake emulator."""

    def test_pass(self):
        """a passing run prints the guest's TAP, nothing else, and keeps the raw log"""
        self.emulator("noise\r\n" + PASSING.replace("\n", "\r\n"))
        run = self.boot(FAKE, "only=a")
        self.check(run, 0)
        first, rest = PASSING.split("\n", 1)
        expected = taptest.checked(f"{first}\n# target: {FAKE} only=a\n{rest}")
        self.assertEqual((run.out, run.err), (expected.splitlines(), []))
        log = self.root / "build" / "logs" / "qemu-fake_only=a.log"
        self.assertTrue(log.read_bytes().startswith(b"noise\r\n"))

    def test_changed(self):
        """one changed byte on the serial line, or a lost line, is a broken run with no check sum"""
        for old, new, sentence in (("ok 1 - a", "ok 1 - b", "one was changed"),
                                   ("ok 1 - a\n", "ok 1 - a\n# x\n", "lines were lost"),
                                   (PASSING.splitlines()[-2] + "\n", "", "check sum is missing")):
            self.emulator(PASSING.replace(old, new))
            run = self.boot(FAKE)
            self.check(run, 2, sentence)
            self.assertFalse(any(line.startswith("# check:") for line in run.out), run)

    def test_live(self):
        """results are passed on while the guest runs"""
        self.emulator(STARTED, SLEEP)
        with self.start(FAKE) as boot:
            head, target, *rest = (boot.stdout.readline() for _ in range(4))
            self.assertEqual([head, *rest], STARTED.splitlines(True))
            self.assertEqual(target, f"# target: {FAKE}\n")
            boot.terminate()

    def test_silence(self):
        """a guest that falls silent is stopped after timeout= seconds"""
        self.emulator(STARTED, SLEEP)
        run = self.boot(FAKE, "timeout=1")
        self.check(run, 2, "said nothing for 1 s after result 1 of 2 (a)")
        self.assertLess(run.seconds, taptest.SOON)

    def test_busy(self):
        """while a busy host does not let the emulator run, its guest is not silent"""
        cpu = str(min(os.sched_getaffinity(0)))
        head, rest = PASSING.split("ok 1")
        (self.root / "rest").write_text(f"ok 1{rest}")
        self.emulator(head, f"""taskset -cp {cpu} $$ && chrt -i -p 0 $$
            i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done
            cat '{self.root / "rest"}' > "$serial\"""")
        with subprocess.Popen(["taskset", "-c", cpu, "sh", "-c", "while :; do :; done"]) as other, \
                self.start(FAKE, "timeout=1") as boot:
            try:                                    # or else leaving the block waits for it for ever
                next(line for line in boot.stdout if line.startswith("1.."))
                time.sleep(2.5)
            finally:
                other.kill()
            said = boot.communicate(timeout=taptest.NEVER_LONGER)
        self.assertEqual(boot.returncode, 0, said)

    def test_endless(self):
        """a guest that talks without end is stopped"""
        self.emulator(STARTED, 'while sleep 0.02; do echo "# x"; done > "$serial"')
        for _ in range(TRIES):      # a busy machine may keep it from talking for so long
            run = self.boot(FAKE, "timeout=0.2")
            if "said nothing for 0.2 s" not in run.err[0]:
                break
        self.check(run, 2, "not over after 6 s")

    def test_flood(self):
        """a guest that floods the line is stopped before it fills the disk"""
        self.emulator("", 'cat /dev/zero > "$serial"')
        self.check(self.boot(FAKE), 2, "prints without end")

    def test_lingering(self):
        """an emulator that stays after the guest's last line is ended"""
        self.emulator(PASSING, SLEEP)
        run = self.boot(FAKE)
        self.check(run, 0)
        self.assertLess(run.seconds, taptest.SOON)

    def test_last_words(self):
        """an emulator that ends at once has its own message shown"""
        self.emulator("", "echo 'fake: no such device' >&2; exit 1")
        self.check(self.boot(FAKE), 2, "fake: no such device")

    def test_no_iso(self):
        """without an ISO the sentence says to run make"""
        (self.root / "build" / "barecount.iso").unlink()
        self.check(self.boot(FAKE), 2, "run make first")

    def test_anywhere(self):
        """the current directory does not matter"""
        self.emulator(PASSING)
        self.check(self.boot(FAKE, cwd="/"), 0)

    def test_no_emulator(self):
        """a missing emulator is status 77 and says what to install"""
        (self.bin / "qemu-system-x86_64").unlink()
        (self.bin / "python3").symlink_to(sys.executable)
        run = taptest.Run(FAKE, root=self.root, env={"PATH": str(self.bin)})
        self.check(run, 77, "install qemu-system-x86")

    def test_unwritable_logs(self):
        """a log folder that cannot be made is one sentence"""
        (self.root / "build" / "logs").write_text("in the way")
        self.check(self.boot(FAKE), 2, "build/logs cannot be written")

    def test_full_disk(self):
        """output that cannot be written is one sentence"""
        self.emulator(PASSING)
        with open("/dev/full", "w", encoding="ascii") as full:
            self.check(self.boot(FAKE, stdout=full), 2, "No space left")

    def test_full_log(self):
        """a raw log that cannot be written is one sentence"""
        self.emulator(PASSING)
        (self.root / "build" / "logs").mkdir()
        (self.root / "build" / "logs" / "qemu-fake.log").symlink_to("/dev/full")
        self.check(self.boot(FAKE), 2, "build/logs cannot be written")

    def test_nobody_listens(self):
        """a reader that goes away ends the run"""
        self.emulator(STARTED, f"sleep 1; cat '{self.root}/says' > \"$serial\"; {SLEEP}")
        with self.start(FAKE) as boot:
            boot.stdout.readline()
            boot.stdout.close()
            self.assertIn("nobody reads the output", boot.stderr.read())
            self.assertEqual(boot.wait(), 2)

    def test_parallel(self):
        """two runs of the same at the same time have a log each"""
        self.emulator(STARTED, SLEEP)
        with self.start(FAKE) as one, self.start(FAKE) as other:
            for boot in (one, other):       # both run before the first of them ends
                boot.stdout.readline()
            for boot in (one, other):
                boot.terminate()
        names = sorted(path.name for path in (self.root / "build" / "logs").glob("*fake*.log"))
        self.assertEqual(len(names), 4, names)

    def test_signals(self):
        """the emulator never outlives tests/boot, however that ends"""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            with self.subTest(number):
                self.emulator(STARTED, f"echo $$ > '{self.root}/new'; mv '{self.root}/new' '{self.root}/pid'; {SLEEP}")
                (self.root / "pid").unlink(missing_ok=True)
                with self.start(FAKE) as boot:
                    self.assertTrue(taptest.wait_until((self.root / "pid").exists))
                    pid = int((self.root / "pid").read_text())
                    boot.send_signal(number)
                    self.assertEqual(boot.wait(taptest.SOON), -number)
                    self.assertTrue(taptest.wait_until(lambda: not taptest.is_alive(pid)))
        self.assertEqual(sorted(path.name for path in self.root.iterdir()),
                         ["bin", "build", "kernel", "pid", "says", "tests"])

    def start(self, *arguments):
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}"}
        return subprocess.Popen([self.root / "tests" / "boot", *arguments], text=True,
                                env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


if __name__ == "__main__":
    taptest.main()
