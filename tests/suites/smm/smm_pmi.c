/* SPDX-License-Identifier: MIT */
/* What becomes of an overflow in system-management mode, where NMIs are blocked. */
#include <tests/suites/smm/smi.h>

#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

static NEED_BOTH(need_pmi_smi, need_pmi_lvtpc, need_smi)

/* The counter overflows at each of the window's first instructions, and of the handler's. */
enum { PHASES = 20 };

static void raise(uint32_t port, uint32_t unused)
{
	(void)unused;
	smi_code(0, port);
}

TEST(pmi, .id = "smm.pmi", .needs = need_pmi_smi, .runs = TEST_ON_BOOT,
     .source = "SDM 3C, \"NMI Handling While in SMM\"",
     .claim = "an overflow in an SMI's handler raises one PMI, an NMI that comes after RSM")
{
	unsigned at_rsm = 0;

	if (!smi_is_counted(t))
		return;
	for (unsigned missing = 1 + pmi_lag(); missing <= PHASES; missing++) {
		struct pmu_setup s = pmi_instructions(pmi_counter(0), PMU_OS | PMU_INT, missing);
		const struct pmi_log *log = pmi_run(&(const struct pmi_window){
			.setups = &s, .count = 1, .code = raise, .rounds = SMI_PORT });

		test_sub(t, "an overflow after %u instructions", missing);
		if (!expect_exact(t, "PMIs", log->count, 1, "the counter overflowed once"))
			return;
		at_rsm += log->ip[0] == (uintptr_t)smi_resumed;
	}
	test_sub(t, "%s", "");
	expect_bounds(t, "PMIs that came right after RSM", at_rsm,
	              if_exact_in(2, PHASES, "low: that of the OUT, and that of RSM; high: "
	                          "overflows that were tried"), ELSE_SHOWN);
}
