/* SPDX-License-Identifier: MIT */
/*
 * Sources: SDM 2A, "CPUID - CPU Identification", leaves 15H and 16H; Linux,
 * Documentation/virt/kvm/x86/msr.rst; Hyper-V TLFS, "Frequency MSRs". Leaf 40000010H is VMware's,
 * which other hypervisors took over.
 */
#include <arch/clock/clock_claims.h>

#include <stdbool.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/regs/timers.h>

uint32_t claim_cpuid_15h(void)
{
	uint32_t below = cpuid_get(CPUID_TSC_DENOMINATOR), above = cpuid_get(CPUID_TSC_NUMERATOR);
	uint64_t product = (uint64_t)(cpuid_get(CPUID_CRYSTAL_HZ) / 1000) * above;

	return !below || product >> 32 >= below ? 0 : divide_u64(product, below);
}

/* The TSC runs at the base frequency, which the leaf rounds to 1 MHz. */
uint32_t claim_cpuid_16h(void)
{
	return cpuid_get(CPUID_BASE_MHZ) * 1000;
}

static bool is_hypervisor(uint32_t name)
{
	return cpuid_get(CPUID_HYPERVISOR) && cpuid_get(CPUID_HYPERVISOR_EBX) == name;
}

uint32_t claim_cpuid_40000010h(void)
{
	return cpuid_get(CPUID_HYPERVISOR) ? cpuid_get(CPUID_HYPERVISOR_TSC_KHZ) : 0;
}

/* struct pvclock_vcpu_time_info: nanoseconds are (ticks << shift) * multiplier / 2^32. */
struct time_info {
	uint32_t version, padding;
	uint64_t tsc, system_time;
	uint32_t multiplier;
	int8_t shift;
	uint8_t flags, padding2[2];
};
_Static_assert(sizeof(struct time_info) == 32, "pvclock_vcpu_time_info");

static uint32_t rate_of(uint32_t multiplier, int shift)
{
	uint64_t khz;

	if (multiplier <= 1000000 || shift > 31 || shift < -16)
		return 0;
	khz = divide_u64(UINT64_C(1000000) << 32, multiplier);
	khz = shift < 0 ? khz << -shift : khz >> shift;
	return khz >> 32 ? 0 : (uint32_t)khz;
}

/* KVM fills the structure when the guest goes on after the WRMSR, and leaves it alone after 0. */
uint32_t claim_pvclock(void)
{
	static volatile struct time_info info __attribute__((aligned(64)));
	const bool is_new = cpuid_get(CPUID_KVM_CLOCKSOURCE2) != 0;
	const uint32_t msr = is_new ? MSR_KVM_SYSTEM_TIME_NEW : MSR_KVM_SYSTEM_TIME;

	if (!is_hypervisor(CPUID_HYPERVISOR_KVM) || !(is_new || cpuid_get(CPUID_KVM_CLOCKSOURCE)))
		return 0;
	if (is_fault(msr_try_write(msr, (uintptr_t)&info | MSR_KVM_SYSTEM_TIME_ENABLE)))
		return 0;
	cpu_pause();
	msr_try_write(msr, 0);
	return rate_of(info.multiplier, info.shift);
}

uint32_t claim_hyper_v(void)
{
	uint64_t hz;

	if (!is_hypervisor(CPUID_HYPERVISOR_HV) || !cpuid_get(CPUID_HV_FREQUENCY_MSRS)
	    || is_fault(msr_try_read(HV_X64_MSR_TSC_FREQUENCY, &hz)) || hz >> 32 >= 1000)
		return 0;
	return divide_u64(hz, 1000);
}
