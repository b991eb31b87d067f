/* SPDX-License-Identifier: MIT */
/* The VMCB's TSC offset, which moves the guest's TSC and no counter. */
#include <tests/suites/svm/svm_guest.h>

#include <arch/cpu/insn.h>
#include <arch/regs/msr.h>

#define OFFSET  SVM_APM ", \"TSC_OFFSET\""

/* Longer than any machine here runs between two reads, and the same below 0. */
static const uint64_t offsets[] = { UINT64_C(1) << 40, -(UINT64_C(1) << 40), 0 };

static const struct { const void *code; uint32_t msr; const char *name; } readers[] = {
	{ svm_guest_rdtsc, 0, "RDTSC" },
	{ svm_guest_rdmsr, IA32_TIME_STAMP_COUNTER, "RDMSR of 10H" },
};

static uint64_t read_in_guest(unsigned reader)
{
	struct svm_guest g = { .code = readers[reader].code, .regs.cx = readers[reader].msr };

	svm_run(&g);
	return guest_edx_eax(&g.regs);
}

/* The counter makes the TSC the PMU's on the model. */
TEST(offset, .id = "svm.tsc.offset", .needs = need_svm, .source = OFFSET,
     .claim = "RDTSC and RDMSR in the guest read the TSC plus the offset, while a counter runs, "
              "too, and the host's TSC stays")
{
	svm_begin();
	for (unsigned counts = 0; counts <= 1; counts++)
		for (unsigned i = 0; i < COUNT_OF(offsets) * COUNT_OF(readers); i++) {
			const uint64_t offset = offsets[i / COUNT_OF(readers)];
			uint64_t before, inside, after;

			msr_write(amd_ctl(0), counts ? amd_select(AMD_EVENT_CYCLES, 0) : 0);
			svm_vmcb()->tsc_offset = offset;
			before = tsc_read();
			inside = read_in_guest(i % COUNT_OF(readers)) - offset;
			after = tsc_read();
			test_sub(t, "%s, offset %u, a counter %s",
			         readers[i % COUNT_OF(readers)].name,
			         i / (unsigned)COUNT_OF(readers),
			         counts ? "runs" : "does not run");
			expect_between(t, "the guest's TSC minus the offset", inside, before, after,
			               "low: the host's TSC before VMRUN; high: after the exit");
			expect_between(t, "the host's TSC", after - before, 0, offsets[0] / 2,
			               "low: it does not go back; high: half of the offset, which "
			               "would show");
		}
	svm_end();
	pmu_reset();
}

TEST(counters, .id = "svm.tsc.counters", .needs = need_svm, .source = OFFSET,
     .claim = "the offset moves no counter of clocks")
{
	uint64_t clocks;

	svm_begin();
	svm_vmcb()->tsc_offset = offsets[0];
	clocks = amd_count(0, amd_select(AMD_EVENT_CYCLES, 0), svm_nops, GUEST_NOPS, 0);
	expect_between(t, "clocks of a guest", clocks, GUEST_NOPS / 16, offsets[0] / 2,
	               "low: no processor retires more than 16 NOPs a clock; high: half of the "
	               "offset, which would show");
	svm_end();
}

TEST(exits, .id = "svm.tsc.exits", .needs = need_svm,
     .source = SVM_APM ", \"Instruction Intercepts\": RDTSC",
     .claim = "an intercepted RDTSC leaves the guest with code 6EH")
{
	struct svm_guest g = { .code = svm_guest_rdtsc };

	svm_begin();
	svm_vmcb()->intercepts[0] |= SVM_INTERCEPT_RDTSC;
	svm_try(&g);
	expect_exact(t, "exit code", g.exit, SVM_EXIT_RDTSC, "it is RDTSC's");
	svm_end();
}
