/* SPDX-License-Identifier: MIT */
/*
 * RDPMC by the manual: where the instruction exists, which indices read a counter, which levels may
 * execute it, in every mode, and what it does not change. No test here needs a counter that counts.
 *
 * CR4.PCE (bit 8) = 1 lets every privilege level execute it; with 0 it is for CPL 0 only, else
 * #GP(0). Real mode has CPL 0, virtual-8086 mode CPL 3. ECX is the index, all 32 bits of it, in
 * 16-bit code as well. Source: SDM 2B, "RDPMC"; rdpmc_rules.c has each generation's indices.
 */
#include <kernel/run/test.h>

#include <stddef.h>

#include <arch/cpu/control.h>
#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/core/program.h>
#include <tests/suites/common/instruction.h>
#include <tests/suites/common/mode_tests.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/rdpmc/rdpmc_rules.h>

#define SOURCE "SDM 2B and APM 3, RDPMC"

static const char *need_rdpmc(struct test_ctx *t)
{
	const struct pmu *p = pmu_get();

	if (need_modes(t))
		return need_modes(t);
	if (!rdpmc_rules()->exists)
		return test_reason(t, "RDPMC does not exist on this processor: %s",
		                   p->class->because);
	if (rdpmc_rules()->is_open)
		return test_reason(t, "no rules are known for this processor: %s",
		                   p->class->because);
	return NULL;
}

static const char *need_valid_index(struct test_ctx *t)
{
	uint32_t index;

	if (need_rdpmc(t))
		return need_rdpmc(t);
	return rdpmc_find_valid(rdpmc_rules(), &index) ? NULL
	       : test_reason(t, "no index is known to be valid: %s", pmu_get()->class->because);
}

/* Sets CR4.PCE; returns false, with a finding, if that faults. */
static bool set_pce(struct test_ctx *t, bool on)
{
	uintptr_t value = on ? cr4_read() | CR4_PCE : cr4_read() & ~(uintptr_t)CR4_PCE;

	return expect_no_fault(t, "MOV to CR4 with PCE changed", cr4_try_write(value),
	                       "CR4.PCE exists where RDPMC does");
}

static bool is_allowed(enum cpu_mode mode, bool pce)
{
	return mode_cpl(mode) == 0 || pce;
}

/* AMD's manuals do not say before family 17H that an index without a counter raises #GP. */
static bool is_invalid_open(void)
{
	return !pmu_is_exact() && machine_cpu()->family < 0x17 && pmu_has(PMU_HAS_LEGACY_CTLS);
}

/* Judges an RDPMC that this privilege level may execute. */
static void judge(struct test_ctx *t, const struct mode_result *r, enum index_class class,
                  const char *source)
{
	if (class == INDEX_INVALID && !is_fault(r->fault) && is_invalid_open())
		test_report(t, "outcome without a counter", "no fault");
	else if (class == INDEX_INVALID)
		expect_outcome(t, r, fault_make(X86_GP, 0),
		               "this processor does not have the index");
	else if (class != INDEX_OPEN)
		expect_outcome(t, r, FAULT_NONE, source);
	if (is_fault(r->fault))
		expect_exact(t, "EDX:EAX after a fault", instruction_value(r),
		             (uint64_t)instruction_regs.dx << 32 | instruction_regs.ax,
		             "a fault leaves the registers as they were");
}

/* Compares one RDPMC with the rules. CR4.PCE must already be pce. */
static struct mode_result check_index(struct test_ctx *t, enum cpu_mode mode, bool pce,
                                      uint32_t index)
{
	const char *source;
	enum index_class class = rdpmc_index_class(rdpmc_rules(), index, &source);
	struct mode_result r = instruction_run(&insn_rdpmc, mode, index);

	test_sub(t, "%s, CR4.PCE = %d, ECX = %08XH", mode_name(mode), pce, index);
	expect_exact(t, "ECX", r.regs.cx, index, "RDPMC does not write ECX");
	if (is_allowed(mode, pce))
		judge(t, &r, class, source);
	else
		expect_outcome(t, &r, fault_make(X86_GP, 0), "CR4.PCE = 0 and CPL > 0");
	test_sub(t, "%s", "");
	return r;
}

/* Consecutive indices with the same outcome, so that they make one finding instead of twenty. */
struct index_run { uint32_t first, last; bool is_open; struct mode_result result; };

static bool is_same(const struct mode_result *a, const struct mode_result *b)
{
	return a->fault.raw == b->fault.raw && a->offset == b->offset && a->regs.bx == b->regs.bx
	       && a->regs.si == b->regs.si && a->regs.di == b->regs.di
	       && a->regs.bp == b->regs.bp && a->regs.flags == b->regs.flags;
}

static void judge_run(struct test_ctx *t, const struct index_run *run, enum index_class class)
{
	if (!run->is_open)
		return;
	if (run->first == run->last)
		test_sub(t, "CPL 0, ECX = %08XH", run->first);
	else
		test_sub(t, "CPL 0, ECX = %08XH to %08XH", run->first, run->last);
	judge(t, &run->result, class, "the processor has these counters");
	test_sub(t, "%s", "");
}

/* Checks every index of one class at CPL 0. */
static void check_class(struct test_ctx *t, enum index_class wanted)
{
	struct index_run run = { .is_open = false };
	const char *source;
	uint32_t index;

	for (unsigned i = 0; rdpmc_index(i, &index); i++) {
		struct mode_result r;

		if (rdpmc_index_class(rdpmc_rules(), index, &source) != wanted)
			continue;
		r = instruction_run(&insn_rdpmc, MODE_CPL0, index);
		expect_exact(t, "ECX", r.regs.cx, index, "RDPMC does not write ECX");
		if (!run.is_open || index != run.last + 1 || !is_same(&r, &run.result)) {
			judge_run(t, &run, wanted);
			run = (struct index_run){ .first = index, .is_open = true, .result = r };
		}
		run.last = index;
	}
	judge_run(t, &run, wanted);
}

TEST(exists, .id = "rdpmc.exists", .needs = need_modes, .source = SOURCE,
     .claim = "RDPMC raises #UD exactly where the processor has no such instruction")
{
	const struct rdpmc_rules *rules = rdpmc_rules();
	struct mode_result r = instruction_run(&insn_rdpmc, MODE_CPL0, 0);
	bool is_ud = is_fault(r.fault) && fault_vector(r.fault) == X86_UD;
	char text[FAULT_TEXT_SIZE];

	if (rules->is_open)
		test_report(t, "RDPMC, ECX = 0, CPL 0", "%s", fault_text(r.fault, text));
	else if (rules->exists)
		expect_exact(t, "number of #UDs of RDPMC at CPL 0, ECX = 0", is_ud, false,
		             rules->source);
	else
		expect_outcome(t, &r, fault_make(X86_UD, 0), rules->source);
}

TEST(lock, .id = "rdpmc.lock", .needs = need_modes,
     .source = SOURCE ", exceptions: #UD if the LOCK prefix is used",
     .claim = "LOCK RDPMC raises #UD")
{
	struct mode_result r = instruction_run(&insn_lock_rdpmc, MODE_CPL0, 0);

	expect_outcome(t, &r, fault_make(X86_UD, 0), "LOCK is not allowed with RDPMC");
}

TEST(index_valid, .id = "rdpmc.index.valid", .needs = need_valid_index, .source = SOURCE,
     .claim = "every index of a counter that the processor has can be read")
{
	check_class(t, INDEX_VALID);
}

TEST(index_invalid, .id = "rdpmc.index.invalid", .needs = need_rdpmc, .source = SOURCE,
     .claim = "an index without a counter raises #GP(0)")
{
	check_class(t, INDEX_INVALID);
}

/* Returns the lowest index from start on that has no counter on this processor. */
static uint32_t first_invalid(uint32_t start)
{
	const char *source;

	while (rdpmc_index_class(rdpmc_rules(), start, &source) != INDEX_INVALID)
		start++;
	return start;
}

TEST(index_first_invalid, .id = "rdpmc.index.first_invalid", .needs = need_rdpmc, .source = SOURCE,
     .claim = "the index after the last counter of each kind raises #GP(0)")
{
	static const uint32_t kinds[] = { 0, RDPMC_PERF_METRICS, RDPMC_FIXED, RDPMC_FAST };

	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		check_index(t, MODE_CPL0, false, first_invalid(kinds[i]));
}

static const char *need_fast(struct test_ctx *t)
{
	const char *source;

	if (need_rdpmc(t))
		return need_rdpmc(t);
	return rdpmc_index_class(rdpmc_rules(), RDPMC_FAST, &source) == INDEX_FAST ? NULL
	       : test_reason(t, "ECX[31] is a fast read on NetBurst only; this PMU: %s",
	                     pmu_get()->class->name);
}

TEST(index_fast, .id = "rdpmc.index.fast", .needs = need_fast, .source = SOURCE ", fast reads",
     .claim = "with ECX[31] the low 32 bits are read, and EDX is 0")
{
	for (uint32_t i = 0; i < pmu_get()->gp_count; i++) {
		struct mode_result r = check_index(t, MODE_CPL0, false, RDPMC_FAST + i);

		test_sub(t, "ECX = %08XH", RDPMC_FAST + i);
		if (!is_fault(r.fault))
			expect_exact(t, "EDX", r.regs.dx, 0, "a fast read returns 32 bits");
	}
}

TEST(index_open, .id = "rdpmc.index.open", .needs = need_modes, .source = SOURCE,
     .claim = "indices on which the sources differ are reported, not judged")
{
	static const uint32_t interesting[] = {
		RDPMC_PERF_METRICS, RDPMC_FIXED, RDPMC_FIXED + 1, RDPMC_FIXED + 2, RDPMC_FAST,
		RDPMC_FAST | RDPMC_FIXED, 0, 6, 10, 18,
	};
	const char *source;
	char text[FAULT_TEXT_SIZE], what[32];

	for (size_t i = 0; i < COUNT_OF(interesting); i++) {
		struct mode_result r;

		if (rdpmc_index_class(rdpmc_rules(), interesting[i], &source) != INDEX_OPEN)
			continue;
		r = instruction_run(&insn_rdpmc, MODE_CPL0, interesting[i]);
		format_buf(what, sizeof(what), "ECX = %08XH", interesting[i]);
		test_report(t, what, "%s (%s)", fault_text(r.fault, text), source);
	}
	test_report(t, "rules", "%s", rdpmc_rules()->source);
}

TEST(width, .id = "rdpmc.width", .needs = need_valid_index, .source = SOURCE ", operation",
     .claim = "EDX:EAX holds the counter in its width, and zeros above it whatever "
              "EDX:EAX held before")
{
	const char *source;
	uint32_t index;

	for (unsigned i = 0; rdpmc_index(i, &index); i++) {
		struct mode_result r;

		if (rdpmc_index_class(rdpmc_rules(), index, &source) != INDEX_VALID
		    || rdpmc_width(index) > 63)
			continue;
		r = instruction_run_with(&insn_rdpmc, MODE_CPL0, index, UINT64_MAX);
		test_sub(t, "CPL 0, ECX = %08XH", index);
		if (expect_no_fault(t, "outcome", r.fault, source))
			expect_bits(t, "EDX:EAX above the width", instruction_value(&r),
			            UINT64_MAX << rdpmc_width(index), 0,
			            "bits above the width read 0");
	}
}

/* Tries valid and invalid indices in a mode, with both values of CR4.PCE. */
static void check_mode(struct test_ctx *t, enum cpu_mode mode)
{
	uint32_t index;
	bool has_valid = rdpmc_find_valid(rdpmc_rules(), &index);

	for (int pce = 0; pce <= 1; pce++) {
		if (!set_pce(t, pce))
			continue;
		if (has_valid)
			check_index(t, mode, pce, index);
		check_index(t, mode, pce, first_invalid(0));
		/* ECX[31:16] matters in 16-bit code as well: this is not index 0. */
		check_index(t, mode, pce, 0x10000);
	}
	set_pce(t, false);
}

#define RDPMC_READS(name, mode, where, how) \
	static void name(struct test_ctx *t) { check_mode(t, mode); } \
	TEST_OF(name, .id = "rdpmc.mode." #name, .needs = need_rdpmc, .source = SOURCE, \
	     .claim = where " RDPMC reads " how)
MODE_TESTS(RDPMC_READS, "whatever CR4.PCE is, and takes all of ECX", "with CR4.PCE = 1 only",
           "with CR4.PCE = 1 only");

TEST(missing_in_all_modes, .id = "rdpmc.mode.missing", .source = SOURCE,
     .claim = "where RDPMC does not exist it raises #UD in every mode")
{
	if (need_modes(t) || rdpmc_rules()->exists) {
		test_skip(t, "RDPMC exists on this processor: %s", pmu_get()->class->because);
		return;
	}
	FOR_EACH_MODE(mode) {
		struct mode_result r = instruction_run(&insn_rdpmc, mode, 0);

		test_sub(t, "%s", mode_name(mode));
		expect_outcome(t, &r, fault_make(X86_UD, 0), rdpmc_rules()->source);
	}
}

static const char *need_cr4(struct test_ctx *t)
{
	return has_cr4() ? NULL : test_reason(t, "MOV from CR4 raises #UD: CR4 does not exist");
}

TEST(cr4_pce, .id = "rdpmc.cr4_pce", .needs = need_cr4,
     .source = "SDM 3A, Control Registers, CR4.PCE; APM 2, CR4 Register",
     .claim = "CR4.PCE can be set and cleared where RDPMC exists, and is reserved elsewhere")
{
	uintptr_t before = cr4_read();
	fault_t fault = cr4_try_write(before | CR4_PCE);

	if (rdpmc_rules()->is_open) {
		test_report(t, "CR4 with PCE set", "%lXH", (unsigned long)cr4_read());
	} else if (!rdpmc_rules()->exists) {
		expect_fault(t, "MOV to CR4 with PCE = 1", fault, X86_GP, 0,
		             "CR4.PCE is reserved here");
	} else if (expect_no_fault(t, "MOV to CR4 with PCE = 1", fault, "CR4.PCE exists here")) {
		expect_bits(t, "CR4 after setting PCE", cr4_read(), CR4_PCE, CR4_PCE,
		            "the bit holds what is written");
		expect_bits(t, "CR4's other bits", cr4_read(), ~CR4_PCE, before & ~CR4_PCE,
		            "they were not written");
		cr4_write(before & ~(uintptr_t)CR4_PCE);
		expect_bits(t, "CR4 after clearing PCE", cr4_read(), CR4_PCE, 0,
		            "the bit holds what is written");
	}
	cr4_write(before);
}
