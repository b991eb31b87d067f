/* SPDX-License-Identifier: MIT */
/*
 * Processors before architectural performance monitoring: P6 from Pentium Pro to Pentium M, and P5.
 * Bochs poses as both Pentiums, Klamath and Katmai; the others are for other emulators.
 *
 * Sources: SDM 3B, "Performance Monitoring (P6 Family Processor)", "Performance Monitoring (Pentium
 * Processors)"; SDM 4, "MSRs in the P6 Family Processors", "MSRs in Pentium Processors".
 *
 * Chosen, where these are silent: bits 63:32 of PerfEvtSel are #GP, bit 21 is kept and does
 * nothing; before Pentium M a PMI does not mask LVTPC, as drivers of operating systems expect; IRET
 * counts at the level that it leaves.
 */
#include <model/p5_p6/legacy.h>

#include <arch/regs/lbr.h>
#include <arch/regs/p5.h>
#include <arch/regs/p6.h>
#include <model/cache/geometry.h>

/* Invented: geometry.h. The Pentium has no return stack: a return goes where it went last. Without
 * history a pattern is the branch. */
static const struct cache_invented
	pentium     = { 0, 0, 18, 14, 4, 0, 256, 256, 256, 0 },
	pentium_mmx = { 0, 0, 24, 14, 5, 0, 256, 256, 256, 4 },
	p6          = { 0, 8, 60, 20, 12, 4, 512, 512, 256, 8 };

/* The rules that all of them share, except the width of a cycle and the CPLs of USR. */
#define COMMON(width, usr) \
	.registers.linear_bits = 32, \
	.counters.gp_count = 2, .counters.gp_count_shared = 2, .counters.gp_width = 40, \
	.counters.cycle_width = (width), .counters.usr_cpls = (usr)

/*
 * Caches and TLBs of P6 by leaf 2, for Pentium II and III as Bochs answers, for Pentium Pro (with
 * 256 KBytes of L2) and Pentium M as their data sheets say. Those of the Pentium: Intel's Pentium
 * Processor Family Developer's Manual, "On-Chip Caches". The target buffer of the Pentium has 256
 * branches, that of P6 512; its ways are invented.
 */
#define CACHES_P6(line) \
	.caches.line_bytes = (line), .caches.invented = &p6, .caches.observes_traffic = true, \
	.caches.predicts_unknown = true, .caches.fetch_bytes = 16, .caches.btb = { 128, 4 }
#define CACHES_P5(row) \
	.caches.line_bytes = 32, .caches.invented = &(row), .caches.observes_traffic = true, \
	.caches.writes_around = true, .caches.locks_always = true, .caches.aligns_by_size = true, \
	.caches.pairs = true, .caches.fetch_bytes = 32, .caches.btb = { 64, 4 }

/* Three micro-operations retire in a cycle. USR is CPL 1 to 3. */
#define P6(line) COMMON(3, 0xe), CACHES_P6(line), \
	.generation = &model_generation_p6, \
	.registers.has_rdpmc = true, .registers.perfevtsel_bits = FIELD(31, 0)

/* SDM 3B, "Last Branch, Interrupt, and Exception Recording (P6 Family Processors)" and "(Pentium M
 * Processors)". Chosen: DebugCtlMSR drops reserved bits; Pentium M has no debug store area here, so
 * its BTS bits do nothing. */
#define DEBUGCTL(bits) .registers.debugctl_bits = (bits), .registers.debugctl_drops = true
#define LBR(n, msr) \
	.lbr.depth = (n), .lbr.from = (msr), .lbr.has_offsets = true, \
	.lbr.ler_from = LastExceptionFromIP
#define LBR_PAIR \
	LBR(1, LastBranchFromIP), .lbr.to = LastBranchToIP, DEBUGCTL(FIELD(6, 0))
#define LBR_PACKED \
	LBR(8, MSR_LASTBRANCH_PACKED(0)), .lbr.tos = MSR_LASTBRANCH_TOS_CORE, \
	DEBUGCTL(FIELD(8, 0))

/* Two pipes. CC[1] is CPL 3. The delivery of an exception or interrupt is an instruction. */
#define P5(row) COMMON(2, 0x8), CACHES_P5(row), \
	.generation = &model_generation_p5, .events.entry_signal = SIGNAL_INSTRUCTIONS, \
	.registers.perfevtsel_bits = \
		CESR_ES0 | CESR_CC0 | CESR_PC0 | CESR_ES1 | CESR_CC1 | CESR_PC1

#define MODEL(whose) .events.model = MODEL_##whose
#define PENTIUM_M \
	P6(64), LBR_PACKED, MODEL(PM), .ds.bts_bit = 6, .overflow.pmi_masks_lvtpc = true, \
	TLB(32, 4, 32, 4), L1(64, 8, 64, 8)

/* The ratio of the core clock to the clock of data on the bus, of a usual processor of its kind. */
#define BUS_RATIO(ratio) .counters.bus_ratio = (ratio)

const struct model_rules model_rules_legacy[] = {
	{ .name = "Pentium", .cpuid_1_eax = 0x520, P5(pentium), MODEL(P54C), BUS_RATIO(2),
	  TLB(8, 4, 16, 4), L1(128, 2, 128, 2) },
	{ .name = "Pentium MMX", .cpuid_1_eax = 0x540, P5(pentium_mmx), MODEL(P55C), BUS_RATIO(3),
	  TLB(1, 32, 1, 64), L1(128, 4, 128, 4), .registers.has_rdpmc = true },
	{ .name = "Pentium Pro", .cpuid_1_eax = 0x610, P6(32), LBR_PAIR, MODEL(PPRO), BUS_RATIO(3),
	  TLB(8, 4, 16, 4), L1(64, 4, 128, 2), L2(2048, 4) },
	{ .name = "Klamath", .cpuid_1_eax = 0x630, P6(32), LBR_PAIR, MODEL(PII), BUS_RATIO(4),
	  TLB(8, 4, 16, 4), L1(128, 4, 128, 4), L2(4096, 4) },
	{ .name = "Katmai", .cpuid_1_eax = 0x670, P6(32), LBR_PAIR, MODEL(PIII), BUS_RATIO(5),
	  TLB(8, 4, 16, 4), L1(128, 4, 128, 4), L2(4096, 4) },
	{ .name = "Banias", .cpuid_1_eax = 0x690, PENTIUM_M, BUS_RATIO(4), L2(2048, 8) },
	{ .name = "Dothan", .cpuid_1_eax = 0x6d0, PENTIUM_M, BUS_RATIO(5), L2(4096, 8) },
	{ .name = NULL }
};
