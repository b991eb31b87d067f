/* SPDX-License-Identifier: MIT */
/* LINK: monitor/registers/registers.c monitor/registers/registers_arch.c */
/* LINK: monitor/registers/registers_p5.c */
/* LINK: monitor/registers/registers_amd.c monitor/registers/registers_amd_sampling.c */
/* LINK: monitor/registers/registers_netburst.c monitor/registers/registers_other.c */
/* LINK: kernel/lib/format.c */
/* LINK: pmu/events/tables/netburst_register_table.c pmu/events/tables/netburst_event_table.c */
/* LINK: pmu/events/tables/netburst_metric_table.c pmu/events/netburst_find.c */
/* LINK: pmu/events/event_text.c */
#include <monitor/registers/registers.h>

#include <arch/regs/amd.h>
#include <arch/regs/lbr.h>
#include <arch/regs/msr.h>
#include <arch/regs/netburst.h>
#include <arch/regs/p6.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/machine/machine.h>
#include <monitor/tools/command.h>
#include <pmu/sampling/ibs.h>
#include <pmu/sampling/lbr_stack.h>
#include <tests/unit/unit.h>

/* A processor for the tables, with the largest numbers of its kind. */
static const struct machine {
	const char *name;
	uint32_t has;                  /* enum pmu_facility */
	unsigned version, gp_count, model;
	uint32_t fixed_map;
	uint64_t capabilities;
	bool has_arch_lbr;
	struct lbr_kind records;
} machines[] = {
	{ "Pentium", PMU_HAS_CESR, .gp_count = 2 },
	{ "Pentium MMX", PMU_HAS_CESR, .gp_count = 2 },
	{ "Pentium III", PMU_HAS_ONE_ENABLE, .gp_count = 2,
	  .records = { .depth = 1, .from_msr = LastBranchFromIP, .to_msr = LastBranchToIP } },
	{ "Willamette", PMU_HAS_CCCRS, .gp_count = 18, .model = 1,
	  .records = { .depth = 4, .from_msr = MSR_LASTBRANCH(0), .is_packed = true } },
	{ "Prescott", PMU_HAS_CCCRS, .gp_count = 18, .model = 3,
	  .records = { .depth = 16, .from_msr = MSR_LASTBRANCH_FROM_LIP(0) } },
	{ "Core Duo", PMU_HAS_LEAF_0AH, 1, 2,
	  .records = { .depth = 8, .from_msr = MSR_LASTBRANCH_PACKED(0), .is_packed = true } },
	{ "Core 2", PMU_HAS_LEAF_0AH, 2, 2, .fixed_map = 7,
	  .records = { .depth = 4, .from_msr = MSR_LASTBRANCH_FROM_IP_40(0) } },
	{ "Haswell", PMU_HAS_LEAF_0AH, 3, 8, .fixed_map = 7,
	  .capabilities = IA32_PERF_CAPABILITIES_FW_WRITE,
	  .records = { .depth = 16, .from_msr = MSR_LASTBRANCH_FROM_IP(0),
	               .select_msr = MSR_LBR_SELECT } },
	{ "Skylake", PMU_HAS_LEAF_0AH, 4, 8, .fixed_map = 7,
	  .capabilities = IA32_PERF_CAPABILITIES_FW_WRITE,
	  .records = { .depth = 32, .from_msr = MSR_LASTBRANCH_FROM_IP(0),
	               .select_msr = MSR_LBR_SELECT, .info_msr = MSR_LBR_INFO(0) } },
	{ "Ice Lake", PMU_HAS_LEAF_0AH, 5, 8, .fixed_map = 0xf, .capabilities = UINT64_MAX,
	  .records = { .depth = 32, .from_msr = MSR_LASTBRANCH_FROM_IP(0),
	               .select_msr = MSR_LBR_SELECT, .info_msr = MSR_LBR_INFO(0) } },
	{ "Arrow Lake", PMU_HAS_LEAF_0AH, 6, 10, .fixed_map = 0x7f, .capabilities = UINT64_MAX,
	  .has_arch_lbr = true,
	  .records = { .depth = 32, .from_msr = IA32_LBR_FROM_IP(0),
	               .info_msr = IA32_LBR_INFO(0) } },
	{ "K7", PMU_HAS_LEGACY_CTLS, .gp_count = 4 },
	{ "Zen", PMU_HAS_LEGACY_CTLS | PMU_HAS_CORE_CTLS, .gp_count = 6 },
};

static const struct machine *machine;
static struct pmu_class class;
static struct pmu pmu;
static struct cpu_identity cpu;

static void take(const struct machine *m)
{
	machine = m;
	class.has = m->has;
	pmu = (struct pmu){ .class = &class, .version = m->version, .gp_count = m->gp_count,
	                    .fixed_map = m->fixed_map, .capabilities = m->capabilities };
	cpu = (struct cpu_identity){ .family = m->has == PMU_HAS_CCCRS ? 0xf : 6,
	                             .model = m->model };
}

#define FOR_EACH_MACHINE \
	for (const struct machine *m = machines; \
	     m < machines + COUNT_OF(machines) && (take(m), true); m++)

/* Replaces the functions that the tables call. */
const struct pmu *pmu_get(void)               { return &pmu; }
const struct cpu_identity *machine_cpu(void)  { return &cpu; }
uint32_t cpuid_get(struct cpuid_field field)
{
	if (field.leaf == 7)
		return machine->has_arch_lbr;
	return field.leaf == 1 && field.reg == CPUID_EAX ? 6 : 1;
}
bool ibs_has(uint32_t caps)                   { return caps && machine->has & PMU_HAS_CORE_CTLS; }
const struct lbr_kind *lbr_kind(const char **why)
{
	(void)why;
	return machine->records.depth ? &machine->records : NULL;
}
bool words_is_number(const char *text, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 16);
	return strcmp(end, "H") == 0;
}

enum { ALL_MAX = 512 };
static struct monitor_found all[ALL_MAX];

static unsigned list_all(void)
{
	struct monitor_walk w = { 0 };
	unsigned count = 0;

	while (count < ALL_MAX && monitor_register_next(&w, &all[count]))
		count++;
	check_true("there is room for all", count < ALL_MAX);
	return count;
}

/* A name of two registers could not be typed; a number of two would be shown as the first one's. */
UNIT_TEST(names_and_numbers_are_of_one_register_each)
{
	FOR_EACH_MACHINE {
		unsigned count = list_all();

		check_true(m->name, count > 4);
		for (unsigned i = 0; i < count; i++)
			for (unsigned j = 0; j < i; j++) {
				if (strcmp(all[i].name, all[j].name) == 0)
					check_true(all[i].name, false);
				if (all[i].msr == all[j].msr)
					check_str(all[j].name, all[i].name, "a number of its own");
			}
	}
}

UNIT_TEST(each_is_found_by_name_and_by_number)
{
	FOR_EACH_MACHINE
		for (unsigned i = 0, count = list_all(); i < count; i++) {
			struct monitor_found f;
			char number[16];

			check_true(all[i].name, monitor_register_find(all[i].name, &f));
			check_eq_u64(all[i].name, f.msr, all[i].msr);
			snprintf(number, sizeof(number), "%XH", (unsigned)all[i].msr);
			check_true(number, monitor_register_find(number, &f));
			check_str(number, f.name, all[i].name);
		}
}

static void check_fields_of(const struct machine *m, const struct monitor_found *r)
{
	struct monitor_field_found f, g;
	uint64_t bits = 0;

	for (unsigned n = 0; monitor_field_at(r->row, n, &f); n++) {
		if (!check_true(f.name, f.bits != 0))
			printf("# %s of %s\n", r->name, m->name);
		if (!check_eq_u64(f.name, f.bits & bits, 0))
			printf("# %s overlaps in %s of %s\n", f.name, r->name, m->name);
		bits |= f.bits;
		for (unsigned i = 0; i < n && monitor_field_at(r->row, i, &g); i++)
			check_true(f.name, strcmp(f.name, g.name) != 0);
		check_eq_u64("one piece", f.bits >> monitor_low(f.bits),
		             (UINT64_C(2) << (monitor_high(f.bits) - monitor_low(f.bits))) - 1);
	}
	check_eq_u64(r->name, monitor_unnamed_bits(r->row), r->row->fields ? ~bits : 0);
}

UNIT_TEST(fields_of_a_register_do_not_overlap)
{
	FOR_EACH_MACHINE
		for (unsigned i = 0, count = list_all(); i < count; i++)
			check_fields_of(m, &all[i]);
}

static const char *const by_counter[] = { "COUNTER0", "counter0" };

UNIT_TEST(counter_0_has_one_name_on_every_machine)
{
	FOR_EACH_MACHINE
		for (unsigned i = 0; i < 2; i++) {
			struct monitor_found f;

			if (!check_true(m->name, monitor_register_find(by_counter[i], &f)))
				continue;
			check_eq_u64("number", f.number, 0);
			check_true(f.name, f.row->refusal == MONITOR_MAY && !f.row->is_select);
		}
}

/* Registers that let the processor write to memory, or are not the PMU's; no table may have
 * them. */
static const uint32_t never[] = { IA32_DS_AREA, IA32_MISC_ENABLE, IA32_APIC_BASE,
                                  IA32_TIME_STAMP_COUNTER };

static uint64_t refused_bits(const struct monitor_register *r)
{
	struct monitor_field_found f;
	uint64_t bits = r->refusal == MONITOR_MAY ? 0 : UINT64_MAX;

	for (unsigned n = 0; monitor_field_at(r, n, &f); n++)
		if (f.row->refusal != MONITOR_MAY)
			bits |= f.bits;
	return bits;
}

static void check_refused(const struct machine *m, const struct monitor_found *r)
{
	const bool is_netburst = m->has == PMU_HAS_CCCRS;
	const bool is_amd = m->has & PMU_HAS_LEGACY_CTLS;

	for (unsigned i = 0; i < COUNT_OF(never); i++)
		if (r->msr == never[i])
			check_eq_u64(r->name, refused_bits(r->row), UINT64_MAX);
	if (r->msr == IA32_DEBUGCTL && is_netburst)
		check_eq_u64(r->name, refused_bits(r->row), MSR_DEBUGCTLA_TR | MSR_DEBUGCTLA_BTS
		             | MSR_DEBUGCTLA_BTINT);
	else if (r->msr == IA32_DEBUGCTL && m->has == PMU_HAS_ONE_ENABLE)
		check_eq_u64(r->name, refused_bits(r->row), DebugCtlMSR_TR);
	else if (r->msr == DebugCtl && is_amd)
		check_eq_u64(r->name, refused_bits(r->row), 0);
	else if (r->msr == IA32_DEBUGCTL)
		check_eq_u64(r->name, refused_bits(r->row) & ~IA32_DEBUGCTL_RTM, IA32_DEBUGCTL_TR
		             | IA32_DEBUGCTL_BTS | IA32_DEBUGCTL_BTINT);
	if (r->msr == IA32_PEBS_ENABLE && m->has == PMU_HAS_LEAF_0AH)
		check_eq_u64(r->name, refused_bits(r->row), UINT64_MAX);
	if (r->msr == MSR_PEBS_ENABLE && is_netburst)
		check_eq_u64(r->name, refused_bits(r->row),
		             PEBS_ENABLE_MY_THR | PEBS_ENABLE_OTH_THR);
}

UNIT_TEST(what_writes_to_memory_is_not_written)
{
	FOR_EACH_MACHINE
		for (unsigned i = 0, count = list_all(); i < count; i++)
			check_refused(m, &all[i]);
	for (int i = MONITOR_READ_ONLY; i <= MONITOR_BY_PEBS; i++)
		check_true("a reason", monitor_refusals[i] != NULL);
}

UNIT_TEST(versions_and_capabilities_decide_what_is_here)
{
	struct monitor_found f;

	FOR_EACH_MACHINE {
		bool is_arch = m->has == PMU_HAS_LEAF_0AH;

		check_eq_u64(m->name, monitor_register_find("IA32_PERF_GLOBAL_CTRL", &f),
		             is_arch && m->version >= 2);
		check_eq_u64(m->name, monitor_register_find("IA32_A_PMC0", &f),
		             is_arch && m->capabilities != 0);
		check_eq_u64(m->name, monitor_register_find("IA32_PERF_GLOBAL_INUSE", &f),
		             is_arch && m->version >= 4);
		check_eq_u64(m->name, monitor_register_find("MSR_IQ_CCCR5", &f),
		             m->has == PMU_HAS_CCCRS);
		check_eq_u64(m->name, monitor_register_find("MSR_IQ_ESCR0", &f), m->model == 1);
	}
}

UNIT_MAIN()
