/* SPDX-License-Identifier: MIT */
/* Checks, after each call of the fuzzer, that the state is sound. */
#ifndef TESTS_UNIT_MODEL_CORE_FUZZ_MODEL_SOUND_H
#define TESTS_UNIT_MODEL_CORE_FUZZ_MODEL_SOUND_H

#include <stdlib.h>

#include <tests/unit/model/core/model_machine.h>

#define REQUIRE(condition) \
	do { \
		if (!(condition)) \
			abort(); \
	} while (0)

enum { OTHERS = 2 };

struct subject {
	struct machine machine;
	struct { IN_MEMORY(refpmu_cpu, model, MODEL_BYTES); } other[OTHERS];
	IN_MEMORY(refpmu_package, package, PACKAGE_BYTES);     /* of the last one */
	IN_MEMORY(refpmu_core, core, CORE_BYTES);
	unsigned others;
	const struct model_rules *row; /* the processor's */
	uint64_t last_cycles;
};

static struct subject subject;

/* ------------------------------------------------------------------------------ what must hold */

static bool is_amd(const struct model_rules *row)
{
	return row->cpuid_1_eax & MODEL_AMD;
}

/* Returns the family, CPUID.1:EAX[11:8], of Intel's processors; 0 for AMD's. */
static unsigned family_of(const struct model_rules *row)
{
	return is_amd(row) ? 0 : row->cpuid_1_eax >> 8 & 0xf;
}

static uint64_t counters_of(const struct model_rules *row)
{
	return ONES(row->counters.gp_count) | (uint64_t)row->counters.fixed_map << 32;
}

/* Returns whether a counter is for the host alone or for guests alone: both bits are as none. */
static bool is_host_or_guest_only(uint64_t select)
{
	return (select >> 40 & 1) != (select >> 41 & 1);
}

static bool is_on(const struct refpmu_cpu *m, unsigned i, bool is_fixed)
{
	uint64_t enable = ONE(is_fixed ? 32 + i : i);

	if (family_of(subject.row) == 5)
		return m->perfevtsel[0] >> (16 * i + 6) & 3;
	if (family_of(subject.row) == 6 && !subject.row->registers.version)
		return (m->perfevtsel[0] & EN) && (m->perfevtsel[i] & (USR | OS));
	if (m->global_status & ONE(59))
		return false;
	if (subject.row->registers.has_global_control && !(m->global_ctrl & enable))
		return false;
	if (is_amd(subject.row) && !m->is_svme && is_host_or_guest_only(m->perfevtsel[i]))
		return false;
	return is_fixed ? (m->fixed_ctr_ctrl >> 4 * i & 3) != 0 :
		(m->perfevtsel[i] & EN) && (m->perfevtsel[i] & (USR | OS));
}

/* Requires that all processors are watched while one is active or records branches. */
static void require_watching(void)
{
	const struct refpmu_machine *all = &subject.machine.all;
	unsigned active = 0, recording = 0;

	for (const struct refpmu_cpu *m = all->first; m; m = m->next) {
		active += m->is_active;
		recording += m->records_branches;
		REQUIRE(m->is_watched == (all->active || all->recording));
		REQUIRE(m->records_branches || !m->is_entering);
	}
	REQUIRE(active == all->active);
	REQUIRE(recording == all->recording);
}

static const struct refpmu_cpu *processor_of(const void *context)
{
	return context == &subject.machine ? &subject.machine.model : context;
}

/* Returns a field of the area. The fields are base, index, absolute maximum and threshold of BTS,
 * then those of PEBS. */
static uint64_t area_field(const struct refpmu_cpu *m, unsigned number, unsigned width)
{
	return guest_get(m->ds_area + number * width, width);
}

/* Returns whether a record is at the buffer's index, or at its base once it is full, and not past
 * the absolute maximum. */
static bool is_in_buffer(const struct refpmu_cpu *m, unsigned first, unsigned width,
                         uint64_t linear, size_t size)
{
	uint64_t base = area_field(m, first, width), index = area_field(m, first + 1, width);
	uint64_t maximum = area_field(m, first + 2, width);

	return (linear == index || linear == base) && linear <= maximum &&
	       maximum - linear >= size;
}

static bool is_index(const struct refpmu_cpu *m, unsigned first, unsigned width, uint64_t linear,
                     const void *bytes, size_t size)
{
	uint64_t index = 0;

	if (size != width || linear != m->ds_area + (first + 1) * width)
		return false;
	memcpy(&index, bytes, size);
	return index <= area_field(m, first + 2, width) ||
	       !guest_is_there(m->ds_area + (first + 2) * width, width);
}

/* Requires that a write is the next record of a buffer, or the index after it, in either layout. */
static void require_write(void *context, uint64_t linear, const void *bytes, size_t size)
{
	const struct refpmu_cpu *m = processor_of(context);
	bool is_sound = false;

	for (unsigned width = 4; width <= 8; width += 4)
		for (unsigned first = 0; first < 8; first += 4)
			is_sound = is_sound || is_index(m, first, width, linear, bytes, size) ||
			           is_in_buffer(m, first, width, linear, size);
	REQUIRE(is_sound);
}

/* Requires that a late PMI belongs to an active processor, which will take it. */
static void require_skid(const struct refpmu_cpu *m)
{
	REQUIRE(m->netburst.skid <= 72);
	REQUIRE(!m->netburst.skid == !m->netburst.skidding);
	REQUIRE(!m->netburst.skid || m->is_active);
}

/* Requires that the state of a NetBurst core is sound. */
static void require_netburst(const struct refpmu_cpu *m)
{
	const struct netburst *n = &m->core->netburst;

	for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
		REQUIRE(!(n->slot[i].value & ~ONES(40)));
		REQUIRE(!(n->slot[i].cccr & 0x300007ff));
	}
	for (unsigned i = 0; i < NETBURST_ESCRS; i++)
		REQUIRE(!(n->escr[i] >> 31));
	REQUIRE(!(n->pebs & ~UINT32_C(0x30000)) && !(n->pebs_armed & ~n->pebs));
	for (unsigned i = 0; i < m->core->threads; i++)
		require_skid(m->core->thread[i]);
	REQUIRE(n->running || m->is_polling || !m->is_active);
	REQUIRE(!n->running || m->is_active);
}

/* Requires that the processor is active only if a counter is on, and active if a counter of
 * instructions is on. */
static void require_activity(const struct refpmu_cpu *m)
{
	bool may = m->other && m->other->plan.has_any, must = false;

	may = may || m->package->counts || (m->hwcr & ONE(30));

	for (unsigned i = 0; i < subject.row->counters.gp_count; i++) {
		may = may || is_on(m, i, false);
		must = must || (is_on(m, i, false) && (m->perfevtsel[i] & 0xffff) == INSTRUCTIONS &&
		                m->perfevtsel[i] >> 32 == 0 &&
		                family_of(subject.row) != 5);
	}
	for (unsigned i = 0; i < 8; i++)
		if (subject.row->counters.fixed_map & 1u << i) {
			may = may || is_on(m, i, true);
			must = must || (i == 0 && is_on(m, i, true));
		}
	may = may || (m->global_ctrl & ONE(48));
	REQUIRE(may || !m->is_active);
	REQUIRE(!must || m->is_active);
}

/* Requires that only existing counters have bits: a nibble each and, with adaptive records, a bit
 * in another nibble above. */
static void require_fixed_ctrl(const struct refpmu_cpu *m)
{
	for (unsigned i = 0; i < 8; i++) {
		bool is_there = subject.row->counters.fixed_map & 1u << i;
		bool has_adaptive = is_there && subject.row->ds.pebs_is_adaptive;

		REQUIRE(is_there || !(m->fixed_ctr_ctrl >> 4 * i & 0xf));
		REQUIRE(!(m->fixed_ctr_ctrl >> (32 + 4 * i) & (has_adaptive ? 0xe : 0xf)));
	}
}

static void require_sound(const struct refpmu_cpu *m)
{
	const struct model_rules *row = subject.row;

	REQUIRE(m->cycles >= subject.last_cycles);
	subject.last_cycles = m->cycles;
	require_watching();
	REQUIRE(!subject.machine.has_raised_wrongly);
	for (unsigned i = 0; i < MODEL_COUNTERS; i++)
		REQUIRE(!(m->counter[i].value & ~m->counter[i].mask));
	for (unsigned i = 0; i < row->counters.gp_count; i++)
		REQUIRE(!(m->perfevtsel[i] & ~row->registers.perfevtsel_bits & ~ONE(33) &
		          ~row->amd.ctl2_bits));
	REQUIRE(!(m->global_ctrl & ~(counters_of(row) | ONE(48))));
	REQUIRE(!(m->global_status & ~(counters_of(row) | ONE(48) | UINT64_C(0xffe) << 52 |
	                               (is_amd(row) ? 0xff : 0))));
	REQUIRE(row->overflow.freezes_by_status || !(m->global_status & (ONE(58) | ONE(59))));
	require_fixed_ctrl(m);
	if (family_of(row) == 0xf)
		require_netburst(m);
	else
		require_activity(m);
}

static void require_register(uint32_t msr, uint64_t bound)
{
	uint64_t value = 0;

	if (machine_read(&subject.machine, msr, &value) == REFPMU_OK)
		REQUIRE(value <= bound);
}

/* Requires the same of the registers, as software reads them. */
static void require_registers(void)
{
	if (family_of(subject.row) == 0xf) {
		for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
			require_register(MSR_COUNTER(i), ONES(40));
		return;
	}
	if (is_amd(subject.row)) {
		for (uint32_t i = 0; i < 16; i++)
			require_register(0xc0010241 + 2 * i, ONES(48));
		for (uint32_t i = 0; i < 6; i++)
			require_register(0xc0010231 + 2 * i, ONES(49));
		return;
	}
	for (unsigned i = 0; i < 16; i++) {
		require_register(PMC0 + i, ONES(subject.row->counters.gp_width));
		require_register(A_PMC0 + i, ONES(subject.row->counters.gp_width));
		require_register(EVTSEL0 + i, ONES(48));
	}
	require_register(CESR, 0x03ff03ff);
	require_register(CTR0, ONES(40));
	for (unsigned i = 0; i < 8; i++)
		require_register(FIXED0 + i, ONES(subject.row->counters.fixed_width));
	for (uint32_t msr = FIXED_CTRL; msr <= INUSE; msr++)
		require_register(msr, UINT64_MAX);
}

#endif
