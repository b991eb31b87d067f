/* SPDX-License-Identifier: MIT */
/*
 * Locates the fields of PEBS records. Source: SDM 3B, "BTS and DS Save Area" (32-bit, format 0),
 * "Processor Event Based Sampling (PEBS)" by microarchitecture (formats 1 to 3), "Adaptive PEBS".
 */
#include <pmu/sampling/pebs_layouts.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/string.h>
#include <pmu/core/pmu.h>

/* Offsets are stored plus 1, because 0 means that there is no such field. */
#define AT(field, offset)  [field] = (offset) + 1

#define NARROW_FIELDS \
	AT(PEBS_FLAGS, 0x00), AT(PEBS_IP, 0x04), AT(PEBS_AX, 0x08), AT(PEBS_BX, 0x0c), \
	AT(PEBS_CX, 0x10), AT(PEBS_DX, 0x14), AT(PEBS_SI, 0x18), AT(PEBS_DI, 0x1c), \
	AT(PEBS_BP, 0x20), AT(PEBS_SP, 0x24)

#define FIELDS_0 \
	AT(PEBS_FLAGS, 0x00), AT(PEBS_IP, 0x08), AT(PEBS_AX, 0x10), AT(PEBS_BX, 0x18), \
	AT(PEBS_CX, 0x20), AT(PEBS_DX, 0x28), AT(PEBS_SI, 0x30), AT(PEBS_DI, 0x38), \
	AT(PEBS_BP, 0x40), AT(PEBS_SP, 0x48), AT(PEBS_R8, 0x50), AT(PEBS_R9, 0x58), \
	AT(PEBS_R10, 0x60), AT(PEBS_R11, 0x68), AT(PEBS_R12, 0x70), AT(PEBS_R13, 0x78), \
	AT(PEBS_R14, 0x80), AT(PEBS_R15, 0x88)
#define FIELDS_1 FIELDS_0, \
	AT(PEBS_STATUS, 0x90), AT(PEBS_ADDRESS, 0x98), AT(PEBS_SOURCE, 0xa0), \
	AT(PEBS_LATENCY, 0xa8)
#define FIELDS_2 FIELDS_1, AT(PEBS_EVENTING_IP, 0xb0), AT(PEBS_TX, 0xb8)
#define FIELDS_3 FIELDS_2, AT(PEBS_TSC, 0xc0)

static const struct pebs_layout narrow = {
	.name = "32-bit", .size = 40, .width = 4, .offset = { NARROW_FIELDS },
};

static const struct pebs_layout formats[] = {
	{ .name = "format 0", .size = 144, .width = 8, .offset = { FIELDS_0 } },
	{ .name = "format 1", .size = 176, .width = 8, .offset = { FIELDS_1 } },
	{ .name = "format 2", .size = 192, .width = 8, .offset = { FIELDS_2 } },
	{ .name = "format 3", .size = 200, .width = 8, .offset = { FIELDS_3 } },
};
enum { FORMATS = COUNT_OF(formats), FORMAT_LAST = 6 };

/* The groups of adaptive records in their order. Offsets are relative to the group. */
static const struct {
	uint64_t bit;                  /* of MSR_PEBS_DATA_CFG; 0: always present */
	unsigned size;                 /* 0: group_size() knows */
	uint16_t offset[PEBS_FIELDS];
} groups[] = {
	{ .size = 32, .offset = {
		AT(PEBS_FORMAT_SIZE, 0x00), AT(PEBS_EVENTING_IP, 0x08), AT(PEBS_STATUS, 0x10),
		AT(PEBS_TSC, 0x18) } },
	{ .bit = MSR_PEBS_DATA_CFG_MEMORY, .size = 32, .offset = {
		AT(PEBS_ADDRESS, 0x00), AT(PEBS_SOURCE, 0x08), AT(PEBS_LATENCY, 0x10),
		AT(PEBS_TX, 0x18) } },
	{ .bit = MSR_PEBS_DATA_CFG_GPRS, .size = 144, .offset = {
		AT(PEBS_FLAGS, 0x00), AT(PEBS_IP, 0x08), AT(PEBS_AX, 0x10), AT(PEBS_CX, 0x18),
		AT(PEBS_DX, 0x20), AT(PEBS_BX, 0x28), AT(PEBS_SP, 0x30), AT(PEBS_BP, 0x38),
		AT(PEBS_SI, 0x40), AT(PEBS_DI, 0x48), AT(PEBS_R8, 0x50), AT(PEBS_R9, 0x58),
		AT(PEBS_R10, 0x60), AT(PEBS_R11, 0x68), AT(PEBS_R12, 0x70),
		AT(PEBS_R13, 0x78), AT(PEBS_R14, 0x80), AT(PEBS_R15, 0x88) } },
	{ .bit = MSR_PEBS_DATA_CFG_XMMS, .size = 256 },
	{ .bit = MSR_PEBS_DATA_CFG_LBRS },
	{ .bit = MSR_PEBS_DATA_CFG_COUNTERS | MSR_PEBS_DATA_CFG_METRICS },
};
enum { GROUPS = COUNT_OF(groups) };

static const struct pebs_layout adaptive = {
	.name = "adaptive", .width = 8, .is_adaptive = true,
};

static uint64_t data_cfg;

/* ---------------------------------------------------------------------------- layouts */

unsigned ds_width(void)
{
	return sizeof(uintptr_t) == 8 || cpuid_get(CPUID_DTES64) ? 8 : 4;
}

unsigned pebs_format(void)
{
	return (unsigned)FIELD_GET(IA32_PERF_CAPABILITIES_PEBS_FMT, pmu_get()->capabilities);
}

const struct pebs_layout *pebs_layout(void)
{
	if (ds_width() == 4)
		return &narrow;
	if (pmu_get()->capabilities & IA32_PERF_CAPABILITIES_PEBS_BASELINE)
		return pebs_format() <= FORMAT_LAST ? &adaptive : NULL;
	return pebs_format() < FORMATS ? &formats[pebs_format()] : NULL;
}

enum pebs_ip pebs_ip_is(void)
{
	const struct pmu *p = pmu_get();

	if (pmu_has(PMU_HAS_CCCRS))
		return PEBS_IP_UNSURE;
	return p->capabilities & IA32_PERF_CAPABILITIES_PEBS_TRAP ? PEBS_IP_NEXT
	                                                          : PEBS_IP_EVENTING;
}

/* ---------------------------------------------------------------------------- adaptive records */

void pebs_set_data_cfg(uint64_t value)
{
	const struct pebs_layout *layout = pebs_layout();

	data_cfg = layout && layout->is_adaptive ? value : 0;
	if (layout && layout->is_adaptive)
		msr_write(MSR_PEBS_DATA_CFG, value);
}

void pebs_forget_data_cfg(void)
{
	const struct pebs_layout *layout = pebs_layout();

	data_cfg = 0;
	if (layout && layout->is_adaptive)
		msr_try_write(MSR_PEBS_DATA_CFG, 0);
}

static unsigned bits_in(uint64_t value)
{
	unsigned n = 0;

	for (; value; value &= value - 1)
		n++;
	return n;
}

/* A header of 16 bytes comes first, then the requested counters and metrics (two words). */
static unsigned counters_size(void)
{
	unsigned words = 2;

	if (data_cfg & MSR_PEBS_DATA_CFG_COUNTERS)
		words += bits_in(data_cfg & (MSR_PEBS_DATA_CFG_PMCS | MSR_PEBS_DATA_CFG_FIXED));
	if (data_cfg & MSR_PEBS_DATA_CFG_METRICS)
		words += 2;
	return 8 * words;
}

static unsigned group_size(unsigned group)
{
	if (groups[group].bit && !(data_cfg & groups[group].bit))
		return 0;
	if (groups[group].size)
		return groups[group].size;
	if (groups[group].bit == MSR_PEBS_DATA_CFG_LBRS)
		return 24 * ((unsigned)FIELD_GET(MSR_PEBS_DATA_CFG_LBR_ENTRIES, data_cfg) + 1);
	return counters_size();
}

static unsigned group_start(unsigned group)
{
	unsigned start = 0;

	for (unsigned i = 0; i < group; i++)
		start += group_size(i);
	return start;
}

unsigned pebs_record_size(void)
{
	const struct pebs_layout *layout = pebs_layout();

	if (!layout)
		return 1;
	return layout->is_adaptive ? group_start(GROUPS) : layout->size;
}

int pebs_group_at(uint64_t bit)
{
	for (unsigned i = 0; i < GROUPS; i++)
		if (groups[i].bit & bit)
			return group_size(i) ? (int)group_start(i) : -1;
	return -1;
}

/* Returns the offset of a field in a record, or -1 if it does not exist. */
static int offset_of(const struct pebs_layout *layout, enum pebs_field field)
{
	if (!layout->is_adaptive)
		return layout->offset[field] - 1;
	for (unsigned i = 0; i < GROUPS; i++)
		if (groups[i].offset[field] && group_size(i))
			return (int)group_start(i) + groups[i].offset[field] - 1;
	return -1;
}

bool pebs_get_at(const void *record, enum pebs_field field, uint64_t *value)
{
	const struct pebs_layout *layout = pebs_layout();
	int offset = layout ? offset_of(layout, field) : -1;

	*value = 0;
	if (offset >= 0)
		memcpy(value, (const uint8_t *)record + offset, layout->width);
	return offset >= 0;
}
