/* SPDX-License-Identifier: MIT */
/* Prints the experiment's figure and its table as comments of TAP in 80 columns. */
#include <tests/suites/sampling/sampling.h>

#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <pmu/core/program.h>

enum { BAR = 18, PERMILLE = 1000, KBYTE = 1024, LOW_BITS = 12 };

/* A register's name of this width: EBX, RBX. */
#define PREFIX  (sizeof(uintptr_t) == 8 ? "R" : "E")
#define RULE  "------------------------------------"

const char *sampling_number(uint32_t value, char *buffer)
{
	char plain[SAMPLING_NUMBER];
	const int size = format_buf(plain, sizeof(plain), "%u", value);
	unsigned used = 0;

	for (int i = 0; i < size; i++) {
		if (i && (size - i) % 3 == 0)
			buffer[used++] = ',';
		buffer[used++] = plain[i];
	}
	buffer[used] = '\0';
	return buffer;
}

/* Returns count / all in so many parts, rounded; in 32 bits, as a 64-bit division calls libgcc. */
static uint32_t share(uint32_t count, uint32_t all, uint32_t parts)
{
	while (all > UINT32_MAX / PERMILLE / 2) {
		count >>= 1;
		all >>= 1;
	}
	return all ? (count * parts + all / 2) / all : 0;
}

/* Returns the bar's length; even a single sample shows. */
static int bar(uint32_t count, uint32_t all)
{
	const uint32_t length = share(count, all, BAR);

	return (int)(count && !length ? 1 : length);
}

static const char full_bar[] = "##################";
_Static_assert(sizeof(full_bar) == BAR + 1, "the longest bar");

/* Prints "   800 100.0% #####": a bar after 14 columns. full is the count of the longest bar. */
static int print_share(uint32_t count, uint32_t all, uint32_t full)
{
	const uint32_t permille = share(count, all, PERMILLE);
	const int length = bar(count, full);

	print(" %5u %3u.%u%%%s%.*s", count, permille / 10, permille % 10, length ? " " : "",
	      length, full_bar);
	return length ? length + 1 : 0;
}

/* The figure's left column, records or ops, beside its interrupts. */
struct left { const struct sampling_places *places; const char *title; };

static void print_row(const char *name, const struct sampling *s, const struct left *left,
                      uint32_t samples, uint32_t interrupts)
{
	const uint32_t all = left->places->samples;
	int used;

	print("# %9s |", name);
	used = print_share(samples, all, all);
	print("%*s |", BAR + 1 - used, "");
	print_share(interrupts, s->interrupts.samples, s->interrupts.samples);
	print("\n");
}

/* Prints nothing from one distance to the next. */
static void print_gap(void)
{
	print("#       ... |%33s|\n", "");
}

static void print_title(const struct sampling *s)
{
	const struct sampling_plan *p = &s->plan;
	char stride[SAMPLING_NUMBER], misses[SAMPLING_NUMBER], period[SAMPLING_NUMBER];

	sampling_number(p->stride, stride);
	sampling_number(s->rounds, misses);
	sampling_number(p->period, period);
	if (p->is_overflowing)
		print("#\n"
		      "# One load goes round %u addresses, %s bytes apart, in one set of the L1\n"
		      "# data cache (%u KB, %u ways), and misses each time: %s misses, one\n"
		      "# sample in %s. ", p->addresses, stride, p->cache.size / KBYTE,
		      p->cache.ways, misses, period);
	else
		print("#\n# One load goes round %u addresses, %s bytes apart: %s times.\n"
		      "# The L1 data cache (%u KB, %u ways) has room for them: it need not miss.\n"
		      "# One sample in %s misses. ", p->addresses, stride, misses,
		      p->cache.size / KBYTE, p->cache.ways, period);
	print("How many instructions after that load is it?\n#\n");
}

static void print_head(const struct sampling *s, const char *title)
{
	char text[40];

	format_buf(text, sizeof(text), "interrupts: %u%s", s->interrupts.samples,
	           s->is_second_run ? ", another run" : "");
	print("# after it  | %-32s| %s\n# ----------+%.33s+%.32s\n", title, text, RULE, RULE);
}

/* Says how far an emulator's interrupts can be trusted. */
static void print_caveat(void)
{
	if (!pmu_is_exact())
		print("#\n");
	else if (pmu_has(PMU_HAS_CCCRS))
		print("#\n# Interrupts are replayed here from a measurement of a Pentium 4, not "
		      "measured.\n#\n");
	else
		print("#\n# Interrupts of this emulated machine are never late: silicon's are.\n"
		      "#\n");
}

static void print_columns(const struct sampling *s, const struct left *left)
{
	const struct sampling_places *const places = left->places;
	bool is_gap = false;

	print_title(s);
	print_head(s, left->title);
	for (unsigned i = 0; i < sampling_loop_length; i++) {
		char name[12];

		if (i && !places->at[i] && !s->interrupts.at[i]) {
			is_gap = true;
			continue;
		}
		if (is_gap)
			print_gap();
		is_gap = false;
		format_buf(name, sizeof(name), "%u", i);
		print_row(name, s, left, places->at[i], s->interrupts.at[i]);
	}
	if (places->elsewhere || s->interrupts.elsewhere)
		print_row("elsewhere", s, left, places->elsewhere, s->interrupts.elsewhere);
	print_caveat();
}

void sampling_print_figure(const struct sampling *s)
{
	char title[40];

	format_buf(title, sizeof(title), "PEBS: %u records, %u PMIs", s->pebs.samples,
	           s->buffer_interrupts);
	print_columns(s, &(const struct left){ &s->pebs, title });
}

/* ------------------------------------------------------------------------------------ profile */

/* Holds what the sampled addresses have in common, found without the loop's parameters. */
struct common {
	uintptr_t first;
	unsigned addresses;
	uintptr_t differences;         /* bits in which one differs from the first */
	uint32_t distance;             /* of neighbours, if it is one; else the shortest */
};

static struct common find_common(const struct sampling *s)
{
	const struct sampling_plan *p = &s->plan;
	struct common c = { .distance = UINT32_MAX };
	uintptr_t last = 0;

	for (unsigned i = 0; i < p->addresses; i++) {
		const uintptr_t address = p->base + (uintptr_t)i * p->stride;

		if (!s->by_address[i])
			continue;
		if (!c.addresses++)
			c.first = address;
		else if (address - last < c.distance)
			c.distance = (uint32_t)(address - last);
		c.differences |= address ^ c.first;
		last = address;
	}
	return c;
}

static unsigned equal_low_bits(uintptr_t differences)
{
	unsigned bits = 0;

	while (bits < LOW_BITS && !(differences >> bits & 1))
		bits++;
	return bits;
}

static void print_conclusion(const struct sampling *s)
{
	const struct sampling_plan *p = &s->plan;
	const struct common c = find_common(s);
	const unsigned bits = equal_low_bits(c.differences);
	char distance[SAMPLING_NUMBER];

	if (c.addresses < 2)
		return;
	print("#\n# The low %u bits of all agree, %03XH; neighbours are %s bytes apart%s.\n", bits,
	      (unsigned)(c.first & ((1u << bits) - 1)), sampling_number(c.distance, distance),
	      c.distance == p->cache.size ? ",\n# one cache size" : "");
	if (c.distance % cache_way_size(&p->cache) || c.addresses <= p->cache.ways)
		return;
	print("# So %u lines compete for the %u ways of one set: it overflows, and each load\n"
	      "# throws out a line that is needed soon.\n", c.addresses, p->cache.ways);
}

static uint32_t largest(const struct sampling *s)
{
	uint32_t most = 0;

	for (unsigned i = 0; i < s->plan.addresses; i++)
		if (s->by_address[i] > most)
			most = s->by_address[i];
	return most;
}

static void print_addresses(const struct sampling *s, uint32_t all)
{
	const struct sampling_plan *p = &s->plan;

	print("#\n#   address | samples\n# ----------+%.33s\n", RULE);
	for (unsigned i = 0; i < p->addresses; i++) {
		print("# %08XH |", (unsigned)(p->base + (uintptr_t)i * p->stride));
		print_share(s->by_address[i], all, largest(s));
		print("\n");
	}
	if (s->other_address || s->undecoded)
		print("#    others | %5u; no load at the sampled address: %u\n", s->other_address,
		      s->undecoded);
	print_conclusion(s);
	print("#\n");
}

void sampling_print_profile(const struct sampling *s)
{
	print("# Which data was it? The sampled instruction addresses with %s%s; so says each\n"
	      "# record's %s%s:\n", PREFIX, s->base_register, PREFIX, s->base_register);
	print_addresses(s, s->pebs.samples);
}

/* IBS does not choose by misses: it samples ops, and says of each whether it missed. */
void sampling_print_ibs(const struct sampling *s)
{
	char title[40], ops[SAMPLING_NUMBER];

	format_buf(title, sizeof(title), "IBS: %u of %s ops missed", s->ibs.samples,
	           sampling_number(s->ops.samples, ops));
	print_columns(s, &(const struct left){ &s->ibs, title });
	print("# Which data was it? IbsDcLinAd of the samples of that load says it:\n");
	print_addresses(s, s->loads);
}
