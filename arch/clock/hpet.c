/* SPDX-License-Identifier: MIT */
/* Source: IA-PC HPET Specification 1.0a, "Register Definitions", "LegacyReplacement Route". */
#include <arch/clock/hpet.h>

#include <arch/cpu/insn.h>
#include <arch/regs/timers.h>

static uintptr_t hpet;
static uint32_t hz, due;

/* 10^15 femtoseconds are a second. */
#define FEMTOSECONDS  UINT64_C(1000000000000000)

uint32_t hpet_enable(uintptr_t base)
{
	uint32_t period = base ? mmio_read32(base + HPET_COUNTER_CLK_PERIOD) : 0;

	if (period < HPET_PERIOD_LEAST || period > HPET_PERIOD_MOST)
		return 0;
	hpet = base;
	hz = divide_u64(FEMTOSECONDS, period);
	mmio_write32(hpet + HPET_GEN_CONF, mmio_read32(hpet + HPET_GEN_CONF) | HPET_ENABLE_CNF);
	return hz;
}

uint32_t hpet_read(void)
{
	return mmio_read32(hpet + HPET_MAIN_CNT);
}

bool hpet_has_irq0(void)
{
	return hpet && (mmio_read32(hpet + HPET_GCAP_ID) & HPET_LEG_RT_CAP);
}

void hpet_connect_irq0(bool is_connected)
{
	uint32_t conf = mmio_read32(hpet + HPET_GEN_CONF) & ~(uint32_t)HPET_LEG_RT_CNF;

	mmio_write32(hpet + HPET_TIM0_CONF, is_connected ? HPET_Tn_32MODE_CNF : 0);
	mmio_write32(hpet + HPET_GEN_CONF, conf | (is_connected ? HPET_LEG_RT_CNF : 0u));
}

static bool is_over(void)
{
	return (int32_t)(hpet_read() - due) >= 0;
}

/*
 * A comparison happens only when the counter reaches the comparator, so a start that was delayed
 * past that moment, by SMM or a host, would be lost: it is made again, for longer.
 */
static void program(uint32_t us)
{
	uint32_t clocks = divide_u64((uint64_t)hz * us, 1000000);

	mmio_write32(hpet + HPET_TIM0_CONF, HPET_Tn_32MODE_CNF);
	do {
		due = hpet_read() + clocks;
		mmio_write32(hpet + HPET_TIM0_COMP, due);
		mmio_write32(hpet + HPET_TIM0_CONF, HPET_Tn_32MODE_CNF | HPET_Tn_INT_ENB_CNF);
		clocks *= 2;
	} while (is_over());
}

const struct one_shot hpet_one_shot = { program, is_over };
