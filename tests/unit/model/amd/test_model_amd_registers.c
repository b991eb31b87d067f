/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests which registers AMD's processors have, the bits that they keep, RDPMC's indices and CPUID.
 * Sources: APM 2, "Performance Counter MSRs"; APM 3, "RDPMC"; VirtualBox's tables of processors. */
#include <arch/regs/table.h>
#include <tests/unit/model/amd/model_amd.h>

UNIT_TEST(perf_ctl_drops_reserved_bits_without_a_fault)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);

		for (unsigned n = 0; n < a->gp; n++) {
			/* PERF_CTL2 of Zen 3 and later keeps bit 43, too. */
			uint64_t more = n == 2 && (a->ctl >> 42 & 1) ? ONE(43) : 0;

			put(m, ctl_of(a, n), ~ONE(22));
			check_eq_u64(a->name, get(m, ctl_of(a, n)), (a->ctl | more) & ~ONE(22));
		}
	}
}

UNIT_TEST(a_counter_keeps_48_bits)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);

		for (unsigned n = 0; n < a->gp; n++) {
			put(m, ctr_of(a, n), UINT64_MAX);
			check_eq_u64(a->name, get(m, ctr_of(a, n)), ONES(48));
			put(m, ctr_of(a, n), 0x80000000 + n);
			check_eq_u64(a->name, get(m, ctr_of(a, n)), 0x80000000 + n);
		}
	}
}

UNIT_TEST(both_addresses_are_one_register)
{
	FOR_EACH_AMD_WITH(a, gp == 6) {
		struct machine *m = begin(a->signature);

		for (uint32_t n = 0; n < 4; n++) {
			put(m, CTL + 2 * n, 0x100 + n);
			put(m, LEGACY_CTR + n, 0x200 + n);
		}
		put(m, CTL + 8, 0x999);
		for (uint32_t n = 0; n < 4; n++) {
			check_eq_u64(a->name, get(m, LEGACY_CTL + n), 0x100 + n);
			check_eq_u64(a->name, get(m, CTR + 2 * n), 0x200 + n);
		}
	}
}

/* Each register exists on these processors only; elsewhere it is #GP. */
static void check_there(const struct amd *a, struct machine *m, uint32_t msr, bool is_there)
{
	enum refpmu_status want = is_there ? REFPMU_OK : REFPMU_GP;

	check_eq_u64(a->name, read_status(m, msr), want);
	check_eq_u64(a->name, machine_write(m, msr, 0), want);
}

UNIT_TEST(a_register_that_is_not_there_faults)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);

		for (uint32_t n = 0; n < 12; n++)
			check_there(a, m, CTL + n, a->gp == 6);
		for (uint32_t n = 0; n < 6; n++)
			check_there(a, m, L3_CTL + 2 * n, n < a->l3);
		for (uint32_t n = 0; n < 16; n++)
			check_there(a, m, NB_CTR + 2 * n, n < a->nb);
		for (uint32_t msr = G_STATUS; msr <= G_SET; msr++)
			check_there(a, m, msr, a->has_version_2);
		check_eq_u64("186H", read_status(m, EVTSEL0), REFPMU_NOT_MINE);
		check_eq_u64("PERF_CTL6", read_status(m, CTL + 12), REFPMU_NOT_MINE);
	}
}

UNIT_TEST(counters_beyond_the_core_keep_the_bits_of_silicon)
{
	static const struct { uint32_t cpu, msr; uint64_t want; } rows[] = {
		{ FX,    NB_CTL, UINT64_C(0x000001ff0058ffff) }, { FX,    NB_CTR, ONES(48) },
		{ RYZEN, NB_CTL, UINT64_C(0xe000000f0068ffff) }, { RYZEN, NB_CTR, ONES(48) },
		{ RYZEN, L3_CTL, UINT64_C(0xff0f00000040ffff) }, { RYZEN, L3_CTR, ONES(49) },
	};

	for (unsigned i = 0; i < COUNT_OF(rows); i++)
		for (uint32_t n = 0; n < 4; n++) {
			struct machine *m = begin(rows[i].cpu);

			put(m, rows[i].msr + 2 * n, UINT64_MAX);
			check_eq_u64("all ones", get(m, rows[i].msr + 2 * n), rows[i].want);
			check_eq_u64("the next one", get(m, rows[i].msr + 2 * ((n + 1) % 4)), 0);
		}
}

/* Returns the MSR of the counter that RDPMC reads, or 0. */
static uint32_t msr_of(const struct amd *a, uint32_t ecx)
{
	if (ecx < a->gp)
		return ctr_of(a, ecx);
	if (ecx >= 6 && ecx < 10 && a->nb)
		return NB_CTR + 2 * (ecx - 6);
	if (ecx >= 10 && ecx < 10 + a->l3)
		return L3_CTR + 2 * (ecx - 10);
	if (ecx >= 16 && ecx < 28 && a->nb == 16)
		return NB_CTR + 2 * (ecx - 16 + 4);
	return 0;
}

UNIT_TEST(rdpmc_reads_the_counters_that_exist)
{
	static const uint32_t others[] = { 0x100, 0x10000, 0x40000000, 0x80000000, 0x80000001,
	                                   0xffffffff };

	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);
		uint64_t value;

		for (uint32_t ecx = 0; ecx < 40; ecx++) {
			uint32_t msr = msr_of(a, ecx);

			if (msr)
				put(m, msr, 0x1000 + ecx);
			check_eq_u64(a->name, machine_rdpmc(m, ecx, 0, false, &value),
			             msr ? REFPMU_OK : REFPMU_GP);
			if (msr)
				check_eq_u64(a->name, value, 0x1000 + ecx);
		}
		for (unsigned i = 0; i < COUNT_OF(others); i++)
			check_eq_u64(a->name, machine_rdpmc(m, others[i], 0, false, &value),
			             REFPMU_GP);
		check_eq_u64(a->name, machine_rdpmc(m, 0, 3, false, &value), REFPMU_GP);
		check_eq_u64(a->name, machine_rdpmc(m, 0, 3, true, &value), REFPMU_OK);
	}
}

UNIT_TEST(debugctl_refuses_bit_6_alone)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);
		uint64_t freezes = a->has_version_2 ? 0x1800 : 0;

		check_eq_u64(a->name, machine_write(m, DEBUGCTL, 0x40), REFPMU_GP);
		put(m, DEBUGCTL, ~UINT64_C(0x40));
		check_eq_u64(a->name, get(m, DEBUGCTL), 0x3f | freezes);
	}
}

UNIT_TEST(irperfcount_is_read_only)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);

		check_eq_u64(a->name, read_status(m, IRPERF), a->merges ? REFPMU_OK : REFPMU_GP);
		check_eq_u64(a->name, machine_write(m, IRPERF, 0), REFPMU_GP);
	}
}

UNIT_TEST(zen_has_mperf_and_aperf)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);
		uint32_t leaf[4] = { 0, 0, 0, 0 }, power[4] = { 0, 0, 0, 0 };

		for (unsigned n = 0; n < 2; n++) {
			check_eq_u64(a->name, read_status(m, MPERF_MSR + n),
			             a->merges ? REFPMU_OK : REFPMU_GP);
			check_eq_u64(a->name, read_status(m, MPERF_COPY + n),
			             a->merges ? REFPMU_OK : REFPMU_GP);
			check_eq_u64(a->name, machine_write(m, MPERF_COPY + n, 0), REFPMU_GP);
		}
		check_eq_u64(a->name, read_status(m, LS_CFG_MSR),
		             a->merges ? REFPMU_OK : REFPMU_GP);
		refpmu_cpuid(&m->model, 6, 0, leaf);
		refpmu_cpuid(&m->model, 0x80000007, 0, power);
		check_eq_u64(a->name, leaf[2], a->merges);
		check_eq_u64(a->name, power[3], a->merges ? 1u << 10 : 0);
	}
}

UNIT_TEST(a_pmi_leaves_lvtpc_unmasked)
{
	FOR_EACH_AMD(a) {
		struct machine *m = begin(a->signature);

		check_eq_u64(a->name, refpmu_lvtpc(&m->model, LVTPC_NMI).lvtpc, LVTPC_NMI);
		check_true(a->name, refpmu_lvtpc(&m->model, LVTPC_NMI).is_delivered);
		check_true(a->name, !refpmu_lvtpc(&m->model, LVTPC_MASK).is_delivered);
	}
}

/* ------------------------------------------------------------------------------ CPUID */

/* From family 10H on, except 11H. */
static bool has_ibs(uint32_t signature)
{
	uint32_t family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);

	return family >= 0x10 && family != 0x11;
}

UNIT_TEST(cpuid_announces_the_counters)
{
	/* IBS interrupts by the extended LVT, which bit 3 announces. */
	enum { EXTAPIC = 1 << 3, IBS = 1 << 10, CORE_NB_L3 = IBS | 1 << 23 | 1 << 24 | 1 << 28 };

	FOR_EACH_AMD(a) {
		uint32_t want = (a->gp == 6 ? 1u << 23 : 0) | (a->nb ? 1u << 24 : 0) |
		                (a->l3 ? 1u << 28 : 0) | (has_ibs(a->signature) ? IBS : 0);
		uint32_t none[4] = { 0, 0, 0, 0 }, all[4] = { ~0u, ~0u, ~0u, ~0u };
		struct machine *m = begin(a->signature);

		refpmu_cpuid(&m->model, 0x80000001, 0, none);
		refpmu_cpuid(&m->model, 0x80000001, 0, all);
		check_eq_u64(a->name, none[2], want | (want & IBS ? EXTAPIC : 0));
		check_eq_u64(a->name, all[2] & CORE_NB_L3, want);
		check_eq_u64(a->name, all[2] | CORE_NB_L3, ~0u);
		check_eq_u64(a->name, none[0] | none[1] | none[3], 0);
	}
}

UNIT_TEST(leaf_80000022h_is_that_of_version_2)
{
	FOR_EACH_AMD(a) {
		uint32_t highest[4] = { 0x8000001f, 1, 2, 3 }, leaf[4] = { 9, 9, 9, 9 };
		struct machine *m = begin(a->signature);

		refpmu_cpuid(&m->model, 0x80000000, 0, highest);
		refpmu_cpuid(&m->model, 0x80000022, 0, leaf);
		check_eq_u64(a->name, highest[0], a->has_version_2 ? 0x80000022 : 0x8000001f);
		check_eq_u64(a->name, leaf[0], a->has_version_2 ? 7 : 9);
		check_eq_u64(a->name, leaf[1], a->has_version_2 ? 6 | 16 << 4 | 16 << 10 : 9);
	}
}

UNIT_TEST(leaf_0ah_stays)
{
	FOR_EACH_AMD(a) {
		uint32_t leaf[4] = { 0, 0, 0, 0 };

		refpmu_cpuid(&begin(a->signature)->model, 0x0a, 0, leaf);
		check_eq_u64(a->name, leaf[0] | leaf[1] | leaf[2] | leaf[3], 0);
	}
}

UNIT_MAIN()
