/* SPDX-License-Identifier: MIT */
/*
 * The control and status registers bit by bit: a defined bit holds what is written, a reserved one
 * raises #GP(0) and leaves the register as it was. arch_rules.c has the rules. Bits that the rules
 * leave open are tried, too, and reported.
 */
#include <kernel/run/test.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>
#include <pmu/workload/workload.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/debugctl.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/silicon/silicon.h>

/* A register under test; base is its value before each write and has defined bits only. */
struct subject {
	const char *name;
	uint32_t msr;
	enum arch_register rules;
	unsigned counter;
	uint64_t base;
};

/* Returns false if the write was refused. */
static bool try_open(const struct subject *s, unsigned bit)
{
	bool is_accepted = !is_fault(msr_try_write(s->msr, BIT(bit)));

	msr_try_write(s->msr, 0);
	return is_accepted;
}

static void check_defined(struct test_ctx *t, const struct subject *s, unsigned bit,
                          const char *source)
{
	uint64_t got = 0;

	if (!expect_no_fault(t, "WRMSR of this bit alone", msr_try_write(s->msr, BIT(bit)), source))
		return;
	msr_try_read(s->msr, &got);
	expect_exact(t, "read back", got, BIT(bit), "the bit is defined, and no other was written");
}

static void check_reserved(struct test_ctx *t, const struct subject *s, unsigned bit,
                           const char *source)
{
	uint64_t before = 0, got = 0;

	msr_write(s->msr, s->base);
	msr_try_read(s->msr, &before);
	expect_fault(t, "WRMSR with this bit", msr_try_write(s->msr, s->base | BIT(bit)), X86_GP, 0,
	             source);
	msr_try_read(s->msr, &got);
	expect_exact(t, "the register after the fault", got, before,
	             "a WRMSR that faults writes nothing");
}

static void report_open(struct test_ctx *t, const struct subject *s, uint64_t accepted,
                        uint64_t refused)
{
	test_sub(t, "%s", s->name);
	if (accepted | refused)
		test_report(t, "bits not judged", "accepted %" PRIX64 "H, refused %" PRIX64 "H",
		            accepted, refused);
}

/* Tries each of the 64 bits, then all defined ones at once. */
static void walk(struct test_ctx *t, const struct subject *s)
{
	uint64_t all = arch_bits(s->rules, s->counter, ARCH_DEFINED), got = 0;
	uint64_t accepted = 0, refused = 0;

	for (unsigned bit = 0; bit < 64; bit++) {
		const char *source;
		enum arch_kind kind = arch_bit(s->rules, s->counter, bit, &source);

		test_sub(t, "%s[%u]", s->name, bit);
		if (kind == ARCH_DEFINED)
			check_defined(t, s, bit, source);
		else if (kind == ARCH_RESERVED)
			check_reserved(t, s, bit, source);
		else if (try_open(s, bit))
			accepted |= BIT(bit);
		else
			refused |= BIT(bit);
	}
	report_open(t, s, accepted, refused);
	expect_no_fault(t, "WRMSR of all defined bits", msr_try_write(s->msr, all),
	                "all these bits are defined");
	msr_try_read(s->msr, &got);
	expect_exact(t, "all defined bits read back", got, all, "the write wrote all of them");
	msr_try_write(s->msr, 0);
	msr_try_read(s->msr, &got);
	expect_exact(t, "read back after 0", got, 0, "no bit stays set");
}

/* An event and its unit mask, USR and OS, which do not count without EN. */
#define EVTSEL_BASE \
	(EVENT_BRANCH_INSTR_RETIRED | FIELD_PUT(IA32_PERFEVTSEL_UMASK, 0x5a) \
	 | IA32_PERFEVTSEL_USR | IA32_PERFEVTSEL_OS)

TEST(perfevtsel, .id = "arch.registers.perfevtsel", .is_static = true, .needs = need_arch,
     .source = "SDM 3B, Architectural Performance Monitoring, IA32_PERFEVTSELx; SDM 2C, WRMSR",
     .claim = "IA32_PERFEVTSELx holds its defined bits and refuses the reserved ones")
{
	char name[24];

	FOR_EACH_COUNTER(c) {
		struct subject s = {
			.name = name, .msr = IA32_PERFEVTSEL(c), .rules = ARCH_PERFEVTSEL,
			.counter = c, .base = EVTSEL_BASE,
		};

		if (c >= PMU_FIXED)
			break;
		format_buf(name, sizeof(name), "IA32_PERFEVTSEL%u", c);
		if (c < 4 || !silicon_leaves_out(t, SILICON_SELECTS_READ_BADLY, name))
			walk(t, &s);
	}
}

TEST(fixed_ctr_ctrl, .id = "arch.registers.fixed_ctr_ctrl", .is_static = true,
     .needs = need_arch_v2,
     .source = V2 ", IA32_FIXED_CTR_CTRL; SDM 2C, WRMSR",
     .claim = "IA32_FIXED_CTR_CTRL has bits for the fixed counters that exist, and no others")
{
	walk(t, &(struct subject){
		.name = "IA32_FIXED_CTR_CTRL", .msr = IA32_FIXED_CTR_CTRL,
		.rules = ARCH_FIXED_CTR_CTRL,
		.base = arch_has_fixed(pmu_get(), 0) ? IA32_FIXED_CTR_CTRL_EN_USR(0) : 0,
	});
}

TEST(global_ctrl, .id = "arch.registers.global_ctrl", .is_static = true, .needs = need_arch_v2,
     .source = V2 ", IA32_PERF_GLOBAL_CTRL; SDM 2C, WRMSR",
     .claim = "IA32_PERF_GLOBAL_CTRL has a bit for every counter that exists, and no others")
{
	walk(t, &(struct subject){
		.name = "IA32_PERF_GLOBAL_CTRL", .msr = IA32_PERF_GLOBAL_CTRL,
		.rules = ARCH_GLOBAL_CTRL, .base = IA32_PERF_GLOBAL_CTRL_EN_PMC(0),
	});
}

/* Clears what a bit has set, if it has set anything: in a guest of KVM with several processors
 * one clearing took 40 ms. */
static void clear_if_set(void)
{
	if (pmu_status() != 0)
		pmu_clear_status(arch_bits(ARCH_GLOBAL_OVF_CTRL, 0, ARCH_DEFINED));
}

/* Tries a register whose bits act and do not stay: only what it accepts can be seen here. */
static void walk_command(struct test_ctx *t, const struct subject *s)
{
	uint64_t accepted = 0, refused = 0;

	for (unsigned bit = 0; bit < 64; bit++) {
		const char *source;
		enum arch_kind kind = arch_bit(s->rules, 0, bit, &source);
		fault_t fault = msr_try_write(s->msr, BIT(bit));

		test_sub(t, "%s[%u]", s->name, bit);
		if (kind == ARCH_DEFINED)
			expect_no_fault(t, "WRMSR", fault, source);
		else if (kind == ARCH_RESERVED)
			expect_fault(t, "WRMSR", fault, X86_GP, 0, source);
		else if (is_fault(fault))
			refused |= BIT(bit);
		else
			accepted |= BIT(bit);
		clear_if_set();
	}
	report_open(t, s, accepted, refused);
	expect_no_fault(t, "WRMSR of all defined bits",
	                msr_try_write(s->msr, arch_bits(s->rules, 0, ARCH_DEFINED)),
	                "all of them are defined");
	expect_no_fault(t, "WRMSR of 0", msr_try_write(s->msr, 0), "0 has no reserved bit");
	clear_if_set();
}

TEST(global_ovf_ctrl, .id = "arch.registers.global_ovf_ctrl", .is_static = true,
     .needs = need_arch_v2,
     .source = V2 ", IA32_PERF_GLOBAL_OVF_CTRL; SDM 2C, WRMSR",
     .claim = "390H takes the bits that clear something and refuses the others")
{
	walk_command(t, &(struct subject){
		.name = "IA32_PERF_GLOBAL_OVF_CTRL", .msr = IA32_PERF_GLOBAL_OVF_CTRL,
		.rules = ARCH_GLOBAL_OVF_CTRL,
	});
}

TEST(global_status_set, .id = "arch.registers.global_status_set", .is_static = true,
     .needs = need_arch_v4,
     .source = V4 ", IA32_PERF_GLOBAL_STATUS_SET; SDM 2C, WRMSR",
     .claim = "391H takes the bits that set something and refuses the others")
{
	walk_command(t, &(struct subject){
		.name = "IA32_PERF_GLOBAL_STATUS_SET", .msr = IA32_PERF_GLOBAL_STATUS_SET,
		.rules = ARCH_GLOBAL_STATUS_SET,
	});
}

/* Lets the first two counters that can count instructions overflow, so that two bits are set. */
static void overflow_two(void)
{
	struct pmu_setup two[2];
	unsigned count = 0;

	FOR_EACH_COUNTER(c)
		if (arch_counts_insns(c) && count < 2)
			two[count++] = arch_setup(c, 0, arch_counter_max(c));
	pmu_measure(two, count, &workload_empty, 0, 0);
}

/*
 * Reads the register of commands. The manuals call it readable; what a read gives they do not say,
 * but a read is no command: it changes no status bit.
 */
static void check_command_read(struct test_ctx *t, uint32_t msr, const char *when)
{
	uint64_t before = msr_read(IA32_PERF_GLOBAL_STATUS), value = 0;

	test_sub(t, "MSR %" PRIX32 "H %s", msr, when);
	if (!expect_no_fault(t, "RDMSR", msr_try_read(msr, &value), "the manual lists it as R/W"))
		return;
	expect_bits(t, "IA32_PERF_GLOBAL_STATUS after it", msr_read(IA32_PERF_GLOBAL_STATUS),
	            ~arch_unrelated_status(), before & ~arch_unrelated_status(),
	            "a read clears and sets nothing");
	if (has_only_listed_msrs())
		expect_bits(t, "what it reads", value, UINT64_MAX, 0,
		            "a command is carried out, not kept: KVM's reads 0");
	else
		test_report(t, "what it reads", "%" PRIX64 "H", value);
}

TEST(command_reads, .id = "arch.registers.command_reads", .is_static = true, .needs = need_arch_v2,
     .source = V2 ", IA32_PERF_GLOBAL_OVF_CTRL; " V4 ", IA32_PERF_GLOBAL_STATUS_SET; SDM 4: R/W",
     .claim = "390H and 391H can be read, and reading them changes no status (what silicon reads "
              "is reported)")
{
	bool has_set = pmu_get()->version >= 4;

	overflow_two();
	expect_between(t, "IA32_PERF_GLOBAL_STATUS", msr_read(IA32_PERF_GLOBAL_STATUS), 1,
	               UINT64_MAX, "low: a counter overflowed; high: all bits of a register");
	check_command_read(t, IA32_PERF_GLOBAL_OVF_CTRL, "with overflows");
	if (has_set)
		check_command_read(t, IA32_PERF_GLOBAL_STATUS_SET, "with overflows");
	msr_write(IA32_PERF_GLOBAL_OVF_CTRL, IA32_PERF_GLOBAL_STATUS_OVF_PMC(0));
	check_command_read(t, IA32_PERF_GLOBAL_OVF_CTRL, "after 1 was written");
	if (!has_set)
		return;
	msr_write(IA32_PERF_GLOBAL_STATUS_SET, IA32_PERF_GLOBAL_STATUS_OVF_PMC(0));
	check_command_read(t, IA32_PERF_GLOBAL_STATUS_SET, "after 1 was written");
	pmu_clear_status(arch_bits(ARCH_GLOBAL_OVF_CTRL, 0, ARCH_DEFINED));
}

/* Tries every bit of a register that only the processor writes, then 0 and the value
 * read; all are refused. */
static void check_read_only(struct test_ctx *t, const char *name, uint32_t msr)
{
	uint64_t before = msr_read(msr), after;

	for (unsigned bit = 0; bit < 64; bit++) {
		test_sub(t, "%s[%u]", name, bit);
		expect_fault(t, "WRMSR", msr_try_write(msr, BIT(bit)), X86_GP, 0,
		             "the register is read-only");
	}
	test_sub(t, "%s", name);
	expect_fault(t, "WRMSR of 0", msr_try_write(msr, 0), X86_GP, 0,
	             "the register is read-only");
	expect_fault(t, "WRMSR of its value", msr_try_write(msr, before), X86_GP, 0,
	             "the register is read-only");
	after = msr_read(msr);
	expect_exact(t, "after the writes", after, before, "a WRMSR that faults writes nothing");
}

TEST(global_status, .id = "arch.registers.global_status", .is_static = true, .needs = need_arch_v2,
     .source = V2 ", IA32_PERF_GLOBAL_STATUS (read-only)",
     .claim = "IA32_PERF_GLOBAL_STATUS cannot be written")
{
	struct pmu_setup s = arch_setup(0, 0, arch_counter_max(0));

	/* With a bit set, a write that clears the register would show, too. */
	pmu_measure(&s, 1, &workload_empty, 0, 0);
	check_read_only(t, "IA32_PERF_GLOBAL_STATUS", IA32_PERF_GLOBAL_STATUS);
}

TEST(global_inuse, .id = "arch.registers.global_inuse", .is_static = true, .needs = need_arch_v4,
     .source = V4 ", IA32_PERF_GLOBAL_INUSE (read-only)",
     .claim = "IA32_PERF_GLOBAL_INUSE cannot be written")
{
	msr_write(IA32_PERFEVTSEL(0), EVTSEL_BASE);
	check_read_only(t, "IA32_PERF_GLOBAL_INUSE", IA32_PERF_GLOBAL_INUSE);
}

/* Returns a value without EN that differs in every counter, in event and unit mask. */
static uint64_t own_pattern(unsigned counter)
{
	return EVTSEL_BASE ^ FIELD_PUT(IA32_PERFEVTSEL_UMASK, counter + 1)
	       ^ FIELD_PUT(IA32_PERFEVTSEL_CMASK, 0x80 + counter);
}

TEST(independent, .id = "arch.registers.perfevtsel.independent", .is_static = true,
     .needs = need_arch,
     .source = "SDM 3B, Architectural Performance Monitoring Version 1, IA32_PERFEVTSELx",
     .claim = "writing one IA32_PERFEVTSELx changes no other")
{
	FOR_EACH_COUNTER(c)
		if (c < PMU_FIXED)
			msr_write(IA32_PERFEVTSEL(c), own_pattern(c));
	FOR_EACH_COUNTER(c) {
		uint64_t got = 0;

		if (c >= PMU_FIXED)
			break;
		msr_try_read(IA32_PERFEVTSEL(c), &got);
		test_sub(t, "IA32_PERFEVTSEL%u", c);
		if (c < 4 || !silicon_leaves_out(t, SILICON_SELECTS_READ_BADLY, "after all"))
			expect_exact(t, "after all were written", got, own_pattern(c),
			             "each control is a register of its own");
	}
}

/* Bits 15:0 are features, most of them not of the PMU: this test tries the freeze
 * bits and the bits above. Where LBRs are architectural, LBR is written and reads as 0. */
static const struct subject debugctl_alone = { .name = "IA32_DEBUGCTL", .msr = IA32_DEBUGCTL };
static const struct subject debugctl_lbr = {
	.name = "IA32_DEBUGCTL with LBR", .msr = IA32_DEBUGCTL, .base = IA32_DEBUGCTL_LBR,
};

TEST(debugctl, .id = "arch.registers.debugctl", .is_static = true, .needs = need_arch_v2,
     .source = V2 ", IA32_DEBUGCTL; SDM 4, IA32_DEBUGCTL; SDM 2C, WRMSR",
     .claim = "IA32_DEBUGCTL holds its freeze bits and refuses bits 63:16, with LBR as well")
{
	for (unsigned bit = 11; bit <= 12; bit++) {
		test_sub(t, "IA32_DEBUGCTL[%u]", bit);
		check_defined(t, &debugctl_alone, bit, "freezing on a PMI came with version 2");
	}
	for (unsigned bit = 16; bit < 64; bit++) {
		test_sub(t, "%s[%u]", debugctl_alone.name, bit);
		check_reserved(t, &debugctl_alone, bit, "the bit is reserved");
		test_sub(t, "%s and [%u]", debugctl_lbr.name, bit);
		check_reserved(t, &debugctl_lbr, bit, "the bit is reserved");
	}
	msr_write(IA32_DEBUGCTL, 0);
}

/* By CPUID: BTS_OFF_* with DS-CPL, bus locks with CPUID.7.0:ECX[24], RTM. LBR where the records are
 * architectural, the uncore's bit after Nehalem, and the bits of BTS without BTS are open. */
static struct debugctl_bits debugctl_bits(void)
{
	const unsigned version = pmu_get()->version;
	const bool has_bts = cpuid_get(CPUID_DS);
	struct debugctl_bits b = {
		.held = IA32_DEBUGCTL_LBR | IA32_DEBUGCTL_BTF | FIELD(8, 6)
		        | (cpuid_get(CPUID_DS_CPL) ? FIELD(10, 9) : 0)
		        | (version >= 2 ? FIELD(12, 11) : 0),
		.refused = version >= 2 ? FIELD(63, 16) : 0,
		.open = (has_bts ? 0 : FIELD(10, 6)) | (version >= 3 ? BIT(13) : 0)
		        | (cpuid_get(CPUID_ARCH_LBR) ? IA32_DEBUGCTL_LBR : 0)
		        | (cpuid_get(CPUID_BUS_LOCK_DETECT) ? BIT(2) : 0)
		        | (cpuid_get(CPUID_RTM) ? IA32_DEBUGCTL_RTM : 0),
		.alone = IA32_DEBUGCTL_TR,
	};

	if (version >= 2 && (pmu_get()->capabilities & IA32_PERF_CAPABILITIES_FREEZE_WHILE_SMM))
		b.held |= IA32_DEBUGCTL_FREEZE_WHILE_SMM;
	b.held &= ~b.open;
	return b;
}

TEST(debugctl_each, .id = "arch.registers.debugctl_bits", .is_static = true, .needs = need_arch,
     .source = "SDM 4, IA32_DEBUGCTL; SDM 3B, \"IA32_DEBUGCTL MSR\"; SDM 2A, CPUID",
     .claim = "IA32_DEBUGCTL holds the bits of its version and of CPUID, each alone and together, "
              "and no other bit")
{
	const struct debugctl_bits bits = debugctl_bits();

	debugctl_check(t, "IA32_DEBUGCTL", &bits);
}
