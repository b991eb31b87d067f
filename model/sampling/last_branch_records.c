/* SPDX-License-Identifier: MIT */
/*
 * Last branch records. Source: SDM 3B, "LBR Stack", "Filtering of Last Branch Records", "Last
 * Branch, Call Stack, Interrupt, and Exception Recording" by processor, "Architectural Last Branch
 * Records".
 *
 * All stacks are one ring: TOS says where its newest entry is, an architectural LBR's entry n is
 * the one n before that. P6's pair is a ring of one.
 *
 * Chosen: a branch belongs to the level where it ends; cycles are those since the last entry, or
 * since LBR was turned on, an instruction each while nothing counts; in call-stack mode a return
 * clears the entry that it takes, and a call is one wherever it leads.
 */
#include <model/sampling/branch_records.h>

/* What records each kind of branch, by enum model_branch; the first one is an entry. */
static const struct kind {
	uint64_t select, ctl;          /* 1: not recorded, 1: recorded */
	uint8_t type;                  /* enum lbr_branch_type */
} kinds[MODEL_BRANCHES] = {
#define KIND(name, select, ctl, type) \
	[name] = { MSR_LBR_SELECT_##select, IA32_LBR_CTL_##ctl, LBR_TYPE_##type }
	KIND(MODEL_NO_BRANCH,     FAR_BRANCH,    OTHER_BRANCH,  OTHER),
	KIND(MODEL_JCC,           JCC,           JCC,           COND),
	KIND(MODEL_JMP,           NEAR_REL_JMP,  NEAR_REL_JMP,  JMP_DIRECT),
	KIND(MODEL_JMP_INDIRECT,  NEAR_IND_JMP,  NEAR_IND_JMP,  JMP_INDIRECT),
	KIND(MODEL_CALL,          NEAR_REL_CALL, NEAR_REL_CALL, CALL_DIRECT),
	KIND(MODEL_CALL_INDIRECT, NEAR_IND_CALL, NEAR_IND_CALL, CALL_INDIRECT),
	KIND(MODEL_RET,           NEAR_RET,      NEAR_RET,      RET),
	KIND(MODEL_FAR_JMP,       FAR_BRANCH,    OTHER_BRANCH,  OTHER),
	KIND(MODEL_FAR_CALL,      FAR_BRANCH,    OTHER_BRANCH,  OTHER),
	KIND(MODEL_FAR_RET,       FAR_BRANCH,    OTHER_BRANCH,  OTHER),
	KIND(MODEL_INT,           FAR_BRANCH,    OTHER_BRANCH,  OTHER),
	KIND(MODEL_IRET,          FAR_BRANCH,    OTHER_BRANCH,  OTHER),
	KIND(MODEL_SYSCALL,       FAR_BRANCH,    OTHER_BRANCH,  OTHER),
	KIND(MODEL_SYSRET,        FAR_BRANCH,    OTHER_BRANCH,  OTHER),
	KIND(MODEL_SYSENTER,      FAR_BRANCH,    OTHER_BRANCH,  OTHER),
	KIND(MODEL_SYSEXIT,       FAR_BRANCH,    OTHER_BRANCH,  OTHER),
};

#define CYCLES_MAX FIELD_GET(LBR_INFO_CYC_CNT, LBR_INFO_CYC_CNT)

/* ---------------------------------------------------------------------------- on or off */

bool model_lbr_is_on(const struct model *m)
{
	const struct model_rules *r = rules_of(m);
	bool is_frozen = m->global_status & IA32_PERF_GLOBAL_STATUS_LBR_FRZ;
	bool is_enabled = r->lbr_is_architectural ? m->branches.select & IA32_LBR_CTL_LBREN
	                                          : m->debugctl & IA32_DEBUGCTL_LBR;

	return r->lbr_depth && (is_enabled || r->lbr_is_always) && !is_frozen;
}

static uint64_t now(const struct model *m)
{
	return m->cycles + m->branches.idle_insns;
}

void model_lbr_start(struct model *m)
{
	m->branches.since = now(m);
}

void model_lbr_reset(struct model *m)
{
	const struct model_rules *r = rules_of(m);
	struct model_branches *b = &m->branches;
	const struct model_lbr_entry junk = { r->lbr_junk, r->lbr_junk, 0 };

	__builtin_memset(b, 0, sizeof(*b));
	b->depth = r->lbr_depth;
	for (unsigned i = 0; r->lbr_junk && i < MODEL_LBR_MAX; i++)
		b->entry[i] = junk;
	if (r->lbr_junk && r->lbr_tos)
		b->top = 1;
}

/* ---------------------------------------------------------------------------- filters */

static bool is_call_stack(const struct model *m)
{
	return m->branches.select & (rules_of(m)->lbr_is_architectural ? IA32_LBR_CTL_CALL_STACK
	                             : rules_of(m)->lbr_select_bits & MSR_LBR_SELECT_EN_CALLSTACK);
}

/* IA32_LBR_CTL: 1 is recorded. */
static bool passes_control(const struct model *m, const struct kind *kind, bool is_user)
{
	uint64_t ctl = m->branches.select | rules_of(m)->lbr_select_ignored;

	return ctl & kind->ctl && ctl & (is_user ? IA32_LBR_CTL_USR : IA32_LBR_CTL_OS);
}

/* MSR_LBR_SELECT: 1 is not recorded. */
static bool passes_select(const struct model *m, const struct kind *kind, bool is_user)
{
	uint64_t select = m->branches.select & ~rules_of(m)->lbr_select_ignored;

	return !(select & kind->select) &&
	       !(select & (is_user ? MSR_LBR_SELECT_CPL_NEQ_0 : MSR_LBR_SELECT_CPL_EQ_0));
}

static bool passes(const struct model *m, const struct model_taken *taken)
{
	const struct model_rules *r = rules_of(m);
	const struct kind *kind = &kinds[taken->branch];
	bool is_user = (taken->to.cpl != 0) ^ r->lbr_levels_are_swapped;

	if ((r->lbr_lacks_interrupts && taken->cause == MODEL_BY_INTERRUPT) ||
	    (r->lbr_lacks_exceptions && taken->cause == MODEL_BY_EXCEPTION))
		return false;
	if (r->lbr_is_architectural)
		return passes_control(m, kind, is_user);
	return passes_select(m, kind, is_user);
}

/* ---------------------------------------------------------------------------- entries */

static uint64_t address_of(const struct model *m, const struct model_place *place)
{
	return rules_of(m)->lbr_has_offsets ? place->ip - place->code_base : place->ip;
}

static uint64_t info_of(struct model *m, const struct model_taken *taken)
{
	uint64_t cycles = now(m) - m->branches.since;
	uint64_t info = FIELD_PUT(LBR_INFO_CYC_CNT, cycles < CYCLES_MAX ? cycles : CYCLES_MAX);

	if (rules_of(m)->lbr_is_architectural)
		info |= LBR_INFO_CYC_CNT_VALID |
		        FIELD_PUT(LBR_INFO_BR_TYPE, kinds[taken->branch].type);
	return info | (taken->is_mispredicted ? LBR_INFO_MISPRED : 0);
}

static struct model_lbr_entry entry_of(struct model *m, const struct model_taken *taken)
{
	const struct model_rules *r = rules_of(m);
	bool is_odd = r->lbr_entry_is_handler && taken->cause == MODEL_BY_EXCEPTION;
	struct model_lbr_entry e = {
		.from = address_of(m, is_odd ? &taken->to : &taken->from),
		.to = address_of(m, &taken->to),
		.info = info_of(m, taken),
	};

	if (r->lbr_is_swapped)
		return (struct model_lbr_entry){ e.to, e.from, e.info };
	return e;
}

static void push(struct model *m, const struct model_lbr_entry *e)
{
	const struct model_rules *r = rules_of(m);
	struct model_branches *b = &m->branches;
	unsigned size = model_lbr_size(m), next = (b->top + 1) % size;

	if (r->lbr_skips_first && next == 0)
		next = 1 % size;
	if (!r->lbr_top_is_behind)
		b->entry[next] = *e;
	else
		b->entry[b->top] = *e;
	if (!r->lbr_top_stays)
		b->top = next;
	b->since = now(m);
	b->inserted += m->is_active;
}

static void pop(struct model *m)
{
	struct model_branches *b = &m->branches;
	unsigned size = model_lbr_size(m);

	b->entry[b->top] = (struct model_lbr_entry){ 0, 0, 0 };
	b->top = (b->top + size - 1) % size;
	b->since = now(m);
}

void model_lbr_record(struct model *m, const struct model_taken *taken)
{
	m->branches.last = entry_of(m, taken);
	if (!passes(m, taken))
		return;
	if (taken->branch == MODEL_RET && is_call_stack(m) && !rules_of(m)->lbr_returns_are_calls)
		pop(m);
	else
		push(m, &m->branches.last);
}

void model_ler_record(struct model *m)
{
	m->branches.exception = m->branches.last;
}

/* ---------------------------------------------------------------------------- PEBS, PMI */

bool model_branches_get(const struct model *m, unsigned age, struct model_lbr_entry *entry)
{
	unsigned size = rules_of(m)->lbr_depth ? model_lbr_size(m) : 0;

	if (age >= size)
		return false;
	*entry = m->branches.entry[(m->branches.top + size - age) % size];
	return true;
}

/* SDM 3B, "Freezing LBR and Performance Counters on PMI", "Streamlined Freeze_LBR_On_PMI". */
void model_branches_freeze(struct model *m)
{
	const struct model_rules *r = rules_of(m);

	if (r->lbr_freeze_is_ignored)
		return;
	if (r->lbr_freeze_moves_top && is_call_stack(m))
		m->branches.top = (m->branches.top + 1) % model_lbr_size(m);
	if (r->freezes_lbr_by_status)
		m->global_status |= IA32_PERF_GLOBAL_STATUS_LBR_FRZ;
	else
		m->debugctl &= ~IA32_DEBUGCTL_LBR;
	model_branches_update(m);
}
