/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/sampling/pebs_window.h>

#include <arch/cpu/cpuid.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/modes.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmu.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

void pebs_window_begin(const struct pebs_window *w)
{
	const unsigned sampled = w->sampled ? w->sampled : w->count;
	const unsigned records = w->records ? w->records : ds_room(DS_PEBS);
	const struct ds_plan plan = {
		.buffer[DS_PEBS] = { .records = records,
		                     .threshold = w->threshold ? w->threshold : records + 1,
		                     .extra = w->extra, .has_plus_one = w->has_plus_one },
		.resets = w->resets ? w->resets : pebs_resets(w->setups, sampled),
		.reset_count = PEBS_RESETS,
	};

	ds_set_up(&plan);
	pmu_program(w->setups, w->count);
	pebs_enable(w->setups, sampled);
}

unsigned pebs_window_end(void)
{
	pebs_disable();
	return ds_index(DS_PEBS);
}

static void run(const struct pebs_window *w)
{
	pebs_window_begin(w);
	if (w->prepare)
		w->prepare();
	pmu_window(w->code, w->rounds, w->argument);
}

unsigned pebs_window_run(const struct pebs_window *w)
{
	run(w);
	return pebs_window_end();
}

/* No window has so many events, and every counter is wide enough for this number. */
#define NEVER  UINT64_C(0x40000000)

uint32_t pebs_window_events(const struct pebs_window *w)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	struct pebs_window counting = *w;
	uint64_t got;

	for (unsigned i = 0; i < w->count; i++) {
		setups[i] = w->setups[i];
		setups[i].start = -NEVER;
	}
	counting.setups = setups;
	counting.resets = NULL;
	run(&counting);
	got = pmu_read(setups[0].counter) + NEVER;
	pebs_window_end();
	return (uint32_t)got & (uint32_t)(NEVER - 1);
}

bool expect_records(struct test_ctx *t, const char *what, uint64_t got, uint32_t events,
                    uint32_t missing)
{
	return expect_bounds(t, what, got,
	                     if_exact(events / (missing + 1),
	                              "one for each event after those that were missing"),
	                     else_in(events >= 2 * (missing + 1), events / (missing + 1) + 1,
	                             "low: one, if as many events follow the overflow as precede "
	                             "it; high: one for each event after those that were missing, "
	                             "and one at the window's end"));
}

void expect_no_damage(struct test_ctx *t)
{
	const char *what;
	const uintptr_t damage = ds_damage(&what);

	expect_exact(t, what, damage, 0, "PEBS writes records and the index, and nothing else");
}

uint64_t pebs_value(unsigned i, enum pebs_field field)
{
	uint64_t value = 0;

	if (!pebs_get(i, field, &value))
		test_abort("%s records have no field %u", pebs_layout()->name, field);
	return value;
}

bool pebs_is_guilty(unsigned i, uintptr_t guilty, uintptr_t next)
{
	const uint64_t ip = pebs_value(i, PEBS_IP);
	uint64_t eventing;

	if (pebs_get(i, PEBS_EVENTING_IP, &eventing))
		return eventing == guilty;
	switch (pebs_ip_is()) {
	case PEBS_IP_NEXT: return ip == next;
	case PEBS_IP_EVENTING: return ip == guilty;
	default: return ip == guilty || ip == next;
	}
}

bool pebs_is_within(unsigned i, uintptr_t first, uintptr_t end)
{
	uint64_t ip;

	if (pebs_get(i, PEBS_EVENTING_IP, &ip))
		return ip >= first && ip < end;
	ip = pebs_value(i, PEBS_IP);
	return ip >= first && ip <= end;
}

/* ------------------------------------------------------------------------ of every generation */

static const struct pebs_event *any(void)
{
	const struct pebs_event *e = pebs_find("instructions");

	return e ? e : pebs_find("loads");
}

const char *need_pebs_any(struct test_ctx *t)
{
	const char *problem = need_pebs(t);

	if (problem)
		return problem;
	if (!any())
		return test_reason(t, "no PEBS event is known of this processor: CPUID.1:EAX = %"
		                   PRIX32 "H", cpuid_read(1, 0).eax);
	return need_modes(t);
}

struct pmu_setup pebs_any(struct pebs_use *use, unsigned flags, uint32_t missing)
{
	return pebs_setup(use, any(), pebs_counter(any(), 0), flags, missing);
}

unsigned pebs_any_each(void)
{
	return pmu_has(PMU_HAS_CCCRS) ? 1 : PEBS_ROUND_INSNS;
}

/* The same bytes in 32-bit and 64-bit code; it loads from the code itself. */
static const uint8_t round_code[] = {
	0x8b, 0x02,                     /* MOV EAX, [EDX] */
	0x90,                           /* NOP */
	0xff, 0xc9,                     /* DEC ECX */
	0x75, 0xf9,                     /* JNZ to the MOV */
};
_Static_assert(sizeof(round_code) == PEBS_ROUND_SIZE, "a round's bytes");

uintptr_t pebs_rounds_start(void) { return LOW_CODE_BASE; }

void pebs_rounds(uint32_t rounds, uint32_t mode)
{
	const struct mode_regs regs = { .cx = rounds, .dx = LOW_CODE_BASE };

	mode_run((enum cpu_mode)mode, round_code, sizeof(round_code), &regs);
}

unsigned pebs_rounds_records(void)
{
	unsigned count = 0;

	for (unsigned i = 0; i < ds_index(DS_PEBS); i++)
		count += pebs_is_within(i, LOW_CODE_BASE, LOW_CODE_BASE + sizeof(round_code));
	return count;
}
