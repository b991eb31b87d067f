/* SPDX-License-Identifier: MIT */
/* Source: SDM 2A, "CPUID - CPU Identification"; SDM 3A, "Microcode Update Signature". */
#include <arch/cpu/cpuid.h>

#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/msr.h>

#define LEAF_HYPERVISOR  0x40000000u
#define LEAF_EXTENDED    0x80000000u
#define LEAF_BRAND       0x80000002u

bool has_cpuid(void)
{
	uintptr_t flags = flags_read();
	bool changes;

	flags_write(flags ^ EFLAGS_ID);
	changes = ((flags_read() ^ flags) & EFLAGS_ID) != 0;
	flags_write(flags);
	return changes;
}

/* Returns the highest leaf of the range that leaf is in. Only hypervisors answer leaf 40000000H. */
static uint32_t highest_leaf(uint32_t leaf)
{
	uint32_t range = leaf & 0xffff0000u, highest = cpuid_execute(range, 0).eax;

	return highest >> 16 == range >> 16 ? highest : 0;
}

struct cpuid_result cpuid_read(uint32_t leaf, uint32_t subleaf)
{
	if (!has_cpuid() || leaf > highest_leaf(leaf))
		return (struct cpuid_result){ 0, 0, 0, 0 };
	return cpuid_execute(leaf, subleaf);
}

uint32_t cpuid_get(struct cpuid_field field)
{
	return cpuid_pick(cpuid_read(field.leaf, field.subleaf), field);
}

uint32_t cpuid_core(void)
{
	return cpuid_get(CPUID_HYBRID) ? cpuid_get(CPUID_CORE) : 0;
}

const char *cpuid_core_name(unsigned type)
{
	switch (type) {
	case CORE_TYPE_ATOM: return "Atom";
	case CORE_TYPE_CORE: return "Core";
	default:             return "other";
	}
}

static void put_text(char *to, uint32_t reg)
{
	for (unsigned i = 0; i < 4; i++) {
		char c = (char)(reg >> (8 * i));

		to[i] = (c >= ' ' && c <= '~') || c == '\0' ? c : '?';
	}
}

static void read_vendor(struct cpu_identity *id)
{
	struct cpuid_result r = cpuid_read(0, 0);

	id->vendor = cpuid_vendor(r);
	put_text(id->vendor_name, r.ebx);
	put_text(id->vendor_name + 4, r.edx);
	put_text(id->vendor_name + 8, r.ecx);
}

/*
 * SDM 2A, CPUID: the extended family is added for family 0FH, the extended model counts for
 * families 06H and 0FH.
 */
static void read_signature(struct cpu_identity *id)
{
	unsigned base = cpuid_get(CPUID_BASE_FAMILY);

	id->family = base + (base == 0xf ? cpuid_get(CPUID_EXTENDED_FAMILY) : 0);
	id->model = cpuid_get(CPUID_BASE_MODEL)
	            + (base == 0x6 || base == 0xf ? cpuid_get(CPUID_EXTENDED_MODEL) << 4 : 0);
	id->stepping = cpuid_get(CPUID_STEPPING);
}

static void read_brand(struct cpu_identity *id)
{
	for (uint32_t i = 0; i < 3; i++) {
		struct cpuid_result r = cpuid_read(LEAF_BRAND + i, 0);
		uint32_t regs[] = { r.eax, r.ebx, r.ecx, r.edx };

		for (unsigned j = 0; j < 4; j++)
			put_text(id->brand + 16 * i + 4 * j, regs[j]);
	}
}

static void read_hypervisor(struct cpu_identity *id)
{
	struct cpuid_result r;

	if (!cpuid_get(CPUID_HYPERVISOR))
		return;
	r = cpuid_execute(LEAF_HYPERVISOR, 0);
	put_text(id->hypervisor, r.ebx);
	put_text(id->hypervisor + 4, r.ecx);
	put_text(id->hypervisor + 8, r.edx);
	if (!id->hypervisor[0])
		id->hypervisor[0] = '?';       /* a hypervisor without a signature */
}

/*
 * Writing 0 and executing CPUID puts the revision into the MSR, on P6 and later; AMD reports it
 * always.
 */
static uint32_t read_microcode(void)
{
	uint64_t value;

	if (!cpuid_get(CPUID_MSR) || cpuid_get(CPUID_BASE_FAMILY) < 6)
		return 0;
	if (is_fault(msr_try_write(IA32_BIOS_SIGN_ID, 0)))
		return 0;
	cpuid_execute(1, 0);
	if (is_fault(msr_try_read(IA32_BIOS_SIGN_ID, &value)))
		return 0;
	return (uint32_t)FIELD_GET(IA32_BIOS_SIGN_ID_REVISION, value);
}

void cpu_identify(struct cpu_identity *id)
{
	*id = (struct cpu_identity){ .vendor = VENDOR_OTHER };
	read_vendor(id);
	read_signature(id);
	read_brand(id);
	read_hypervisor(id);
	id->microcode = read_microcode();
	id->core_type = cpuid_core() >> 24;
}
