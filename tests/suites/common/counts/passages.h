/* SPDX-License-Identifier: MIT */
/*
 * Passages from a level of privilege into the kernel and back, as events: INT n and its IRET, a
 * fault and its IRET, SYSENTER and SYSEXIT, SYSCALL and SYSRET; an interrupt and an NMI that the
 * processor sends to itself, and a tick of the local APIC's timer, each with its IRET. Each of them
 * is counted so often, with OS, with USR and with both, as instructions, branches, taken branches
 * and far ones, on each counter.
 */
#ifndef TESTS_SUITES_COMMON_COUNTS_PASSAGES_H
#define TESTS_SUITES_COMMON_COUNTS_PASSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>
#include <pmu/core/program.h>

enum passage {
	PASSAGE_INT, PASSAGE_FAULT, PASSAGE_SYSENTER, PASSAGE_SYSCALL,
	PASSAGE_INTERRUPT, PASSAGE_NMI, PASSAGE_TIMER
};

/* What an event counts. NEAR_TAKEN leaves out far branches; INTERRUPTS counts deliveries alone. */
enum passage_kind {
	PASSAGE_INSNS, PASSAGE_BRANCHES, PASSAGE_TAKEN, PASSAGE_NEAR_TAKEN, PASSAGE_FAR,
	PASSAGE_INTERRUPTS, PASSAGE_KINDS
};

struct passage_event { enum passage_kind kind; const char *name; uint16_t event; };

/* The level at which something counts: it may be one of two, the one that is left, or CPL 0. */
enum passage_level { AT_EITHER, AT_LEFT, AT_CPL0 };

/* How many of each kind the delivery of an exception, or of an interrupt, counts. */
struct passage_entry { uint8_t low[PASSAGE_KINDS], high[PASSAGE_KINDS]; };

/* What is known of the processor, for an exact machine. */
struct passage_facts {
	struct passage_event events[PASSAGE_KINDS];
	unsigned count;
	enum passage_level call, iret, entry;  /* INT n, SYSCALL, SYSENTER; IRET; the delivery */
	struct passage_entry exception, interrupt;
	bool counts_again;             /* an instruction may count more than once, elsewhere */
	/* Makes the setup of an event on the nth counter that can count it; false: there is no such
	 * counter. NULL: that of pmu_counter_for(). */
	bool (*setup)(struct pmu_setup *s, const struct passage_event *e, unsigned n,
	              unsigned flags);
};

/* Checks a passage at CPL 3 and, where it can begin there, at CPL 0. */
void passages_check(struct test_ctx *t, enum passage passage, const struct passage_facts *facts);

/* Returns NULL, or why the processor has no such passage. */
const char *passages_need(struct test_ctx *t, enum passage passage);

/* Makes the seven tests family.passages.NAME of a family, whose facts a function returns; runs is
 * an enum test_runs. */
#define PASSAGE_TEST(name, passage, family, needs_, facts, runs_, source_, text) \
	static const char *need_##name(struct test_ctx *t) \
	{ \
		const char *reason = needs_(t); \
\
		return reason ? reason : passages_need(t, passage); \
	} \
	static void name(struct test_ctx *t) \
	{ \
		const struct passage_facts f = facts(); \
\
		passages_check(t, passage, &f); \
	} \
	TEST_OF(name, .id = family ".passages." #name, .needs = need_##name, .source = source_, \
	     .runs = runs_, \
	     .claim = text " count in each event, at the levels that OS and USR select")
#define PASSAGE_TESTS(...) \
	PASSAGE_TEST(int_iret, PASSAGE_INT, __VA_ARGS__, "INT n and IRET"); \
	PASSAGE_TEST(fault, PASSAGE_FAULT, __VA_ARGS__, "a fault and IRET"); \
	PASSAGE_TEST(sysenter, PASSAGE_SYSENTER, __VA_ARGS__, "SYSENTER and SYSEXIT"); \
	PASSAGE_TEST(syscall, PASSAGE_SYSCALL, __VA_ARGS__, "SYSCALL and SYSRET"); \
	PASSAGE_TESTS_OF_INTERRUPTS(__VA_ARGS__)
#define PASSAGE_TESTS_OF_INTERRUPTS(...) \
	PASSAGE_TEST(interrupt, PASSAGE_INTERRUPT, __VA_ARGS__, \
	             "interrupts that the processor sends to itself, and their IRETs,"); \
	PASSAGE_TEST(nmi, PASSAGE_NMI, __VA_ARGS__, \
	             "NMIs that the processor sends to itself, and their IRETs,"); \
	PASSAGE_TEST(timer, PASSAGE_TIMER, __VA_ARGS__, \
	             "ticks of the local APIC's timer, and their IRETs,")

#endif
