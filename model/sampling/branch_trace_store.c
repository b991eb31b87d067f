/* SPDX-License-Identifier: MIT */
/*
 * BTS: branch records in memory. Source: SDM 3B, "Branch Trace Store (BTS)", "BTS and DS Save
 * Area", "Setting Up the BTS Buffer", and the sections on MSR_DEBUGCTLA and IA32_DEBUGCTL.
 *
 * Chosen: with BTINT each record at the threshold or above asks for a PMI, and sets the status bit
 * of the debug store area where there is a status register.
 */
#include <model/sampling/branch_records.h>
#include <model/sampling/debug_store.h>

/* From rules_of(m)->ds.bts_bit on. */
enum { TR, BTS, BTINT, OFF_OS, OFF_USR };

#define FLAG_PREDICTED BIT(4)

static bool has(const struct refpmu_cpu *m, unsigned bit)
{
	return m->debugctl >> (rules_of(m)->ds.bts_bit + bit) & 1;
}

bool model_bts_is_on(const struct refpmu_cpu *m)
{
	return rules_of(m)->ds.bts_bit && has(m, TR) && has(m, BTS) &&
	       !(m->misc_enable & IA32_MISC_ENABLE_BTS_UNAVAILABLE);
}

/* The level where the branch starts decides. The bits are only there with CPUID's DS-CPL. */
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

void model_bts_record(struct refpmu_cpu *m, const struct model_taken *taken)
{
	unsigned width;
	uint64_t wide[3];
	uint32_t narrow[3];
	enum model_ds_result result;
	bool is_int = has(m, BTINT);

	if (is_off(m, taken->from.cpl))
		return;
	width = model_ds_width(m);
	fill(m, wide, taken);
	for (unsigned i = 0; i < 3; i++)
		narrow[i] = (uint32_t)wide[i];
	result = model_ds_append(m, MODEL_DS_BTS, width == 8 ? (void *)wide : (void *)narrow,
	                         3 * width, !is_int);
	if (result == MODEL_DS_FAULT && m->generation->ds_fault_shuts_down)
		m->host.shut_down(m->host.context);
	if (result == MODEL_DS_THRESHOLD && is_int)
		model_request_pmi(m, IA32_PERF_GLOBAL_STATUS_OVF_BUFFER);
}
