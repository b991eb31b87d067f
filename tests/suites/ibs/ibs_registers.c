/* SPDX-License-Identifier: MIT */
/*
 * What CPUID says of IBS, which registers are there, and which bits take a write. Source of the
 * bits: VirtualBox's tables of processors, probed on a Phenom II X6 1100T, an FX-8150, a Ryzen 7
 * 1800X and a Hygon C86 7185; elsewhere they are reported.
 */
#include <tests/suites/ibs/ibs_suite.h>

#include <arch/cpu/cpuid.h>
#include <arch/interrupts/local_apic.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <tests/suites/common/absent_msrs.h>

#define MASKS  "VirtualBox, tables of processors, probed on silicon"

TEST(leaf, .id = "ibs.cpuid.leaf", .is_static = true, .needs = need_ibs,
     .source = "APM 3, \"CPUID\", 8000001BH",
     .claim = "a leaf that is valid reports fetch and op sampling; one that is not reports nothing")
{
	struct cpuid_result r = cpuid_read(CPUID_AMD_IBS, 0);
	const uint32_t both = CPUID_AMD_IBS_EAX_FetchSam | CPUID_AMD_IBS_EAX_OpSam;

	test_report(t, "CPUID.8000001BH:EAX", "%" PRIX32 "H", r.eax);
	if (r.eax & CPUID_AMD_IBS_EAX_FFV)
		expect_bits(t, "EAX", r.eax, both, both, "no processor has one kind alone");
	else
		expect_exact(t, "EAX", r.eax, 0, "EAX[0] = 0: its other bits are not valid");
	expect_exact(t, "EBX, ECX and EDX", r.ebx | r.ecx | r.edx, 0, "they are reserved");
}

/* The registers with the capability that they need. */
static const struct { uint32_t msr, cap; const char *name; } registers[] = {
	{ IbsFetchCtl, CPUID_AMD_IBS_EAX_FetchSam, "IbsFetchCtl" },
	{ IbsFetchLinAd, CPUID_AMD_IBS_EAX_FetchSam, "IbsFetchLinAd" },
	{ IbsFetchPhysAd, CPUID_AMD_IBS_EAX_FetchSam, "IbsFetchPhysAd" },
	{ IbsOpCtl, CPUID_AMD_IBS_EAX_OpSam, "IbsOpCtl" },
	{ IbsOpRip, CPUID_AMD_IBS_EAX_OpSam, "IbsOpRip" },
	{ IbsOpData, CPUID_AMD_IBS_EAX_OpSam, "IbsOpData" },
	{ IbsOpData2, CPUID_AMD_IBS_EAX_OpSam, "IbsOpData2" },
	{ IbsOpData3, CPUID_AMD_IBS_EAX_OpSam, "IbsOpData3" },
	{ IbsDcLinAd, CPUID_AMD_IBS_EAX_OpSam, "IbsDcLinAd" },
	{ IbsDcPhysAd, CPUID_AMD_IBS_EAX_OpSam, "IbsDcPhysAd" },
	{ IbsControl, CPUID_AMD_IBS_EAX_OpSam, "IbsControl" },
	{ IbsBrTarget, CPUID_AMD_IBS_EAX_BrnTrgt, "IbsBrTarget" },
	{ IbsFetchCtlExtd, CPUID_AMD_IBS_EAX_FetchCtlExtd, "IbsFetchCtlExtd" },
	{ IbsOpData4, CPUID_AMD_IBS_EAX_OpData4, "IbsOpData4" },
};

TEST(answer, .id = "ibs.cpuid.registers", .is_first = true, .is_static = true, .needs = need_ibs,
     .source = IBS_APM, .claim = "each register of which CPUID speaks can be read")
{
	uint64_t value;

	for (unsigned i = 0; i < COUNT_OF(registers); i++)
		if (ibs_has(registers[i].cap))
			expect_no_fault(t, registers[i].name,
			                msr_try_read(registers[i].msr, &value), "CPUID reports it");
}

static const char *need_fewer_registers(struct test_ctx *t)
{
	const char *reason = need_ibs(t);

	return reason || !ibs_has(CPUID_AMD_IBS_EAX_OpData4) ? reason
	       : test_reason(t, "CPUID.8000001BH:EAX = %" PRIX32 "H: it has all registers",
	                     ibs_caps());
}

TEST(absent, .id = "ibs.cpuid.absent", .is_static = true, .needs = need_fewer_registers,
     .source = IBS_APM, .claim = "a register of which CPUID does not speak does not exist")
{
	for (unsigned i = 0; i < COUNT_OF(registers); i++) {
		const struct absent_msrs rows[] = { { registers[i].msr, 1 }, { 0, 0 } };

		test_sub(t, "%s", registers[i].name);
		if (!ibs_has(registers[i].cap))
			judge_absent(t, rows, "CPUID.8000001BH does not report it");
	}
}

/* ---------------------------------------------------------------------------- IbsControl */

static const char *need_known_family(struct test_ctx *t)
{
	const char *reason = need_ibs(t);
	unsigned family = amd_family();

	if (reason || (amd_is_known() && family != AMD_19H && family != AMD_K8))
		return reason;
	return test_reason(t, "family %XH, model %XH: nobody wrote down its bits", family,
	                   machine_cpu()->model);
}

TEST(read_only, .id = "ibs.control.read_only", .is_static = true, .needs = need_known_family,
     .source = MASKS ", C001103AH", .claim = "IbsControl cannot be written")
{
	const uint64_t value = msr_read(IbsControl);

	expect_fault(t, "WRMSR of the value that it has", msr_try_write(IbsControl, value), X86_GP,
	             0, "writes of all values raised #GP on 10H, 15H and 17H");
	expect_exact(t, "IbsControl", msr_read(IbsControl), value, "the write failed");
}

TEST(entry, .id = "ibs.control.entry", .is_static = true, .needs = need_ibs_interrupt,
     .source = IBS_LVT ", Extended APIC Feature Register",
     .claim = "IbsControl names an entry of the extended LVT that exists")
{
	uint64_t entry = FIELD_GET(IbsControl_LvtOffset, msr_read(IbsControl));
	uint64_t entries = FIELD_GET(APIC_EXTENDED_FEATURE_LVTS, apic_read(APIC_EXTENDED_FEATURE));

	test_report(t, "entries", "%u", (unsigned)entries);
	expect_between(t, "IbsControl[3:0]", entry, 0, entries - 1,
	               "low: the first one; high: bits 23:16 of register 400H are their number");
}

/* ---------------------------------------------------------------------------- bits */

/* Which bits take a write while nothing samples, by family. */
static const struct stored {
	uint32_t msr;
	const char *name;
	uint64_t f10h, f15h, f17h;
} stored[] = {
	{ IbsFetchCtl, "IbsFetchCtl", 0x02030000ffffffff, 0x020100000000ffff, 0x020100000000ffff },
	{ IbsOpCtl, "IbsOpCtl", 0xfffff, 0x07ffffff07feffff, 0x07ffffff07feffff },
	{ IbsFetchLinAd, "IbsFetchLinAd", 0, 0, 0x0000ffffffffffff },
	{ IbsFetchPhysAd, "IbsFetchPhysAd", 0, 0, 0x0000ffffffffffff },
	{ IbsOpData, "IbsOpData", 0, 0x0000003fffffffff, 0x000001fcffffffff },
	{ IbsOpData2, "IbsOpData2", 0x37, 0x37, 0x37 },
	{ IbsOpData3, "IbsOpData3", 0, 0x0000ffff000ffbff, 0xffffffffffffe1ff },
	{ IbsDcPhysAd, "IbsDcPhysAd", 0, 0x0000ffffffffffff, 0x0000ffffffffffff },
	{ IbsDcLinAd, "IbsDcLinAd", 0xffff800000000000, UINT64_MAX, UINT64_MAX },
	{ IbsOpRip, "IbsOpRip", UINT64_MAX, UINT64_MAX, UINT64_MAX },
};

static uint64_t wanted(const struct stored *s)
{
	return amd_family() == AMD_10H ? s->f10h : amd_family() == AMD_15H ? s->f15h : s->f17h;
}

/* Returns a value without the two enables. */
static uint64_t harmless(uint32_t msr, uint64_t value)
{
	uint64_t enable = msr == IbsFetchCtl ? IbsFetchCtl_En : msr == IbsOpCtl ? IbsOpCtl_En : 0;

	return value & ~enable;
}

/* Writes the value to register i, and returns what it then holds; the register becomes 0 again. */
static uint64_t write_and_read(struct test_ctx *t, unsigned i, uint64_t value)
{
	uint32_t msr = stored[i].msr;
	uint64_t got = 0;

	expect_no_fault(t, "WRMSR", msr_try_write(msr, harmless(msr, value)),
	                "no bit of these registers raises a fault");
	msr_try_read(msr, &got);
	msr_try_write(msr, 0);
	return got;
}

/* Fields that are no addresses; those that are must be canonical to be safe everywhere. */
static void judge_stored(struct test_ctx *t, unsigned i)
{
	uint64_t want = harmless(stored[i].msr, wanted(&stored[i]));
	uint64_t ones, zeros;

	test_sub(t, "%s", stored[i].name);
	ones = write_and_read(t, i, UINT64_MAX);
	zeros = write_and_read(t, i, 0);
	expect_bits(t, "bits that took a 1", ones & ~zeros, UINT64_MAX, want, MASKS);
}

static void judge_rows(struct test_ctx *t, unsigned first, unsigned last)
{
	for (unsigned i = first; i <= last; i++)
		judge_stored(t, i);
}

TEST(fetch_bits, .id = "ibs.registers.fetch_ctl", .is_static = true, .needs = need_known_family,
     .source = MASKS, .claim = "IbsFetchCtl keeps the bits that silicon keeps")
{
	judge_rows(t, 0, 0);
}

TEST(op_bits, .id = "ibs.registers.op_ctl", .is_static = true, .needs = need_known_family,
     .source = MASKS, .claim = "IbsOpCtl keeps the bits that silicon keeps")
{
	judge_rows(t, 1, 1);
}

TEST(sample_bits, .id = "ibs.registers.samples", .is_static = true, .needs = need_known_family,
     .source = MASKS, .claim = "registers of samples keep the bits that silicon keeps")
{
	judge_rows(t, 2, COUNT_OF(stored) - 1);
}

TEST(every_bit, .id = "ibs.registers.no_fault", .is_static = true, .needs = need_ibs,
     .source = IBS_APM "; " MASKS,
     .claim = "no bit of a control raises a fault, and each bit of MaxCnt reads back")
{
	for (unsigned i = 0; i < 2; i++)
		for (unsigned bit = 0; bit < 64; bit++) {
			uint64_t got;

			test_sub(t, "%s, bit %u", stored[i].name, bit);
			got = write_and_read(t, i, BIT(bit));
			if (bit < 16)
				expect_bits(t, "MaxCnt", got, FIELD(15, 0), BIT(bit),
				            "MaxCnt is bits 15:0");
		}
}

/* ---------------------------------------------------------------------------- the LVT entry */

TEST(lvt, .id = "ibs.eilvt.register", .is_static = true, .needs = need_ibs_interrupt,
     .source = IBS_LVT, .claim = "the entry keeps vector, mode and mask")
{
	static const uint32_t values[] = { APIC_LVT_MASK, 0x041, 0x400, 0x100ff, 0x10400, 0x080 };
	const uint32_t fields = (uint32_t)(APIC_LVT_VECTOR | APIC_LVT_DELIVERY) | APIC_LVT_MASK;

	for (unsigned i = 0; i < COUNT_OF(values); i++) {
		apic_write(ibs_lvt(), values[i]);
		expect_bits(t, "the entry", apic_read(ibs_lvt()), fields, values[i],
		            "software writes these fields");
	}
	apic_write(ibs_lvt(), APIC_LVT_MASK);
}
