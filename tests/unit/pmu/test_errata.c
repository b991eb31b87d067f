/* SPDX-License-Identifier: MIT */
/* LINK: pmu/core/errata.c pmu/core/errata_rows.c pmu/core/microarchitecture.c */
/* LINK: kernel/lib/glob.c kernel/lib/format.c */
#include <pmu/core/errata.h>

#include <stdio.h>
#include <string.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/table.h>
#include <kernel/lib/glob.h>
#include <kernel/machine/machine.h>
#include <pmu/core/pmu.h>
#include <tests/unit/unit.h>

static struct cpu_identity cpu;
static struct pmu pmu = { .gp_count = 8 };

const struct cpu_identity *machine_cpu(void) { return &cpu; }
const struct pmu *pmu_get(void) { return &pmu; }

/* No row that a test here asks for depends on RTM. */
uint32_t cpuid_get(struct cpuid_field field)
{
	(void)field;
	return 0;
}

static void is_cpu(unsigned family, unsigned model, unsigned stepping)
{
	cpu = (struct cpu_identity){ .vendor = VENDOR_INTEL, .family = family, .model = model,
	                             .stepping = stepping };
	errata_init(true);
}

/* Returns whether a glob matches an id of a test that exists. */
static bool has_test(const char *glob)
{
	char line[256];
	bool is_found = false;
	FILE *ids = fopen("tests/ids.csv", "r");

	while (ids && !is_found && fgets(line, sizeof(line), ids)) {
		char *id = strchr(line, ','), *end = id ? strchr(id + 1, ',') : NULL;

		if (!end || line[0] == '#')
			continue;
		*end = '\0';
		is_found = glob_is_match(glob, id + 1);
	}
	if (ids)
		fclose(ids);
	return is_found;
}

static void check_row(const struct erratum *e)
{
	check_true(e->id, e->id[0] && e->what[0] && e->source[0] && e->steppings);
	check_true("its sentence is without an end", e->sentence[strlen(e->sentence) - 1] != '.');
	check_true("it fits into a line of a result",
	           strlen("erratum : ") + strlen(e->id) + strlen(e->sentence)
	           < 2 * RESULT_TEXT_SIZE);
	check_true("it has a test", e->tests[0]);
	for (unsigned i = 0; i < ERRATUM_TESTS && e->tests[i]; i++)
		check_true(e->tests[i], has_test(e->tests[i]));
}

UNIT_TEST(each_row_is_whole_and_names_tests_that_exist)
{
	check_true("as many as results have room for", erratum_count && erratum_count <= 256);
	for (unsigned i = 0; i < erratum_count; i++)
		check_row(&errata[i]);
}

UNIT_TEST(no_two_rows_have_one_name)
{
	for (unsigned i = 0; i < erratum_count; i++)
		for (unsigned other = 0; other < i; other++)
			check_true(errata[i].id, strcmp(errata[i].id, errata[other].id) != 0);
}

/* Returns the verdict on a test that fails at one or two checks. */
static const char *verdict(const char *id, const char *what, const char *also)
{
	const struct test test = { .id = id };
	static struct test_ctx t;

	t = (struct test_ctx){ .test = &test, .status = TEST_FAIL, .findings = also ? 2 : 1 };
	snprintf(t.finding[0].what, RESULT_TEXT_SIZE, "%s", what);
	snprintf(t.finding[1].what, RESULT_TEXT_SIZE, "%s", also ? also : "");
	return erratum_of(&t) ? erratum_of(&t) : "";
}

UNIT_TEST(a_failure_is_an_erratum_on_its_processor_alone)
{
	static const char id[] = "arch.instructions.rep_movsb";

	is_cpu(6, 0x9e, 9);
	check_true("Kaby Lake", strncmp(verdict(id, "x", NULL), "erratum KBL057: ", 16) == 0);
	is_cpu(6, 0x9e, 10);
	check_true("Coffee Lake", strncmp(verdict(id, "x", NULL), "erratum CFL057: ", 16) == 0);
	check_str("another test", verdict("arch.pmi.masked", "x", NULL), "");
	is_cpu(6, 0x8c, 1);
	check_str("Tiger Lake", verdict(id, "x", NULL), "");
	is_cpu(6, 0x9e, 9);
	cpu.vendor = VENDOR_AMD;
	check_str("another vendor", verdict(id, "x", NULL), "");
	is_cpu(6, 0x9e, 9);
	errata_init(false);
	check_str("no silicon", verdict(id, "x", NULL), "");
}

UNIT_TEST(every_failed_check_must_be_the_erratums)
{
	static const char id[] = "arch.registers.perfevtsel", own[] = "IA32_PERFEVTSEL4: read";

	is_cpu(6, 0x3a, 9);
	check_true("its own", verdict(id, own, NULL)[0]);
	check_true("twice its own", verdict(id, own, own)[0]);
	check_str("and another", verdict(id, own, "IA32_PMC0"), "");
	pmu.gp_count = 4;
	check_str("with threads", verdict(id, own, NULL), "");
	pmu.gp_count = 8;
}

UNIT_TEST(amds_errata_are_of_amds_processors)
{
	static const char id[] = "amd.pmi.two.apart";

	is_cpu(0x17, 1, 1);
	cpu.vendor = VENDOR_AMD;
	check_true("stepping 1", strncmp(verdict(id, "x", NULL), "erratum AMD 1023: ", 18) == 0);
	cpu.stepping = 2;
	check_str("stepping 2", verdict(id, "x", NULL), "");
	cpu.stepping = 1;
	cpu.family = 0x1a;
	check_str("another family", verdict(id, "x", NULL), "");
	cpu.family = 0x10;
	cpu.model = 2;
	check_true("1D4H", verdict("amd.exact.fences", "event 1D4H, unit mask", NULL)[0]);
	check_str("1D5H", verdict("amd.exact.fences", "event 1D5H, unit mask", NULL), "");
}

UNIT_TEST(an_erratum_of_a_core_is_of_each_model_that_has_it)
{
	static const struct { uint8_t family, model; const char *name; } zens[] = {
		{ 0x17, 0x01, "AMD 990" },  { 0x17, 0x18, "AMD 990" },  { 0x18, 0x01, "AMD 990" },
		{ 0x17, 0x31, "AMD 1291" }, { 0x17, 0x71, "AMD 1291" }, { 0x17, 0xa0, "AMD 1291" },
		{ 0x19, 0x01, "AMD 1292" }, { 0x19, 0x21, "AMD 1292" }, { 0x19, 0x50, "AMD 1292" },
	};

	for (unsigned i = 0; i < COUNT_OF(zens); i++) {
		is_cpu(zens[i].family, zens[i].model, 0);
		cpu.vendor = VENDOR_AMD;
		check_str(zens[i].name, erratum_named_for("presets.vec_ins"), zens[i].name);
	}
	is_cpu(0x19, 0x61, 0);
	cpu.vendor = VENDOR_AMD;
	check_true("Zen 4", !erratum_named_for("presets.vec_ins"));
	is_cpu(0x18, 1, 0);
	check_true("Intel", !erratum_named_for("presets.vec_ins"));
}

UNIT_TEST(what_has_shown_is_told)
{
	is_cpu(15, 0, 7);
	check_true("N15", verdict("netburst.overflow.carry.write", "x", NULL)[0]);
	check_true("told", strstr(errata_seen(), "seen:") && strstr(errata_seen(), "N15/O8"));
}

UNIT_MAIN()
