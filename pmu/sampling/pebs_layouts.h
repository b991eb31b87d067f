/* SPDX-License-Identifier: MIT */
/* What PEBS records look like on this processor: which fields they have, and where. */
#ifndef PMU_SAMPLING_PEBS_LAYOUTS_H
#define PMU_SAMPLING_PEBS_LAYOUTS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the bytes of an address in the debug store area and in its records, 4 or 8, by
 * CPUID.1:ECX[2] (DTES64) and the kernel's mode. */
unsigned ds_width(void);

enum pebs_field {
	PEBS_FLAGS, PEBS_IP, PEBS_AX, PEBS_BX, PEBS_CX, PEBS_DX, PEBS_SI, PEBS_DI, PEBS_BP, PEBS_SP,
	PEBS_R8, PEBS_R9, PEBS_R10, PEBS_R11, PEBS_R12, PEBS_R13, PEBS_R14, PEBS_R15,
	PEBS_STATUS,                   /* IA32_PERF_GLOBAL_STATUS; format 3: applicable counters */
	PEBS_ADDRESS, PEBS_SOURCE, PEBS_LATENCY, PEBS_EVENTING_IP, PEBS_TX, PEBS_TSC,
	PEBS_FORMAT_SIZE,              /* adaptive records' first word */
	PEBS_FIELDS
};

/* The layout on this processor: NetBurst's and Core's without DTES64, formats 0 to 6. */
struct pebs_layout {
	const char *name;              /* "32-bit", "format 1", "adaptive" */
	unsigned size;                 /* bytes; of adaptive records: by MSR_PEBS_DATA_CFG */
	uint16_t offset[PEBS_FIELDS];  /* plus 1; 0: there is no such field */
	uint8_t width;                 /* of a field: 4 or 8 */
	bool is_adaptive;
};
const struct pebs_layout *pebs_layout(void);   /* NULL: a format that is not known */
unsigned pebs_format(void);                    /* IA32_PERF_CAPABILITIES[11:8] */

/* Returns the bytes of a record: the layout's; if it is adaptive, those of MSR_PEBS_DATA_CFG. */
unsigned pebs_record_size(void);

/* Returns where a group of adaptive records begins, by its bit of MSR_PEBS_DATA_CFG; -1 if records
 * do not have it. */
int pebs_group_at(uint64_t bit);

/* Reads a field of the record at this address; returns false if these records do not have it. */
bool pebs_get_at(const void *record, enum pebs_field field, uint64_t *value);

/* Does PEBS_IP stand behind the instruction that caused the event (a trap), or on it? NetBurst: not
 * known, a test takes both. By IA32_PERF_CAPABILITIES[6]; adaptive records: eventing IP in
 * PEBS_EVENTING_IP, PEBS_IP behind it. */
enum pebs_ip { PEBS_IP_NEXT, PEBS_IP_EVENTING, PEBS_IP_UNSURE };
enum pebs_ip pebs_ip_is(void);

/*
 * Writes MSR_PEBS_DATA_CFG where records are adaptive, nothing elsewhere. Call it before
 * ds_set_up(), as it makes the records' size. pebs_setup() sets PMU_ADAPTIVE there; without it
 * records are the basic group, which the functions above do not know. The engine writes 0 around
 * each test.
 */
void pebs_set_data_cfg(uint64_t value);

/* Writes 0 there for pebs_reset(), whatever faults. */
void pebs_forget_data_cfg(void);

#endif
