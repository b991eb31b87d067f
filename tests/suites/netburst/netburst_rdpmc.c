/* SPDX-License-Identifier: MIT */
/*
 * RDPMC on NetBurst: index n reads counter n, all 40 bits of it or, with bit 31 of ECX, the lower
 * 32. The suite rdpmc tests which indices and levels are allowed; these tests check the values.
 */
#include <tests/suites/netburst/netburst_blocks.h>

#include <arch/cpu/control.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/cpu.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/instruction.h>

#define SDM_RDPMC "SDM 2B, RDPMC"
#define FAST      SDM_RDPMC ", fast reads (ECX[31])"

static const uint64_t values[] = {
	0, 1, 0x80000000, 0xffffffff, 0x100000000, 0x8000000000, 0xffffffffff, 0x123456789a,
	0xa5ffffffff, 0xff00000000,
};

/* Registers hold patterns before: EDX must be written, and its upper 24 bits with 0. */
static void check_read(struct test_ctx *t, enum cpu_mode mode, uint32_t index, uint64_t written)
{
	struct mode_result r = instruction_run(&insn_rdpmc, mode, index);

	test_sub(t, "%s, ECX = %08XH, counter %" PRIX64 "H", mode_name(mode), index, written);
	if (!expect_no_fault(t, "RDPMC", r.fault, "the counter exists"))
		return;
	expect_exact(t, "EAX", (uint32_t)r.regs.ax, (uint32_t)written, "bits 31:0");
	expect_exact(t, "EDX", (uint32_t)r.regs.dx, index & RDPMC_FAST ? 0 : written >> 32,
	             index & RDPMC_FAST ? "a fast read reads 32 bits and clears EDX"
	                                : "bits 39:32 of the counter, with 0 above them");
}

/* Each of the other counters holds a value of its own. */
static void check_values(struct test_ctx *t, enum cpu_mode mode, uint32_t bits)
{
	uintptr_t cr4 = cr4_read();

	cr4_write(cr4 | CR4_PCE);
	for (unsigned i = 0; i < COUNT_OF(values); i++) {
		for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
			msr_write(MSR_COUNTER(c), values[i] ^ c);
		for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
			check_read(t, mode, c | bits, values[i] ^ c);
			expect_exact(t, "RDMSR", msr_read(MSR_COUNTER(c)), values[i] ^ c,
			             "RDPMC changes no counter");
		}
	}
	cr4_write(cr4);
	test_sub(t, "%s", "");
	pmu_reset();
}

#define VALUES(name, mode, bits, source_, text) \
	TEST(name, .id = "netburst.rdpmc." #name, .needs = need_netburst_modes, \
	     .source = source_, .claim = text) \
	{ check_values(t, mode, bits); }

#define FULL_TEXT "RDPMC with ECX = 0 to 17 reads all 40 bits of the counter, as RDMSR does"
#define FAST_TEXT "with bit 31 of ECX RDPMC reads the lower 32 bits of the counter, and EDX is 0"

VALUES(full_cpl0, MODE_CPL0, 0, SDM_RDPMC, FULL_TEXT)
VALUES(full_cpl3, MODE_CPL3, 0, SDM_RDPMC, FULL_TEXT)
VALUES(fast_cpl0, MODE_CPL0, RDPMC_FAST, FAST, FAST_TEXT)
VALUES(fast_cpl3, MODE_CPL3, RDPMC_FAST, FAST, FAST_TEXT)

TEST(every_mode, .id = "netburst.rdpmc.every_mode", .needs = need_netburst_modes,
     .source = SDM_RDPMC, .claim = "in every mode both forms of RDPMC read the same counters")
{
	uintptr_t cr4 = cr4_read();

	for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
		msr_write(MSR_COUNTER(c), 0x5aa5000000 + c);
	cr4_write(cr4 | CR4_PCE);
	FOR_EACH_MODE(mode) {
		for (unsigned c = 0; c < NETBURST_COUNTERS; c += 17) {
			check_read(t, mode, c, 0x5aa5000000 + c);
			check_read(t, mode, c | RDPMC_FAST, 0x5aa5000000 + c);
		}
	}
	cr4_write(cr4);
	pmu_reset();
}

/* ------------------------------------------------------------------------ while they run */

/* Starts a count of clocks, so that it moves between any two reads; its low bits are near a
 * carry. */
static void start_clock(unsigned c, uint64_t start)
{
	struct netburst_use use;

	netburst_clock_setup(&use, c);
	pmu_reset();
	msr_write(use.escr->msr, use.escr_value);
	msr_write(MSR_COUNTER(c), start);
	msr_write(MSR_CCCR(c), use.cccr_value | CCCR_ENABLE);
}

TEST(running, .id = "netburst.rdpmc.running", .needs = need_netburst, .source = SDM_RDPMC,
     .claim = "RDPMC of a running counter reads a value between those of RDMSR "
              "before and after it")
{
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		uint64_t before, value, after;

		start_clock(c, 0x12fffff000);
		for (unsigned i = 0; i < 30; i++) {
			before = msr_read(MSR_COUNTER(c));
			pmc_try_read(c, &value);
			after = msr_read(MSR_COUNTER(c));
			test_sub(t, "%s", netburst_counters[c].name);
			if (!expect_between(t, "RDPMC", value, before, after,
			                    "low: RDMSR before it; high: RDMSR after it"))
				break;
		}
		expect_between(t, "the clock moved", after, 0x12fffff000 + 30, 0x1400000000,
		               "low: a clock for each read; high: a second of 3 GHz");
	}
	pmu_reset();
}

TEST(keeps_ovf, .id = "netburst.rdpmc.keeps_ovf", .needs = need_netburst_modes,
     .source = REGISTERS,
     .claim = "RDPMC and RDMSR of a counter leave its OVF as it is")
{
	for (unsigned c = 0; c < NETBURST_COUNTERS; c++) {
		struct block_counter one = { .counter = c, .start = 0 - UINT64_C(3),
		                             .cccr = blocks_cccr(c) | CCCR_ENABLE };
		uint64_t value;

		blocks_program(&one, 1);
		blocks_code(100, 0);
		for (unsigned i = 0; i < 3; i++) {
			pmc_try_read(c, &value);
			pmc_try_read(c | RDPMC_FAST, &value);
			msr_read(MSR_COUNTER(c));
		}
		expect_exact(t, netburst_counters[c].cccr_name, msr_read(MSR_CCCR(c)),
		             one.cccr | CCCR_OVF, "the counter overflowed, and nothing wrote OVF");
	}
	pmu_reset();
}
