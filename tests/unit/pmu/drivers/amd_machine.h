/* SPDX-License-Identifier: MIT */
/*
 * Makes up an AMD processor of each kind under pmu/core/program.c and pmu/drivers/, and stands in
 * for what they call. The window makes its writes, and notes the code as "()".
 */
#ifndef TESTS_UNIT_PMU_DRIVERS_AMD_MACHINE_H
#define TESTS_UNIT_PMU_DRIVERS_AMD_MACHINE_H

#include <setjmp.h>
#include <stdarg.h>

#include <arch/regs/amd.h>
#include <kernel/machine/machine.h>
#include <kernel/run/test.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/driver.h>
#include <pmu/core/program.h>
#include <pmu/core/stuck_status.h>
#include <pmu/drivers/classes.h>
#include <pmu/drivers/selects.h>
#include <pmu/drivers/suspend.h>
#include <tests/unit/pmu/drivers/made_up_msrs.h>

static struct pmu_class class;
static struct pmu pmu;
static struct cpu_identity cpu;
static unsigned pets, ticks;
static uint64_t stuck;

const struct pmu *pmu_get(void)               { return &pmu; }
const struct cpu_identity *machine_cpu(void)  { return &cpu; }
void watchdog_pet(void)                       { pets++; }
unsigned watchdog_ticks(void)                 { return ticks; }
void stuck_status_set(uint64_t bits)          { stuck = bits; }
uint64_t stuck_status(void)                   { return stuck; }

unsigned pmu_register_count(const struct pmu *p, const struct pmu_register *r)
{
	return r->kind == COUNT_GP ? p->gp_count : r->count;
}

/* Test programs jump here; see check_aborts(). */
static jmp_buf aborted;
static char abort_text[128];

void test_abort(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(abort_text, sizeof(abort_text), fmt, args);
	va_end(args);
	longjmp(aborted, 1);
}

/* Checks that an expression ends the test with this text. */
#define check_aborts(what, expression, want) \
	do { \
		strcpy(abort_text, "nothing"); \
		if (!setjmp(aborted)) \
			(void)(expression); \
		check_str(what, abort_text, want); \
	} while (0)

static inline void write_all(const struct pmu_switch_write *w, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		msr_write(w[i].msr, (uint64_t)w[i].high << 32 | w[i].low);
}

void pmu_window_run(const struct pmu_switch *s, void (*code)(uint32_t rounds, uint32_t argument),
                    uint32_t rounds, uint32_t argument)
{
	write_all(s->on, s->on_count);
	code(rounds, argument);
	write_all(s->off, s->off_count);
}

/* What happens while the code runs; NULL: nothing. */
static void (*in_window)(uint32_t rounds, uint32_t argument);

static inline void code(uint32_t rounds, uint32_t argument)
{
	write_down("() ");
	if (in_window)
		in_window(rounds, argument);
}

const struct workload workload_empty = { .code = code };

/* Makes up a processor with these counters: registers of count selects, and of as many counters. */
static inline void take(const struct pmu_driver *driver, unsigned count, unsigned version)
{
	const bool is_core = driver != &pmu_driver_amd_k7;

	in_window = NULL;
	pmu_set_forget_hook(NULL);
	pmu_suspend_forget();
	made_up_forget();
	class = (struct pmu_class){ .name = "AMD", .driver = driver, .instructions = 0xc0,
	        .has = PMU_HAS_LEGACY_CTLS | (is_core ? PMU_HAS_CORE_CTLS : 0) };
	pmu = (struct pmu){ .class = &class, .version = version, .gp_count = count,
	                    .gp_width = 48, .state = PMU_COUNTS };
	cpu = (struct cpu_identity){ .vendor = VENDOR_AMD, .family = is_core ? 0x19 : 6 };
	stuck = 0;
	for (unsigned i = 0; i < count; i++) {
		made_up_add(is_core ? 0xc0010200 + 2 * i : 0xc0010000 + i, 0x555);
		made_up_add(is_core ? 0xc0010201 + 2 * i : 0xc0010004 + i, 0x777);
	}
	made_up_add(0xc0000080, 0x1d01);
	if (version < 2)
		return;
	made_up_add(0xc0000300, 0);
	made_up_add(0xc0000301, 0);
	made_up_add(0xc0000302, 0)->clears = 0xc0000300;
}

#define TAKE_K7()    take(&pmu_driver_amd_k7, 4, 0)
#define TAKE_ZEN()   take(&pmu_driver_amd_core, 6, 0)
#define TAKE_ZEN4()  take(&pmu_driver_amd_core, 6, 2)

#endif
