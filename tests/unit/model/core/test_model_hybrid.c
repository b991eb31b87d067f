/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests a machine whose cores are of two types: each has rules of its own. */
#include <tests/unit/model/core/model_several.h>

/* Signature; counters, general and fixed, and leaf 1AH: of the larger core, then the smaller. */
static const struct {
	uint32_t signature;
	struct { unsigned gp; uint32_t fixed, leaf_1a; } core[2];
} rows[] = {
	{ 0x90672, { { 8, 0xf, 0x40000001 }, { 6, 0x7, 0x20000001 } } },
	{ 0xa06a4, { { 8, 0xf, 0x40000002 }, { 8, 0x7, 0x20000002 } } },
	{ 0xc0662, { { 10, 0xf, 0x40000003 }, { 8, 0x77, 0x20000003 } } },
};

static struct several s;

/* Creates one core of each type in one package. */
static void create(uint32_t signature)
{
	const struct refpmu_host host = { .context = &s.cpu[0],
		.raise_pmi = several_raise_pmi, GUEST_HOST };
	struct refpmu_identity identity = machine_identity(signature);

	memset(s.cpu, 0, sizeof(s.cpu));
	s.count = 2;
	refpmu_machine_create(&s.machine);
	s.package[0] = refpmu_package_create(s.package_memory[0], &s.machine, identity);
	for (unsigned i = 0; i < 2; i++) {
		identity.core_type = i ? 0x20 : 0x40;
		s.core[i] = refpmu_core_create(s.core_memory[i], s.package[0], identity, 1);
		check_true("created", s.core[i]);
		refpmu_cpu_create(&s.cpu[i].model, s.core[i], &host);
	}
}

UNIT_TEST(each_type_has_its_rules)
{
	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		uint32_t leaf_0a[2][4] = { { 0 } }, leaf_1a[4];

		create(rows[i].signature);
		for (unsigned core = 0; core < 2; core++) {
			const struct model_rules *r = &s.core[core]->rules;

			check_eq_u64("general counters", r->counters.gp_count,
			             rows[i].core[core].gp);
			check_eq_u64("fixed counters", r->counters.fixed_map,
			             rows[i].core[core].fixed);
			refpmu_cpuid(&s.cpu[core].model, 0x0a, 0, leaf_0a[core]);
			memset(leaf_1a, 0, sizeof(leaf_1a));
			refpmu_cpuid(&s.cpu[core].model, 0x1a, 0, leaf_1a);
			check_eq_u64("leaf 1AH", leaf_1a[0], rows[i].core[core].leaf_1a);
		}
		check_true("leaf 0AH is the same",
		           memcmp(leaf_0a[0], leaf_0a[1], sizeof(leaf_0a[0])) == 0);
	}
}

UNIT_TEST(without_a_type_it_is_the_performance_core)
{
	static struct machine machine;

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		check_true("created", machine_create(&machine, rows[i].signature, 1));
		check_eq_u64("leaf 1AH", machine.core.rules.registers.leaf_1a,
		             rows[i].core[0].leaf_1a);
	}
}

UNIT_TEST(other_processors_have_no_types)
{
	struct refpmu_identity identity = machine_identity(0x306c3);

	identity.core_type = 0x20;
	check_eq_u64("size of a Haswell's core of type Atom", refpmu_core_size(identity), 0);
}

UNIT_TEST(a_register_of_one_type_faults_on_the_other)
{
	uint64_t value;

	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		create(rows[i].signature);
		check_eq_u64("30CH", refpmu_rdmsr(&s.cpu[0].model, 0x30c, &value), REFPMU_OK);
		check_eq_u64("30CH", refpmu_rdmsr(&s.cpu[1].model, 0x30c, &value), REFPMU_GP);
		check_eq_u64("3F7H", refpmu_rdmsr(&s.cpu[0].model, 0x3f7, &value), REFPMU_OK);
		check_true("3F7H", refpmu_rdmsr(&s.cpu[1].model, 0x3f7, &value) != REFPMU_OK);
	}
}

UNIT_TEST(a_saved_machine_has_its_types)
{
	static unsigned char bytes[16 << 20];
	size_t size;

	create(0xa06a4);
	several_count(&s, 1, INSTRUCTIONS | OS, 0);
	several_nops(&s, 1, 10);
	size = refpmu_save(&s.machine, bytes, sizeof(bytes));
	check_true("saved", size);
	create(0xa06a4);
	check_eq_u64("restored", refpmu_restore(&s.machine, bytes, size), REFPMU_RESTORED);
	check_eq_u64("IA32_PMC0 of the efficient core", several_get(&s, 1, PMC0), 10);
	several_create(&s, 0xa06a4, 1, 2, 1);
	check_eq_u64("two performance cores", refpmu_restore(&s.machine, bytes, size),
	             REFPMU_OTHER_MACHINE);
}

UNIT_MAIN()
