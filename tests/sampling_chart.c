/* SPDX-License-Identifier: MIT */
/* The experiment's figure and its table, as comments of TAP in 80 columns. */
#include <tests/sampling.h>

#include <kernel/console.h>
#include <kernel/format.h>

enum { BAR = 20, PERMILLE = 1000, KBYTE = 1024 };

const char *sampling_number(uint32_t value, char *buffer)
{
	char plain[SAMPLING_NUMBER];
	const int size = format_buf(plain, sizeof(plain), "%u", value);
	char *to = buffer;

	for (int i = 0; i < size; i++) {
		if (i && (size - i) % 3 == 0)
			*to++ = ',';
		*to++ = plain[i];
	}
	*to = '\0';
	return buffer;
}

/* count / all in so many parts, rounded; of 32 bits, as a 64-bit division is a call of libgcc. */
static uint32_t share(uint32_t count, uint32_t all, uint32_t parts)
{
	while (all > UINT32_MAX / PERMILLE / 2) {
		count >>= 1;
		all >>= 1;
	}
	return all ? (count * parts + all / 2) / all : 0;
}

/* A sample is seen, however few they are. */
static int bar(uint32_t count, uint32_t all)
{
	const uint32_t length = share(count, all, BAR);

	return (int)(count && !length ? 1 : length);
}

static const char full_bar[] = "####################";
_Static_assert(sizeof(full_bar) == BAR + 1, "the longest bar");

/* "   800 100.0% #####": 14 columns and a bar; padded to its end, where something follows. */
static void print_share(uint32_t count, uint32_t all, bool is_padded)
{
	const uint32_t permille = share(count, all, PERMILLE);
	const int length = bar(count, all);

	print(" %6u %3u.%u%%%s%.*s", count, permille / 10, permille % 10, length ? " " : "",
	      length, full_bar);
	if (is_padded)
		print("%*s", BAR - length + !length, "");
}

static void print_row(const char *name, const struct sampling *s, uint32_t pebs,
                      uint32_t interrupts)
{
	print("# %9s |", name);
	print_share(pebs, s->pebs.samples, true);
	print(" |");
	print_share(interrupts, s->interrupts.samples, false);
	print("\n");
}

/* Nothing from one distance to the next. */
static void print_gap(void)
{
	print("#       ... |%36s|\n", "");
}

static void print_title(const struct sampling *s)
{
	const struct sampling_plan *p = &s->plan;
	char number[3][SAMPLING_NUMBER];

	print("#\n# One load misses the L1 data cache (%u KB, %u ways) each time: it goes round\n"
	      "# %u addresses, %s bytes apart, in one set. %s misses, one sample in\n"
	      "# %s. How many instructions behind that load is the sampled one?\n#\n",
	      p->cache.size / KBYTE, p->cache.ways, p->addresses,
	      sampling_number(p->stride, number[0]), sampling_number(s->rounds, number[1]),
	      sampling_number(p->period, number[2]));
}

static void print_head(const struct sampling *s)
{
	char text[2][40];

	format_buf(text[0], sizeof(text[0]), "PEBS: %u records, %u interrupts", s->pebs.samples,
	           s->buffer_interrupts);
	format_buf(text[1], sizeof(text[1]), "interrupts: %u%s", s->interrupts.samples,
	           s->is_second_run ? ", in a second run" : "");
	print("# behind it | %-35s| %s\n# ----------+%.36s+%.33s\n", text[0], text[1],
	      "----------------------------------------",
	      "----------------------------------------");
}

void sampling_print_figure(const struct sampling *s)
{
	bool is_gap = false;

	print_title(s);
	print_head(s);
	for (unsigned i = 0; i < sampling_insns(); i++) {
		char name[12];

		if (i && !s->pebs.at[i] && !s->interrupts.at[i]) {
			is_gap = true;
			continue;
		}
		if (is_gap)
			print_gap();
		is_gap = false;
		format_buf(name, sizeof(name), "%u", i);
		print_row(name, s, s->pebs.at[i], s->interrupts.at[i]);
	}
	if (s->pebs.elsewhere || s->interrupts.elsewhere)
		print_row("elsewhere", s, s->pebs.elsewhere, s->interrupts.elsewhere);
	print("#\n");
}

/* ------------------------------------------------------------------------------------ profile */

static void print_conclusion(const struct sampling *s)
{
	const struct sampling_plan *p = &s->plan;
	char stride[SAMPLING_NUMBER];
	const uint32_t low = (p->stride & 0xfff) == 0 ? 12 : 6;

	print("#\n# The low %u bits agree (%XH); neighbours are %s bytes apart%s.\n", low,
	      (unsigned)(p->base & ((1u << low) - 1)), sampling_number(p->stride, stride),
	      p->stride == p->cache.size ? ": one cache size" : "");
	if (p->is_overflowing)
		print("# So all %u fall into one set, which has %u ways: it overflows, and each\n"
		      "# load throws out a line that is needed soon.\n#\n", p->addresses,
		      p->cache.ways);
	else
		print("# They do not all share a set, or it has the ways for them.\n#\n");
}

void sampling_print_profile(const struct sampling *s)
{
	const struct sampling_plan *p = &s->plan;

	print("# Which data did it load? From the register that the sampled instruction\n"
	      "# addresses with, %s%s in its record:\n#\n#    address | samples\n# ----------+%.36s\n",
	      sizeof(uintptr_t) == 8 ? "R" : "E", s->base_register ? s->base_register : "?",
	      "----------------------------------------");
	for (unsigned i = 0; i < p->addresses; i++) {
		print("# %08XH |", (unsigned)(p->base + i * p->stride));
		print_share(s->by_address[i], s->pebs.samples, false);
		print("\n");
	}
	if (s->other_address || s->undecoded)
		print("# others    | %6u, no load found at the address: %u\n", s->other_address,
		      s->undecoded);
	print_conclusion(s);
}
