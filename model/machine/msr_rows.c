/* SPDX-License-Identifier: MIT */
/*
 * Which MSRs are the PMU's: a row for each register or row of registers. One that is the PMU's on
 * some processor but not there on this one is #GP, within a generation. Sources: SDM 4,
 * "Architectural MSRs", "MSRs in the P6 Family Processors", "MSRs in Pentium Processors", "MSRs in
 * the Pentium 4 and Intel Xeon Processors".
 */
#include <model/core/msrs.h>
#include <model/netburst/netburst_shared.h>

#include <arch/regs/lbr.h>
#include <arch/regs/netburst.h>
#include <arch/regs/p5.h>
#include <arch/regs/p6.h>

typedef enum model_status read_fn(struct model *m, unsigned n, uint64_t *value);
typedef enum model_status write_fn(struct model *m, unsigned n, uint64_t value);

/* What has to be there; each says how many registers the row has on this processor. */
enum presence { ALWAYS, GP, GP_FULL_WIDTH, GP_ALIAS, FIXED, FIXED_ALIAS, GLOBAL, VERSION_4,
                CAPABILITIES, METRICS, DS, LBR_FROM, LBR_TO, LBR_INFO, LBR_TOS, LBR_SELECT,
                LBR_ARCH, LER, ADAPTIVE, LD_LAT, FRONTEND, NEVER };

struct msr_row {
	uint32_t first;
	uint16_t count;                /* that the PMU claims, there or not */
	uint8_t stride;
	uint8_t presence;              /* enum presence */
	read_fn *read;
	write_fn *write;
};

/* SDM 3B, "Architectural Performance Monitoring Version 6": four addresses a counter from 1900H. */
static const struct msr_row rows_architectural[] = {
	{ IA32_PMC(0),                10, 1, GP,            pmc_read,           pmc_write },
	{ IA32_PERFEVTSEL(0),         10, 1, GP,            perfevtsel_read,    perfevtsel_write },
	{ IA32_MISC_ENABLE,            1, 1, ALWAYS,        misc_enable_read,   misc_enable_write },
	{ IA32_DEBUGCTL,               1, 1, ALWAYS,        debugctl_read,      debugctl_write },
	{ IA32_FIXED_CTR(0),           8, 1, FIXED,         fixed_ctr_read,     fixed_ctr_write },
	{ IA32_PERF_METRICS,          1, 1, METRICS,       perf_metrics_read,  perf_metrics_write },
	{ IA32_PERF_CAPABILITIES,      1, 1, CAPABILITIES,  capabilities_read,  refuse_write },
	{ IA32_FIXED_CTR_CTRL,         1, 1, GLOBAL,        fixed_ctrl_read,    fixed_ctrl_write },
	{ IA32_PERF_GLOBAL_STATUS,     1, 1, GLOBAL,        global_status_read, refuse_write },
	{ IA32_PERF_GLOBAL_CTRL,       1, 1, GLOBAL,        global_ctrl_read,   global_ctrl_write },
	{ IA32_PERF_GLOBAL_OVF_CTRL,   1, 1, GLOBAL,        ovf_ctrl_read,      ovf_ctrl_write },
	{ IA32_PERF_GLOBAL_STATUS_SET, 1, 1, VERSION_4,     ovf_ctrl_read,      status_set_write },
	{ IA32_PERF_GLOBAL_INUSE,      1, 1, VERSION_4,     global_inuse_read,  refuse_write },
	{ IA32_PEBS_ENABLE,            1, 1, ALWAYS,        pebs_enable_arch_read,
	                                                    pebs_enable_arch_write },
	{ MSR_PEBS_DATA_CFG,           1, 1, ADAPTIVE,      pebs_data_cfg_read,
	                                                    pebs_data_cfg_write },
	{ MSR_PEBS_LD_LAT,             1, 1, LD_LAT,        pebs_ld_lat_read,   pebs_ld_lat_write },
	{ MSR_PEBS_FRONTEND,           1, 1, FRONTEND,      pebs_frontend_read,
	                                                    pebs_frontend_write },
	{ IA32_DS_AREA,                1, 1, DS,            ds_area_read,       ds_area_write },
	{ IA32_A_PMC(0),              10, 1, GP_FULL_WIDTH, pmc_read,           a_pmc_write },
	{ IA32_PMC_GP_CTR(0),         16, 4, GP_ALIAS,      pmc_read,           a_pmc_write },
	{ IA32_PMC_GP_CFG_A(0),       16, 4, GP_ALIAS,      perfevtsel_read,    perfevtsel_write },
	{ IA32_PMC_GP_CFG_A(0) + 1,   16, 4, NEVER,         refuse_read,        refuse_write },
	{ IA32_PMC_GP_CFG_A(0) + 2,   16, 4, NEVER,         refuse_read,        refuse_write },
	{ IA32_PMC_FX_CTR(0),          8, 4, FIXED_ALIAS,   fixed_ctr_read,     fixed_ctr_write },
	{ IA32_PMC_FX_CTR(0) + 1,      8, 4, NEVER,         refuse_read,        refuse_write },
	{ IA32_PMC_FX_CTR(0) + 2,      8, 4, NEVER,         refuse_read,        refuse_write },
	{ IA32_PMC_FX_CTR(0) + 3,      8, 4, NEVER,         refuse_read,        refuse_write },
	{ MSR_LBR_SELECT,              1, 1, LBR_SELECT,    lbr_select_read,    lbr_select_write },
	{ MSR_LASTBRANCH_TOS_CORE,     1, 1, LBR_TOS,       lbr_tos_read,       lbr_tos_write },
	{ MSR_LER_FROM_IP,             2, 1, LER,           ler_read,           ler_write },
	{ MSR_LASTBRANCH_FROM_IP_40(0), 8, 1, LBR_FROM,     lbr_from_read,      lbr_from_write },
	{ MSR_LASTBRANCH_TO_IP_60(0),  8, 1, LBR_TO,        lbr_to_read,        lbr_to_write },
	{ MSR_LASTBRANCH_FROM_IP(0),  32, 1, LBR_FROM,      lbr_from_read,      lbr_from_write },
	{ MSR_LASTBRANCH_TO_IP(0),    32, 1, LBR_TO,        lbr_to_read,        lbr_to_write },
	{ MSR_LBR_INFO(0),            32, 1, LBR_INFO,      lbr_info_read,      lbr_info_write },
	{ IA32_LBR_CTL,                1, 1, LBR_ARCH,      lbr_select_read,    lbr_select_write },
	{ IA32_LBR_DEPTH,              1, 1, LBR_ARCH,      lbr_depth_read,     lbr_depth_write },
	{ IA32_LBR_INFO(0),           32, 1, LBR_INFO,      lbr_info_read,      lbr_info_write },
	{ IA32_LBR_FROM_IP(0),        32, 1, LBR_FROM,      lbr_from_read,      lbr_from_write },
	{ IA32_LBR_TO_IP(0),          32, 1, LBR_TO,        lbr_to_read,        lbr_to_write },
	{ .count = 0 }
};

static const struct msr_row rows_p6[] = {
	{ PerfCtr(0),    2, 1, GP, pmc_read,        pmc_write },
	{ PerfEvtSel(0), 2, 1, GP, perfevtsel_read, perfevtsel_write },
	{ DebugCtlMSR,   1, 1, ALWAYS, debugctl_read, debugctl_write },
	{ LastBranchFromIP,             1, 1, LBR_FROM, lbr_from_read, lbr_from_write },
	{ LastBranchToIP,               1, 1, LBR_TO,   lbr_to_read,   lbr_to_write },
	{ LastExceptionFromIP,          2, 1, LER,      ler_read,      ler_write },
	{ MSR_LASTBRANCH_PACKED(0),     8, 1, LBR_FROM, lbr_from_read, lbr_from_write },
	{ MSR_LASTBRANCH_TOS_CORE,      1, 1, LBR_TOS,  lbr_tos_read,  lbr_tos_write },
	{ .count = 0 }
};

static const struct msr_row rows_p5[] = {
	{ CESR, 1, 1, ALWAYS, cesr_read, cesr_write },
	{ CTR0, 2, 1, GP,     pmc_read,  ctr_write },
	{ .count = 0 }
};

/* Of the ESCRs' row some are nobody's: escr_read() and escr_write() know which. */
static const struct msr_row rows_netburst[] = {
	{ MSR_COUNTER(0),       18, 1, ALWAYS, netburst_counter_read, netburst_counter_write },
	{ MSR_CCCR(0),          18, 1, ALWAYS, cccr_read,             cccr_write },
	{ MSR_ESCR_BLOCK0,      66, 1, ALWAYS, escr_read,             escr_write },
	{ MSR_TC_PRECISE_EVENT,  1, 1, ALWAYS, precise_event_read,    precise_event_write },
	{ MSR_PEBS_ENABLE,       1, 1, ALWAYS, pebs_enable_read,      pebs_enable_write },
	{ MSR_PEBS_MATRIX_VERT,  1, 1, ALWAYS, matrix_vert_read,      matrix_vert_write },
	{ IA32_MISC_ENABLE,      1, 1, ALWAYS, misc_enable_read,      misc_enable_write },
	{ IA32_DS_AREA,          1, 1, DS,     ds_area_read,          ds_area_write },
	{ MSR_LER_FROM_LIP,      2, 1, LER,      ler_read,      ler_write },
	{ MSR_DEBUGCTLA,         1, 1, ALWAYS,   debugctl_read, debugctl_write },
	{ MSR_LASTBRANCH_TOS,    1, 1, LBR_TOS,  lbr_tos_read,  lbr_tos_write },
	{ MSR_LASTBRANCH(0),     4, 1, LBR_FROM, lbr_from_read, lbr_from_write },
	{ MSR_LASTBRANCH_FROM_LIP(0), 16, 1, LBR_FROM, lbr_from_read, lbr_from_write },
	{ MSR_LASTBRANCH_TO_LIP(0),   16, 1, LBR_TO, lbr_to_read, lbr_to_write },
	{ .count = 0 }
};

/* By enum model_generation. */
static const struct msr_row *const rows_of[] = {
	rows_architectural, rows_p6, rows_p5, rows_netburst
};

static bool is_there(const struct model_rules *r, const struct msr_row *row, unsigned n)
{
	switch (row->presence) {
	case ALWAYS:        return true;
	case GP:            return n < r->gp_count;
	case GP_FULL_WIDTH: return n < r->gp_count && r->has_full_width_writes;
	case GP_ALIAS:      return n < r->gp_count && r->has_version_6_aliases;
	case FIXED:         return r->fixed_map >> n & 1;
	case FIXED_ALIAS:   return (r->fixed_map >> n & 1) && r->has_version_6_aliases;
	case GLOBAL:        return r->has_global_control;
	case VERSION_4:     return r->version >= 4;
	case CAPABILITIES:  return r->has_pdcm;
	case METRICS:       return r->has_perf_metrics;
	case DS:            return r->has_ds;
	case LBR_FROM:      return n < r->lbr_depth && row->first == r->lbr_from;
	case LBR_TO:        return n < r->lbr_depth && row->first == r->lbr_to;
	case LBR_INFO:      return n < r->lbr_depth && row->first == r->lbr_info;
	case LBR_TOS:       return row->first == r->lbr_tos;
	case LBR_SELECT:    return r->lbr_select_bits && !r->lbr_is_architectural;
	case LBR_ARCH:      return r->lbr_is_architectural;
	case LER:           return row->first == r->ler_from;
	case ADAPTIVE:      return r->pebs_is_adaptive;
	case LD_LAT:        return r->pebs_ld_lat_bits != 0;
	case FRONTEND:      return r->pebs_frontend_bits != 0;
	default:            return false;
	}
}

static const struct msr_row *find(const struct model_rules *r, uint32_t msr, unsigned *n)
{
	for (const struct msr_row *row = rows_of[r->generation]; row->count; row++) {
		uint32_t distance = msr - row->first;

		*n = distance / row->stride;
		if (*n < row->count && distance % row->stride == 0)
			return row;
	}
	return NULL;
}

/* By rules that no processor has. */
static bool is_withheld(const struct model_rules *r, uint32_t msr, bool is_read)
{
	return r->has_no_msrs || (msr && msr == r->absent_msr) ||
	       (is_read && msr && msr == r->unreadable_msr);
}

static unsigned index_of(const struct model_rules *r, const struct msr_row *row, unsigned n)
{
	return row->presence == GP_ALIAS ? n ^ r->alias_index_flip : n;
}

/* What the registers show is the state after a whole number of cycles. */
static void settle_time(struct model *m)
{
	model_close(m, SIGNAL_FRONTEND);
	model_flush_pmi(m);
}

enum model_status model_rdmsr(struct model *m, uint32_t msr, uint64_t *value)
{
	enum model_status status;
	unsigned n;
	const struct msr_row *row = find(rules_of(m), msr, &n);

	if (!row)
		return MODEL_NOT_MINE;
	if (!is_there(rules_of(m), row, n) || is_withheld(rules_of(m), msr, true))
		return MODEL_GP;
	settle_time(m);
	status = row->read(m, index_of(rules_of(m), row, n), value);
	if (msr == rules_of(m)->stuck_msr)
		*value |= rules_of(m)->stuck_bits;
	return status;
}

enum model_status model_wrmsr(struct model *m, uint32_t msr, uint64_t value)
{
	enum model_status status;
	unsigned n;
	const struct msr_row *row = find(rules_of(m), msr, &n);

	if (!row)
		return MODEL_NOT_MINE;
	if (!is_there(rules_of(m), row, n) || is_withheld(rules_of(m), msr, false))
		return MODEL_GP;
	if (m->is_legacy)
		model_finish(m);       /* WRMSR serialises: counters stop when all is done */
	if (m->is_netburst)
		netburst_finish(m);
	if (m->is_netburst && m->other)
		model_close(m->other, SIGNAL_FRONTEND);
	settle_time(m);
	if (msr == rules_of(m)->deaf_msr)
		return MODEL_OK;
	status = row->write(m, index_of(rules_of(m), row, n), value);
	if (m->is_netburst)
		model_flush_pmi(m);    /* one that was on its way: netburst_skid.c */
	return status;
}
