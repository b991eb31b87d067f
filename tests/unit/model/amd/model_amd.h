/* SPDX-License-Identifier: MIT */
/*
 * Lists AMD's processors for the model's unit tests, typed from AMD's manuals and from what others
 * read of silicon, not from the model's tables; and programs their counters.
 */
#ifndef TESTS_UNIT_MODEL_AMD_MODEL_AMD_H
#define TESTS_UNIT_MODEL_AMD_MODEL_AMD_H

#include <arch/regs/table.h>
#include <tests/unit/model/core/model_machine.h>
#include <tests/unit/unit.h>

/* MODEL_AMD makes machine_create() say the vendor; the rest is CPUID.1:EAX. */
#define SIGN(eax) (MODEL_AMD | (eax))

enum { LEGACY_CTL = 0xc0010000, LEGACY_CTR = 0xc0010004, CTL = 0xc0010200, CTR = 0xc0010201,
       L3_CTL = 0xc0010230, L3_CTR = 0xc0010231, NB_CTL = 0xc0010240, NB_CTR = 0xc0010241,
       G_STATUS = 0xc0000300, G_CTL = 0xc0000301, G_CLEAR = 0xc0000302, G_SET = 0xc0000303,
       HWCR_MSR = 0xc0010015, IRPERF = 0xc00000e9, MPERF_MSR = 0xe7, MPERF_COPY = 0xc00000e7,
       LS_CFG_MSR = 0xc0011020 };

struct amd {
	const char *name;
	uint32_t signature;
	unsigned gp, nb, l3;
	uint64_t ctl;                  /* bits that a PERF_CTL keeps */
	bool has_version_2, merges;
};

static const struct amd amds[] = {
	{ "Athlon XP",     SIGN(0x622),    4,  0, 0, 0xffdfffff,     false, false },
	{ "Athlon 64",     SIGN(0xf48),    4,  0, 0, 0xffdfffff,     false, false },
	{ "Athlon 64 939", SIGN(0x20ff2),  4,  0, 0, 0xffdfffff,     false, false },
	{ "Turion 64 X2",  SIGN(0x60f82),  4,  0, 0, 0xffdfffff,     false, false },
	{ "Phenom",        SIGN(0x100f23), 4,  0, 0, 0x30fffdfffff,  false, false },
	{ "Griffin",       SIGN(0x200f31), 4,  0, 0, 0xfffdfffff,    false, false },
	{ "Llano",         SIGN(0x300f10), 4,  0, 0, 0x30fffdfffff,  false, false },
	{ "E-350",         SIGN(0x500f10), 4,  0, 0, 0x30fffdfffff,  false, false },
	{ "GX-412TC",      SIGN(0x730f01), 4,  4, 4, 0x30fffdfffff,  false, false },
	{ "FX-4100",       SIGN(0x600f12), 6,  4, 0, 0x30fffdfffff,  false, false },
	{ "A8-5600K",      SIGN(0x610f01), 6,  4, 0, 0x30fffdfffff,  false, false },
	{ "Ryzen 1700",    SIGN(0x800f11), 6,  4, 6, 0x30fffdfffff,  false, true },
	{ "Ryzen 3900X",   SIGN(0x870f10), 6,  4, 6, 0x30fffdfffff,  false, true },
	{ "Ryzen 5600X",   SIGN(0xa20f10), 6,  4, 6, 0x70fffdfffff,  false, true },
	{ "Ryzen 7950X",   SIGN(0xa60f12), 6, 16, 6, 0x70fffdfffff,  true,  true },
	{ "Ryzen 9950X",   SIGN(0xb40f40), 6, 16, 6, 0x70fffdfffff,  true,  true },
};
enum { AMDS = COUNT_OF(amds) };
#define FOR_EACH_AMD(a) for (const struct amd *a = amds; a < amds + AMDS; a++)
#define FOR_EACH_AMD_WITH(a, member) FOR_EACH_AMD(a) if ((a)->member)

enum { PHENOM = SIGN(0x100f23), FX = SIGN(0x600f12), RYZEN = SIGN(0x800f11),
       ZEN4 = SIGN(0xa60f12) };

enum { HALT_CLOCKS = 0x76, RETIRED = 0xc0, OPS = 0xc1, ANY_BRANCH = 0xc2, MISSED = 0xc3,
       TAKEN = 0xc4, FAR_BRANCH = 0xc6, ALL_RINGS = USR | OS };
#define GUEST_ONLY ONE(40)
#define HOST_ONLY  ONE(41)
#define HIGH(code) ((uint64_t)((code) >> 8) << 32 | ((code) & 0xff))

/* Returns the machine of all tests, created anew by each call. */
static inline struct machine *begin(uint32_t signature)
{
	static struct machine machine;

	check_true("created", machine_create(&machine, signature, 1));
	return &machine;
}

/* Returns the number of an MSR, from LEGACY_CTL or LEGACY_CTR, of counter n of any processor. */
static inline uint32_t ctl_of(const struct amd *a, unsigned n)
{
	return a->gp == 4 ? LEGACY_CTL + n : CTL + 2 * n;
}

static inline uint32_t ctr_of(const struct amd *a, unsigned n)
{
	return a->gp == 4 ? LEGACY_CTR + n : CTR + 2 * n;
}

static inline uint64_t get(struct machine *machine, uint32_t msr)
{
	uint64_t value = 0;

	check_eq_u64("RDMSR", machine_read(machine, msr, &value), REFPMU_OK);
	return value;
}

static inline void put(struct machine *machine, uint32_t msr, uint64_t value)
{
	check_eq_u64("WRMSR", machine_write(machine, msr, value), REFPMU_OK);
}

/* Counts this event from 0 on counter n alone. */
static inline void count(struct machine *m, const struct amd *a, unsigned n, uint64_t select)
{
	put(m, ctl_of(a, n), 0);
	put(m, ctr_of(a, n), 0);
	put(m, ctl_of(a, n), EN | select);
}

static inline enum refpmu_status read_status(struct machine *machine, uint32_t msr)
{
	uint64_t value;

	return machine_read(machine, msr, &value);
}

/* Retires a two-byte instruction with these traits. */
static inline void do_kind(struct machine *machine, uint64_t traits)
{
	machine_retire(machine, (struct refpmu_insn) {
		.ip = machine->ip, .next_ip = machine->ip + 2, .length = 2, .traits = traits,
		.cpl = machine->cpl, .cpl_after = machine->cpl,
	});
}

#endif
