/* SPDX-License-Identifier: MIT */
/*
 * NetBurst: Pentium 4 and its Xeons, by model of family 0FH. Bochs poses as a Willamette and a
 * Prescott; the others are for other emulators.
 *
 * Sources: SDM 3B, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)";
 * SDM 4, "MSRs in the Pentium 4 and Intel Xeon Processors". "EXTENDED CASCADING" says of models 0
 * and 1 that they have none, and of model 2 that no PMI comes from a counter that runs by a
 * cascade.
 */
#include <model/netburst/netburst_shared.h>

#include <arch/regs/netburst.h>
#include <arch/regs/perfmon.h>
#include <model/model.h>

/* IA32_MISC_ENABLE: performance monitoring, BTS and PEBS are there: SDM 4, bits 7, 11, 12. */
#define MONITORING (BIT(7) | BIT(11) | BIT(12))

/* So many threads are active. */
enum { ZERO = 1 << 0, ONE = 1 << 1, TWO = 1 << 2 };

/*
 * How far behind a load the PMI of replay_event comes. Invented as to its spread, and replayed from
 * a published measurement (B. Sprunt, "Pentium 4 Performance-Monitoring Features", IEEE Micro 2002)
 * as to these: none below 65 instructions, 69 the most frequent distance, of 46.5 %.
 */
#define SKID \
	.skid_from = 65, .skid_weight = { 6, 10, 16, 27, 93, 22, 16, 10 }

/* Alike on all of them. One group a line: read; who counts; cycles; PMI. Three micro-operations
 * retire in a cycle. USR is CPL 1 to 3. */
#define NETBURST(n) \
	.generation = &model_generation_netburst, .model = 1u << (n), \
	.gp_width = 40, .ovf_width = 40, \
	.has_ds = true, .has_rdpmc = true, .rdpmc_index_mask = UINT32_MAX, \
	.rdpmc_needs_pce = true, .rdpmc_has_fast_read = true, .misc_enable_read_only = MONITORING, \
	.usr_cpls = 0xe, .branches = ALL_BRANCHES, .threshold_bits = 15, \
	.active_threads = { ZERO, ONE, TWO, ZERO | ONE | TWO }, \
	.cycle_width = 3, .bus_ratio = 4, \
	.lbr_tos = MSR_LASTBRANCH_TOS, .ler_from = MSR_LER_FROM_LIP, .debugctl_drops = true, \
	.bts_bit = 2, .bts_has_predicted = true, .init_clears_bts = true, \
	.pmi_needs_int = true, .pmi_is_raised = true, \
	.pmi_masks_lvtpc = true, .pmi_heeds_mask = true, SKID

/*
 * SDM 3B, "Last Branch, Call Stack, Interrupt, and Exception Recording (Processors Based on Intel
 * NetBurst Microarchitecture)". BTS_OFF_OS and BTS_OFF_USR need CPUID.1:ECX[4] (DS-CPL). Chosen:
 * MSR_DEBUGCTLA drops reserved bits.
 */
#define LBR_SHORT \
	.lbr_depth = NETBURST_LASTBRANCHES_SHORT, .lbr_from = MSR_LASTBRANCH(0), \
	.debugctl_bits = FIELD(4, 0)
#define LBR_LONG \
	.lbr_depth = NETBURST_LASTBRANCHES, \
	.lbr_from = MSR_LASTBRANCH_FROM_LIP(0), .lbr_to = MSR_LASTBRANCH_TO_LIP(0), \
	.debugctl_bits = FIELD(6, 0)

/* As Bochs' dumps of such processors say, with bit 7. */
#define EARLY  LBR_SHORT, .linear_bits = 32, .misc_enable = 0x89
#define LATE   LBR_LONG, .linear_bits = 48, .has_dtes64 = true, .misc_enable = 0x20c62089

const struct model_rules model_rules_netburst[] = {
	{ .name = "Willamette",     .cpuid_1_eax = 0xf10, NETBURST(1), EARLY },
	{ .name = "Northwood",      .cpuid_1_eax = 0xf20, NETBURST(2), EARLY,
	  .has_extended_cascading = true, .cascade_has_no_pmi = true },
	{ .name = "Prescott",       .cpuid_1_eax = 0xf30, NETBURST(3), LATE,
	  .has_extended_cascading = true },
	{ .name = "Prescott 2M",    .cpuid_1_eax = 0xf40, NETBURST(4), LATE,
	  .has_extended_cascading = true },
	{ .name = "Cedar Mill",     .cpuid_1_eax = 0xf60, NETBURST(6), LATE,
	  .has_extended_cascading = true },
	{ .name = NULL }
};
