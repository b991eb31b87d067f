/* SPDX-License-Identifier: MIT */
/* Parses the words of the kernel's command line. */
#ifndef KERNEL_RUN_CMDLINE_H
#define KERNEL_RUN_CMDLINE_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/console/console.h>

enum {
	CMDLINE_SIZE = 1024,            /* size of the text with its terminator */
	CMDLINE_GLOBS_MAX = 64,         /* patterns after only=, and as many after skip= */
	CMDLINE_CONSOLES_MAX = 4,
	CMDLINE_CPUS_MAX = 64,          /* the highest number after cpus= */
	CMDLINE_MISSES_MAX = 1000000000,
	CMDLINE_PERIOD_MIN = 32,        /* all other misses in a window are fewer than that */
	CMDLINE_PERIOD_MAX = 100000000,
	CMDLINE_LINE = 64,              /* stride= must be a multiple of a cache line */
	CMDLINE_STRIDE_MAX = 1 << 24,
	CMDLINE_WAYS_MAX = 64,
	CMDLINE_PROBLEM_SIZE = 160,
	CMDLINE_HELP_SIZE = 112,        /* size of a line of the help with its terminator */
};

struct cmdline_globs {
	const char *glob[CMDLINE_GLOBS_MAX];    /* pointers into the text of the struct cmdline */
	unsigned count;
};

/* Holds the parsed command line. It must not be copied, because its pointers point into it. */
struct cmdline {
	char text[CMDLINE_SIZE];        /* private: the words, unquoted and separated */
	bool is_list;                   /* print the tests' ids, run none */
	bool is_lastlog;                /* print the log of the previous run, run no test */
	bool is_monitor;                /* run the monitor for a user instead of tests */
	bool is_x2apic;                 /* switch the local APIC to x2APIC mode */
	bool is_exact;                  /* deterministic machine: tests demand exact values */
	bool is_sampling;               /* let processors write PEBS and BTS records */
	bool is_errata;                 /* also run tests that an erratum makes dangerous */
	bool is_smi;                    /* let firmware's SMI handler run */
	bool is_emulated;               /* no silicon: it has no published errata */
	bool is_broken;                 /* also run the tests that fail on purpose */
	uint32_t seed;                  /* seed of what varies (perturb.h); 0: nothing varies */
	bool leaves_f4, leaves_8900;    /* end an emulator by these of its ports */
	bool is_nosmp;                  /* do not look for other processors */
	uint32_t cpus;                  /* maximum number of processors; 0: all */
	bool has_absent_cpu;            /* assume that firmware lists this APIC ID, too */
	uint32_t absent_cpu;
	uint32_t rsdp;                  /* address of ACPI's RSDP; 0: the loader's or BIOS' */
	const char *uarch;              /* name of the PMU to assume; NULL: detect it */
	/* These are settings of the experiment sampling.*; 0: its tests choose. */
	uint32_t misses, period;        /* loads that miss; one sample per so many */
	uint32_t stride, ways;          /* bytes between its 2 * ways addresses */
	struct cmdline_globs only, skip;
	struct console_choice console[CMDLINE_CONSOLES_MAX];
	unsigned console_count;
	char problem[CMDLINE_PROBLEM_SIZE];     /* a sentence on the first one, or "" */
};

/* Describes a word. The table describes flags and numbers completely; other words have a parser. */
struct cmdline_word {
	const char *name;
	const char *value;      /* the value's name for people; NULL: a flag, without = */
	/* value is writable, and NULL for a flag */
	void (*parse)(struct cmdline *c, const struct cmdline_word *word, char *value);
	uint16_t place;         /* offset of a flag or number in struct cmdline */
	uint32_t least, most;   /* bounds of a number; most is 0 for other words */
	uint32_t multiple;      /* the number must be a multiple of it; 0: any */
	const char *help;       /* one line; NULL: the help omits the word */
	const char *about, *example;    /* for docs/commandline.md; the kernel does not use it */
};

#if __STDC_HOSTED__
#define CMDLINE_WORDS(text, words)  .about = text, .example = words
#else
#define CMDLINE_WORDS(text, words)  .about = NULL
#endif

extern const struct cmdline_word cmdline_words[];
extern const unsigned cmdline_word_count;

/*
 * Parses the words of text into c, whatever c held. Blanks separate words, double quotes keep them
 * together, and a backslash takes the next character literally (GRUB writes both, in
 * grub-core/lib/cmdline.c).
 *
 * skip_first_if_path drops the kernel's file name, which some loaders put first. A first word
 * counts as a file name if it has a '/' or ends in .elf and is not a known word.
 *
 * An unusable word has no effect; the first such problem is stored in c->problem. The words after
 * it are still read.
 */
void cmdline_parse(struct cmdline *c, const char *text, bool skip_first_if_path);

/*
 * Returns true if the test with this id is to run: if an only= matches or there is none, and no
 * skip= matches.
 */
bool cmdline_is_selected(const struct cmdline *c, const char *id);

/* Calls print(ctx, line) with one line for each word, without a newline. */
void cmdline_help(void (*print)(void *ctx, const char *line), void *ctx);

#endif
