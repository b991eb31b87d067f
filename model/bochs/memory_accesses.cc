/* SPDX-License-Identifier: MIT */
/* Passes the guest's accesses to memory to the model, and says which of them may be cached. */
#include "glue.h"
#include "details.h"

/*
 * Devices are not cached: the VGA's memory, and the range right below 4 GB, where the local APIC
 * is. For other addresses Bochs passes the memory type if it was configured to know any.
 */
static bool is_cacheable(bx_phy_address physical, unsigned memtype)
{
	static const bx_phy_address VGA = 0xa0000, VGA_END = 0xc0000;
	static const bx_phy_address DEVICES = 0xe0000000, DEVICES_END = (bx_phy_address)1 << 32;

	if ((physical >= VGA && physical < VGA_END)
	    || (physical >= DEVICES && physical < DEVICES_END))
		return false;
#if BX_SUPPORT_MEMTYPE
	return memtype == BX_MEMTYPE_WB || memtype == BX_MEMTYPE_WT || memtype == BX_MEMTYPE_WP;
#else
	return (void)memtype, true;
#endif
}

void bx_model_access(unsigned cpu, bx_address linear, bx_phy_address physical, unsigned size,
                     unsigned memtype, unsigned rw)
{
	/* By BX_READ, BX_WRITE, BX_EXECUTE, which is none, BX_RW. */
	static const enum refpmu_access kinds[] = {
		REFPMU_READ, REFPMU_WRITE, REFPMU_READ, REFPMU_READ_WRITE
	};
	struct Glue *g = &glues[cpu];

	if (g->needs.breakpoints)
		details_access(cpu, linear, size, rw);
	/* An architectural PMU needs nothing else. */
	bool is_cached = !g->needs.details || is_cacheable(physical, memtype);
	refpmu_access(g->model, kinds[rw], linear, physical, size, is_cached);
}

/* PREFETCHh is a read, if the page is present. Only older PMUs need the address: others count
 * none. */
void bx_model_prefetch(unsigned cpu, unsigned segment, bx_address offset)
{
	bx_address linear = BX_CPU(cpu)->get_laddr(segment, offset);
	bx_phy_address physical;

	if (glues[cpu].needs.details && BX_CPU(cpu)->dbg_xlate_linear2phy(linear, &physical))
		refpmu_access(glues[cpu].model, REFPMU_READ, linear, physical, 1,
		              is_cacheable(physical, BX_MEMTYPE_WB));
}
