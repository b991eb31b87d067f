/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests records of PEBS, field by field, and the registers that shape them. Source: SDM 3B, "PEBS
 * Record Format" by microarchitecture; "Adaptive PEBS"; SDM 4. */
#include <tests/unit/model/sampling/model_pebs.h>

#define GENERAL(n) (UINT64_C(0x1122334455660000) + (n))

/* These are indices in struct refpmu_registers, in the order of formats 0 to 3, and of the adaptive
 * group. */
static const uint8_t classic_order[] = { 0, 3, 1, 2, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15 };
static const uint8_t adaptive_order[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };

static void check_registers(const struct cpu *cpu, unsigned offset, const uint8_t order[16],
                            uint64_t ip)
{
	check_eq_u64(named(cpu, "flags"), record_get(offset), 0x246);
	check_eq_u64(named(cpu, "IP"), record_get(offset + 8), ip);
	for (unsigned i = 0; i < 16; i++)
		check_eq_u64(named(cpu, "register %u", i), record_get(offset + 16 + 8 * i),
		             GENERAL(order[i]));
}

UNIT_TEST(a_record_has_the_fields_of_its_format)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 1);
		unsigned format = cpu_pebs_format(cpu), size = cpu_pebs_size(cpu);
		uint64_t counter = ONE(cpu_pebs_counter(cpu));

		if (format >= ADAPTIVE_FORMAT)
			continue;
		guest.registers.tsc = 0x123456789;
		record_instructions(cpu, machine, 1);
		machine_nops(machine, 2);
		check_eq_u64(named(cpu, "size"), area_index(), size);
		check_registers(cpu, 0, classic_order, machine->ip);
		if (format >= 1)
			check_eq_u64(named(cpu, "status"), record_get(0x90), counter);
		for (unsigned offset = 0x98; format >= 1 && offset < 0xb0; offset += 8)
			check_eq_u64(named(cpu, "field at %XH", offset), record_get(offset), 0);
		if (format >= 2)
			check_eq_u64(named(cpu, "eventing IP"), record_get(0xb0), machine->ip - 1);
		if (format >= 3)
			check_eq_u64(named(cpu, "TSC"), record_get(0xc0), 0x123456789);
		check_eq_u64(named(cpu, "the byte after the record"),
		             record_get(size), 0xa5a5a5a5a5a5a5a5);
	}
}

/* Formats 1 and 2 have the register, with other counters' overflows; format 3 has only the recorded
 * counter. */
UNIT_TEST(the_status_is_the_register_or_the_counter)
{
	FOR_EACH_CPU_WITH_PEBS(cpu) {
		struct machine *machine = start_pebs(cpu, 0x2000, 0x2000, 3);
		unsigned format = cpu_pebs_format(cpu), n = cpu_pebs_counter(cpu);

		if (format < 1 || format >= ADAPTIVE_FORMAT)
			continue;
		put(machine, PMC0 + 3, BELOW_0(1));
		put(machine, EVTSEL0 + 3, EN | OS | INSTRUCTIONS);
		record_instructions(cpu, machine, 3);
		machine_nops(machine, 4);
		check_eq_u64(named(cpu, "status"), record_get(0x90),
		             format == 3 ? ONE(n) : ONE(n) | ONE(3));
	}
}

static struct machine *record_groups(const struct cpu *cpu, uint64_t cfg, uint64_t evtsel)
{
	struct machine *machine = start_pebs(cpu, 0x3000, 0x3000, 1);

	guest.registers.tsc = 0x777;
	put(machine, DATA_CFG, cfg);
	record_with(cpu, machine, 0, evtsel, 1);
	return machine;
}

UNIT_TEST(without_the_adaptive_bit_a_record_is_the_basic_group)
{
	FOR_EACH_CPU_FROM(cpu, 5) {
		struct machine *machine = record_groups(cpu, 0xf, INSTRUCTIONS | OS);

		machine_nops(machine, 2);
		check_eq_u64(named(cpu, "format and size"), record_get(0), UINT64_C(32) << 48);
		check_eq_u64(named(cpu, "eventing IP"), record_get(8), machine->ip - 1);
		check_eq_u64(named(cpu, "applicable counters"), record_get(16), 1);
		check_eq_u64(named(cpu, "TSC"), record_get(24), 0x777);
		check_eq_u64(named(cpu, "size"), area_index(), 32);
	}
}

/* The groups, in this order, have 32 bytes of memory, 144 of registers, 256 of XMM, and 24 for each
 * LBR entry. */
UNIT_TEST(groups_follow_each_other)
{
	FOR_EACH_CPU_FROM(cpu, 5)
		for (unsigned groups = 0; groups < 16; groups++) {
			uint64_t cfg = groups | (groups & 8 ? UINT64_C(2) << 24 : 0);
			struct machine *machine =
				record_groups(cpu, cfg, INSTRUCTIONS | OS | ADAPTIVE_RECORD);
			unsigned at = 32;

			machine_nops(machine, 2);
			at += groups & 1 ? 32 : 0;
			if (groups & 2) {
				check_registers(cpu, at, adaptive_order, machine->ip);
				at += 144;
			}
			for (unsigned i = 0; groups & 4 && i < 32; i++, at += 8)
				check_eq_u64(named(cpu, "XMM"), record_get(at),
				             UINT64_C(0x7788990000000000) + i);
			at += groups & 8 ? 3 * 24 : 0;
			check_eq_u64(named(cpu, "index"), area_index(), at);
			check_eq_u64(named(cpu, "format and size"), record_get(0),
			             cfg | (uint64_t)at << 48);
		}
}

/* Four 32-bit words say which counters the group has; their values follow. Source: SDM 3B,
 * "Counters Snapshotting". */
UNIT_TEST(format_6_has_counters)
{
	FOR_EACH_CPU_FROM(cpu, 6) {
		uint64_t cfg = ONE(4) | ONE(32 + 1) | ONE(32 + 9) | ONE(48);
		struct machine *machine =
			record_groups(cpu, cfg, INSTRUCTIONS | OS | ADAPTIVE_RECORD);

		put(machine, PMC0 + 1, 0x111);
		put(machine, PMC0 + 9, 0x999);
		put(machine, FIXED0, 0xf0f0);
		machine_nops(machine, 2);
		check_eq_u64(named(cpu, "size"), area_index(), 32 + 16 + 3 * 8);
		check_eq_u64(named(cpu, "counters in the record"), record_get(32), 0x202 | ONE(32));
		check_eq_u64(named(cpu, "metrics"), record_get(40), 0);
		check_eq_u64(named(cpu, "IA32_PMC1"), record_get(48), 0x111);
		check_eq_u64(named(cpu, "IA32_PMC9"), record_get(56), 0x999);
		check_eq_u64(named(cpu, "IA32_FIXED_CTR0"), record_get(64), 0xf0f0);
	}
}

/* ------------------------------------------------------------------------------ events */

/* Makes two loads of a new line in one page: the first one misses, the second one hits. */
static void load(struct machine *machine, uint64_t address)
{
	machine_access(machine, REFPMU_READ, address, 4);
	machine_nops(machine, 1);
}

UNIT_TEST(loads_and_their_misses_count_and_record_the_address)
{
	static const struct {
		const char *cpu; uint16_t loads, misses; unsigned address;
	} rows[] = {
		{ "core2_penryn_t9600", 0, 0x01cb, 0 },
		{ "corei5_lynnfield_750", 0x010b, 0, 0x98 },
		{ "corei7_haswell_4770", 0x81d0, 0x08d1, 0x98 },
		{ "corei7_skylake_x", 0x81d0, 0x08d1, 0x98 },
		{ "sapphire_rapids", 0x81d0, 0x08d1, 32 },
	};

	for (unsigned i = 0; i < 5; i++)
		for (unsigned misses = 0; misses < 2; misses++) {
			const struct cpu *cpu = cpus;
			uint64_t event = misses ? rows[i].misses : rows[i].loads;
			struct machine *machine;

			while (strcmp(cpu->name, rows[i].cpu) != 0)
				cpu++;
			if (!event)
				continue;
			machine = start_pebs(cpu, 0x2000, 0x2000, 3);
			if (cpu->version >= 5)
				put(machine, DATA_CFG, 1);
			record_with(cpu, machine, 0, event | OS |
			            (cpu->version >= 5 ? ADAPTIVE_RECORD : 0), 3);
			load(machine, 0x10000);
			load(machine, 0x10000);
			load(machine, 0x10040);
			load(machine, 0x10040);
			load(machine, 0x10080);
			load(machine, 0x10088);
			load(machine, 0x100c0);
			check_eq_u64(named(cpu, "%" PRIX64 "H: records", event),
			             area_index() != 0, true);
			if (rows[i].address)
				check_eq_u64(named(cpu, "%" PRIX64 "H: address", event),
				             record_get(rows[i].address),
				             misses ? 0x100c0 : 0x10040);
			check_eq_u64(named(cpu, "%" PRIX64 "H: counter", event),
			             get(machine, PMC0), misses ? ONES(cpu->width) - 2 :
			                                          0);
		}
}

UNIT_TEST(stores_do_not_count_as_loads)
{
	FOR_EACH_CPU(cpu)
		if (cpu_is_from(cpu, "corei7_sandy_bridge_2600k")) {
			struct machine *machine = start(cpu);

			count_with(cpu, machine, 0, 0x81d0 | OS);
			count_with(cpu, machine, 1, 0x82d0 | OS);
			machine_access(machine, REFPMU_WRITE, 0x5000, 4);
			machine_nops(machine, 1);
			machine_access(machine, REFPMU_READ_WRITE, 0x5000, 4);
			machine_nops(machine, 3);
			machine_access(machine, REFPMU_READ, 0x5000, 4);
			refpmu_exception(&machine->model, 14);
			machine_nops(machine, 1);
			check_eq_u64(named(cpu, "loads"), get(machine, PMC0), 1);
			check_eq_u64(named(cpu, "stores"), get(machine, PMC0 + 1), 2);
		}
}

/* ------------------------------------------------------------------------------ registers */

UNIT_TEST(pebs_enable_has_a_bit_for_each_counter_that_records)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		unsigned format = cpu_pebs_format(cpu);
		uint64_t has = format == NO_PEBS ? 0 : format == 0 ? 1 : 0xf;

		if (cpu->version >= 5)
			has = ONES(cpu->gp) | UINT64_C(0xf) << 32;
		put(machine, PEBS_ENABLE, 0);
		put(machine, PEBS_ENABLE, has);
		check_eq_u64(named(cpu, "PEBS_ENABLE"), get(machine, PEBS_ENABLE), has);
		for (unsigned bit = 0; bit < 32; bit++)
			if (!(has >> bit & 1))
				check_refused(cpu, machine, PEBS_ENABLE, ONE(bit));
		check_eq_u64(named(cpu, "MISC_ENABLE[12]"), get(machine, MISC_ENABLE) >> 12 & 1,
		             format == NO_PEBS);
		check_eq_u64(named(cpu, "MISC_ENABLE[11]"), get(machine, MISC_ENABLE) >> 11 & 1, 0);
		if (cpu->version >= 4)
			check_eq_u64(named(cpu, "INUSE"), get(machine, INUSE), ONE(63));
	}
}

UNIT_TEST(each_processor_has_its_registers)
{
	FOR_EACH_CPU(cpu) {
		struct machine *machine = start(cpu);
		unsigned format = cpu_pebs_format(cpu);

		if (format == NO_PEBS || format < ADAPTIVE_FORMAT) {
			check_absent(cpu, machine, DATA_CFG);
			check_refused(cpu, machine, EVTSEL0, ADAPTIVE_RECORD);
		} else {
			put(machine, DATA_CFG, 0xff00000f);
			put(machine, EVTSEL0, ADAPTIVE_RECORD);
			put(machine, FIXED_CTRL, UINT64_C(0x1111) << 32);
			check_refused(cpu, machine, FIXED_CTRL, UINT64_C(0x2222) << 32);
			check_refused(cpu, machine, DATA_CFG, 0x10000);
		}
		if (format == 0 || format == NO_PEBS)
			check_absent(cpu, machine, LD_LAT);
		else
			put(machine, LD_LAT, 0xffff);
		if (cpu_is_from(cpu, "corei7_skylake_x"))
			put(machine, FRONTEND, 0x12);
		else
			check_absent(cpu, machine, FRONTEND);
	}
}

UNIT_MAIN()
