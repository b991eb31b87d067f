/* SPDX-License-Identifier: MIT */
/*
 * INST_RETIRED (event C0H and IA32_FIXED_CTR0): these tests check what counts as one instruction
 * and what as none. SDM 3B, "Pre-defined Architectural Performance Events", Instructions Retired:
 * "counts the number of instructions at retirement. For instructions that consist of multiple
 * micro-operations, the event counts the retirement of the last micro-operation of the instruction.
 * An instruction with a REP prefix counts as one instruction. Faults before the retirement of the
 * last micro-op of a multi-op instruction are not counted. ... counts instructions inside interrupt
 * handlers."
 */
#include <tests/suites/common/counts/counting.h>

#include <arch/regs/table.h>
#include <kernel/lib/format.h>
#include <pmu/workload/workload.h>
#include <tests/suites/arch/arch_sources.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/self_interrupts.h>

#define SDM EVENTS "Instructions Retired"

static const uint32_t few_rounds[] = { 1, 2, 3, 64, 1000 };

static void check(struct test_ctx *t, const struct workload *w, const char *why,
                  const struct counting_known *known)
{
	pmu_workload_gates();
	expect_workload_known(t, COUNTING_INSNS, w, few_rounds, COUNT_OF(few_rounds), 0, why,
	                      known);
}

/* What is published of some workloads: IRET may count twice, far transfers more. */
static const struct counting_known iret_twice = { SILICON_IRET_COUNTS_TWICE, 1, true };
static const struct counting_known far_more = { SILICON_E_CORE_FAR, UINT32_MAX, false };
static const struct counting_known rep_more = { SILICON_REP_COUNTS_MORE, UINT32_MAX, false };

/* Returns the one of two rows that is about this processor. */
static const struct counting_known *far_or_iret(void)
{
	return silicon_has(SILICON_E_CORE_FAR) ? &far_more : &iret_twice;
}

#define WORKLOAD_TEST(name, text, because)  KNOWN_TEST(name, NULL, text, because)
#define KNOWN_TEST(name, known, text, because) \
	static void name(struct test_ctx *t) { check(t, &workload_##name, because, known); } \
	TEST_OF(name, .id = "arch.instructions." #name, .needs = need_arch, .source = SDM, \
	     .claim = text)

WORKLOAD_TEST(loop, "every DEC and every JNZ of a loop counts once",
              "a round has two instructions, and the last JNZ counts as well");
WORKLOAD_TEST(cpuid, "CPUID counts once, although it has many micro-operations",
              "the event counts the retirement of the last micro-operation");
WORKLOAD_TEST(enter_leave, "ENTER and LEAVE count once each",
              "the event counts the retirement of the last micro-operation");
WORKLOAD_TEST(divide, "DIV counts once", "the event counts retirement, not latency");
WORKLOAD_TEST(call, "a CALL and its RET count once each", "both are instructions");
KNOWN_TEST(far_jmp, &far_more, "a far JMP counts once",
              "the event counts the retirement of the last micro-operation");
KNOWN_TEST(far_call, &far_more, "a far CALL and its RET count once each",
              "the event counts the retirement of the last micro-operation");
KNOWN_TEST(int_iret, far_or_iret(), "INT n and the IRET of its handler count once each",
           "INT n is an instruction that retires, not a fault");
KNOWN_TEST(iret, far_or_iret(), "IRET counts once",
           "the event counts the retirement of the last micro-operation");
KNOWN_TEST(fault, far_or_iret(),
           "an instruction that faults does not count, its handler's instructions do",
           "UD2 does not retire; the handler's instructions do");

TEST(nops, .id = "arch.instructions.nops", .needs = need_arch, .source = SDM,
     .claim = "NOPs count once each, 0 to 4096 of them")
{
	static const uint32_t rounds[] = { 0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 63, 255, 1000,
	                                   4095, 4096 };

	expect_workload(t, COUNTING_INSNS, &workload_nops, rounds, COUNT_OF(rounds), 0,
	                "a NOP is an instruction");
}

static void check_rep(struct test_ctx *t, const struct workload *w)
{
	static const uint32_t lengths[] = { 0, 1, 2, 3, 4, 15, 16, 63, 64, 65, 255, 1000 };
	static const uint32_t rounds[] = { 1, 10 };

	for (unsigned i = 0; i < COUNT_OF(lengths); i++)
		expect_workload_known(t, COUNTING_INSNS, w, rounds, COUNT_OF(rounds), lengths[i],
		                      "a REP string instruction is one instruction, whatever its "
		                      "length", &rep_more);
}

TEST(rep_movsb, .id = "arch.instructions.rep_movsb", .needs = need_arch, .source = SDM,
     .claim = "REP MOVSB counts once, however many bytes it moves, even if it moves none")
{ check_rep(t, &workload_movsb); }

TEST(rep_stosd, .id = "arch.instructions.rep_stosd", .needs = need_arch, .source = SDM,
     .claim = "REP STOSD counts once, however many doublewords it stores, even if it stores none")
{ check_rep(t, &workload_stosd); }

static NEED_BOTH(need_arch_and_apic, need_arch, need_local_apic)

/* There are several interrupts in the short window too, so that a difference remains, but few,
 * since each one spins. */
enum { SENT_FEW = 2, SENT_MANY = 8 };

/* Runs one window; returns what every counter counted and checks how many handlers ran. */
static struct pmu_reading send(struct test_ctx *t, const struct pmu_setup *setups, unsigned count,
                               enum arch_interrupt kind, uint32_t sent)
{
	struct pmu_reading r;
	uint32_t windows = pmu_get()->version >= 2 ? 1 : count, taken;

	arch_interrupts_take_count();
	r = counting_measure(setups, count, arch_interrupts_send, sent, kind);
	taken = arch_interrupts_take_count();
	if (r.repeats == 0)
		expect_exact(t, "interrupts taken", taken, sent * windows,
		             "each round sends one and waits for it");
	return r;
}

/*
 * The handlers' instructions count, entering them does not. Silicon is known to count one more for
 * an interrupt (V. Weaver and others, "Non-determinism and overcount on modern hardware performance
 * counter implementations", ISPASS 2013), so the count is judged where the machine is exact and
 * reported elsewhere.
 */
static void check_interrupts(struct test_ctx *t, enum arch_interrupt kind)
{
	struct arch_interrupt_counts known = arch_interrupts_prepare(kind);
	struct pmu_setup setups[PMU_SETUPS_MAX];
	unsigned count = counting_setups(setups, EVENT_INSTRUCTIONS_RETIRED, PMU_BOTH);
	struct pmu_reading few = send(t, setups, count, kind, SENT_FEW);
	struct pmu_reading many = send(t, setups, count, kind, SENT_MANY);
	uint32_t want = (SENT_MANY - SENT_FEW) * (known.insns_each + known.handler_insns);
	char name[PMU_NAME_SIZE];

	for (unsigned i = 0; i < count; i++) {
		uint64_t got = many.count[i] - few.count[i];

		pmu_counter_name(setups[i].counter, name);
		expect_bounds(t, name, got,
		              if_exact(want, "every instruction of the handler counts, and "
		                       "entering it adds none"), ELSE_SHOWN);
	}
}

TEST(in_nmi, .id = "arch.instructions.nmi_handler", .needs = need_arch_and_apic, .source = SDM,
     .claim = "instructions of an NMI handler count; the NMI itself does not")
{ check_interrupts(t, ARCH_INTERRUPT_NMI); }

TEST(in_interrupt, .id = "arch.instructions.interrupt_handler", .needs = need_arch_and_apic,
     .source = SDM,
     .claim = "instructions of an interrupt handler count; the interrupt itself does not")
{ check_interrupts(t, ARCH_INTERRUPT_FIXED); }
