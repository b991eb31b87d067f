/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/counts/carries.h>

#include <arch/cpu/fault.h>
#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/common/counts/counting.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/smp_tests.h>

#define SAME  "it counts as many as from 0"

enum { NEAR = 8 };

/* What happens near the carry. */
enum act { STOP, WRITE, RDMSR, RDPMC, ACTS };
static const char *const names[ACTS] = { "stopped", "written", "read by RDMSR", "read by RDPMC" };

/* The window under way: what is written into each counter, or read from it. */
static struct {
	const struct carries *use;
	enum act act;
	uint64_t value[PMU_SETUPS_MAX];
} now;

/* Returns whether a write can make this value: a legacy one copies bit 31 to all bits above. */
static bool can_write(unsigned counter, uint64_t value)
{
	const bool is_signed = counter < PMU_FIXED && !counting_has_full_width(counter)
	                       && pmu_has(PMU_HAS_SIGNED_WRITES);
	const uint64_t high = value >> 31;

	return !is_signed || high == 0 || high == counter_mask(counter) >> 31;
}

static void act_on(unsigned counter, uint64_t *value)
{
	if (now.act == RDMSR)
		*value = pmu_read(counter);
	else if (now.act == RDPMC)
		pmc_try_read(pmu_rdpmc_index(counter), value);
	else if (counting_has_full_width(counter))
		msr_write(IA32_A_PMC(counter), *value);
	else
		pmu_write(counter, *value);
}

static void in_window(uint32_t rounds, uint32_t argument)
{
	now.use->code(rounds, argument);
	if (now.act == STOP)
		return;
	for (unsigned i = 0; i < now.use->count; i++)
		act_on(now.use->setups[i].counter, &now.value[i]);
	now.use->code(rounds, argument);
}

/* Runs a window with these values in the counters, or written into them. Afterwards now.value has
 * what they hold, or what was read from them. Returns the overflow status. */
static uint64_t run(const uint64_t *values)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	struct pmu_reading r;

	for (unsigned i = 0; i < now.use->count; i++) {
		setups[i] = now.use->setups[i];
		setups[i].start = now.act == WRITE ? 0 : values[i];
		now.value[i] = values[i];
	}
	r = pmu_measure_code(setups, now.use->count, in_window, now.use->rounds, 0);
	for (unsigned i = 0; i < now.use->count && now.act <= WRITE; i++)
		now.value[i] = r.value[i];
	return r.status;
}

static struct bounds elsewhere(uint64_t want, enum silicon row)
{
	const struct bounds usual = else_exact(want, SAME);

	return row == SILICON_COUNT ? usual : silicon_shown(row, usual);
}

/* Returns whether the counter is to overflow: it passes the end, or is written short of it. */
static bool overflows(unsigned counter, unsigned bit, int distance)
{
	return bit == pmu_counter_width(counter) && (distance < 0) == (now.act == WRITE);
}

static void check(struct test_ctx *t, unsigned i, uint64_t want, uint64_t status, bool is_over,
                  enum silicon row)
{
	const unsigned counter = now.use->setups[i].counter;

	want &= counter_mask(counter);
	expect_bounds(t, "value", now.value[i], if_exact(want, SAME), elsewhere(want, row));
	if (pmu_has_status() && now.act <= WRITE)
		expect_bits(t, "overflow status", status, counter_bit(counter),
		            is_over ? counter_bit(counter) : 0,
		            "only a count from all ones to 0 is an overflow");
}

/* Counters are stopped or read so many events before or behind the carry into the bit, or a write
 * puts them there. */
static void judge(struct test_ctx *t, unsigned bit, int distance, const uint64_t *from_0,
                  enum silicon row)
{
	const uint64_t there = BIT(bit) + (uint64_t)(int64_t)distance;
	uint64_t values[PMU_SETUPS_MAX], status;
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < now.use->count; i++) {
		const unsigned counter = now.use->setups[i].counter;

		values[i] = (there - (now.act == WRITE ? 0 : from_0[i])) & counter_mask(counter);
		if (!can_write(counter, values[i]))
			values[i] = 0;
	}
	status = run(values);
	for (unsigned i = 0; i < now.use->count; i++) {
		const unsigned counter = now.use->setups[i].counter;

		if (values[i] == 0)
			continue;
		test_sub(t, "%s, %s at 2^%u %s %d", pmu_counter_name(counter, name),
		         names[now.act], bit, distance < 0 ? "minus" : "plus",
		         distance < 0 ? -distance : distance);
		check(t, i, now.act == WRITE ? there + from_0[i] : there, status,
		      overflows(counter, bit, distance), row);
	}
}

static void judge_all(struct test_ctx *t, unsigned bit, const uint64_t *from_0, enum silicon row)
{
	const bool is_end = bit == pmu_counter_width(now.use->setups[0].counter);

	if (is_end && silicon_leaves_out(t, SILICON_STOP_AT_OVERFLOW, "value"))
		return;
	for (int distance = -NEAR; distance <= NEAR; distance++)
		judge(t, bit, distance, from_0, row);
}

void expect_carries(struct test_ctx *t, const struct carries *c, enum silicon row)
{
	static const uint64_t zeros[PMU_SETUPS_MAX];
	const unsigned width = pmu_counter_width(c->setups[0].counter);
	const unsigned bits[] = { 31, 32, width - 1, width };
	uint64_t from_0[PMU_SETUPS_MAX];

	now.use = c;
	for (now.act = STOP; now.act < ACTS; now.act++) {
		if (now.act == RDPMC && !pmu_has(PMU_HAS_RDPMC))
			continue;
		run(zeros);
		for (unsigned i = 0; i < c->count; i++)
			from_0[i] = now.value[i];
		for (unsigned b = 0; b < COUNT_OF(bits); b++)
			judge_all(t, bits[b], from_0, row);
	}
	test_sub(t, "%s", "");
}

void carries_of_instructions(struct test_ctx *t)
{
	struct pmu_setup setups[PMU_SETUPS_MAX];
	struct carries c = { .setups = setups, .code = workload_loop.code, .rounds = 10 };

	c.count = counting_setups(setups, counting_event(COUNTING_INSNS), PMU_OS);
	if (setups[c.count - 1].counter == PMU_FIXED_CTR(0) && smp_find(true)
	    && silicon_leaves_out(t, SILICON_FIXED0_GAINS_32, "IA32_FIXED_CTR0"))
		c.count--;
	expect_carries(t, &c, SILICON_COUNT);
}
