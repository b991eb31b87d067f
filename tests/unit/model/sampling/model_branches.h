/* SPDX-License-Identifier: MIT */
/*
 * Describes the last branch records of the processors, typed from the manual and not from the
 * model's tables. Source: SDM 3B, "Last Branch, Call Stack, Interrupt, and Exception Recording" by
 * microarchitecture.
 */
#ifndef TESTS_UNIT_MODEL_SAMPLING_MODEL_BRANCHES_H
#define TESTS_UNIT_MODEL_SAMPLING_MODEL_BRANCHES_H

#include <arch/regs/table.h>
#include <tests/unit/model/core/model_cpus.h>

struct lbr {
	struct cpu cpu;                /* name and signature */
	unsigned depth;
	uint32_t from, to, info, tos, ler;     /* 0: none; if to is 0, from[63:32] has it */
	uint64_t select;               /* bits of 1C8H */
	unsigned format;               /* IA32_PERF_CAPABILITIES[5:0] */
};

#define CPU(its_name, its_signature) { .name = (its_name), .signature = (its_signature) }

static const struct lbr lbrs[] = {
	{ CPU("p2_klamath", 0x634),                1, 0x1db, 0x1dc, 0, 0, 0x1dd, 0, 0 },
	{ CPU("p3_katmai", 0x673),                 1, 0x1db, 0x1dc, 0, 0, 0x1dd, 0, 0 },
	{ CPU("Dothan", 0x6d6),                    8, 0x40, 0, 0, 0x1c9, 0x1dd, 0, 0 },
	{ CPU("p4_willamette", 0xf12),             4, 0x1db, 0, 0, 0x1da, 0x1d7, 0, 0 },
	{ CPU("p4_prescott_celeron_336", 0xf41),  16, 0x680, 0x6c0, 0, 0x1da, 0x1d7, 0, 0 },
	{ CPU("core_duo_t2400_yonah", 0x6ec),      8, 0x40, 0, 0, 0x1c9, 0x1dd, 0, 0 },
	{ CPU("atom_n270", 0x106c2),               8, 0x40, 0x60, 0, 0x1c9, 0x1dd, 0, 1 },
	{ CPU("core2_penryn_t9600", 0x1067a),      4, 0x40, 0x60, 0, 0x1c9, 0x1dd, 0, 1 },
	{ CPU("corei5_lynnfield_750", 0x106e5),   16, 0x680, 0x6c0, 0, 0x1c9, 0x1dd, 0x1ff, 3 },
	{ CPU("corei5_arrandale_m520", 0x20652),  16, 0x680, 0x6c0, 0, 0x1c9, 0x1dd, 0x1ff, 3 },
	{ CPU("sandy_bridge", 0x206a7),           16, 0x680, 0x6c0, 0, 0x1c9, 0x1dd, 0x1ff, 3 },
	{ CPU("ivy_bridge", 0x306a9),             16, 0x680, 0x6c0, 0, 0x1c9, 0x1dd, 0x1ff, 3 },
	{ CPU("corei7_haswell_4770", 0x306c3),    16, 0x680, 0x6c0, 0, 0x1c9, 0x1dd, 0x3ff, 4 },
	{ CPU("broadwell_ult", 0x306d4),          16, 0x680, 0x6c0, 0, 0x1c9, 0x1dd, 0x3ff, 4 },
	{ CPU("corei7_skylake_x", 0x50654),       32, 0x680, 0x6c0, 0xdc0, 0x1c9, 0x1dd, 0x3ff, 5 },
	{ CPU("corei3_cnl", 0x60663),             32, 0x680, 0x6c0, 0xdc0, 0x1c9, 0x1dd, 0x3ff, 5 },
	{ CPU("corei7_icelake_u", 0x706e5),       32, 0x680, 0x6c0, 0xdc0, 0x1c9, 0x1dd, 0x3ff, 5 },
	{ CPU("tigerlake", 0x806c1),              32, 0x680, 0x6c0, 0xdc0, 0x1c9, 0x1dd, 0x3ff, 5 },
	{ CPU("sapphire_rapids", 0x806f8),        32, 0x1500, 0x1600, 0x1200, 0, 0x1dd, 0, 0x3f },
	{ CPU("arrow_lake", 0xc0662),             32, 0x1500, 0x1600, 0x1200, 0, 0x1dd, 0, 0x3f },
};

#define FOR_EACH_LBR(l) \
	for (const struct lbr *l = lbrs; l < lbrs + COUNT_OF(lbrs); l++)

enum { LBR_SELECT = 0x1c8, LBR_CTL = 0x14ce, LBR_DEPTH = 0x14cf };
enum { CTL_ALL = 0x7f0007, FREEZE_LBRS = 1 << 11 };

static inline bool is_arch(const struct lbr *l)
{
	return l->format == 0x3f;
}

static inline bool is_netburst(const struct lbr *l)
{
	return l->tos == 0x1da;
}

static inline const struct lbr *lbr_of(uint32_t signature)
{
	FOR_EACH_LBR(l)
		if (l->cpu.signature == signature)
			return l;
	abort();
}

/* Records all branches, at all levels. */
static inline void turn_on(const struct lbr *l, struct machine *machine)
{
	put(machine, is_arch(l) ? LBR_CTL : DEBUGCTL, is_arch(l) ? CTL_ALL : 1);
}

static inline void turn_off(const struct lbr *l, struct machine *machine)
{
	put(machine, is_arch(l) ? LBR_CTL : DEBUGCTL, 0);
}

struct record { uint64_t from, to; };

/* Returns the record of `age` branches ago, without flags. */
static inline struct record record_at(const struct lbr *l, struct machine *machine, unsigned age)
{
	unsigned top = l->tos ? (unsigned)get(machine, l->tos) : 0, n = age;
	uint64_t from;

	if (!is_arch(l))
		n = (top + l->depth - age) % l->depth;
	from = get(machine, l->from + n);
	if (!l->to)
		return (struct record){ from & UINT32_MAX, from >> 32 };
	return (struct record){ from & ONES(61), get(machine, l->to + n) };
}

static inline void check_record(const struct lbr *l, struct machine *machine, unsigned age,
                                uint64_t from, uint64_t to)
{
	struct record r = record_at(l, machine, age);

	check_eq_u64(named(&l->cpu, "FROM, %u ago", age), r.from, from);
	check_eq_u64(named(&l->cpu, "TO, %u ago", age), r.to, to);
}

static inline void jump(struct machine *machine, uint64_t from, uint64_t to)
{
	machine->ip = from;
	machine_branch(machine, REFPMU_JMP, true, to);
}

#endif
