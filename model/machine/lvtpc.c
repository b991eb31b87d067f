/* SPDX-License-Identifier: MIT */
/* What LVTPC makes of a PMI. Source: SDM 3A, "Local Vector Table". */
#include <model/core/internal.h>

#include <arch/regs/apic.h>

/* SDM 3A, "Local Vector Table": LVTPC takes fixed, SMI and NMI. */
static bool is_deliverable(unsigned delivery)
{
	return delivery == APIC_DELIVERY_FIXED || delivery == APIC_DELIVERY_SMI ||
	       delivery == APIC_DELIVERY_NMI;
}

struct refpmu_lvtpc refpmu_lvtpc(struct refpmu_cpu *m, uint32_t lvtpc)
{
	unsigned delivery = (unsigned)FIELD_GET(APIC_LVT_DELIVERY, lvtpc);
	struct refpmu_lvtpc answer = {
		.is_delivered = !(lvtpc & APIC_LVT_MASK) && is_deliverable(delivery),
		.delivery = (uint8_t)delivery,
		.vector = (uint8_t)FIELD_GET(APIC_LVT_VECTOR, lvtpc),
		.lvtpc = lvtpc,
	};

	if (answer.is_delivered && rules_of(m)->overflow.pmi_masks_lvtpc)
		answer.lvtpc |= APIC_LVT_MASK;
	return answer;
}
