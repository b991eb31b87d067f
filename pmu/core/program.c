/* SPDX-License-Identifier: MIT */
/* Programs counters: this is what all generations share, on top of the drivers. */
#include <pmu/core/program.h>

#include <stddef.h>

#include <arch/cpu/fault.h>
#include <arch/regs/amd.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/machine/machine.h>
#include <kernel/run/test.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/driver.h>
#include <pmu/core/stuck_status.h>

_Static_assert(sizeof(struct pmu_switch_write) == 12, "pmu/core/window.asm: WRITE_SIZE");
_Static_assert(offsetof(struct pmu_switch, on) == 8, "pmu/core/window.asm: SWITCH_ON");
_Static_assert(PMU_SWITCH_MAX == 24, "pmu/core/window.asm: SWITCH_MAX");
_Static_assert((int)PMU_SETUPS_MAX <= (int)PMU_SWITCH_MAX, "a write per counter");

static struct pmu_switch window;
static bool is_exact, is_smi_counted, has_smi_event, was_disturbed;
static unsigned witness = PMU_FIXED;   /* the counter of the window that counts SMIs */
static uint64_t smis_before;           /* the test that runs */
static bool is_ticked;                 /* a tick fell into the last window */
static uint32_t negative;      /* general counters, as written, without reported ones */

static void (*forget_hook)(void);

bool pmu_is_exact(void) { return is_exact; }
void pmu_set_forget_hook(void (*hook)(void)) { forget_hook = hook; }

static bool is_there(void)
{
	const struct pmu *p = pmu_get();

	return p->state == PMU_COUNTS || p->state == PMU_IS_DEAD
	       || (p->is_forced && p->state != PMU_IS_ABSENT);
}

/* Returns the driver of a PMU that works, or NULL. Queries may be made on any machine. */
static const struct pmu_driver *find_driver(void)
{
	return is_there() ? pmu_get()->class->driver : NULL;
}

/* Returns the driver; if there is none, ends the test with the reason. */
static const struct pmu_driver *driver(void)
{
	if (!is_there())
		test_abort("the PMU cannot be programmed: %s", pmu_get()->verdict);
	if (!find_driver())
		test_abort("the PMU cannot be programmed: there is no driver for %s",
		           pmu_get()->class->name);
	return find_driver();
}

static bool has_counter(const struct pmu_driver *d, unsigned counter)
{
	return d->has_counter ? d->has_counter(pmu_get(), counter) : counter < pmu_get()->gp_count;
}

static const struct pmu_driver *driver_of(unsigned counter)
{
	const struct pmu_driver *d = driver();

	if (!has_counter(d, counter))
		test_abort("there is no %s counter %u", counter < PMU_FIXED ? "general" : "fixed",
		           counter < PMU_FIXED ? counter : counter - PMU_FIXED);
	return d;
}

/* MSR_SMI_COUNT: SDM 4, "MSRs in Processors Based on Nehalem Microarchitecture", and later. */
static bool has_smi_count(const struct cpu_identity *cpu)
{
	uint64_t value;

	return cpu->vendor == VENDOR_INTEL && cpu->family == 6 && cpu->model >= 0x1a
	       && !is_fault(msr_try_read(MSR_SMI_COUNT, &value));
}

/* A hypervisor may hide SMIs from its guests' counters. */
void pmu_program_init(bool exact)
{
	const struct cpu_identity *cpu = machine_cpu();

	is_exact = exact;
	is_smi_counted = has_smi_count(cpu);
	has_smi_event = !exact && cpu->vendor == VENDOR_AMD && cpu->family >= 0x17
	                && !cpu->hypervisor[0];
}

static uint64_t smi_count(void)
{
	return is_smi_counted ? msr_read(MSR_SMI_COUNT) & MSR_SMI_COUNT_COUNT : 0;
}

static uint64_t smi_count_of_window(void)
{
	return witness == PMU_FIXED ? smi_count() : pmu_read(witness);
}

bool pmu_is_blind(void)
{
	return !is_exact && !is_smi_counted && pmu_get()->state == PMU_COUNTS;
}

bool pmu_has_counter(unsigned counter)
{
	const struct pmu_driver *d = find_driver();

	return d && has_counter(d, counter);
}

unsigned pmu_counter_width(unsigned counter)
{
	const struct pmu_driver *d = driver_of(counter);

	return d->width ? d->width(pmu_get(), counter) : pmu_get()->gp_width;
}

uint32_t pmu_counter_msr(unsigned counter)
{
	return driver_of(counter)->msr(pmu_get(), counter);
}

const char *pmu_counter_name(unsigned counter, char *buffer)
{
	driver()->name(pmu_get(), counter, buffer);
	return buffer;
}

uint32_t pmu_rdpmc_index(unsigned counter)
{
	return counter < PMU_FIXED ? counter : RDPMC_FIXED + (counter - PMU_FIXED);
}

bool pmu_has_event(uint16_t event)
{
	const struct pmu_driver *d = find_driver();

	return d && d->has_event && d->has_event(pmu_get(), event);
}

uint64_t pmu_read(unsigned counter)
{
	return msr_read(pmu_counter_msr(counter));
}

uint64_t pmu_difference(unsigned counter, uint64_t value, uint64_t before)
{
	return pmu_sign_extend(value - before, pmu_counter_width(counter));
}

static bool is_negative(unsigned counter, uint64_t value)
{
	return (value >> (pmu_counter_width(counter) - 1) & 1) != 0;
}

static void note_start(unsigned counter, uint64_t value)
{
	if (counter >= PMU_FIXED)
		return;
	negative &= ~(UINT32_C(1) << counter);
	negative |= (uint32_t)is_negative(counter, value) << counter;
}

void pmu_write(unsigned counter, uint64_t value)
{
	note_start(counter, value);     /* first, because the counter may count after the write */
	msr_write(pmu_counter_msr(counter), value);
}

uint32_t pmu_take_overflows(void)
{
	uint32_t reported = 0;

	for (unsigned i = 0; negative >> i; i++)
		if ((negative >> i & 1) && !is_negative(i, pmu_read(i)))
			reported |= UINT32_C(1) << i;
	negative &= ~reported;
	return reported;
}

bool pmu_has_status(void)
{
	const struct pmu_driver *d = find_driver();

	return d && d->status && pmu_get()->version >= d->status_since;
}

unsigned pmu_counter_for(uint16_t event, unsigned n)
{
	const struct pmu_driver *d = find_driver();
	uint32_t counters = d && d->counters_for ? d->counters_for(event) : UINT32_MAX;

	for (unsigned i = 0; d && i < pmu_get()->gp_count; i++)
		if (has_counter(d, i) && (counters >> i & 1) && n-- == 0)
			return i;
	return PMU_FIXED;
}

static uint64_t read_status(void)
{
	const struct pmu_driver *d = find_driver();

	return d && d->status ? d->status(pmu_get()) : 0;
}

uint64_t pmu_status(void)
{
	return read_status() & ~stuck_status();
}

void pmu_clear_status(uint64_t bits)
{
	const struct pmu_driver *d = find_driver();

	if (d && d->clear_status)
		d->clear_status(pmu_get(), bits);
}

static void check_setups(const struct pmu_setup *setups, unsigned count)
{
	if (count > PMU_SETUPS_MAX)
		test_abort("%u setups, at most %u", count, PMU_SETUPS_MAX);
	for (unsigned i = 0; i < count; i++) {
		driver_of(setups[i].counter);
		for (unsigned j = 0; j < i; j++)
			if (setups[j].counter == setups[i].counter)
				test_abort("two setups are for counter %u", setups[i].counter);
	}
}

/* Forgets all that was programmed before. */
static void forget(void)
{
	if (forget_hook)
		forget_hook();
	window.on_count = window.off_count = 0;
	negative = 0;
	witness = PMU_FIXED;
}

/* PPR of AMD's family 17H, event 02BH: the SMIs that the core received. */
#define AMD_SMIS  0x02b

/* Lets the last counter count SMIs if the window does not use it. Returns the number of setups. */
static unsigned add_witness(struct pmu_setup *setups, unsigned count)
{
	const unsigned last = pmu_get()->gp_count - 1;

	if (!has_smi_event || count == PMU_SETUPS_MAX)
		return count;
	for (unsigned i = 0; i < count; i++)
		if (setups[i].counter >= last - 1)
			return count;          /* also of the pair that may be merged */
	witness = last;
	setups[count] = (struct pmu_setup){ .counter = last, .event = AMD_SMIS, .flags = PMU_BOTH };
	return count + 1;
}

void pmu_program(const struct pmu_setup *setups, unsigned count)
{
	const struct pmu_driver *d = driver();
	static struct pmu_setup all[PMU_SETUPS_MAX];

	check_setups(setups, count);
	forget();
	memcpy(all, setups, count * sizeof(*setups));
	count = add_witness(all, count);
	for (unsigned i = 0; i < count; i++)
		note_start(all[i].counter, all[i].start);
	d->program(pmu_get(), all, count, &window);
}

bool pmu_window_take(const struct pmu_switch *s, void (*code)(uint32_t rounds, uint32_t argument),
                     uint32_t rounds, uint32_t argument)
{
	uint64_t smis = smi_count_of_window();
	unsigned ticks;

	watchdog_pet();
	ticks = watchdog_ticks();
	pmu_window_run(s, code, rounds, argument);
	is_ticked = watchdog_ticks() != ticks;
	if (!is_ticked && smi_count_of_window() == smis)
		return false;
	was_disturbed = true;
	return true;
}

void pmu_window(void (*code)(uint32_t rounds, uint32_t argument), uint32_t rounds,
                uint32_t argument)
{
	if (window.on_count == 0)
		test_abort("pmu_window() without pmu_program()");
	pmu_window_take(&window, code, rounds, argument);
}

bool pmu_was_disturbed(void)
{
	const uint64_t smis = smi_count();
	const bool was = was_disturbed || smis != smis_before;

	was_disturbed = false;
	smis_before = smis;
	return was;
}

static void reset_register(const struct pmu *p, const struct pmu_register *r)
{
	unsigned count = pmu_register_count(p, r);

	for (unsigned i = 0; i < count && !r->is_read_only; i++)
		msr_try_write(r->msr + i, 0);
}

/* If the registers do not exist, touching them 100 times per test proves nothing. */
void pmu_reset(void)
{
	const struct pmu *p = pmu_get();

	watchdog_pet();
	forget();
	if (!is_there())
		return;
	for (unsigned i = 0; i < p->class->register_count; i++)
		reset_register(p, &p->class->registers[i]);
	if (p->state != PMU_COUNTS)
		return;
	pmu_clear_status(read_status());
	stuck_status_set(read_status());
}

/* The witness is not the test's. */
static void dismiss_witness(void)
{
	if (witness != PMU_FIXED)
		msr_write(PERF_CTL(witness), 0);
	witness = PMU_FIXED;
}

const char *pmu_running(void)
{
	const struct pmu *p = pmu_get();

	dismiss_witness();
	if (p->state != PMU_COUNTS || !p->class->driver)
		return NULL;
	return p->class->driver->running(p);
}

static void read_all(const struct pmu_setup *setups, unsigned count, struct pmu_reading *r)
{
	for (unsigned i = 0; i < count; i++) {
		r->value[i] = pmu_read(setups[i].counter);
		r->count[i] = pmu_difference(setups[i].counter, r->value[i], setups[i].start);
	}
	r->status = pmu_status();
}

struct pmu_reading pmu_measure_code(const struct pmu_setup *setups, unsigned count,
                                    void (*code)(uint32_t rounds, uint32_t argument),
                                    uint32_t rounds, uint32_t argument)
{
	struct pmu_reading r = { 0 };

	const bool was_before = was_disturbed;

	pmu_program(setups, count);
	while ((r.is_spoiled = pmu_window_take(&window, code, rounds, argument))
	       && r.repeats < (is_ticked ? PMU_TICKS_MAX : PMU_REPEATS_MAX)) {
		r.repeats++;
		was_disturbed = was_before;
		pmu_program(setups, count);
	}
	read_all(setups, count, &r);
	return r;
}

struct pmu_reading pmu_measure(const struct pmu_setup *setups, unsigned count,
                               const struct workload *w, uint32_t rounds, uint32_t argument)
{
	return pmu_measure_code(setups, count, w->code, rounds, argument);
}

uint64_t pmu_count_net(const struct pmu_setup *setup, const struct workload *w, uint32_t rounds,
                       uint32_t argument)
{
	uint64_t empty = pmu_measure(setup, 1, &workload_empty, 0, 0).count[0];

	return pmu_measure(setup, 1, w, rounds, argument).count[0] - empty;
}
