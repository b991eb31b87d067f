/* SPDX-License-Identifier: MIT */
/* Describes PEBS records on this processor: their fields and offsets. */
#ifndef PMU_SAMPLING_PEBS_LAYOUTS_H
#define PMU_SAMPLING_PEBS_LAYOUTS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns the size in bytes of an address in the debug store area and in its records, 4 or 8, which
 * depends on CPUID.1:ECX[2] (DTES64) and the kernel's mode.
 */
unsigned ds_width(void);

enum pebs_field {
	PEBS_FLAGS, PEBS_IP, PEBS_AX, PEBS_BX, PEBS_CX, PEBS_DX, PEBS_SI, PEBS_DI, PEBS_BP, PEBS_SP,
	PEBS_R8, PEBS_R9, PEBS_R10, PEBS_R11, PEBS_R12, PEBS_R13, PEBS_R14, PEBS_R15,
	PEBS_STATUS,                   /* IA32_PERF_GLOBAL_STATUS; format 3: applicable counters */
	PEBS_ADDRESS, PEBS_SOURCE, PEBS_LATENCY, PEBS_EVENTING_IP, PEBS_TX, PEBS_TSC,
	PEBS_FORMAT_SIZE,              /* the first word of adaptive records */
	PEBS_FIELDS
};

/*
 * Describes the layout on this processor: NetBurst's or Core's without DTES64, or one of formats 0
 * to 6.
 */
struct pebs_layout {
	const char *name;              /* "32-bit", "format 1", "adaptive" */
	unsigned size;                 /* in bytes; adaptive records: pebs_record_size() */
	uint16_t offset[PEBS_FIELDS];  /* plus 1; 0 if the field does not exist */
	uint8_t width;                 /* width of a field: 4 or 8 bytes */
	bool is_adaptive;
};
const struct pebs_layout *pebs_layout(void);   /* returns NULL for an unknown format */
unsigned pebs_format(void);                    /* returns IA32_PERF_CAPABILITIES[11:8] */

/*
 * Returns the size of a record in bytes: the layout's or, for adaptive records, what
 * MSR_PEBS_DATA_CFG makes it.
 */
unsigned pebs_record_size(void);

/*
 * Returns the offset of a group of adaptive records, given by its bit of MSR_PEBS_DATA_CFG, or -1
 * if records do not have it.
 */
int pebs_group_at(uint64_t bit);

/* Reads a field of the record at this address; returns false if these records do not have it. */
bool pebs_get_at(const void *record, enum pebs_field field, uint64_t *value);

/*
 * Returns whether PEBS_IP points to the instruction that caused the event or to the next one (a
 * trap), by IA32_PERF_CAPABILITIES[6]. On NetBurst this is unknown, and a test accepts both.
 * Adaptive records have the eventing IP in PEBS_EVENTING_IP and the next one in PEBS_IP.
 */
enum pebs_ip { PEBS_IP_NEXT, PEBS_IP_EVENTING, PEBS_IP_UNSURE };
enum pebs_ip pebs_ip_is(void);

/*
 * Writes MSR_PEBS_DATA_CFG if records are adaptive, else does nothing. Must be called before
 * ds_set_up(), because it determines the records' size. pebs_setup() then sets PMU_ADAPTIVE;
 * without that flag, records are just the basic group, which the functions above do not know. The
 * engine writes 0 around each test.
 */
void pebs_set_data_cfg(uint64_t value);

/* Writes 0 to MSR_PEBS_DATA_CFG, for pebs_reset(), ignoring faults. */
void pebs_forget_data_cfg(void);

#endif
