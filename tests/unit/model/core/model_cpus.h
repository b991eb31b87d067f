/* SPDX-License-Identifier: MIT */
/*
 * Lists the processors that the model must know, typed from CPUID dumps and from the manual, not
 * from the model's tables, and defines checks that name the processor.
 */
#ifndef TESTS_UNIT_MODEL_CORE_MODEL_CPUS_H
#define TESTS_UNIT_MODEL_CORE_MODEL_CPUS_H

#include <stdarg.h>

#include <arch/regs/table.h>
#include <tests/unit/model/core/model_machine.h>
#include <tests/unit/unit.h>

struct cpu {
	const char *name;              /* as Bochs calls it */
	uint32_t signature;
	unsigned version, gp, width;
	uint64_t fixed;                /* bit i: there is fixed counter i */
	uint32_t leaf_0a[4];           /* with one thread per core */
};

/*
 * Widths and counts are those of CPUID.0AH in the dumps. Arrow Lake's general counters are those of
 * CPUID.23H.1, whose EAX is 3FFH and EBX 0FH on its performance cores, while 0AH has the counters
 * that all its cores share.
 */
static const struct cpu cpus[] = {
	{ "core_duo_t2400_yonah",        0x6ec, 1,  2, 40, 0x0, { 0x7280201, 0, 0, 0 } },
	{ "atom_n270",                 0x106c2, 3,  2, 40, 0x1, { 0x7280203, 0, 0, 0x2501 } },
	{ "core2_penryn_t9600",        0x1067a, 2,  2, 40, 0x7, { 0x7280202, 0, 0, 0x503 } },
	{ "corei5_lynnfield_750",      0x106e5, 3,  4, 48, 0x7, { 0x7300403, 0x44, 0, 0x603 } },
	{ "corei5_arrandale_m520",     0x20652, 3,  4, 48, 0x7, { 0x7300403, 0x4, 0, 0x603 } },
	{ "corei7_sandy_bridge_2600k", 0x206a7, 3,  8, 48, 0x7, { 0x7300803, 0, 0, 0x603 } },
	{ "corei7_ivy_bridge_3770k",   0x306a9, 3,  8, 48, 0x7, { 0x7300803, 0, 0, 0x603 } },
	{ "corei7_haswell_4770",       0x306c3, 3,  8, 48, 0x7, { 0x7300803, 0, 0, 0x603 } },
	{ "broadwell_ult",             0x306d4, 3,  8, 48, 0x7, { 0x7300803, 0, 0, 0x603 } },
	{ "corei7_skylake_x",          0x50654, 4,  8, 48, 0x7, { 0x7300804, 0, 0, 0x603 } },
	{ "corei3_cnl",                0x60663, 4,  8, 48, 0x7, { 0x7300804, 0, 0, 0x603 } },
	{ "corei7_icelake_u",          0x706e5, 5,  8, 48, 0xf, { 0x8300805, 0, 0xf, 0x8604 } },
	{ "tigerlake",                 0x806c1, 5,  8, 48, 0xf, { 0x8300805, 0, 0xf, 0x8604 } },
	{ "sapphire_rapids",           0x806f8, 5,  8, 48, 0xf, { 0x8300805, 0, 0xf, 0x8604 } },
	{ "arrow_lake",                0xc0662, 6, 10, 48, 0xf, { 0xd300806, 0x280, 0x7, 0x8603 } },
};

enum { CPUS = COUNT_OF(cpus) };

#define FOR_EACH_CPU(cpu)  for (const struct cpu *cpu = cpus; cpu < cpus + CPUS; cpu++)
#define FOR_EACH_CPU_FROM(cpu, first_version) \
	FOR_EACH_CPU(cpu) \
		if (cpu->version >= (first_version))

static inline const struct cpu *cpu_of(uint32_t signature)
{
	FOR_EACH_CPU(cpu)
		if (cpu->signature == signature)
			return cpu;
	abort();
}

static inline bool cpu_is_from(const struct cpu *cpu, const char *first)
{
	const struct cpu *c = cpus;

	while (strcmp(c->name, first) != 0)
		c++;
	return cpu >= c;
}

/* From Sandy Bridge to Cannon Lake two threads share a core's eight counters. */
static inline unsigned cpu_gp_of_two_threads(const struct cpu *cpu)
{
	return cpu->gp == 8 && cpu->version < 5 ? 4 : cpu->gp;
}

static inline bool cpu_has_full_width_writes(const struct cpu *cpu)
{
	return cpu_is_from(cpu, "corei7_sandy_bridge_2600k");
}

static inline bool cpu_has_metrics(const struct cpu *cpu)
{
	return cpu_is_from(cpu, "corei7_icelake_u");
}

static inline uint64_t cpu_counters(const struct cpu *cpu)
{
	return ONES(cpu->gp) | cpu->fixed << 32;
}

/*
 * Holds the bits of IA32_PERFEVTSELx, IA32_FIXED_CTR_CTRL and IA32_PERF_GLOBAL_* that a processor
 * has, and the bits that are not judged, because the manual's editions disagree about them or the
 * model leaves them open (pin control from Sandy Bridge on; bits of RTM, PEBS, LBR and PT).
 */
struct cpu_bits {
	uint64_t has, is_open;
};

static inline struct cpu_bits cpu_evtsel_bits(const struct cpu *cpu)
{
	struct cpu_bits bits = { 0xffdfffff, 0 };

	if (cpu->version == 3 || cpu->version == 4)
		bits.has |= ANY;
	if (cpu->version >= 6)
		bits.has |= ONE(36) | UINT64_C(0xff) << 40;
	if (cpu_is_from(cpu, "corei7_sandy_bridge_2600k"))
		bits.is_open |= PIN;
	if (cpu_is_from(cpu, "corei7_haswell_4770"))
		bits.is_open |= ONE(32) | ONE(33);
	if (cpu_is_from(cpu, "corei7_icelake_u"))
		bits.is_open |= ONE(34);
	if (cpu->version >= 6)
		bits.is_open |= ONE(35) | ONE(37);
	return bits;
}

static inline struct cpu_bits cpu_fixed_ctrl_bits(const struct cpu *cpu)
{
	uint64_t nibble = cpu->version == 3 || cpu->version == 4 ? 0xf : 0xb;
	struct cpu_bits bits = { 0, 0 };

	for (unsigned i = 0; i < 16; i++)
		if (cpu->fixed & ONE(i))
			bits.has |= nibble << (4 * i);
	if (cpu_is_from(cpu, "corei7_icelake_u"))
		bits.is_open |= UINT64_C(0x3333) << 32 | ONE(14);
	if (cpu->signature == 0x106c2)
		bits.is_open |= 0xff0;         /* the dump says one fixed counter */
	return bits;
}

static inline struct cpu_bits cpu_global_bits(const struct cpu *cpu)
{
	struct cpu_bits bits = { cpu_counters(cpu), 0 };

	if (cpu_has_metrics(cpu))
		bits.has |= ONE(48);
	if (cpu->signature == 0x106c2)
		bits.is_open |= UINT64_C(6) << 32;
	return bits;
}

/*
 * Returns the bits that can be written to IA32_PERF_GLOBAL_OVF_CTRL and
 * IA32_PERF_GLOBAL_STATUS_SET.
 */
static inline struct cpu_bits cpu_status_bits(const struct cpu *cpu)
{
	struct cpu_bits bits = cpu_global_bits(cpu);

	if (cpu->version >= 4)
		bits.has |= ONE(58) | ONE(59);
	bits.is_open |= ONE(54) | ONE(55) | ONE(60) | ONE(61) | ONE(62) | ONE(63);
	return bits;
}

/* ------------------------------------------------------------------------------ checks */

/* Returns a text such as "haswell: MSR 38FH, bit 7", valid until the next call. */
__attribute__((format(printf, 2, 3)))
static inline const char *named(const struct cpu *cpu, const char *format, ...)
{
	static char text[160];
	int length = snprintf(text, sizeof(text), "%s: ", cpu->name);
	va_list args;

	va_start(args, format);
	vsnprintf(text + length, sizeof(text) - (size_t)length, format, args);
	va_end(args);
	return text;
}

/* Returns the machine of all tests, created anew by each call. */
static inline struct machine *start(const struct cpu *cpu)
{
	static struct machine machine;

	check_true(named(cpu, "created"), machine_create(&machine, cpu->signature, 1));
	return &machine;
}

static inline uint64_t get(struct machine *machine, uint32_t msr)
{
	uint64_t value = 0;
	char what[40];

	snprintf(what, sizeof(what), "RDMSR %XH", msr);
	check_eq_u64(what, machine_read(machine, msr, &value), REFPMU_OK);
	return value;
}

static inline void put(struct machine *machine, uint32_t msr, uint64_t value)
{
	char what[64];

	snprintf(what, sizeof(what), "WRMSR %XH <- %" PRIX64 "H", msr, value);
	check_eq_u64(what, machine_write(machine, msr, value), REFPMU_OK);
}

static inline void check_refused(const struct cpu *cpu, struct machine *machine, uint32_t msr,
                                 uint64_t value)
{
	check_eq_u64(named(cpu, "WRMSR %XH <- %" PRIX64 "H", msr, value),
	             machine_write(machine, msr, value), REFPMU_GP);
}

static inline void check_absent(const struct cpu *cpu, struct machine *machine, uint32_t msr)
{
	uint64_t value = 0;

	check_eq_u64(named(cpu, "RDMSR %XH, which does not exist", msr),
	             machine_read(machine, msr, &value), REFPMU_GP);
	check_refused(cpu, machine, msr, 0);
}

/* Enables all counters in the global control, which version 1 does not have. */
static inline void enable_all(const struct cpu *cpu, struct machine *machine)
{
	if (cpu->version >= 2)
		put(machine, GLOBAL, cpu_counters(cpu));
}

/* Makes a general counter count from 0, with these bits of its event select. */
static inline void count_with(const struct cpu *cpu, struct machine *machine, unsigned counter,
                              uint64_t evtsel)
{
	put(machine, EVTSEL0 + counter, 0);
	put(machine, PMC0 + counter, 0);
	enable_all(cpu, machine);
	put(machine, EVTSEL0 + counter, EN | evtsel);
}

#endif
