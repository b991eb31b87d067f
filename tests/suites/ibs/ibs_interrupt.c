/* SPDX-License-Identifier: MIT */
/* The interrupt of IBS: its entry of the extended LVT, and what comes after sampling has ended. */
#include <tests/suites/ibs/ibs_suite.h>

#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/segments.h>
#include <pmu/core/pmi.h>
#include <tests/suites/common/pmi/pmi_windows.h>

static struct ibs_plan plan_of(enum ibs_delivery delivery)
{
	return (struct ibs_plan){ .op = ibs_op(0x20, ibs_by_ops()), .delivery = delivery };
}

static void run(enum ibs_delivery delivery)
{
	const struct ibs_plan plan = plan_of(delivery);

	ibs_window(&plan, ibs_sled, 0, 0);
}

#define MANY "low: 16384 NOPs are some periods of 512 ops or clocks; high: none"

TEST(nmi, .id = "ibs.eilvt.nmi", .needs = need_ibs_op_sampling, .source = IBS_LVT,
     .claim = "the entry's delivery mode NMI makes IBS interrupt by NMI")
{
	run(IBS_NMI);
	expect_between(t, "NMIs with a sample", ibs_get_log()->count, 1, UINT64_MAX, MANY);
}

TEST(fixed, .id = "ibs.eilvt.fixed", .needs = need_ibs_op_sampling, .source = IBS_LVT,
     .claim = "the entry's vector is that of IBS's interrupt, which waits for EFLAGS.IF")
{
	uintptr_t flags = flags_read();
	const struct ibs_plan plan = plan_of(IBS_FIXED);

	interrupts_disable();
	ibs_start(&plan);
	ibs_sled(0, 0);
	expect_exact(t, "interrupts while IF = 0", ibs_get_log()->interrupts, 0,
	             "a fixed interrupt waits");
	expect_exact(t, "the vector is requested", apic_is_requested(VECTOR_IBS), 1,
	             "a sample was taken");
	interrupts_enable();
	ibs_sled(0, 0);
	interrupts_disable();
	ibs_stop();
	flags_write(flags);
	expect_between(t, "interrupts with a sample", ibs_get_log()->count, 1, UINT64_MAX, MANY);
}

TEST(masked, .id = "ibs.eilvt.masked", .needs = need_ibs_op_sampling, .source = IBS_LVT,
     .claim = "a masked entry lets no interrupt through; the sample is taken")
{
	const struct ibs_plan plan = plan_of(IBS_MASKED);

	ibs_start(&plan);
	ibs_sled(0, 0);
	expect_bits(t, "IbsOpCtl", msr_read(IbsOpCtl), IbsOpCtl_Val, IbsOpCtl_Val,
	            "16384 NOPs are some periods of 512 ops or clocks");
	ibs_stop();
	expect_exact(t, "interrupts", ibs_get_log()->interrupts, 0, "the entry is masked");
}

static NEED_BOTH(need_lvtpc_too, need_ibs_op_sampling, need_amd_pmi)

TEST(not_lvtpc, .id = "ibs.eilvt.not_lvtpc", .needs = need_lvtpc_too, .source = IBS_LVT,
     .claim = "IBS does not interrupt by LVTPC")
{
	uintptr_t flags = flags_read();
	const struct ibs_plan plan = plan_of(IBS_MASKED);

	pmi_listen(PMI_FIXED, NULL);
	interrupts_enable();
	ibs_window(&plan, ibs_sled, 0, 0);
	pmi_settle();
	flags_write(flags);
	pmi_stop();
	expect_exact(t, "PMIs", pmi_get_log()->count, 0,
	             "no counter runs, and IBS has an entry of its own");
}

/* ---------------------------------------------------------------------------- after the end */

/* Counts interrupts after so many stops, each at another distance from the last sample. */
TEST(late, .id = "ibs.late", .needs = need_ibs_op_sampling,
     .source = "Linux, arch/x86/events/amd/ibs.c; errata 420 and 1215",
     .claim = "after sampling has been stopped at most one more interrupt comes")
{
	const struct ibs_log *log = ibs_get_log();
	unsigned most = 0;

	for (uint32_t i = 0; i < 64; i++) {
		const struct ibs_plan plan = { .op = ibs_op(0x10 + i, ibs_by_ops()) };
		unsigned before, after;        /* samples; interrupts that are too many */

		ibs_start(&plan);
		workload_nops.code(64 * i, 0);
		ibs_stop_sampling();
		before = log->count;
		workload_nops.code(4096, 0);
		ibs_settle();
		after = log->count - before + log->empty;
		most = after > most ? after : most;
		ibs_stop();
	}
	expect_between(t, "interrupts after a stop", most, 0, unless_exact(1),
	               "low: none was under way; high: on silicon one may have been");
}

static NEED_BOTH(need_counter_too, need_ibs_op_sampling, need_amd)

TEST(counters, .id = "ibs.with_counters", .needs = need_counter_too, .source = IBS_APM,
     .claim = "a counter counts the same while ops are sampled")
{
	const uint64_t select = amd_select(AMD_EVENT_INST_RETIRED, 0);
	const struct ibs_plan plan = plan_of(IBS_MASKED);
	uint64_t alone = amd_more(0, select, workload_loop.code, 0), both;

	ibs_start(&plan);
	both = amd_more(0, select, workload_loop.code, 0);
	ibs_stop();
	expect_exact(t, "instructions of 1000 more rounds, while ops are sampled", both, alone,
	             "sampling retires no instruction");
	expect_exact(t, "the same without sampling", alone, 2 * AMD_MORE, "DEC and JNZ");
}
