/* SPDX-License-Identifier: MIT */
/*
 * NetBurst: Pentium 4 and its Xeons, by model of family 0FH. Bochs poses as a Willamette and a
 * Prescott; the others are for other emulators.
 *
 * Sources: SDM 3B, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)";
 * SDM 4, "MSRs in the Pentium 4 and Intel Xeon Processors". "EXTENDED CASCADING" says that models 0
 * and 1 do not have it, and that on model 2 a counter that runs by a cascade raises no PMI.
 */
#include <model/netburst/netburst_shared.h>

#include <model/cache/geometry.h>

/* Invented: geometry.h. */
static const struct cache_invented invented = { 0, 18, 200, 30, 20, 8, 1024, 1024, 256, 16 };

/*
 * By leaf 2, as Bochs answers for Willamette and a Celeron D of the Prescott kind; the others
 * differ in the size of L2. TLBs are fully associative. The target buffer is larger than the
 * model's largest. NetBurst fetches traces: 8 bytes of code represent the micro-operations of one
 * line of a trace. Its trace cache, 12 K micro-operations, 8-way, is a cache of as much code here.
 */
#define CACHES(itlb_ways, l1d_ways) \
	.caches = { \
		.line_bytes = 64, .invented = &invented, .observes_traffic = true, \
		.predicts_unknown = true, .fetch_bytes = 8, .btb = { 128, 4 }, .l1i = { 32, 8 }, \
		.itlb = { 1, itlb_ways }, .dtlb = { 1, 64 }, .l1d = { 32, l1d_ways } }

/* IA32_MISC_ENABLE: performance monitoring, BTS and PEBS are available: SDM 4, bits 7, 11, 12. */
#define MONITORING (BIT(7) | BIT(11) | BIT(12))

/* The rules that all share. Three micro-operations retire in a cycle. USR is CPL 1 to 3. */
#define NETBURST(n) \
	.generation = &model_generation_netburst, .events.model = 1u << (n), \
	.counters.usr_cpls = 0xe, .counters.cycle_width = 3, .counters.bus_ratio = 4, \
	.registers.misc_enable_read_only = MONITORING, .registers.debugctl_drops = true, \
	.registers.has_rdpmc = true, .registers.rdpmc_has_fast_read = true, \
	.overflow.pmi_masks_lvtpc = true, \
	.ds.bts_bit = 2, .ds.bts_has_predicted = true, .ds.init_clears_bts = true, \
	.lbr.tos = MSR_LASTBRANCH_TOS, .lbr.ler_from = MSR_LER_FROM_LIP

/*
 * SDM 3B, "Last Branch, Call Stack, Interrupt, and Exception Recording (Processors Based on Intel
 * NetBurst Microarchitecture)". BTS_OFF_OS and BTS_OFF_USR need CPUID.1:ECX[4] (DS-CPL). Chosen:
 * MSR_DEBUGCTLA drops reserved bits.
 */
#define LBR_SHORT \
	.lbr.depth = NETBURST_LASTBRANCHES_SHORT, .lbr.from = MSR_LASTBRANCH(0), \
	.registers.debugctl_bits = FIELD(4, 0)
#define LBR_LONG \
	.lbr.depth = NETBURST_LASTBRANCHES, \
	.lbr.from = MSR_LASTBRANCH_FROM_LIP(0), .lbr.to = MSR_LASTBRANCH_TO_LIP(0), \
	.registers.debugctl_bits = FIELD(6, 0)

/* From Bochs' dumps of such processors, with bit 7. */
#define EARLY LBR_SHORT, CACHES(64, 4), .registers.linear_bits = 32, .registers.misc_enable = 0x89
#define LATE LBR_LONG, CACHES(128, 8), .ds.has_dtes64 = true, \
	.netburst.has_extended_cascading = true, \
	.registers.linear_bits = 48, .registers.misc_enable = 0x20c62089

const struct model_rules model_rules_netburst[] = {
	{ .name = "Willamette", .cpuid_1_eax = 0xf10, NETBURST(1), EARLY, L2(512, 8) },
	{ .name = "Northwood", .cpuid_1_eax = 0xf20, NETBURST(2), EARLY, L2(1024, 8),
	  .netburst.has_extended_cascading = true, .netburst.cascade_has_no_pmi = true },
	{ .name = "Prescott", .cpuid_1_eax = 0xf30, NETBURST(3), LATE, L2(2048, 8) },
	{ .name = "Prescott 2M", .cpuid_1_eax = 0xf40, NETBURST(4), LATE, L2(1024, 4) },
	{ .name = "Cedar Mill", .cpuid_1_eax = 0xf60, NETBURST(6), LATE, L2(4096, 8) },
	{ .name = NULL }
};
