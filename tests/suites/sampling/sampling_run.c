/* SPDX-License-Identifier: MIT */
/* Runs the loop of the experiment and takes its samples. */
#include <tests/suites/sampling/sampling.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/cpu/load.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/modes.h>
#include <kernel/lib/string.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/pmi.h>
#include <pmu/core/program.h>
#include <pmu/sampling/ibs.h>
#include <pmu/sampling/pebs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/sampling/sampling_events.h>

/* In sampling_loop.asm. */
extern const uint8_t sampling_loop[], sampling_loop_end[];
extern const uint16_t sampling_loop_offsets[];

/* Room for a few more records than raise the interrupt. */
enum { RECORDS = SAMPLING_THRESHOLD + 10 };

/*
 * One window covers all, as its end is an interrupt, which may count a miss or two of its own.
 * Where interrupts are far apart there are several windows: a test that prints nothing for two
 * seconds counts as hung.
 */
enum { LONG_PERIOD = 20000, ROUNDS_PER_WINDOW = 500000 };

/* The INT n that ends the loop reads two descriptors, the TSS, and a gate. */
enum { LOADS_OF_AN_END = 4 };

static struct sampling *now;           /* what the handler fills */
static struct sampling_events events;
static uintptr_t next;                 /* the loop's XBX */
static uint32_t pmis, pmis_max;
static bool has_buffer;                /* of PEBS */
static bool is_told;                   /* of overflows */

int sampling_index(uintptr_t ip)
{
	for (unsigned i = 0; i < sampling_loop_length; i++)
		if (ip == LOW_CODE_BASE + (uintptr_t)sampling_loop_offsets[i])
			return (int)i;
	return -1;
}

static void add_place(struct sampling_places *p, int index)
{
	p->samples++;
	if (index < 0)
		p->elsewhere++;
	else
		p->at[index]++;
}

/* ------------------------------------------------------------------------------------ records */

/* Returns the sampled instruction: the one at the record's IP or, by its format, the one before. */
static int sampled(uint64_t ip)
{
	const int index = sampling_index((uintptr_t)ip), last = (int)sampling_loop_length - 1;
	const enum pebs_ip is = pebs_ip_is();

	if (index < 0 || is == PEBS_IP_EVENTING || (is == PEBS_IP_UNSURE && index == 0))
		return index;
	return index ? index - 1 : last;
}

/* In the order of the register's number in an instruction. */
static const struct { enum pebs_field field; const char *name; } registers[] = {
	{ PEBS_AX, "AX" }, { PEBS_CX, "CX" }, { PEBS_DX, "DX" }, { PEBS_BX, "BX" },
	{ PEBS_SP, "SP" }, { PEBS_BP, "BP" }, { PEBS_SI, "SI" }, { PEBS_DI, "DI" },
	{ PEBS_R8, "8" }, { PEBS_R9, "9" }, { PEBS_R10, "10" }, { PEBS_R11, "11" },
	{ PEBS_R12, "12" }, { PEBS_R13, "13" }, { PEBS_R14, "14" }, { PEBS_R15, "15" },
};

static void add_address(uintptr_t address)
{
	const struct sampling_plan *p = &now->plan;
	const uintptr_t offset = address - p->base;
	const uintptr_t element = offset / p->stride;

	if (address < p->base || element >= p->addresses || offset % p->stride)
		now->other_address++;
	else
		now->by_address[element]++;
}

/* Adds the address that this record's load used, by its register and, if it has one, by the
 * record's own address. */
static void profile(unsigned record, int index)
{
	const uint8_t *code = (const uint8_t *)LOW_CODE_BASE + sampling_loop_offsets[index];
	struct load load;
	uint64_t base, said;
	uintptr_t address;

	if (!load_decode(code, sizeof(uintptr_t) == 8, &load)
	    || !pebs_get(record, registers[load.base].field, &base)) {
		now->undecoded++;
		return;
	}
	address = (uintptr_t)base + (uintptr_t)(intptr_t)load.displacement;
	add_address(address);
	if (index == 0)
		now->base_register = registers[load.base].name;
	if (pebs_get(record, PEBS_ADDRESS, &said) && said != address)
		now->wrong_address++;
}

static void take_record(unsigned record)
{
	uint64_t ip;
	int index;

	if (!pebs_get(record, PEBS_EVENTING_IP, &ip)) {
		pebs_get(record, PEBS_IP, &ip);
		index = sampled(ip);
	} else {
		index = sampling_index((uintptr_t)ip);
	}
	add_place(&now->pebs, index);
	if (index < 0)
		now->undecoded++;
	else
		profile(record, index);
}

static void drain(void)
{
	const unsigned count = ds_index(DS_PEBS);

	for (unsigned i = 0; i < count && i < RECORDS; i++)
		take_record(i);
	ds_set_index(DS_PEBS, 0);
}

/* ------------------------------------------------------------------------------------ handler */

/* Brings the line that always hits back into the cache, whatever the handler used.
 * CPL 0 is not counted. */
static void touch_hits(void)
{
	(void)*(const volatile uint32_t *)now->plan.hits;
}

/* Without an overflow status: the counter is no longer below 0, so that a tick is no PMI. */
static bool has_overflowed(unsigned counter, uint64_t overflowed)
{
	if (is_told)
		return overflowed & BIT(counter);
	return !(pmu_read(counter) >> (pmu_counter_width(counter) - 1));
}

static void on_pmi(struct frame *f)
{
	const uint64_t overflowed = pmu_status();

	if (has_buffer && ds_index(DS_PEBS) >= SAMPLING_THRESHOLD) {
		now->buffer_interrupts++;
		drain();
	}
	if (events.has_interrupts && has_overflowed(events.interrupts.counter, overflowed)) {
		add_place(&now->interrupts, sampling_index(f->ip));
		pmu_write(events.interrupts.counter, pmi_start(now->plan.period));
	}
	if (++pmis > pmis_max)
		pmi_set_mask(true);     /* ends a storm of PMIs */
	else
		pmi_acknowledge();
	sampling_life_show();
	touch_hits();
}

/* ---------------------------------------------------------------------------------------- run */

/* Stores the next element's address in each element. */
static void lay_ring(const struct sampling_plan *p)
{
	for (unsigned i = 0; i < p->addresses; i++)
		*(uintptr_t *)(p->base + (uintptr_t)i * p->stride)
			= p->base + (uintptr_t)((i + 1) % p->addresses) * p->stride;
	next = p->base;
}

/* Reads the ring once more, which brings it into L2 if that is large enough. CPL 0 is not
 * counted. */
static void touch_ring(void)
{
	for (unsigned i = 0; i < now->plan.addresses; i++)
		next = *(const volatile uintptr_t *)next;
}

/* For pmu_window(): warms the caches, then runs the loop at CPL 3. */
static void walk(uint32_t rounds, uint32_t argument)
{
	const struct mode_regs in = { .bx = next, .si = now->plan.hits, .cx = rounds };
	struct mode_result r;

	(void)argument;
	touch_ring();
	touch_hits();
	r = mode_run(MODE_CPL3, sampling_loop, (size_t)(sampling_loop_end - sampling_loop), &in);
	next = r.regs.bx;
	now->has_fault |= is_fault(r.fault);
}

static void count_window(uint32_t rounds) { pmu_window(walk, rounds, 0); }

static void walk_windows(void (*window)(uint32_t rounds))
{
	const uint32_t misses = now->plan.misses;
	const uint32_t most = now->plan.period > LONG_PERIOD ? ROUNDS_PER_WINDOW : misses;

	now->rounds = 0;
	while (now->rounds < misses && !now->has_fault) {
		const uint32_t left = misses - now->rounds, rounds = left < most ? left : most;

		window(rounds);
		watchdog_renew();
		now->others += LOADS_OF_AN_END;
		now->rounds += rounds;
	}
}

/* Returns what the counter of PEBS counted: a whole period for each record, and what it
 * holds now. */
static uint32_t counted(void)
{
	const uint32_t since = (uint32_t)pmu_read(events.pebs.counter) + now->plan.period - 1;

	return now->pebs.samples * now->plan.period + since;
}

static void set_up_buffer(void)
{
	ds_set_up(&(const struct ds_plan){
		.buffer[DS_PEBS] = { .records = RECORDS, .threshold = SAMPLING_THRESHOLD },
		.resets = pebs_resets(&events.pebs, 1), .reset_count = PEBS_RESETS });
}

static void run_once(bool has_pebs)
{
	struct pmu_setup setups[2];
	unsigned count = 0;
	const unsigned ticks = watchdog_ticks();

	if (has_pebs)
		setups[count++] = events.pebs;
	if (events.has_interrupts)
		setups[count++] = events.interrupts;
	lay_ring(&now->plan);
	has_buffer = has_pebs;
	is_told = pmu_has_status();
	if (has_pebs)
		set_up_buffer();
	pmu_program(setups, count);
	pmu_clear_status(pmu_status());
	if (has_pebs)
		pebs_enable(&events.pebs, 1);
	pmi_listen(PMI_NMI, on_pmi);
	walk_windows(count_window);
	pmi_settle();
	pmi_stop();
	now->ticks = watchdog_ticks() - ticks;
	now->others += now->ticks;
	if (!has_pebs)
		return;
	pebs_disable();
	drain();
	now->counted = counted();
}

/* Sets how many PMIs a run must have; a storm has more than four times as many. */
static void expect_pmis(const struct sampling_plan *p, bool shows_life)
{
	const uint32_t samples = p->misses / p->period;

	pmis = 0;
	pmis_max = 4 * samples + 16;
	sampling_life_begin(shows_life ? p->misses : 0,
	                    events.has_interrupts ? samples : samples / SAMPLING_THRESHOLD);
}

static void run_with_life(bool has_pebs, bool shows_life)
{
	expect_pmis(&now->plan, shows_life);
	run_once(has_pebs);
	sampling_life_end();
}

/* Returns how many samples have the address that a tick of the watchdog interrupted. */
static unsigned run_plan(struct sampling *s, bool has_interrupts, bool shows_life)
{
	unsigned at_ticks;

	now = s;
	sampling_events_find(&events, s->plan.period, has_interrupts);
	s->is_second_run = has_interrupts && !events.has_interrupts;
	run_with_life(true, shows_life);
	at_ticks = pmi_get_log()->at_ticks;
	if (!s->is_second_run)
		return at_ticks;
	sampling_events_alone(&events, s->plan.period);
	run_with_life(false, shows_life);
	return at_ticks + pmi_get_log()->at_ticks;
}

/* Ticks fall into its windows, which are long. They spoil few of a long run's many samples. */
void sampling_run(struct sampling *s, bool has_interrupts, bool shows_life)
{
	unsigned repeats = 0;

	while (run_plan(s, has_interrupts, shows_life) && s->plan.misses <= SAMPLING_LONG_RUN
	       && repeats++ < PMU_REPEATS_MAX)
		*s = (struct sampling){ .plan = s->plan };
}

/* ---------------------------------------------------------------------------------------- IBS */

/*
 * IBS chooses an op by its number, not because it missed. So many of the loop's ops are sampled for
 * each sample of a counter; about one in 77 of them is the guilty load's. Of OPS_PER_MISS, which is
 * the model's, nothing but the number of dots depends.
 */
enum { OPS_PER_SAMPLE = 16, OPS_UNIT = 16, MAXIMUM = 0xffff, OPS_PER_MISS = 150 };

static void take_op(const struct ibs_sample *s)
{
	const int index = sampling_index((uintptr_t)s->rip);

	touch_hits();
	sampling_life_show();
	if (index < 0 && s->cpl != 3)
		return;
	add_place(&now->ops, index);
	if (s->data3 & IbsOpData3_DcMiss)
		add_place(&now->ibs, index);
	if (index == 0 && (s->data3 & IbsOpData3_DcLinAddrValid)) {
		now->loads++;
		add_address((uintptr_t)s->linear);
	}
}

static void ibs_window_of(uint32_t rounds) { walk(rounds, 0); }

static void sample_ops(bool shows_life)
{
	const uint64_t by_ops = ibs_has(CPUID_AMD_IBS_EAX_OpCnt) ? IbsOpCtl_CntCtl : 0;
	const uint32_t maximum = now->plan.period * OPS_PER_SAMPLE / OPS_UNIT;
	const uint32_t misses = now->plan.misses;
	const struct ibs_plan plan = {
		.op = ibs_op(maximum < MAXIMUM ? maximum : MAXIMUM, by_ops),
		.is_varied = true, .each = take_op };

	lay_ring(&now->plan);
	sampling_life_begin(shows_life ? misses : 0,
	                    misses / now->plan.period * OPS_PER_MISS / OPS_PER_SAMPLE);
	ibs_start(&plan);
	walk_windows(ibs_window_of);
	ibs_stop();
	sampling_life_end();
}

void sampling_run_ibs(struct sampling *s, bool shows_life)
{
	now = s;
	if (!sampling_events_amd(&events, s->plan.period))
		test_abort("no event of L1 misses is known of this processor");
	s->is_second_run = true;
	sample_ops(shows_life);
	run_with_life(false, shows_life);
	now->counted = now->interrupts.samples * now->plan.period;
}
