/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Tests how much memory each processor takes. Every block has the size that the model asks for, and
 * the address sanitizer watches its ends. The output shows the sizes.
 */
#include <arch/regs/table.h>
#include <tests/unit/model/core/model_cpus.h>

enum { STEPS = 3000, PENTIUM_MOST = 64 << 10 };

struct blocks {
	size_t package_size, core_size, cpu_size;
	struct refpmu_machine *machine;
	struct refpmu_package *package;
	struct refpmu_core *core;
	struct refpmu_cpu *cpu[REFPMU_THREADS];
};

/* Returns memory with arbitrary contents, which must not matter. */
static void *block(size_t size)
{
	return memset(malloc(size), 0xa5, size);
}

static void ignore_pmi(void *context)
{
	(void)context;
}

static void create(struct blocks *b, uint32_t signature, unsigned threads)
{
	const struct refpmu_identity identity = machine_identity(signature);
	const struct refpmu_host host = { .raise_pmi = ignore_pmi, GUEST_HOST };

	b->package_size = refpmu_package_size(identity);
	b->core_size = refpmu_core_size(identity);
	b->machine = refpmu_machine_create(block(refpmu_machine_size()));
	b->package = refpmu_package_create(block(b->package_size), b->machine, identity);
	b->core = refpmu_core_create(block(b->core_size), b->package, identity, threads);
	check_true("created", b->core);
	b->cpu_size = refpmu_cpu_size(b->core);
	b->cpu[1] = NULL;
	for (unsigned i = 0; i < threads; i++)
		b->cpu[i] = refpmu_cpu_create(block(b->cpu_size), b->core, &host);
}

static void release(struct blocks *b)
{
	for (unsigned i = 0; i < REFPMU_THREADS; i++)
		free(b->cpu[i]);
	free(b->core);
	free(b->package);
	free(b->machine);
}

/* Makes something count, whatever it is, so that the caches are used. */
static void count(struct refpmu_cpu *m)
{
	static const struct { uint32_t msr; uint64_t value; } writes[] = {
		{ CESR, 0x00d600c0 }, { EVTSEL0, 0x4300c0 }, { GLOBAL, 1 },
		{ 0x3b8, 0x0400060c }, { 0x36c, 0x39000 },      /* CRU_ESCR0, IQ_CCCR0 */
		{ 0xc0010000, 0x4300c0 },
	};

	for (unsigned i = 0; i < COUNT_OF(writes); i++)
		refpmu_wrmsr(m, writes[i].msr, writes[i].value);
}

/*
 * Retires instructions, branches and accesses all over memory, so that every set of every cache is
 * used.
 */
static void run(struct refpmu_cpu *m)
{
	uint64_t x = 1;

	for (unsigned i = 0; i < STEPS; i++) {
		struct refpmu_insn insn = { .length = 2, .is_taken = true };

		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		insn.ip = x >> 20;
		insn.next_ip = x >> 24;
		insn.branch = (uint8_t)(i % REFPMU_BRANCHES);
		refpmu_access(m, i % 3, x >> 16 & ~UINT64_C(7), x >> 17 & ~UINT64_C(7), 8, true);
		refpmu_retire(m, &insn);
	}
	refpmu_tlb_flush(m);
	refpmu_reset(m, REFPMU_RESET_HARDWARE);
}

UNIT_TEST(every_processor_stays_within_its_memory)
{
	const struct model_rules *row;

	for (unsigned i = 0; (row = model_rules_at(i)); i++)
		for (unsigned threads = 1; threads <= REFPMU_THREADS; threads++) {
			struct blocks b;

			create(&b, row->cpuid_1_eax, threads);
			count(b.cpu[threads - 1]);
			check_true(row->name, refpmu_view(b.cpu[threads - 1])->is_active);
			run(b.cpu[threads - 1]);
			release(&b);
		}
}

/*
 * A tag has 8 bytes; besides the tags the memory holds the rules, the registers and the predictor.
 */
UNIT_TEST(memory_is_mostly_tags_of_caches)
{
	const struct model_rules *row;

	for (unsigned i = 0; (row = model_rules_at(i)); i++) {
		const struct cache_shape *shape = &row->caches.llc;
		size_t last = (size_t)shape->sets * shape->ways * 8;
		struct blocks b;

		create(&b, row->cpuid_1_eax, 1);
		printf("# %-24s package %8zu, core %6zu, processor %5zu bytes\n", row->name,
		       b.package_size, b.core_size, b.cpu_size);
		check_true(row->name, b.package_size >= last && b.package_size < last + 1024);
		check_true(row->name, b.core_size < 512 << 10);
		check_true(row->name, b.cpu_size < 32 << 10);
		release(&b);
	}
}

UNIT_TEST(a_pentium_is_small)
{
	static const uint32_t pentiums[] = { 0x52c, 0x543 };

	for (unsigned i = 0; i < COUNT_OF(pentiums); i++) {
		struct blocks b;

		create(&b, pentiums[i], 1);
		check_true("package, core and processor take less than the limit",
		           b.package_size + b.core_size + b.cpu_size < PENTIUM_MOST);
		release(&b);
	}
}

UNIT_TEST(an_unknown_processor_has_no_size)
{
	const struct refpmu_identity nobody = { 0x800f11, 0, REFPMU_INTEL, 0 };
	struct refpmu_machine *machine = refpmu_machine_create(block(refpmu_machine_size()));

	check_eq_u64("size of a package", refpmu_package_size(nobody), 0);
	check_eq_u64("size of a core", refpmu_core_size(nobody), 0);
	check_true("no package is created", !refpmu_package_create(NULL, machine, nobody));
	check_true("no core is created", !refpmu_core_create(NULL, NULL, nobody, 1));
	check_eq_u64("changes of the machine", refpmu_machine_view(machine)->changes, 0);
	free(machine);
}

UNIT_TEST(the_version_is_that_of_the_header)
{
	check_eq_u64("version", refpmu_version(), REFPMU_VERSION);
	check_eq_u64("parts of the version", REFPMU_VERSION, REFPMU_VERSION_MAJOR * 0x10000 +
	             REFPMU_VERSION_MINOR * 0x100 + REFPMU_VERSION_PATCH);
}

UNIT_MAIN()
