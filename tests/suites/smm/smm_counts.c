/* SPDX-License-Identifier: MIT */
/* What counters count of an SMI. */
#include <tests/suites/smm/smi.h>

#include <arch/interrupts/local_apic.h>
#include <arch/modes/segments.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/needs.h>

#define FILTER  "SDM 3B, \"Filtering of SMM Handler Overhead\""

/* Sends an IPI, whose delivery mode is in the command's bits 15:8, its vector in bits 7:0. */
static void send_to_self(uint32_t unused, uint32_t command)
{
	(void)unused;
	apic_send(apic_get_id(), command >> 8, command & 0xff);
}

#define HANDLER "low: the handler has at least RSM; high: no manual limits it"

/*
 * Ways of raising an SMI: code whose argument says whether it raises one. An interrupt of fixed
 * delivery stays pending, because tests run with EFLAGS.IF = 0.
 */
static const struct way {
	void (*code)(uint32_t unused, uint32_t argument);
	uint32_t with, without;
} by_port = { smi_code, SMI_PORT, SMI_NO_PORT },
  by_ipi = { send_to_self, APIC_DELIVERY_SMI << 8, APIC_DELIVERY_FIXED << 8 | VECTOR_TEST };

/* Counts one event on all counters, with an SMI and without; returns the number of counters. */
static unsigned count_both(const struct way *by, uint16_t event, unsigned flags,
                           struct pmu_setup *setups, uint64_t *added)
{
	unsigned count = counting_setups(setups, event, flags);
	struct pmu_reading with = counting_measure(setups, count, by->code, 0, by->with);
	struct pmu_reading without = counting_measure(setups, count, by->code, 0, by->without);

	for (unsigned i = 0; i < count; i++)
		added[i] = with.count[i] - without.count[i];
	return count;
}

bool smi_is_counted(struct test_ctx *t)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	uint64_t added[PMU_SETUPS_MAX];

	smi_freeze(false);
	count_both(&by_port, counting_event(COUNTING_INSNS), PMU_BOTH, setups, added);
	if (added[0] && !(added[0] >> 63))
		return true;
	if (pmu_is_exact())
		return expect_between(t, "instructions that an SMI adds, without a freeze",
		                      added[0], 1, UINT64_MAX, HANDLER);
	test_skip(t, "a write of port %XH added no instruction: firmware has not asked for an SMI",
	          SMI_PORT);
	return false;
}

TEST(counts, .id = "smm.counts", .needs = need_smi, .runs = TEST_ON_BOOT, .source = FILTER,
     .claim = "every counter counts the instructions of an SMI's handler, which run at CPL 0")
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	uint64_t added[PMU_SETUPS_MAX];
	char name[PMU_NAME_SIZE];
	unsigned count;

	if (!smi_is_counted(t))
		return;
	count = count_both(&by_port, counting_event(COUNTING_INSNS), PMU_OS, setups, added);
	for (unsigned i = 0; i < count; i++) {
		test_sub(t, "%s", pmu_counter_name(setups[i].counter, name));
		expect_between(t, "instructions that an SMI adds", added[i], 1, UINT64_MAX,
		               HANDLER);
	}
}

static const char *need_ipi(struct test_ctx *t)
{
	const char *reason = need_smi(t);

	if (reason || pmu_is_exact())
		return reason ? reason : need_local_apic(t);
	return test_reason(t, "exact = 0: firmware may wait for the SMIs of the other processors");
}

TEST(ipi, .id = "smm.ipi", .needs = need_ipi, .runs = TEST_ON_BOOT,
     .source = "SDM 3A, \"Interrupt Command Register (ICR)\": delivery mode SMI; " FILTER,
     .claim = "a processor's IPI of delivery mode SMI to itself lets the same handler run as a "
              "write of port B2H")
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	uint64_t by_this[PMU_SETUPS_MAX], by_that[PMU_SETUPS_MAX];

	if (!smi_is_counted(t))
		return;
	count_both(&by_ipi, counting_event(COUNTING_INSNS), PMU_BOTH, setups, by_this);
	count_both(&by_port, counting_event(COUNTING_INSNS), PMU_BOTH, setups, by_that);
	expect_exact(t, "instructions that the IPI adds", by_this[0], by_that[0],
	             "the handler has no more to do than after a write of 0 to the port");
}

static const struct { enum counting_of of; const char *what; } events[] = {
	{ COUNTING_INSNS, "instructions that an SMI adds" },
	{ COUNTING_BRANCHES, "branches that an SMI adds" },
};

TEST(freeze, .id = "smm.freeze.counts", .needs = need_smi_freeze, .runs = TEST_ON_BOOT,
     .source = FILTER,
     .claim = "with FREEZE_WHILE_SMM an SMI adds nothing to any counter")
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	uint64_t added[PMU_SETUPS_MAX];
	char name[PMU_NAME_SIZE];

	if (!smi_is_counted(t))
		return;
	smi_freeze(true);
	for (unsigned e = 0; e < COUNT_OF(events); e++) {
		unsigned count = count_both(&by_port, counting_event(events[e].of), PMU_BOTH,
		                            setups, added);

		for (unsigned i = 0; i < count; i++) {
			test_sub(t, "%s", pmu_counter_name(setups[i].counter, name));
			expect_exact(t, events[e].what, added[i], 0,
			             "the SMI clears the enable bits of IA32_PERF_GLOBAL_CTRL, and "
			             "RSM sets them");
		}
	}
}
