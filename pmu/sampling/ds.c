/* SPDX-License-Identifier: MIT */
/* Implements the debug store area. Source: SDM 3B, "BTS and DS Save Area". */
#include <pmu/sampling/ds.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/regs/perfmon.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>
#include <pmu/core/dangers.h>
#include <pmu/core/program.h>
#include <pmu/sampling/pebs_layouts.h>

/*
 * The area's fields, in its order: eight bytes each in the wide layout, four in the narrow one. The
 * counter reset values follow, eight bytes each in both ("DS Save Area", its two figures).
 */
enum ds_field { DS_BASE, DS_INDEX, DS_MAXIMUM, DS_THRESHOLD, DS_FIELDS };

/*
 * The layout is guard, area, guard | BTS buffer | guard | PEBS buffer | guard: one more page for
 * each part.
 */
enum {
	PAGE = 4096,
	AREA = 0x400, AREA_SIZE = 8 * DS_FIELDS * DS_KINDS + 8 * PEBS_RESETS,
	BUFFER_STRIDE = DS_BUFFER_SIZE + PAGE,
	MEMORY_SIZE = PAGE + DS_KINDS * BUFFER_STRIDE
};

/* Like everything in .bss this is private to each processor (private.h). */
static uint8_t memory[MEMORY_SIZE] __attribute__((aligned(4096)));
static uint8_t area_before[AREA_SIZE];         /* the area's content as it was written */
static unsigned used[DS_KINDS];                /* bytes for records, not counting the maximum */
static bool is_fresh[DS_KINDS];                /* the index has not been set back since */
static bool is_allowed;                        /* the word `sampling` was given */
static unsigned pebs_buffer_size;

void ds_init(bool is_sampling)
{
	is_allowed = is_sampling;
	pebs_buffer_size = danger_reason(DANGER_PEBS_BUFFER) ? PAGE : DS_BUFFER_SIZE;
}

/* ---------------------------------------------------------------------------- needs */

/*
 * A processor that writes memory by itself takes its machine down without a message if something is
 * wrong.
 */
static bool may_try(void)
{
	return is_allowed || pmu_is_exact() || cpuid_get(CPUID_HYPERVISOR);
}

const char *ds_unavailable(void)
{
	const struct pmu *p = pmu_get();

	if (!cpuid_get(CPUID_DS))
		return "CPUID.1:EDX[21] (DS) = 0";
	if (p->state != PMU_COUNTS)
		return p->verdict;
	if (!may_try())
		return "CPUID.1:EDX[21] (DS) = 1, and the word `sampling` was not given: it lets "
		       "the processor write to memory by itself";
	return NULL;
}

const char *need_ds(struct test_ctx *t)
{
	return ds_unavailable() ? test_reason(t, "%s", ds_unavailable()) : NULL;
}

const char *need_bts(struct test_ctx *t)
{
	const char *reason = need_ds(t);
	uint64_t value = 0;

	if (reason)
		return reason;
	if (is_fault(msr_try_read(IA32_MISC_ENABLE, &value)))
		return test_reason(t, "IA32_MISC_ENABLE cannot be read");
	if (value & IA32_MISC_ENABLE_BTS_UNAVAILABLE)
		return test_reason(t, "IA32_MISC_ENABLE = %" PRIX64 "H: bit 11, BTS unavailable",
		                   value);
	return NULL;
}

/* ---------------------------------------------------------------------------- layout */

unsigned ds_record_size(enum ds_kind kind)
{
	return kind == DS_BTS ? 3 * ds_width() : pebs_record_size();
}

unsigned ds_room(enum ds_kind kind)
{
	return (kind == DS_PEBS ? pebs_buffer_size : DS_BUFFER_SIZE) / ds_record_size(kind);
}

static uint8_t *buffer_of(enum ds_kind kind) { return memory + PAGE + kind * BUFFER_STRIDE; }

static uint8_t *field_at(enum ds_kind kind, enum ds_field field)
{
	return memory + AREA + ds_width() * (kind * DS_FIELDS + field);
}

static uint8_t *reset_at(unsigned slot)
{
	return field_at(DS_KINDS, DS_BASE) + 8 * slot;
}

static uint64_t get(const uint8_t *at, unsigned width)
{
	uint64_t value = 0;

	memcpy(&value, at, width);
	return value;
}

static void put(enum ds_kind kind, enum ds_field field, uint64_t value)
{
	memcpy(field_at(kind, field), &value, ds_width());
}

/* ---------------------------------------------------------------------------- setting up */

static void put_buffer(enum ds_kind kind, const struct ds_buffer *b)
{
	const uintptr_t base = b->records ? (uintptr_t)buffer_of(kind) : 0;
	const unsigned size = b->records ? ds_record_size(kind) : 0;

	used[kind] = b->records * size;
	if (used[kind] + b->extra > DS_BUFFER_SIZE)
		test_abort("%u records of %u bytes, and %u: the buffer has %d", b->records, size,
		           b->extra, DS_BUFFER_SIZE);
	put(kind, DS_BASE, base);
	put(kind, DS_INDEX, base);
	put(kind, DS_MAXIMUM, base + used[kind] + b->extra + b->has_plus_one);
	put(kind, DS_THRESHOLD, base + b->threshold * size);
	is_fresh[kind] = true;
}

void ds_set_up(const struct ds_plan *plan)
{
	if (plan->reset_count > PEBS_RESETS)
		test_abort("%u counter reset values: at most %d", plan->reset_count, PEBS_RESETS);
	msr_write(IA32_DS_AREA, 0);
	memset(memory, DS_GUARD, sizeof(memory));
	for (unsigned kind = 0; kind < DS_KINDS; kind++)
		put_buffer(kind, &plan->buffer[kind]);
	for (unsigned i = 0; plan->resets && i < plan->reset_count; i++)
		memcpy(reset_at(i), &plan->resets[i], 8);
	memcpy(area_before, memory + AREA, AREA_SIZE);
	msr_write(IA32_DS_AREA, (uintptr_t)memory + AREA);
}

/* Writes only if it is not 0, because a hypervisor may log MSRs that it does not know. */
void ds_tear_down(void)
{
	uint64_t value;

	if (cpuid_get(CPUID_DS) && !is_fault(msr_try_read(IA32_DS_AREA, &value)) && value)
		msr_try_write(IA32_DS_AREA, 0);
}

/* ---------------------------------------------------------------------------- reading */

uintptr_t ds_base(enum ds_kind kind) { return (uintptr_t)buffer_of(kind); }

uint64_t ds_index_address(enum ds_kind kind)
{
	return get(field_at(kind, DS_INDEX), ds_width());
}

uint64_t ds_maximum(enum ds_kind kind) { return get(field_at(kind, DS_MAXIMUM), ds_width()); }

unsigned ds_index(enum ds_kind kind)
{
	return (unsigned)(ds_index_address(kind) - ds_base(kind)) / ds_record_size(kind);
}

void ds_set_index(enum ds_kind kind, unsigned records)
{
	is_fresh[kind] = false;
	put(kind, DS_INDEX, ds_base(kind) + records * ds_record_size(kind));
}

uint64_t ds_reset(unsigned slot) { return get(reset_at(slot), 8); }

const void *ds_record(enum ds_kind kind, unsigned i)
{
	return buffer_of(kind) + i * ds_record_size(kind);
}

struct bts_record bts_get(unsigned i)
{
	const unsigned width = ds_width();
	const uint8_t *at = ds_record(DS_BTS, i);

	return (struct bts_record){ get(at, width), get(at + width, width),
	                            get(at + 2 * width, width) };
}

/* ---------------------------------------------------------------------------- damage */

static bool is_index(unsigned offset)
{
	const unsigned in_area = offset - AREA;
	const unsigned field = in_area / ds_width();

	return offset >= AREA && field < DS_KINDS * DS_FIELDS && field % DS_FIELDS == DS_INDEX;
}

/* Returns the byte that must be at an offset, or -1 if any may be. */
static int expected(unsigned offset)
{
	if (offset >= AREA && offset < AREA + AREA_SIZE)
		return is_index(offset) ? -1 : area_before[offset - AREA];
	return DS_GUARD;
}

/*
 * Returns the offset from which a buffer must be unchanged: after the whole records that were
 * stored.
 */
static unsigned clean_from(enum ds_kind kind)
{
	uint64_t stored = ds_index_address(kind) - ds_base(kind);

	return kind == DS_PEBS && is_fresh[kind] && stored < used[kind] ? (unsigned)stored
	                                                                 : used[kind];
}

/*
 * Returns true if the word here is all guard. It is so nearly everywhere, and tests check hundreds
 * of times.
 */
static bool is_guard(unsigned offset)
{
	const uintptr_t guard = UINTPTR_MAX / 0xff * DS_GUARD;
	const bool is_in_area = offset + sizeof(guard) > AREA && offset < AREA + AREA_SIZE;

	return offset % sizeof(guard) == 0 && !is_in_area &&
	       *(const uintptr_t *)(const void *)&memory[offset] == guard;
}

static uintptr_t find_damage(unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++) {
		if (i + sizeof(uintptr_t) <= to && is_guard(i))
			i += sizeof(uintptr_t) - 1;
		else if (expected(i) >= 0 && memory[i] != expected(i))
			return (uintptr_t)&memory[i];
	}
	return 0;
}

uintptr_t ds_damage(const char **what)
{
	static const char *const after[] = {
		"after the BTS buffer's records", "after the PEBS buffer's records",
	};
	uintptr_t found = find_damage(0, AREA);

	*what = "before the area";
	if (found)
		return found;
	*what = "in the area's own fields, or after it";
	found = find_damage(AREA, PAGE);
	for (unsigned kind = 0; kind < DS_KINDS && !found; kind++) {
		unsigned start = (unsigned)(buffer_of(kind) - memory);

		*what = after[kind];
		found = find_damage(start + clean_from(kind), start + BUFFER_STRIDE);
	}
	return found;
}
