/* SPDX-License-Identifier: MIT */
/*
 * pebs.exits: instructions that make a hypervisor take over, and those that serialise or flush, run
 * thousands of times while PEBS is on: no record is lost, and no byte outside the buffer changes.
 */
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/segments.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/sampling/pebs_window.h>

/* The buffer has room for 80 records of each layout. */
enum { RECORDS_MAX = 64, POST_PORT = 0x80, TIMER_CLOCKS = 2000 };

static void do_cpuid(uint32_t argument)  { cpuid_execute(argument, 0); }
static void do_in(uint32_t argument)     { port_in8((uint16_t)argument); }
static void do_out(uint32_t argument)    { port_out8((uint16_t)argument, 0); }
static void do_pause(uint32_t argument)  { (void)argument; cpu_pause(); }
static void do_wbinvd(uint32_t argument) { workload_find("wbinvd")->code(1, argument); }
static void do_rdmsr(uint32_t argument)  { msr_read(argument); }

static void do_invlpg(uint32_t argument) { tlb_drop_page((const void *)(uintptr_t)argument); }

/* Invalidates the page of the records themselves, so that each write has to look it up again. */
static void do_invlpg_of_buffer(uint32_t argument)
{
	(void)argument;
	tlb_drop_page((const void *)ds_base(DS_PEBS));
}

static void on_timer(struct frame *f)
{
	(void)f;
	apic_end_of_interrupt();
}

static void do_hlt(uint32_t argument)
{
	apic_timer_start(VECTOR_TEST, argument);
	interrupts_enable_and_halt();
	interrupts_disable();
}

/* ------------------------------------------------------------------------ one of them */

struct exit_kind {
	const char *name;
	void (*execute)(uint32_t argument);
	uint32_t rounds, argument;
};

static const struct exit_kind *now;

/* For pmu_window(): each time a load follows, which is NetBurst's event. */
static void execute_and_load(uint32_t rounds, uint32_t argument)
{
	while (rounds--) {
		now->execute(now->argument);
		workload_load_at.code(1, argument);
	}
}

static void judge(struct test_ctx *t, const struct exit_kind *e)
{
	struct pebs_use use;
	struct pmu_setup s = pebs_any(&use, PMU_OS, 0);
	uint32_t size, events, missing;
	const struct pebs_window w = {
		.setups = &s, .count = 1, .code = execute_and_load, .rounds = e->rounds,
		.argument = (uint32_t)(uintptr_t)pmu_workload_arena(&size),
	};
	uint64_t area;
	unsigned count;

	now = e;
	events = pebs_window_events(&w);
	missing = events / RECORDS_MAX;
	s.start = 0 - (uint64_t)missing;
	pebs_window_begin(&w);
	area = msr_read(IA32_DS_AREA);
	pmu_window(w.code, w.rounds, w.argument);
	expect_exact(t, "IA32_DS_AREA", msr_read(IA32_DS_AREA), area, "nothing has written it");
	count = pebs_window_end();
	test_sub(t, "%" PRIu32 " times %s", e->rounds, e->name);
	expect_records(t, "records", count, events, missing);
	expect_no_damage(t);
}

#define EXIT(id_, name_, code_, rounds_, argument_) \
	TEST(id_, .id = "pebs.exits." #id_, .needs = need_pebs_any, .source = PEBS_SDM, \
	     .claim = "with PEBS on " name_ " loses no record and changes nothing but records") \
	{ \
		static const struct exit_kind e = { name_, code_, rounds_, argument_ }; \
		judge(t, &e); \
	}

EXIT(cpuid, "CPUID", do_cpuid, 4000, 0)
EXIT(in, "IN", do_in, 3000, POST_PORT)
EXIT(out, "OUT", do_out, 3000, POST_PORT)
EXIT(pause, "PAUSE", do_pause, 5000, 0)
EXIT(invlpg, "INVLPG", do_invlpg, 4000, 0x200000)
EXIT(invlpg_of_buffer, "INVLPG of the buffer", do_invlpg_of_buffer, 4000, 0)
EXIT(wbinvd, "WBINVD", do_wbinvd, 300, 0)
EXIT(rdmsr, "RDMSR", do_rdmsr, 3000, IA32_DS_AREA)

static NEED_BOTH(need_timer, need_pebs_any, need_local_apic)

TEST(hlt, .id = "pebs.exits.hlt", .needs = need_timer, .source = PEBS_SDM,
     .claim = "with PEBS on HLT, ended by the APIC's timer, loses no record and changes nothing "
              "but records")
{
	static const struct exit_kind e = { "HLT", do_hlt, 1000, TIMER_CLOCKS };
	const interrupt_handler before = interrupt_set_handler(VECTOR_TEST, on_timer);
	const uintptr_t flags = flags_read();

	interrupts_disable();
	judge(t, &e);
	apic_timer_stop();
	flags_write(flags);
	interrupt_set_handler(VECTOR_TEST, before);
}
