/* SPDX-License-Identifier: MIT */
#include <tests/suites/netburst/netburst_blocks.h>

#include <arch/cpu/control.h>
#include <arch/cpu/insn.h>
#include <arch/modes/modes.h>

static const uint8_t code[] = {
	0xd9, 0xee,                     /* FLDZ */
	0xd8, 0xc0,                     /* FADD ST(0), ST(0) */
	0xff, 0xc9,                     /* DEC ECX */
	0x75, 0xfa,                     /* JNZ to the FADD */
	0xdd, 0xd8,                     /* FSTP ST(0) */
};

void blocks_code(uint32_t rounds, uint32_t argument)
{
	const struct mode_regs regs = { .ax = argument, .cx = rounds };

	fpu_enable();
	mode_run(MODE_CPL3, code, sizeof(code), &regs);
}

static const struct { const char *event, *masks; } events[NETBURST_BLOCKS] = {
	[NETBURST_BPU]   = { "global_power_events", NULL },
	[NETBURST_MS]    = { "retired_branch_type", "CONDITIONAL" },
	[NETBURST_FLAME] = { "x87_FP_uop", NULL },
	[NETBURST_IQ]    = { "instr_retired", "NBOGUSNTAG+NBOGUSTAG" },
};

static struct netburst_use use_of(unsigned counter)
{
	unsigned block = netburst_counters[counter].block;
	struct netburst_use use;

	netburst_setup(&use, netburst_event_find(events[block].event), events[block].masks,
	               counter, PMU_USR);
	return use;
}

uint32_t blocks_cccr(unsigned counter)
{
	return use_of(counter).cccr_value & ~(uint32_t)CCCR_ENABLE;
}

uint32_t blocks_escr(unsigned counter, uint32_t *msr)
{
	struct netburst_use use = use_of(counter);

	*msr = use.escr->msr;
	return use.escr_value;
}

void blocks_program(const struct block_counter *c, unsigned count)
{
	pmu_reset();
	for (unsigned i = 0; i < count; i++) {
		uint32_t msr, value = blocks_escr(c[i].counter, &msr);

		msr_write(msr, value);
		msr_write(MSR_COUNTER(c[i].counter), c[i].start & NETBURST_COUNTER_VALUE);
	}
	for (unsigned i = 0; i < count; i++)
		msr_write(MSR_CCCR(c[i].counter), c[i].cccr);
}

void blocks_read(struct block_counter *c, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		c[i].cccr_after = (uint32_t)msr_read(MSR_CCCR(c[i].counter));
	for (unsigned i = 0; i < count; i++)
		msr_write(MSR_CCCR(c[i].counter), blocks_cccr(c[i].counter));
	for (unsigned i = 0; i < count; i++)
		c[i].value = msr_read(MSR_COUNTER(c[i].counter));
	pmu_reset();
}

void blocks_run(struct block_counter *c, unsigned count, uint32_t rounds)
{
	blocks_program(c, count);
	blocks_code(rounds, 0);
	blocks_read(c, count);
}

uint64_t blocks_count(const struct block_counter *c)
{
	return (c->value - c->start) & NETBURST_COUNTER_VALUE;
}
