/* SPDX-License-Identifier: MIT */
/*
 * Counters, CCCRs and ESCRs as registers: each defined bit holds what is written, at its own
 * address and at no other. Nothing counts here: no counter selects an ESCR's event, and a CCCR with
 * ENABLE selects an ESCR that is 0.
 */
#include <tests/suites/netburst/netburst_blocks.h>

#include <arch/cpu/fault.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>

struct subject {
	const char *name;
	uint32_t msr;
	uint64_t base;                 /* bits that are always written */
	uint64_t bits;                 /* the other defined ones */
};

static struct subject counter_subject(unsigned c)
{
	return (struct subject){ netburst_counters[c].name, netburst_counters[c].msr, 0,
	                         NETBURST_COUNTER_VALUE };
}

/* OVF is not included, as the manual does not say what a write of 1 does. Without Hyper-Threading
 * ACTIVE_THREAD is reserved and must be 3, and OVF_PMI_T1 is reserved. */
static struct subject cccr_subject(unsigned c)
{
	struct subject s = {
		netburst_counters[c].cccr_name, netburst_counters[c].cccr, 0,
		CCCR_ENABLE | CCCR_ESCR_SELECT | CCCR_COMPARE | CCCR_COMPLEMENT | CCCR_THRESHOLD
		| CCCR_EDGE | CCCR_FORCE_OVF | CCCR_OVF_PMI_T0 | CCCR_CASCADE,
	};

	if (netburst_has_threads())
		s.bits |= CCCR_ACTIVE_THREAD | CCCR_OVF_PMI_T1;
	else
		s.base = CCCR_ACTIVE_THREAD;
	if (netburst_counters[c].extended_name && netburst_has_extended_cascading())
		s.bits |= CCCR_CASCNT_INTO;
	return s;
}

static struct subject escr_subject(unsigned e)
{
	return (struct subject){
		netburst_escrs[e].name, netburst_escrs[e].msr, 0,
		ESCR_T0_USR | ESCR_T0_OS | ESCR_TAG_ENABLE | ESCR_TAG_VALUE | ESCR_EVENT_MASK
		| ESCR_EVENT_SELECT
		| (netburst_has_threads() ? ESCR_T1_USR | ESCR_T1_OS : 0)
	};
}

static uint64_t read_or_0(uint32_t msr)
{
	uint64_t got = 0;

	msr_try_read(msr, &got);
	return got;
}

static bool check_value(struct test_ctx *t, const struct subject *s, const char *what,
                        uint64_t value)
{
	test_sub(t, "%s, %s %" PRIX64 "H", s->name, what, value);
	return expect_no_fault(t, "WRMSR", msr_try_write(s->msr, s->base | value),
	                       "these bits are defined")
	       && expect_exact(t, "read back", read_or_0(s->msr), s->base | value,
	                       "defined bits hold what is written, and no other is set");
}

/* Walks ones and zeros over the defined bits. ENABLE of a CCCR is set only alone, so that nothing
 * is compared and nothing overflows. */
static void walk(struct test_ctx *t, const struct subject *s)
{
	bool is_cccr = s->msr - MSR_CCCR(0) < NETBURST_COUNTERS;
	uint64_t most = s->bits & ~(is_cccr ? CCCR_ENABLE : 0);

	for (unsigned bit = 0; bit < 64; bit++)
		if (s->bits & BIT(bit) && !check_value(t, s, "bit", BIT(bit)))
			break;
	for (unsigned bit = 0; bit < 64; bit++)
		if (most & BIT(bit) && !check_value(t, s, "all but one", most & ~BIT(bit)))
			break;
	check_value(t, s, "all", most);
	check_value(t, s, "none", 0);
	msr_try_write(s->msr, 0);
}

static void walk_counters(struct test_ctx *t, enum netburst_block block)
{
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		struct subject s = counter_subject(c);

		if (netburst_counters[c].block == block)
			walk(t, &s);
	}
}

static void walk_cccrs(struct test_ctx *t, enum netburst_block block)
{
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		struct subject s = cccr_subject(c);

		if (netburst_counters[c].block == block)
			walk(t, &s);
	}
}

static void walk_escrs(struct test_ctx *t, enum netburst_block block)
{
	for (unsigned e = 0; e < NETBURST_ESCRS; e++) {
		struct subject s = escr_subject(e);

		if (netburst_escrs[e].block == block && netburst_has_escr(&netburst_escrs[e]))
			walk(t, &s);
	}
}

#define WALK(kind, block, suffix, text) \
	TEST(kind##_##block, .id = "netburst.registers." #kind "." suffix, .is_static = true, \
	     .needs = need_netburst, .source = REGISTERS, .claim = text) \
	{ walk_##kind(t, NETBURST_##block); }

#define WALK_BLOCKS(kind, text) \
	WALK(kind, BPU, "bpu", text) WALK(kind, MS, "ms", text) \
	WALK(kind, FLAME, "flame", text) WALK(kind, IQ, "iq", text)

WALK_BLOCKS(counters, "a counter holds all 40 bits that are written, without sign extension")
WALK_BLOCKS(cccrs, "every defined bit of a CCCR holds what is written")
WALK_BLOCKS(escrs, "every defined bit of an ESCR holds what is written")

/* ------------------------------------------------------------------------ each its own */

enum { ALL = 2 * NETBURST_COUNTERS + NETBURST_ESCRS };

static bool subject_of(unsigned i, struct subject *s)
{
	unsigned e = i - 2 * NETBURST_COUNTERS;

	if (i < NETBURST_COUNTERS)
		*s = counter_subject(i);
	else if (i < 2 * NETBURST_COUNTERS)
		*s = cccr_subject(i - NETBURST_COUNTERS);
	else
		*s = escr_subject(e);
	return i < 2 * NETBURST_COUNTERS || netburst_has_escr(&netburst_escrs[e]);
}

/* All other registers are 0, so that a write that reaches another one shows. */
static void check_neighbours(struct test_ctx *t, unsigned written)
{
	struct subject s, other;
	uint64_t value;

	if (!subject_of(written, &s))
		return;
	value = s.base | (s.bits & ~(uint64_t)(CCCR_ENABLE | CCCR_FORCE_OVF));
	msr_try_write(s.msr, value);
	for (unsigned i = 0; i < ALL; i++) {
		if (i == written || !subject_of(i, &other) || read_or_0(other.msr) == 0)
			continue;
		test_sub(t, "%s written", s.name);
		expect_exact(t, other.name, read_or_0(other.msr), 0, "it was not written");
	}
	check_value(t, &s, "alone", value & ~s.base);
	msr_try_write(s.msr, 0);
}

TEST(neighbours, .id = "netburst.registers.neighbours", .is_static = true, .needs = need_netburst,
     .source = REGISTERS, .claim = "writing a counter, a CCCR or an ESCR changes no other one")
{
	struct subject s;

	pmu_reset();
	for (unsigned i = 0; i < ALL; i++)
		if (subject_of(i, &s))
			msr_try_write(s.msr, 0);
	for (unsigned i = 0; i < ALL; i++)
		check_neighbours(t, i);
}

static const uint64_t values[] = {
	0x80000000, 0x7fffffff, 0xffffffff, 0x100000000, 0x8000000000, 0x7fffffffff, 0xffffffffff,
	0x123456789a, 0xfedcba9876, 0x55aa55aa55, 0xff00000000,
};

TEST(no_sign_extension, .id = "netburst.registers.no_sign_extension", .is_static = true,
     .needs = need_netburst,
     .source = REGISTERS,
     .claim = "a write of a counter takes 40 bits as they are: bit 31 is not copied to others")
{
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		struct subject s = counter_subject(c);

		for (unsigned i = 0; i < COUNT_OF(values); i++) {
			/* The register holds the complement before: the write
			 * must replace each bit. */
			msr_try_write(s.msr, ~values[i] & NETBURST_COUNTER_VALUE);
			check_value(t, &s, "value", values[i]);
		}
		msr_try_write(s.msr, 0);
	}
}
