/* SPDX-License-Identifier: MIT */
#include <tests/suites/lbr/bts_suite.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/netburst.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmu.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>

#define CPUID_DS_CPL  CPUID_FIELD(0x01, 0, ECX, 4, 4)

enum { NAME_SIZE = 32 };

const struct bts_bits *bts_bits(void)
{
	static const struct bts_bits core = {
		IA32_DEBUGCTL_TR, IA32_DEBUGCTL_BTS, IA32_DEBUGCTL_BTINT,
		IA32_DEBUGCTL_BTS_OFF_OS, IA32_DEBUGCTL_BTS_OFF_USR,
	};
	static const struct bts_bits netburst = {
		MSR_DEBUGCTLA_TR, MSR_DEBUGCTLA_BTS, MSR_DEBUGCTLA_BTINT,
		MSR_DEBUGCTLA_BTS_OFF_OS, MSR_DEBUGCTLA_BTS_OFF_USR,
	};

	return pmu_has(PMU_HAS_CCCRS) ? &netburst : &core;
}

NEED_BOTH(need_bts_modes, need_bts, need_modes)

const char *need_bts_cpl(struct test_ctx *t)
{
	const char *reason = need_bts_modes(t);

	if (!reason && !cpuid_get(CPUID_DS_CPL))
		return test_reason(t, "CPUID.1:ECX[4] (DS-CPL) = 0");
	return reason;
}

NEED_BOTH(need_bts_pmi, need_bts_modes, need_pmi_lvtpc)

void bts_set_up(unsigned records, unsigned threshold, unsigned extra)
{
	const struct ds_plan plan = {
		.buffer[DS_BTS] = { records, threshold, extra, .has_plus_one = extra == 0 },
	};

	ds_set_up(&plan);
}

struct branch_recorder bts_recorder(uint64_t more)
{
	return (struct branch_recorder){ IA32_DEBUGCTL, bts_bits()->tr | bts_bits()->bts | more };
}

bool bts_expect_record(struct test_ctx *t, unsigned i, const struct branch_want *want,
                       const char *why)
{
	struct bts_record got = bts_get(i);
	char what[NAME_SIZE];
	bool is_right;

	format_buf(what, sizeof(what), "record %u, from", i);
	is_right = i > 0 && silicon_has(SILICON_BTS_FROM_REPEATS) && got.from == bts_get(i - 1).from
	           ? true : expect_exact(t, what, got.from, want->from, why);
	format_buf(what, sizeof(what), "record %u, to", i);
	return expect_exact(t, what, got.to, want->to, why) && is_right;
}

void bts_expect_index(struct test_ctx *t, unsigned records, const char *why)
{
	expect_exact(t, "BTS index, bytes from the base",
	             ds_index_address(DS_BTS) - ds_base(DS_BTS),
	             records * ds_record_size(DS_BTS), why);
}

void bts_expect_no_damage(struct test_ctx *t)
{
	const char *what;
	uintptr_t at = ds_damage(&what);

	if (at)
		test_sub(t, "written at %XH, %s", (unsigned)at, what);
	expect_exact(t, "a byte changed outside the records", at != 0, 0,
	             "the processor writes records and the index, and nothing else");
}
