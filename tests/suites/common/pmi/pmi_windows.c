/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/pmi/pmi_windows.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/modes.h>
#include <arch/modes/segments.h>
#include <kernel/machine/machine.h>
#include <pmu/events/netburst_pmu.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/counts/crossings.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>

#define TRIES          3u

/* More PMIs than there are counters to overflow in one window. */
#define DEFAULT_MOST   16u

/* MSR_IQ_COUNTER0, the first one that CRU_ESCR0 reaches; two further on is CRU_ESCR1's. */
#define NETBURST_FIRST 12u

void user_nops(uint32_t rounds, uint32_t argument)
{
	const struct mode_regs regs = { .ax = argument };

	mode_run(MODE_CPL3, workload_nops_sled, rounds, &regs);
}

void user_loop(uint32_t rounds, uint32_t argument)
{
	static const uint8_t dec_ecx_jnz[] = { 0xff, 0xc9, 0x75, 0xfc };
	const struct mode_regs regs = { .ax = argument, .cx = rounds };

	mode_run(MODE_CPL3, dec_ecx_jnz, sizeof(dec_ecx_jnz), &regs);
}

uintptr_t user_nop_address(uint64_t nops)
{
	return LOW_CODE_BASE + (uintptr_t)nops;
}

static bool is_netburst(void)
{
	return pmu_has(PMU_HAS_CCCRS);
}

unsigned pmi_counter(unsigned i)
{
	return is_netburst() ? NETBURST_FIRST + 2 * i : i;
}

/* Every counter and every flag has its own entry, so that setups stay valid. */
static struct pmu_setup netburst_instructions(unsigned counter, unsigned flags)
{
	static struct netburst_use uses[NETBURST_COUNTERS][3][2];
	struct netburst_use *use = &uses[counter % NETBURST_COUNTERS]
	                                [(flags & PMU_BOTH) % 3][(flags & PMU_INT) != 0];
	struct pmu_setup s = netburst_setup(use, netburst_event_find("instr_retired"),
	                                    "NBOGUSNTAG+NBOGUSTAG", counter, flags);

	use->is_by_escr = true;
	return s;
}

struct pmu_setup pmi_instructions(unsigned counter, unsigned flags, uint64_t missing)
{
	struct pmu_setup s = { .counter = counter, .event = EVENT_INSTRUCTIONS_RETIRED };

	if (is_netburst())
		s = netburst_instructions(counter, flags);
	s.flags = flags;
	s.start = pmi_start(missing);
	return s;
}

struct pmu_setup user_instructions(unsigned counter, uint64_t missing)
{
	return pmi_instructions(counter, PMU_USR | PMU_INT, missing);
}

uint64_t user_base(unsigned counter)
{
	struct pmu_setup s = pmi_instructions(counter, PMU_USR, 0);

	pmu_program(&s, 1);
	pmu_window(user_nops, 0, 0);
	return pmu_read(counter);
}

static unsigned most;

bool pmi_has_storm(void)
{
	return pmi_get_log()->count > most;
}

void pmi_go_on(void)
{
	if (pmi_has_storm())
		pmi_set_mask(true);
	else
		pmi_acknowledge();
}

static void go_on(struct frame *f)
{
	(void)f;
	pmi_go_on();
}

const struct pmi_log *pmi_run(const struct pmi_window *w)
{
	most = w->most ? w->most : DEFAULT_MOST;
	for (unsigned i = 0; i < TRIES; i++) {
		if (w->before)
			w->before();
		pmu_program(w->setups, w->count);
		pmu_clear_status(pmu_status());
		pmi_listen(PMI_NMI, w->on_pmi ? w->on_pmi : go_on);
		pmu_window(w->code, w->rounds, 0);
		pmi_settle();
		pmi_stop();
		if (pmi_get_log()->unsure == 0)
			break;
	}
	return pmi_get_log();
}

const struct pmi_log *pmi_run_one(const struct pmu_setup *s,
                                  void (*code)(uint32_t rounds, uint32_t argument),
                                  uint32_t rounds)
{
	return pmi_run(&(const struct pmi_window){
		.setups = s, .count = 1, .code = code, .rounds = rounds });
}

static volatile unsigned wakes;

static void on_timer(struct frame *f)
{
	(void)f;
	wakes++;
	apic_end_of_interrupt();
}

void wake_after(unsigned milliseconds)
{
	wakes = 0;
	interrupt_set_handler(VECTOR_APIC_TIMER, on_timer);
	apic_timer_start(VECTOR_APIC_TIMER, apic_timer_clocks(1000 * milliseconds));
}

unsigned wake_count(void)
{
	return wakes;
}

void wake_stop(void)
{
	apic_timer_stop();
	interrupt_set_handler(VECTOR_APIC_TIMER, NULL);
}

static bool has_double_interrupts(void)
{
	const unsigned family = machine_cpu()->family;

	return counting_is_amd() && (family == 0x15 || family == 0x16);
}

uint64_t pmi_entry_counts(void)
{
	return !counting_is_amd() ? 0 : has_double_interrupts() ? 2 : 1;
}

uint64_t pmi_return_slack(void)
{
	return has_double_interrupts() ? unless_exact(1) : 0;
}

unsigned pmi_return_counts(unsigned counter)
{
	unsigned of_fault = crossing_of_return(counter), of_entry = (unsigned)pmi_entry_counts();

	return of_fault > of_entry ? of_fault : of_entry;
}

uint64_t counter_bit(unsigned counter)
{
	return counter < PMU_FIXED ? IA32_PERF_GLOBAL_STATUS_OVF_PMC(counter)
	       : IA32_PERF_GLOBAL_STATUS_OVF_FIXED(counter - PMU_FIXED);
}

uint64_t counter_mask(unsigned counter)
{
	return ~UINT64_C(0) >> (64 - pmu_counter_width(counter));
}

bool has_status(void)
{
	return pmu_get()->version >= 2;
}
