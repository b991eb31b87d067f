/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests what registers of branch records hold after a write. SDM 4, "Model-Specific Registers", the
 * tables of each processor.
 */
#include <tests/unit/model/sampling/model_branches.h>

/* Returns whether the processor is older than Core Duo. */
static bool is_p6(const struct lbr *l)
{
	return l->cpu.signature < 0x6ec;
}

/* Processors without 64-bit mode: their addresses are not extended by a sign. */
UNIT_TEST(addresses_of_32_bits_have_zeros_above)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);
		bool is_32 = is_p6(l) || l->cpu.signature == 0xf12 || l->cpu.signature == 0x6ec ||
		             l->cpu.signature == 0x106c2;

		if (!is_32)
			continue;
		for (unsigned n = 0; n < 2; n++) {
			put(machine, l->ler + n, 0x80001234);
			check_eq_u64(named(&l->cpu, "MSR %XH", l->ler + n),
			             get(machine, l->ler + n), 0x80001234);
		}
		for (unsigned n = 0; l->to && n < 2; n++) {
			uint32_t msr = n ? l->to : l->from;

			put(machine, msr, 0x80001234);
			check_eq_u64(named(&l->cpu, "MSR %XH", msr), get(machine, msr), 0x80001234);
		}
	}
}

/* NetBurst: up to BTINT or BTS_OFF_USR; Pentium M: up to BTINT; P6: up to TR. */
static uint64_t debugctl_bits(const struct lbr *l)
{
	if (is_netburst(l))
		return ONES(l->cpu.signature == 0xf12 ? 5 : 7);
	return ONES(l->cpu.signature == 0x6d6 ? 9 : 7);
}

/* Chosen, as no manual says it: P6 and NetBurst drop what they do not have. Others raise #GP. */
UNIT_TEST(debugctl_drops_reserved_bits_or_refuses_them)
{
	FOR_EACH_LBR(l) {
		struct machine *machine = start(&l->cpu);

		if (!is_p6(l) && !is_netburst(l)) {
			check_refused(&l->cpu, machine, DEBUGCTL, ONE(63));
			continue;
		}
		put(machine, DEBUGCTL, UINT64_MAX);
		check_eq_u64(named(&l->cpu, "kept"), get(machine, DEBUGCTL), debugctl_bits(l));
	}
}

UNIT_MAIN()
