/* SPDX-License-Identifier: MIT */
#include <tests/suites/lbr/branches_interrupts.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/segments.h>
#include <arch/regs/apic.h>
#include <arch/regs/cpu.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

/* Instructions at CPL 3 until the PMI; most are the LOOP's, which lasts longer than its skid. */
enum { UNTIL_PMI = 40, LOOP_AT = 5, LOOP_END = 7, ROUNDS = 1000 };

NEED_BOTH(need_branch_pmi, need_counting_pmu, need_pmi_lvtpc)

static const struct branch_row long_loop = {
	"LOOP", IN_WIDE, BRANCH_CODE(0xb9, ROUNDS & 255, ROUNDS >> 8, 0, 0, 0xe2, 0xfe)
};
static const struct branch_row sti_nops = {
	"STI", IN_WIDE, BRANCH_CODE(0xfb, 0x90, 0x90, 0x90, 0xfa)
};

static const struct branch_recorder *recorder;

static void run_loop(uint32_t rounds, uint32_t argument)
{
	struct branch_trace trace;

	(void)rounds, (void)argument;
	branches_run(&long_loop, MODE_CPL3, recorder, &trace);
}

void branches_run_pmi(const struct branch_recorder *by, struct branch_want *loop)
{
	const struct pmu_setup s = user_instructions(pmi_counter(0), UNTIL_PMI);

	recorder = by;
	*loop = (struct branch_want){ .from = branches_address(LOOP_AT),
	                              .to = branches_address(LOOP_AT), .kind = BRANCH_JCC,
	                              .from_cpl = 3, .to_cpl = 3 };
	pmu_program(&s, 1);
	pmu_clear_status(pmu_status());
	pmi_listen(PMI_NMI, NULL);
	branches_stop_at(X86_NMI);
	pmu_window(run_loop, 0, 0);
	pmi_stop();
}

/* STI keeps interrupts off for one more instruction. */
void branches_run_sti(const struct branch_recorder *by, struct branch_want *want)
{
	uintptr_t flags = flags_read();
	struct branch_trace trace;

	*want = (struct branch_want){ .from = branches_address(2), .to = branches_place(AT_STOP),
	                              .kind = BRANCH_FAR };
	interrupts_disable();
	apic_send_self(APIC_DELIVERY_FIXED, VECTOR_TEST);
	pmi_settle();
	branches_stop_at(VECTOR_TEST);
	branches_run(&sti_nops, MODE_CPL0, by, &trace);
	if (branches_stopped_at())
		apic_end_of_interrupt();
	flags_write(flags);
}
