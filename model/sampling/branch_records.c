/* SPDX-License-Identifier: MIT */
/*
 * Branch records: when a processor records, and what; BTS, which records in memory. LBR is in
 * last_branch_records.c. Source: SDM 3B, "Monitoring Branches, Exceptions, and Interrupts",
 * "Last Branch, Interrupt, and Exception Recording" and its sections by processor; "Branch Trace
 * Store (BTS)", "BTS and DS Save Area", "Setting Up the BTS Buffer".
 *
 * Recording does not make a processor active: its time remains the emulator's. Chosen: with BTINT
 * each record of BTS at or above the threshold requests a PMI, and sets the status bit of the debug
 * store area if there is a status register.
 */
#include <model/sampling/branch_records.h>
#include <model/sampling/debug_store.h>

#define VECTOR_DB 1u

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
static void update_watch(struct refpmu_cpu *m, bool records)
{
	struct refpmu_machine *machine = m->package->machine;

	if (records == m->records_branches)
		return;
	m->records_branches = records;
	if (records)
		machine->recording++;
	else
		machine->recording--;
	model_update_watch(machine);
}

void model_branches_update(struct refpmu_cpu *m)
{
	struct model_branches *b = &m->branches;
	bool is_lbr_on = model_lbr_is_on(m);

	if (is_lbr_on && !b->is_lbr_on)
		model_lbr_start(m);
	b->is_lbr_on = is_lbr_on;
	b->is_bts_on = bts_is_on(m);
	update_watch(m, b->is_lbr_on || b->is_bts_on);
	if (!m->records_branches)
		m->is_entering = false;
}

void model_branches_reset(struct refpmu_cpu *m, enum refpmu_reset kind)
{
	m->is_entering = false;
	if (kind != REFPMU_RESET_INIT)
		model_lbr_reset(m);
	else if (rules_of(m)->ds.init_clears_bts)
		m->debugctl &= ~FIELD(rules_of(m)->ds.bts_bit + 4, rules_of(m)->ds.bts_bit);
	model_branches_update(m);
}

/* Raises the PMI that BTS' buffer requested, if no later step of the call would. */
static void flush_pmi(struct refpmu_cpu *m)
{
	if (is_pmi_due(m))
		model_flush_pmi(m);
}

/* ---------------------------------------------------------------------------- what */

static void record(struct refpmu_cpu *m, const struct model_taken *taken)
{
	if (m->branches.is_lbr_on)
		model_lbr_record(m, taken);
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
		model_ler_record(m);
	record(m, &taken);
	if (!m->is_active)
		flush_pmi(m);
}

/* Inserts at most one entry for an instruction, and one for an exception or interrupt. */
void model_count_inserts(struct refpmu_cpu *m)
{
	model_count_told(m, SIGNAL_LBR_INSERTS, m->branches.inserted);
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
	model_ler_record(m);
	m->debugctl &= ~IA32_DEBUGCTL_LBR;
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
		model_ler_record(m);
	record(m, &taken);
	if (m->branches.inserted && m->is_active)
		model_count_inserts(m);
	flush_pmi(m);
}
