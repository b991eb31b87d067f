/* SPDX-License-Identifier: MIT */
/*
 * The registers of instruction-based sampling. Sources: APM 2, "IBS Fetch Sampling", "IBS Execution
 * Sampling"; which bits take a write: VirtualBox's tables of processors (rules_amd.c); when the
 * counter of fetches takes a value: Linux 221bfce5ebbd.
 *
 * Chosen, where these are silent: a write of 0 to Val clears the fields of a fetch's sample, too,
 * and one of 1 keeps them; a write of IbsOpCtl without CurCnt sets the
 * counter to 0; a counter of fetches that no write loads goes on behind the maximum.
 */
#include <model/amd/amd_shared.h>

enum { NOISE_BITS = 4 };

/* ---------------------------------------------------------------------------- fetch */

static MSR_SHOWS(fetch_ctl, m->ibs.fetch_ctl |
                 FIELD_PUT(IbsFetchCtl_Cnt, m->ibs.fetch_count >> NOISE_BITS))

static void load_fetch_count(struct refpmu_cpu *m, uint64_t value)
{
	uint64_t kept = value & rules_of(m)->amd.ibs->fetch_ctl;

	m->ibs.fetch_count = (uint32_t)FIELD_GET(IbsFetchCtl_Cnt, kept) << NOISE_BITS;
	if (value & IbsFetchCtl_RandEn)
		m->ibs.fetch_count |= model_ibs_noise(m, NOISE_BITS);
}

static enum refpmu_status fetch_ctl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_ibs_rules *r = rules_of(m)->amd.ibs;
	struct model_ibs *ibs = &m->ibs;
	const uint64_t status = FIELD(56, 49) | IbsFetchCtl_Lat;
	uint64_t was = ibs->fetch_ctl, sample = was & value & IbsFetchCtl_Val ? was & status : 0;

	(void)n;
	ibs->fetch_ctl = (value & r->fetch_ctl & ~IbsFetchCtl_Cnt) | sample;
	if (!r->loads_on_rise || !(was & IbsFetchCtl_En))
		load_fetch_count(m, value);
	else if (was & ~ibs->fetch_ctl & IbsFetchCtl_Val)
		ibs->fetch_count = (ibs->fetch_count + (1 << NOISE_BITS)) &
		                   (uint32_t)ones(MODEL_IBS_FETCH_WIDTH);
	model_make_plan(m);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- op */

static MSR_SHOWS(op_ctl, m->ibs.op_ctl | FIELD_PUT(IbsOpCtl_CurCnt, m->ibs.op_count))

static enum refpmu_status op_ctl_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	uint64_t kept = value & rules_of(m)->amd.ibs->op_ctl;

	(void)n;
	m->ibs.op_count = (uint32_t)FIELD_GET(IbsOpCtl_CurCnt, kept) &
	                  (uint32_t)ones(model_ibs_op_width(m));
	m->ibs.op_ctl = kept & ~IbsOpCtl_CurCnt;
	m->ibs.seen = model_running_clocks(m);
	model_make_plan(m);
	return REFPMU_OK;
}

/* ---------------------------------------------------------------------------- samples */

/* Registers of a sample, in the order of their addresses. */
#define SAMPLE(name) \
	static MSR_SHOWS(name, m->ibs.name) \
	static enum refpmu_status name##_write(struct refpmu_cpu *m, unsigned n, uint64_t value) \
	{ \
		const uint64_t bits = rules_of(m)->amd.ibs->name; \
 \
		(void)n; \
		m->ibs.name = (m->ibs.name & ~bits) | (value & bits); \
		return REFPMU_OK; \
	}
SAMPLE(fetch_linear)
SAMPLE(fetch_physical)
SAMPLE(op_data)
SAMPLE(op_data2)
SAMPLE(op_data3)
SAMPLE(dc_linear)
SAMPLE(dc_physical)
static MSR_SHOWS(op_rip, m->ibs.op_rip)
static MSR_SHOWS(branch_target, m->ibs.branch_target)
static MSR_SHOWS(nothing, 0)
static MSR_SHOWS(control, rules_of(m)->amd.ibs->control)
MSR_TAKES(op_rip, m->ibs.op_rip, value)
MSR_TAKES(branch_target, m->ibs.branch_target, value)

static enum refpmu_status nothing_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)m, (void)n, (void)value;
	return REFPMU_OK;
}

#define HAS(cap) (r->amd.ibs && (r->amd.ibs->caps & CPUID_AMD_IBS_EAX_##cap))
static MSR_IS_THERE(has_fetch, HAS(FetchSam))
static MSR_IS_THERE(has_op, HAS(OpSam))
static MSR_IS_THERE(has_target, HAS(BrnTrgt))
static MSR_IS_THERE(has_extended, HAS(FetchCtlExtd))
static MSR_IS_THERE(has_data4, HAS(OpData4))

const struct model_msr_row model_msrs_ibs[] = {
	{ IbsFetchCtl,     1, 1, has_fetch,    fetch_ctl_read,      fetch_ctl_write },
	{ IbsFetchLinAd,   1, 1, has_fetch,    fetch_linear_read,   fetch_linear_write },
	{ IbsFetchPhysAd,  1, 1, has_fetch,    fetch_physical_read, fetch_physical_write },
	{ IbsOpCtl,        1, 1, has_op,       op_ctl_read,         op_ctl_write },
	{ IbsOpRip,        1, 1, has_op,       op_rip_read,         op_rip_write },
	{ IbsOpData,       1, 1, has_op,       op_data_read,        op_data_write },
	{ IbsOpData2,      1, 1, has_op,       op_data2_read,       op_data2_write },
	{ IbsOpData3,      1, 1, has_op,       op_data3_read,       op_data3_write },
	{ IbsDcLinAd,      1, 1, has_op,       dc_linear_read,      dc_linear_write },
	{ IbsDcPhysAd,     1, 1, has_op,       dc_physical_read,    dc_physical_write },
	{ IbsControl,      1, 1, has_op,       control_read,        NULL },
	{ IbsBrTarget,     1, 1, has_target,   branch_target_read,  branch_target_write },
	{ IbsFetchCtlExtd, 1, 1, has_extended, nothing_read,        nothing_write },
	{ IbsOpData4,      1, 1, has_data4,    nothing_read,        nothing_write },
	{ .count = 0 }
};
