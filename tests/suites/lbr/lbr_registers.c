/* SPDX-License-Identifier: MIT */
/* The registers of last branch records, written and read by software. */
#include <tests/suites/lbr/lbr_suite.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/lbr.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/silicon/silicon.h>

#define SDM  "SDM 4, MSR_LASTBRANCH_x_FROM_IP, MSR_LASTBRANCH_x_TO_IP, MSR_LASTBRANCH_TOS"
#define ARCH "SDM 3B, Architectural Last Branch Records"

/* ------------------------------------------------------------------------ power-up */

TEST(power_up, .id = "lbr.registers.power_up", .runs = TEST_ON_BOOT, .needs = need_lbr,
     .source = "SDM 3A, table \"IA-32 Processor States Following Power-up, Reset, or INIT\"",
     .claim = "after RESET all records are 0, until the first branch is recorded")
{
	uint64_t value;
	uint32_t msr = lbr_found(&value);

	if (!pmu_is_exact()) {
		test_report(t, "first register that was not 0", "%XH: %" PRIX64 "H", msr, value);
		return;
	}
	expect_exact(t, "first register that was not 0", msr, 0, "RESET clears them");
}

/* ------------------------------------------------------------------------ records */

/* Software that switches tasks in call-stack mode has to restore the records, so they can be
 * written from Haswell on. */
static const char *need_writable(struct test_ctx *t)
{
	const char *reason = need_lbr_modes(t);

	if (!reason && !lbr_kind(NULL)->has_call_stack)
		return test_reason(t, "%s: its records may be read-only", lbr_kind(NULL)->name);
	return reason;
}

/* Both edges of the canonical range, and an address in either half; each entry gets another one. */
static const uint64_t addresses[] = {
	UINT64_C(0x00007ffffffffff0), UINT64_C(0xffff800000000000),
	UINT64_C(0x0000123456789a00), UINT64_C(0xfffffedcba987600),
};

TEST(records, .id = "lbr.registers.records", .needs = need_writable, .source = SDM,
     .claim = "FROM and TO hold the canonical addresses that are written into "
              "them, INFO the cycles")
{
	const struct lbr_kind *kind = lbr_kind(NULL);
	bool has_info = kind->info_msr && (pmu_is_exact() || !kind->is_architectural);

	for (unsigned a = 0; a < COUNT_OF(addresses); a++) {
		lbr_recorder(0);
		for (unsigned i = 0; i < kind->depth; i++) {
			if (has_info)
				msr_write(kind->info_msr + i, (addresses[a] >> 8 & 0xff) + i);
			msr_write(kind->from_msr + i, addresses[a] + i % 16);
			msr_write(kind->to_msr + i, addresses[a] + (i + 1) % 16);
		}
		for (unsigned i = 0; i < kind->depth; i++) {
			test_sub(t, "entry %u", i);
			expect_bits(t, "FROM", msr_read(kind->from_msr + i), kind->from_address,
			            (addresses[a] + i % 16) & kind->from_address,
			            "its address bits are those that were written");
			expect_exact(t, "TO", msr_read(kind->to_msr + i),
			             addresses[a] + (i + 1) % 16, "it was written there");
			if (has_info)
				expect_bits(t, "cycles in INFO", msr_read(kind->info_msr + i),
				            LBR_INFO_CYC_CNT, (addresses[a] >> 8 & 0xff) + i,
				            "it was written there");
		}
	}
	lbr_clear();
}

/*
 * In format 4 bits 62 and 61 are flags or, without transactions, copies of the sign. Some chips
 * that lost their transactions by an update raise a fault on values that they recorded themselves,
 * or change them.
 */
static const char *need_format_4(struct test_ctx *t)
{
	const char *reason = need_writable(t);

	if (!reason && lbr_kind(NULL)->format != LBR_FORMAT_FLAGS2)
		return test_reason(t, "IA32_PERF_CAPABILITIES[5:0] = %u, the test needs 4",
		                   lbr_kind(NULL)->format);
	return reason;
}

TEST(sign, .id = "lbr.registers.sign", .needs = need_format_4, .source = SDM,
     .claim = "FROM can be restored to a negative address whose upper bits agree with the sign, "
              "and to a positive address after it")
{
	const struct lbr_kind *kind = lbr_kind(NULL);
	const uint64_t bits = ~unless_exact(~kind->from_address);

	if (silicon_leaves_out(t, SILICON_LBR_RESTORE, "FROM"))
		return;
	lbr_recorder(0);
	for (unsigned i = 0; i < 2 * kind->depth; i++) {
		unsigned entry = i / 2;
		uint64_t value = addresses[1 - i % 2] + entry;
		fault_t fault = msr_try_write(kind->from_msr + entry, value);

		test_sub(t, "entry %u, %s address", entry,
		         i % 2 ? "then a positive" : "a negative");
		if (expect_no_fault(t, "WRMSR of FROM", fault, "the address is canonical"))
			expect_bits(t, "FROM", msr_read(kind->from_msr + entry),
			            bits, value & bits, "it is the address that was written");
	}
	lbr_clear();
}

static const char *need_top(struct test_ctx *t)
{
	const char *reason = need_writable(t);

	if (!reason && !lbr_kind(NULL)->tos_msr)
		return test_reason(t, "%s: entry 0 is the newest", lbr_kind(NULL)->name);
	return reason;
}

TEST(top, .id = "lbr.registers.tos", .needs = need_top, .source = SDM,
     .claim = "TOS can be written, and the next record goes into the entry after it")
{
	struct branch_recorder by = lbr_recorder(0);
	unsigned depth = lbr_kind(NULL)->depth;
	struct branch_trace trace;

	for (unsigned i = 0; i < depth; i++) {
		lbr_clear();
		msr_write(lbr_kind(NULL)->tos_msr, i);
		test_sub(t, "TOS = %u", i);
		expect_exact(t, "TOS", lbr_tos(), i, "it was written there");
		branches_run(branches_chain(0), MODE_CPL0, &by, &trace);
		expect_exact(t, "TOS, a record later", lbr_tos(), (i + 1) % depth,
		             "the next record goes one entry further");
		expect_exact(t, "FROM there", msr_read(lbr_kind(NULL)->from_msr + (i + 1) % depth)
		             & lbr_kind(NULL)->from_address, branches_place(AT_START_IRET),
		             "it is the IRET that was recorded");
	}
}

static const char *need_select(struct test_ctx *t)
{
	const char *reason = need_lbr_filter(t);

	if (!reason && lbr_kind(NULL)->is_architectural)
		return test_reason(t, "CPUID.7.0:EDX[19] = 1: MSR_LBR_SELECT does not exist");
	return reason;
}

TEST(select, .id = "lbr.registers.select", .needs = need_select, .source = "SDM 4, MSR_LBR_SELECT",
     .claim = "MSR_LBR_SELECT holds each of its filters alone; a reserved bit raises #GP if the "
              "machine is exact, and is shown on others")
{
	const unsigned bits = lbr_kind(NULL)->has_call_stack ? 10 : 9;
	uint64_t taken = 0;

	for (unsigned i = 0; i < bits; i++) {
		msr_write(MSR_LBR_SELECT, BIT(i));
		test_sub(t, "bit %u", i);
		expect_exact(t, "MSR_LBR_SELECT", msr_read(MSR_LBR_SELECT), BIT(i),
		             "it was written there");
	}
	for (unsigned i = bits; i < 64; i++)
		taken |= is_fault(msr_try_write(MSR_LBR_SELECT, BIT(i))) ? 0 : BIT(i);
	test_sub(t, "%s", "");
	expect_bounds(t, "reserved bits whose WRMSR does not fault", taken,
	              if_exact(0, "the manual reserves all bits above the filters"), ELSE_SHOWN);
	msr_write(MSR_LBR_SELECT, 0);
}

/* ------------------------------------------------------------------------ information */

static const char *need_info(struct test_ctx *t)
{
	const char *reason = need_lbr_modes(t);

	if (!reason && !lbr_kind(NULL)->info_msr)
		return test_reason(t, "%s, format %u: MSR_LBR_INFO_x does not exist",
		                   lbr_kind(NULL)->name,
		                   lbr_kind(NULL)->format);
	return reason;
}

static const uint8_t types[BRANCH_KINDS] = {
	[BRANCH_JCC] = LBR_TYPE_COND, [BRANCH_REL_CALL] = LBR_TYPE_CALL_DIRECT,
	[BRANCH_IND_CALL] = LBR_TYPE_CALL_INDIRECT, [BRANCH_RET] = LBR_TYPE_RET,
	[BRANCH_IND_JMP] = LBR_TYPE_JMP_INDIRECT, [BRANCH_REL_JMP] = LBR_TYPE_JMP_DIRECT,
	[BRANCH_FAR] = LBR_TYPE_OTHER,
};

/* The highest bit of the type says that a branch is not near, whatever the bits below it are. */
static void expect_type(struct test_ctx *t, unsigned age, unsigned kind)
{
	unsigned type = (unsigned)FIELD_GET(LBR_INFO_BR_TYPE, lbr_get(age).info);

	expect_bits(t, "IA32_LBR_x_INFO.BR_TYPE", type, kind == BRANCH_FAR ? LBR_TYPE_OTHER : 0xf,
	            types[kind], "the type is the branch's kind");
}

/* Judges INFO of each branch of a row, exceptions and interrupts among them. */
static void judge_info(struct test_ctx *t, const struct branch_row *row, enum cpu_mode mode)
{
	struct branch_recorder by = lbr_recorder(0);
	struct branch_trace trace;

	branches_run(row, mode, &by, &trace);
	lbr_disable();
	for (unsigned i = 0; i < trace.count; i++) {
		test_sub(t, "%s, %s: %u before the newest", row->what, mode_name(mode), i);
		expect_bits(t, "INFO", lbr_get(i).info, LBR_INFO_IN_TX | LBR_INFO_TSX_ABORT, 0,
		            "no transaction was under way");
		if (lbr_kind(NULL)->is_architectural && cpuid_get(CPUID_LBR_BR_TYPE))
			expect_type(t, i, trace.want[trace.count - 1 - i].kind);
	}
}

TEST(info, .id = "lbr.registers.info", .needs = need_info,
     .source = "SDM 4, MSR_LBR_INFO_x, IA32_LBR_x_INFO",
     .claim = "INFO reports no transaction, and the branch's type where the processor records it: "
              "an exception is none of the near branches")
{
	branches_each(t, BRANCHES_EXCEPTION, judge_info);
	judge_info(t, &branch_mix, MODE_CPL0);
	test_report(t, "INFO of the newest", "%" PRIX64 "H", lbr_get(0).info);
}

/* ------------------------------------------------------------------------ architectural */

#define CPUID_LBR_DEPTHS      CPUID_FIELD(0x1c, 0, EAX, 7, 0)
#define CPUID_LBR_CPL         CPUID_FIELD(0x1c, 0, EBX, 0, 0)
#define CPUID_LBR_KINDS       CPUID_FIELD(0x1c, 0, EBX, 1, 1)
#define CPUID_LBR_CALL_STACK  CPUID_FIELD(0x1c, 0, EBX, 2, 2)

/* Returns the bits of IA32_LBR_CTL that CPUID announces: the levels, the kinds, the call stack. */
static uint64_t control_bits(void)
{
	return IA32_LBR_CTL_LBREN
	       | (cpuid_get(CPUID_LBR_CPL) ? IA32_LBR_CTL_OS | IA32_LBR_CTL_USR : 0)
	       | (cpuid_get(CPUID_LBR_KINDS) ? FIELD(22, 16) : 0)
	       | (cpuid_get(CPUID_LBR_CALL_STACK) ? IA32_LBR_CTL_CALL_STACK : 0);
}

TEST(control, .id = "lbr.arch.control", .needs = need_lbr_arch, .source = ARCH
     "; SDM 2A, CPUID, leaf 1CH:EBX",
     .claim = "IA32_LBR_CTL holds the bits that CPUID.1CH:EBX announces, and a reserved bit "
              "raises #GP")
{
	const uint64_t defined = control_bits();

	for (unsigned i = 0; i < 64; i++) {
		fault_t fault;

		test_sub(t, "bit %u", i);
		if (i == 0)                     /* the bit would record what follows */
			continue;
		fault = msr_try_write(IA32_LBR_CTL, BIT(i));
		if (!(defined >> i & 1)) {
			expect_fault(t, "WRMSR", fault, X86_GP, 0, "the bit is reserved");
			continue;
		}
		if (expect_no_fault(t, "WRMSR", fault, "the bit is defined"))
			expect_exact(t, "IA32_LBR_CTL", msr_read(IA32_LBR_CTL), BIT(i),
			             "it was written there");
		msr_write(IA32_LBR_CTL, 0);
	}
}

static bool is_depth(unsigned depth)
{
	return depth && depth % 8 == 0 && depth <= 64
	       && (cpuid_get(CPUID_LBR_DEPTHS) >> (depth / 8 - 1) & 1);
}

TEST(depth, .id = "lbr.arch.depth", .needs = need_lbr_arch, .source = ARCH,
     .claim = "IA32_LBR_DEPTH takes the depths of CPUID.1CH:EAX[7:0]; any other raises #GP")
{
	for (unsigned i = 0; i <= 72; i++) {
		fault_t fault = msr_try_write(IA32_LBR_DEPTH, i);

		test_sub(t, "depth %u", i);
		if (!is_depth(i))
			expect_fault(t, "WRMSR", fault, X86_GP, 0,
			             "the leaf does not list the depth");
		else if (expect_no_fault(t, "WRMSR", fault, "the leaf lists the depth"))
			expect_exact(t, "IA32_LBR_DEPTH", msr_read(IA32_LBR_DEPTH), i,
			             "it was written there");
	}
	lbr_clear();
}

TEST(each_depth, .id = "lbr.arch.each_depth", .needs = need_lbr_arch, .source = ARCH,
     .claim = "there are as many records as IA32_LBR_DEPTH says, entry 0 is the newest, and a "
              "write of IA32_LBR_DEPTH clears all of them")
{
	for (unsigned d = 8; d <= lbr_kind(NULL)->depth; d += 8) {
		struct branch_recorder by = lbr_recorder(0);
		struct branch_trace trace;
		uint64_t beyond;

		if (!is_depth(d))
			continue;
		msr_write(IA32_LBR_DEPTH, d);
		branches_run(branches_chain(d + 2), MODE_CPL0, &by, &trace);
		for (unsigned i = 0; i < d; i++) {
			test_sub(t, "depth %u, entry %u", d, i);
			expect_exact(t, "FROM", msr_read(IA32_LBR_FROM_IP(i)),
			             branches_address(2 * (d + 1 - i)), "entry 0 is the newest");
		}
		test_sub(t, "depth %u, entry %u", d, d);
		if (d < lbr_kind(NULL)->depth
		    && !is_fault(msr_try_read(IA32_LBR_FROM_IP(d), &beyond)))
			expect_exact(t, "FROM", beyond, 0, "there are no records beyond the depth");
		msr_write(IA32_LBR_DEPTH, d);
		for (unsigned i = 0; i < d; i++) {
			test_sub(t, "depth %u written again, entry %u", d, i);
			expect_exact(t, "FROM, TO and INFO", msr_read(IA32_LBR_FROM_IP(i))
			             | msr_read(IA32_LBR_TO_IP(i)) | msr_read(IA32_LBR_INFO(i)), 0,
			             "a write of IA32_LBR_DEPTH clears all entries");
		}
	}
	lbr_clear();
}
