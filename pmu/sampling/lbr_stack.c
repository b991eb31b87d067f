/* SPDX-License-Identifier: MIT */
#include <pmu/sampling/lbr_stack.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/lbr.h>
#include <arch/regs/netburst.h>
#include <arch/regs/p6.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <kernel/run/test.h>
#include <pmu/core/pmu.h>

#define CPUID_LBR_DEPTHS      CPUID_FIELD(0x1c, 0, EAX,  7,  0)   /* bit n: 8 * (n + 1) */
#define CPUID_LBR_CALL_STACK  CPUID_FIELD(0x1c, 0, EBX,  2,  2)

/* Linear addresses have up to 57 bits; the bits above are copies of the sign, or flags. */
#define ALL_BITS   FIELD(63, 0)
#define LOW_HALF   FIELD(31, 0)

#define SDM "SDM 3B, Last Branch, Interrupt, and Exception Recording "

#define PACKED(depth_, first, tos, ler) \
	.depth = depth_, .from_msr = first, .to_msr = first, .tos_msr = tos, .ler_msr = ler, \
	.is_packed = true, .from_address = LOW_HALF, .to_address = LOW_HALF
#define PAIRS(depth_, from, to, tos, select, ler) \
	.depth = depth_, .from_msr = from, .to_msr = to, .tos_msr = tos, .select_msr = select, \
	.ler_msr = ler, .from_address = ALL_BITS, .to_address = ALL_BITS
#define PAIRS_40(depth, select) \
	PAIRS(depth, MSR_LASTBRANCH_FROM_IP_40(0), MSR_LASTBRANCH_TO_IP_60(0), \
	      MSR_LASTBRANCH_TOS_CORE, select, MSR_LER_FROM_IP)
#define PAIRS_680(depth) \
	PAIRS(depth, MSR_LASTBRANCH_FROM_IP(0), MSR_LASTBRANCH_TO_IP(0), \
	      MSR_LASTBRANCH_TOS_CORE, MSR_LBR_SELECT, MSR_LER_FROM_IP)

/* The kinds by processor. Below the first stepping in a row, the records are unusable. */
static const struct {
	unsigned family;
	uint8_t models[20];            /* 0 ends them, except as the first one */
	unsigned first_stepping;
	struct lbr_kind kind;
} kinds[] = {
	{ 6, { 0x01, 0x03, 0x05, 0x06, 0x07, 0x08, 0x0a, 0x0b }, 0,
	  { "P6", .depth = 1, .from_msr = LastBranchFromIP, .to_msr = LastBranchToIP,
	    .ler_msr = LastExceptionFromIP, .has_offsets = true,
	    .from_address = LOW_HALF, .to_address = LOW_HALF,
	    .source = SDM "(P6 Family Processors)" } },
	{ 6, { 0x09, 0x0d, 0x0e }, 0,
	  { "Pentium M", PACKED(8, MSR_LASTBRANCH_PACKED(0), MSR_LASTBRANCH_TOS_CORE,
	                        MSR_LER_FROM_IP), .source = SDM "(Pentium M Processors)" } },
	{ 6, { 0x0f, 0x16, 0x17, 0x1d }, 0,
	  { "Core 2", PAIRS_40(4, 0),
	    .source = SDM "(Intel Core 2 Duo and Intel Atom Processors)" } },
	{ 6, { 0x1c, 0x26, 0x27, 0x35, 0x36 }, 10,
	  { "Bonnell", PAIRS_40(8, 0),
	    .source = SDM "(Intel Core 2 Duo and Intel Atom Processors)" } },
	{ 6, { 0x37, 0x4a, 0x4c, 0x4d, 0x5a, 0x5d, 0x75 }, 0,
	  { "Silvermont", PAIRS_40(8, MSR_LBR_SELECT),
	    .source = SDM "for Processors based on Goldmont Microarchitecture" } },
	{ 6, { 0x5c, 0x5f, 0x7a, 0x86, 0x96, 0x9c }, 0,
	  { "Goldmont", PAIRS_680(32), .info_msr = MSR_LBR_INFO(0),
	    .source = SDM "for Processors based on Goldmont Microarchitecture" } },
	{ 6, { 0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f, 0x2a, 0x2d, 0x3a, 0x3e }, 0,
	  { "Nehalem", PAIRS_680(16),
	    .source = SDM "for Processors based on Intel Microarchitecture code name Nehalem" } },
	{ 6, { 0x3c, 0x3f, 0x45, 0x46, 0x3d, 0x47, 0x4f, 0x56 }, 0,
	  { "Haswell", PAIRS_680(16), .has_call_stack = true,
	    .source = SDM "for Processors based on Haswell Microarchitecture" } },
	{ 6, { 0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6, 0x66, 0x7d, 0x7e, 0x6a, 0x6c, 0x9d, 0x8c,
	       0x8d, 0xa7 }, 0,
	  { "Skylake", PAIRS_680(32), .info_msr = MSR_LBR_INFO(0), .has_call_stack = true,
	    .source = SDM "for Processors based on Skylake Microarchitecture" } },
	{ 6, { 0x57, 0x85 }, 0,
	  { "Knights Landing", PAIRS_680(8),
	    .source = SDM "for Processors based on Goldmont Microarchitecture" } },
	{ 15, { 0x00, 0x01, 0x02 }, 0,
	  { "NetBurst, 4 entries", PACKED(NETBURST_LASTBRANCHES_SHORT, MSR_LASTBRANCH(0),
	                                  MSR_LASTBRANCH_TOS, MSR_LER_FROM_LIP),
	    .source = SDM "(Processors based on Intel NetBurst Microarchitecture)" } },
	{ 15, { 0x03, 0x04, 0x06 }, 0,
	  { "NetBurst, 16 entries", PAIRS(NETBURST_LASTBRANCHES, MSR_LASTBRANCH_FROM_LIP(0),
	                                  MSR_LASTBRANCH_TO_LIP(0), MSR_LASTBRANCH_TOS, 0,
	                                  MSR_LER_FROM_LIP),
	    .source = SDM "(Processors based on Intel NetBurst Microarchitecture)" } },
};

static const struct lbr_kind architectural = {
	"architectural", .from_msr = IA32_LBR_FROM_IP(0), .to_msr = IA32_LBR_TO_IP(0),
	.info_msr = IA32_LBR_INFO(0), .is_architectural = true,
	.from_address = ALL_BITS, .to_address = ALL_BITS,
	.source = "SDM 3B, Architectural Last Branch Records",
};

/* Says which bits of addresses flags leave, and whether MSR_LBR_INFO_x exists. */
static const struct { uint64_t from, to; bool has_info; } formats[] = {
	[LBR_FORMAT_32]     = { ALL_BITS, ALL_BITS, false },
	[LBR_FORMAT_LIP]    = { ALL_BITS, ALL_BITS, false },
	[LBR_FORMAT_EIP]    = { ALL_BITS, ALL_BITS, false },
	[LBR_FORMAT_FLAGS]  = { FIELD(62, 0), ALL_BITS, false },
	[LBR_FORMAT_FLAGS2] = { FIELD(60, 0), ALL_BITS, false },
	[LBR_FORMAT_INFO]   = { ALL_BITS, ALL_BITS, true },
	[LBR_FORMAT_TIME]   = { FIELD(62, 0), FIELD(47, 0), false },
	[LBR_FORMAT_INFO2]  = { ALL_BITS, ALL_BITS, true },
};

static struct { uint32_t msr; uint64_t value; } found;
static struct lbr_kind kind;
static char reason[128];
static bool is_looked_up;

static bool has_model(const uint8_t *models, unsigned model)
{
	for (unsigned i = 0; i == 0 || models[i]; i++)
		if (models[i] == model)
			return true;
	return false;
}

static unsigned deepest(void)
{
	uint32_t depths = cpuid_get(CPUID_LBR_DEPTHS);
	unsigned depth = 0;

	for (unsigned i = 0; i < 8; i++)
		if (depths >> i & 1)
			depth = 8 * (i + 1);
	return depth;
}

static void find_architectural(void)
{
	kind = architectural;
	kind.depth = deepest();
	kind.has_call_stack = cpuid_get(CPUID_LBR_CALL_STACK);
	kind.format = LBR_FORMAT_ARCH;
	if (!kind.depth)
		format_buf(reason, sizeof(reason), "CPUID.7.0:EDX[19] (architectural LBR) = 1, "
		           "CPUID.1CH:EAX[7:0] = 0: no depth");
}

/* Knights Landing reports format 1, but has the flag of format 3 in FROM. */
static void apply_format(const struct cpu_identity *cpu)
{
	uint64_t capabilities = 0;

	if (cpu->family != 6 || kind.is_packed || kind.has_offsets || !cpuid_get(CPUID_PDCM))
		return;
	msr_try_read(IA32_PERF_CAPABILITIES, &capabilities);
	kind.format = FIELD_GET(IA32_PERF_CAPABILITIES_LBR_FMT, capabilities);
	if (kind.format >= COUNT_OF(formats))
		return;
	kind.from_address = formats[kind.format].from;
	kind.to_address = formats[kind.format].to;
	if (!formats[kind.format].has_info)
		kind.info_msr = 0;
	if (kind.depth == 8 && kind.from_msr == MSR_LASTBRANCH_FROM_IP(0))
		kind.from_address = formats[LBR_FORMAT_FLAGS].from;
}

static void find_by_model(const struct cpu_identity *cpu)
{
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		if (kinds[i].family != cpu->family || !has_model(kinds[i].models, cpu->model))
			continue;
		if (cpu->stepping < kinds[i].first_stepping) {
			format_buf(reason, sizeof(reason), "CPUID.1:EAX[3:0] = %u: the erratum of "
			           "%s steppings below %u makes last branch records unusable",
			           cpu->stepping, kinds[i].kind.name, kinds[i].first_stepping);
			return;
		}
		kind = kinds[i].kind;
		apply_format(cpu);
		return;
	}
	format_buf(reason, sizeof(reason), "family %XH, model %XH: no last branch records are "
	           "known for it", cpu->family, cpu->model);
}

/* A hypervisor may have no records although the model should. */
static void probe(void)
{
	const uint32_t msrs[] = { lbr_control_msr(), kind.from_msr, kind.to_msr,
	                          kind.tos_msr ? kind.tos_msr : kind.to_msr };
	uint64_t value;

	for (size_t i = 0; i < COUNT_OF(msrs); i++) {
		if (!is_fault(msr_try_read(msrs[i], &value)))
			continue;
		format_buf(reason, sizeof(reason), "RDMSR of %XH faults: no last branch records",
		           msrs[i]);
		kind.depth = 0;
		return;
	}
}

/* A machine without records may accept a write to the control register and forget it. */
static void probe_enable(void)
{
	const uint32_t msr = lbr_control_msr();
	uint64_t before = 0, value = 0;

	msr_try_read(msr, &before);
	if (!is_fault(msr_try_write(msr, before | IA32_DEBUGCTL_LBR)))
		msr_try_read(msr, &value);
	msr_try_write(msr, before);
	if (value & IA32_DEBUGCTL_LBR)
		return;
	format_buf(reason, sizeof(reason), "%XH: bit 0, which records branches, stays 0", msr);
	kind.depth = 0;
}
_Static_assert(IA32_DEBUGCTL_LBR == IA32_LBR_CTL_LBREN, "all control registers have bit 0");

static void note_found(uint32_t msr)
{
	uint64_t value;

	if (!msr || found.msr || is_fault(msr_try_read(msr, &value)) || !value)
		return;
	found.msr = msr;
	found.value = value;
}

static void note_all_found(void)
{
	note_found(kind.tos_msr);
	for (unsigned i = 0; i < kind.depth; i++) {
		note_found(kind.from_msr + i);
		note_found(kind.to_msr + i);
		note_found(kind.info_msr ? kind.info_msr + i : 0);
	}
}

uint32_t lbr_found(uint64_t *value)
{
	*value = found.value;
	return found.msr;
}

static void look_up(void)
{
	const struct cpu_identity *cpu = machine_cpu();

	is_looked_up = true;
	if (cpu->vendor == VENDOR_AMD)
		format_buf(reason, sizeof(reason), "AMD's branch records are those of lbr.amd");
	else if (cpu->vendor != VENDOR_INTEL)
		format_buf(reason, sizeof(reason), "the vendor is %s, which is not known here",
		           cpu->vendor_name);
	else if (cpuid_get(CPUID_ARCH_LBR))
		find_architectural();
	else
		find_by_model(cpu);
	if (kind.depth)
		probe();
	if (kind.depth)
		note_all_found();
	if (kind.depth)
		probe_enable();
}

const struct lbr_kind *lbr_kind(const char **why)
{
	if (!is_looked_up)
		look_up();
	if (why)
		*why = reason;
	return kind.depth ? &kind : NULL;
}

const char *need_lbr(struct test_ctx *t)
{
	const char *why;

	return lbr_kind(&why) ? NULL : test_reason(t, "%s", why);
}

/* Goldmont has version 4 but, by one table of the manual, the legacy freeze of its records. */
const char *need_known_lbr_freeze(struct test_ctx *t)
{
	const struct lbr_kind *k = lbr_kind(NULL);

	if (pmu_get()->version < 4 || k->is_architectural || k->has_call_stack)
		return NULL;
	return test_reason(t, "%s: sources disagree on how it freezes its records", k->name);
}

unsigned lbr_tos(void)
{
	return kind.tos_msr ? (unsigned)msr_read(kind.tos_msr) % kind.depth : 0;
}

/* Copies the highest address bit into the bits that were flags. */
static uint64_t extend(uint64_t value, uint64_t address)
{
	uint64_t sign = address & ~(address >> 1);

	value &= address;
	return address > LOW_HALF && (value & sign) ? value | ~address : value;
}

/* Formats that have flags store them here; if INFO has flags, it has all of them. */
static bool is_mispredicted(uint64_t from, uint64_t info)
{
	if (kind.info_msr)
		return (info & LBR_INFO_MISPRED) != 0;
	return !(kind.from_address & LBR_FROM_MISPRED) && kind.from_address > LOW_HALF
	       && (from & LBR_FROM_MISPRED);
}

struct lbr_record lbr_get(unsigned age)
{
	unsigned i = kind.tos_msr ? (lbr_tos() + kind.depth - age % kind.depth) % kind.depth : age;
	uint64_t from = msr_read(kind.from_msr + i), to = msr_read(kind.to_msr + i);
	struct lbr_record r = { .info = kind.info_msr ? msr_read(kind.info_msr + i) : 0 };

	if (kind.is_packed)
		to >>= 32;
	r.from = extend(from, kind.from_address);
	r.to = extend(to, kind.to_address);
	r.is_mispredicted = is_mispredicted(from, r.info);
	return r;
}

uint32_t lbr_control_msr(void)
{
	return kind.is_architectural ? IA32_LBR_CTL : IA32_DEBUGCTL;
}

#define ARCH_ALL (IA32_LBR_CTL_OS | IA32_LBR_CTL_USR | IA32_LBR_CTL_JCC \
                  | IA32_LBR_CTL_NEAR_REL_JMP | IA32_LBR_CTL_NEAR_IND_JMP \
                  | IA32_LBR_CTL_NEAR_REL_CALL | IA32_LBR_CTL_NEAR_IND_CALL \
                  | IA32_LBR_CTL_NEAR_RET | IA32_LBR_CTL_OTHER_BRANCH)

uint64_t lbr_control_on(uint64_t select)
{
	if (kind.is_architectural)
		return IA32_LBR_CTL_LBREN | (select ? select : ARCH_ALL);
	return IA32_DEBUGCTL_LBR;
}

uint64_t lbr_select_user(void)
{
	if (kind.is_architectural)
		return ARCH_ALL & ~IA32_LBR_CTL_OS;
	return kind.select_msr ? MSR_LBR_SELECT_CPL_EQ_0 : 0;
}

void lbr_enable(uint64_t select)
{
	if (kind.is_architectural) {
		msr_write(IA32_LBR_CTL, 0);
		msr_write(IA32_LBR_DEPTH, kind.depth);
		msr_write(IA32_LBR_CTL, lbr_control_on(select));
		return;
	}
	if (kind.select_msr)
		msr_write(kind.select_msr, select);
	msr_write(IA32_DEBUGCTL, msr_read(IA32_DEBUGCTL) | IA32_DEBUGCTL_LBR);
}

void lbr_disable(void)
{
	uint64_t on = kind.is_architectural ? IA32_LBR_CTL_LBREN : IA32_DEBUGCTL_LBR;

	msr_write(lbr_control_msr(), msr_read(lbr_control_msr()) & ~on);
}

void lbr_stop(void)
{
	if (!is_looked_up || !kind.depth)
		return;
	if (kind.is_architectural)
		msr_write(IA32_LBR_CTL, 0);
	if (kind.select_msr)
		msr_write(kind.select_msr, 0);
}

bool lbr_clear(void)
{
	bool is_clear = true;

	if (kind.is_architectural) {
		msr_write(IA32_LBR_DEPTH, kind.depth);
		return true;
	}
	for (unsigned i = 0; i < kind.depth; i++) {
		is_clear &= !is_fault(msr_try_write(kind.from_msr + i, 0));
		is_clear &= !is_fault(msr_try_write(kind.to_msr + i, 0));
		if (kind.info_msr)
			is_clear &= !is_fault(msr_try_write(kind.info_msr + i, 0));
	}
	if (kind.tos_msr)
		is_clear &= !is_fault(msr_try_write(kind.tos_msr, 0));
	return is_clear;
}
