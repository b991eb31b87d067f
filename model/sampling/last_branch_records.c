/* SPDX-License-Identifier: MIT */
/*
 * Last branch records. Source: SDM 3B, "LBR Stack", "Filtering of Last Branch Records", "Last
 * Branch, Call Stack, Interrupt, and Exception Recording" by processor, "Architectural Last Branch
 * Records".
 *
 * All stacks are one ring: TOS is the index of the newest entry; entry n of an architectural LBR is
 * n entries before that. P6's pair is a ring of one.
 *
 * Chosen: a branch belongs to the level where it ends; cycles are those since the last entry, or
 * since LBR was turned on, one per instruction while nothing counts; in call-stack mode a return
 * clears the entry that it takes, and a call is a call wherever it leads.
 */
#include <model/sampling/branch_records.h>

/* The bits that record each kind of near branch, by enum refpmu_branch; the first row is for
 * others. */
static const struct kind {
	uint64_t select, ctl;          /* 1 in select: filtered; 1 in ctl: recorded */
	uint8_t type;                  /* enum lbr_branch_type */
} kinds[REFPMU_FAR_JMP] = {
#define KIND(name, select, ctl, type) \
	[name] = { MSR_LBR_SELECT_##select, IA32_LBR_CTL_##ctl, LBR_TYPE_##type }
	KIND(REFPMU_NO_BRANCH,    FAR_BRANCH,    OTHER_BRANCH,  OTHER),
	KIND(REFPMU_JCC,          JCC,           JCC,           COND),
	KIND(REFPMU_JMP,          NEAR_REL_JMP,  NEAR_REL_JMP,  JMP_DIRECT),
	KIND(REFPMU_JMP_INDIRECT,  NEAR_IND_JMP,  NEAR_IND_JMP,  JMP_INDIRECT),
	KIND(REFPMU_CALL,         NEAR_REL_CALL, NEAR_REL_CALL, CALL_DIRECT),
	KIND(REFPMU_CALL_INDIRECT, NEAR_IND_CALL, NEAR_IND_CALL, CALL_INDIRECT),
	KIND(REFPMU_RET,          NEAR_RET,      NEAR_RET,      RET),
};

#define CYCLES_MAX FIELD_GET(LBR_INFO_CYC_CNT, LBR_INFO_CYC_CNT)

/* ---------------------------------------------------------------------------- on or off */

bool model_lbr_is_on(const struct refpmu_cpu *m)
{
	const struct model_rules *r = rules_of(m);
	bool is_frozen = m->global_status & IA32_PERF_GLOBAL_STATUS_LBR_FRZ;
	bool is_enabled = r->lbr.is_architectural ? m->branches.select & IA32_LBR_CTL_LBREN
	                                          : m->debugctl & IA32_DEBUGCTL_LBR;

	return r->lbr.depth && is_enabled && !is_frozen;
}

static const struct kind *kind_of(const struct model_taken *taken)
{
	return &kinds[taken->branch < REFPMU_FAR_JMP ? taken->branch : REFPMU_NO_BRANCH];
}

static uint64_t now(const struct refpmu_cpu *m)
{
	return m->cycles + m->branches.idle_insns;
}

void model_lbr_start(struct refpmu_cpu *m)
{
	m->branches.since = now(m);
}

void model_lbr_reset(struct refpmu_cpu *m)
{
	m->branches = (struct model_branches) { .depth = rules_of(m)->lbr.depth };
}

/* ---------------------------------------------------------------------------- filters */

static bool is_call_stack(const struct refpmu_cpu *m)
{
	return m->branches.select & (rules_of(m)->lbr.is_architectural ? IA32_LBR_CTL_CALL_STACK
	                             : rules_of(m)->lbr.select_bits & MSR_LBR_SELECT_EN_CALLSTACK);
}

/* IA32_LBR_CTL: 1 is recorded. */
static bool passes_control(const struct refpmu_cpu *m, const struct kind *kind, bool is_user)
{
	uint64_t ctl = m->branches.select;

	return ctl & kind->ctl && ctl & (is_user ? IA32_LBR_CTL_USR : IA32_LBR_CTL_OS);
}

/* MSR_LBR_SELECT: 1 is not recorded. */
static bool passes_select(const struct refpmu_cpu *m, const struct kind *kind, bool is_user)
{
	uint64_t select = m->branches.select;

	return !(select & kind->select) &&
	       !(select & (is_user ? MSR_LBR_SELECT_CPL_NEQ_0 : MSR_LBR_SELECT_CPL_EQ_0));
}

static bool passes(const struct refpmu_cpu *m, const struct model_taken *taken)
{
	const struct kind *kind = kind_of(taken);
	bool is_user = taken->to.cpl > 0;

	if (rules_of(m)->lbr.is_architectural)
		return passes_control(m, kind, is_user);
	return passes_select(m, kind, is_user);
}

/* ---------------------------------------------------------------------------- entries */

static uint64_t address_of(const struct refpmu_cpu *m, const struct refpmu_place *place)
{
	return rules_of(m)->lbr.has_offsets ? place->ip - place->code_base : place->ip;
}

static uint64_t info_of(struct refpmu_cpu *m, const struct model_taken *taken)
{
	uint64_t cycles = now(m) - m->branches.since;
	uint64_t info = FIELD_PUT(LBR_INFO_CYC_CNT, cycles < CYCLES_MAX ? cycles : CYCLES_MAX);

	if (rules_of(m)->lbr.is_architectural)
		info |= LBR_INFO_CYC_CNT_VALID |
		        FIELD_PUT(LBR_INFO_BR_TYPE, kind_of(taken)->type);
	return info | (taken->is_mispredicted ? LBR_INFO_MISPRED : 0);
}

static struct model_lbr_entry entry_of(struct refpmu_cpu *m, const struct model_taken *taken)
{
	return (struct model_lbr_entry) {
		.from = address_of(m, &taken->from),
		.to = address_of(m, &taken->to),
		.info = info_of(m, taken),
	};
}

static void push(struct refpmu_cpu *m, const struct model_lbr_entry *e)
{
	struct model_branches *b = &m->branches;
	unsigned size = model_lbr_size(m), next = (b->top + 1) % size;

	b->entry[next] = *e;
	b->top = next;
	b->since = now(m);
	b->inserted += m->is_active;
}

static void pop(struct refpmu_cpu *m)
{
	struct model_branches *b = &m->branches;
	unsigned size = model_lbr_size(m);

	b->entry[b->top] = (struct model_lbr_entry){ 0, 0, 0 };
	b->top = (b->top + size - 1) % size;
	b->since = now(m);
}

void model_lbr_record(struct refpmu_cpu *m, const struct model_taken *taken)
{
	m->branches.last = entry_of(m, taken);
	if (!passes(m, taken))
		return;
	if (taken->branch == REFPMU_RET && is_call_stack(m))
		pop(m);
	else
		push(m, &m->branches.last);
}

void model_ler_record(struct refpmu_cpu *m)
{
	m->branches.exception = m->branches.last;
}

/* ---------------------------------------------------------------------------- PEBS, PMI */

struct model_lbr_entry model_branches_get(const struct refpmu_cpu *m, unsigned age)
{
	unsigned size = rules_of(m)->lbr.depth ? model_lbr_size(m) : 0;

	if (age >= size)
		return (struct model_lbr_entry) { 0 };
	return m->branches.entry[(m->branches.top + size - age) % size];
}

/* SDM 3B, "Freezing LBR and Performance Counters on PMI", "Streamlined Freeze_LBR_On_PMI". */
void model_branches_freeze(struct refpmu_cpu *m)
{
	if (rules_of(m)->overflow.freezes_by_status)
		m->global_status |= IA32_PERF_GLOBAL_STATUS_LBR_FRZ;
	else
		m->debugctl &= ~IA32_DEBUGCTL_LBR;
	model_branches_update(m);
}
