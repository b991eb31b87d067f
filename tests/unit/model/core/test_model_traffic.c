/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests events of P6 that count what caches and the bus did, and events that count cycles. The
 * model invents how long things take; only the consequences are tested here.
 */
#include <arch/regs/table.h>
#include <tests/unit/model/p5_p6/model_legacy.h>

/* Describes a run: the counter starts before it, and must then have this count. */
struct run {
	uint32_t event;
	unsigned counter;
	void (*body)(struct machine *machine);
	uint64_t least, most;
};

static uint64_t count_run(uint32_t cpu, unsigned counter, uint32_t event,
                          void (*body)(struct machine *machine))
{
	struct machine *machine = begin(cpu);

	p6_count(machine, counter, event);
	stay(machine);
	do_access(machine, REFPMU_READ_WRITE, 0x5000, 4, 0);
	put(machine, PMC0 + counter, 0);
	stay(machine);
	body(machine);
	put(machine, EVTSEL0, 0);
	return get(machine, PMC0 + counter);
}

static void check_runs(uint32_t cpu, const struct run *rows, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		uint64_t got = count_run(cpu, rows[i].counter, rows[i].event, rows[i].body);

		if (rows[i].least == rows[i].most)
			check_eq_u64(of_cpu(cpu, "row %u, %04XH", i, rows[i].event), got,
			             rows[i].least);
		else
			check_true(of_cpu(cpu, "row %u, %04XH: %u", i, rows[i].event,
			                  (unsigned)got),
			           got >= rows[i].least && got <= rows[i].most);
	}
}

#define CHECK_RUNS(cpu, rows) check_runs(cpu, rows, COUNT_OF(rows))

/* ---------------------------------------------------------------------------- runs of eight */

static void nothing(struct machine *machine)
{
	machine_nops(machine, 8);
}

static void hits(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++)
		do_access(machine, REFPMU_READ_WRITE, 0x5000, 4, 0);
}

static void splits(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++)
		do_access(machine, REFPMU_READ, 0x501e, 4, 0);
}

static void reads(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++)
		do_access(machine, REFPMU_READ, 0x20000 + 0x1000 * i, 4, 0);
}

static void writes(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++)
		do_access(machine, REFPMU_WRITE, 0x20000 + 0x1000 * i, 4, 0);
}

static void fetches(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++) {
		machine->ip = 0x40000 + 0x1000 * i;
		do_kind(machine, 0);
	}
}

static void device_reads(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++) {
		refpmu_access(&machine->model, REFPMU_READ, 0xfee00020, 0xfee00020, 4, false);
		do_kind(machine, 0);
	}
}

static void device_writes(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++) {
		refpmu_access(&machine->model, REFPMU_WRITE, 0xfee000b0, 0xfee000b0, 4, false);
		do_kind(machine, 0);
	}
}

static void ports(struct machine *machine)
{
	do_io(machine, false, 4);
	do_io(machine, true, 4);
}

static void divisions(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++)
		do_kind(machine, REFPMU_TRAIT_DIV);
}

static void exchanges(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++)
		do_access(machine, REFPMU_READ_WRITE, 0x5000, 4, REFPMU_TRAIT_LOCKED);
}

static void split_exchanges(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++)
		do_access(machine, REFPMU_READ_WRITE, 0x501e, 4, REFPMU_TRAIT_LOCKED);
}

static void serializations(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++)
		do_kind(machine, REFPMU_TRAIT_SERIALIZING);
}

static void surprises(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++) {
		machine->ip = 0x100000;
		machine_branch(machine, REFPMU_RET, true, 0x100002 + 2 * i);
	}
}

static void flags(struct machine *machine, bool is_clear, bool is_pending)
{
	for (unsigned i = 0; i < 24; i++)
		machine_retire(machine, (struct refpmu_insn) {
			.ip = machine->ip, .next_ip = machine->ip, .length = 1,
			.is_if_clear = is_clear, .is_interrupt_pending = is_pending,
		});
}

static void masked(struct machine *machine)
{
	flags(machine, true, false);
}

static void masked_and_pending(struct machine *machine)
{
	flags(machine, true, true);
}

static void pending(struct machine *machine)
{
	flags(machine, false, true);
}

/* Loads more bytes than were just stored; forwarded_loads() loads fewer. */
static void blocked_loads(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++) {
		do_access(machine, REFPMU_WRITE, 0x5002, 2, 0);
		do_access(machine, REFPMU_READ, 0x5000, 4, 0);
	}
}

static void forwarded_loads(struct machine *machine)
{
	for (unsigned i = 0; i < 8; i++) {
		do_access(machine, REFPMU_WRITE, 0x5000, 4, 0);
		do_access(machine, REFPMU_READ, 0x5002, 2, 0);
		do_access(machine, REFPMU_READ, 0x5008, 4, 0);
	}
}

/* Reads pages that share a set of L1D, so that earlier lines are evicted. */
static void evictions(struct machine *machine)
{
	for (unsigned i = 0; i < 16; i++)
		do_access(machine, REFPMU_WRITE, 0x80000 + 0x1000 * i, 4, 0);
}

/* ---------------------------------------------------------------------------- tests */

UNIT_TEST(counts_of_memory)
{
	static const struct run rows[] = {
		{ 0x0043, 0, hits, 16, 16 }, { 0x0043, 1, splits, 16, 16 },
		{ 0x0043, 0, ports, 0, 0 },
		{ 0x0045, 0, hits, 0, 0 }, { 0x0045, 0, reads, 8, 8 }, { 0x0045, 0, writes, 8, 8 },
		{ 0x0046, 0, reads, 0, 0 }, { 0x0046, 0, writes, 8, 8 },
		{ 0x0047, 0, hits, 0, 0 }, { 0x0047, 0, evictions, 1, 16 },
		{ 0x0005, 0, hits, 0, 0 }, { 0x0005, 0, splits, 8, 8 },
		{ 0x0080, 0, fetches, 8, 8 }, { 0x0081, 0, fetches, 8, 8 },
		{ 0x0085, 0, fetches, 8, 8 }, { 0x0081, 0, nothing, 0, 0 },
	};

	CHECK_RUNS(PENTIUM_II, rows);
	CHECK_RUNS(PENTIUM_III, rows);
}

UNIT_TEST(requests_of_l2_by_state)
{
	static const struct run rows[] = {
		{ 0x0f29, 0, reads, 8, 8 }, { 0x0129, 0, reads, 8, 8 }, { 0x0e29, 0, reads, 0, 0 },
		{ 0x0029, 0, reads, 0, 0 }, { 0x0f2a, 0, writes, 8, 8 }, { 0x0f2a, 0, reads, 0, 0 },
		{ 0x0f28, 0, fetches, 8, 8 }, { 0x0f28, 0, reads, 0, 0 },
		{ 0x0f2e, 1, reads, 8, 8 },
		{ 0x0f2e, 1, hits, 0, 0 }, { 0x002e, 1, reads, 0, 0 }, { 0x0021, 0, reads, 16, 16 },
		{ 0x0024, 0, reads, 8, 8 }, { 0x0025, 0, reads, 0, 0 }, { 0x0026, 0, reads, 0, 0 },
	};
	static const struct run of_pentium_m[] = {
		{ 0x0f29, 0, reads, 8, 8 }, { 0x2f29, 0, reads, 8, 8 }, { 0x1f29, 0, reads, 0, 0 },
		{ 0x2e29, 0, reads, 0, 0 }, { 0x0f24, 0, reads, 8, 8 }, { 0x2f24, 0, reads, 8, 8 },
		{ 0x1f24, 0, reads, 0, 0 }, { 0x0124, 0, reads, 0, 0 }, { 0x0f26, 0, reads, 0, 0 },
		{ 0x0f27, 0, reads, 0, 0 },
	};

	CHECK_RUNS(PENTIUM_II, rows);
	CHECK_RUNS(DOTHAN, of_pentium_m);
}

UNIT_TEST(transactions_of_the_bus)
{
	static const struct run rows[] = {
		{ 0x0065, 0, reads, 8, 8 }, { 0x2065, 0, reads, 8, 8 }, { 0x0066, 0, writes, 8, 8 },
		{ 0x0066, 0, reads, 0, 0 }, { 0x0068, 0, fetches, 8, 8 },
		{ 0x006a, 0, device_writes, 8, 8 },
		{ 0x006a, 0, device_reads, 0, 0 }, { 0x006b, 0, device_reads, 8, 8 },
		{ 0x006c, 1, ports, 8, 8 }, { 0x006c, 0, reads, 0, 0 }, { 0x006e, 0, reads, 8, 8 },
		{ 0x006e, 0, ports, 0, 0 }, { 0x006f, 0, device_reads, 8, 8 },
		{ 0x006f, 0, ports, 0, 0 },
		{ 0x0070, 0, ports, 8, 8 }, { 0x0070, 0, hits, 0, 0 }, { 0x0067, 0, hits, 0, 0 },
		{ 0x0069, 0, hits, 0, 0 }, { 0x007a, 0, reads, 0, 0 }, { 0x007b, 0, reads, 0, 0 },
		{ 0x006d, 0, reads, 0, 0 },
	};

	CHECK_RUNS(PENTIUM_III, rows);
}

/* A line of 32 bytes takes four clocks of the bus, of five core clocks each. */
UNIT_TEST(clocks_of_the_bus)
{
	static const struct run rows[] = {
		{ 0x0064, 0, reads, 32, 32 }, { 0x0064, 1, ports, 4, 4 }, { 0x0064, 0, hits, 0, 0 },
		{ 0x0062, 0, ports, 4, 4 }, { 0x0062, 0, reads, 0, 0 },
		{ 0x2062, 0, reads, 160, 160 },
		{ 0x2062, 0, ports, 40, 40 }, { 0x0063, 0, exchanges, 0, 0 },
		{ 0x0063, 0, split_exchanges, 8, 1000 }, { 0x2063, 0, split_exchanges, 8, 1000 },
		{ 0x0060, 0, reads, 8, 10000 }, { 0x0060, 0, hits, 0, 0 },
		{ 0x0022, 0, reads, 32, 1000 }, { 0x0022, 0, hits, 0, 0 },
		{ 0x0023, 0, reads, 32, 32 },
	};

	CHECK_RUNS(PENTIUM_III, rows);
}

UNIT_TEST(cycles_of_the_core)
{
	static const struct run rows[] = {
		{ 0x0048, 0, reads, 8, 10000 }, { 0x0048, 0, hits, 0, 0 },
		{ 0x0086, 0, fetches, 8, 10000 }, { 0x0086, 0, reads, 0, 0 },
		{ 0x0014, 0, divisions, 8 * 20, 8 * 40 }, { 0x0014, 0, nothing, 0, 0 },
		{ 0x0014, 1, divisions, 0, 0 },
		{ 0x0004, 0, exchanges, 8, 1000 }, { 0x0004, 0, serializations, 8, 1000 },
		{ 0x0004, 0, hits, 0, 0 },
		{ 0x0003, 0, blocked_loads, 8, 8 }, { 0x0003, 0, forwarded_loads, 0, 0 },
		{ 0x00a2, 0, surprises, 8, 1000 }, { 0x00a2, 0, serializations, 8, 1000 },
		{ 0x00a2, 0, reads, 0, 0 },
		{ 0x00c6, 0, masked, 8, 8 }, { 0x00c6, 0, pending, 0, 0 },
		{ 0x00c7, 0, masked_and_pending, 8, 8 }, { 0x00c7, 0, masked, 0, 0 },
		{ 0x00c7, 0, pending, 0, 0 }, { 0x0079, 0, masked, 8, 9 },
	};

	CHECK_RUNS(PENTIUM_II, rows);
}

/* Work that is under way when counters stop is completed first, so no clock is lost. */
UNIT_TEST(twice_the_work_takes_twice_as_long)
{
	static const struct { uint32_t event; uint64_t traits; } rows[] = {
		{ 0x14, REFPMU_TRAIT_DIV }, { 0x14, REFPMU_TRAIT_FP_DIV },
	};

	for (unsigned i = 0; i < 2; i++) {
		uint64_t counts[3];

		for (unsigned n = 0; n < 3; n++) {
			struct machine *machine = begin(PENTIUM_III);

			p6_count(machine, 0, rows[i].event);
			for (unsigned k = 0; k < 10 * n; k++)
				do_kind(machine, rows[i].traits);
			put(machine, EVTSEL0, 0);
			counts[n] = get(machine, PMC0);
		}
		check_eq_u64("clocks without work", counts[0], 0);
		check_eq_u64("clocks of twice the work", counts[2], 2 * counts[1]);
	}
}

UNIT_TEST(edges_count_how_often_a_stall_begins)
{
	check_eq_u64("fetches that stall", count_run(PENTIUM_II, 0, 0x86 | EDGE, fetches), 8);
	check_eq_u64("divisions without a pause",
	             count_run(PENTIUM_II, 0, 0x14 | EDGE, divisions), 1);
	check_eq_u64("cycles with two stalls",
	             count_run(PENTIUM_II, 0, 0x86 | CMASK(2), fetches), 0);
}

UNIT_TEST(streams_that_missed)
{
	for (unsigned hint = 0; hint < 4; hint++) {
		uint64_t traits = REFPMU_TRAIT_SSE | REFPMU_TRAIT_SSE_STREAM |
		                  REFPMU_TRAIT_SSE_HINT(hint);
		struct machine *machine = begin(PENTIUM_III);

		p6_count(machine, 0, 0x4b | hint << 8);
		for (unsigned i = 0; i < 8; i++)
			do_access(machine, REFPMU_READ, 0x5000 + 0x1000 * (i % 2), 4, traits);
		check_eq_u64("EMON_KNI_PREF_MISS", get(machine, PMC0), 2);
	}
}

/* Tests the Pentium's clocks of waiting: for reads, for reads of MMX, for the data TLB. */
UNIT_TEST(clocks_of_the_pentium)
{
	static const struct {
		uint64_t select;
		unsigned counter;
		uint64_t traits;
		bool counts;
	} rows[] = {
		{ 0x1a, 0, 0, true }, { 0x36, 1, REFPMU_TRAIT_MMX, true }, { 0x36, 1, 0, false },
		{ 0x30, 1, 0, true }, { 0x30, 0, 0, true }, { 0x2e, 0, 0, true },
		{ 0x18, 0, 0, true },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct machine *machine = begin(PENTIUM_MMX);

		p5_count(machine, rows[i].counter, rows[i].select, CC_ALL | CC_CLOCKS);
		stay(machine);
		do_kind(machine, 0);
		put(machine, CTR0 + rows[i].counter, 0);
		for (unsigned n = 0; n < 8; n++)
			do_access(machine, REFPMU_READ, 0x20000 + 0x1000 * n, 4, rows[i].traits);
		check_eq_u64(of_cpu(PENTIUM_MMX, "row %u", i),
		             get(machine, CTR0 + rows[i].counter) >= 8, rows[i].counts);
	}
}

UNIT_MAIN()
