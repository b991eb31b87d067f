/* SPDX-License-Identifier: MIT */
/* rdpmc, pce: read counters by RDPMC, at CPL 0 and at CPL 3, and show what allows it at CPL 3. */
#include <monitor/tools/command.h>

#include <stddef.h>

#include <arch/cpu/control.h>
#include <arch/cpu/insn.h>
#include <arch/modes/modes.h>
#include <arch/regs/cpu.h>
#include <kernel/console/console.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/run/test.h>
#include <monitor/commands/why.h>
#include <pmu/core/dangers.h>
#include <pmu/core/program.h>
#include <pmu/drivers/suspend.h>

static bool is_pce(void)
{
	return has_cr4() && (cr4_read() & CR4_PCE);
}

/* Reads at CPL 3. The counters are paused, as for pmu_awake_rdpmc(). */
static fault_t read_as_user(uint32_t index, uint64_t *value)
{
	static const uint8_t code[] = { 0x0f, 0x33 };          /* RDPMC */
	const struct mode_regs regs = { .cx = index };
	struct mode_result r;

	if (modes_problem())
		monitor_fail("nothing can run at CPL 3: %s", modes_problem());
	pmu_suspend();
	r = mode_run(MODE_CPL3, code, sizeof(code), &regs);
	*value = (uint64_t)(uint32_t)r.regs.dx << 32 | (uint32_t)r.regs.ax;
	return r.fault;
}

static fault_t read_index(uint32_t index, bool is_user, uint64_t *value)
{
	return is_user ? read_as_user(index, value) : pmu_awake_rdpmc(index, value);
}

/* Returns why RDPMC faulted, or NULL if nothing explains it. */
static const char *reason(fault_t fault, bool is_user)
{
	static char text[WHY_TEXT_SIZE + 32];
	char indices[WHY_TEXT_SIZE];

	if (fault_vector(fault) == X86_UD && pmu_has(PMU_HAS_CESR) && !pmu_has(PMU_HAS_RDPMC))
		return "the instruction came with the Pentium MMX; \"rdmsr\" reads the counters";
	if (fault_vector(fault) == X86_UD)
		return "this processor, or what emulates it, has no RDPMC";
	if (is_user && !is_pce())
		return "CR4.PCE = 0 reserves it for CPL 0; \"pce 1\" allows it";
	if (fault_vector(fault) == X86_GP) {
		format_buf(text, sizeof(text), "no counter has this index: %s",
		           why_indices(indices));
		return text;
	}
	return NULL;
}

static void fail(uint32_t index, fault_t fault, bool is_user)
{
	char text[FAULT_TEXT_SIZE];
	const char *why = reason(fault, is_user);

	monitor_fail("RDPMC%s, ECX = %" PRIX32 "H: %s%s%s", is_user ? " at CPL 3" : "", index,
	             fault_text(fault, text), why ? ": " : "", why ? why : "");
}

static void print_one(uint32_t index, bool is_user)
{
	uint64_t value;
	fault_t fault = read_index(index, is_user, &value);

	if (is_fault(fault))
		fail(index, fault, is_user);
	print("%" PRIu64 "  (%" PRIX64 "H)\n", value, value);
	for (unsigned i = 0; i < 2 * PMU_FIXED; i++)
		if (pmu_has_counter(i) && pmu_rdpmc_index(i) == index)
			why_tell_forgotten(i);
}

static void print_all(bool is_user)
{
	char name[PMU_NAME_SIZE];
	uint64_t value;
	fault_t fault;

	if (!pmu_has_counter(0))
		print_one(0, is_user);
	for (unsigned i = 0; i < 2 * PMU_FIXED; i++) {
		if (!pmu_has_counter(i))
			continue;
		fault = read_index(pmu_rdpmc_index(i), is_user, &value);
		if (is_fault(fault))
			fail(pmu_rdpmc_index(i), fault, is_user);
		print("%9" PRIX32 "H  %-18s %" PRIu64 "  (%" PRIX64 "H)\n", pmu_rdpmc_index(i),
		      pmu_counter_name(i, name), value, value);
	}
	for (unsigned i = 0; i < 2 * PMU_FIXED; i++)
		if (pmu_has_counter(i))
			why_tell_forgotten(i);
}

COMMAND(rdpmc, .syntax = "[INDEX] [user]", .summary = "reads a counter by RDPMC, or all",
        .text = "Fixed counters have the indices 40000000H and up, IA32_PERF_METRICS has\n"
                "20000000H. \"user\" executes it at CPL 3, which CR4.PCE allows (\"pce\").\n"
                "A counter that is enabled, but not in the register that enables all\n"
                "counters, is named; \"why\" finds other causes.\n",
        .example = "rdpmc")
{
	bool is_user = w->count > 1 && strcmp(w->word[w->count - 1], "user") == 0;

	words_expect(w, 0, is_user ? 2 : 1);
	if (w->count - is_user == 1)
		print_all(is_user);
	else
		print_one((uint32_t)words_number(w, 1, "the index", 0, UINT32_MAX), is_user);
}

/* Fails if the user wants CR4.PCE = 1 where an erratum makes that dangerous. */
static void refuse_danger(bool is_on)
{
	const char *reason = is_on ? danger_reason("pce") : NULL;

	if (reason)
		monitor_fail("%s", reason);
}

COMMAND(pce, .syntax = "[0|1]", .summary = "shows or sets CR4.PCE, which lets CPL 3 read counters",
        .example = "pce")
{
	char text[FAULT_TEXT_SIZE];
	uintptr_t value;
	fault_t fault;
	bool is_on;

	words_expect(w, 0, 1);
	if (!has_cr4())
		monitor_fail("this processor has no CR4");
	if (w->count == 2) {
		is_on = words_number(w, 1, "PCE", 0, 1);
		refuse_danger(is_on);
		value = (cr4_read() & ~(uintptr_t)CR4_PCE) | (is_on ? CR4_PCE : 0);
		fault = cr4_try_write(value);
		if (is_fault(fault))
			monitor_fail("MOV to CR4 with PCE = 1: %s: the bit came with RDPMC, which "
			             "this processor has not", fault_text(fault, text));
	}
	print("CR4.PCE[8] = %u  RDPMC is %s\n", is_pce(), is_pce() ? "for every CPL"
	                                                          : "for CPL 0 only");
}
