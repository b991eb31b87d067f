/* SPDX-License-Identifier: MIT */
/*
 * Branch records: when a processor records, and what; LBR; BTS, which records in memory. Source:
 * SDM 3B, "Monitoring Branches, Exceptions, and Interrupts", "Last Branch, Interrupt, and Exception
 * Recording" and its sections by processor, "LBR Stack", "Filtering of Last Branch Records",
 * "Architectural Last Branch Records"; "Branch Trace Store (BTS)", "BTS and DS Save Area", "Setting
 * Up the BTS Buffer".
 *
 * Recording does not make a processor active: its time remains the emulator's. Chosen: with BTINT
 * each record of BTS at or above the threshold requests a PMI, and sets the status bit of the debug
 * store area if there is a status register.
 *
 * All stacks of LBR are one ring: TOS is the index of the newest entry; entry n of an architectural
 * LBR is n entries before that. P6's pair is a ring of one.
 *
 * Chosen: a branch belongs to the level where it ends; cycles are those since the last entry, or
 * since LBR was turned on, one per instruction while nothing counts; in call-stack mode a return
 * clears the entry that it takes, and a call is a call wherever it leads.
 */
#include <model/sampling/records.h>

#define VECTOR_DB 1u

/* ---------------------------------------------------------------------------- LBR */

/* The bits that record each kind of near branch; the first row is for all others. */
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

static bool lbr_is_on(const struct refpmu_cpu *m)
{
	const struct model_rules *r = rules_of(m);
	bool is_frozen = m->global_status & IA32_PERF_GLOBAL_STATUS_LBR_FRZ;
	bool is_enabled = r->lbr.is_architectural ? m->branches.select & IA32_LBR_CTL_LBREN
	                                          : m->debugctl & IA32_DEBUGCTL_LBR;

	if (m->generation->is_lbr_on)
		return m->generation->is_lbr_on(m);
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

static void lbr_reset(struct refpmu_cpu *m)
{
	m->branches = (struct model_branches) { .depth = rules_of(m)->lbr.depth };
}

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

bool model_branch_passes(const struct refpmu_cpu *m, const struct model_taken *taken)
{
	return passes(m, taken);
}

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

static void lbr_record(struct refpmu_cpu *m, const struct model_taken *taken)
{
	if (m->generation->lbr_record) {
		m->generation->lbr_record(m, taken);
		return;
	}
	m->branches.last = entry_of(m, taken);
	if (!passes(m, taken))
		return;
	if (taken->branch == REFPMU_RET && is_call_stack(m))
		pop(m);
	else
		push(m, &m->branches.last);
}

static void ler_record(struct refpmu_cpu *m)
{
	if (m->generation->ler_record)
		m->generation->ler_record(m);
	else
		m->branches.exception = m->branches.last;
}

/* ---------------------------------------------------------------------------- BTS */

/* Bits of DEBUGCTL, from rules_of(m)->ds.bts_bit on. */
enum { TR, BTS, BTINT, OFF_OS, OFF_USR };

#define FLAG_PREDICTED BIT(4)

static bool has(const struct refpmu_cpu *m, unsigned bit)
{
	return m->debugctl >> (rules_of(m)->ds.bts_bit + bit) & 1;
}

static bool bts_is_on(const struct refpmu_cpu *m)
{
	return rules_of(m)->ds.bts_bit && has(m, TR) && has(m, BTS) &&
	       !(m->misc_enable & IA32_MISC_ENABLE_BTS_UNAVAILABLE);
}

/* The level where the branch starts decides. The bits exist only with CPUID's DS-CPL. */
static bool is_off(const struct refpmu_cpu *m, unsigned cpl)
{
	return has(m, cpl > 0 ? OFF_USR : OFF_OS);
}

static void fill(const struct refpmu_cpu *m, uint64_t fields[3], const struct model_taken *taken)
{
	bool has_flag = rules_of(m)->ds.bts_has_predicted;

	fields[0] = taken->from.ip;
	fields[1] = taken->to.ip;
	fields[2] = has_flag && !taken->is_mispredicted ? FLAG_PREDICTED : 0;
}

static void bts_record(struct refpmu_cpu *m, const struct model_taken *taken)
{
	uint64_t fields[3];
	enum model_ds_result result;
	bool is_int = has(m, BTINT);

	if (is_off(m, taken->from.cpl))
		return;
	fill(m, fields, taken);
	result = model_ds_append(m, MODEL_DS_BTS, fields, model_ds_pack(m, fields, 3), !is_int);
	if (result == MODEL_DS_FAULT && m->generation->ds_fault_shuts_down)
		m->host.shut_down(m->host.context);
	if (result == MODEL_DS_THRESHOLD && is_int)
		model_request_pmi(m, IA32_PERF_GLOBAL_STATUS_OVF_BUFFER);
}

/* ---------------------------------------------------------------------------- recording */

/* The caches and the predictor of all processors are simulated while one of them records. */
void model_branches_update(struct refpmu_cpu *m)
{
	struct refpmu_machine *machine = m->package->machine;
	struct model_branches *b = &m->branches;
	bool was_lbr_on = b->is_lbr_on, was_recording = m->records_branches;

	b->is_lbr_on = lbr_is_on(m);
	b->is_bts_on = bts_is_on(m);
	if (b->is_lbr_on && !was_lbr_on)
		b->since = now(m);
	m->records_branches = b->is_lbr_on || b->is_bts_on;
	machine->recording += m->records_branches;
	machine->recording -= was_recording;
	model_update_watch(machine);
	m->is_entering &= m->records_branches;
}

void model_before_switch(struct refpmu_cpu *m)
{
	model_end_run(m);
	m->was_fast = false;
	model_close(m, SIGNAL_FRONTEND);
}

void model_after_switch(struct refpmu_cpu *m)
{
	model_branches_update(m);
	model_make_plan(m);
	model_flush_pmi(m);
}

void model_branches_reset(struct refpmu_cpu *m, enum refpmu_reset kind)
{
	m->is_entering = false;
	if (kind != REFPMU_RESET_INIT)
		lbr_reset(m);
	else if (rules_of(m)->ds.init_clears_bts)
		m->debugctl &= ~FIELD(rules_of(m)->ds.bts_bit + 4, rules_of(m)->ds.bts_bit);
	model_branches_update(m);
}

static void record(struct refpmu_cpu *m, const struct model_taken *taken)
{
	if (m->branches.is_lbr_on)
		lbr_record(m, taken);
	if (m->branches.is_bts_on)
		bts_record(m, taken);
}

void model_branches_retire(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                           bool is_mispredicted)
{
	struct model_taken taken = {
		.from = { insn->ip, insn->code_base, insn->cpl },
		.to = { insn->next_ip, insn->code_base_after, insn->cpl_after },
		.branch = insn->branch, .is_mispredicted = is_mispredicted,
	};

	m->branches.idle_insns += !m->is_active;
	if (insn->branch == REFPMU_NO_BRANCH || !insn->is_taken)
		return;
	if (insn->branch == REFPMU_INT && rules_of(m)->lbr.ler_takes_int && m->branches.is_lbr_on)
		ler_record(m);
	record(m, &taken);
	if (!m->is_active)             /* no later step raises the PMI that BTS' buffer requested */
		model_flush_pmi(m);
}

/* Inserts at most one entry for an instruction, and one for an exception or interrupt. */
void model_count_inserts(struct refpmu_cpu *m)
{
	model_count_shared(m, SIGNAL_LBR_INSERTS, m->branches.inserted);
	m->branches.inserted = 0;
	model_settle(m);
}

void refpmu_enter(struct refpmu_cpu *m, struct refpmu_place from)
{
	struct model_branches *b = &m->branches;

	b->entered_from = from.ip;
	b->entered_base = from.code_base;
	b->entered_cpl = from.cpl;
	m->is_entering = true;
}

/* SDM: a debug exception clears LBR before its handler runs, and is not recorded. */
void model_branches_exception(struct refpmu_cpu *m, unsigned vector)
{
	if (vector != VECTOR_DB || rules_of(m)->lbr.is_architectural || !m->branches.is_lbr_on)
		return;
	if (m->generation->lbr_debug) {
		m->generation->lbr_debug(m);
	} else {
		ler_record(m);
		m->debugctl &= ~IA32_DEBUGCTL_LBR;
	}
	model_branches_update(m);
}

void refpmu_entered(struct refpmu_cpu *m, struct refpmu_place to)
{
	const struct model_branches *b = &m->branches;
	struct model_taken taken = {
		.from = { b->entered_from, b->entered_base, b->entered_cpl },
		.to = to, .branch = REFPMU_NO_BRANCH,
	};

	m->is_entering = false;
	if (b->is_lbr_on)
		ler_record(m);
	record(m, &taken);
	if (m->branches.inserted && m->is_active)
		model_count_inserts(m);
	model_flush_pmi(m);
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
