/* SPDX-License-Identifier: MIT */
#include <pmu/core/dangers.h>

#include <stddef.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/lib/glob.h>
#include <kernel/machine/machine.h>

/* CPUID.1:EAX without stepping, and without the processor's type, bits 13:12. */
#define STEPPING  UINT32_C(0x0000000f)
#define TYPE      UINT32_C(0x00003000)
#define ANY_TYPE  (~(STEPPING | TYPE))

#define BELOW(stepping)  ((1u << (stepping)) - 1)
#define ONLY(stepping)   (1u << (stepping))
#define ALL              UINT16_MAX

#define SHUTDOWN  "an SMI shuts the processor down while CR4.PCE = 1"
#define PEBS_ON   "a WRMSR to IA32_PEBS_ENABLE may make the machine's behavior unpredictable"

/* A PEBS buffer of more than a page, on each model of Core 2. */
#define CORE_2(signature_) \
	{ .erratum = "Core 2, PEBS buffers", \
	  .effect = "a WRMSR to IA32_PERF_GLOBAL_CTRL may hang with more than a page of buffer", \
	  .signature = signature_, .mask = ANY_TYPE, .steppings = ALL, \
	  .tests = { DANGER_PEBS_BUFFER }, .source = "Linux, intel/ds.c, intel_ds_init()" }

/*
 * Not here, because no test can provoke them: errata of Processor Trace, of uncore counters, of
 * IBS and LWP, and of a PMI at the entry to C6.
 */
const struct danger dangers[] = {
	{ .erratum = "Pentium erratum 74", .effect = SHUTDOWN,
	  .signature = 0x540, .mask = ANY_TYPE, .steppings = ONLY(4),
	  .tests = { "rdpmc.mode.*", "rdpmc.cr4_pce", "p5.registers.rdpmc_user", "pce" },
	  .source = "Pentium Processor Specification Update; perfctr, x86.c" },
	{ .erratum = "Pentium erratum 74", .effect = SHUTDOWN,
	  .signature = 0x1540, .mask = ~STEPPING, .steppings = ONLY(3),
	  .tests = { "rdpmc.mode.*", "rdpmc.cr4_pce", "p5.registers.rdpmc_user", "pce" },
	  .source = "Pentium Processor Specification Update, OverDrive; perfctr, x86.c" },
	{ .erratum = "Pentium Pro erratum 26", .effect = SHUTDOWN,
	  .signature = 0x610, .mask = ANY_TYPE, .steppings = BELOW(9),
	  .tests = { "rdpmc.mode.*", "rdpmc.cr4_pce", "p6.registers.rdpmc_user", "pce" },
	  .source = "Pentium Pro Processor Specification Update; Linux, p6.c; perfctr, x86.c" },
	{ .erratum = "Sandy Bridge erratum BJ106 (BK105)", .effect = PEBS_ON,
	  .signature = 0x206a0, .mask = ANY_TYPE, .steppings = ALL, .repaired_by = 0x28,
	  .tests = { "pebs.*", "bts.with_pebs", "sampling.*", "pebs" },
	  .source = "2nd Generation Core Specification Update; Linux, the microcode check of SNB" },
	CORE_2(0x006f0), CORE_2(0x10660), CORE_2(0x10670), CORE_2(0x106d0),
};

const unsigned danger_count = COUNT_OF(dangers);

static bool is_here(const struct danger *d, uint32_t signature, uint32_t microcode)
{
	return (signature & d->mask) == d->signature
	       && (d->steppings >> (signature & STEPPING) & 1)
	       && (!d->repaired_by || microcode < d->repaired_by);
}

static bool has_test(const struct danger *d, const char *id)
{
	for (unsigned i = 0; i < DANGER_TESTS && d->tests[i]; i++)
		if (glob_is_match(d->tests[i], id))
			return true;
	return false;
}

const struct danger *danger_find(enum cpu_vendor vendor, uint32_t signature, uint32_t microcode,
                                 const char *id)
{
	for (unsigned i = 0; vendor == VENDOR_INTEL && i < danger_count; i++)
		if (is_here(&dangers[i], signature, microcode) && has_test(&dangers[i], id))
			return &dangers[i];
	return NULL;
}

static bool is_allowed, is_smi_allowed;

void dangers_init(bool is_accepted, bool may_raise_smi)
{
	is_allowed = is_accepted;
	is_smi_allowed = may_raise_smi;
}

const char *danger_of_smi(void)
{
	static char text[160];

	if (is_smi_allowed)
		return NULL;
	format_buf(text, sizeof(text), "CPUID.1:EAX = %" PRIX32 "H, and the word `smi` was not "
	           "given: a write of port B2H lets firmware's SMI handler run",
	           cpuid_read(1, 0).eax);
	return text;
}

const char *danger_reason(const char *id)
{
	static char text[224];
	const struct cpu_identity *cpu = machine_cpu();
	uint32_t signature = cpuid_read(1, 0).eax;
	const struct danger *d = danger_find(cpu->vendor, signature, cpu->microcode, id);

	if (!d || is_allowed || cpuid_get(CPUID_HYPERVISOR))
		return NULL;
	format_buf(text, sizeof(text), "%s, CPUID.1:EAX = %" PRIX32 "H, microcode %" PRIX32
	           "H: %s; the word `errata` accepts that", d->erratum, signature,
	           cpu->microcode, d->effect);
	return text;
}
