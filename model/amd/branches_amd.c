/* SPDX-License-Identifier: MIT */
/*
 * AMD's branch records: the pair of K7 and later, by DebugCtl; BRS of Zen 3, sixteen branches after
 * an overflow; the stack of Zen 4. Sources: APM 2, "Control-Transfer Recording Using Last Branch
 * Control MSR", "Last Branch Record Stack"; Linux, arch/x86/events/amd/brs.c and lbr.c.
 *
 * Chosen, where these are silent: LastIntFromIP and LastIntToIP are the pair as it was when an
 * interrupt, an exception or INT n came; the stack is never speculative, as no wrong path is
 * executed; FLBRI stops the stack, not the pair; a write of BRS' enable empties its buffer.
 */
#include <model/amd/amd_shared.h>

#define IS_STACK(r) ((r)->amd.branch_stack == AMD_STACK)
#define IS_BRS(r)   ((r)->amd.branch_stack == AMD_BRS)

static bool is_pair_on(const struct refpmu_cpu *m)
{
	return m->debugctl & DebugCtl_LBR;
}

static bool is_stack_on(const struct refpmu_cpu *m)
{
	return IS_STACK(rules_of(m)) && (m->branches.control & DbgExtnCfg_LBRSE) &&
	       !(m->global_status & PerfCntrGlobalStatus_LBRSF);
}

bool model_amd_records(const struct refpmu_cpu *m)
{
	return is_pair_on(m) || is_stack_on(m) || m->branches.is_filling;
}

/* ---------------------------------------------------------------------------- recording */

/* Appends to BRS' buffer; the PMI of the overflow comes when it is full. */
static void fill(struct refpmu_cpu *m, const struct model_taken *taken)
{
	struct model_branches *b = &m->branches;

	b->entry[b->top] = (struct model_lbr_entry){ taken->from.ip, taken->to.ip, 0 };
	b->is_filled = true;
	b->top = (b->top + 1) % AMD_BRANCHES;
	if (b->top)
		return;
	b->is_filling = false;
	model_branches_update(m);
	if (b->is_holding)
		model_request_pmi(m, 0);
	b->is_holding = false;
}

static void push(struct refpmu_cpu *m, const struct model_taken *taken)
{
	struct model_branches *b = &m->branches;

	b->top = (b->top + 1) % AMD_BRANCHES;
	b->entry[b->top] = (struct model_lbr_entry){
		.from = (taken->from.ip & LBR_STACK_ADDRESS) |
		        (taken->is_mispredicted ? LastBranchStackFromIp_MISP : 0),
		.to = (taken->to.ip & LBR_STACK_ADDRESS) | LastBranchStackToIp_V,
	};
}

void model_amd_record(struct refpmu_cpu *m, const struct model_taken *taken)
{
	if (is_pair_on(m))
		m->branches.last = (struct model_lbr_entry){
			taken->from.ip - taken->from.code_base,
			taken->to.ip - taken->to.code_base, 0 };
	if (m->branches.is_filling)
		fill(m, taken);
	else if (is_stack_on(m) && model_branch_passes(m, taken))
		push(m, taken);
}

void model_amd_int_record(struct refpmu_cpu *m)
{
	if (is_pair_on(m))
		m->branches.exception = m->branches.last;
}

/* APM 2: #DB clears these bits before its handler runs, and leaves the records alone. */
void model_amd_debug(struct refpmu_cpu *m)
{
	m->debugctl &= ~(DebugCtl_LBR | DebugCtl_BTF);
	if (IS_STACK(rules_of(m)))
		m->branches.control &= ~DbgExtnCfg_LBRSE;
}

/* Returns whether BRS holds the PMI of this overflow, and begins to record. */
bool model_brs_begins(struct refpmu_cpu *m, unsigned counter)
{
	struct model_branches *b = &m->branches;
	const uint64_t control = b->control;

	if (!IS_BRS(rules_of(m)) || !(control & BRS_CFG_EN) ||
	    FIELD_GET(BRS_CFG_PMC, control) != counter || b->is_filling)
		return false;
	b->is_filling = true;
	b->is_filled = false;
	b->top = 0;
	b->is_holding = m->counter[counter].is_pmi;
	model_branches_update(m);
	return b->is_holding;
}

/* ---------------------------------------------------------------------------- registers */

/* The pair, then that of the last interrupt. */
static uint64_t pair_of(const struct refpmu_cpu *m, unsigned n)
{
	const struct model_lbr_entry *e = n < 2 ? &m->branches.last : &m->branches.exception;

	return n % 2 ? e->to : e->from;
}
static MSR_SHOWS(pair, pair_of(m, n))

/* Register 0 of the stack is the newest; BRS fills its registers from the first one on. */
static uint64_t *entry_at(struct refpmu_cpu *m, unsigned n)
{
	struct model_branches *b = &m->branches;
	unsigned i = IS_BRS(rules_of(m)) ? n / 2 : (b->top + AMD_BRANCHES - n / 2) % AMD_BRANCHES;

	return n % 2 ? &b->entry[i].to : &b->entry[i].from;
}
static MSR_SHOWS(entry, *entry_at(m, n))
MSR_TAKES(entry, *entry_at(m, n), value)

static MSR_SHOWS(select, m->branches.select)
MSR_TAKES(select, m->branches.select, value & LBR_SELECT_BITS)

static uint64_t shown_control(const struct refpmu_cpu *m)
{
	const struct model_branches *b = &m->branches;

	if (!IS_BRS(rules_of(m)))
		return b->control;
	return b->control | FIELD_PUT(BRS_CFG_NEXT, b->top) | (b->is_filled ? BRS_CFG_VALID : 0);
}
static MSR_SHOWS(control, shown_control(m))

static enum refpmu_status control_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	struct model_branches *b = &m->branches;

	(void)n;
	if (IS_STACK(rules_of(m)) && (value & ~DbgExtnCfg_LBRSE))
		return REFPMU_GP;
	if (IS_BRS(rules_of(m))) {
		value &= BRS_CFG_EN | BRS_CFG_ONES | BRS_CFG_PMC;
		b->is_filling = b->is_holding = false;
		if (value & BRS_CFG_EN) {
			b->top = 0;
			b->is_filled = false;
		}
	}
	b->control = value;
	model_branches_update(m);
	return REFPMU_OK;
}

static MSR_IS_THERE(has_stack, IS_STACK(r))
static MSR_IS_THERE(has_entries, r->amd.branch_stack != AMD_PAIR)

const struct model_msr_row model_msrs_branches_amd[] = {
	{ AMD_LastBranchFromIP, 4, 1, NULL,         pair_read,    NULL },
	{ AMD_LBR_SELECT,       1, 1, has_stack,    select_read,  select_write },
	{ DbgExtnCfg,           1, 1, has_entries,  control_read, control_write },
	{ LastBranchStackFromIp(0), 2 * AMD_BRANCHES, 1, has_entries, entry_read, entry_write },
	{ .count = 0 }
};
