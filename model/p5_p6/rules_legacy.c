/* SPDX-License-Identifier: MIT */
/*
 * Processors before architectural performance monitoring: P6 from Pentium Pro to Pentium M, and P5.
 * Bochs poses as both Pentiums, Klamath and Katmai; the others are for other emulators.
 *
 * Sources: SDM 3B, "Performance Monitoring (P6 Family Processor)", "Performance Monitoring (Pentium
 * Processors)"; SDM 4, "MSRs in the P6 Family Processors", "MSRs in Pentium Processors".
 *
 * Chosen, where these are silent: bits 63:32 of PerfEvtSel are #GP, bit 21 is kept and does
 * nothing; LVTPC is not masked by a PMI before Pentium M, as operating systems' drivers know it.
 */
#include <model/p5_p6/legacy.h>

#include <arch/regs/lbr.h>
#include <arch/regs/p5.h>
#include <arch/regs/p6.h>
#include <model/model.h>
#include <model/state/event_rows.h>

/* Alike on all of them. One group a line: read; who counts; cycles; overflow and PMI. */
#define COMMON \
	.gp_count = 2, .gp_count_shared = 2, .gp_width = 40, .linear_bits = 32, \
	.rdpmc_index_mask = UINT32_MAX, .rdpmc_needs_pce = true, \
	.gp_running_max = MODEL_GP_MAX, .branches = ALL_BRANCHES, \
	.pmi_needs_int = true, .pmi_heeds_mask = true

/* Three micro-operations retire in a cycle. USR is CPL 1 to 3. */
#define P6 COMMON, \
	.generation = &model_generation_p6, .event_table = model_events_p6, .has_rdpmc = true, \
	.perfevtsel_bits = FIELD(31, 0), .legacy_sign_bit = 31, .enable_0_gates = 3, \
	.has_cmask = true, .usr_cpls = 0xe, .cycle_width = 3, \
	.pmi_is_raised = true

/* SDM 3B, "Last Branch, Interrupt, and Exception Recording (P6 Family Processors)" and "(Pentium M
 * Processors)". Chosen: DebugCtlMSR drops reserved bits; the debug store area of Pentium M is not
 * there, so its BTS bits do nothing. */
#define DEBUGCTL_P6 FIELD(6, 0)
#define LBR_PAIR \
	.debugctl_bits = DEBUGCTL_P6, .debugctl_drops = true, .lbr_has_offsets = true, \
	.lbr_depth = 1, .lbr_from = LastBranchFromIP, .lbr_to = LastBranchToIP, \
	.ler_from = LastExceptionFromIP
#define LBR_PACKED \
	.debugctl_bits = FIELD(8, 0), .debugctl_drops = true, .lbr_has_offsets = true, \
	.lbr_depth = 8, .lbr_from = MSR_LASTBRANCH_PACKED(0), \
	.lbr_tos = MSR_LASTBRANCH_TOS_CORE, .ler_from = LastExceptionFromIP

/* Two pipes. CC[1] is CPL 3. An exception's or interrupt's delivery counts as an instruction. */
#define P5 COMMON, \
	.generation = &model_generation_p5, .event_table = model_events_p5, \
	.perfevtsel_bits = CESR_ES0 | CESR_CC0 | CESR_PC0 | CESR_ES1 | CESR_CC1 | CESR_PC1, \
	.usr_cpls = 0x8, .cycle_width = 2, .entry_signal = SIGNAL_INSTRUCTIONS

/* The clock of the core over that of the data on the bus, of a usual one of its kind. */
#define BUS_RATIO(ratio) .bus_ratio = (ratio)

const struct model_rules model_rules_legacy[] = {
	{ .name = "Pentium",        .cpuid_1_eax = 0x520, P5, .model = MODEL_P54C, BUS_RATIO(2) },
	{ .name = "Pentium MMX",    .cpuid_1_eax = 0x540, P5, .model = MODEL_P55C, BUS_RATIO(3),
	  .has_rdpmc = true },
	{ .name = "Pentium Pro",    .cpuid_1_eax = 0x610, P6, LBR_PAIR, .model = MODEL_PPRO,
	  BUS_RATIO(3) },
	{ .name = "Klamath",        .cpuid_1_eax = 0x630, P6, LBR_PAIR, .model = MODEL_PII,
	  BUS_RATIO(4) },
	{ .name = "Katmai",         .cpuid_1_eax = 0x670, P6, LBR_PAIR, .model = MODEL_PIII,
	  BUS_RATIO(5) },
	{ .name = "Banias",         .cpuid_1_eax = 0x690, P6, LBR_PACKED, .model = MODEL_PM,
	  BUS_RATIO(4), .pmi_masks_lvtpc = true },
	{ .name = "Dothan",         .cpuid_1_eax = 0x6d0, P6, LBR_PACKED, .model = MODEL_PM,
	  BUS_RATIO(5), .pmi_masks_lvtpc = true },
	{ .name = NULL }
};
