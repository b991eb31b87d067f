/* SPDX-License-Identifier: MIT */
/* LINK: pmu/core/dangers.c kernel/lib/glob.c kernel/lib/format.c */
#include <pmu/core/dangers.h>

#include <arch/regs/table.h>
#include <kernel/lib/glob.h>
#include <kernel/machine/machine.h>
#include <tests/unit/unit.h>

static struct cpu_identity cpu = { .vendor = VENDOR_INTEL };
static uint32_t signature, is_hypervisor;

const struct cpu_identity *machine_cpu(void) { return &cpu; }

struct cpuid_result cpuid_read(uint32_t leaf, uint32_t subleaf)
{
	(void)subleaf;
	return (struct cpuid_result){ .eax = leaf == 1 ? signature : 0 };
}

uint32_t cpuid_get(struct cpuid_field field)
{
	return field.leaf == 1 && field.reg == CPUID_ECX && field.lo == 31 ? is_hypervisor : 0;
}

/* Returns a signature of family 5 or 6, as CPUID.1:EAX has it. */
static uint32_t sign(unsigned family, unsigned model, unsigned stepping, unsigned type)
{
	return (model >> 4) << 16 | type << 12 | family << 8 | (model & 15) << 4 | stepping;
}

/* The specification updates, typed once more: which processors shut down with CR4.PCE = 1. */
static const char *wanted_pce(unsigned family, unsigned model, unsigned stepping, unsigned type)
{
	if (family == 5 && model == 4 && (stepping == 4 || (stepping == 3 && type == 1)))
		return "Pentium erratum 74";
	if (family == 6 && model == 1 && stepping <= 8)
		return "Pentium Pro erratum 26";
	return "none";
}

static const char *found(enum cpu_vendor vendor, uint32_t eax, uint32_t microcode, const char *id)
{
	const struct danger *d = danger_find(vendor, eax, microcode, id);

	return d ? d->erratum : "none";
}

UNIT_TEST(cr4_pce_is_dangerous_on_exactly_these_steppings)
{
	for (unsigned family = 5; family <= 6; family++)
		for (unsigned model = 0; model < 256; model++)
			for (unsigned low = 0; low < 64; low++) {
				unsigned stepping = low & 15, type = low >> 4;

				check_str("rdpmc.mode.cpl3",
				          found(VENDOR_INTEL, sign(family, model, stepping, type),
				                0, "rdpmc.mode.cpl3"),
				          wanted_pce(family, model, stepping, type));
			}
}

UNIT_TEST(an_extended_family_is_another_processor)
{
	check_str("family 14H", found(VENDOR_INTEL, 0x00f00544, 0, "pce"), "none");
	check_str("AMD, the same signature", found(VENDOR_AMD, 0x544, 0, "pce"), "none");
	check_str("another vendor", found(VENDOR_OTHER, 0x544, 0, "pce"), "none");
}

UNIT_TEST(every_test_that_sets_cr4_pce_is_named)
{
	static const char *const both[] = { "rdpmc.mode.real", "rdpmc.cr4_pce", "pce" };

	for (unsigned i = 0; i < COUNT_OF(both); i++) {
		check_str(both[i], found(VENDOR_INTEL, 0x544, 0, both[i]), "Pentium erratum 74");
		check_str(both[i], found(VENDOR_INTEL, 0x611, 0, both[i]),
		          "Pentium Pro erratum 26");
	}
	check_str("p5", found(VENDOR_INTEL, 0x544, 0, "p5.registers.rdpmc_user"),
	          "Pentium erratum 74");
	check_str("p6", found(VENDOR_INTEL, 0x617, 0, "p6.registers.rdpmc_user"),
	          "Pentium Pro erratum 26");
	check_str("CR4.PCE stays 0", found(VENDOR_INTEL, 0x544, 0, "rdpmc.index.valid"), "none");
}

UNIT_TEST(sandy_bridge_needs_its_microcode_for_pebs)
{
	for (unsigned model = 0; model < 256; model++)
		check_str("microcode 27H",
		          found(VENDOR_INTEL, sign(6, model, 7, 0), 0x27, "pebs.record.ip"),
		          model == 0x2a ? "Sandy Bridge erratum BJ106 (BK105)" : "none");
	check_str("microcode 28H", found(VENDOR_INTEL, 0x206a7, 0x28, "pebs.record.ip"), "none");
	check_str("unknown microcode", found(VENDOR_INTEL, 0x206a7, 0, "bts.with_pebs"),
	          "Sandy Bridge erratum BJ106 (BK105)");
	check_str("BTS alone", found(VENDOR_INTEL, 0x206a7, 0, "bts.records.near"), "none");
}

UNIT_TEST(core_2_gets_a_page_of_pebs_buffer)
{
	for (unsigned model = 0; model < 256; model++)
		for (unsigned stepping = 0; stepping < 16; stepping++)
			check_str("family 6",
			          found(VENDOR_INTEL, sign(6, model, stepping, 0), 0xffff,
			                DANGER_PEBS_BUFFER),
			          model == 0x0f || model == 0x16 || model == 0x17 || model == 0x1d
			          ? "Core 2, PEBS buffers" : "none");
}

UNIT_TEST(the_reason_names_erratum_and_processor)
{
	signature = 0x544;
	check_str("reason", danger_reason("rdpmc.cr4_pce"),
	          "Pentium erratum 74, CPUID.1:EAX = 544H, microcode 0H: an SMI shuts the "
	          "processor down while CR4.PCE = 1; the word `errata` accepts that");
	signature = 0x543;
	check_true("stepping 3 of type 0", danger_reason("rdpmc.cr4_pce") == NULL);
}

UNIT_TEST(the_word_and_a_hypervisor_let_all_tests_run)
{
	signature = 0x544;
	is_hypervisor = 1;
	check_true("hypervisor", danger_reason("rdpmc.cr4_pce") == NULL);
	is_hypervisor = 0;
	check_true("none", danger_reason("rdpmc.cr4_pce") != NULL);
	dangers_init(true, false);
	check_true("errata", danger_reason("rdpmc.cr4_pce") == NULL);
	dangers_init(false, false);
}

UNIT_TEST(only_the_word_lets_an_smi_be_raised)
{
	signature = 0x306c3;
	is_hypervisor = 1;
	check_str("without", danger_of_smi(),
	          "CPUID.1:EAX = 306C3H, and the word `smi` was not given: a write of port B2H "
	          "lets firmware's SMI handler run");
	is_hypervisor = 0;
	dangers_init(false, true);
	check_true("with", danger_of_smi() == NULL);
	dangers_init(false, false);
}

enum { IDS_MAX = 2048, ID_SIZE = 96 };
static char ids[IDS_MAX][ID_SIZE];

/* Reads the ids of all tests that are not retired; returns their number. */
static unsigned read_ids(void)
{
	FILE *file = fopen("tests/ids.csv", "r");
	char line[256], state[8];
	unsigned count = 0;

	while (file && count < IDS_MAX && fgets(line, sizeof(line), file))
		count += sscanf(line, "%*u,%95[^,],%7[^,]", ids[count], state) == 2
		         && strcmp(state, "live") == 0;
	if (file)
		fclose(file);
	return count;
}

static bool is_used(const char *glob, unsigned count)
{
	static const char *const others[] = { "pce", "pebs", DANGER_PEBS_BUFFER };

	for (unsigned i = 0; i < COUNT_OF(others); i++)
		if (strcmp(glob, others[i]) == 0)
			return true;
	for (unsigned i = 0; i < count; i++)
		if (glob_is_match(glob, ids[i]))
			return true;
	return false;
}

/* A glob that matches no test protects nobody: a test may have been renamed. */
UNIT_TEST(every_glob_matches_a_test)
{
	unsigned count = read_ids();

	check_true("tests/ids.csv was read", count > 1000);
	for (unsigned i = 0; i < danger_count; i++)
		for (unsigned g = 0; g < DANGER_TESTS && dangers[i].tests[g]; g++)
			check_true(dangers[i].tests[g], is_used(dangers[i].tests[g], count));
}

UNIT_MAIN()
