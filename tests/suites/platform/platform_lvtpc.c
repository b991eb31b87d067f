/* SPDX-License-Identifier: MIT */
/*
 * LVTPC as RESET and INIT leave it. The kernel reads it on each processor before it writes any
 * register of the local APIC: local_apic.h.
 */
#include <kernel/run/test.h>

#include <arch/interrupts/local_apic.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/smp_tests.h>

#define SOURCE "SDM 3A, \"Local APIC State After Power-Up or Reset\", " \
               "\"Local APIC State After an INIT Reset\": mask bits 1, all others 0; " \
               "APM 2, \"Local Vector Table\""

/* The boot processor's was in the hands of the firmware; the others' INIT was the kernel's own. */
TEST(reset, .id = "platform.apic.lvtpc.reset", .needs = need_lvtpc, .source = SOURCE,
     .claim = "LVTPC is 00010000H before it is written: on the boot processor after RESET (judged "
              "if no firmware has run), on the others after INIT")
{
	uint32_t found = apic_get_state()->found_lvtpc;

	if (smp_self())
		expect_bits(t, "LVTPC as INIT left it", found, UINT32_MAX, APIC_LVT_MASK,
		            "INIT masks it and clears vector and delivery mode");
	else if (pmu_is_exact())
		expect_bits(t, "LVTPC as RESET left it", found, UINT32_MAX, APIC_LVT_MASK,
		            "RESET masks it and clears vector and delivery mode");
	else
		test_report(t, "LVTPC as it was found, not judged: firmware may have run", "%"
		            PRIX32 "H", found);
}

#define PROGRAMMED  ((uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_NMI) | 0x55)

/* NMI, unmasked: nothing counts, so no PMI comes. */
static void program(struct test_ctx *t, uintptr_t unused)
{
	(void)unused;
	apic_write(APIC_LVTPC, PROGRAMMED);
	expect_bits(t, "LVTPC before INIT", apic_read(APIC_LVTPC), UINT32_MAX, PROGRAMMED,
	            "it was written there");
}

static void check(struct test_ctx *t, uintptr_t unused)
{
	(void)unused;
	expect_bits(t, "LVTPC after INIT", apic_get_state()->found_lvtpc, UINT32_MAX,
	            APIC_LVT_MASK, "INIT masks it and clears vector and delivery mode");
}

static NEED_BOTH(need_secondaries_lvtpc, need_secondaries, need_lvtpc)

TEST(init, .id = "platform.smp.lvtpc_init", .runs = TEST_ON_BOOT, .needs = need_secondaries_lvtpc,
     .source = SOURCE,
     .claim = "an INIT IPI masks a programmed LVTPC and clears its vector and delivery mode")
{
	unsigned cpu = smp_first_other();

	secondaries_do(t, cpu, program, 0);
	if (expect_exact(t, "the processor comes back", smp_reset(cpu), 1, "INIT and STARTUP"))
		secondaries_do(t, cpu, check, 0);
}
