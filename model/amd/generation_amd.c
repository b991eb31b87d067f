/* SPDX-License-Identifier: MIT */
/*
 * AMD's processors since K7: what their counters count when, and CPUID. Instructions retire as on
 * P6, as micro-operations. Sources: APM 2, "Performance Monitoring Counters", its tables of
 * HG_ONLY, CNT_MASK and INV, USR and OS; APM 3, "CPUID", functions 8000_0001H and 8000_0022H.
 *
 * A counter with one of the two bits for host and guest counts nothing while EFER.SVME is 0, one
 * with both counts as one with neither: Linux 1018faa6cf23, and a comment in amd_core_hw_config().
 *
 * Chosen, where these are silent: a merged pair overflows at 2^64; a freeze comes with the request
 * for a PMI, even if LVTPC is masked; INIT leaves all registers alone; without a merged neighbour a
 * counter of family 17H and later takes 15 events of a cycle.
 */
#include <model/amd/amd_shared.h>

#include <arch/regs/amd.h>
#include <model/guests/vm_state.h>

/* ---------------------------------------------------------------------------- plan */

/* APM 2, table "Host/Guest Only Bits". */
static bool counts_in_this_mode(const struct refpmu_cpu *m, uint64_t ctl)
{
	const uint64_t both = PERF_CTL_GUEST_ONLY | PERF_CTL_HOST_ONLY;

	if ((ctl & both) == 0 || (ctl & both) == both)
		return true;
	return m->is_svme && (ctl & (m->is_guest ? PERF_CTL_GUEST_ONLY : PERF_CTL_HOST_ONLY));
}

/* Without the map of speculative locks nothing commits there. */
static uint8_t umask_of(const struct refpmu_cpu *m, uint64_t ctl)
{
	uint64_t umask = FIELD_GET(PERF_CTL_UNIT_MASK, ctl);

	if (model_amd_code(ctl) == AMD_EVENT_LOCKS && (m->ls_cfg & LS_CFG_NO_SPEC_LOCK_MAP))
		umask &= ~(uint64_t)AMD_LOCKS_SPEC_LOCK_MAP;
	return (uint8_t)umask;
}

static void set_up(struct refpmu_cpu *m, unsigned i)
{
	enum { MOST_OF_A_CYCLE = 15 };
	bool is_limited = rules_of(m)->amd.merges && !model_is_merged(m, i);
	uint64_t ctl = m->perfevtsel[i];
	bool is_on = model_is_enabled(m, ctl & PERF_CTL_EN, i) && counts_in_this_mode(m, ctl);

	model_choose_event(m, i, model_amd_code(ctl), umask_of(m, ctl));
	model_set_up_compare(m, i, ctl);
	m->counter[i].most = is_limited ? MOST_OF_A_CYCLE : 0;
	model_start_or_stop(&m->counter[i], is_on, ctl & PERF_CTL_OS, ctl & PERF_CTL_USR);
}

/* IRPerfCount is fixed counter 0 of the model; nothing but its enable stops it. */
static void plan(struct refpmu_cpu *m)
{
	struct model_counter *irperf = fixed_counter(m, 0);
	bool is_on = rules_of(m)->amd.has_irperf && (m->hwcr & HWCR_IRPERF_EN);

	irperf->signal = SIGNAL_INSTRUCTIONS;
	model_start_or_stop(irperf, is_on, true, true);
	m->package->counts = model_shared_run(m->package);
	m->ibs.is_on = (m->ibs.fetch_ctl & IbsFetchCtl_En) || (m->ibs.op_ctl & IbsOpCtl_En);
	model_plan_steps(m, set_up);
}

static void access(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
                   uint64_t physical, unsigned size, bool is_cacheable)
{
	if (m->ibs.is_on)
		model_ibs_access(m, &(struct model_ibs_access){ linear, physical, size,
		                                                (uint8_t)kind, is_cacheable });
	model_steps_access(m, kind, linear, physical, size, is_cacheable);
}

static void enter(struct refpmu_cpu *m, unsigned entry)
{
	m->ibs.accesses = 0;           /* those of an instruction that faulted */
	model_steps_enter(m, entry);
}

/* An interrupt right after the instruction counts at the level that this leads to. */
static void retire(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                   const struct cache_cost *cost)
{
	const struct model_retired retired = { insn, cost, model_traffic_of(cost) };
	uint64_t began = model_running_clocks(m);

	if (cost->llc_references && m->package->counts)
		model_count_in_package(m, &retired);
	model_steps_retire_uops(m, insn, cost);
	model_enter_ring(m, ring_of(m, insn->cpl_after));
	if (m->ibs.is_on)
		model_ibs_retire(m, &retired, began);
}

/* ---------------------------------------------------------------------------- overflow */

/* The odd counter of a merged pair has bits 63:48. */
static bool carries(struct refpmu_cpu *m, unsigned index)
{
	struct model_counter *odd = &m->counter[index + 1];

	if (model_brs_begins(m, index))        /* PerfMonV2, which has a status, has no BRS */
		return true;
	if (!model_is_merged(m, index))
		return false;
	odd->value = (odd->value & ~UINT64_C(0xffff)) | ((odd->value + 1) & 0xffff);
	return odd->value & 0xffff;
}

/* APM 2, "Freezing": DebugCtl[12] freezes the core counters, and [11] the stack of branches, when a
 * counter with INT overflows. */
static void freeze(struct refpmu_cpu *m)
{
	if (m->debugctl & DebugCtl_FLBRI) {
		m->global_status |= PerfCntrGlobalStatus_LBRSF;
		model_branches_update(m);
	}
	if (!(m->debugctl & DebugCtl_FPMCI))
		return;
	m->global_status |= PerfCntrGlobalStatus_PMCF;
	model_make_plan(m);
}

static void reset(struct refpmu_cpu *m, enum refpmu_reset kind)
{
	const struct model_rules *r = rules_of(m);

	model_steps_reset(m, kind);
	if (kind == REFPMU_RESET_INIT)
		return;
	m->global_ctrl = r->registers.has_global_control ? ones(r->counters.gp_count) : 0;
	m->package->nb = m->package->l3 = (struct model_shared_counters) { 0 };
	model_ibs_reset(m);
}

/* ---------------------------------------------------------------------------- CPUID */

enum { EAX, EBX, ECX, EDX };

static void set_bit(uint32_t *reg, uint32_t bit, bool is_set)
{
	*reg = is_set ? *reg | bit : *reg & ~bit;
}

static void show_features(const struct model_rules *r, uint32_t *ecx)
{
	if (r->amd.ibs)                         /* it interrupts by an entry of the extended LVT */
		*ecx |= CPUID_AMD_FEATURES_ECX_EXTAPIC;
	set_bit(ecx, CPUID_AMD_FEATURES_ECX_IBS, r->amd.ibs);
	set_bit(ecx, CPUID_AMD_FEATURES_ECX_CORE, r->counters.gp_count > PERF_LEGACY_COUNTERS);
	set_bit(ecx, CPUID_AMD_FEATURES_ECX_NB, r->amd.nb_count);
	set_bit(ecx, CPUID_AMD_FEATURES_ECX_LLC, r->amd.l3_count);
}

static void show_version_2(const struct model_rules *r, uint32_t regs[4])
{
	bool freezes = r->registers.debugctl_bits & DebugCtl_FPMCI;

	regs[EAX] = CPUID_AMD_PERFMON_EAX_V2 | (freezes ? CPUID_AMD_PERFMON_EAX_FREEZE : 0);
	if (r->amd.branch_stack == AMD_STACK)
		regs[EAX] |= CPUID_AMD_PERFMON_EAX_LBR;
	regs[EBX] = (uint32_t)(FIELD_PUT(CPUID_AMD_PERFMON_EBX_CORE, r->counters.gp_count) |
	                       (r->amd.branch_stack == AMD_STACK
	                        ? FIELD_PUT(CPUID_AMD_PERFMON_EBX_LBR, AMD_BRANCHES) : 0) |
	                       FIELD_PUT(CPUID_AMD_PERFMON_EBX_NB, r->amd.nb_count));
	regs[ECX] = regs[EDX] = 0;
}

static void show_sizes(const struct model_rules *r, uint32_t *ebx)
{
	set_bit(ebx, CPUID_AMD_SIZES_EBX_IRPERF, r->amd.has_irperf);
	set_bit(ebx, CPUID_AMD_SIZES_EBX_BRS, r->amd.branch_stack == AMD_BRS);
}

/* A leaf that is there although there is no IBS describes nothing. */
static void show_ibs(const struct model_ibs_rules *ibs, uint32_t regs[4])
{
	regs[EAX] = ibs && (ibs->caps & CPUID_AMD_IBS_EAX_FFV) ? ibs->caps : 0;
	regs[EBX] = regs[ECX] = regs[EDX] = 0;
}

static void raise_highest_leaf(const struct model_rules *r, uint32_t *highest)
{
	uint32_t needed = r->registers.has_global_control ? CPUID_AMD_PERFMON
	                : r->amd.ibs ? CPUID_AMD_IBS : 0;

	if (*highest < needed)
		*highest = needed;
}

static void cpuid(const struct model_rules *r, uint32_t leaf, uint32_t regs[4])
{
	bool has_version_2 = r->registers.has_global_control;

	if (leaf == CPUID_AMD_FREQUENCY)
		set_bit(&regs[ECX], CPUID_AMD_FREQUENCY_ECX_MPERF, r->amd.has_mperf);
	else if (leaf == CPUID_AMD_POWER)
		set_bit(&regs[EDX], CPUID_AMD_POWER_EDX_READ_ONLY, r->amd.has_mperf);
	else if (leaf == CPUID_AMD_HIGHEST)
		raise_highest_leaf(r, &regs[EAX]);
	else if (leaf == CPUID_AMD_FEATURES)
		show_features(r, &regs[ECX]);
	else if (leaf == CPUID_AMD_SIZES)
		show_sizes(r, &regs[EBX]);
	else if (leaf == CPUID_AMD_FEATURES_2 && has_version_2)
		set_bit(&regs[EAX], CPUID_AMD_FEATURES_2_EAX_PREC_RET, r->amd.has_prec_ret);
	else if (leaf == CPUID_AMD_IBS)
		show_ibs(r->amd.ibs, regs);
	else if (leaf == CPUID_AMD_PERFMON && has_version_2)
		show_version_2(r, regs);
}

const struct model_generation model_generation_amd = {
	MODEL_SVM, .access = access, .enter = enter, .start = model_steps_start,
	.close = model_steps_close, .stall = model_steps_stall, .finish = model_steps_finish,
	.msrs = { model_msrs_amd, model_msrs_ibs, model_msrs_branches_amd },
	.is_lbr_on = model_amd_records, .lbr_record = model_amd_record,
	.ler_record = model_amd_int_record, .lbr_debug = model_amd_debug,
	.events = model_events_amd,
	.retire = retire, .plan = plan, .cpuid = cpuid, .carries = carries,
	.read_counter = model_read_counter_amd, .freeze = freeze, .reset = reset,
};
