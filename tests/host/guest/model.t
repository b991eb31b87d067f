#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The targets model:CPU: the same bytes twice, quirks by name, processors without a modelled PMU."""
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import taptest                                      # noqa: E402
from runner import machine, problems, targets       # noqa: E402

SOME = "only=arch.cycles.*,arch.pmi.*,arch.cache.*"


def boot(target, *words, quirk=""):
    """Runs tests/boot; returns its exit status, standard output and standard error."""
    done = subprocess.run([taptest.TESTS / "boot", target, "via=kernel", "serial=debug", *words],
                          capture_output=True, text=True, check=False,
                          env={**os.environ, "PMU_QUIRK": quirk}, timeout=taptest.NEVER_LONGER)
    return done.returncode, done.stdout, done.stderr


def results(log):
    """Returns the lines of the tests, in their order."""
    return [line for line in log.splitlines() if line.startswith(("ok ", "not ok "))]


class Model(unittest.TestCase):

    def test_deterministic(self):
        """two boots print the same bytes, and a quirk that changes nothing the same again"""
        status, first, _ = boot("model:sapphire_rapids", SOME)
        self.assertEqual(status, 0, first)
        self.assertEqual(boot("model:sapphire_rapids", SOME)[1], first)
        broken = boot("model:sapphire_rapids", SOME, quirk="nothing")[1]
        self.assertEqual(taptest.checked(broken.replace("# quirk: nothing\n", "", 1)), first)

    def test_seed(self):
        """one seed prints the same bytes twice, whatever caches hold; another one does not"""
        words = "caches=kept", "smp=1:1:2", "only=arch.cycles.*"
        status, first, _ = boot("model:corei7_haswell_4770", "seed=7", *words)
        self.assertEqual(status, 0, first)
        self.assertEqual(boot("model:corei7_haswell_4770", "seed=7", *words)[1], first)
        self.assertNotEqual(results(boot("model:corei7_haswell_4770", "seed=8", *words)[1]),
                            results(first))

    def test_snapshots(self):
        """a model that is saved and restored now and then prints the same bytes"""
        for cpu, words in (("p3_katmai", ("only=p6.pmi.*",)),
                           ("p4_prescott_celeron_336", ("only=netburst.overflow.*", "smp=1:1:2")),
                           ("corei7_haswell_4770", ("only=arch.pmi.period.*,lbr.records.*",)),
                           ("corei7_skylake_x", ("only=vmx.*", "smp=1:2:1"))):
            status, plain, _ = boot(f"model:{cpu}", *words)
            self.assertEqual(status, 0, plain)
            with_them = boot(f"model:{cpu}", "snapshot=1", *words)[1].replace(" snapshot=1", "")
            self.assertEqual(taptest.checked(with_them), plain)

    def test_doubt(self):
        """a defect is red where SMIs leave no trace and a failure is looked at again: its check fails each time"""
        status, said, _ = boot("model:p3_katmai", "caches=warm", "seed=1", "only=p6.counters.*",
                               quirk="p6-enable-gates-counter-0")
        self.assertEqual(status, 1, said)
        self.assertNotIn("held when it ran again", said)

    def test_unconfirmed(self):
        """a failure on silicon that no erratum explains says that nobody confirmed the test there; the model's does not"""
        for word, is_silicon in (("stepping=3", True), ("seed=1", False)):
            status, said, _ = boot("model:corei7_haswell_4770", word, "only=arch.pmi.mask",
                                   quirk="pmi-leaves-lvtpc-unmasked")
            self.assertEqual(status, 1, said)
            self.assertEqual("unconfirmed: \"nobody has confirmed this test on silicon of family 6H" in said, is_silicon,
                             said)

    def test_storm(self):
        """PMIs that never stop end one test after the other, and no run

        ips= makes the watchdog's two seconds short: each instruction takes longer.
        """
        hung = "the test hung: ended by the watchdog"
        for cpu, test, want in (("corei7_haswell_4770", "arch.pmi.soon", "unexpected #NMI"),
                                ("corei7_haswell_4770", "lbr.records.nmi", hung),
                                ("p3_katmai", "lbr.records.nmi", hung), ("ryzen", "amd.lvtpc.stays", hung)):
            with self.subTest(cpu=cpu, test=test):
                status, said, _ = boot(f"model:{cpu}", "timeout=60", "ips=3000000", f"only={test},rdpmc.mode.cpl0",
                                       quirk="pmi-does-not-stop")
                self.assertEqual(status, 1, said)
                self.assertIn(f"not ok 1 - {test}\n", said)
                self.assertIn(want, said)
                self.assertIn("ok 2 - rdpmc.mode.cpl0\n", said)
                self.assertIn(f"# failed: {test}\n", said)

    def test_words(self):
        """a wrong seed ends the run before it begins, and so does a target that takes none"""
        for target, word, sentence in (
                ("model:pentium", "snapshot=0", "the word 'snapshot=0' is not understood: it is snapshot=SEED"),
                ("model:pentium", "snapshot=4294967296", "'snapshot=4294967296' is not understood"),
                ("model:pentium", "snapshot=yes", "the word 'snapshot=yes' is not understood"),
                ("model:pentium", "stepping=16", "the word 'stepping=16' is not understood: it is stepping=0..15"),
                ("model:pentium", "as=Dothan", "the word 'as=Dothan' is not understood: it is as=NAME"),
                ("model:pentium", "as=z80", "model: cannot do as=z80, it can do as=athlon|clawhammer|venice|"),
                ("bochs:pentium", "as=dothan", "bochs: cannot do as=dothan, other targets can"),
                ("bochs:pentium", "snapshot=1", "bochs: cannot do snapshot=1, other targets can")):
            status, said, complaint = boot(target, word)
            self.assertEqual((status, said), (2, ""))
            self.assertIn(sentence, complaint)

    def test_only_the_model_poses(self):
        """other emulators cannot pose as a processor or a stepping"""
        for target, word in (("qemu:Nehalem", "stepping=1"), ("qemu:Nehalem", "as=dothan"),
                             ("bochs:pentium", "stepping=0"), ("bochs:pentium", "as=dothan")):
            board, _, _ = machine.split([word])
            with self.subTest(target=target, word=word), self.assertRaises(problems.Problem) as raised:
                targets.find(target, board)
            self.assertEqual(str(raised.exception), f"{target.partition(':')[0]}: cannot do {word}, other targets can")

    def test_poses(self):
        """the model poses as another processor, an older one too, and as another stepping"""
        for cpu, words, signature, pmu in (
                ("corei7_haswell_4770", ("stepping=9",), "family 6H model 3CH stepping 9H", "architectural, version 3, 8"),
                ("p3_katmai", ("as=dothan", "stepping=6"), "family 6H model DH stepping 6H", "P6, 2"),
                ("corei7_haswell_4770", ("as=banias",), "family 6H model 9H stepping 3H", "P6, 2"),
                ("p4_willamette", ("as=cedarmill",), "family FH model 6H stepping 2H", "NetBurst, 18")):
            with self.subTest(cpu=cpu, words=words):
                status, said, complaint = boot(f"model:{cpu}", *words, "only=pmu.*")
                self.assertEqual(status, 0, said + complaint)
                self.assertIn(f"# cpu: GenuineIntel {signature}\n", said)
                self.assertIn(f"# pmu: {pmu} counters", said)

    def test_unknown_quirk(self):
        """an unknown quirk ends the run before it begins, and the page with all names is named"""
        status, said, complaint = boot("model:arrow_lake", quirk="no-such-quirk")
        self.assertEqual((status, said), (2, ""))
        self.assertIn("there is no quirk named 'no-such-quirk'; docs/defects.md lists all ", complaint)

    def test_quirk(self):
        """a quirk makes its test fail"""
        status, said, _ = boot("model:corei7_haswell_4770", "only=arch.pmi.mask",
                               quirk="pmi-leaves-lvtpc-unmasked")
        self.assertEqual(status, 1)
        self.assertIn("not ok 1 - arch.pmi.mask\n", said)

    def test_no_pmu(self):
        """a processor whose PMU is not modelled boots without one, and says so"""
        status, said, complaint = boot("model:amd_k6_2_chomper", "only=pmu.verdict")
        self.assertEqual(status, 0, said)
        self.assertIn("no PMU is modelled for amd_k6_2_chomper yet", complaint)


if __name__ == "__main__":
    taptest.main()
