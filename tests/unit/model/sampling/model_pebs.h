/* SPDX-License-Identifier: MIT */
/* Sets up PEBS of architectural processors for the model's unit tests: an area and a buffer in
 * guest memory. The processors' features are typed from the manual a second time. */
#ifndef TESTS_UNIT_MODEL_SAMPLING_MODEL_PEBS_H
#define TESTS_UNIT_MODEL_SAMPLING_MODEL_PEBS_H

#include <arch/regs/table.h>
#include <tests/unit/model/core/model_cpus.h>

enum { PEBS_ENABLE = 0x3f1, DATA_CFG = 0x3f2, LD_LAT = 0x3f6, FRONTEND = 0x3f7 };
#define OVF_BUFFER ONE(62)
#define ADAPTIVE_RECORD ONE(34)

/* Returns the format that IA32_PERF_CAPABILITIES reports, or NO_PEBS for the Core Duo. */
enum { ADAPTIVE_FORMAT = 4, NO_PEBS = 15 };
static inline unsigned cpu_pebs_format(const struct cpu *cpu)
{
	static const struct { const char *first; unsigned format; } rows[] = {
		{ "arrow_lake", 6 }, { "corei7_icelake_u", ADAPTIVE_FORMAT },
		{ "corei7_skylake_x", 3 }, { "corei7_haswell_4770", 2 },
		{ "corei5_lynnfield_750", 1 }, { "atom_n270", 0 }
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++)
		if (cpu_is_from(cpu, rows[i].first))
			return rows[i].format;
	return NO_PEBS;
}

#define FOR_EACH_CPU_WITH_PEBS(cpu) \
	FOR_EACH_CPU(cpu) \
		if (cpu_pebs_format(cpu) != NO_PEBS)

/* Returns the bytes of a record without optional groups. */
static inline unsigned cpu_pebs_size(const struct cpu *cpu)
{
	static const unsigned sizes[] = { 144, 176, 192, 200 };
	unsigned format = cpu_pebs_format(cpu);

	return format < 4 ? sizes[format] : 32;
}

/* Return the event of retired instructions that this processor's PEBS records, and a counter for
 * it. */
static inline uint64_t cpu_pebs_event(const struct cpu *cpu)
{
	bool is_sandy = cpu_is_from(cpu, "corei7_sandy_bridge_2600k");

	return is_sandy && cpu_pebs_format(cpu) < 4 ? 0x01c0 : INSTRUCTIONS;
}

static inline unsigned cpu_pebs_counter(const struct cpu *cpu)
{
	return cpu_pebs_event(cpu) == INSTRUCTIONS ? 0 : 1;
}

/* Returns the slot of the reset value of IA32_PMCx, or of fixed counter x from 32 on. */
static inline unsigned cpu_pebs_slot(const struct cpu *cpu, unsigned counter)
{
	if (counter < 32)
		return counter;
	return counter - 32 + (cpu_pebs_format(cpu) < 5 ? 8 : 32);
}

/* Makes a preset with which so many events are missing. */
#define BELOW_0(missing) (-(uint64_t)(missing))

#define AREA    guest.base
#define BUFFER  (guest.base + GUEST_PAGE)

/* Writes a field of the area: 0 to 3 are those of BTS, 4 to 7 those of PEBS. */
static inline void area_put(unsigned field, uint64_t value)
{
	guest_put(AREA + 8 * field, 8, value);
}

static inline uint64_t area_index(void)
{
	return guest_get(AREA + 8 * 5, 8) - BUFFER;
}

static inline uint64_t record_get(unsigned offset)
{
	return guest_get(BUFFER + offset, 8);
}

/* Starts with a buffer of `room` bytes and the threshold after `threshold` bytes; reset values are
 * -missing. */
static inline struct machine *start_pebs(const struct cpu *cpu, uint64_t room, uint64_t threshold,
                                         uint64_t missing)
{
	struct machine *machine;

	guest_restart(0x400000, 0xa5);
	machine = start(cpu);
	area_put(4, BUFFER);
	area_put(5, BUFFER);
	area_put(6, BUFFER + room);
	area_put(7, BUFFER + threshold);
	for (unsigned slot = 0; slot < 40; slot++)
		area_put(8 + slot, BELOW_0(missing));
	put(machine, DS_AREA, AREA);
	return machine;
}

/* Makes counter n record every (missing + 1)th event. */
static inline void record_with(const struct cpu *cpu, struct machine *machine, unsigned n,
                               uint64_t evtsel, uint64_t missing)
{
	uint64_t enabled = get(machine, PEBS_ENABLE);

	if (cpu->version >= 2)
		put(machine, GLOBAL, 0);
	put(machine, PMC0 + n, BELOW_0(missing));
	put(machine, EVTSEL0 + n, EN | evtsel);
	put(machine, PEBS_ENABLE, enabled | ONE(n));
	enable_all(cpu, machine);
}

static inline void record_instructions(const struct cpu *cpu, struct machine *machine,
                                       uint64_t missing)
{
	record_with(cpu, machine, cpu_pebs_counter(cpu), cpu_pebs_event(cpu) | OS, missing);
}

#endif
