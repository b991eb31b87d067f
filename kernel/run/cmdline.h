/* SPDX-License-Identifier: MIT */
/* The words of the kernel's command line. */
#ifndef KERNEL_RUN_CMDLINE_H
#define KERNEL_RUN_CMDLINE_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/console/console.h>

enum {
	CMDLINE_SIZE = 1024,            /* of the text with its terminator */
	CMDLINE_GLOBS_MAX = 64,         /* patterns after only=, and as many after skip= */
	CMDLINE_CONSOLES_MAX = 4,
	CMDLINE_CPUS_MAX = 64,          /* the highest number after cpus= */
	CMDLINE_MISSES_MAX = 1000000000,
	CMDLINE_PERIOD_MIN = 32,        /* what else misses, once a window, is less than that */
	CMDLINE_PERIOD_MAX = 100000000,
	CMDLINE_LINE = 64,              /* stride= is a multiple of it: of a cache's line */
	CMDLINE_STRIDE_MAX = 1 << 24,
	CMDLINE_WAYS_MAX = 64,
	CMDLINE_PROBLEM_SIZE = 160,
	CMDLINE_HELP_SIZE = 112,        /* of a line of the help with its terminator */
};

struct cmdline_globs {
	const char *glob[CMDLINE_GLOBS_MAX];    /* in the text of the struct cmdline */
	unsigned count;
};

/* Do not copy it: what it points to is inside. */
struct cmdline {
	char text[CMDLINE_SIZE];        /* private: the words, unquoted and separated */
	bool is_list;                   /* print the tests' ids, run none */
	bool is_lastlog;                /* print the log of the run before, run no test */
	bool is_monitor;                /* talk with whoever is there instead of running tests */
	bool is_x2apic;                 /* switch the local APIC to x2APIC mode */
	bool is_exact;                  /* the machine is deterministic: tests demand more */
	bool is_sampling;               /* let processors write PEBS and BTS records */
	bool is_broken;                 /* run the tests that break on purpose, too */
	uint32_t seed;                  /* of what varies (vary.h); 0: nothing does */
	bool is_nosmp;                  /* do not look for other processors */
	uint32_t cpus;                  /* at most so many run; 0: all */
	bool has_absent_cpu;            /* take it that firmware lists this APIC ID, too */
	uint32_t absent_cpu;
	const char *uarch;              /* the PMU that is to be taken for this one's; NULL: none */
	/* The experiment sampling.*; 0: as its tests choose. */
	uint32_t misses, period;        /* loads that miss; each such load of them is a sample */
	uint32_t stride, ways;          /* bytes between its 2 * ways addresses */
	struct cmdline_globs only, skip;
	struct console_choice console[CMDLINE_CONSOLES_MAX];
	unsigned console_count;
	char problem[CMDLINE_PROBLEM_SIZE];     /* the first problem, a sentence; "": none */
};

/* A row of the table of words. Of flags and numbers the table says all; others have a parser. */
struct cmdline_word {
	const char *name;
	const char *value;      /* what stands after the =, for people; NULL: a flag, without = */
	/* value: writable, NULL for a flag */
	void (*parse)(struct cmdline *c, const struct cmdline_word *word, char *value);
	uint16_t place;         /* of a flag or a number in struct cmdline */
	uint32_t least, most;   /* of a number; most 0: it is none */
	uint32_t multiple;      /* what it must be a multiple of, or 0 */
	const char *help;       /* one line; NULL: not in the help */
	const char *about, *example;    /* for docs/commandline.md, not for the kernel */
};

#if __STDC_HOSTED__
#define CMDLINE_WORDS(text, words)  .about = text, .example = words
#else
#define CMDLINE_WORDS(text, words)  .about = NULL
#endif

extern const struct cmdline_word cmdline_words[];
extern const unsigned cmdline_word_count;

/*
 * Reads the words of text into c; whatever c held is gone. Blanks separate words, double quotes
 * keep them together, a backslash takes the next character as it is (GRUB writes both, in
 * grub-core/lib/cmdline.c).
 *
 * skip_first_if_path: a loader that puts the kernel's file name first (QEMU's -kernel does) has it
 * dropped; it is known by a '/' or its ending .elf. A word that is known is never taken for it.
 *
 * A word that cannot be used does nothing but leave its problem in c->problem, unless there is
 * one already; the words after it are read.
 */
void cmdline_parse(struct cmdline *c, const char *text, bool skip_first_if_path);

/* Is the test with this id to be run? It is if an only= matches or there is none, and no skip=. */
bool cmdline_is_selected(const struct cmdline *c, const char *id);

/* Gives print(ctx, line) one line for each word, without a newline. */
void cmdline_help(void (*print)(void *ctx, const char *line), void *ctx);

#endif
