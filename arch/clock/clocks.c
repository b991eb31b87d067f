/* SPDX-License-Identifier: MIT */
#include <arch/clock/clocks.h>

#include <stddef.h>

#include <arch/clock/clock_claims.h>
#include <arch/clock/clock_counters.h>
#include <arch/cpu/cpuid.h>
#include <arch/cpu/insn.h>

#define FASTEST_KHZ         5000000u
#define PAUSES_PER_US       100u        /* without a TSC: 10 ns each, on the first Pentiums */
#define CALLS_PER_MS        10000u      /* of clock_is_over(), 0.1 us each, without a TSC */

static struct clock_places places;

/* A clock either counts or makes a claim. */
struct row {
	enum clock_id id;
	const char *name, *absence;
	bool (*find)(struct counter *c);
	uint32_t (*claim)(void);
};

static bool find_pm_timer(struct counter *c) { return counter_find_pm_timer(c, places.pm_timer); }
static bool find_hpet(struct counter *c)     { return counter_find_hpet(c, places.hpet); }

/* By enum clock_id; the RTC is not asked like the others. */
static const struct row rows[CLOCK_RTC] = {
	[CLOCK_PM_TIMER]        = { .name = "ACPI PM timer", .find = find_pm_timer,
	                            .absence = "ACPI's FADT names none" },
	[CLOCK_HPET]            = { .name = "HPET", .find = find_hpet,
	                            .absence = "ACPI names none that has a rate" },
	[CLOCK_8254]            = { .name = "8254", .find = counter_find_8254 },
	[CLOCK_CPUID_15H]       = { .name = "CPUID.15H", .claim = claim_cpuid_15h,
	                            .absence = "CPUID.15H gives no rate" },
	[CLOCK_CPUID_40000010H] = { .name = "CPUID.40000010H", .claim = claim_cpuid_40000010h,
	                            .absence = "CPUID.40000010H gives no rate" },
	[CLOCK_PVCLOCK]         = { .name = "pvclock", .claim = claim_pvclock,
	                            .absence = "this is no guest of KVM with a clock" },
	[CLOCK_HYPER_V]         = { .name = "Hyper-V's MSR", .claim = claim_hyper_v,
	                            .absence = "this is no guest of Hyper-V with the MSR" },
	[CLOCK_CPUID_16H]       = { .name = "CPUID.16H", .claim = claim_cpuid_16h,
	                            .absence = "CPUID.16H gives no rate" },
};

static struct clock_answer answers[CLOCK_COUNT];
static enum clock_id chosen = CLOCK_COUNT;
static uint32_t rate;
static bool has_tsc;

const struct clock_answer *clock_get(enum clock_id id)  { return &answers[id]; }
enum clock_id clock_chosen(void)                        { return chosen; }
uint32_t tsc_khz(void)                                  { return rate; }

bool clock_agree(uint32_t khz, uint32_t other)
{
	uint32_t more = khz > other ? khz : other, less = khz > other ? other : khz;

	return less && more - less < more / 100;
}

bool clock_is_right(enum clock_id id)
{
	return clock_agree(answers[id].khz, rate);
}

static void ask(struct clock_answer *a, const struct row *row)
{
	struct counter c;

	*a = (struct clock_answer){ .name = row->name };
	if (row->claim)
		a->khz = row->claim();
	else if (row->find(&c))
		a->khz = counter_measure(&c, &a->problem);
	if (a->khz || a->problem)
		return;
	a->is_absent = true;
	a->problem = row->absence;
}

struct clock_answer clock_ask_again(enum clock_id id)
{
	struct clock_answer a;

	ask(&a, &rows[id]);
	return a;
}

static void ask_rtc(void (*tell)(const char *line))
{
	struct clock_answer *a = &answers[CLOCK_RTC];

	tell("no other clock gives the TSC's rate for certain: measuring by the RTC, 1 to 5 s");
	a->problem = NULL;
	a->khz = rtc_measure(&a->problem);
	a->is_absent = false;
}

/* Returns the first clock with an answer that another one confirms, or CLOCK_COUNT. */
static enum clock_id find_confirmed(void)
{
	for (unsigned id = 0; id < CLOCK_COUNT; id++)
		for (unsigned other = id + 1; other < CLOCK_COUNT; other++)
			if (clock_agree(answers[id].khz, answers[other].khz))
				return (enum clock_id)id;
	return CLOCK_COUNT;
}

static enum clock_id find_first(void)
{
	if (answers[CLOCK_RTC].khz)
		return CLOCK_RTC;
	for (unsigned id = 0; id < CLOCK_COUNT; id++)
		if (answers[id].khz)
			return (enum clock_id)id;
	return CLOCK_COUNT;
}

/*
 * A claim alone may be that of the processor which an emulator poses as, and the 8254 alone has
 * been slow: the RTC decides. So it does between clocks of which no two agree.
 */
static bool is_certain(void)
{
	unsigned measured = 0, claims = 0;

	for (unsigned id = 0; id < CLOCK_RTC; id++)
		*(rows[id].claim ? &claims : &measured) += answers[id].khz != 0;
	return find_confirmed() != CLOCK_COUNT
	       || (measured == 1 && !(claims && answers[CLOCK_8254].khz));
}

void clock_init(const struct clock_places *given, void (*tell)(const char *line))
{
	places = *given;
	answers[CLOCK_RTC] = (struct clock_answer){ .name = "RTC", .is_absent = true,
	                                            .problem = "it was not needed" };
	has_tsc = cpuid_get(CPUID_TSC) != 0;
	for (unsigned id = 0; id < CLOCK_RTC; id++) {
		if (has_tsc)
			ask(&answers[id], &rows[id]);
		else
			answers[id] = (struct clock_answer){ rows[id].name, 0,
			                                     "CPUID.1:EDX[4] (TSC) = 0", true };
	}
	if (!has_tsc)
		return;
	if (!is_certain())
		ask_rtc(tell);
	chosen = find_confirmed();
	if (chosen == CLOCK_COUNT)
		chosen = find_first();
	if (chosen != CLOCK_COUNT)
		rate = answers[chosen].khz;
}

/* Without a rate this assumes a TSC that no processor has: a wait is too long then, and it ends. */
static uint32_t ticks_per_ms(void)
{
	return rate ? rate : has_tsc ? FASTEST_KHZ : 0;
}

void clock_wait_us(uint32_t us)
{
	const uint64_t product = (uint64_t)us * ticks_per_ms() >> 10;
	const uint64_t ticks = product + (product * 3 >> 7) + (product >> 10);  /* 1024 / 1000 */

	if (has_tsc) {
		const uint64_t start = tsc_read();

		while (tsc_read() - start < ticks)
			cpu_pause();
		return;
	}
	for (uint32_t i = 0; i < us * PAUSES_PER_US; i++)
		cpu_pause();
}

struct clock_limit clock_limit_ms(uint32_t ms)
{
	if (!has_tsc)
		return (struct clock_limit){ 0, (uint64_t)ms * CALLS_PER_MS };
	return (struct clock_limit){ tsc_read(), (uint64_t)ms * ticks_per_ms() };
}

bool clock_is_over(struct clock_limit *limit)
{
	const uint64_t now = has_tsc ? tsc_read() : limit->last + 1, gap = ticks_per_ms();
	uint64_t passed = now - limit->last;

	if (has_tsc && passed > gap)
		passed = gap;
	limit->last = now;
	limit->left = limit->left > passed ? limit->left - passed : 0;
	return limit->left == 0;
}
